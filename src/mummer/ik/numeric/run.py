"""From a problem to arrays, through the kernel, and back to poses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Pose
from mummer.ik.body_goals import Near
from mummer.ik.body_point import joint_of
from mummer.ik.goal_table import GoalTable
from mummer.ik.numeric.kernel import DIAGONAL, EQUAL, solve_problems
from mummer.ik.numeric.misses import RADIAN
from mummer.ik.numeric.plan import Plan, plan_for
from mummer.ik.problem import Problem
from mummer.kernels.place import CPU

STRIDE, LONG_STRIDE = 0.5, 1.0
"""In heights: how far a step brings a part of the body towards its goal at most; long where the first pose will do."""
BLUR = 0.3
"""In heights: see `Goals`."""
STILL = 1e-4
"""In heights: a step that moves the body's mass no farther than this changes nothing worth having."""


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What the solvers choose for the core.

    Attributes:
        steps: at most.
        attempts: new beginnings, at most, where hard goals stay unmet; ``attempt_steps`` each.
        metric: DIAGONAL, FULL or EQUAL.
        pull: how strongly a body stays near its start, beside soft goals of weight 1.
        restitution: parts of the body's own moment that every turn costs at least; see `Plan.moment`.
        settle: see `Goals`.
        damping: parts of the height; see `Goals`.
    """

    steps: int = 200
    attempts: int = 12
    attempt_steps: int = 80
    metric: int = DIAGONAL
    pull: float = 0.01
    restitution: float = 0.01
    settle: float = 0.01
    damping: float = 0.0


@dataclass(frozen=True, eq=False)
class Home:
    """Where bodies are drawn: rotations (B, J, 4), offsets (B, J, 3), how strongly each joint is (J,).

    ``is_start`` says that it is where they are.
    """

    rotations: FloatArray
    offsets: FloatArray
    pulls: FloatArray
    is_start: bool


class Outcome(NamedTuple):
    """What the core found.

    Attributes:
        pose: (B,) the poses.
        steps: (B,) taken.
        softened: (B, N) which hard entries of the goal table gave way to others.
        misses: (B, N) how far each entry is missed, in the unit of its goal; zero where it does not hold.
    """

    pose: Pose
    steps: IntArray
    softened: BoolArray
    misses: FloatArray


def run(problem: Problem, table: GoalTable, tuning: Tuning) -> Outcome:
    """What the core finds for the goals in ``table``."""
    count, plan = len(problem), plan_for(problem, table)
    joints = len(plan.joints)
    start, offsets = np.array(problem.start.rotations, order="C"), _offsets(problem, problem.start)
    home = _home(problem, start, offsets, tuning)
    # What no goal depends on goes home at once.
    start[:, plan.idle] = home.rotations[:, plan.idle]
    if plan.idle[0] and problem.root == "free":
        offsets[:, 0] = home.offsets[:, 0]
    answers, steps = np.empty((count, joints, 7)), np.zeros(count, np.int64)
    softened, misses = np.zeros((count, len(table)), np.int64), np.zeros((count, len(table)))
    CPU.run(
        solve_problems, count, plan.joints, plan.frames, plan.used, plan.owner, plan.moments, plan.labels,
        _values(table), start, home.rotations, offsets, home.offsets, home.pulls, _settings(problem, plan, tuning),
        np.array([tuning.steps, tuning.metric, tuning.attempts, tuning.attempt_steps, home.is_start], np.int64),
        answers, steps, softened, misses,
    )  # fmt: skip
    if len(plan.angles):
        misses[:, plan.angles] /= RADIAN * problem.body.height
    return Outcome(_pose(problem, answers), steps, softened.astype(bool), misses)


def _offsets(problem: Problem, pose: Pose) -> FloatArray:
    """(1, J, 3) or (B, J, 3) from parents to joints, metres; for the first joint, where it is."""
    root, fixed = np.asarray(pose.root_translation), problem.body.offsets_of(pose)
    offsets = np.empty((len(root), *fixed.shape[1:]))
    offsets[:] = fixed
    offsets[:, 0] = root
    return offsets


def _home(problem: Problem, start: FloatArray, offsets: FloatArray, tuning: Tuning) -> Home:
    """The start, or what goals to stay near a pose say."""
    rotations, way, pulls = start, offsets, np.full(start.shape[1], tuning.pull)
    nears = [goal for goal in problem.goals if isinstance(goal, Near) and goal.weight]
    if nears:
        rotations, way = start.copy(), offsets.copy()
    for goal in nears:
        joints = [joint_of(problem.body.character, part) for part in goal.joints] or list(range(len(pulls)))
        near = goal.pose.broadcast_to((len(start),))
        rotations[:, joints] = near.rotations[:, joints]
        if 0 in joints:
            way[:, 0] = near.root_translation
        pulls[joints] = goal.weight
    return Home(rotations, way, pulls, not nears)


def _settings(problem: Problem, plan: Plan, tuning: Tuning) -> FloatArray:
    """See `solve_problems`."""
    height, total = problem.body.height, problem.body.mass.total
    if tuning.metric == EQUAL:
        total = 1.0 / height**2
    return np.array([
        height, RADIAN * height, problem.tolerance * height, total, tuning.restitution * plan.moment,
        STILL * height * math.sqrt(total * tuning.pull), tuning.settle,
        tuning.damping * height, (LONG_STRIDE if tuning.settle >= 1 else STRIDE) * height, BLUR * height,
    ])  # fmt: skip


def _values(table: GoalTable) -> FloatArray:
    """(B, N, 16) see `Goals`."""
    values = np.empty((len(table.targets), len(table), 16))
    values[..., :3], values[..., 3:6], values[..., 6:9] = table.points, table.other_points, table.axes
    values[..., 9:13], values[..., 13], values[..., 14:] = table.targets, table.weights, 1.0
    return values


def _pose(problem: Problem, answers: FloatArray) -> Pose:
    """The poses that the kernel found."""
    start, roots = problem.start, [joint for joint in problem.body.skeleton.roots if joint != 0]
    rotations, root = np.ascontiguousarray(answers[..., :4]), np.ascontiguousarray(answers[:, 0, 4:])
    translations = start.translations
    if translations is not None or (roots and problem.root == "free"):
        translations = np.array(start.full_translations(problem.body.skeleton))
        translations[:, [0, *roots]] = answers[:, [0, *roots], 4:]
        root = translations[:, 0]
    return Pose.unchecked(rotations, root, translations, start.scales, start.morphs)
