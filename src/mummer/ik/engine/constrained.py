"""Constrained: a motion that meets goals over intervals, changed as little as possible and without a jump."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import joint_of
from mummer.ik.engine.bending import Bending
from mummer.ik.engine.layers import Layers, layers_of
from mummer.ik.engine.tracks import span_of
from mummer.ik.engine.units import limbs_suffice
from mummer.ik.goal import Goal

EASE = 0.4
Method = Literal["auto", "limbs", "whole_body"]
SOLVERS: tuple[Method, ...] = ("auto", "limbs", "whole_body")


@dataclass(frozen=True, eq=False, repr=False)
class Constrained(Operated):
    """The clip bent so that it meets goals wherever they hold.

    Attributes:
        goals: each with the interval over which it holds, or for the whole clip. Where two hard ones ask for the same
            at once, the later in the list has its way, as a person's correction has over what came before it.
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
    def _layers(self) -> Layers:
        return layers_of(self.clip, self._reached)

    @property
    def overruled(self) -> tuple[Goal, ...]:
        """The goals that later ones contradict; they are met only where those let them."""
        return self._layers.overruled

    @cached_property
    def chosen(self) -> str:
        """The solver that is used: ``limbs`` or ``whole_body``."""
        if self.solver != "auto":
            return self.solver
        goals = self._layers.last
        if not limbs_suffice(self.clip, goals):
            return "whole_body"
        alone = Bending(self.clip, goals, self.ease, gives_way=False)
        return "whole_body" if alone.breaks_limits() else "limbs"

    @cached_property
    def _bending(self) -> Bending:
        first, last = self._layers.first, self._layers.last
        clip = Constrained(self.clip, first, self.ease, self.solver) if first else self.clip
        return Bending(clip, last, self.ease, gives_way=self.chosen == "whole_body")

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        if not self._reached or not len(times):
            return self.clip.frames(times)
        return self._bending.frames(times)
