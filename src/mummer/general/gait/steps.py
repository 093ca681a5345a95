"""The steps of a whole journey: when each foot leaves the ground and lands, and where it stands in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.general.gait.clock import Clock
from mummer.general.gait.comfort import Comfort
from mummer.general.gait.curves import Curves
from mummer.general.gait.footholds import plan_leg
from mummer.general.gait.ground import Ground
from mummer.general.gait.legs import Leg

APART = 1e5
"""Seconds between the steps of one leg and the next in one sorted list."""


@dataclass(frozen=True, eq=False)
class Steps:
    """All steps of all legs, leg after leg; a leg with n steps stands on n + 1 spots.

    Attributes:
        first: (L + 1,) where the steps of each leg begin.
        lifts, lands: (S,) seconds.
        spots: (S + L, 3) where feet stand: x, height of the ground, z, metres.
        yaws: (S + L,) radians.
        tilts: (S + L, 3) rotation vectors from level to the ground there.
        rolls: (S,) how much a foot rolls on this step, 0 to 1.
        raises: (S,) metres that the foot is lifted at most.
        starts, ends: (S + L,) seconds from landing on a spot to leaving it.
    """

    first: IntArray
    lifts: FloatArray
    lands: FloatArray
    spots: FloatArray
    yaws: FloatArray
    tilts: FloatArray
    rolls: FloatArray
    raises: FloatArray
    starts: FloatArray
    ends: FloatArray

    def locate(self, times: FloatArray) -> tuple[IntArray, IntArray]:
        """(T, L) the step that each foot took last, and the spot that leads to; step -1 before the first of all."""
        legs = np.arange(len(self.first) - 1)
        keys = self.lifts + APART * np.repeat(legs, np.diff(self.first))
        count = np.searchsorted(keys, times[:, None] + APART * legs, side="right")
        count = np.clip(count, self.first[:-1], self.first[1:])
        return np.where(count > self.first[:-1], count - 1, -1), count + legs


def plan_steps(legs: Sequence[Leg], clock: Clock, way: Curves, ground: Ground, comfort: Comfort) -> Steps:
    """The steps that follow from a clock and a way."""
    planned = [plan_leg(leg, index, clock, way, comfort) for index, leg in enumerate(legs)]
    counts = [len(leg.lifts) for leg in planned]
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    lifts = np.array([time for leg in planned for time in leg.lifts])
    lands = np.array([time for leg in planned for time in leg.lands])
    places = np.array([place for leg in planned for place in leg.places])
    owner = np.repeat(np.arange(len(legs)), [count + 1 for count in counts])
    sizes = np.array([_sole(leg) for leg in legs])[owner]
    ahead = np.stack([np.sin(places[:, 2]), np.cos(places[:, 2])], axis=1)
    level = ground.holds(places[:, :2], sizes, ahead)
    spots = np.stack([level[:, 0], ground.at(level), level[:, 1]], axis=1)
    starts, ends = np.full(len(spots), -np.inf), np.full(len(spots), np.inf)
    stepper = np.repeat(np.arange(len(legs)), counts)
    rows = np.arange(len(lifts)) + stepper
    starts[rows + 1], ends[rows] = lands, lifts
    raises = _raises(legs, stepper, clock, lifts, spots[rows], spots[rows + 1], ground)
    rolls = np.array([roll for leg in planned for roll in leg.rolls])
    return Steps(first, lifts, lands, spots, places[:, 2], ground.tilts(level, sizes), rolls, raises, starts, ends)


def _sole(leg: Leg) -> float:
    """Half the length of the sole, metres."""
    return max(0.6 * abs(float(leg.heel[2])), 0.04 * leg.length)


def _raises(
    legs: Sequence[Leg], stepper: IntArray, clock: Clock, lifts: FloatArray, start: FloatArray, end: FloatArray,
    ground: Ground,
) -> FloatArray:  # fmt: skip
    """(S,) metres that feet are lifted: as the style says, and over what is in the way."""
    lengths = np.array([leg.length for leg in legs])[stepper]
    lift = np.interp(lifts, clock.times, clock.parameters["lift"])
    weak = np.interp(lifts, clock.times, clock.parameters["weak_lift"])
    lift = lift * np.where(stepper == 0, 1 - weak, 1.0)
    # Small steps are low ones.
    far = np.hypot(*(end - start)[:, [0, 2]].T) / lengths
    wanted = lengths * lift * (0.35 + 0.65 * np.clip(far / 0.5, 0.0, 1.0))
    if ground.heights is None or not len(lifts):
        return wanted
    share = np.linspace(0.05, 0.95, 19)[:, None]
    ways = (1 - share[..., None]) * start[:, [0, 2]] + share[..., None] * end[:, [0, 2]]
    line = (1 - share) * start[:, 1] + share * end[:, 1]
    over = (ground.at(ways) - line).max(axis=0)
    return np.asarray(np.maximum(wanted, 1.4 * over + 0.5 * wanted))
