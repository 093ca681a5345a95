"""Sudden changes are spread over the frames around them; everything else is left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer import zoo
from mummer.character import Pose
from mummer.character.clamp import clamp, violations
from mummer.clip import Frames
from mummer.general import physique_of
from mummer.general.calming import calm, calm_height
from mummer.general.feet import standing_feet
from mummer.general.physique import Physique
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

MOMENTS = 90


@pytest.fixture(scope="module")
def dog() -> Physique:
    return physique_of(zoo.body("dog"))


def still(physique: Physique) -> Frames:
    return Frames.of_pose(Pose.rest(physique.character.skeleton), MOMENTS)


def turn(frames: Frames, joint: int, angles: np.ndarray) -> None:
    """Turn a joint on by ``angles`` (T,) about its own x axis."""
    turns = quaternion.from_axis_angle(np.array([1.0, 0.0, 0.0]), angles)
    frames.rotations[:, joint] = quaternion.multiply(frames.rotations[:, joint], turns)


def jump(values: np.ndarray) -> float:
    """The largest second difference."""
    return float(np.linalg.norm(np.diff(values, n=2, axis=0), axis=-1).max())


def head_of(physique: Physique) -> int:
    return physique.anatomy.capabilities["head"][0]


def test_what_does_not_jump_stays_exactly_as_it_is(dog: Physique) -> None:
    frames = still(dog)
    turn(frames, head_of(dog), 0.8 * np.sin(np.linspace(0, 12, MOMENTS)))
    before = frames.rotations.copy()
    calm(dog, frames, {})
    np.testing.assert_array_equal(frames.rotations, before)


@pytest.mark.parametrize("angle", [0.3, 1.2, 2.5])
def test_a_step_is_spread_over_a_few_frames(angle: float) -> None:
    dog = physique_of(replace(zoo.body("dog"), limits=None))
    frames, head = still(dog), head_of(dog)
    turn(frames, head, np.where(np.arange(MOMENTS) < 40, 0.0, angle))
    before = frames.rotations.copy()
    calm(dog, frames, {})
    turned = quaternion.angle_between(before[0, head], frames.rotations[:, head])
    assert jump(turned[:, None]) < 0.15 * angle
    assert np.all(np.diff(turned) > -1e-9)
    far = np.abs(np.arange(MOMENTS) - 39.5) > 8
    np.testing.assert_allclose(frames.rotations[far], before[far], atol=1e-12)
    others = [joint for joint in range(len(dog)) if joint != head]
    np.testing.assert_array_equal(frames.rotations[:, others], before[:, others])


def test_what_is_calmed_stays_within_limits(dog: Physique) -> None:
    frames, limits, skeleton = still(dog), dog.character.limits, dog.character.skeleton
    assert limits is not None
    rng = np.random.default_rng(5)
    for part in (slice(0, 30), slice(30, 60), slice(60, MOMENTS)):
        turned = quaternion.multiply(frames.rotations[0], quaternion.exp(rng.uniform(-2, 2, (len(dog), 3))))
        frames.rotations[part] = clamp(limits, skeleton, Pose(turned, frames.root[0])).rotations
    before = frames.rotations.copy()
    calm(dog, frames, {})
    assert np.any(frames.rotations != before)
    beyond = violations(limits, skeleton, frames.to_pose())
    assert np.degrees(beyond[:, 1:]).max() < 0.1


def test_the_sign_of_a_quaternion_is_no_jump(dog: Physique) -> None:
    frames = still(dog)
    frames.rotations[40:60] *= -1
    before = frames.rotations.copy()
    calm(dog, frames, {})
    np.testing.assert_array_equal(frames.rotations, before)


def test_lively_motion_is_no_jump(dog: Physique) -> None:
    frames, rng = still(dog), np.random.default_rng(3)
    turn(frames, head_of(dog), rng.uniform(-0.3, 0.3, MOMENTS))
    before = frames.rotations.copy()
    calm(dog, frames, {})
    assert np.mean(np.any(frames.rotations != before, axis=-1)) < 0.01


def test_feet_stay_while_the_body_is_calmed(dog: Physique) -> None:
    frames = still(dog)
    feet = {foot: None for foot, _ in standing_feet(dog)}
    frames.root[45:, 1] -= 0.06 * dog.height
    frames.root[45:, 2] += 0.04 * dog.height
    where = WorldState(dog.character, frames.to_pose()).positions
    before = jump(where[:, head_of(dog)])
    # Feet that stood still before the trunk jumped were put there by legs: here they jump along, and are calmed alike.
    calm(dog, frames, feet)
    after = WorldState(dog.character, frames.to_pose()).positions
    assert jump(after[:, head_of(dog)]) < 0.2 * before
    far = np.abs(np.arange(MOMENTS) - 44.5) > 8
    np.testing.assert_allclose(after[far], where[far], atol=1e-9)


def test_feet_that_stand_do_not_slip_where_legs_are_calmed(dog: Physique) -> None:
    frames = still(dog)
    feet = {foot: None for foot, _ in standing_feet(dog)}
    turn(frames, dog.spine[-1], np.where(np.arange(MOMENTS) < 40, 0.0, 0.4))
    front = [foot for foot in feet if dog.limb_bases[foot] == dog.spine[-1]]
    stood = [foot for foot in feet if foot not in front]
    before = WorldState(dog.character, frames.to_pose()).positions[:, stood]
    calm(dog, frames, feet)
    after = WorldState(dog.character, frames.to_pose()).positions[:, stood]
    assert stood
    np.testing.assert_allclose(after, before, atol=1e-9)


@given(st.lists(st.floats(0.0, 0.5), min_size=5, max_size=60))
@settings(max_examples=60, deadline=None)
def test_heights_are_nowhere_lower_than_they_must_be(heights: list[float]) -> None:
    needed = np.array(heights)
    assert np.all(calm_height(needed, 1.0) >= needed - 1e-12)


def test_a_sudden_height_is_come_up_to_in_time() -> None:
    needed = np.where(np.arange(60) < 30, 0.0, 0.2)
    found = calm_height(needed, 1.0)
    assert jump(found[:, None]) < 0.25 * jump(needed[:, None])
    assert found[29] > 0.1
    np.testing.assert_array_equal(calm_height(np.full(60, 0.2), 1.0), np.full(60, 0.2))
