"""Shortest arcs and looking: right for every pair of directions, opposite ones too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.math import quaternion
from tests.math.helpers import generators, law

CLOSENESS = st.sampled_from([0.0, 1e-300, 1e-16, 1e-12, 1e-8, 1e-4, 1.0])


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


@law
@given(generators, CLOSENESS, st.sampled_from([-1, 1]))
def test_shortest_arc_gets_there_and_is_shortest(rng: np.random.Generator, closeness: float, side: int) -> None:
    start = rng.standard_normal((30, 3))
    end = side * start * rng.uniform(0.1, 10, (30, 1)) + closeness * rng.standard_normal((30, 3))
    q = quaternion.between_vectors(start, end)
    np.testing.assert_allclose(quaternion.dot(q, q), 1, atol=1e-14)
    np.testing.assert_allclose(quaternion.rotate(q, unit(start)), unit(end), atol=1e-14)
    angle = np.arctan2(np.linalg.norm(np.cross(start, end), axis=-1), np.sum(start * end, axis=-1))
    np.testing.assert_allclose(quaternion.angle(q), angle, atol=1e-14)


@pytest.mark.parametrize("start", [*np.eye(3), *-np.eye(3), [1.0, 1, 1]])
def test_opposite_vectors(start: np.ndarray) -> None:
    q = quaternion.between_vectors(start, -np.asarray(start))
    np.testing.assert_allclose(quaternion.rotate(q, start), -np.asarray(start), atol=1e-15)
    np.testing.assert_allclose(q[:3] @ start, 0, atol=1e-15)


def test_zero_vectors_turn_nothing() -> None:
    for start, end in (([0, 0, 0], [1, 0, 0]), ([1, 0, 0], [0, 0, 0]), ([0, 0, 0], [0, 0, 0])):
        np.testing.assert_array_equal(quaternion.between_vectors(start, end), quaternion.IDENTITY)
    np.testing.assert_array_equal(quaternion.look_rotation([0, 0, 0]), quaternion.IDENTITY)


def test_tiny_and_huge_vectors_keep_their_direction() -> None:
    q = quaternion.between_vectors([1e-200, 0, 0], [0, 1e200, 0])
    np.testing.assert_allclose(quaternion.rotate(q, [1, 0, 0]), [0, 1, 0], atol=1e-15)


def test_directions_broadcast() -> None:
    assert quaternion.between_vectors(np.ones((4, 1, 3)), np.ones((5, 3))).shape == (4, 5, 4)
    assert quaternion.look_rotation(np.ones((4, 1, 3)), np.eye(3)).shape == (4, 3, 4)


@law
@given(generators)
def test_look_rotation_faces_forward_with_up_above(rng: np.random.Generator) -> None:
    forward, up = rng.standard_normal((2, 30, 3))
    q = quaternion.look_rotation(forward, up)
    x, y, z = (quaternion.rotate(q, axis) for axis in np.eye(3))
    np.testing.assert_allclose(z, unit(forward), atol=1e-13)
    np.testing.assert_allclose(np.sum(x * up, axis=-1), 0, atol=1e-13)
    assert np.all(np.sum(y * up, axis=-1) > 0)


@pytest.mark.parametrize("up", [[0, 1, 0], [0, -2, 0], [0, 0, 0]])
def test_looking_along_up_still_faces_forward(up: list[float]) -> None:
    q = quaternion.look_rotation([0, 3, 0], up)
    np.testing.assert_allclose(quaternion.rotate(q, [0, 0, 1]), [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(quaternion.dot(q, q), 1, atol=1e-15)


def test_looking_ahead_is_the_identity() -> None:
    np.testing.assert_allclose(quaternion.look_rotation([0, 0, 5]), quaternion.IDENTITY, atol=1e-15)


@law
@given(generators)
def test_perpendicular(rng: np.random.Generator) -> None:
    v = rng.standard_normal((30, 3)) * rng.choice([0.0, 1.0], (30, 3), p=[0.4, 0.6])
    found = quaternion.perpendicular(v)
    np.testing.assert_allclose(np.linalg.norm(found, axis=-1), 1, atol=1e-15)
    np.testing.assert_allclose(np.sum(found * v, axis=-1), 0, atol=1e-15)
