"""Uncrossed: a clip whose body no longer sinks into itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.errors import InputError
from mummer.ik.goal import Goal
from mummer.ik.volume.push_out import PushOut, push_out
from mummer.math import quaternion, splines


@dataclass(frozen=True, eq=False, repr=False)
class Uncrossed(Operated):
    """The clip with the parts of its body pushed out of one another; see `push_out`.

    The correction is worked out once for the whole clip, at an even rate, and laid over whatever frames are asked for:
    the answer for a moment does not depend on which others are asked for.

    Attributes:
        goals: what must still be met.
        rate: frames a second at which overlaps are looked for.
        settings: how parts are pushed out.
    """

    goals: tuple[Goal, ...] = ()
    rate: float = 60.0
    settings: PushOut = field(default_factory=PushOut)

    def __post_init__(self) -> None:
        object.__setattr__(self, "goals", (self.goals,) if isinstance(self.goals, Goal) else tuple(self.goals))
        if not 0 < self.rate <= 1000:
            raise InputError(f"a rate of {self.rate:g} frames a second; expected more than 0 and at most 1000")
        if not np.isfinite(self.end - self.start):
            raise InputError("a clip without end cannot be uncrossed as a whole; cut a piece of it first")

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) what the operand defines, and what is turned out of the way."""
        return locked(self.clip.defined | np.any(self._turns != 0, axis=(0, 2)), bool)

    @cached_property
    def _knots(self) -> FloatArray:
        count = max(2, round((self.end - self.start) * self.rate) + 1)
        return np.linspace(self.start, self.end, count)

    @cached_property
    def _turns(self) -> FloatArray:
        """(K, J, 3) rotation vectors that follow the joints' own rotations, at the knots."""
        given = self.clip.sample(self._knots)
        found = push_out(self.body, given, self.goals, times=self._knots, settings=self.settings).pose
        return quaternion.log(quaternion.multiply(quaternion.conjugate(given.rotations), found.rotations))

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        turned = quaternion.multiply(
            made.rotations, quaternion.exp(splines.catmull_rom(self._knots, self._turns, times))
        )
        made.rotations[...] = quaternion.normalize(turned)
        return made
