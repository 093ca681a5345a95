"""Constrained: a motion that meets goals over intervals, changed as little as possible and without a jump."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.errors import InputError
from mummer.ik.engine.carriage import Carriage, find_carriage
from mummer.ik.engine.unit import Unit
from mummer.ik.engine.units import find_units
from mummer.ik.goal import Goal
from mummer.ik.world_state import WorldState

EASE = 0.4


@dataclass(frozen=True, eq=False, repr=False)
class Constrained(Operated):
    """The clip bent so that it meets goals wherever they hold.

    Attributes:
        goals: each with the interval over which it holds, or for the whole clip.
        ease: seconds before and after its interval during which the effect of a goal comes and goes.
        carried: whether the body goes along with its legs, and down where a leg would be overstretched.
    """

    goals: tuple[Goal, ...]
    ease: float = EASE
    carried: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "goals", (self.goals,) if isinstance(self.goals, Goal) else tuple(self.goals))
        if not 0 <= self.ease < np.inf:
            raise InputError(f"goals cannot be eased over {self.ease:g} s; expected zero or more")

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        return find_units(self.clip, self.goals, self.ease)

    @cached_property
    def _carriage(self) -> Carriage | None:
        up = np.array([0.0, 1.0, 0.0]) if self.body.anatomy is None else self.body.anatomy.up
        return find_carriage(self.clip, self._units, up) if self.carried else None

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        state = WorldState(self.body, made.to_pose().replace(rotations=made.rotations.copy()))
        shift = np.zeros((len(times), 3)) if self._carriage is None else self._carriage(times)
        for unit in self._units:
            unit.bend(made, state, times, shift)
        made.root += shift
        return made
