"""Limits: held exactly, once, smoothly and without harm to what is inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mummer.character import Ball, Free, Hinge, JointLimit, Limits, Pivot, Pose, Skeleton, clamp, violations
from mummer.character.limit_angles import hold_on_circle
from mummer.character.limit_ball import nearest_in_ellipse
from mummer.errors import InputError
from mummer.math import quaternion, swing_twist
from tests.character.strategies import exactly, generators, law

X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def frame(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Three unit vectors at right angles."""
    axes = quaternion.to_matrix(quaternion.random(rng, ()))
    return tuple(tuple(axis.tolist()) for axis in axes.T)


def span(rng: np.random.Generator, most: float) -> tuple[float, float]:
    low, high = np.sort(rng.uniform(-most, most, 2))
    return float(low), float(high)


def every_kind(rng: np.random.Generator) -> tuple[Skeleton, Limits]:
    """One free joint and one of each kind, in any rest rotation."""
    axis, second, _ = frame(rng)
    swing = tuple((rng.uniform(0, 2.8, 2) * (rng.random(2) > 0.2)).tolist())
    kinds: dict[int, JointLimit] = {
        0: Free(),
        1: Hinge(axis, *span(rng, 3)),
        2: Pivot(axis, *span(rng, 3), second, *span(rng, 2.8)),
        3: Ball(axis, swing, *span(rng, 3), second),  # type: ignore[arg-type]
    }
    return Skeleton("abcd", [-1, 0, 1, 2], np.zeros((4, 3)), quaternion.random(rng, (4,))), Limits.from_joints(4, kinds)


def turned(rotations: np.ndarray) -> Pose:
    return Pose(rotations, np.zeros((*rotations.shape[:-2], 3)))


def critical(rng: np.random.Generator, skeleton: Skeleton, limits: Limits, count: int) -> np.ndarray:
    """(count, J, 4) rotations, many of them near half a circle of swing or twist, where angles jump."""
    near = rng.choice([0, 1e-9, 1e-3, 1], (count, 4, 1)) * rng.normal(size=(count, 4, 3))
    across = np.cross(limits.axes, rng.normal(size=(count, 4, 3)))
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    about = np.where(rng.random((count, 4, 1)) < 0.5, across, limits.axes)
    half = quaternion.multiply(quaternion.from_axis_angle(about, np.full((count, 4), np.pi)), quaternion.exp(near))
    delta = np.where(rng.random((count, 4, 1)) < 0.5, half, quaternion.random(rng, (count, 4)))
    return quaternion.normalize(quaternion.multiply(skeleton.rest_rotations, delta))


@law
@given(generators)
def test_clamping_twice_is_clamping_once(rng: np.random.Generator) -> None:
    skeleton, limits = every_kind(rng)
    pose = turned(critical(rng, skeleton, limits, 200))
    once = clamp(limits, skeleton, pose)
    assert np.isfinite(once.rotations).all()
    np.testing.assert_allclose(np.linalg.norm(once.rotations, axis=-1), 1, atol=1e-12)
    twice = clamp(limits, skeleton, once)
    assert quaternion.angle_between(once.rotations, twice.rotations).max() < 1e-12
    assert violations(limits, skeleton, once).max() < 1e-12
    np.testing.assert_array_equal(once.rotations[:, 0], pose.rotations[:, 0])


@law
@given(generators)
def test_small_changes_stay_small(rng: np.random.Generator) -> None:
    skeleton, limits = every_kind(rng)
    rotations = critical(rng, skeleton, limits, 500)
    step = 1e-9
    beside = quaternion.multiply(rotations, quaternion.exp(rng.normal(size=(500, 4, 3)) * step))
    apart = quaternion.angle_between(
        clamp(limits, skeleton, turned(rotations)).rotations, clamp(limits, skeleton, turned(beside)).rotations
    )
    # A jump would be of the order of one radian: a hundred million times the step.
    assert apart.max() < 1000 * step * 5


