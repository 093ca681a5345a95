"""Compiled arithmetic on rows of quaternions agrees with numpy's, whatever shapes it is given."""

import numpy as np
import pytest
from hypothesis import given as whatever
from hypothesis import strategies as st

from mummer.kernels import quaternions
from mummer.math import interpolate, quaternion

SHAPES = [((5,), (5,)), ((5,), ()), ((), (5,)), ((), ()), ((2, 3), (2, 3)), ((4, 1), (1, 3)), ((0,), (0,))]


@pytest.mark.parametrize(("first", "second"), SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_products_and_turns_as_in_numpy(first: tuple[int, ...], second: tuple[int, ...], dtype: str) -> None:
    rng = np.random.default_rng(1)
    a, b = (quaternion.random(rng, shape).astype(dtype) for shape in (first, second))
    v = rng.normal(size=(*second, 3)).astype(dtype)
    for ours, numpys, given in (
        (quaternions.multiply, quaternion.multiply, b),
        (quaternions.rotate, quaternion.rotate, v),
    ):
        found, expected = ours(a, given), numpys(a, given)
        assert found.shape == expected.shape
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, atol=1e-14 if dtype == "float64" else 1e-6)


@whatever(st.integers(0, 2**32), st.floats(1e-12, 20.0))
def test_exponentials_and_logarithms_as_in_numpy(seed: int, size: float) -> None:
    vectors = size * np.random.default_rng(seed).normal(size=(7, 3))
    turned = quaternions.exp(vectors)
    np.testing.assert_allclose(turned, quaternion.exp(vectors), atol=1e-14)
    np.testing.assert_allclose(quaternions.log(turned), quaternion.log(turned), atol=1e-12)
    np.testing.assert_array_equal(quaternions.conjugate(turned), quaternion.conjugate(turned))


@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_between_directions_as_in_numpy(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(*first, 3)), rng.normal(size=(*second, 3))
    np.testing.assert_allclose(quaternions.between_vectors(a, b), quaternion.between_vectors(a, b), atol=1e-14)


def test_between_opposite_and_absent_directions_as_in_numpy() -> None:
    start = np.array([[1.0, 0, 0], [0, 2, 0], [0, 0, 3], [1, 2, 3], [-3, 1, 1], [0, 0, 0], [1, 0, 0], [1, 1e-9, 0]])
    end = np.concatenate([-2 * start[:5], [[1.0, 0, 0], [0, 0, 0], [-1, 0, 0]]])
    np.testing.assert_allclose(
        quaternions.between_vectors(start, end), quaternion.between_vectors(start, end), atol=1e-12
    )


@whatever(st.integers(0, 2**32), st.floats(0, 1))
def test_ways_between_rotations_as_in_numpy(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    a, b = quaternion.random(rng, 6), quaternion.random(rng, 6)
    b[0], b[1], b[2] = a[0], -a[1], quaternion.multiply(a[2], [1e-9, 0, 0, 1])
    shares = np.full(6, share)
    np.testing.assert_allclose(quaternions.slerp(a, b, shares), interpolate.slerp(a, b, shares), atol=1e-12)
    np.testing.assert_allclose(quaternions.slerp(a[3], b, shares), interpolate.slerp(a[3], b, shares), atol=1e-12)


def test_shapes_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        quaternions.multiply(np.ones((2, 4)), np.ones((3, 4)))


def test_no_turn_and_half_turns() -> None:
    whole = np.array([[0.0, 0, 0, 1], [0, 0, 0, -1], [1, 0, 0, 0], [0, -1, 0, 0]])
    np.testing.assert_allclose(quaternions.log(whole), quaternion.log(whole), atol=1e-15)
    np.testing.assert_array_equal(quaternions.exp(np.zeros((2, 3))), [[0, 0, 0, 1]] * 2)


def test_inputs_stay_and_strides_do_not_matter() -> None:
    many = quaternion.random(np.random.default_rng(3), (6, 4))
    many.setflags(write=False)
    np.testing.assert_allclose(
        quaternions.multiply(many[:, 1], many[::-1, 2]), quaternion.multiply(many[:, 1], many[::-1, 2]), atol=1e-15
    )


def test_not_a_number_stays_one() -> None:
    assert np.isnan(quaternions.multiply(np.full((2, 4), np.nan), np.ones((2, 4)))).all()
