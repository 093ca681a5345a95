"""From XML to blocks: BML 1.0, and the spellings of its older relatives with a warning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from mummer.bml.block import NAME, Block, Constraint, Element, SyncRef
from mummer.bml.feedback import NAMESPACE, Warned
from mummer.bml.kinds import KINDS, OUR_NAMESPACE, OWN, point_named
from mummer.bml.older import OLDER, modern
from mummer.bml.xml import Xml, read_xml, split_name
from mummer.errors import InputError, LimitError, MalformedFileError

CORE = ("", NAMESPACE, "http://www.bml-initiative.org/bml/coreextensions-1.0", "http://www.mindmakers.org/projects/BML")
"""Namespaces whose elements are those of the standard; the last is that of its drafts."""
ASAP = ("http://www.asap-project.org/bmla", "bmla", "http://hmi.ewi.utwente.nl/bmlt", "bmlt")
SMARTBODY = ("sbm", "http://www.smartbody-anim.org/sbm", "http://ict.usc.edu")
COMPOSITIONS = ("MERGE", "APPEND", "REPLACE")
MOST_BEHAVIORS = 1_000
"""Of one block."""
MOST_BLOCKS = 500
"""Of one document."""
MOST_TEXT = 20_000
"""Letters of one behaviour."""
CONSTRAINTS = ("synchronize", "before", "after")


def read_blocks(source: str | bytes, *, name: str = "BML", unnamed: str = "bml") -> tuple[Block, ...]:
    """The blocks of a document: one ``bml`` element, several inside another, or behaviours with nothing around them.

    Args:
        source: XML.
        name: what errors call it.
        unnamed: how blocks are called that have no id; a number follows.

    Raises:
        FileError: if it is no XML, is refused, or holds nothing of BML.

    Example:
        >>> block, = read_blocks('<bml id="b"><head id="nod" lexeme="NOD" start="1"/></bml>')
        >>> block.elements[0].times["start"].offset
        1.0
    """
    root = read_xml(source, name=name)
    found = [each for each in root.iter() if split_name(each.tag)[1] == "bml"]
    found = [each for each in found if not any(split_name(above.tag)[1] == "bml" for above in each.iterancestors())]
    if len(found) > MOST_BLOCKS:
        raise LimitError(name, f"{len(found)} blocks; at most {MOST_BLOCKS} are read at once")
    if not found:
        local = split_name(root.tag)[1]
        if local not in KINDS and local not in OWN and local not in OLDER:
            raise MalformedFileError(name, f"holds no bml element; its root is {local[:40]!r}")
        reading = _Reading(f"{unnamed}1")
        reading.warn("OLD_SPELLING", f"a {local!r} without a bml element around it")
        reading.element(root, required=False)
        return (reading.block(),)
    return tuple(_block(each, f"{unnamed}{number}", name) for number, each in enumerate(found, 1))


@dataclass
class _Reading:
    """What was read of a block so far."""

    id: str
    elements: list[Element] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)
    says: dict[str, Any] = field(default_factory=dict)

    def warn(self, type_: str, text: str, behavior: str = "") -> None:
        self.warnings.append(Warned(type_, text, behavior))

    def block(self) -> Block:
        known = {element.id: element for element in self.elements}
        elements = tuple(
            replace(each, times={point: _meant(ref, known) for point, ref in each.times.items()})
            for each in self.elements
        )
        constraints = tuple(
            replace(each, moments=tuple(_meant(ref, known) for ref in each.moments)) for each in self.constraints
        )
        warnings, says = tuple(self.warnings), self.says
        return Block(self.id, elements=elements, constraints=constraints, warnings=warnings, **says)

    def children(self, parent: Xml, *, required: bool) -> None:
        for each in parent:
            local = split_name(each.tag)[1]
            if local == "required":
                self.children(each, required=True)
            elif local == "constraint" and not each.get("target"):
                self.constraint(each, required=required)
            elif local in CONSTRAINTS:
                self.relation(each, local, each.get("id", ""), required=required)
            else:
                self.element(each, required=required)

    def constraint(self, parent: Xml, *, required: bool) -> None:
        name = parent.get("id", "")
        for each in parent:
            local = split_name(each.tag)[1]
            if local in CONSTRAINTS:
                self.relation(each, local, name, required=required)
            else:
                self.warn("PARSING_FAILURE", f"a constraint holds {local[:40]!r}; expected {', '.join(CONSTRAINTS)}")

    def relation(self, element: Xml, mode: str, name: str, *, required: bool) -> None:
        said = [element.get("ref")] if element.get("ref") else []
        said += [each.get("ref", "") for each in element if split_name(each.tag)[1] == "sync"]
        try:
            moments = tuple(SyncRef.read(each) for each in said)
        except InputError as error:
            self.warn("PARSING_FAILURE", str(error), name)
            if required:
                self.says["failed"] = True
            return
        if len(moments) < 2 or (mode != "synchronize" and not element.get("ref")):
            self.warn(
                "PARSING_FAILURE", f"a {mode} constraint has too little in it; expected a ref and sync elements", name
            )
            return
        self.constraints.append(Constraint(mode, moments, required or element.get("required") == "true", name))

    def element(self, element: Xml, *, required: bool) -> None:
        namespace, local = split_name(element.tag)
        name = element.get("id") or ""
        if len(self.elements) >= MOST_BEHAVIORS:
            raise LimitError(self.id, f"more than {MOST_BEHAVIORS} behaviours in one block")
        attributes, children = self.attributes(element, name), tuple(_children(element))
        kind = self.kind(namespace, local, attributes, name)
        if kind is None:
            if required or element.get("required") == "true":
                self.warn("PARSING_FAILURE", f"{local[:40]!r} is required, so the block is dropped")
                self.says["failed"] = True
            return
        name = self.named(kind, name)
        required = required or attributes.pop("required", "") == "true"
        text, marks, at = _speech(element) if kind == "speech" else ("", (), {})
        if len(text) > MOST_TEXT:
            raise LimitError(self.id, f"{len(text)} letters to speak; at most {MOST_TEXT}", place=name)
        times = self.times(kind, attributes, name)
        if times is None:
            if required:
                self.says["failed"] = True
            return
        for mark, said in at.items():
            try:
                times[mark] = SyncRef.read(said)
            except InputError as error:
                self.warn("PARSING_FAILURE", str(error), name)
        self.elements.append(Element(kind, name, attributes, times, required, text, marks, children))

    def named(self, kind: str, name: str) -> str:
        taken = {each.id for each in self.elements}
        if name and name not in taken:
            return name
        number = 1
        base = name or kind
        while f"{base}_{number}" in taken:
            number += 1
        if name:
            self.warn("DUPLICATE_ID", f"two behaviours are called {name!r}; this one is now {base}_{number}", name)
        else:
            self.warn("MISSING_ID", f"a {kind} has no id; it is called {base}_{number}", f"{base}_{number}")
        return f"{base}_{number}"

    def kind(self, namespace: str, local: str, attributes: dict[str, str], name: str) -> str | None:
        """Which kind of behaviour an element is; its attributes are made those of BML 1.0."""
        if namespace == OUR_NAMESPACE or namespace == "mummer":
            if local in OWN or local in KINDS:
                return local
        elif namespace in CORE and local in KINDS and not _is_older(local, attributes):
            return local
        else:
            found = modern(local, attributes)
            if found is not None and (namespace in CORE or namespace in SMARTBODY or namespace in ASAP):
                self.warn("OLD_SPELLING", f"{found.said}; in BML 1.0 it is {found.now}", name)
                return found.kind
        own = namespace in CORE
        what = "BEHAVIOR_TYPE_NOT_SUPPORTED" if own else "CUSTOM_BEHAVIOR_NOT_SUPPORTED"
        self.warn(what, f"there is no behaviour {local[:40]!r}" + ("" if own else f" of {namespace[:80]!r} here"), name)
        return None

    def attributes(self, element: Xml, name: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for tag, value in element.attrib.items():
            namespace, local = split_name(tag)
            if namespace in CORE or namespace in (OUR_NAMESPACE, "mummer") or namespace in SMARTBODY:
                found[local] = value.strip()
            elif namespace not in ("http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2001/XMLSchema-instance"):
                self.warn(
                    "CUSTOM_ATTRIBUTE_NOT_SUPPORTED", f"{local[:40]!r} of {namespace[:80]!r} means nothing here", name
                )
        found.pop("id", None)
        return found

    def times(self, kind: str, attributes: dict[str, str], name: str) -> dict[str, SyncRef] | None:
        """The sync points among the attributes, which are taken out; None if one cannot be read."""
        found: dict[str, SyncRef] = {}
        for said in list(attributes):
            point = point_named(kind, said)
            if point is None:
                continue
            try:
                found.setdefault(point, SyncRef.read(attributes.pop(said)))
            except InputError as error:
                self.warn("PARSING_FAILURE", f"{said}: {error}; {kind} {name!r} is dropped", name)
                return None
        return found


def _meant(ref: SyncRef, known: dict[str, Element]) -> SyncRef:
    """A moment with its sync point as the standard spells it, or as the speech that has it does."""
    element = known.get(ref.behavior)
    if ref.block or element is None or ref.point in dict(element.marks):
        return ref
    return replace(ref, point=point_named(element.kind, ref.point) or ref.point)


def _is_older(local: str, attributes: dict[str, str]) -> bool:
    return local in OLDER and modern(local, dict(attributes)) is not None


def _block(element: Xml, unnamed: str, source: str) -> Block:
    reading = _Reading(element.get("id") or unnamed)
    if not NAME.match(reading.id):
        raise MalformedFileError(
            source, f"a block is called {reading.id[:40]!r}; expected letters, digits, '_', '-' or '.'"
        )
    if not element.get("id"):
        reading.warn("MISSING_ID", f"the block has no id; it is called {reading.id!r}")
    says = reading.says
    says["character"] = element.get("characterId") or element.get("character") or ""
    for tag, value in element.attrib.items():
        namespace, local = split_name(tag)
        _compose(reading, namespace, local, value)
    reading.children(element, required=False)
    return reading.block()


def _compose(reading: _Reading, namespace: str, local: str, value: str) -> None:
    """What an attribute of a block says about other blocks."""
    says, names = reading.says, tuple(part for part in value.replace(",", " ").split() if part)
    if local == "composition":
        mode, _, inside = value.strip().rstrip(")").partition("(")
        mode, others = mode.upper().replace("_", "-"), tuple(part for part in inside.replace(",", " ").split() if part)
        if mode == "APPEND-AFTER":
            says["after"] = others
        elif mode in COMPOSITIONS:
            says["composition"] = mode
        else:
            reading.warn(
                "PARSING_FAILURE", f"composition {value[:40]!r} is not one of {', '.join(COMPOSITIONS)}; merged"
            )
    elif local in ("appendAfter", "chunkAfter"):
        says["after"], says["chunk"] = names, local == "chunkAfter"
    elif local in ("prependBefore", "prepend", "chunkBefore"):
        says["before"] = names
    elif local == "interrupt":
        says["interrupts"] = names
    elif namespace not in CORE and namespace not in SMARTBODY and not namespace.startswith("http://www.w3.org/"):
        reading.warn("CUSTOM_ATTRIBUTE_NOT_SUPPORTED", f"{local[:40]!r} of {namespace[:80]!r} means nothing here")


def _children(element: Xml) -> Iterator[tuple[str, dict[str, str], str]]:
    for each in element:
        local = split_name(each.tag)[1]
        attributes = {split_name(tag)[1]: value for tag, value in each.attrib.items()}
        if local == "description":
            yield local, attributes, (each.text or "").strip()
            yield from _children(each)
        elif local not in ("text", "sync", "tm", "mark"):
            yield local, attributes, (each.text or "").strip()


def _speech(element: Xml) -> tuple[str, tuple[tuple[str, int], ...], dict[str, str]]:
    """What is spoken, the marks in it, and the moments that marks are said to be at."""
    inner = next((each for each in element if split_name(each.tag)[1] == "text"), element)
    words, at = " ".join((inner.text or "").split()), {}
    marks: list[tuple[str, int]] = []
    for each in inner:
        local = split_name(each.tag)[1]
        name = each.get("id") or each.get("name") or ""
        if local in ("sync", "tm", "mark") and NAME.match(name) and name not in dict(marks):
            marks.append((name, len(words) + 1 if words else 0))
            if each.get("ref"):
                at[name] = each.get("ref")
        if local == "speech" or local == "text":
            words = _joined(words, each.text)
        words = _joined(words, each.tail)
    return words, tuple((name, min(place, len(words))) for name, place in marks), at


def _joined(words: str, more: str | None) -> str:
    added = " ".join((more or "").split())
    return f"{words} {added}" if words and added else words or added