@law
@given(generators)
def test_what_is_inside_stays(rng: np.random.Generator) -> None:
    skeleton, limits = every_kind(rng)
    inside = np.empty((100, 4, 4))
    inside[:, 0] = quaternion.random(rng, (100,))
    ranges, second = limits.ranges, limits.second_ranges
    first = rng.uniform(ranges[:, 0], ranges[:, 1], (100, 4))
    by_first = quaternion.from_axis_angle(limits.axes, first)
    inside[:, 1] = by_first[:, 1]
    by_second = quaternion.from_axis_angle(limits.second_axes[2], rng.uniform(*second[2], 100))
    inside[:, 2] = quaternion.multiply(by_first[:, 2], by_second)
    angle, part = rng.uniform(0, 2 * np.pi, 100), np.sqrt(rng.random(100))
    u, v = second[3, 0] * part * np.cos(angle), second[3, 1] * part * np.sin(angle)
    third = np.cross(limits.axes[3], limits.second_axes[3])
    swing = quaternion.exp(u[:, None] * limits.second_axes[3] + v[:, None] * third)
    inside[:, 3] = quaternion.multiply(swing, by_first[:, 3])
    pose = turned(quaternion.multiply(skeleton.rest_rotations, inside))
    np.testing.assert_allclose(clamp(limits, skeleton, pose).rotations, pose.rotations, atol=1e-12)
    assert violations(limits, skeleton, pose).max() < 1e-11


@law
@given(generators)
def test_results_obey_the_limits(rng: np.random.Generator) -> None:
    skeleton, limits = every_kind(rng)
    held = clamp(limits, skeleton, turned(critical(rng, skeleton, limits, 100))).rotations
    delta = quaternion.multiply(quaternion.conjugate(skeleton.rest_rotations), held)
    swing, _ = swing_twist.decompose(delta[:, 1], limits.axes[1])
    assert quaternion.angle(swing).max() < 1e-9
    swing, twist = swing_twist.decompose(delta[:, 3], limits.axes[3])
    half = np.maximum(limits.second_ranges[3], 1e-9)
    vector = quaternion.log(swing)
    third = np.cross(limits.axes[3], limits.second_axes[3])
    reach = np.hypot(vector @ limits.second_axes[3] / half[0], vector @ third / half[1])
    assert reach[half.min() > 0.01].max(initial=0) < 1 + 1e-6
    angles = 2 * np.arctan2(twist[:, :3] @ limits.axes[3], twist[:, 3])
    middle, width = limits.ranges[3].mean(), np.ptp(limits.ranges[3]) / 2
    assert np.abs(np.remainder(angles - middle + np.pi, 2 * np.pi) - np.pi).max() < width + 1e-9


def test_a_knee_in_numbers() -> None:
    skeleton = Skeleton("a", [-1], np.zeros((1, 3)))
    limits = Limits.from_joints(1, {0: Hinge(X, 0.0, 2.0)})
    for angle, expected in ((1.0, 1.0), (2.5, 2.0), (-0.5, 0.0), (1 + np.pi, 1.0)):
        pose = turned(quaternion.from_axis_angle(X, angle)[None])
        held = clamp(limits, skeleton, pose)
        assert swing_twist.twist_angle(held.rotations[0], X) == pytest.approx(expected)
    sideways = turned(quaternion.from_axis_angle(Y, 0.3)[None])
    assert violations(limits, skeleton, sideways)[0] == pytest.approx(0.3)


def test_wide_ranges_leave_everything() -> None:
    rng = np.random.default_rng(1)
    skeleton = Skeleton("ab", [-1, 0], np.zeros((2, 3)))
    axis, second, _ = frame(rng)
    limits = Limits.from_joints(2, {1: Ball(axis, (np.pi, np.pi), -np.pi, np.pi, second)})
    pose = turned(quaternion.random(rng, (500, 2)))
    assert violations(limits, skeleton, pose).max() < 1e-11


@law
@given(generators)
def test_circle(rng: np.random.Generator) -> None:
    low, high = span(rng, 3)
    angle = rng.uniform(-10, 10, 200)
    held = hold_on_circle(angle, np.float64(low), np.float64(high))
    assert np.all((held >= low - 1e-12) & (held <= high + 1e-12))
    again = hold_on_circle(angle + 2 * np.pi, np.float64(low), np.float64(high))
    np.testing.assert_allclose(held, again, atol=1e-9)


