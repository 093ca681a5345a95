"""Gaits: a body carried along a path by whatever legs it has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from mummer.arrays import BoolArray
from mummer.general.gait.clock import GRAVITY, Clock, cycles_needed, make_clock, time_unit
from mummer.general.gait.curves import Curves
from mummer.general.gait.feet import feet_at
from mummer.general.gait.ground import Ground
from mummer.general.gait.groups import leg_groups
from mummer.general.gait.legs import Leg, legs_of
from mummer.general.gait.lifting import lifted_with_ease
from mummer.general.gait.path import Path, travel
from mummer.general.gait.pattern import order_of
from mummer.general.gait.placing import place_feet
from mummer.general.gait.ride import heading_rotations, legs_seen, make_ride, root_at
from mummer.general.gait.steps import Steps, plan_steps
from mummer.general.gait.style import Style
from mummer.general.gait.trying import comfort_of, rolling_legs
from mummer.general.gait.upper import (
    arms_of,
    branching_arms_of,
    swing_arms,
    swing_branches,
    turn_chest,
    turn_heads,
)
from mummer.general.intent import Intent
from mummer.general.physique import Physique
from mummer.kernels import quaternions

NATURAL = 0.42
"""Relative speed of a body that is in no hurry."""
QUICKEST = 5.0
"""Cycles a second that no leg exceeds at that speed, if it were always on the ground."""
SETTLING = 4.0
"""Over how long changes of velocity are spread, in roots of (leg length / gravity)."""
STILLNESS = 1.0
"""How long a body stands before and after, in the same unit."""
FINEST, COARSEST = 1 / 480, 1 / 60
"""Seconds between the moments at which a ride is planned."""


@dataclass(frozen=True, eq=False)
class Walk:
    """A gait on legs: a `Driver`. Made by `gait`.

    Attributes:
        physique: the body.
        legs: its legs.
        style: how it walks.
        way: x, z and heading at even steps.
        clock: where legs are in their cycles.
        steps: all footfalls.
        ride: how the root goes along.
        loose: (L,) feet that their legs turn.
        span: seconds from when to when there is something to see.
    """

    physique: Physique
    legs: tuple[Leg, ...]
    style: Style
    way: Curves
    clock: Clock
    steps: Steps
    ride: Curves
    loose: BoolArray
    span: tuple[float, float]

    needs_posed = False

    @property
    def start(self) -> float:
        """Seconds at which it begins: the body stands, if it does not come along already."""
        return self.span[0]

    @property
    def end(self) -> float:
        """Seconds at which it ends: the body stands again, if it does not go on."""
        return self.span[1]

    def drive(self, intent: Intent) -> Intent:
        """The body on its way, with feet placed; see `Driver.drive`."""
        times = np.asarray(intent.times, np.float64)
        ways, ride = self.way(times), self.ride(times)
        roots, turned = root_at(self.physique, ways, ride[:, :3], ride[:, 3:6])
        feet = feet_at(self.legs, self.steps, self.style, self.clock, times)
        places, turns, bends = dict(intent.places), dict(intent.turns), dict(intent.bends)
        place_feet(self.physique, self.legs, feet, (roots, turned), self.loose, places, turns, bends)
        turns |= turn_chest(self.physique, turned, ride[:, 6]) | turn_heads(self.physique, self.way, times)
        stage = np.stack([ways[:, 0], feet.levels.mean(axis=1), ways[:, 1]], axis=1)
        driven = replace(
            intent.on_stage(stage, heading_rotations(ways[:, 2])),
            places=places,
            turns=turns,
            bends=bends,
            root_positions=roots,
            root_rotations=quaternions.multiply(turned, self.physique.rotations[self.physique.root]),
            # The ride knows the ground: to lift hips over feet that stand would only draw knees straight.
            lift=None,
        )
        if not arms_of(self.physique) and not branching_arms_of(self.physique):
            return driven
        angles, folds = (np.interp(times, self.clock.times, self.clock.parameters[name]) for name in ("arms", "fold"))
        swings, moving = ride[:, 7:9], ride[:, 9]
        return replace(
            driven,
            places=places | swing_arms(self.physique, driven, swings, angles, folds, moving),
            turns=turns | swing_branches(self.physique, driven, swings, angles, moving),
        )


def walk_along(physique: Physique, path: Path, style: Style, ground: Ground) -> Walk:
    """The gait of a body with legs along ``path``."""
    legs = rolling_legs(physique)
    unit = time_unit(legs)
    step = float(np.clip(0.03 * unit, FINEST, COARSEST))
    settling = SETTLING * unit
    margin = settling + 8 * unit
    way = travel(path, start=path.times[0] - margin, end=path.times[-1] + margin, step=step, settling=settling)
    order = order_of(legs, leg_groups(legs))
    comfort = comfort_of(physique)
    clock = make_clock(legs, order, style, way, comfort)
    steps = plan_steps(legs, clock, way, ground, comfort)
    feet = feet_at(legs, steps, style, clock, clock.times)
    ride = make_ride(physique, legs, clock, way, feet, comfort)
    away = legs_seen(physique, legs, way, ride, feet, comfort.loose)
    turned = root_at(physique, way.values, ride.shifts, ride.leans)[1]
    steps = lifted_with_ease(legs, steps, clock.times, feet, away, turned, comfort)
    rows = np.column_stack([ride.shifts, ride.leans, ride.twists, ride.swings, ride.moving])
    curves = Curves(way.start, way.step, rows)
    return Walk(physique, legs, style, way, clock, steps, curves, comfort.loose, _span(path, clock, unit))


def _span(path: Path, clock: Clock, unit: float) -> tuple[float, float]:
    """Seconds from a moment before the first foot is lifted to a moment after the last has landed."""
    if path.ends == "moving" or not len(clock.spells):
        return float(path.times[0]), float(path.times[-1])
    first, last = clock.times[[clock.spells[0, 0], clock.spells[-1, 1]]]
    return float(first) - STILLNESS * unit, float(last) + STILLNESS * unit


@lru_cache(maxsize=256)
def natural_speed(physique: Physique) -> float:
    """Metres a second at which a body goes if nobody hurries it, and its legs need not hurry either."""
    legs = legs_of(physique)
    if not legs:
        return NATURAL * float(np.sqrt(GRAVITY * 0.5 * physique.height))
    order = order_of(legs, leg_groups(legs))
    hurry = cycles_needed(legs, order, np.tile([0.0, 1.0], (1, len(legs), 1)), comfort_of(physique))
    return min(NATURAL * GRAVITY * time_unit(legs), QUICKEST / (float(hurry[0]) * float(order.rates.max())))
