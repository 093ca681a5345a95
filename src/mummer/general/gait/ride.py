"""How the body rides on its legs: up and down, from side to side, into the slope and into the turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.general.gait.belly import belly_joints, sunk
from mummer.general.gait.clock import GRAVITY, Clock, time_unit
from mummer.general.gait.comfort import Comfort
from mummer.general.gait.curves import Curves, smoothed, smoothed_above
from mummer.general.gait.feet import Feet
from mummer.general.gait.flight import flight_heights
from mummer.general.gait.legs import Leg
from mummer.general.gait.lifting import room_left
from mummer.general.gait.placing import STRAIGHT, foot_turns, hips_of
from mummer.general.physique import Physique
from mummer.kernels import quaternions

PITCH_BASE, ROLL_BASE = 0.15, 0.45
"""Legs that stand nearer together than this, in leg lengths, do not pitch or roll the body with the ground."""
INTO_TURN, INTO_SPEED = 0.6, 0.45
"""How much of the lean that balance asks for a body takes, in turns and in changes of speed."""
SOFTEST = 0.35
"""Gravities that bobbing takes at most."""
ASIDE = [0, 4]
ROOM_TO_SWAY = 0.25
"""Bodies whose feet go less far to the sides than this many leg lengths hold still on them."""
LOWERED = 2
"""How often hips are lowered to where all legs reach; feet tilt with them, so that once is not quite enough."""
GIVE = 0.25
"""Legs give way by at most this many lengths of the shortest as they land and push off."""
DEEPEST = 0.6
"""Hips are lowered by at most this many leg lengths to reach the ground."""


@dataclass(frozen=True, eq=False)
class Ride:
    """Where the root is against a body at rest on level ground, at even steps of time.

    Attributes:
        shifts: (N, 3) to the left, up and ahead, metres; up from the world's zero.
        leans: (N, 3) rotation vectors about left, up and ahead, in the body's heading.
        twists: (N,) radians about up by which the chest turns against the hips.
        swings: (N, 2) how far ahead the feet of the left and of the right are, -1 to 1.
        moving: (N,) 1 while legs go round, 0 at rest.
    """

    shifts: FloatArray
    leans: FloatArray
    twists: FloatArray
    swings: FloatArray
    moving: FloatArray


def make_ride(physique: Physique, legs: Sequence[Leg], clock: Clock, way: Curves, feet: Feet, comfort: Comfort) -> Ride:
    """The ride on ``feet``, which are given at the clock's times."""
    unit = time_unit(legs)
    length = unit * unit * GRAVITY
    step, given = way.step, clock.parameters
    cycle = _cycle(clock) / step
    moving = _moving(clock, cycle)
    load = np.where(feet.planted, np.sin(np.pi * np.clip(feet.stands, 0.0, 1.0)) ** 2, 0.0)
    levels = smoothed(feet.levels, 0.7 * cycle)
    bounce = load - smoothed(load, 2 * cycle)
    bob = np.minimum(given["bob"] * length, SOFTEST * GRAVITY / (4 * np.pi * clock.rate) ** 2)
    over = levels + (5 * bob * moving)[:, None] * bounce
    over[:, 0] -= given["weak_dip"] * length * load[:, 0] * moving
    heave, pitch, roll = _plane(physique, legs, over, length)
    sides = np.array([leg.side for leg in legs], float)
    share = 2.0 / max(np.abs(sides).sum(), 1.0)
    aside = smoothed(load @ sides * share, 0.25 * cycle) * moving
    reached = np.where(feet.planted, 1 - 2 * feet.stands, 2 * feet.flights - 1)
    reached = np.where(feet.planted | (feet.flights > 0), reached, 0.0)
    near = np.array([leg.girdle == _first_girdle(physique, legs) for leg in legs])
    stepping = smoothed(reached @ (sides * near) * 2.0 / max(np.abs(sides * near).sum(), 1.0), 0.3 * cycle) * moving
    firm = _firmness(legs, length, comfort)
    deepest = GIVE * min(leg.length for leg in legs)
    flights = flight_heights(np.asarray(feet.planted.any(axis=1)), step, deepest, unit)
    jumps = smoothed(flights, 0.4 * unit / step) * given["bounce"]
    leans = np.stack([pitch, -0.5 * stepping * given["yaw"] * firm[0], roll + aside * given["roll"] * firm[0]], axis=1)
    with_ground = np.stack([pitch, 0 * pitch, roll], axis=1)
    leans += _balance(way, given["lean"], length, unit) * [firm[1], 1.0, firm[0]]
    ups = _not_below(jumps + (comfort.rise - given["crouch"]) * length * moving, -comfort.sink * length, unit / step)
    ups += smoothed_above(sunk(physique, belly_joints(physique), leans - with_ground, ups), unit / step)
    shifts = np.stack(
        [aside * given["sway"] * length * min(1.0, 2 * firm[0]), heave + ups, np.zeros(len(way.values))], axis=1
    )
    shifts -= _swept(physique, legs, leans - with_ground)
    ride = Ride(shifts, leans, 0.5 * stepping * given["twist"] * moving, _swings(reached, sides, cycle, moving), moving)
    # Over uneven ground hips are lowered and raised for longer; on level ground the walk's own rise is kept.
    uneven = bool(np.ptp(feet.levels, axis=1).max() > 0.02 * length)
    width = max(0.6 * cycle, 1.5 * unit / step) if uneven else max(0.25 * cycle, 0.8 * unit / step)
    turned = root_at(physique, way.values, shifts, leans)[1]
    for _ in range(LOWERED):
        away = legs_seen(physique, legs, way, ride, feet, comfort.loose)
        shifts[:, 1] += smoothed_above(_too_low(legs, away, feet, turned, comfort, length), 2 * width)
        away = legs_seen(physique, legs, way, ride, feet, comfort.loose)
        shifts[:, 1] -= smoothed_above(_too_high(legs, away, feet, comfort.loose), width)
    return ride


