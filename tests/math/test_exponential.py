"""The exponential map: exact at zero, near it, and near half a turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.transform import Rotation

from mummer.errors import InputError
from mummer.math import quaternion
from tests.math.helpers import ANGLES, assert_same_rotations, generators, law, rotations

AXIS = np.array([2.0, -3.0, 6.0]) / 7


@law
@given(rotations())
def test_exp_undoes_log(q: np.ndarray) -> None:
    vectors = quaternion.log(q)
    assert np.all(np.linalg.norm(vectors, axis=-1) <= np.pi + 1e-15)
    assert_same_rotations(quaternion.exp(vectors), q)
    expected = Rotation.from_quat(q.reshape(-1, 4)).as_rotvec()
    # At exactly half a turn both directions of the axis are right.
    is_half_turn = np.abs(q.reshape(-1, 4)[:, 3:]) < 1e-12
    np.testing.assert_allclose(np.where(is_half_turn, 0, vectors.reshape(-1, 3) - expected), 0, atol=1e-12)


@pytest.mark.parametrize("angle", [a for a in ANGLES if a <= np.pi])
def test_log_undoes_exp(angle: float) -> None:
    found = quaternion.log(quaternion.exp(AXIS * angle))
    np.testing.assert_allclose(found, AXIS * angle, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("angle", [0.0, 1e-7, 9.9e-5, 1.01e-4, 3.0, np.pi + 1e-7, 6.0, 2 * np.pi - 1e-4])
def test_log_without_shortest_goes_to_a_full_turn(angle: float) -> None:
    q = quaternion.exp(AXIS * angle)
    np.testing.assert_allclose(quaternion.log(q, shortest=False), AXIS * angle, rtol=1e-11, atol=1e-16)
    assert np.linalg.norm(quaternion.log(q)) <= np.pi


def test_a_full_turn_has_no_axis() -> None:
    np.testing.assert_array_equal(quaternion.log(-quaternion.IDENTITY, shortest=False), np.zeros(3))


def test_series_and_quotient_meet() -> None:
    sizes = np.geomspace(1e-5, 1e-3, 41)
    vectors = quaternion.log(quaternion.exp(sizes[:, None] * AXIS))
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=-1) / sizes, 1, rtol=4e-16)
    quaternions = quaternion.exp(sizes[:, None] * AXIS)
    np.testing.assert_allclose(quaternions[:, :3] / np.sin(sizes / 2)[:, None], np.tile(AXIS, (41, 1)), rtol=1e-15)


@law
@given(generators)
def test_log_near_finds_the_turn_that_was_meant(rng: np.random.Generator) -> None:
    meant = rng.standard_normal((20, 3)) * rng.choice([1e-9, 1.0, 10.0], (20, 1))
    guess = meant + rng.standard_normal((20, 3)) * 0.1
    found = quaternion.log_near(quaternion.exp(meant), guess)
    assert_same_rotations(quaternion.exp(found), quaternion.exp(meant))
    assert np.all(np.linalg.norm(found - guess, axis=-1) <= np.linalg.norm(meant - guess, axis=-1) + 1e-9)


def test_log_near_of_whole_turns_takes_the_axis_of_the_guess() -> None:
    found = quaternion.log_near(quaternion.IDENTITY, AXIS * (4 * np.pi + 0.3))
    np.testing.assert_allclose(found, AXIS * 4 * np.pi, atol=1e-12)
    np.testing.assert_array_equal(quaternion.log_near(quaternion.IDENTITY, np.zeros(3)), np.zeros(3))


@law
@given(rotations())
def test_powers(q: np.ndarray) -> None:
    assert_same_rotations(quaternion.power(q, 1), q)
    assert_same_rotations(quaternion.power(q, -1), quaternion.inverse(q))
    half = quaternion.power(q, 0.5)
    assert_same_rotations(quaternion.multiply(half, half), q)
    np.testing.assert_allclose(quaternion.angle(half), quaternion.angle(q) / 2, atol=1e-12)


def test_power_broadcasts() -> None:
    assert quaternion.power(quaternion.exp(AXIS), np.linspace(0, 1, 7)).shape == (7, 4)


@pytest.mark.parametrize("frame", ["parent", "joint"])
@pytest.mark.parametrize("axis", [0, 1])
def test_angular_velocity_of_a_constant_turn_is_exact(frame: str, axis: int) -> None:
    times = np.array([0.0, 0.1, 0.15, 0.4, 1.0])
    start = quaternion.exp([0.3, 0.2, -1.0])
    spin = np.array([0.5, -2.0, 1.0])
    turn = quaternion.exp(times[:, None] * spin)
    path = quaternion.multiply(turn, start) if frame == "parent" else quaternion.multiply(start, turn)
    batch = np.stack([path, -path], axis=1 - axis)
    found = np.moveaxis(quaternion.angular_velocity(batch, times, axis=axis, frame=frame), axis, 0)
    np.testing.assert_allclose(found, np.broadcast_to(spin, (5, 2, 3)), atol=1e-13)


def test_angular_velocity_about_one_axis_is_the_slope_of_a_parabola() -> None:
    times = np.array([0.0, 0.2, 0.3, 0.7])
    path = quaternion.from_axis_angle(AXIS, times**2)
    expected = 2 * times[:, None] * AXIS
    np.testing.assert_allclose(quaternion.angular_velocity(path, times), expected, atol=1e-13)


def test_frames_of_angular_velocity_differ_by_the_rotation() -> None:
    times = np.linspace(0, 1, 2001)
    path = quaternion.multiply(
        quaternion.exp(times[:, None] * [1, 0, 0]), quaternion.exp(times[:, None] ** 2 * [0, 2, 1])
    )
    in_parent = quaternion.angular_velocity(path, times)
    in_joint = quaternion.angular_velocity(path, times, frame="joint")
    np.testing.assert_allclose(quaternion.rotate(path, in_joint), in_parent, atol=1e-5)


def test_angular_velocity_of_few_samples() -> None:
    np.testing.assert_array_equal(quaternion.angular_velocity(np.tile(quaternion.IDENTITY, (1, 1)), [0.0]), [[0, 0, 0]])
    two = quaternion.angular_velocity(quaternion.exp([[0, 0, 0], [0, 1, 0]]), [0.0, 0.5])
    np.testing.assert_allclose(two, [[0, 2, 0], [0, 2, 0]], atol=1e-15)
    assert quaternion.angular_velocity(np.zeros((0, 4)), np.zeros(0)).shape == (0, 3)


def test_wrong_times_and_frames() -> None:
    q = np.tile(quaternion.IDENTITY, (3, 1))
    with pytest.raises(InputError, match=r"times has shape \(2,\); expected \(3,\) increasing seconds"):
        quaternion.angular_velocity(q, [0, 1])
    with pytest.raises(InputError, match="increasing"):
        quaternion.angular_velocity(q, [0, 1, 1])
    with pytest.raises(InputError, match="no frame 'world'; expected 'parent' or 'joint'"):
        quaternion.angular_velocity(q, [0, 1, 2], frame="world")
