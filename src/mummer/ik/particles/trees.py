"""Bodies of several trees: each tree is a body of its own to the particle solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mummer.arrays import IntArray
from mummer.character import Character, Mass, Pose, Skeleton
from mummer.ik.body_point import BodyPoint, as_point, joint_of
from mummer.ik.goal import Goal
from mummer.ik.problem import Problem
from mummer.ik.rigid_body import KEPT, RigidBody

TREES = "_trees"
"""Where a character keeps what is made of it here."""


def root_of(body: RigidBody, goal: Goal) -> int:
    """The root that the point of a goal about one point hangs on."""
    joint = joint_of(body.character, goal.points[0])
    return (joint, *body.skeleton.ancestors(joint))[-1]


def tree_of(body: RigidBody, root: int) -> tuple[IntArray, Character]:
    """(n,) the joints that hang on a root, itself first, and the body that they are by themselves."""
    kept: dict[int, tuple[IntArray, Character]] = vars(body.character).setdefault(TREES, {})
    if root not in kept:
        members = np.zeros(len(body.parents), bool)
        members[root] = True
        for joint, parent in enumerate(body.parents):
            members[joint] |= parent >= 0 and members[parent]
        joints = np.flatnonzero(members)
        kept[root] = joints, _alone(body, joints)
    return kept[root]


def _alone(body: RigidBody, joints: IntArray) -> Character:
    whole, limits, mass = body.skeleton, body.limits, body.mass
    place = np.full(len(whole) + 1, -1)
    place[joints] = np.arange(len(joints))
    skeleton = Skeleton(
        tuple(whole.names[joint] for joint in joints), place[whole.parents[joints]], whole.rest_translations[joints],
        whole.rest_rotations[joints], whole.rest_scales[joints], name=whole.name,
    )  # fmt: skip
    own_limits = limits.of_joints(joints)
    own_mass = Mass(mass.masses[joints], mass.centers[joints], mass.second_moments[joints])
    alone = Character(body.character.name, skeleton, limits=own_limits, mass=own_mass)
    vars(alone)[KEPT] = replace(
        body, character=alone, parents=skeleton.parents, offsets=body.offsets[joints],
        rest_rotations=skeleton.rest_rotations, limits=own_limits, mass=own_mass,
    )  # fmt: skip
    return alone


def part_of_pose(pose: Pose, whole: Skeleton, joints: IntArray) -> Pose:
    """What a pose of the whole says of some joints that are a body by themselves."""
    scales = None if pose.scales is None else pose.scales[..., joints, :]
    return Pose(pose.rotations[..., joints, :], None, pose.full_translations(whole)[..., joints, :], scales)


def problem_of_tree(problem: Problem, root: int, goals: Sequence[Goal]) -> tuple[IntArray, Problem]:
    """(n,) the joints of a tree, and what is asked of it alone."""
    joints, alone = tree_of(problem.body, root)
    place = {int(joint): number for number, joint in enumerate(joints)}
    moved = []
    for goal in goals:
        point = as_point(goal.points[0])
        joint = place[joint_of(problem.body.character, point)]
        moved.append(replace(goal, part=BodyPoint(joint, point.offset)))  # type: ignore[call-arg]
    return joints, replace(
        problem, body=vars(alone)[KEPT], goals=tuple(moved), movable=problem.movable[joints], single=False,
        start=part_of_pose(problem.start, problem.body.skeleton, joints),
    )  # fmt: skip
