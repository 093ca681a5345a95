"""Root motion taken out of a clip, and put back: extraction for games, linear and composite."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.ground_path import MODES, Mode, RootMotion
from mummer.clip.operated import Operated
from mummer.clip.standing import Standing, move_body
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion

__all__ = ["InPlace", "Restored", "RootMotion", "extract"]


@dataclass(frozen=True, eq=False, repr=False)
class InPlace(Operated):
    """The clip with its way over the ground taken out; ``motion`` is what was taken.

    What the way does not tell stays in the clip: sway about an average velocity, and height.

    Attributes:
        mode: ``linear`` takes out the average velocity, which suits straight walks; ``composite`` the step and the turn
            from each pose to the next, so that the body stays where and as it started facing.
        rate: poses a second between which steps are taken, for ``composite``.
        joint: whose way counts; the hips if left out.
        vertical: whether the way up and down is taken out as well.
    """

    mode: Mode = "composite"
    rate: float = 30.0
    joint: str | None = None
    vertical: bool = False

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("InPlace", "mode", self.mode, MODES)
        if not self.clip.duration > 0:
            raise InputError("a clip of no duration goes nowhere; there is no root motion to take out")
        self.clip.times(self.rate)
        Standing.of(self.body, self.joint)

    @cached_property
    def motion(self) -> RootMotion:
        """The way over the ground."""
        standing = Standing.of(self.body, self.joint)
        ends = np.array([self.clip.start, self.clip.end])
        times = ends if self.mode == "linear" else self.clip.times(self.rate)
        places, headings = _followed(self.clip, standing, times)
        if not self.vertical:
            places = places[0] + standing.level(places - places[0])
        headings = np.zeros(len(times)) if self.mode == "linear" else np.unwrap(headings) - headings[0]
        return RootMotion(self.mode, times, places, headings, standing.up)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made, motion = self.clip.frames(times), self.motion
        places, headings = motion.at(times)
        turn = None if self.mode == "linear" else motion.turn(-headings)
        back = places if turn is None else quaternion.rotate(turn, places)
        move_body(made, self.body, motion.positions[0] - back, turn)
        return made


@dataclass(frozen=True, eq=False, repr=False)
class Restored(Operated):
    """A clip in place with a way over the ground put into it: undoes `InPlace`.

    Attributes:
        motion: the way; in the times of the clip.
    """

    motion: RootMotion

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        places, headings = self.motion.at(times)
        turn = None if self.motion.mode == "linear" else self.motion.turn(headings)
        start = self.motion.positions[0]
        move_body(made, self.body, places - (start if turn is None else quaternion.rotate(turn, start)), turn)
        return made


def extract(clip: Clip, mode: Mode = "composite", **options: float | str | bool | None) -> tuple[InPlace, RootMotion]:
    """The clip in place, and the way that was taken out of it; see `InPlace` for the options."""
    in_place = InPlace(clip, mode, **options)  # type: ignore[arg-type]
    return in_place, in_place.motion


def _followed(clip: Clip, standing: Standing, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Places (T, 3) and headings (T,), a block at a time so that a long clip needs no more memory than its way."""
    blocks = [standing.places(clip.frames(times[begin : begin + 512])) for begin in range(0, len(times), 512)]
    return np.concatenate([places for places, _ in blocks]), np.concatenate([headings for _, headings in blocks])
