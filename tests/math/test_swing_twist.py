"""Swing and twist: they multiply to the rotation, and stay apart, up to the singularity and in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import InputError
from mummer.math import quaternion, swing_twist
from tests.math.helpers import assert_same_rotations, generators, law, rotations


@law
@given(rotations((5,)), generators)
def test_parts_make_the_whole_and_keep_to_their_axes(q: np.ndarray, rng: np.random.Generator) -> None:
    axis = rng.standard_normal((3, 1, 3))
    swing, twist = swing_twist.decompose(q, axis)
    assert swing.shape == twist.shape == (3, 5, 4)
    assert_same_rotations(swing_twist.compose(swing, twist), np.broadcast_to(q, (3, 5, 4)))
    np.testing.assert_allclose(np.sum(swing[..., :3] * axis, axis=-1), 0, atol=1e-14)
    np.testing.assert_allclose(np.cross(twist[..., :3], axis), 0, atol=1e-14)
    assert np.all(twist[..., 3] >= 0)


@law
@given(generators, st.sampled_from([0.0, 1e-12, 1e-7, 1.0, 3.0, np.pi - 1e-4]))
def test_parts_are_found_back(rng: np.random.Generator, swing_angle: float) -> None:
    axis = rng.standard_normal(3)
    across = quaternion.perpendicular(axis)
    swing = quaternion.from_axis_angle(across, swing_angle)
    angles = np.linspace(-3.1, 3.1, 13)
    twist = quaternion.from_axis_angle(axis, angles)
    q = quaternion.multiply(swing, twist)
    found_swing, found_twist = swing_twist.decompose(-q, axis * 5)
    assert_same_rotations(found_swing, np.broadcast_to(swing, (13, 4)), 1e-11)
    assert_same_rotations(found_twist, twist, 1e-11)
    np.testing.assert_allclose(swing_twist.twist_angle(q, axis), angles, atol=1e-11)


@law
@given(generators)
def test_swing_moves_the_axis_and_is_the_shortest_to_do_so(rng: np.random.Generator) -> None:
    q, axis = quaternion.random(rng, 20), rng.standard_normal((20, 3))
    swing, twist = swing_twist.decompose(q, axis)
    np.testing.assert_allclose(quaternion.rotate(twist, axis), axis, atol=1e-13)
    np.testing.assert_allclose(quaternion.rotate(swing, axis), quaternion.rotate(q, axis), atol=1e-13)
    assert_same_rotations(swing, quaternion.between_vectors(axis, quaternion.rotate(q, axis)), 1e-10)


@pytest.mark.parametrize("axis", np.eye(3))
def test_half_a_turn_of_swing_hides_the_twist(axis: np.ndarray) -> None:
    across = quaternion.from_axis_angle(quaternion.perpendicular(axis), np.pi)
    for angle in (0.0, 0.4, np.pi, -2.0):
        q = quaternion.multiply(across, quaternion.from_axis_angle(axis, angle))
        swing, twist = swing_twist.decompose(q, axis)
        np.testing.assert_array_equal(twist, quaternion.IDENTITY)
        assert_same_rotations(swing, q)
        assert swing_twist.twist_angle(q, axis) == 0


@pytest.mark.parametrize("distance", [1e-15, 1e-14, 1e-10, 1e-6])
def test_near_the_singularity_the_product_still_holds(distance: float) -> None:
    q = quaternion.multiply(quaternion.exp([np.pi - distance, 0, 0]), quaternion.exp([0, 0.7, 0]))
    swing, twist = swing_twist.decompose(q, [0, 1, 0])
    assert_same_rotations(swing_twist.compose(swing, twist), q)
    np.testing.assert_allclose(swing[1], 0, atol=1e-15)


def test_twist_of_half_a_turn() -> None:
    assert abs(abs(swing_twist.twist_angle([0, 1, 0, 0], [0, 1, 0])) - np.pi) < 1e-15


def test_types_and_wrong_inputs() -> None:
    narrow = np.array([0, 0, 0, 1], np.float32)
    assert all(part.dtype == np.float32 for part in swing_twist.decompose(narrow, narrow[1:]))
    with pytest.raises(InputError, match="a twist axis is zero; expected a direction"):
        swing_twist.decompose(narrow, [0, 0, 0])
    with pytest.raises(InputError, match="a twist axis has shape"):
        swing_twist.twist_angle(narrow, [0, 1])