def _firmness(legs: Sequence[Leg], length: float, comfort: Comfort) -> tuple[float, float]:
    """How freely a body sways and rolls, and how freely it pitches, 1 to 0: the wider it stands, the less."""
    left, _, ahead = np.std([leg.contact for leg in legs], axis=0) / length
    aside = float(comfort.ranges[:, ASIDE].min()) / (ROOM_TO_SWAY * length)
    return min(1 / (1 + float(left / 0.35) ** 2), aside), 1 / (1 + float(ahead / 0.25) ** 2)


def _not_below(heights: FloatArray, lowest: float, width: float) -> FloatArray:
    """(N,) heights, raised smoothly where they would be below ``lowest``."""
    return np.asarray(heights + smoothed_above(np.maximum(lowest - heights, 0.0), width))


def _swept(physique: Physique, legs: Sequence[Leg], leans: FloatArray) -> FloatArray:
    """(N, 3) how far the hips next to the root go to the left, up and ahead if the body leans about its root.

    It leans about these, which legs bear, wherever its root is.
    """
    first = _first_girdle(physique, legs)
    hips = np.mean([leg.hip_place for leg in legs if leg.girdle == first], axis=0) - physique.positions[physique.root]
    return np.asarray(quaternions.rotate(quaternions.exp(leans), hips) - hips)


def _cycle(clock: Clock) -> float:
    """Seconds of a common cycle."""
    running = np.concatenate([clock.rate[first : last + 1] for first, last in clock.spells] or [clock.rate])
    return float(np.median(1 / running))


def _moving(clock: Clock, cycle: float) -> FloatArray:
    """(N,) 1 while legs go round, fading to 0 where the body rests."""
    mask = np.zeros(len(clock.times))
    for first, last in clock.spells.astype(int):
        mask[first : last + 1] = 1.0
    return smoothed(mask, cycle) if not np.all(mask == 1) else mask


def _plane(physique: Physique, legs: Sequence[Leg], ups: FloatArray, length: float) -> tuple[FloatArray, ...]:
    """(N,) how high the body is at its root, and (N,) its pitch and roll, from how high it should be over each leg."""
    homes = np.array([leg.contact for leg in legs])
    middle = homes.mean(axis=0)
    left, ahead = homes[:, 0] - middle[0], homes[:, 2] - middle[2]
    slope_ahead = ups @ ahead / (ahead @ ahead + len(legs) * (PITCH_BASE * length) ** 2)
    slope_left = ups @ left / (left @ left + len(legs) * (ROLL_BASE * length) ** 2)
    root = physique.positions[physique.root]
    heave = ups.mean(axis=1) + slope_ahead * (root[2] - middle[2]) + slope_left * (root[0] - middle[0])
    return heave, -np.arctan(slope_ahead), np.arctan(slope_left)


def _first_girdle(physique: Physique, legs: Sequence[Leg]) -> int:
    """The girdle that is nearest to the root."""
    root = physique.positions[physique.root]
    return min(legs, key=lambda leg: float(np.linalg.norm(physique.positions[leg.girdle] - root))).girdle


