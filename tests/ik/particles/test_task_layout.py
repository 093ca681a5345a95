"""What corrections go by, on a body small enough to be written out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from mummer.character import Character, Pose, Skeleton
from mummer.ik import Place, WorldState, solve
from mummer.ik.particle import Particle
from mummer.ik.particles.layout import joints_of, tasks_of
from mummer.ik.particles.pins import stand_of, task_of
from mummer.ik.particles.records import Joints
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


def test_joints_above_goals_know_their_place():
    layout = joints_above(small_body(), [3, 5])
    assert layout.numbers.tolist() == [0, 1, 2, 3, 4, 5]
    assert layout.is_spine.tolist() == [1, 1, 0, 0, 0, 0]


def test_each_joint_knows_the_tasks_it_moves():
    character = small_body()
    state, stand = WorldState(character, Pose.rest(character.skeleton)), stand_of(rigid_body(character))
    tasks = [task_of(Place(end, at=(0, 0, 0)), state, stand) for end in (5, 3)]
    found = tasks_of(tasks, joints_above(character, [5, 3]))
    assert lists(found.below_starts, found.below) == [[0, 1], [0, 1], [1], [1], [0], [0]]
    assert found.joints.tolist() == [5, 3]


def test_a_joint_carries_itself_and_what_hangs_from_it():
    parents = joints_above(small_body(), [3, 5]).parents
    assert carries(2, 3, parents)
    assert carries(3, 3, parents)
    assert carries(0, 5, parents)
    assert not carries(2, 5, parents)
    assert not carries(3, 2, parents)


@pytest.mark.parametrize("steps", [0, 1, 3, 28])
def test_iterations_are_no_more_than_asked_for(steps):
    character = body("adult")
    pose = random_poses(character, np.random.default_rng(2), 40)
    goals = places_of(character, pose, ends(character))
    found = solve(character, goals, pose, solver=Particle(steps=steps, retries=0))
    assert found.iterations.max() <= steps
    assert (found.iterations.max() > 0) == (steps > 0)
