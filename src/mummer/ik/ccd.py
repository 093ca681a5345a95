"""Cyclic coordinate descent: joint after joint, each turned as best it can, until the goals are met."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.errors import InputError
from mummer.ik.analytic.ccd_entries import AXES, END, ENTRY, JOINT, KIND, POINT
from mummer.ik.analytic.ccd_kernel import descend
from mummer.ik.analytic.joint_table import joint_table
from mummer.ik.body_point import Part, joint_of
from mummer.ik.goal_table import GoalTable, goal_table
from mummer.ik.goals import Aim, Orient, Place
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution, make_solution
from mummer.kernels.place import CPU

HARD = 100.0
"""What a hard goal weighs beside soft ones."""
LEVER = 0.2
"""A turn counts beside a place as if it moved a point so far out; a part of the body's height."""
FRAMES_A_PIECE, FRAMES_A_BLOCK = 16, 4096


@dataclass(frozen=True)
class CCD:
    """Turns one joint at a time, from the tips inwards, so that what hangs on it comes nearest to its goals.

    `Place`, `Orient` and `Aim` goals count, any number of them; a joint that several hang on is turned to the best
    compromise by their weights. Others are left out and named in the report. Every turn is held in the joint's limits
    and none is taken that makes things worse, so that a joint that meets its limit cannot start an endless to and fro.
    Roots turn but do not travel. It is simple and quick for chains such as tails and necks, but bends the joints near
    the tip most; the mass-weighted solver spreads the bend as a body would.

    Attributes:
        iterations: the most sweeps over all joints.
        fold: fold chains that are nearly straight before the first sweep, to the length of the way to their targets.
            Without it a nearly straight leg takes dozens of sweeps, or with a knee that has limits never arrives.
            Counts as a sweep where it was done.
        bases: for a tip, the highest joint that may turn for it, where not all up to the root may.
    """

    iterations: int = 100
    fold: bool = True
    bases: Mapping[Part, Part] | None = None

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise InputError(f"{self.iterations} iterations cannot solve anything; expected one or more")

    def solve(self, problem: Problem) -> Solution:
        """See `Solver.solve`."""
        ignored = tuple(goal for goal in problem.goals if not isinstance(goal, Aim | Orient | Place))
        wanted = tuple(goal for goal in problem.goals if isinstance(goal, Aim | Orient | Place))
        table = goal_table(replace(problem, goals=wanted))
        rotations = np.array(problem.start.rotations, order="C")
        sweeps = np.zeros((len(problem), 1))
        for start in range(0, len(problem) if len(table) else 0, FRAMES_A_BLOCK):
            self._descend(problem, table, slice(start, start + FRAMES_A_BLOCK), rotations, sweeps)
        pose = problem.start.replace(rotations=rotations)
        return make_solution(problem, pose, "ccd", iterations=sweeps[:, 0].astype(np.int64), ignored=ignored)

    def _descend(
        self, problem: Problem, table: GoalTable, block: slice, rotations: FloatArray, sweeps: FloatArray
    ) -> None:
        body, joints = problem.body, len(problem.body.skeleton)
        assert problem.start.root_translation is not None
        offsets = body.offsets_of(problem.start)
        count = len(rotations[block])
        settings = np.array(
            [[self.iterations, problem.tolerance * body.height, problem.tolerance, LEVER * body.height, self.fold]]
        )
        CPU.run(
            descend, count, needed_joints(body.parents, table.joints), CPU.array(body.parents, np.int64),
            joint_table(body), CPU.array(offsets if len(offsets) == 1 else offsets[block], np.float64),
            CPU.array(problem.start.root_translation[block], np.float64), _entries(table),
            self._affects(problem, table), CPU.array(table.targets[block], np.float64),
            table.weights[block] * np.where(table.hard > 0, HARD, 1.0),
            settings, np.empty((count, joints, 3)), np.empty((count, joints, 4)), np.empty((count, len(table), END)),
            rotations[block], sweeps[block], grain=FRAMES_A_PIECE,
        )  # fmt: skip

    def _affects(self, problem: Problem, table: GoalTable) -> FloatArray:
        """(J, N) one where a joint may turn for an entry."""
        character, parents = problem.body.character, problem.body.parents
        bases = {joint_of(character, tip): joint_of(character, base) for tip, base in (self.bases or {}).items()}
        affects = np.zeros((len(parents), len(table)))
        for entry, tip in enumerate(table.joints.tolist()):
            joint, last = tip, bases.get(tip, -1)
            while joint >= 0:
                affects[joint, entry] = problem.movable[joint]
                joint = -1 if joint == last else int(parents[joint])
        return affects


def needed_joints(parents: IntArray, joints: IntArray) -> IntArray:
    """(K,) the given joints and all above them, parents first."""
    found: set[int] = set()
    for joint in joints.tolist():
        while joint >= 0 and joint not in found:
            found.add(joint)
            joint = int(parents[joint])
    return np.array(sorted(found), np.int64)


def _entries(table: GoalTable) -> FloatArray:
    """(N, ENTRY) see `ccd_entries`."""
    rows = np.zeros((len(table), ENTRY))
    rows[:, KIND], rows[:, JOINT] = table.kinds, table.joints
    rows[:, POINT:AXES], rows[:, AXES:ENTRY] = table.points, table.axes
    return rows
