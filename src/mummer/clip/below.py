"""Below: what lies under a segment of a timeline, to be used inside that segment."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Below(Clip):
    """Stands for what the levels below a segment show, in the time of that segment's clip.

    A timeline puts the levels below in its place, so a layered motion can be blended with what it covers without the
    timeline being made of itself. Elsewhere it cannot be played.

    Attributes:
        character: the body.
        begin, finish: seconds, over which it may be asked; see `Composite.below`.
    """

    character: Character
    begin: float
    finish: float

    def __post_init__(self) -> None:
        if not self.begin <= self.finish:
            raise InputError(f"what is below cannot run from {self.begin:g} to {self.finish:g} s")

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.character

    @property
    def start(self) -> float:
        """When it may first be asked."""
        return float(self.begin)

    @property
    def end(self) -> float:
        """When it may last be asked."""
        return float(self.finish)

    @cached_property
    def defined(self) -> BoolArray:
        """All joints."""
        return locked(np.ones(len(self.character.skeleton), bool), bool)

    def frames(self, times: FloatArray) -> Frames:  # noqa: ARG002
        """See `Clip.frames`."""
        raise InputError("Below stands for what is under a segment of a Composite; by itself it shows nothing")


@dataclass(frozen=True, eq=False, repr=False)
class Beneath(Clip):
    """What a timeline puts in place of `Below`: the levels below, in the time of one segment's clip."""

    timeline: Clip
    delay: float
    begin: float
    finish: float

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.timeline.body

    @property
    def start(self) -> float:
        """When it may first be asked."""
        return self.begin

    @property
    def end(self) -> float:
        """When it may last be asked."""
        return self.finish

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """None: the timeline itself gives those of the levels below."""
        return ()

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        at = np.clip(times + self.delay, self.timeline.start, self.timeline.end)
        made = (_KNOWN.get() or {}).get(id(self.timeline))
        if made is not None and len(made[0]) == len(at) and np.all(np.abs(made[0] - at) < 1e-9):
            return made[1].select(np.arange(len(at)))
        return self.timeline.frames(at)


# While a timeline is played from the bottom up, what its levels have come to so far: without this, a segment that asks
# what is below would have it made anew, and so would each of the segments there.
_KNOWN: ContextVar[dict[int, tuple[FloatArray, Frames]] | None] = ContextVar("_KNOWN", default=None)


@contextmanager
def known(timeline: Clip, times: FloatArray, frames: Frames) -> Iterator[None]:
    """While in force, the frames of ``timeline`` at exactly these times need not be made again."""
    token = _KNOWN.set({**(_KNOWN.get() or {}), id(timeline): (times, frames)})
    try:
        yield
    finally:
        _KNOWN.reset(token)


def bind(clip: Clip, timeline: Clip, delay: float) -> Clip:
    """``clip`` with every `Below` in it standing for ``timeline``, whose times are the clip's plus ``delay``."""
    if isinstance(clip, Below):
        return Beneath(timeline, delay, clip.start, clip.end)
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(clip):
        value = getattr(clip, field.name)
        if isinstance(value, Clip):
            changes[field.name] = bind(value, timeline, delay)
        elif isinstance(value, tuple) and any(isinstance(entry, Clip) for entry in value):
            bound = tuple(bind(entry, timeline, delay) if isinstance(entry, Clip) else entry for entry in value)
            changes[field.name] = value if all(a is b for a, b in zip(value, bound, strict=True)) else bound
    if all(changes[name] is getattr(clip, name) for name in changes):
        return clip
    return dataclasses.replace(clip, **changes)


def contains_below(clip: Clip) -> bool:
    """Whether a clip is made of `Below`, or of what was put in its place; a timeline in it keeps its own to itself."""
    if isinstance(clip, (Below, Beneath)):
        return True
    fields = [getattr(clip, field.name) for field in dataclasses.fields(clip)]
    entries = [entry for value in fields for entry in (value if isinstance(value, tuple) else (value,))]
    return any(isinstance(entry, Clip) and contains_below(entry) for entry in entries)
