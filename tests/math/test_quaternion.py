"""The laws of rotations, and scipy's answers where it has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from mummer.errors import InputError
from mummer.math import quaternion
from tests.math.helpers import assert_same_rotations, generators, law, rotation_pairs, rotations


def flat(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q.reshape(-1, 4))


@law
@given(rotations((5,)), rotations((4, 1)), rotations((4, 5)))
def test_group(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    product = quaternion.multiply
    assert product(a, b).shape == (4, 5, 4)
    np.testing.assert_allclose(product(product(a, b), c), product(a, product(b, c)), atol=1e-14)
    np.testing.assert_array_equal(product(a, quaternion.IDENTITY), a)
    np.testing.assert_array_equal(product(quaternion.IDENTITY, a), a)
    assert_same_rotations(product(a, quaternion.inverse(a)), np.broadcast_to(quaternion.IDENTITY, a.shape))
    np.testing.assert_allclose(
        quaternion.conjugate(product(a, b)), product(quaternion.conjugate(b), quaternion.conjugate(a))
    )


@law
@given(rotation_pairs())
def test_products_inverses_and_angles_are_those_of_scipy(pair: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = pair
    assert_same_rotations(quaternion.multiply(a, b).reshape(-1, 4), (flat(a) * flat(b)).as_quat())
    assert_same_rotations(quaternion.inverse(a).reshape(-1, 4), flat(a).inv().as_quat())
    np.testing.assert_allclose(quaternion.angle(a).ravel(), flat(a).magnitude(), atol=1e-12)
    between = (flat(a).inv() * flat(b)).magnitude()
    np.testing.assert_allclose(quaternion.angle_between(a, b).ravel(), between, atol=1e-12)


@law
@given(rotations(), generators)
def test_vectors_turn_as_with_scipy(q: np.ndarray, rng: np.random.Generator) -> None:
    vectors = rng.standard_normal((*q.shape[:-1], 3))
    turned = quaternion.rotate(q, vectors)
    np.testing.assert_allclose(turned.reshape(-1, 3), flat(q).apply(vectors.reshape(-1, 3)), atol=1e-12)
    np.testing.assert_allclose(quaternion.rotate(quaternion.conjugate(q), turned), vectors, atol=1e-12)
    by_matrix = np.einsum("...ij,...j->...i", quaternion.to_matrix(q), vectors)
    np.testing.assert_allclose(turned, by_matrix, atol=1e-12)


def test_rotation_of_a_product_is_the_product_of_rotations() -> None:
    rng = np.random.default_rng(1)
    a, b = quaternion.random(rng, (7, 1)), quaternion.random(rng, 5)
    v = rng.standard_normal((5, 3))
    once = quaternion.rotate(quaternion.multiply(a, b), v)
    np.testing.assert_allclose(once, quaternion.rotate(a, quaternion.rotate(b, v)), atol=1e-13)
    assert once.shape == (7, 5, 3)


@law
@given(rotations())
def test_matrices_go_both_ways(q: np.ndarray) -> None:
    matrices = quaternion.to_matrix(q)
    np.testing.assert_allclose(matrices.reshape(-1, 3, 3), flat(q).as_matrix().reshape(-1, 3, 3), atol=1e-12)
    back = quaternion.from_matrix(matrices)
    assert np.all(back[..., 3] >= 0)
    assert_same_rotations(back, q)
    assert_same_rotations(back.reshape(-1, 4), Rotation.from_matrix(matrices.reshape(-1, 3, 3)).as_quat())


@law
@given(rotations(), st.sampled_from([1e-300, 1e-20, 1.0, 1e20, 1e300]))
def test_normalize_takes_any_length(q: np.ndarray, size: float) -> None:
    np.testing.assert_allclose(quaternion.normalize(q * size), q, atol=1e-14)


def test_normalize_and_inverse_of_zero_are_the_identity() -> None:
    np.testing.assert_array_equal(quaternion.normalize(np.zeros((2, 4))), np.tile(quaternion.IDENTITY, (2, 1)))
    np.testing.assert_array_equal(quaternion.inverse(np.zeros(4)), quaternion.IDENTITY)


def test_inverse_of_any_length_undoes() -> None:
    q = np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_allclose(quaternion.multiply(q, quaternion.inverse(q)), quaternion.IDENTITY, atol=1e-15)


@law
@given(rotations())
def test_axis_and_angle_go_both_ways(q: np.ndarray) -> None:
    axis, angle = quaternion.to_axis_angle(q)
    np.testing.assert_allclose(np.linalg.norm(axis, axis=-1), 1, atol=1e-14)
    assert np.all((angle >= 0) & (angle <= np.pi))
    assert_same_rotations(quaternion.from_axis_angle(axis * 7, angle), q)


def test_axis_without_turn_and_turn_without_axis() -> None:
    axis, angle = quaternion.to_axis_angle(-quaternion.IDENTITY)
    np.testing.assert_array_equal(axis, [1, 0, 0])
    assert angle == 0
    np.testing.assert_array_equal(quaternion.from_axis_angle([0, 0, 0], 2.0), quaternion.IDENTITY)
    some = quaternion.from_axis_angle([[0, 0, 0], [0, 2, 0]], np.pi)
    np.testing.assert_allclose(some, [[0, 0, 0, 1], [0, 1, 0, 0]], atol=1e-15)


@law
@given(rotation_pairs())
def test_hemispheres_and_equality_up_to_sign(pair: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = pair
    aligned = quaternion.same_hemisphere(b, a)
    assert np.all(quaternion.dot(aligned, a) >= 0)
    assert np.all(quaternion.equal_rotations(aligned, b))
    assert np.all(quaternion.equal_rotations(-a, a))
    turned = quaternion.multiply(a, quaternion.exp([0, 1e-6, 0]))
    assert not np.any(quaternion.equal_rotations(turned, a))
    assert np.all(quaternion.equal_rotations(turned, a, tolerance=1.1e-6))


@pytest.mark.parametrize("axis", [0, 1, -2])
def test_continuous_has_no_flips_and_keeps_the_rotations(axis: int) -> None:
    rng = np.random.default_rng(3)
    path = quaternion.exp(np.linspace(0, 20, 50)[:, None, None] * rng.standard_normal((1, 6, 3)))
    q = np.swapaxes(path, 0, axis) * rng.choice([-1.0, 1.0], np.swapaxes(path, 0, axis).shape[:-1])[..., None]
    smooth = np.swapaxes(quaternion.continuous(q, axis=axis), 0, axis)
    assert np.all(quaternion.dot(smooth[1:], smooth[:-1]) > 0)
    np.testing.assert_array_equal(smooth[0], np.swapaxes(q, 0, axis)[0])
    assert_same_rotations(smooth, path)


def test_random_is_uniform_and_repeatable() -> None:
    q = quaternion.random(np.random.default_rng(5), 20000)
    np.testing.assert_array_equal(q, quaternion.random(np.random.default_rng(5), (20000,)))
    # Of uniform rotations the angle has the density (1 - cos) / pi, whose mean is pi / 2 + 2 / pi.
    assert abs(quaternion.angle(q).mean() - (np.pi / 2 + 2 / np.pi)) < 0.02
    np.testing.assert_allclose(quaternion.rotate(q, [0, 0, 1]).mean(axis=0), 0, atol=0.02)


def test_float32_stays_float32() -> None:
    a = quaternion.random(np.random.default_rng(0), 3).astype(np.float32)
    v = np.ones((3, 3), np.float32)
    for result in (
        quaternion.multiply(a, a),
        quaternion.conjugate(a),
        quaternion.inverse(a),
        quaternion.normalize(a),
        quaternion.rotate(a, v),
        quaternion.angle(a),
        quaternion.exp(v),
        quaternion.log(a),
        quaternion.log_near(a, v),
        quaternion.power(a, 0.5),
        quaternion.to_matrix(a),
        quaternion.from_matrix(quaternion.to_matrix(a)),
        quaternion.from_axis_angle(v, 0.5),
        quaternion.to_axis_angle(a)[0],
        quaternion.between_vectors(v, -v),
        quaternion.look_rotation(v, v),
        quaternion.continuous(a),
        quaternion.angular_velocity(a, np.arange(3, dtype=np.float32)),
    ):
        assert result.dtype == np.float32
    assert quaternion.multiply(a, a.astype(np.float64)).dtype == np.float64
    assert quaternion.multiply([0, 0, 0, 1], [0, 0, 0, 1]).dtype == np.float64


def test_arguments_are_left_alone() -> None:
    q = quaternion.random(np.random.default_rng(0), 4)
    kept = q.copy()
    q.flags.writeable = False
    for function in (
        quaternion.normalize,
        quaternion.inverse,
        quaternion.log,
        quaternion.continuous,
        quaternion.to_matrix,
    ):
        function(q)
    np.testing.assert_array_equal(q, kept)
    with pytest.raises(ValueError, match="read-only"):
        quaternion.IDENTITY[0] = 1


@pytest.mark.parametrize("function", [quaternion.conjugate, quaternion.normalize, quaternion.log, quaternion.angle])
def test_wrong_shapes_are_named(function: object) -> None:
    with pytest.raises(InputError, match=r"a quaternion has shape \(3,\); expected \(\.\.\., 4\)"):
        function([1, 2, 3])


def test_other_wrong_inputs() -> None:
    with pytest.raises(InputError, match=r"a vector has shape \(4,\)"):
        quaternion.rotate([0, 0, 0, 1], [1, 2, 3, 4])
    with pytest.raises(InputError, match=r"a rotation matrix has shape \(4, 4\)"):
        quaternion.from_matrix(np.eye(4))
    with pytest.raises(InputError, match="axis 1 is no leading axis"):
        quaternion.continuous(np.ones((2, 4)), axis=1)
