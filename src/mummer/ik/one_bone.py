"""The one-bone solver: one joint turned to point, to be turned as asked, or to bring a point nearest to a place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Pose
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.goal import Goal
from mummer.ik.goals import Aim, Orient, Place
from mummer.ik.limbs import write_rotation
from mummer.ik.limits import hold_joint, joint_table
from mummer.ik.moving import at_times
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution, make_solution
from mummer.ik.world_state import WorldState
from mummer.kernels.arguments import Count, Floats2, Floats3, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import back, direction, four, minus, put_four, shortest, size, three, times, turned
from mummer.math import quaternion

SWEEPS, NEAR = 32, 1e-9
# The columns of what is asked in each frame: the direction that points, in the joint's frame; where to, in the world;
# the rotation of the joint's parent; the rotation of the joint to start from; and one if anything is asked.
POINTS, TOWARD, ABOVE, START, ASKED, WIDTH = 0, 3, 6, 10, 14, 15
ROUNDS = 6
"""How often an eye that moves as its joint turns is aimed again, where no closed form exists."""


@dataclass(frozen=True)
class OneBone:
    """Turns one joint for each goal: eyes and heads that look, feet that stand level, a lamp that points.

    `Aim` turns its joint until the axis points at the target, by the smallest turn that does; an eye that is off the
    joint's centre is taken into account. `Orient` turns its joint as asked. `Place` swings its joint so that the point
    comes as near as it can, or, for a bare joint, swings the joint above it. Joints nearer to the root go first. The
    turned joints are held in their limits. Other goals are left out and named in the report.

    Attributes:
        accumulate_roll: False starts over from the joint's rest rotation each time: no roll builds up however often it
            is aimed, and the same target gives the same answer whatever came before. True turns on from where the
            joint is, which changes it least.

    The smallest turn has one singularity: a target exactly opposite to where the axis points at the start. Near it a
    free joint turns quickly, as it must choose a side. With accumulate_roll=False it lies right behind the rest
    direction, for a head that looks forward at rest right behind the head. Joint limits and the soft limits of `Aim`
    (`comfortable`, `furthest`) both let go of such a target gently, so that nothing snaps.
    """

    accumulate_roll: bool = False

    def solve(self, problem: Problem) -> Solution:
        """See `Solver.solve`."""
        pose, ignored, used = problem.start, [], 0
        tasks = sorted((_turned_joint(problem, goal), place) for place, goal in enumerate(problem.goals))
        for joint, place in tasks:
            goal = problem.goals[place]
            if joint < 0 or not problem.movable[joint]:
                ignored.append(goal)
                continue
            used += 1
            pose = self._turn(problem, goal, joint, pose)
        steps = np.full(len(problem), used, np.int64)
        return make_solution(problem, pose, "one_bone", iterations=steps, ignored=tuple(ignored))

    def _turn(self, problem: Problem, goal: Goal, joint: int, pose: Pose) -> Pose:
        active = problem.holds(goal)
        if isinstance(goal, Orient):
            return _oriented(problem, goal, joint, pose, active)
        start = pose.rotations[:, joint] if self.accumulate_roll else problem.body.rest_rotations[joint]
        if isinstance(goal, Place):
            return _pointed(problem, joint, pose, start, _pointing_at_place(problem, goal, joint, pose), active)
        assert isinstance(goal, Aim)
        if not self.accumulate_roll:
            pose = pose.with_rotation(joint, np.where(active[:, None], start, pose.rotations[:, joint]))
        # Softened directions depend on where the eye is, which moves with the joint.
        moves = any(as_point(goal.part).offset) and goal.comfortable < np.pi
        for _ in range(ROUNDS if moves else 1):
            pose = _pointed(problem, joint, pose, start, _pointing_aim(problem, goal, joint, pose), active)
        return pose


def _turned_joint(problem: Problem, goal: Goal) -> int:
    """The joint that ``goal`` turns, or -1 if there is none."""
    if not isinstance(goal, Aim | Orient | Place):
        return -1
    joint = joint_of(problem.body.character, goal.part)
    bare = isinstance(goal, Place) and not any(as_point(goal.part).offset)
    return int(problem.body.parents[joint]) if bare else joint


def _oriented(problem: Problem, goal: Orient, joint: int, pose: Pose, active: BoolArray) -> Pose:
    wanted = at_times(goal.to, 4, len(problem), problem.times, f"the orientation of {goal.part!r}")
    above = _world_from_above(problem, joint, pose)
    local = quaternion.normalize(quaternion.multiply(quaternion.conjugate(above), wanted))
    local = np.where(active[:, None], quaternion.same_hemisphere(local, pose.rotations[:, joint]), local)
    held = np.empty((len(problem), 1, 4))
    table = joint_table(problem.body)[joint : joint + 1]
    CPU.run(hold_joints, len(problem), table, np.ascontiguousarray(local[:, None]), held)
    return pose.with_rotation(joint, np.where(active[:, None], held[:, 0], pose.rotations[:, joint]))


def _pointing_at_place(problem: Problem, goal: Place, joint: int, pose: Pose) -> tuple[FloatArray, FloatArray]:
    """(B, 3) what points in the joint's frame, and (B, 3) where to in the world."""
    state = WorldState(problem.body.character, pose)
    target = goal.places(state, problem.times)
    below, offset = joint_of(problem.body.character, goal.part), np.asarray(as_point(goal.part).offset)
    pointing = offset if below == joint else problem.body.offsets_of(pose)[:, below]
    return np.broadcast_to(pointing, (len(problem), 3)), target - state.positions[:, joint]


