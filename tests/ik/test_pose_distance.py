"""Pose distance against the definition: points scattered through the mass, moved one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.clip.displacement import carried_by
from mummer.errors import InputError, UnknownNameError
from mummer.ik import Near, WorldState
from mummer.ik.pose_distance import (
    ALIGNS,
    BLOCK,
    group_distances,
    pose_distance,
    pose_distances,
    root_mean_square_displacement,
)
from mummer.math import quaternion
from tests.ik.random_poses import bent, carried

BODIES = ("adult", "dog", "spider", "snake")
seeds = st.integers(0, 2**32 - 1)


def scattered(character: Character, poses: Pose, per_joint: int = 400) -> tuple[FloatArray, FloatArray]:
    """(B, N, 3) points whose mean and spread in each joint are exactly those of its mass, and (N,) their masses."""
    state = WorldState(character, poses)
    random, mass = np.random.default_rng(0), state.body.mass
    clouds, weights = [], []
    for joint in range(len(character.skeleton)):
        cloud = random.normal(size=(per_joint, 3))
        cloud -= cloud.mean(axis=0)
        cloud = cloud @ np.linalg.inv(np.linalg.cholesky(cloud.T @ cloud / per_joint)).T
        values, vectors = np.linalg.eigh(mass.second_moments[joint] / max(mass.masses[joint], 1e-300))
        local = mass.centers[joint] + cloud @ (vectors * np.sqrt(np.maximum(values, 0))).T
        turned = quaternion.rotate(state.rotations[:, joint, None], local)
        clouds.append(state.positions[:, joint, None] + turned)
        weights.append(np.full(per_joint, mass.masses[joint] / per_joint))
    return np.concatenate(clouds, axis=1), np.concatenate(weights)


@pytest.mark.parametrize("name", BODIES)
def test_the_distance_is_what_scattered_points_move(name: str) -> None:
    character = mm.zoo.body(name)
    first, second = bent(character, 1, 5), bent(character, 2, 5)
    (a, weights), (b, _) = scattered(character, first), scattered(character, second)
    expected = np.sqrt(np.sum((a - b) ** 2, axis=2) @ weights / weights.sum())
    np.testing.assert_allclose(pose_distance(character, first, second), expected, rtol=1e-9)


def test_the_formula_of_4x4_tensors_gives_the_same() -> None:
    character = mm.zoo.body("dog")
    first, second = bent(character, 1, 3), bent(character, 2, 3)
    states = [WorldState(character, pose) for pose in (first, second)]
    mass = states[0].body.mass
    tensors = np.zeros((len(mass.masses), 4, 4))
    tensors[:, :3, :3] = (
        mass.second_moments + mass.masses[:, None, None] * mass.centers[:, :, None] * mass.centers[:, None]
    )
    tensors[:, :3, 3] = tensors[:, 3, :3] = mass.masses[:, None] * mass.centers
    tensors[:, 3, 3] = mass.masses
    matrices = []
    for state in states:
        found = np.zeros((3, len(mass.masses), 4, 4))
        found[..., :3, :3], found[..., :3, 3] = quaternion.to_matrix(state.rotations), state.positions
        matrices.append(found)
    now, then = matrices
    transposed = np.swapaxes(now, -1, -2) - 2 * np.swapaxes(then, -1, -2)
    energy = np.trace(now @ tensors @ transposed + then @ tensors @ np.swapaxes(then, -1, -2), axis1=-2, axis2=-1)
    expected = np.sqrt(energy.sum(axis=1) / mass.total)
    np.testing.assert_allclose(pose_distance(character, first, second), expected, rtol=1e-9)


@given(seeds, seeds, seeds)
def test_it_is_a_distance(first: int, second: int, third: int) -> None:
    character = mm.zoo.body("dog")
    a, b, c = (bent(character, seed, 1) for seed in (first, second, third))
    for align in ALIGNS:
        ab, bc, ac = (float(pose_distance(character, *pair, align=align)[0]) for pair in ((a, b), (b, c), (a, c)))
        assert ab == pytest.approx(float(pose_distance(character, b, a, align=align)[0]), abs=1e-7)
        assert ac <= ab + bc + 1e-7
        assert float(pose_distance(character, a, a, align=align)[0]) <= 1e-7


def test_a_tiny_change_keeps_its_digits() -> None:
    character = mm.zoo.body("adult")
    start = bent(character, 3, 1)
    distances = []
    for angle in (1e-3, 1e-6, 1e-9):
        rotations = start.rotations.copy()
        rotations[:, 7] = quaternion.multiply(rotations[:, 7], quaternion.exp([angle, 0, 0]))
        distances.append(float(pose_distance(character, start, start.replace(rotations=rotations))[0]) / angle)
    np.testing.assert_allclose(distances, distances[0], rtol=1e-5)


@given(seeds, st.floats(-3, 3), st.floats(-5, 5))
def test_alignment_forgets_where_the_body_stands(seed: int, angle: float, away: float) -> None:
    character = mm.zoo.body("dog")
    pose, other = bent(character, seed, 2), bent(character, seed + 1, 2)
    turn = quaternion.from_axis_angle([0.0, 1, 0], angle)
    elsewhere = carried(other, turn, [away, 0, -away])
    level = pose_distance(character, pose, other, align="level")
    np.testing.assert_allclose(pose_distance(character, pose, elsewhere, align="level"), level, atol=1e-6)
    tumbled = carried(other, quaternion.exp([angle, 0.3, 1.0]), [away, 1, 0])
    full = pose_distance(character, pose, other, align="full")
    np.testing.assert_allclose(pose_distance(character, pose, tumbled, align="full"), full, atol=1e-6)
    assert np.all(full <= level + 1e-9)
    assert np.all(level <= pose_distance(character, pose, other) + 1e-9)


def test_no_turn_fits_better_than_the_one_that_is_found() -> None:
    character = mm.zoo.body("dog")
    pose, other = bent(character, 5, 1), bent(character, 6, 1)
    best = float(pose_distance(character, pose, other, align="level")[0])
    tried = []
    for angle in np.linspace(-np.pi, np.pi, 721):
        turned = carried(other, quaternion.from_axis_angle([0.0, 1, 0], angle), [0, 0, 0])
        shift = WorldState(character, pose).center_of_mass - WorldState(character, turned).center_of_mass
        moved = carried(turned, quaternion.IDENTITY, shift[0] * [1, 0, 1])
        tried.append(float(pose_distance(character, pose, moved)[0]))
    assert min(tried) == pytest.approx(best, rel=1e-4)
    assert min(tried) >= best - 1e-9


@pytest.mark.parametrize("align", ALIGNS)
def test_all_pairs_are_the_single_distances(align: str) -> None:
    character = mm.zoo.body("dog")
    first, second = bent(character, 1, 4), bent(character, 2, 3)
    table = pose_distances(character, first, second, align=align)  # type: ignore[arg-type]
    assert table.shape == (4, 3)
    for row in range(4):
        one = pose_distance(character, first[row : row + 1], second, align=align)  # type: ignore[arg-type]
        np.testing.assert_allclose(table[row], one, atol=1e-7)


def test_an_arm_that_only_rides_along_has_not_moved() -> None:
    character = mm.zoo.body("adult")
    assert character.anatomy is not None
    pose = bent(character, 1, 1)
    spine = character.anatomy.roles["spine"]
    bowed = pose.with_rotation(spine, quaternion.multiply(pose.rotations[:, spine], quaternion.exp([0.5, 0, 0])))
    apart = group_distances(character, pose, bowed)
    assert set(apart) == set(character.anatomy.groups)
    assert apart.pop("torso")[0] > 0.01
    assert max(float(distance[0]) for distance in apart.values()) < 1e-12
    assert (
        root_mean_square_displacement(
            WorldState(character, pose), WorldState(character, bowed), character.anatomy.groups["left_arm"]
        )[0]
        > 0.05
    )


def test_a_group_below_the_root_does_not_care_where_the_body_is() -> None:
    character = mm.zoo.body("adult")
    pose, other = bent(character, 1, 2), bent(character, 2, 2)
    moved = carried(other, quaternion.exp([0.2, 1.0, 0.1]), [3, 1, 2])
    here, there = group_distances(character, pose, other), group_distances(character, pose, moved)
    np.testing.assert_allclose(here["left_arm"], there["left_arm"], atol=1e-12)
    assert np.all(there["waist"] > here["waist"])
    np.testing.assert_allclose(here["torso"], there["torso"], atol=1e-12)
    table = pose_distances(character, pose, moved, group="left_arm")
    np.testing.assert_allclose(np.diag(table), here["left_arm"], atol=1e-7)


def test_the_arm_alone_is_what_its_own_points_move() -> None:
    character = mm.zoo.body("adult")
    assert character.anatomy is not None
    arm = character.anatomy.groups["left_arm"]
    pose, other = bent(character, 1, 1), bent(character, 2, 1)
    rotations = pose.rotations.copy()
    rotations[:, list(arm)] = other.rotations[:, list(arm)]
    only_arm = pose.replace(rotations=rotations)
    expected = root_mean_square_displacement(WorldState(character, pose), WorldState(character, only_arm), arm)
    np.testing.assert_allclose(pose_distance(character, pose, other, group="left_arm"), expected, rtol=1e-9)


def test_a_torso_that_bends_counts_what_it_carries() -> None:
    character = mm.zoo.body("adult")
    assert character.anatomy is not None
    pose = bent(character, 1, 1)
    torso = character.anatomy.groups["torso"]
    spine = character.anatomy.roles["spine"]
    bowed = pose.with_rotation(spine, quaternion.multiply(pose.rotations[:, spine], quaternion.exp([0.5, 0, 0])))
    moved = list(carried_by(character, torso))
    assert {*character.anatomy.groups["left_arm"], *character.anatomy.groups["head"]} < set(moved)
    all_of_it = root_mean_square_displacement(WorldState(character, pose), WorldState(character, bowed), moved)
    np.testing.assert_allclose(pose_distance(character, pose, bowed, group="torso"), all_of_it, rtol=1e-9)
    own = root_mean_square_displacement(WorldState(character, pose), WorldState(character, bowed), torso)
    assert all_of_it[0] > 1.3 * own[0]


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "snake"])
def test_groups_are_as_far_there_as_back(name: str) -> None:
    character = mm.zoo.body(name)
    pose, other = bent(character, 1, 3), bent(character, 2, 3)
    assert character.anatomy is not None
    for group in character.anatomy.groups:
        there, back = (pose_distance(character, *pair, group=group) for pair in ((pose, other), (other, pose)))
        np.testing.assert_allclose(there, back, rtol=1e-9, atol=1e-12)


def test_long_batches_are_cut_into_blocks_unnoticed() -> None:
    character = mm.zoo.body("snake")
    pose, other = bent(character, 1, BLOCK + 10), bent(character, 2, 1)
    long = root_mean_square_displacement(WorldState(character, pose), WorldState(character, other))
    assert long.shape == (BLOCK + 10,)
    np.testing.assert_allclose(long[-3:], pose_distance(character, pose[-3:], other), rtol=1e-12)


def test_the_goal_to_stay_near_measures_with_it() -> None:
    character = mm.zoo.body("dog")
    pose, other = bent(character, 1, 3), bent(character, 2, 1)[0]
    error = Near(other).error(WorldState(character, pose))
    np.testing.assert_allclose(error, pose_distance(character, pose, other), rtol=1e-12)


def test_wrong_questions_are_answered_with_the_nearest_right_one() -> None:
    character = mm.zoo.body("dog")
    pose = character.default_pose
    with pytest.raises(UnknownNameError, match=r"levle.*closest: 'level'"):
        pose_distance(character, pose, pose, align="levle")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="closest: 'tail'"):
        pose_distance(character, pose, pose, group="tial")
    with pytest.raises(InputError, match="carry no mass"):
        root_mean_square_displacement(WorldState(character, pose), WorldState(character, pose), [])
    from dataclasses import replace

    with pytest.raises(InputError, match="has no groups"):
        pose_distance(replace(character, anatomy=None), pose, pose, group="tail")
