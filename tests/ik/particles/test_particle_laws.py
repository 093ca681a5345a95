"""What must hold for the particle solver whatever the body."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.character import Character, Pose, Skeleton, violations
from mummer.ik import Orient, Place, WorldState, solve
from mummer.ik.particle import Particle
from mummer.math import quaternion
from tests.ik.particles.bodies import body, ends, places_of, random_poses

BODIES = ("adult", "dog", "spider", "dragon", "snake", "fish", 3, 6)
seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("name", [*BODIES, "lizard", "two_headed", 0, 2])
def test_goals_of_the_rest_pose_give_the_rest_pose(name):
    character = body(name)
    rest = Pose.rest(character.skeleton)
    found = solve(character, places_of(character, Pose.stack([rest]), ends(character)), rest, solver="particle")
    assert quaternion.angle_between(found.pose.rotations, rest.rotations).max() < 1e-6
    assert np.abs(found.pose.root_translation - rest.root_translation).max() < 1e-9


@given(seed=seeds, name=st.sampled_from(BODIES))
@settings(max_examples=12)
def test_the_answer_does_not_depend_on_the_pose_that_solving_starts_from(seed, name):
    character, random = body(name), np.random.default_rng(seed)
    goals = places_of(character, random_poses(character, random, 3), ends(character))
    first = solve(character, goals, Pose.rest(character.skeleton, (3,)), solver="particle")
    second = solve(character, goals, random_poses(character, random, 3), solver="particle")
    assert np.array_equal(first.pose.rotations, second.pose.rotations)
    assert np.array_equal(first.pose.root_translation, second.pose.root_translation)


@given(seed=seeds, name=st.sampled_from(["adult", "dog", "spider", "dragon", "horse", 6]))
@settings(max_examples=12)
def test_mirrored_goals_give_the_mirrored_pose(seed, name):
    character, random = body(name), np.random.default_rng(seed)
    mirror, flip = character.anatomy.mirror, np.array([-1.0, 1.0, 1.0])
    joints = ends(character)
    pose = random_poses(character, random, 4, 0.7)
    at = WorldState(character, pose).positions
    first = solve(character, [Place(joint, at=at[:, joint]) for joint in joints], pose, solver="particle")
    other = [Place(joint, at=at[:, mirror[joint]] * flip) for joint in joints]
    second = solve(character, other, pose, solver="particle")
    own = WorldState(character, first.pose).positions
    across = WorldState(character, second.pose).positions[:, mirror] * flip
    assert np.abs(own - across).max() < 1e-6 * character.anatomy.height


@given(seed=seeds, name=st.sampled_from(BODIES))
@settings(max_examples=12)
def test_goals_and_root_moved_together_move_the_pose_with_them(seed, name):
    character, random = body(name), np.random.default_rng(seed)
    turn, way = quaternion.random(random), 3 * random.normal(size=3)
    pose = random_poses(character, random, 3, 0.7)
    joints = ends(character)
    at = WorldState(character, pose).positions
    rest = Pose.rest(character.skeleton)

    def solved(turn, way):
        def moved(points):
            return quaternion.rotate(turn, points) + way

        root = quaternion.multiply(turn, rest.rotations[0])
        goals = [Place(0, at=moved(at[:, 0])), Orient(0, to=root)]
        goals += [Place(joint, at=moved(at[:, joint])) for joint in joints]
        return WorldState(character, solve(character, goals, pose, solver="particle").pose).positions

    still, carried = solved(np.array([0.0, 0, 0, 1]), np.zeros(3)), solved(turn, way)
    assert np.abs(quaternion.rotate(turn, still) + way - carried).max() < 1e-6 * character.anatomy.height


@given(seed=seeds, name=st.sampled_from(BODIES), share=st.floats(0.2, 2.0))
@settings(max_examples=16)
def test_lengths_and_limits_are_kept_within_reach_and_beyond(seed, name, share):
    character, random = body(name), np.random.default_rng(seed)
    pose = random_poses(character, random, 6)
    goals = [
        Place(goal.part, at=goal.at * share + 0.2 * random.normal(size=3))
        for goal in places_of(character, pose, ends(character))
    ]
    found = solve(character, goals, pose, solver="particle")
    assert found.pose.translations is None
    assert np.abs(np.linalg.norm(found.pose.rotations, axis=-1) - 1).max() < 1e-9
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9


@pytest.mark.parametrize("name", ["adult", "dog", "dragon"])
def test_small_moves_of_goals_move_the_pose_a_little(name):
    character, random = body(name), np.random.default_rng(4)
    pose = random_poses(character, random, 200, 0.6)
    step = 1e-4 * character.anatomy.height
    goals = places_of(character, pose, ends(character))
    way = random.normal(size=(200, 3))
    way *= step / np.linalg.norm(way, axis=1, keepdims=True)
    first = solve(character, goals, pose, solver="particle")
    second = solve(character, [Place(goal.part, at=goal.at + way) for goal in goals], pose, solver="particle")
    moved = WorldState(character, first.pose).positions - WorldState(character, second.pose).positions
    change = np.linalg.norm(moved, axis=-1).max(axis=1) / step
    assert np.median(change) < 3
    assert change.max() < 100


def test_a_goal_across_the_twist_singularity_does_not_snap():
    """The goal passes right opposite to where the arm hangs, in steps of a thousandth of its length."""
    character = dataclasses.replace(body("adult"), limits=None)
    joint = character.anatomy.joint("left_hand")
    shoulder = character.anatomy.joint("left_upper_arm")
    rest = WorldState(character, Pose.rest(character.skeleton))
    base, reach = rest.positions[0, shoulder], rest.positions[0, joint] - rest.positions[0, shoulder]
    across = np.cross(reach, [0.0, 0.0, 1.0])
    across /= np.linalg.norm(across)
    offset = np.linspace(-0.05, 0.05, 401)[:, None] * np.linalg.norm(reach)
    goals = Place(joint, at=base - 0.8 * reach + offset * across)
    pose = Pose.rest(character.skeleton, (401,))
    found = solve(character, goals, pose, solver=Particle(), root="fixed")
    positions = WorldState(character, found.pose).positions
    moved = np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(axis=1)
    assert moved.max() / np.diff(offset[:, 0]).max() < 100


def test_rotations_stay_rotations_along_a_chain_of_hundreds():
    joints = 400
    chain = Skeleton(
        [f"joint_{number}" for number in range(joints)], np.arange(joints) - 1,
        np.tile([0.0, 0.01, 0.0], (joints, 1)), np.tile([0.0, 0.0, 0.0, 1.0], (joints, 1)),
    )  # fmt: skip
    character, random = Character("chain", chain), np.random.default_rng(1)
    goals = [Place(joint, at=random.uniform(-1.0, 1.0, (4, 3))) for joint in (150, 280, 399)]
    found = solve(character, goals, Pose.rest(chain, (4,)), solver="particle", root="fixed")
    assert np.abs(np.linalg.norm(found.pose.rotations, axis=-1) - 1.0).max() < 1e-12
