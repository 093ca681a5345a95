"""Constrained: a motion that meets goals over intervals, changed as little as possible and without a jump."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.standing import up_of
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import joint_of
from mummer.ik.engine.carriage import GRID, Carriage, carry_further, find_carriage
from mummer.ik.engine.displacement import Displacement
from mummer.ik.engine.tracks import span_of
from mummer.ik.engine.unit import Unit, care_of
from mummer.ik.engine.units import find_units, limb_goals, limbs_suffice
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
    def _limb_goals(self) -> tuple[Goal, ...]:
        return self._reached if self.chosen == "limbs" else limb_goals(self.clip, self._reached)

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        return find_units(self.clip, self._limb_goals, self.ease)

    @cached_property
    def _grid(self) -> tuple[FloatArray, WorldState]:
        times = self.clip.times(GRID)
        return times, WorldState(self.body, self.clip.sample(times))

    @cached_property
    def _carriage(self) -> Carriage:
        times, given = self._grid
        return find_carriage(given, times, self._units, up_of(self.body))

    @cached_property
    def _whole(self) -> WholeBody | None:
        if self.chosen != "whole_body":
            return None
        others = [goal for goal in self._reached if not any(goal is each for each in self._limb_goals)]
        return WholeBody(self.clip, others, self._units, self.ease)

    @cached_property
    def _displacement(self) -> Displacement:
        assert self._whole is not None
        times, given = self._grid
        made = self.clip.frames(times)
        made.root += self._carriage(times)
        moved = snapshot(self.body, made)
        for unit in self._units:
            if unit.follows:
                unit.bend(made, moved, unit.target(given, times, moved), self._care(unit, times))
        return self._whole.displacement(given, snapshot(self.body, made).pose, times)

    @cached_property
    def _further(self) -> Carriage:
        times, given = self._grid
        made = self.clip.frames(times)
        self._displace(made, times)
        return carry_further(given, snapshot(self.body, made), times, self._units, up_of(self.body))

    def _displace(self, made: Frames, times: FloatArray) -> None:
        made.root += self._carriage(times)
        if self._whole is not None:
            self._displacement.add_to(made, times)

    def _care(self, unit: Unit, times: FloatArray) -> FloatArray:
        together = [each for each in self._units if each.follows]
        return care_of(together if unit.follows else [unit], times)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        if not self._reached or not len(times):
            return made
        given = snapshot(self.body, made)
        self._displace(made, times)
        if self._whole is not None:
            made.root += self._further(times)
        moved = snapshot(self.body, made)
        targets = [unit.target(given, times, moved) for unit in self._units]
        for unit, target in zip(self._units, targets, strict=True):
            unit.bend(made, moved, target, self._care(unit, times))
        if self._whole is not None:
            self._whole.turn_eyes(made, moved, given, times)
            self._whole.polish(made, snapshot(self.body, made), given, times, targets)
        return made


def snapshot(body: Character, frames: Frames) -> WorldState:
    """The body as it is in ``frames`` now, whatever becomes of them."""
    return WorldState(body, frames.select(np.arange(len(frames))).to_pose())
