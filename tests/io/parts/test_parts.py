"""The steps that readers share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import Pose, Skeleton, deform, world_matrices
from mummer.io.parts.fold_scales import fold_binds, fold_values, scale_factors, unscaled
from mummer.io.parts.influences import MOST_INFLUENCES, gather_influences
from mummer.io.parts.sampled import curves_from_samples
from mummer.io.parts.triangulate import MOST_CLIPPED, triangulate
from mummer.math import quaternion, transform
from mummer.report import ReportBuilder
from tests.io.usd.bodies import rich_body


def areas(positions: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (positions[triangles[:, place]] for place in range(3))
    return np.cross(b - a, c - a)[:, 2] / 2


@given(count=st.integers(3, 12), seed=st.integers(0, 2**32 - 1))
def test_star_shaped_faces_are_covered_exactly(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    angles = np.arange(count) * 2 * np.pi / count
    radii = rng.uniform(0.3, 1.0, count)
    positions = np.stack([radii * np.cos(angles), radii * np.sin(angles), np.zeros(count)], axis=1)
    triangles, faces = triangulate(positions, np.array([0]), np.array([count]))
    whole = 0.5 * np.sum(radii * np.roll(radii, -1) * np.sin(2 * np.pi / count))
    assert len(triangles) == count - 2
    assert np.all(faces == 0)
    if count > 3:  # a triangle may have its turn from the radii alone
        assert np.all(areas(positions, triangles) > 0)
    assert areas(positions, triangles).sum() == pytest.approx(whole)


def test_faces_keep_their_order_and_short_ones_vanish() -> None:
    positions = np.random.default_rng(1).normal(size=(20, 3))
    triangles, faces = triangulate(positions, np.array([0, 2, 7, 11, 12, 15]), np.array([2, 5, 4, 1, 3, 4]))
    assert faces.tolist() == [1, 1, 1, 2, 2, 4, 5, 5]
    assert triangles.dtype == np.int64
    assert triangulate(positions, np.zeros(0, int), np.zeros(0, int))[0].shape == (0, 3)


def test_a_huge_face_is_a_fan() -> None:
    count = MOST_CLIPPED + 1
    angles = np.arange(count) * 2 * np.pi / count
    positions = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    assert np.all(triangulate(positions, np.array([0]), np.array([count]))[0][:, 0] == 0)


@given(count=st.integers(1, 6), loose=st.integers(0, 60), seed=st.integers(0, 2**32 - 1))
def test_influences_always_sum_to_one(count: int, loose: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vertices, joints = rng.integers(-1, count + 1, loose), rng.integers(0, 20, loose)
    weights = rng.choice([0.0, -1.0, np.nan, np.inf, 0.2, 0.7, 1.5], loose)
    indices, rows = gather_influences(vertices, joints, weights, count, ReportBuilder())
    assert indices.shape == rows.shape == (count, indices.shape[1])
    assert rows.shape[1] <= MOST_INFLUENCES
    assert np.allclose(rows.sum(axis=1), 1)
    assert np.all(np.diff(rows, axis=1) <= 0)


@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(1, 8))
def test_folding_scales_leaves_every_point_where_it_was(seed: int, joints: int) -> None:
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(rng.integers(-1, joint) for joint in range(1, joints))])
    moved, turned = rng.normal(size=(joints, 3)), quaternion.random(rng, joints)
    choices = np.array([[1, 1, 1], [100, 100, 100], [-1, -1, -1], [0.01, 0.01, 0.01], [1, 2, 3]])
    scaled = choices[rng.integers(0, len(choices), joints)].astype(float)
    binds = transform.compose(rng.normal(size=(joints, 3)), quaternion.random(rng, joints))
    factors = scale_factors(parents, scaled)
    folded_moved = fold_values(parents, factors, "translation", moved)
    folded_scaled = fold_values(parents, factors, "scale", scaled)
    names = tuple(f"j{joint}" for joint in range(joints))
    before = Skeleton(names, parents, moved, turned, scaled)
    after = Skeleton(names, parents, folded_moved, turned, folded_scaled)
    shown = transform.multiply(world_matrices(before, Pose.rest(before)), binds)
    still = transform.multiply(world_matrices(after, Pose.rest(after)), fold_binds(factors, binds))
    assert np.allclose(shown, still, rtol=1e-9, atol=1e-9 * np.abs(shown).max())
    if np.all(scaled.min(axis=1) == scaled.max(axis=1)):
        assert after.is_rigid


@pytest.mark.parametrize("seed", range(3))
def test_a_character_without_scales_looks_the_same_in_every_pose(seed: int) -> None:
    body = rich_body(seed)
    plain = unscaled(body)
    assert plain.skeleton.rest_scales[:2].tolist() == np.ones((2, 3)).tolist()
    moments = [(body.default_pose, plain.default_pose)]
    for mine, other in zip(body.recordings, plain.recordings, strict=True):
        moments += list(zip(mine.sample([0.05, 0.2, 1.2, 1.9]), other.sample([0.05, 0.2, 1.2, 1.9]), strict=True))
    for before, after in moments:
        for mine_mesh, other_mesh in zip(deform(body, before), deform(plain, after), strict=True):
            assert np.allclose(mine_mesh.positions, other_mesh.positions, rtol=0, atol=1e-4)
    assert unscaled(plain).skeleton.same_as(plain.skeleton)


def test_only_what_moves_has_many_keys() -> None:
    times = np.array([0.0, 0.5, 1.0])
    values = np.zeros((3, 3, 3))
    values[:, 0, 0] = [0, 1, 2]
    values[:, 1] = 5.0
    moving, placed = curves_from_samples("translation", np.array([4, 5, 6]), times, values, np.zeros((3, 3)))
    assert (moving.targets.tolist(), len(moving.times)) == ([4], 3)
    assert (placed.targets.tolist(), len(placed.times)) == ([5], 1)
    assert curves_from_samples("scale", np.array([1]), times, np.ones((3, 1, 3)), np.ones((1, 3))) == []


def test_rotations_never_jump_to_the_other_sign() -> None:
    angles = np.linspace(0, 4 * np.pi, 40)
    values = (
        quaternion.from_axis_angle([0.0, 1.0, 0.0], angles)[:, None] * np.where(np.arange(40) % 3, 1, -1)[:, None, None]
    )
    (curve,) = curves_from_samples("rotation", np.array([0]), angles, values, np.array([[0.0, 0, 0, 1]]))
    assert np.all(quaternion.dot(curve.values[1:, 0], curve.values[:-1, 0]) > 0.9)
    assert curve.values[0, 0, 3] == 1
