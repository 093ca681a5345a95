"""Affine matrices, rigid pairs and dual quaternions say the same, and undo themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from mummer.errors import InputError
from mummer.math import dual_quaternion, quaternion, rigid, transform
from tests.math.helpers import assert_same_rotations, generators, law, rotations

Rng = np.random.Generator


def affine(rng: Rng, shape: tuple[int, ...] = (6,)) -> np.ndarray:
    """Any affine matrices: sheared, mirrored, but not flat."""
    linear = rng.standard_normal((*shape, 3, 3)) + 3 * np.eye(3)
    return np.concatenate([linear, rng.standard_normal((*shape, 3, 1))], axis=-1)


@law
@given(generators, rotations((6,)))
def test_composed_matrices_scale_then_turn_then_move(rng: Rng, q: np.ndarray) -> None:
    translation, scale, points = rng.standard_normal((3, 6, 3))
    matrices = transform.compose(translation, q, scale)
    expected = translation + quaternion.rotate(q, scale * points)
    np.testing.assert_allclose(transform.apply_to_points(matrices, points), expected, atol=1e-13)
    np.testing.assert_allclose(transform.apply_to_vectors(matrices, points), expected - translation, atol=1e-13)


@law
@given(generators, rotations((6,)))
def test_decompose_finds_what_was_composed(rng: Rng, q: np.ndarray) -> None:
    translation, scale = rng.standard_normal((6, 3)), rng.uniform(0.01, 100, (6, 3))
    found = transform.decompose(transform.compose(translation, q, scale))
    np.testing.assert_array_equal(found[0], translation)
    assert_same_rotations(found[1], q)
    np.testing.assert_allclose(found[2], scale, rtol=1e-13)
    np.testing.assert_array_less(found[3], 1e-13)


@law
@given(generators, rotations((6,)))
def test_reflections_go_into_the_scale(rng: Rng, q: np.ndarray) -> None:
    scale = rng.uniform(0.1, 10, (6, 3)) * rng.choice([-1.0, 1.0], (6, 3))
    matrices = transform.compose(np.zeros(3), q, scale)
    translation, turn, found, residual = transform.decompose(matrices)
    np.testing.assert_allclose(np.prod(found, axis=-1), np.prod(scale, axis=-1), rtol=1e-12)
    assert np.all(found[:, 1:] > 0)
    np.testing.assert_allclose(transform.compose(translation, turn, found), matrices, atol=1e-12)
    np.testing.assert_array_less(residual, 1e-13)


def test_shear_is_measured() -> None:
    amount = 0.01
    sheared = np.array([[1, amount, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
    t, q, s, residual = transform.decompose(np.stack([sheared, np.eye(3, 4)]))
    lost = np.linalg.norm((sheared - transform.compose(t, q, s)[0])[:, :3]) / np.linalg.norm(sheared[:, :3])
    np.testing.assert_allclose(residual, [lost, 0], atol=1e-15)
    # A shear is half a turn of the axes and half a stretch across them.
    assert abs(residual[0] - amount / np.sqrt(2) / np.sqrt(3)) < 1e-4


@law
@given(generators)
def test_decompose_of_anything_is_finite_and_proper(rng: Rng) -> None:
    matrices = rng.standard_normal((20, 3, 4)) * rng.choice([0.0, 1e-8, 1.0], (20, 1, 4))
    t, q, s, residual = transform.decompose(matrices)
    np.testing.assert_allclose(quaternion.dot(q, q), 1, atol=1e-12)
    assert all(np.all(np.isfinite(part)) for part in (t, q, s, residual))
    assert np.all((residual >= 0) & (residual <= 1))


@pytest.mark.parametrize("scale", [[0, 1, 2], [1, 0, 0], [0, 0, 0]])
def test_flat_scales_come_back(scale: list[float]) -> None:
    matrix = transform.compose([1, 2, 3], quaternion.exp([0.1, 0.5, 2]), scale)
    t, q, s, residual = transform.decompose(matrix)
    np.testing.assert_allclose(np.abs(s), scale, atol=1e-14)
    np.testing.assert_allclose(transform.compose(t, q, s), matrix, atol=1e-14)
    assert residual < 1e-14


@law
@given(generators)
def test_products_and_inverses_are_those_of_4x4_matrices(rng: Rng) -> None:
    a, b = affine(rng, (4, 1)), affine(rng, (5,))
    product = transform.multiply(a, b)
    np.testing.assert_allclose(transform.to_4x4(product), transform.to_4x4(a) @ transform.to_4x4(b), atol=1e-12)
    np.testing.assert_allclose(transform.multiply(transform.inverse(b), b), np.tile(np.eye(3, 4), (5, 1, 1)), atol=1e-9)
    points = rng.standard_normal((5, 3))
    twice = transform.apply_to_points(a, transform.apply_to_points(b, points))
    np.testing.assert_allclose(transform.apply_to_points(product, points), twice, atol=1e-12)
    np.testing.assert_array_equal(transform.from_4x4(transform.to_4x4(a)), a)


@law
@given(generators, rotations((6,)), rotations((6,)))
def test_rigid_pairs_matrices_and_dual_quaternions_agree(rng: Rng, q: np.ndarray, r: np.ndarray) -> None:
    t, u, points = rng.standard_normal((3, 6, 3))
    moved, turned = rigid.multiply(t, q, u, r)
    matrices = transform.multiply(transform.compose(t, q), transform.compose(u, r))
    np.testing.assert_allclose(transform.compose(moved, turned), matrices, atol=1e-13)
    np.testing.assert_allclose(
        rigid.apply(moved, turned, points), transform.apply_to_points(matrices, points), atol=1e-13
    )
    dual = dual_quaternion.multiply(dual_quaternion.from_rigid(t, q), dual_quaternion.from_rigid(u, r))
    found = dual_quaternion.to_rigid(dual)
    np.testing.assert_allclose(found[0], moved, atol=1e-13)
    assert_same_rotations(found[1], turned)
    inverse = transform.compose(*rigid.inverse(moved, turned))
    np.testing.assert_allclose(inverse, transform.inverse_rigid(matrices), atol=1e-13)
    np.testing.assert_allclose(inverse, transform.inverse(matrices), atol=1e-12)


@law
@given(generators, rotations((6,)))
def test_normalized_dual_quaternions_are_rigid(rng: Rng, q: np.ndarray) -> None:
    t = rng.standard_normal((6, 3))
    unit = dual_quaternion.from_rigid(t, q)
    np.testing.assert_allclose(dual_quaternion.normalize(unit * 5), unit, atol=1e-14)
    mixed = dual_quaternion.normalize(unit + 0.3 * rng.standard_normal((6, 8)))
    np.testing.assert_allclose(quaternion.dot(mixed[:, :4], mixed[:, :4]), 1, atol=1e-14)
    np.testing.assert_allclose(quaternion.dot(mixed[:, :4], mixed[:, 4:]), 0, atol=1e-14)
    translation, rotation = dual_quaternion.to_rigid(mixed)
    np.testing.assert_allclose(dual_quaternion.from_rigid(translation, rotation), mixed, atol=1e-13)


def test_nothing_left_of_a_dual_quaternion_is_the_identity() -> None:
    np.testing.assert_array_equal(dual_quaternion.normalize(np.zeros(8)), [0, 0, 0, 1, 0, 0, 0, 0])


def test_broadcasting_and_types() -> None:
    q = np.tile(quaternion.IDENTITY, (4, 1)).astype(np.float32)
    t = np.zeros((3, 1, 3), np.float32)
    matrices = transform.compose(t, q)
    assert matrices.shape == (3, 4, 3, 4)
    assert matrices.dtype == np.float64  # the default scale is a sequence of plain numbers
    narrow = transform.compose(t, q, np.ones(3, np.float32))
    for result in (narrow, *transform.decompose(narrow), transform.inverse(narrow), transform.multiply(narrow, narrow)):
        assert result.dtype == np.float32
    assert dual_quaternion.from_rigid(t, q).shape == (3, 4, 8)
    assert transform.decompose(np.zeros((0, 3, 4)))[2].shape == (0, 3)


def test_wrong_inputs() -> None:
    flat = np.zeros((2, 3, 3, 4))
    flat[:] = np.eye(3, 4)
    flat[1, 2, 0, 0] = 0
    with pytest.raises(InputError, match=r"the matrix at \(1, 2\) flattens space and has no inverse"):
        transform.inverse(flat)
    with pytest.raises(InputError, match=r"the matrix flattens space"):
        transform.inverse(np.zeros((3, 4)))
    with pytest.raises(InputError, match="is it transposed"):
        transform.from_4x4(transform.to_4x4(np.array([[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1.0, 0]])).T)
    with pytest.raises(InputError, match="an affine matrix has shape"):
        transform.multiply(np.eye(4), np.eye(4))
    with pytest.raises(InputError, match="a dual quaternion has shape"):
        dual_quaternion.to_rigid(np.zeros(7))
    with pytest.raises(InputError, match="a scale has shape"):
        transform.compose([0, 0, 0], [0, 0, 0, 1], 2.0)
