"""Keys: what one property of one joint shall be at chosen moments, and how to go from each to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from mummer.character.recording import WIDTHS, CurvePath
from mummer.errors import InputError, UnknownNameError

Segment = Literal["step", "linear", "hermite", "bezier"]
Tangents = Literal["auto", "flat", "broken"]
SEGMENTS = ("step", "linear", "hermite", "bezier")
TANGENTS = ("auto", "flat", "broken")
Numbers = tuple[float, ...]

SAME_TIME = 1e-9
"""Keys nearer than this, in seconds, are one key."""
THIRD = 1 / 3


@dataclass(frozen=True)
class Key:
    """A value at a moment.

    Attributes:
        time: seconds.
        value: a quaternion (x, y, z, w), three numbers of a translation or scale, or one number of a morph.
        between: how to go on to the next key: ``step`` holds the value, ``linear`` goes straight (slerp for rotations),
            ``hermite`` and ``bezier`` are cubics with the tangents of both keys.
        tangents: ``auto`` passes the key as a parabola through it and its neighbours would (Catmull-Rom), ``flat``
            stands still in it, ``broken`` arrives and leaves as given.
        arriving, leaving: for ``broken``, changes per second; for rotations an angular velocity (x, y, z) in the
            parent's frame, in radians a second. One that is left out goes straight to the neighbour.
        reach: for ``bezier``, how far the handles before and after the key span their segments in time, 0 to 1. A third
            on both ends of a segment makes it the same as ``hermite``; longer handles stay near their key for longer.
    """

    time: float
    value: Numbers
    between: Segment = "hermite"
    tangents: Tangents = "auto"
    arriving: Numbers | None = None
    leaving: Numbers | None = None
    reach: tuple[float, float] = (THIRD, THIRD)

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "time", float(self.time))
        set_field(self, "reach", tuple(float(part) for part in self.reach))
        for name in ("value", "arriving", "leaving"):
            given = getattr(self, name)
            set_field(self, name, None if given is None else _numbers(given, f"{name} of a key at {self.time:g} s"))
        if not math.isfinite(self.time):
            raise InputError(f"a key is at {self.time} s; expected a finite time")
        if self.between not in SEGMENTS:
            raise UnknownNameError("a key", "way to the next", self.between, SEGMENTS)
        if self.tangents not in TANGENTS:
            raise UnknownNameError("a key", "kind of tangents", self.tangents, TANGENTS)
        if len(self.reach) != 2 or not all(0 <= part <= 1 for part in self.reach):
            raise InputError(f"the reach of a key is {self.reach}; expected two numbers from 0 to 1")


@dataclass(frozen=True)
class Track:
    """The keys of one property of one joint, or of one morph.

    Attributes:
        target: the name of the joint; for ``morph``, of the morph.
        path: ``rotation``, ``translation`` or ``scale`` (of parent_from_joint), or ``morph``.
        keys: one or more, at increasing times.
    """

    target: str
    path: CurvePath
    keys: tuple[Key, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple(self.keys))
        if self.path not in WIDTHS:
            raise UnknownNameError("a track", "path", self.path, WIDTHS)
        if not self.keys:
            raise InputError(f"the {self.path} of {self.target!r} has no keys; expected one or more")
        for key in self.keys:
            self._require_widths(key)
        times = [key.time for key in self.keys]
        if any(later - earlier <= SAME_TIME for earlier, later in pairwise(times)):
            raise InputError(f"the keys of the {self.path} of {self.target!r} are not at increasing times")

    def _require_widths(self, key: Key) -> None:
        width = WIDTHS[self.path]
        where = f"the {self.path} of {self.target!r} at {key.time:g} s"
        if len(key.value) != width:
            raise InputError(f"{where} has {len(key.value)} numbers; expected {width}")
        if self.path == "rotation" and not math.hypot(*key.value) > 1e-6:
            raise InputError(f"{where} is a quaternion of length zero; expected unit length")
        change = 3 if self.path == "rotation" else width
        for tangent in (key.arriving, key.leaving):
            if tangent is not None and len(tangent) != change:
                raise InputError(f"{where} has a tangent of {len(tangent)} numbers; expected {change}")

    def index(self, time: float) -> int:
        """The place of the key at ``time``.

        Raises:
            InputError: if there is none, with the nearest.
        """
        nearest = min(range(len(self.keys)), key=lambda place: abs(self.keys[place].time - time))
        if abs(self.keys[nearest].time - time) > SAME_TIME:
            raise InputError(
                f"the {self.path} of {self.target!r} has no key at {time:g} s; the nearest is at "
                f"{self.keys[nearest].time:g} s"
            )
        return nearest

    def with_key(self, key: Key) -> Track:
        """This track with one more key, in place of one at the same time."""
        others = [each for each in self.keys if abs(each.time - key.time) > SAME_TIME]
        return Track(self.target, self.path, tuple(sorted([*others, key], key=lambda each: each.time)))


def _numbers(value: npt.ArrayLike, what: str) -> Numbers:
    array = np.atleast_1d(np.asarray(value, np.float64))
    if array.ndim != 1 or not np.all(np.isfinite(array)):
        raise InputError(f"{what} must be a row of finite numbers, not {value!r}")
    return tuple(array.tolist())
