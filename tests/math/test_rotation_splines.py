"""Curves of rotations: exact at knots, no jump of angular velocity, and what they are about one axis."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline

from mummer.errors import InputError
from mummer.math import interpolate, quaternion, splines
from tests.math.helpers import assert_same_rotations, generators, law

BOTH = [splines.squad, splines.spherical_cubic]
Curve = Callable[..., np.ndarray]


def path(
    rng: np.random.Generator, count: int, step: float = 1.2, shape: tuple[int, ...] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Uneven times and rotations that turn by at most ``step`` from knot to knot, with signs at random."""
    times = np.cumsum(rng.uniform(0.2, 1, count))
    q = [quaternion.random(rng, shape)]
    for _ in range(count - 1):
        q.append(quaternion.multiply(q[-1], quaternion.exp(step / np.sqrt(3) * rng.uniform(-1, 1, (*shape, 3)))))
    return times, np.stack(q) * rng.choice([-1.0, 1.0], (count, *shape, 1))


def velocity(curve: Curve, times: np.ndarray, q: np.ndarray, at: np.ndarray, step: float) -> np.ndarray:
    """Angular velocity in the parent's frame by a one-sided difference: forward if ``step`` is positive."""
    turn = quaternion.multiply(curve(times, q, at + step), quaternion.conjugate(curve(times, q, at)))
    return quaternion.log(turn) / step


@pytest.mark.parametrize("curve", BOTH)
@law
@given(rng=generators, count=st.integers(1, 7), shape=st.sampled_from([(), (2,), (2, 3)]))
def test_knots_are_exact_and_ends_hold(
    curve: Curve, rng: np.random.Generator, count: int, shape: tuple[int, ...]
) -> None:
    times, q = path(rng, count, 3.0, shape)
    assert_same_rotations(curve(times, q, times), q)
    assert_same_rotations(curve(times, q, [times[0] - 1, times[-1] + 1]), q[[0, -1]])
    assert curve(times, q, np.zeros((3, 2))).shape == (3, 2, *shape, 4)


@pytest.mark.parametrize("curve", BOTH)
@law
@given(rng=generators)
def test_angular_velocity_does_not_jump_at_knots(curve: Curve, rng: np.random.Generator) -> None:
    times, q = path(rng, 6)
    before = velocity(curve, times, q, times[1:-1], -1e-6)
    after = velocity(curve, times, q, times[1:-1], 1e-6)
    np.testing.assert_allclose(before, after, atol=1e-3)
    np.testing.assert_allclose(
        after,
        quaternion.rotate(q, quaternion.angular_velocity(quaternion.continuous(q), times, frame="joint"))[1:-1],
        atol=1e-3,
    )


def test_slerp_between_knots_does_jump() -> None:
    """The same measurement sees the corners of piecewise slerp, so the test above can fail."""
    times, q = path(np.random.default_rng(0), 6)

    def corners(knots: np.ndarray, values: np.ndarray, at: np.ndarray) -> np.ndarray:
        segments = splines.locate(knots, at)
        return interpolate.slerp(values[segments.before], values[segments.after], segments.part)

    jump = velocity(corners, times, q, times[1:-1], 1e-6) - velocity(corners, times, q, times[1:-1], -1e-6)
    assert np.abs(jump).max() > 0.5


@pytest.mark.parametrize("curve", BOTH)
@law
@given(rng=generators)
def test_curves_turn_with_their_knots(curve: Curve, rng: np.random.Generator) -> None:
    times, q = path(rng, 5)
    turn = quaternion.random(rng)
    at = np.linspace(times[0], times[-1], 30)
    assert_same_rotations(
        curve(times, quaternion.multiply(turn, q), at), quaternion.multiply(turn, curve(times, q, at)), 1e-11
    )
    assert_same_rotations(
        curve(times, quaternion.multiply(q, turn), at), quaternion.multiply(curve(times, q, at), turn), 1e-11
    )


