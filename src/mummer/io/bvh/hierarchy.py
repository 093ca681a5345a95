"""Reads the HIERARCHY part of a BVH file, however deep, without recursion."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mummer.errors import LimitError, closest_names
from mummer.io.bvh.document import CHANNEL_NAMES, SHORT_NAMES, Node
from mummer.io.limits import ReadLimits
from mummer.io.text import Words
from mummer.report import ReportBuilder

_KEYWORDS = ("ROOT", "JOINT", "END", "OFFSET", "CHANNELS", "{", "}", "MOTION", "HIERARCHY")


@dataclass
class _Open:
    """A node that is being read."""

    name: str
    parent: int
    line: int
    is_end: bool
    offset: tuple[float, float, float] | None = None
    channels: tuple[str, ...] | None = None

    @property
    def label(self) -> str:
        return f"the end site of line {self.line}" if self.is_end else f"joint {self.name!r}"


@dataclass
class _Reading:
    words: Words
    path: Path | None
    limits: ReadLimits
    report: ReportBuilder
    nodes: list[_Open] = field(default_factory=list)
    stack: list[int] = field(default_factory=list)

    @property
    def top(self) -> _Open | None:
        return self.nodes[self.stack[-1]] if self.stack else None


def parse_hierarchy(text: str, path: Path | None, limits: ReadLimits, report: ReportBuilder) -> tuple[Node, ...]:
    """The nodes that ``text``, everything before MOTION, describes.

    Raises:
        MalformedFileError: with the line where the hierarchy cannot be known.
        LimitError: if there are too many nodes, or they are nested too deeply.
    """
    reading = _Reading(Words(text, path), path, limits, report)
    words = reading.words
    if (word := words.peek()) is None or word.upper().rstrip(":") != "HIERARCHY":
        found = "the file is empty" if word is None else f"starts with {word[:40]!r}"
        raise words.error(f"{found}; expected HIERARCHY")
    words.take("HIERARCHY")
    while words.peek() is not None:
        _read_statement(reading)
    if reading.top is not None:
        raise words.error(f"{reading.top.label}, opened on line {reading.top.line}, is never closed by '}}'")
    if not reading.nodes:
        raise words.error("the hierarchy has no joint; expected ROOT and a name")
    return tuple(_finished(node, report) for node in reading.nodes)


def _read_statement(reading: _Reading) -> None:
    words, top = reading.words, reading.top
    keyword = words.take("a joint").upper()
    if keyword in ("ROOT", "JOINT") or (keyword == "END" and top is not None):
        _open_node(reading, keyword)
    elif keyword == "OFFSET" and top is not None:
        top.offset = (words.number("x of OFFSET"), words.number("y of OFFSET"), words.number("z of OFFSET"))
    elif keyword == "CHANNELS" and top is not None:
        top.channels = _read_channels(reading, top)
    elif keyword == "}" and top is not None:
        reading.stack.pop()
    elif keyword == "}":
        reading.report.add("ignored", "a '}' closes nothing")
    elif keyword == "{":
        raise words.error("'{' opens nothing; expected ROOT, JOINT or End Site before it")
    else:
        words.rest_of_line(until="}")
        reading.report.add("ignored", f"{keyword[:40]!r} in the hierarchy is not understood")


def _open_node(reading: _Reading, keyword: str) -> None:
    words, top = reading.words, reading.top
    line = words.line
    name = " ".join(words.rest_of_line(until="{"))
    if top is not None and top.is_end:
        raise words.error(f"an end site has a {keyword} inside; expected only OFFSET")
    if keyword == "JOINT" and top is None:
        reading.report.add("unusual", f"joint {name!r} hangs from nothing and is taken for a root")
    if words.take("'{'") != "{":
        raise words.error(f"{keyword} {name!r} is not followed by '{{'")
    parent = reading.stack[-1] if keyword != "ROOT" and reading.stack else -1
    if keyword == "ROOT" and reading.stack:
        raise words.error(f"ROOT {name!r} stands inside {top.label if top else ''}; expected JOINT, or '}}' before it")
    reading.nodes.append(_Open("" if keyword == "END" else name, parent, line, keyword == "END"))
    reading.stack.append(len(reading.nodes) - 1)
    if len(reading.nodes) > reading.limits.joints:
        raise LimitError(reading.path, f"has more than {reading.limits.joints:,} joints", place=f"line {line}")
    if len(reading.stack) > reading.limits.depth:
        raise LimitError(reading.path, f"nests joints deeper than {reading.limits.depth:,}", place=f"line {line}")


def _read_channels(reading: _Reading, node: _Open) -> tuple[str, ...]:
    words = reading.words
    line = words.line
    count = words.number("the count of CHANNELS")
    names: list[str] = []
    while (word := words.peek()) is not None and word.upper() not in _KEYWORDS and len(names) <= count:
        names.append(_channel(words.take("a channel"), reading.report))
    if len(names) != count:
        more = "more" if len(names) > count else str(len(names))
        raise words.error(f"CHANNELS of {node.label} on line {line} says {count:g} but names {more}")
    if len(set(names)) < len(names):
        reading.report.add("unusual", "a joint has the same channel twice")
    return tuple(names)


def _channel(word: str, report: ReportBuilder) -> str:
    """The name of a channel as `CHANNEL_NAMES` has it, or an empty string."""
    found = SHORT_NAMES.get(word[:4].lower())
    if found is None or not found.lower().startswith(word.lower()[:9]):
        near = closest_names(word, CHANNEL_NAMES)
        hint = f"; did it mean {near[0]}?" if near else ""
        report.add("ignored", f"channel {word[:40]!r} is not understood{hint}")
        return ""
    return found


def _finished(node: _Open, report: ReportBuilder) -> Node:
    if node.offset is None:
        report.add("repaired", "a joint has no OFFSET; zero is used")
    if node.channels is None and not node.is_end:
        report.add("unusual", "a joint has no CHANNELS and keeps its rest pose")
    if node.is_end and node.channels:
        report.add("unusual", "an end site has CHANNELS")
    return Node(node.name, node.parent, node.offset or (0.0, 0.0, 0.0), node.channels or (), node.is_end)