@law
@given(generators)
def test_nearest_point_of_an_ellipse(rng: np.random.Generator) -> None:
    half = np.exp(rng.normal(0, 1, 2))
    points = rng.normal(0, 4, (50, 2))
    found = nearest_in_ellipse(points, half)
    rim = half * np.stack([np.cos(t := np.linspace(0, 2 * np.pi, 20_001)), np.sin(t)], -1)
    inside = np.sum((points / half) ** 2, -1) <= 1
    np.testing.assert_array_equal(found[inside], points[inside])
    best = np.array([np.linalg.norm(rim - point, axis=1).min() for point in points[~inside]])
    distance = np.linalg.norm(found[~inside] - points[~inside], axis=1)
    assert np.all(distance <= best + 1e-12)
    np.testing.assert_allclose(np.sum((found[~inside] / half) ** 2, -1), 1, atol=1e-9)


def test_a_flat_ellipse_is_a_line() -> None:
    found = nearest_in_ellipse(np.array([[0.5, 1e-6], [3, 1]]), np.array([1.0, 0]))
    np.testing.assert_allclose(found, [[0.5, 0], [1, 0]], atol=1e-6)


def test_limits_of_joints_come_back() -> None:
    given_limits: dict[int, JointLimit] = {
        0: Free(),
        1: Hinge(X, -1.0, 2.0),
        2: Pivot(X, -1.0, 1.0, Y, -0.5, 0.5),
        3: Ball(X, (0.5, 1.0), -1.0, 1.0, Y),
    }
    limits = Limits.from_joints(5, given_limits)
    assert {joint: limits.of(joint) for joint in range(5)} == {**given_limits, 4: Free()}
    for name in ("kinds", "axes", "second_axes", "ranges", "second_ranges"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(limits, name)[0] = 0


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (Hinge((1, 1, 0), -1, 1), "axis of the limit of joint 0 has length 1.41421; expected 1"),
        (Hinge(X, 1, -1), "limit of joint 0 runs from 1 to -1; expected low ≤ high"),
        (Hinge(X, 0, np.nan), "ranges of limits holds 1 value that are not finite numbers"),
        (Pivot(X, -1, 1, (0, 2, 0), -1, 1), "second axis of the limit of joint 0 has length 2; expected 1"),
        (Pivot(X, -1, 1, X, -1, 1), "second axis of the limit of joint 0 is not across the first"),
        (
            Pivot(X, -1, 1, Y, -4, 1),
            "second range of the limit of joint 0 is -4 to 1; expected low ≤ high within half a circle either way",
        ),
        (Ball(X, (-1, 1), -1, 1, Y), "swing of the limit of joint 0 is -1 and 1; expected 0 to half a circle"),
        (Ball(X, (1, 4), -1, 1, Y), "swing of the limit of joint 0 is 1 and 4; expected 0 to half a circle"),
    ],
)
def test_bad_limits(limit: JointLimit, message: str) -> None:
    with pytest.raises(InputError, match=exactly(message)):
        Limits.from_joints(1, {0: limit})


def test_limits_that_do_not_fit() -> None:
    with pytest.raises(InputError, match=exactly("a limit is given for joint 3; expected 0 to 1")):
        Limits.from_joints(2, {3: Free()})
    with pytest.raises(InputError, match=exactly("limit of joint 0 is of kind 7; expected 0 to 3")):
        Limits([7], [X], [Y], [[0, 1]], [[0, 1]])  # type: ignore[arg-type,list-item]
    with pytest.raises(InputError, match=exactly("axes of limits has shape (1, 2); expected (1, 3)")):
        Limits([0], [[1, 0]], [Y], [[0, 1]], [[0, 1]])  # type: ignore[arg-type,list-item]
    skeleton = Skeleton("ab", [-1, 0], np.zeros((2, 3)))
    with pytest.raises(InputError, match="limits are for 1 joints, the pose for 2; skeleton 'skeleton' has 2"):
        clamp(Limits.from_joints(1, {}), skeleton, Pose.rest(skeleton))
