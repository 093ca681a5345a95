"""The groups of joints that corrections go through, on a body small enough to be written out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from mummer.character import Character, Pose, Skeleton
from mummer.ik import Place, WorldState, solve
from mummer.ik.particle import Particle
from mummer.ik.particles.layout import groups_of, joints_of
from mummer.ik.particles.pins import stand_of, task_of
from mummer.ik.particles.records import Groups, Joints
from mummer.ik.particles.run import ALONE
from mummer.ik.rigid_body import carries, rigid_body
from tests.ik.particles.bodies import body, ends, places_of, random_poses

NAMES = ("root", "chest", "left_arm", "left_hand", "right_arm", "right_hand", "tail")
PARENTS = (-1, 0, 1, 2, 1, 4, 0)
OFFSETS = ((0, 1, 0), (0, 0.5, 0), (0.3, 0, 0), (0.3, 0, 0), (-0.3, 0, 0), (-0.3, 0, 0), (0, 0, -0.6))


def small_body() -> Character:
    return Character("small", Skeleton(NAMES, PARENTS, np.array(OFFSETS, np.float64)))


def joints_above(character: Character, ends: list[int]) -> Joints:
    state, stand = WorldState(character, Pose.rest(character.skeleton)), stand_of(rigid_body(character))
    tasks = [task_of(Place(end, at=(0, 0, 0)), state, stand) for end in ends]
    return joints_of(rigid_body(character), stand, tasks, np.ones(len(character.skeleton), bool))


def lists(starts, flat) -> list[list[int]]:
    return [flat[first:last].tolist() for first, last in pairwise(starts)]


def members(groups: Groups) -> list[list[int]]:
    return lists(groups.member_starts, groups.members)


def test_spine_then_limbs_then_everything():
    layout = joints_above(small_body(), [3, 5])
    assert layout.numbers.tolist() == [0, 1, 2, 3, 4, 5]
    assert layout.is_spine.tolist() == [1, 1, 0, 0, 0, 0]
    groups = groups_of(layout, np.array([3, 5]))
    assert members(groups) == [[1], [2, 3], [4, 5], [0, 1, 2, 3, 4, 5]]
    assert lists(groups.task_starts, groups.tasks) == [[], [0], [1], [0, 1]]
    assert len(groups.tolerances) == 4


def test_each_joint_knows_the_tasks_it_moves_within_its_group():
    groups = groups_of(joints_above(small_body(), [3, 5]), np.array([5, 3]))
    below = lists(groups.below_starts, groups.below)
    # The spine corrects no task; each arm has one of its own; of all joints the first two move both.
    assert below == [[], [0], [0], [0], [0], [0, 1], [0, 1], [1], [1], [0], [0]]
    assert np.diff(groups.below_starts).max() == 2


def test_tasks_of_the_spine_belong_to_it():
    groups = groups_of(joints_above(small_body(), [3, 5]), np.array([1, 3]))
    assert lists(groups.task_starts, groups.tasks) == [[0], [1], [], [0, 1]]


def test_a_joint_carries_itself_and_what_hangs_from_it():
    parents = joints_above(small_body(), [3, 5]).parents
    assert carries(2, 3, parents)
    assert carries(3, 3, parents)
    assert carries(0, 5, parents)
    assert not carries(2, 5, parents)
    assert not carries(3, 2, parents)


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "dragon", "snake", 3, 6])
def test_every_joint_but_the_root_is_in_one_part_and_all_are_in_the_whole(name):
    character = body(name)
    layout = joints_above(character, ends(character))
    task_joints = np.array([layout.place_of(end) for end in ends(character)])
    groups = groups_of(layout, task_joints)
    *parts, whole = members(groups)
    assert sorted(joint for part in parts for joint in part) == list(range(1, len(layout.parents)))
    assert whole == list(range(len(layout.parents)))
    *own, every = lists(groups.task_starts, groups.tasks)
    assert sorted(task for tasks in own for task in tasks) == every == list(range(len(task_joints)))
    for joints, tasks in zip(parts, own, strict=True):
        assert joints == sorted(joints)
        assert {int(task_joints[task]) for task in tasks} <= {*joints, 0}


@pytest.mark.parametrize("name", ["adult", "dog", 6])
def test_parts_within_their_tolerances_keep_the_whole_one(name):
    character = body(name)
    layout = joints_above(character, ends(character))
    groups = groups_of(layout, np.array([layout.place_of(end) for end in ends(character)]))
    assert np.sum(groups.tolerances[:-1] ** 2) == pytest.approx(1.0)
    assert groups.tolerances[-1] == 1


@pytest.mark.parametrize("steps", [0, 1, 3, 28])
def test_iterations_count_the_parts_and_the_whole(steps):
    character = body("adult")
    pose = random_poses(character, np.random.default_rng(2), 40)
    goals = places_of(character, pose, ends(character))
    found = solve(character, goals, pose, solver=Particle(steps=steps, retries=0))
    assert found.iterations.max() <= steps + 2 * min(steps, ALONE)
    assert (found.iterations.max() > 0) == (steps > 0)
