"""What a block of BML says, as plain values: behaviours, when they shall be, and how blocks stand to one another."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mummer.bml.feedback import Warned
from mummer.errors import InputError

OFFSET = re.compile(r"([+-])\s*(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)$")
NAME = re.compile(r"[\w][\w.\-]*$")
POINT = re.compile(r"[^\W\d][\w.\-]*$")
MOST_SECONDS = 86_400.0
"""A time or an offset that is further away is a mistake."""


@dataclass(frozen=True)
class SyncRef:
    """A moment: a sync point of a behaviour and an offset, or so many seconds into the block.

    Attributes:
        behavior: whose; empty for a moment of the block itself.
        point: which of its sync points; empty where the offset alone counts.
        offset: seconds after it.
        block: whose behaviour it is; empty for the block that says it.
    """

    behavior: str = ""
    point: str = ""
    offset: float = 0.0
    block: str = ""

    @classmethod
    def read(cls, text: str) -> SyncRef:
        """The moment that ``text`` names: ``2``, ``speech1:s3``, ``bml1:nod1:end+0.5``.

        Raises:
            InputError: if it is none of these.

        Example:
            >>> SyncRef.read("nod1:stroke-0.5")
            SyncRef(behavior='nod1', point='stroke', offset=-0.5, block='')
        """
        said = text.strip()
        if ":" not in said:
            return cls(offset=_seconds(said, text))
        found = OFFSET.search(said)
        names = said[: found.start()].strip() if found else said
        offset = _seconds("".join(found.groups()), text) if found else 0.0
        parts = names.split(":")
        if len(parts) not in (2, 3) or not all(map(NAME.match, parts[:-1])) or not POINT.match(parts[-1]):
            raise InputError(f"{text[:80]!r} is no sync reference; expected seconds, or behavior:sync, +seconds or not")
        if len(parts) == 3:
            return cls(parts[1], parts[2], offset, parts[0])
        if parts[0] == "bml" and parts[1] == "start":
            return cls(offset=offset)
        return cls(parts[0], parts[1], offset)

    def __str__(self) -> str:
        names = ":".join(part for part in (self.block, self.behavior, self.point) if part)
        return f"{names}{self.offset:+g}" if names and self.offset else names or f"{self.offset:g}"


def _seconds(number: str, text: str) -> float:
    try:
        value = float(number.replace(" ", ""))
    except ValueError:
        value = math.nan
    if not abs(value) <= MOST_SECONDS:
        raise InputError(f"{text[:80]!r} is no moment; expected seconds below {MOST_SECONDS:g}, or behavior:sync")
    return value


@dataclass(frozen=True)
class Element:
    """One behaviour that a block asks for.

    Attributes:
        kind: what: ``speech``, ``gaze``, ``gesture``; of our own namespace ``model``, ``play`` and the like.
        id: its name within the block.
        attributes: all that is said about it but its times.
        times: when its sync points shall be, by their names in BML.
        required: whether the block is nothing without it.
        text: what is spoken.
        marks: sync points within what is spoken: their names, and before how many letters of the text each stands.
        children: elements within it, each a name, its attributes and its text.
    """

    kind: str
    id: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[str, SyncRef] = field(default_factory=dict)
    required: bool = False
    text: str = ""
    marks: tuple[tuple[str, int], ...] = ()
    children: tuple[tuple[str, Mapping[str, str], str], ...] = ()


@dataclass(frozen=True)
class Constraint:
    """Moments that stand to one another.

    Attributes:
        mode: ``synchronize`` all of them, or all but the first ``before`` or ``after`` the first.
        moments: which.
        required: whether the block is nothing without it.
        id: its name, which may be empty.
    """

    mode: str
    moments: tuple[SyncRef, ...]
    required: bool = False
    id: str = ""


@dataclass(frozen=True)
class Block:
    """A block of behaviours.

    Attributes:
        id: its name.
        character: who shall do it; empty for whoever is there.
        composition: ``MERGE`` with what goes on, ``APPEND`` after it, or ``REPLACE`` it.
        elements: the behaviours, as written.
        constraints: beside the times of the behaviours.
        after: blocks to end before this one starts.
        chunk: whether those need only relax.
        before: blocks that wait for the end of this one.
        interrupts: blocks that this one ends.
        warnings: what reading it gave rise to.
        failed: whether something that it requires could not be read.
    """

    id: str
    character: str = ""
    composition: str = "MERGE"
    elements: tuple[Element, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    after: tuple[str, ...] = ()
    chunk: bool = False
    before: tuple[str, ...] = ()
    interrupts: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()
    failed: bool = False
