"""Blends: independent of order and sign, and equal to scipy's mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.transform import Rotation

from mummer.errors import InputError
from mummer.math import interpolate, quaternion
from mummer.math.blend import blend, blend_near
from tests.math.helpers import assert_same_rotations, generators, law, rotations


def cluster(rng: np.random.Generator, shape: tuple[int, ...], spread: float) -> np.ndarray:
    middle = quaternion.random(rng, (*shape[:-1], 1))
    return quaternion.multiply(middle, quaternion.exp(spread * rng.uniform(-1, 1, (*shape, 3))))


@law
@given(generators)
def test_order_and_signs_do_not_matter(rng: np.random.Generator) -> None:
    q, weights = cluster(rng, (3, 6), 1.0), rng.uniform(0.1, 1, (3, 6))
    order, signs = rng.permutation(6), rng.choice([-1.0, 1.0], (3, 6, 1))
    shuffled = (q * signs)[:, order], weights[:, order]
    assert_same_rotations(blend(*shuffled), blend(q, weights))
    reference = q[:, 0]
    assert_same_rotations(blend_near(*shuffled, reference), blend_near(q, weights, reference))


@law
@given(generators)
def test_blend_is_the_mean_of_scipy(rng: np.random.Generator) -> None:
    q, weights = cluster(rng, (7,), 1.5), rng.uniform(0, 1, 7)
    assert_same_rotations(blend(q, weights), Rotation.from_quat(q).mean(weights).as_quat())
    assert_same_rotations(blend(q), Rotation.from_quat(q).mean().as_quat())


@law
@given(rotations((4,)))
def test_blend_of_equals_is_that_rotation(q: np.ndarray) -> None:
    same = np.stack([q, -q, q], axis=1)
    assert_same_rotations(blend(same, [0.2, 0.5, 0.3]), q)
    assert_same_rotations(blend_near(same, [0.2, 0.5, 0.3], q), q)


@law
@given(generators)
def test_blend_moves_with_what_is_blended(rng: np.random.Generator) -> None:
    q, turn = cluster(rng, (5,), 1.0), quaternion.random(rng)
    assert_same_rotations(blend(quaternion.multiply(turn, q)), quaternion.multiply(turn, blend(q)))
    assert_same_rotations(blend(quaternion.multiply(q, turn)), quaternion.multiply(blend(q), turn))


def test_two_equal_shares_meet_in_the_middle() -> None:
    a, b = quaternion.random(np.random.default_rng(2), 2)
    middle = interpolate.slerp(a, b, 0.5)
    assert_same_rotations(blend([a, b]), middle)
    assert_same_rotations(blend_near([a, b], [0.5, 0.5], middle), middle)


def test_blends_agree_near_the_reference() -> None:
    q = cluster(np.random.default_rng(4), (50, 4), 0.05)
    difference = quaternion.angle_between(blend(q), blend_near(q, np.full(4, 0.25), q[:, 0]))
    assert difference.max() < 1e-4


def test_what_weights_lack_stays_with_the_reference() -> None:
    reference, q = quaternion.exp([[0.1, 0, 0], [0.1, 0.8, 0]])
    assert_same_rotations(blend_near([q], [0.25], reference), interpolate.slerp(reference, q, 0.25))
    assert_same_rotations(blend_near([q], [-1.0], reference), interpolate.slerp(reference, q, -1))


def test_any_axis_can_be_blended_over() -> None:
    rng = np.random.default_rng(6)
    q, weights = cluster(rng, (2, 3, 5), 0.5), rng.uniform(0.1, 1, (2, 3, 5))
    expected = blend(q, weights)
    for axis in (0, 1, 2, -4, -2):
        place = axis % 4 if axis < 0 else axis
        moved, shares = np.moveaxis(q, 2, place), np.moveaxis(weights, 2, place)
        assert_same_rotations(blend(moved, shares, axis=axis), expected)
        assert_same_rotations(blend_near(moved, shares, expected, axis=axis), blend_near(q, weights, expected))


def test_opposite_rotations_still_give_a_rotation() -> None:
    half_turns = quaternion.exp([[0, 0, 0], [0, np.pi, 0]])
    assert abs(quaternion.dot(blend(half_turns), blend(half_turns)) - 1) < 1e-14
    # Half turns about X and Y: w is zero, so the sign is chosen by the next component.
    crossed = blend([[1.0, 0, 0, 0], [0, 1.0, 0, 0]], [1, 2])
    np.testing.assert_allclose(crossed, [0, 1, 0, 0], atol=1e-15)


def test_float32_stays_float32() -> None:
    q = cluster(np.random.default_rng(0), (3, 2), 0.5).astype(np.float32)
    assert blend(q, [1, 2]).dtype == np.float32
    assert blend_near(q, [0.5, 0.5], q[:, 0]).dtype == np.float32


@pytest.mark.parametrize("weights", [[0, 0], [-1, 2], [np.nan, 1], [np.inf, 1]])
def test_weights_that_mean_nothing(weights: list[float]) -> None:
    with pytest.raises(InputError, match="weights of a blend must be finite, not negative, and not all zero"):
        blend(np.tile(quaternion.IDENTITY, (2, 1)), weights)


def test_wrong_shapes() -> None:
    q = np.tile(quaternion.IDENTITY, (5, 2, 1))
    with pytest.raises(InputError, match=r"weights have shape \(3,\); expected \(2,\) or \(5, 2\)"):
        blend(q, [1, 1, 1])
    with pytest.raises(InputError, match="axis 2 of rotations with shape"):
        blend(q, axis=2)
    with pytest.raises(InputError, match="holds nothing to blend"):
        blend(np.zeros((0, 4)))
    with pytest.raises(InputError, match="the reference of a blend has shape"):
        blend_near(q, [1, 1], [0, 0, 1])