def _balance(way: Curves, lean: FloatArray, length: float, unit: float) -> FloatArray:
    """(N, 3) rotation vectors that lean a body into its speed, into changes of it, and into turns."""
    rates = smoothed(way.slopes(), unit / way.step)
    changes = smoothed(np.gradient(rates, way.step, axis=0), unit / way.step)
    sine, cosine = np.sin(way.values[:, 2]), np.cos(way.values[:, 2])
    speed = np.hypot(rates[:, 0], rates[:, 1])
    steady = lean[:, None] * rates[:, :2] / np.maximum(speed, 0.3 * np.sqrt(GRAVITY * length))[:, None]
    pull = np.arctan(changes[:, :2] / GRAVITY)
    lean_x = steady[:, 0] + INTO_SPEED * pull[:, 0]
    lean_z = steady[:, 1] + INTO_SPEED * pull[:, 1]
    left, ahead = lean_x * cosine - lean_z * sine, lean_x * sine + lean_z * cosine
    turn = (INTO_TURN - INTO_SPEED) * np.arctan(speed * rates[:, 2] / GRAVITY)
    # To lean ahead is to turn about the left; to lean to the left is to turn against ahead.
    return np.stack([ahead, np.zeros(len(left)), -(left + turn)], axis=1)


def _swings(reached: FloatArray, sides: FloatArray, cycle: float, moving: FloatArray) -> FloatArray:
    """(N, 2) how far ahead the feet of the left and of the right are on the mean."""
    found = [
        smoothed(reached[:, sides * sign > 0].mean(axis=1), 0.3 * cycle) * moving
        if np.any(sides * sign > 0)
        else np.zeros(len(reached))
        for sign in (1, -1)
    ]
    return np.stack(found, axis=1)


def root_at(
    physique: Physique, ways: FloatArray, shifts: FloatArray, leans: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(T, 3) where the root is, and (T, 4) the turn of the body, world_from_character, that goes with it."""
    heading = heading_rotations(ways[:, 2])
    rest = physique.positions[physique.root]
    places = quaternions.rotate(heading, shifts * [1.0, 0.0, 1.0] + rest)
    places += np.stack([ways[:, 0], shifts[:, 1], ways[:, 1]], axis=1)
    return places, quaternions.multiply(heading, quaternions.exp(leans))


def heading_rotations(headings: FloatArray) -> FloatArray:
    """(T, 4) turns about the vertical."""
    turned = np.zeros((*headings.shape, 4))
    turned[..., 1], turned[..., 3] = np.sin(0.5 * headings), np.cos(0.5 * headings)
    return turned


def legs_seen(
    physique: Physique, legs: Sequence[Leg], way: Curves, ride: Ride, feet: Feet, loose: BoolArray
) -> FloatArray:
    """(N, L, 3) metres from what is placed of each leg, its ankle or its sole, to its hip."""
    roots, turned = root_at(physique, way.values, ride.shifts, ride.leans)
    ankles = quaternions.rotate(foot_turns(physique, legs, feet, roots, turned), np.array([leg.ankle for leg in legs]))
    return np.asarray(hips_of(physique, legs, roots, turned) - feet.contacts - np.where(loose[:, None], 0.0, ankles))


def _too_high(legs: Sequence[Leg], away: FloatArray, feet: Feet, loose: BoolArray) -> FloatArray:
    """(N,) metres by which hips must be lowered so that all legs that stand reach their feet."""
    reach = STRAIGHT * np.array([leg.farthest(free) for leg, free in zip(legs, loose.tolist(), strict=True)])
    highest = np.sqrt(np.maximum(reach**2 - np.sum(away[..., [0, 2]] ** 2, axis=-1), 0.0))
    short = np.where(feet.planted, away[..., 1] - highest, 0.0)
    return np.asarray(np.clip(short, 0.0, DEEPEST * np.array([leg.length for leg in legs])).max(axis=1))


def _too_low(
    legs: Sequence[Leg], away: FloatArray, feet: Feet, turned: FloatArray, comfort: Comfort, length: float
) -> FloatArray:
    """(N,) metres by which hips must be raised so that no leg that stands is folded up more than it can be."""
    lacking = np.where(feet.planted, -room_left(legs, away, turned, comfort), 0.0)
    return np.asarray(np.clip(lacking, 0.0, DEEPEST * length).max(axis=1))