@pytest.mark.parametrize("curve", BOTH)
@law
@given(rng=generators)
def test_curves_run_backward_the_same(curve: Curve, rng: np.random.Generator) -> None:
    times, q = path(rng, 5)
    at = np.linspace(times[0], times[-1], 30)
    there, back = curve(times, q, at), curve(-times[::-1], q[::-1], -at)
    if curve is splines.squad:
        assert_same_rotations(there, back, 1e-11)
    else:
        # The product of three turns is not symmetric, but nearly so.
        np.testing.assert_array_less(quaternion.angle_between(there, back), 0.2)


@law
@given(generators)
def test_about_one_axis_the_spherical_cubic_is_the_cubic(rng: np.random.Generator) -> None:
    times = np.cumsum(rng.uniform(0.2, 1, 5))
    angles, rates = np.cumsum(rng.uniform(-1, 1, 5)), rng.uniform(-1, 1, 5)
    axis = np.array([2.0, 3.0, -6.0]) / 7
    at = np.linspace(times[0], times[-1], 50)
    found = splines.spherical_cubic(
        times, quaternion.from_axis_angle(axis, angles), at, angular_velocities=rates[:, None] * axis
    )
    expected = CubicHermiteSpline(times, angles, rates)(at)
    assert_same_rotations(found, quaternion.from_axis_angle(axis, expected))


@law
@given(generators)
def test_given_velocities_are_met_in_the_parents_frame(rng: np.random.Generator) -> None:
    times, q = path(rng, 4)
    given_rates = rng.uniform(-1, 1, (4, 3))

    def curve(knots: np.ndarray, values: np.ndarray, at: np.ndarray) -> np.ndarray:
        return splines.spherical_cubic(knots, values, at, angular_velocities=given_rates)

    np.testing.assert_allclose(velocity(curve, times, q, times[:-1], 1e-6), given_rates[:-1], atol=1e-4)
    np.testing.assert_allclose(velocity(curve, times, q, times[1:], -1e-6), given_rates[1:], atol=1e-4)


def test_squad_at_even_times_is_shoemakes() -> None:
    rng = np.random.default_rng(2)
    _, q = path(rng, 4, 0.8)
    q = quaternion.continuous(q)

    def control(before: np.ndarray, knot: np.ndarray, after: np.ndarray) -> np.ndarray:
        inverse = quaternion.conjugate(knot)
        logs = quaternion.log(quaternion.multiply(inverse, before)) + quaternion.log(
            quaternion.multiply(inverse, after)
        )
        return quaternion.multiply(knot, quaternion.exp(-logs / 4))

    t = np.linspace(0, 1, 11)
    through = interpolate.slerp(q[1], q[2], t)
    beside = interpolate.slerp(control(q[0], q[1], q[2]), control(q[1], q[2], q[3]), t)
    expected = interpolate.slerp(through, beside, 2 * t * (1 - t))
    assert_same_rotations(splines.squad(np.arange(4), q, 1 + t), expected)


@pytest.mark.parametrize("curve", BOTH)
def test_a_constant_turn_stays_constant(curve: Curve) -> None:
    times = np.array([0, 0.1, 0.5, 0.6, 1.3])
    spin = np.array([0.4, -1.0, 2.0])
    at = np.linspace(0, 1.3, 40)
    assert_same_rotations(curve(times, quaternion.exp(times[:, None] * spin), at), quaternion.exp(at[:, None] * spin))


def test_float32_and_wrong_inputs() -> None:
    q = np.tile(quaternion.IDENTITY, (3, 1)).astype(np.float32)
    times = np.arange(3, dtype=np.float32)
    for curve in BOTH:
        assert curve(times, q, 0.5).dtype == np.float32
        with pytest.raises(InputError, match=r"quaternions have shape \(3, 3\); expected \(3, \.\.\., 4\)"):
            curve(times, q[:, :3], 0)
        with pytest.raises(InputError, match="must increase"):
            curve([0, 0, 1], q, 0)
        with pytest.raises(InputError, match=r"quaternions have shape \(2, 4\)"):
            curve(times, q[:2], 0)
    with pytest.raises(InputError, match=r"angular_velocities have shape \(3,\); expected \(3, 3\)"):
        splines.spherical_cubic(times, q, 0, angular_velocities=[0, 0, 0])
