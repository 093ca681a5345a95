"""From the bytes of a BVH file to what it says."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np

from mummer.errors import MalformedFileError
from mummer.io import text
from mummer.io.bvh.document import Document, Node
from mummer.io.bvh.hierarchy import parse_hierarchy
from mummer.io.bvh.motion import parse_motion
from mummer.io.limits import ReadLimits
from mummer.report import ReportBuilder

_MOTION = re.compile(rb"^[ \t}]*MOTION\b[ \t]*:?", re.IGNORECASE | re.MULTILINE)
_LARGEST = 1e12


def parse(data: bytes, path: Path | None, limits: ReadLimits, report: ReportBuilder) -> Document:
    """The nodes and frames of a file, in its own axes and units.

    Raises:
        MalformedFileError: if the hierarchy or the motion cannot be known, with the line.
        LimitError: if the file asks for too much.
    """
    data = text.normalized(data, path)
    found = _MOTION.search(data)
    end = found.end() if found else len(data)
    # The closing braces on the line of MOTION, if any, belong to the hierarchy.
    head = text.decode(data[:end])
    head = head[: head.upper().rindex("MOTION")] if found else head
    nodes = parse_hierarchy(head, path, limits, report)
    if found is None:
        report.add("unusual", "there is no MOTION; the skeleton is read without one")
        document = Document(nodes, np.zeros((0, sum(len(node.channels) for node in nodes))))
    else:
        channels = sum(len(node.channels) for node in nodes)
        line = 1 + data.count(b"\n", 0, end)
        motion = parse_motion(data[end:], channels, path, limits, report, first_line=line)
        document = Document(nodes, motion.values, motion.frame_time)
    _require_plausible(document, path)
    return document


def without_ends(document: Document, *, only_empty: bool) -> Document:
    """The document without its End Sites, or without those that say nothing because their OFFSET is zero."""
    dropped = [node.is_end and not node.channels and not (only_empty and any(node.offset)) for node in document.nodes]
    if not any(dropped):
        return document
    place = np.cumsum(~np.array(dropped)) - 1
    kept: list[Node] = [
        dataclasses.replace(node, parent=int(place[node.parent]) if node.parent >= 0 else -1)
        for node, drop in zip(document.nodes, dropped, strict=True)
        if not drop
    ]
    return dataclasses.replace(document, nodes=tuple(kept))


def _require_plausible(document: Document, path: Path | None) -> None:
    values = document.values
    largest = max(np.abs(document.offsets).max(), values.max(initial=0), -values.min(initial=0))
    if largest > _LARGEST:
        raise MalformedFileError(path, f"holds the number {largest:g}; expected none beyond {_LARGEST:g}")
