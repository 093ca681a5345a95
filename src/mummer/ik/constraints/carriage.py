"""The carriage of the body over its legs: where the hips go when the feet are moved, slowly and not too far."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.ik.bells import covered
from mummer.ik.constraints.limb import allowed_length, care_for, length_of, reach_of
from mummer.ik.constraints.track import within
from mummer.ik.constraints.unit import Unit, care_of
from mummer.ik.constraints.whole_body import slow_way, smooth
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions

STAYING = 0.03
"""How much it counts that the hips stay, beside that a straight leg keeps its length."""
HELD = 1e9
"""How much it counts where they have to stay."""
SLOWNESS = 1.5
"""Hertz; the hips follow what feet do more slowly than this, and not what they do faster."""
BENT = 0.1
"""Sine of half the bend at which the length of a leg counts half as much as when it is straight."""
REACH = 0.25
"""Seconds before and after a leg would be overstretched during which the hips go down and come up again."""
LOWEST = 0.35
"""Part of a leg's length that the hips are never lowered further than."""
ROUNDS = 3
"""How often the hips are lowered: who is lowered farther is bent with more care, and needs a little more."""
GRID = 60.0
"""Moments a second at which the way of the hips is worked out."""


def find_carriage(
    given: WorldState, times: FloatArray, units: Sequence[Unit], up: FloatArray, *, stays: bool = False
) -> FloatArray:
    """(K, 3) metres that the body is carried so that all legs among ``units`` reach without being overstretched.

    Args:
        given: the body in the clip at ``times`` (K,).
        times: evenly spaced.
        units: the limbs.
        up: (3,) unit.
        stays: whether it is left as it is at both ends.
    """
    legs = [unit for unit in units if unit.follows]
    if not legs:
        return np.zeros((len(times), 3))
    targets = [leg.target(given, times)[0] for leg in legs]
    follow = _following(given, legs, targets, _step(times), stays=stays)
    lowered = _lowering(given, times, legs, targets, follow, up)
    return follow + (lowered * within(times, times[0], times[-1])[:, None] if stays else lowered)


def carry_further(
    given: WorldState, moved: WorldState, times: FloatArray, units: Sequence[Unit], up: FloatArray, *, arms: bool
) -> FloatArray:
    """(K, 3) metres that a body that was moved is carried further so that no limb is overstretched.

    Args:
        given: the body in the clip, which says what limbs reach for.
        moved: the body as it was moved; limbs hang from it as in the clip.
        times: (K,) evenly spaced.
        units: the limbs.
        up: (3,) unit.
        arms: whether arms take the body along too, or legs alone.
    """
    lead = np.zeros((len(times), 3))
    for unit in units if arms else ():
        if not unit.follows:
            lead += _lead(moved, unit, unit.target(given, times, moved)[0], times)
    legs = [unit for unit in units if unit.follows]
    targets = [leg.target(given, times, moved)[0] for leg in legs]
    return lead + _lowering(moved, times, legs, targets, lead, up)


def _lead(state: WorldState, unit: Unit, target: FloatArray, times: FloatArray) -> FloatArray:
    """(K, 3) how far an arm that is too short takes the body along."""
    base, middle, tip = unit.places(state)
    way = target - base
    far = np.linalg.norm(way, axis=-1)
    lacking = np.maximum(far - reach_of(base, middle, tip), 0.0)
    pull = way / np.maximum(far, 1e-9)[:, None]
    step = _step(times)
    return covered(lacking, round(2.0 * REACH / step))[:, None] * smooth(pull, step)


def _lowering(
    state: WorldState, times: FloatArray, legs: Sequence[Unit], targets: Sequence[FloatArray], follow: FloatArray,
    up: FloatArray,
) -> FloatArray:  # fmt: skip
    """(K, 3) how far the hips must go down for all ``legs`` of a body that is moved by ``follow`` (K, 3)."""
    drop: FloatArray = np.zeros(len(times))
    care, window = care_of(legs, times), round(2.0 * REACH / _step(times))
    for _ in range(ROUNDS):
        needed, carried = np.zeros(len(times)), follow - drop[:, None] * up
        for leg, target in zip(legs, targets, strict=True):
            joints = leg.places(state)
            careful = care_for(care, joints[2] + carried, target, length_of(*joints))
            needed = np.maximum(needed, _needed_drop(state, leg, target, follow, up, careful))
        drop = covered(needed, window)
    return -drop[:, None] * up


def _step(times: FloatArray) -> float:
    return float(times[1] - times[0]) if len(times) > 1 else 1.0


def _following(
    state: WorldState, legs: Sequence[Unit], targets: Sequence[FloatArray], step: float, *, stays: bool = False
) -> FloatArray:
    """(T, 3) the slow way of the hips that best keeps the lengths of the legs, those of straight ones above all.

    Near straight a little length is a lot of bend, so that is where hips that go along with the foot save the knee.
    Hips that stay at both ends do not move there either: the first two moments and the last two are held.
    """
    count = len(state)
    pulls, right = np.tile(STAYING * np.eye(3), (count, 1, 1)), np.zeros((count, 3))
    for leg, target in zip(legs, targets, strict=True):
        base, middle, tip = leg.places(state)
        now = np.linalg.norm(tip - base, axis=-1)
        along = (tip - base) / np.maximum(now, 1e-9)[:, None]
        half_sine_squared = np.maximum(1 - (now / length_of(base, middle, tip)) ** 2, 0.0)
        weights = BENT**2 / (BENT**2 + half_sine_squared)
        pulls += weights[:, None, None] * along[:, :, None] * along[:, None, :]
        right += (weights * np.vecdot(target - tip, along))[:, None] * along
    if stays:
        pulls[[0, 1, -2, -1]] += HELD * np.eye(3)
    return slow_way(pulls, right.ravel(), SLOWNESS, step).reshape(count, 3)


def _needed_drop(
    state: WorldState, leg: Unit, target: FloatArray, follow: FloatArray, up: FloatArray, care: FloatArray
) -> FloatArray:
    """(T,) metres that the hips must go down for one leg to reach its target comfortably."""
    base, middle, tip = leg.places(state)
    usual = quaternions.rotate(state.rotations[:, leg.chain.base], leg.usual_axis)
    allowed = allowed_length(base, middle, tip, usual, care)
    way = base + follow - target
    height = way @ up
    level = np.linalg.norm(way - height[:, None] * up, axis=-1)
    drop = height - np.sqrt(np.maximum(allowed**2 - level**2, 0.0))
    return np.clip(drop, 0.0, LOWEST * length_of(base, middle, tip))
