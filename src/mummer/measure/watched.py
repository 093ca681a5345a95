"""A clip as measures see it: where every joint is, evenly in time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, world_positions
from mummer.character.derive import rest_positions, size_of
from mummer.clip.analysis.tracks import rates
from mummer.clip.clip import BLOCK, Clip
from mummer.clip.standing import up_of

RATE = 60.0
"""Samples a second that measures take unless told otherwise."""
_seen: ContextVar[dict[tuple[int, bytes], Watched] | None] = ContextVar("watched", default=None)


@dataclass(frozen=True, eq=False)
class Watched:
    """Joints of one clip over time.

    Attributes:
        clip: the clip.
        times: (T,) seconds, evenly spaced.
        places: (T, J, 3) in the world, metres.
    """

    clip: Clip
    times: FloatArray
    places: FloatArray

    @property
    def body(self) -> Character:
        """The body that moves."""
        return self.clip.body

    @property
    def step(self) -> float:
        """Seconds from one sample to the next."""
        return float(self.times[1] - self.times[0]) if len(self.times) > 1 else 1.0

    @cached_property
    def up(self) -> FloatArray:
        """(3,) unit, the body's."""
        return up_of(self.body)

    @cached_property
    def height(self) -> float:
        """Metres from the lowest to the highest point of the body at rest."""
        return height_of(self.body)

    def heights(self, joints: list[int]) -> FloatArray:
        """(T, n) how high joints are along ``up``, metres."""
        return np.asarray(self.places[:, joints] @ self.up)

    def level_speeds(self, joints: list[int]) -> FloatArray:
        """(T, n) how fast joints travel over the ground, metres a second, by central differences."""
        if len(self.times) < 2:
            return np.zeros((len(self.times), len(joints)))
        velocities = rates(self.places[:, joints], self.step)
        level = velocities - (velocities @ self.up)[..., None] * self.up
        return np.asarray(np.linalg.norm(level, axis=-1))


def height_of(body: Character) -> float:
    """Metres from the lowest to the highest point of a body at rest; never zero."""
    found = 0.0 if body.anatomy is None else body.anatomy.height
    return found or size_of(rest_positions(body.skeleton)) or 1.0


def watch(clip: Clip, *, rate: float = RATE) -> Watched:
    """Where every joint of ``clip`` is, at ``rate`` samples a second."""
    return watch_at(clip, clip.times(rate))


def watch_at(clip: Clip, times: FloatArray) -> Watched:
    """Where every joint of ``clip`` is at ``times`` (T,), evenly spaced."""
    seen = _seen.get()
    if seen is None:
        return Watched(clip, times, places_at(clip, times))
    key = (id(clip), times.tobytes())
    if key not in seen:
        seen[key] = Watched(clip, times, places_at(clip, times))
    return seen[key]


@contextmanager
def remembering() -> Iterator[None]:
    """Within it each clip is watched once at the same times, however many measures look at it."""
    before = _seen.get()
    token = _seen.set({} if before is None else before)
    try:
        yield
    finally:
        _seen.reset(token)


def places_at(clip: Clip, times: FloatArray) -> FloatArray:
    """(T, J, 3) where every joint is at ``times``, metres."""
    places = np.empty((len(times), len(clip.body.skeleton), 3))
    for begin in range(0, len(times), BLOCK):
        rows = slice(begin, begin + BLOCK)
        places[rows] = world_positions(clip.body.skeleton, clip.sample(times[rows]))
    return places