def _pointing_aim(problem: Problem, goal: Aim, joint: int, pose: Pose) -> tuple[FloatArray, FloatArray]:
    """As `_pointing_at_place`: the point of the line of sight that is as far from the joint as the target."""
    state = WorldState(problem.body.character, pose)
    axis, eye = goal.axis_in(state), np.asarray(as_point(goal.part).offset)
    if goal.comfortable < np.pi:
        return np.broadcast_to(axis, (len(problem), 3)), goal.directions(state, problem.times)
    away = at_times(goal.at, 3, len(problem), problem.times, f"the aim of {goal.part!r}") - state.positions[:, joint]
    along, across = float(eye @ axis), float(eye @ eye) - float(eye @ axis) ** 2
    sight = np.sqrt(np.maximum(np.vecdot(away, away) - across, 0.0)) - along
    return eye + sight[:, None] * axis, away


def _pointed(
    problem: Problem, joint: int, pose: Pose, start: FloatArray, aim: tuple[FloatArray, FloatArray], active: BoolArray
) -> Pose:
    asked = np.zeros((len(problem), WIDTH))
    asked[:, POINTS:TOWARD], asked[:, TOWARD:ABOVE] = aim
    asked[:, ABOVE:START] = _world_from_above(problem, joint, pose)
    asked[:, START:ASKED] = start
    # A target in the joint itself has no direction.
    asked[:, ASKED] = active & (np.linalg.norm(aim[1], axis=-1) > 1e-12)
    rotations = np.array(pose.rotations, order="C")
    CPU.run(aim_joints, len(problem), joint, joint_table(problem.body), asked, rotations)
    return pose.replace(rotations=rotations)


def _world_from_above(problem: Problem, joint: int, pose: Pose) -> FloatArray:
    """(B, 4) the rotation of the joint's parent."""
    parent = int(problem.body.parents[joint])
    if parent < 0:
        return np.broadcast_to(quaternion.IDENTITY, (len(problem), 4))
    return WorldState(problem.body.character, pose).rotations[:, parent]


def aim_joint(joint: int, table: FloatArray, pointing: Three, toward: Three, start: Four) -> Four:
    """The rotation nearest to ``start``, within the joint's limits, that turns ``pointing`` towards ``toward``.

    Limits may take away some of the turn, or, for joints with fewer than three axes, turn it askew; what is left is
    tried again, which keeps the answer continuous.

    Args:
        joint: which row of the table.
        table: of `joint_table`.
        pointing: in the joint's frame.
        toward: in its parent's frame.
        start: parent_from_joint.
    """
    wanted, held = direction(toward, toward), start
    for _ in range(SWEEPS):
        points = direction(turned(held, pointing), wanted)
        if size(minus(points, wanted)) < NEAR:
            break
        held = hold_joint(joint, table, times(shortest(points, wanted), held))
    return hold_joint(joint, table, held)


@kernel
def aim_joints(item: int, joint: Count, table: Floats2, asked: Floats2, rotations: Output3) -> None:
    """One item is one frame; see the columns above."""
    if asked[item, ASKED] > 0.0:
        toward = turned(back(four(asked, item, ABOVE)), three(asked, item, TOWARD))
        found = aim_joint(joint, table, three(asked, item, POINTS), toward, four(asked, item, START))
        write_rotation(joint, found, rotations[item])


@kernel
def hold_joints(item: int, table: Floats2, rotations: Floats3, held: Output3) -> None:
    """One item is one frame: every joint held in its limits; see `mummer.character.clamp`."""
    for joint in range(rotations.shape[1]):
        rotation = four(rotations[item], joint, 0)
        put_four(held[item], joint, 0, rotation)
        write_rotation(joint, hold_joint(joint, table, rotation), held[item])
