"""One pass of the engine: the body is carried and gives way, limbs are bent, and what is left is polished away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.standing import up_of
from mummer.ik.engine.carriage import GRID, Carriage, carry_further, find_carriage
from mummer.ik.engine.displacement import Displacement, no_displacement
from mummer.ik.engine.hold_limits import hold_limits
from mummer.ik.engine.snapshot import snapshot
from mummer.ik.engine.unit import Unit, care_of
from mummer.ik.engine.units import find_units, limb_goals
from mummer.ik.engine.whole_body import WholeBody
from mummer.ik.goal import Goal
from mummer.ik.world_state import WorldState

ROUNDS = 3
"""How often the body as a whole is asked to give way."""


class Bending:
    """A clip bent so that it meets goals, none of which contradicts another.

    What must be known of the whole clip, how the body is carried and gives way, is worked out once, when first needed;
    frames are then made each by itself.

    Args:
        clip: any clip.
        goals: that hold at some time of it.
        ease: seconds.
        gives_way: whether all of the body works to meet the goals, or limbs alone do.
    """

    def __init__(self, clip: Clip, goals: Sequence[Goal], ease: float, *, gives_way: bool) -> None:
        self.clip, self.goals, self.ease, self.gives_way = clip, tuple(goals), ease, gives_way

    @cached_property
    def _limb_goals(self) -> tuple[Goal, ...]:
        return self.goals if not self.gives_way else limb_goals(self.clip, self.goals)

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        return find_units(self.clip, self._limb_goals, self.ease)

    @cached_property
    def _grid(self) -> tuple[FloatArray, WorldState]:
        times = self.clip.times(GRID)
        return times, WorldState(self.clip.body, self.clip.sample(times))

    @cached_property
    def _carriage(self) -> Carriage:
        times, given = self._grid
        return find_carriage(given, times, self._units, up_of(self.clip.body))

    @cached_property
    def _whole(self) -> WholeBody:
        others = [goal for goal in self.goals if not any(goal is each for each in self._limb_goals)]
        return WholeBody(self.clip, others, self._units, self.ease)

    @cached_property
    def _displacement(self) -> Displacement:
        """How the body as a whole gives way, in a few rounds: limbs that follow it change what is left to do."""
        times, given = self._grid
        found = no_displacement(times, self._whole.giving)
        for place in range(ROUNDS):
            made = self._displaced(times, found)
            self._bend(made, snapshot(self.clip.body, made), given, times, self._units if place else self._legs)
            found = found.then(self._whole.displacement(given, snapshot(self.clip.body, made), times))
            moved = snapshot(self.clip.body, self._displaced(times, found))
            further = carry_further(given, moved, times, self._units, up_of(self.clip.body), arms=place == ROUNDS - 1)
            found = found.shifted(further.shifts)
        return found

    def _displaced(self, times: FloatArray, by: Displacement) -> Frames:
        made = self.clip.frames(times)
        made.root += self._carriage(times)
        by.add_to(made, times)
        return made

    @property
    def _legs(self) -> tuple[Unit, ...]:
        return tuple(unit for unit in self._units if unit.follows)

    def _bend(
        self, made: Frames, moved: WorldState, given: WorldState, times: FloatArray, units: Sequence[Unit]
    ) -> list[tuple[FloatArray, FloatArray]]:
        """Bend ``units`` in frames of the body as ``moved``; where their tips were to be."""
        targets = [unit.target(given, times, moved) for unit in units]
        for unit, target in zip(units, targets, strict=True):
            unit.bend(made, moved, target, self._care(unit, times))
        return targets

    def _care(self, unit: Unit, times: FloatArray) -> FloatArray:
        return care_of(self._legs if unit.follows else [unit], times)

    def _hindered(self, held: BoolArray, times: FloatArray) -> BoolArray:
        """(T,) whether a limb that goals hold was turned back into its limits, as ``held`` (T, J) says of joints.

        A foot in flight that its ankle cannot turn as far as asked is let be; one that stands is worth moving hips for.
        """
        found = np.zeros(len(times), bool)
        for unit in self._units:
            found |= unit.holds(times) & held[:, unit.chain.joints].any(axis=1)
        return found

    def breaks_limits(self) -> bool:
        """Whether a limb whose tip is turned cannot be, by itself, because of its limits."""
        turned = [unit for unit in self._units if unit.turning is not None]
        if self.clip.body.limits is None or not turned:
            return False
        times, given = self._grid
        made = self.clip.frames(times)
        moved = snapshot(self.clip.body, made)
        self._bend(made, moved, given, times, turned)
        return bool(self._hindered(hold_limits(self.clip.body, made, given.pose), times).any())

    def frames(self, times: FloatArray) -> Frames:
        """The clip at ``times`` (T,), bent."""
        made = self.clip.frames(times)
        given = snapshot(self.clip.body, made)
        made.root += self._carriage(times)
        if self.gives_way:
            self._displacement.add_to(made, times)
        moved = snapshot(self.clip.body, made)
        targets = self._bend(made, moved, given, times, self._units)
        self._whole.turn_eyes(made, moved, given, times)
        held = hold_limits(self.clip.body, made, given.pose)
        rows = np.arange(len(times)) if self.gives_way else np.flatnonzero(self._hindered(held, times))
        if len(rows):
            self._whole.polish(made, snapshot(self.clip.body, made), given, times, targets, rows)
            hold_limits(self.clip.body, made, given.pose)
        return made
