"""XML from anywhere: bounded in size and depth, with no entities, no DTD and nothing fetched."""

from __future__ import annotations

import re
from typing import Any

from mummer.errors import LimitError, MalformedFileError

MOST_BYTES = 1_000_000
"""Of one document."""
MOST_ELEMENTS = 5_000
"""In one document."""
MOST_ATTRIBUTES = 100
"""Of one element."""
MOST_DEPTH = 24
"""Elements inside one another."""
DECLARED = re.compile(rb"<!\s*(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)", re.IGNORECASE)

Xml = Any
"""An element of lxml, which has no types."""


def read_xml(source: str | bytes, *, name: str = "BML") -> Xml:
    """The root element of a document.

    Prefixes that nobody declared stay part of the names that they stand before; every other fault refuses the document.

    Args:
        source: the document; text, or bytes in the encoding that they declare.
        name: what errors call it.

    Raises:
        LimitError: if it is larger, deeper or has more in it than a block of behaviours can need.
        MalformedFileError: if it is not well-formed XML, or declares entities.
    """
    from lxml import etree

    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else bytes(source)
    if len(data) > MOST_BYTES:
        raise LimitError(name, f"{len(data)} bytes of XML; at most {MOST_BYTES} are read")
    if DECLARED.search(data.replace(b"\0", b"")):
        raise MalformedFileError(name, "declares a document type or entities, which are refused")
    encoding = "utf-8" if isinstance(source, str) else None
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True, recover=True, encoding=encoding,
    )  # fmt: skip
    try:
        root = etree.fromstring(data.strip(), parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise MalformedFileError(name, _first_line(str(error))) from None
    for fault in parser.error_log:
        if fault.domain_name != "NAMESPACE":
            raise MalformedFileError(name, _first_line(fault.message), place=f"line {fault.line}")
    if root is None:
        raise MalformedFileError(name, "holds no XML element")
    if root.getroottree().docinfo.doctype:
        raise MalformedFileError(name, "declares a document type, which is refused")
    _require_bounded(root, name)
    return root


def _require_bounded(root: Xml, name: str) -> None:
    level = [root]
    count, depth = 0, 0
    while level:
        count, depth = count + len(level), depth + 1
        if depth > MOST_DEPTH:
            raise LimitError(name, f"elements lie more than {MOST_DEPTH} deep in one another")
        if count > MOST_ELEMENTS:
            raise LimitError(name, f"more than {MOST_ELEMENTS} elements")
        for each in level:
            if not isinstance(each.tag, str):
                raise MalformedFileError(name, "refers to an entity, which is refused", place=f"line {each.sourceline}")
            if len(each.attrib) > MOST_ATTRIBUTES:
                raise LimitError(name, f"more than {MOST_ATTRIBUTES} attributes", place=f"line {each.sourceline}")
        level = [child for each in level for child in each]


def split_name(tag: str) -> tuple[str, str]:
    """The namespace, or the undeclared prefix, or nothing; and the local name."""
    if tag.startswith("{"):
        namespace, _, local = tag[1:].partition("}")
        return namespace, local
    prefix, colon, local = tag.partition(":")
    return (prefix, local) if colon else ("", tag)


def _first_line(text: str) -> str:
    return " ".join(text.split())[:200] or "not well-formed XML"
