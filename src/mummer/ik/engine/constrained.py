"""Constrained: a motion that meets goals over intervals, changed as little as possible and without a jump."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.standing import up_of
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import joint_of
from mummer.ik.engine.carriage import Carriage, find_carriage
from mummer.ik.engine.tracks import span_of
from mummer.ik.engine.unit import Unit, care_of
from mummer.ik.engine.units import find_units, limbs_suffice
from mummer.ik.engine.whole_body import WholeBody
from mummer.ik.goal import Goal
from mummer.ik.world_state import WorldState

EASE = 0.4
Method = Literal["auto", "limbs", "whole_body"]
SOLVERS: tuple[Method, ...] = ("auto", "limbs", "whole_body")


@dataclass(frozen=True, eq=False, repr=False)
class Constrained(Operated):
    """The clip bent so that it meets goals wherever they hold.

    Attributes:
        goals: each with the interval over which it holds, or for the whole clip.
        ease: seconds before and after its interval during which the effect of a goal comes and goes.
        solver: ``limbs`` bends each limb by itself, in closed form, while the hips go along with the feet and down
            where a leg would be overstretched; ``whole_body`` lets all of the body give way. ``auto`` takes the first
            where it can meet the goals.
    """

    goals: tuple[Goal, ...]
    ease: float = EASE
    solver: Method = "auto"

    def __post_init__(self) -> None:
        object.__setattr__(self, "goals", (self.goals,) if isinstance(self.goals, Goal) else tuple(self.goals))
        if self.solver not in SOLVERS:
            raise UnknownNameError("Constrained", "solver", self.solver, SOLVERS)
        for goal in self.goals:
            for point in goal.points:
                joint_of(self.body, point)
        if not 0 <= self.ease < np.inf:
            raise InputError(f"goals cannot be eased over {self.ease:g} s; expected zero or more")

    @cached_property
    def _reached(self) -> tuple[Goal, ...]:
        """The goals that hold at some time of the clip."""
        spans = [span_of(self.clip, goal) for goal in self.goals]
        return tuple(goal for goal, (begin, end) in zip(self.goals, spans, strict=True) if begin <= end)

    @cached_property
    def chosen(self) -> str:
        """The solver that is used: ``limbs`` or ``whole_body``."""
        if self.solver != "auto":
            return self.solver
        return "limbs" if limbs_suffice(self.clip, self._reached) else "whole_body"

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        return find_units(self.clip, self._reached, self.ease)

    @cached_property
    def _carriage(self) -> Carriage:
        return find_carriage(self.clip, self._units, up_of(self.body))

    @cached_property
    def _whole(self) -> WholeBody:
        return WholeBody(self.clip, self._reached, self.ease)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        if not self._reached:
            return made
        if self.chosen == "whole_body":
            self._whole.bend(made, times)
            return made
        state = WorldState(self.body, made.to_pose().replace(rotations=made.rotations.copy()))
        shift = self._carriage(times)
        legs = [unit for unit in self._units if unit.follows]
        together = care_of(legs, times)
        for unit in self._units:
            care = together if unit.follows else care_of([unit], times)
            unit.bend(made, state, times, shift=shift, care=care)
        made.root += shift
        return made
