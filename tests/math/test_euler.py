"""Euler angles: every order against scipy, gimbal lock, fewer axes, and curves without jumps."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from mummer.errors import InputError, UnknownNameError
from mummer.math import euler, quaternion
from tests.math.helpers import assert_same_rotations, generators, law, rotations

THREE = [order for order in euler.ORDERS if len(order) == 3]
FEWER = [order for order in euler.ORDERS if len(order) < 3]


def test_every_order_is_there() -> None:
    assert len(euler.ORDERS) == len(set(euler.ORDERS)) == 2 * (12 + 6 + 3)
    assert len(THREE) == 24


@pytest.mark.parametrize("order", euler.ORDERS)
@law
@given(rng=generators)
def test_from_euler_is_that_of_scipy(order: str, rng: np.random.Generator) -> None:
    angles = rng.uniform(-7, 7, (10, len(order)))
    assert_same_rotations(euler.from_euler(angles, order), Rotation.from_euler(order, angles).as_quat())


@pytest.mark.parametrize("order", THREE)
@law
@given(q=rotations())
def test_to_euler_goes_back(order: str, q: np.ndarray) -> None:
    angles = euler.to_euler(q, order)
    assert angles.shape == (*q.shape[:-1], 3)
    assert np.all(np.abs(angles) <= np.pi)
    low, high = (0, np.pi) if order[0] == order[2] else (-np.pi / 2, np.pi / 2)
    assert np.all((angles[..., 1] >= low - 1e-15) & (angles[..., 1] <= high + 1e-15))
    assert_same_rotations(euler.from_euler(angles, order), q)


@pytest.mark.parametrize("order", THREE)
def test_to_euler_is_that_of_scipy(order: str) -> None:
    q = quaternion.random(np.random.default_rng(1), 500)
    np.testing.assert_allclose(euler.to_euler(q, order), Rotation.from_quat(q).as_euler(order), atol=1e-12)


@pytest.mark.parametrize("order", THREE)
def test_in_lock_the_last_angle_is_zero(order: str) -> None:
    middles = [0.0, np.pi] if order[0] == order[2] else [-np.pi / 2, np.pi / 2]
    outer = np.linspace(-3, 3, 7)
    angles = np.stack([a.ravel() for a in np.meshgrid(outer, middles, outer, indexing="ij")], axis=-1)
    q = euler.from_euler(angles, order)
    found = euler.to_euler(q, order)
    np.testing.assert_array_equal(found[:, 2], 0)
    np.testing.assert_allclose(found[:, 1], angles[:, 1], atol=1e-13)
    assert_same_rotations(euler.from_euler(found, order), q)
    with warnings.catch_warnings(action="ignore"):
        expected = Rotation.from_quat(q).as_euler(order)
    turns = np.remainder(found - expected + np.pi, 2 * np.pi) - np.pi
    np.testing.assert_allclose(turns, 0, atol=1e-7)


@pytest.mark.parametrize("order", ["XYZ", "ZXZ", "yxz"])
@pytest.mark.parametrize("distance", [1e-16, 1e-13, 1e-9, 1e-7, 1e-4])
def test_near_lock_the_rotation_is_kept(order: str, distance: float) -> None:
    middle = (0 if order[0] == order[2] else np.pi / 2) + distance
    q = euler.from_euler([0.7, middle, -1.1], order)
    assert_same_rotations(euler.from_euler(euler.to_euler(q, order), order), q, 1e-13)


@pytest.mark.parametrize("order", FEWER)
def test_fewer_axes_go_back(order: str) -> None:
    angles = np.random.default_rng(3).uniform(-3.14, 3.14, (200, len(order)))
    for q in (euler.from_euler(angles, order), -euler.from_euler(angles, order)):
        np.testing.assert_allclose(euler.to_euler(q, order), angles, atol=1e-12)


@pytest.mark.parametrize("order", FEWER)
def test_fewer_axes_come_as_near_as_they_can(order: str) -> None:
    rng = np.random.default_rng(4)
    q = quaternion.random(rng, (30, 1))
    best = quaternion.angle_between(q[:, 0], euler.from_euler(euler.to_euler(q[:, 0], order), order))
    others = euler.from_euler(rng.uniform(-np.pi, np.pi, (3000, len(order))), order)
    nearest = quaternion.angle_between(q, others).min(axis=1)
    assert np.all(best <= nearest + 1e-12)
    assert np.all(nearest - best < 0.1)


def test_degrees() -> None:
    q = euler.from_euler_degrees([90, 0, 45], "ZXY")
    assert_same_rotations(q, euler.from_euler([np.pi / 2, 0, np.pi / 4], "ZXY"))
    np.testing.assert_allclose(euler.to_euler_degrees(q, "ZXY"), [90, 0, 45], atol=1e-12)


def test_intrinsic_order_reads_as_a_product() -> None:
    z, x, y = (
        quaternion.from_axis_angle(axis, angle)
        for axis, angle in zip(np.eye(3)[[2, 0, 1]], (0.3, 0.5, 0.7), strict=True)
    )
    product = quaternion.multiply(quaternion.multiply(z, x), y)
    assert_same_rotations(euler.from_euler([0.3, 0.5, 0.7], "ZXY"), product)
    assert_same_rotations(euler.from_euler([0.7, 0.5, 0.3], "yxz"), product)


@pytest.mark.parametrize("order", ["", "XXY", "XYZX", "Xyz", "ABC"])
def test_orders_that_do_not_exist(order: str) -> None:
    with pytest.raises(UnknownNameError, match=f"has no order '{order}'"):
        euler.from_euler([0, 0, 0], order)
    with pytest.raises(InputError):
        euler.to_euler([0, 0, 0, 1], order)


def test_angles_must_match_the_order() -> None:
    with pytest.raises(InputError, match=r"Euler angles 'ZX' has shape \(3,\); expected \(\.\.\., 2\)"):
        euler.from_euler([0, 0, 0], "ZX")


def test_float32_stays_float32() -> None:
    angles = np.zeros((2, 3), np.float32)
    q = euler.from_euler(angles, "XYZ")
    assert q.dtype == euler.to_euler(q, "XYZ").dtype == euler.continuous_euler(angles, "XYZ").dtype == np.float32


@pytest.mark.parametrize("order", THREE)
@law
@given(rng=generators, turns=st.sampled_from([0.3, 3.0, 12.0]))
def test_curves_do_not_jump(order: str, rng: np.random.Generator, turns: float) -> None:
    """A smooth curve of angles, wrapped and written with the wrong triples, is found back up to where it started."""
    time = np.linspace(0, 1, 200)[:, None]
    smooth = turns * np.sin(2 * time + rng.uniform(0, 6, 3)) + rng.uniform(-1, 1, 3)
    q = euler.from_euler(smooth, order)
    found = euler.continuous_euler(euler.to_euler(q, order), order)
    assert_same_rotations(euler.from_euler(found, order), q)
    # The original is one continuous way to write the motion, so the found one must not move more.
    assert np.abs(np.diff(found, axis=0)).sum(axis=-1).max() < np.abs(np.diff(smooth, axis=0)).sum(axis=-1).max() + 1e-9


@pytest.mark.parametrize("order", THREE)
def test_curves_through_lock_do_not_jump(order: str) -> None:
    """The middle angle passes exactly through lock, rests there, and goes on."""
    lock = 0.0 if order[0] == order[2] else np.pi / 2
    middle = lock + np.concatenate([np.linspace(-0.5, 0, 21), np.zeros(9), np.linspace(0, 0.5, 21)])
    time = np.linspace(0, 1, len(middle))
    smooth = np.stack([0.4 + 0.5 * time, middle, np.full_like(time, -0.8)], axis=-1)
    q = euler.from_euler(smooth, order)
    jumpy = euler.to_euler(q, order)
    assert np.abs(np.diff(jumpy, axis=0)).max() > 0.5
    found = euler.continuous_euler(jumpy, order)
    assert np.abs(np.diff(found, axis=0)).max() < 0.05
    assert_same_rotations(euler.from_euler(found, order), q, 1e-8)


def test_curves_that_start_or_stay_in_lock() -> None:
    free, locked = [0.2, 0.3, 0.4], [1.0, np.pi / 2, 0.0]
    curve = np.array([locked, locked, free])
    found = euler.continuous_euler(curve, "XYZ")
    np.testing.assert_allclose(found[:, 2], 0.4, atol=1e-12)
    assert_same_rotations(euler.from_euler(found, "XYZ"), euler.from_euler(curve, "XYZ"))
    np.testing.assert_allclose(euler.continuous_euler([locked] * 3, "XYZ"), [locked] * 3, atol=1e-15)


def test_curves_of_many_joints_and_few_frames() -> None:
    rng = np.random.default_rng(8)
    smooth = 5 * np.sin(np.linspace(0, 3, 60)[:, None, None] + rng.uniform(0, 6, (4, 3)))
    wrapped = euler.to_euler(euler.from_euler(smooth, "YXZ"), "YXZ")
    together = euler.continuous_euler(wrapped, "YXZ")
    for joint in range(4):
        np.testing.assert_array_equal(together[:, joint], euler.continuous_euler(wrapped[:, joint], "YXZ"))
    np.testing.assert_array_equal(
        np.swapaxes(euler.continuous_euler(np.swapaxes(wrapped, 0, 1), "YXZ", axis=1), 0, 1), together
    )
    np.testing.assert_array_equal(euler.continuous_euler(wrapped[:1], "YXZ"), wrapped[:1])
    assert euler.continuous_euler(wrapped[:0], "YXZ").shape == (0, 4, 3)
    np.testing.assert_allclose(euler.continuous_euler([[3.0], [-3.0]], "X"), [[3.0], [2 * np.pi - 3.0]])
    with pytest.raises(InputError, match="axis 1 is no leading axis"):
        euler.continuous_euler(wrapped[:, 0], "YXZ", axis=1)
