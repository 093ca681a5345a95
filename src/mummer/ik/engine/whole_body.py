"""Goals that limbs cannot meet by themselves: the whole body gives way, slowly, and limbs make up for the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.ik.body_point import BodyPoint
from mummer.ik.engine.asked import Asked, find_asked, nearness
from mummer.ik.engine.displacement import Displacement, displacement_between
from mummer.ik.engine.gaze import aims_alone, turn_to
from mummer.ik.engine.snapshot import snapshot
from mummer.ik.engine.solve_frames import Wish, solve_frames
from mummer.ik.engine.unit import Unit
from mummer.ik.goal import Goal
from mummer.ik.goals import Aim, Orient, Place
from mummer.ik.numeric.run import Tuning
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

GIVING = Tuning(steps=60, attempts=0, restitution=1e-3, settle=1e-3)
"""How the body gives way. No new beginnings, which would be another answer than that of the frame before; every turn
costs enough that light joints do not flap about."""
POLISHING = Tuning(steps=60, attempts=0, restitution=1e-3, settle=1e-4)
ROUGHLY, EXACTLY = 1e-4, 1e-6
"""How near each comes to the goals, parts of the body's height."""
POLISHES = 2
"""What is all but hard misses a little; the second time it is a little of that little."""
LEFT = 2e-5
"""Metres or radians; what misses no goal by more is good enough."""


class WholeBody:
    """What the whole body does for goals."""

    def __init__(self, clip: Clip, goals: Sequence[Goal], units: Sequence[Unit], ease: float) -> None:
        self.clip, self.units = clip, tuple(units)
        self.asked = find_asked(clip, goals, ease)
        self.aims = aims_alone(clip, self.asked, units)

    @cached_property
    def giving(self) -> IntArray:
        """The joints that give way: all but those of the limbs that are bent by themselves.

        A limb whose tip is turned, too, may need to swivel, which it cannot tell by itself.
        """
        bent = [joint for unit in self.units if unit.turning is None for joint in unit.chain.joints]
        return np.setdiff1d(np.arange(len(self.clip.body.skeleton)), bent)

    def displacement(self, given: WorldState, made: WorldState, times: FloatArray) -> Displacement:
        """How the body gives way from ``made``: all goals pull on it, none of them harder than it can stand.

        Args:
            given: the body in the clip at ``times`` (K,).
            made: what has become of it so far.
            times: evenly spaced.
        """
        wishes = [_wish(each, given, times) for each in self.asked]
        for unit in self.units:
            place, turn = unit.target(given, times, made)
            if unit.points:
                wishes.append(Wish(Place(unit.chain.tip, place, weight=1.0), np.ones(len(times))))
            if unit.turning is not None:
                share = nearness(unit.turning.spans, times, unit.ease, unit.ease)
                wishes.append(Wish(Orient(unit.chain.tip, turn, weight=1.0), share))
        found = solve_frames(self.clip.body, made.pose, wishes, times, tuning=GIVING, tolerance=ROUGHLY)
        return displacement_between(times, made.pose, found, self.giving)

    def turn_eyes(self, frames: Frames, moved: WorldState, given: WorldState, times: FloatArray) -> None:
        """Aim in ``frames`` what aims by itself."""
        for each in self.aims:
            goal = each.at(given, times)
            assert isinstance(goal, Aim)
            turn_to(frames, moved, goal, each.strength(times))

    def polish(
        self,
        frames: Frames,
        made: WorldState,
        given: WorldState,
        times: FloatArray,
        targets: Sequence[tuple[FloatArray, FloatArray]],
        among: IntArray,
    ) -> None:
        """Let the whole body meet what limbs and eyes left, which is little.

        Args:
            frames: takes the result.
            made: the body in ``frames``.
            given: the body in the clip.
            times: (T,) seconds of the frames.
            targets: where the tips of the limbs shall be, and how they shall be turned.
            among: the frames that may need it.
        """
        wishes = [_wish(each, given, times) for each in self.asked]
        for unit, target in zip(self.units, targets, strict=True):
            wishes += _tip_wishes(unit, target, times)
        for _ in range(POLISHES):
            missed = np.zeros(len(times))
            for wish in wishes:
                missed = np.maximum(missed, wish.goal.error(made, times) * wish.share)
            rows = among[missed[among] > LEFT]
            if not len(rows):
                return
            picked = [wish.at_rows(rows) for wish in wishes]
            found = solve_frames(
                self.clip.body, made.pose[rows], picked, times[rows], tuning=POLISHING, tolerance=EXACTLY
            )
            frames.rotations[rows] = found.rotations
            assert found.root_translation is not None
            frames.root[rows] = found.root_translation
            made = snapshot(self.clip.body, frames)


def _wish(each: Asked, given: WorldState, times: FloatArray) -> Wish:
    """A goal all but hard: one that is quite hard gives way to another at a whim, in one frame and not in the next."""
    goal = each.at(given, times)
    weight = 1.0 if goal.weight is None else goal.weight
    return Wish(dataclasses.replace(goal, weight=weight), each.strength(times))


def _tip_wishes(unit: Unit, target: tuple[FloatArray, FloatArray], times: FloatArray) -> list[Wish]:
    """The same for the tip of a limb; feet stay on their way throughout."""
    place, turn = target
    found, tip = [], unit.chain.tip
    for each in unit.points:
        x, y, z = each.point.tolist()
        there = place + quaternion.rotate(turn, each.point)
        found.append(Wish(Place(BodyPoint(tip, (x, y, z)), there, weight=1.0), unit.held_near(times)))
    if unit.turning is not None:
        share = nearness(unit.turning.spans, times, unit.ease, unit.ease)
        found.append(Wish(Orient(tip, turn, weight=1.0), share))
    return found
