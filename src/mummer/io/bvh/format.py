"""From what a BVH file says to its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mummer.arrays import FloatArray
from mummer.character import unique_names
from mummer.io.bvh.document import Document, Node

_UNSAFE = re.compile(r"[{}\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def format_document(document: Document) -> str:
    """The text of a whole file."""
    lines = ["HIERARCHY", *_hierarchy(document), "MOTION", f"Frames: {len(document.values)}"]
    lines += [f"Frame Time: {float(document.frame_time)!r}", *_rows(document.values)]
    return "\n".join(lines) + "\n"


def safe_names(names: Iterable[str], *, keep_spaces: bool) -> tuple[str, ...]:
    """Names that every program reads back: unique, no braces, control characters or comment signs.

    Args:
        names: what joints are called.
        keep_spaces: whether single blanks stay, which not every program reads; else each becomes ``_``.
    """
    return unique_names(_safe_name(name, keep_spaces) for name in names)


def _safe_name(name: str, keep_spaces: bool) -> str:
    words = _UNSAFE.sub("_", name).split()
    words = [f"_{word}" if word.startswith(("#", "//")) else word for word in words]
    return (" " if keep_spaces else "_").join(words)


def _hierarchy(document: Document) -> Iterator[str]:
    """The lines of all nodes, each closed after the last node that hangs from it."""
    has_children = [False] * len(document.nodes)
    for node in document.nodes:
        if node.parent >= 0:
            has_children[node.parent] = True
    open_nodes: list[int] = []
    for index, node in enumerate(document.nodes):
        while open_nodes and open_nodes[-1] != node.parent:
            open_nodes.pop()
            yield "\t" * len(open_nodes) + "}"
        yield from _opening(node, len(open_nodes))
        open_nodes.append(index)
        if not has_children[index] and not node.is_end:
            # Most programs expect a tip below every leaf; one of no length is left out again when read.
            yield from _opening(Node("", index, is_end=True), len(open_nodes))
            yield "\t" * len(open_nodes) + "}"
    while open_nodes:
        open_nodes.pop()
        yield "\t" * len(open_nodes) + "}"


def _opening(node: Node, depth: int) -> Iterator[str]:
    indent = "\t" * depth
    keyword = "ROOT" if node.parent < 0 else "JOINT"
    yield indent + ("End Site" if node.is_end else f"{keyword} {node.name}")
    yield indent + "{"
    yield f"{indent}\tOFFSET " + " ".join(f"{value + 0.0:.9g}" for value in node.offset)
    if not node.is_end:
        yield f"{indent}\tCHANNELS {' '.join([str(len(node.channels)), *node.channels])}"


def _rows(values: FloatArray) -> Iterator[str]:
    # Nine digits keep a millionth of a degree, and a micrometre in a kilometre. Adding zero makes -0 a plain 0.
    row_format = " ".join(["%.9g"] * values.shape[1])
    for row in (values + 0.0).tolist():
        yield row_format % tuple(row)
