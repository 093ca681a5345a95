"""From a problem to arrays, through the kernel, and back to poses."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Pose
from mummer.character.limit_angles import is_whole_circle
from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.ik.body_goals import Near
from mummer.ik.body_point import joint_of
from mummer.ik.goal_table import MASS_HALF_SPACE, MASS_PLACE, GoalTable
from mummer.ik.limits import RANGE, SECOND_RANGE, joint_table
from mummer.ik.numeric import records as col
from mummer.ik.numeric.descent import DIAGONAL, EQUAL, come_near, prepare, seek, spare_the_impossible
from mummer.ik.numeric.posing import copy_stance, read_stance
from mummer.ik.numeric.records import Answers, Asked, Body, Goals, How, Work, new_work
from mummer.ik.numeric.rows import RADIAN, row_count
from mummer.ik.problem import Problem, RootFreedom
from mummer.ik.rigid_body import RigidBody, joints_above
from mummer.ik.world_state import WorldState
from mummer.kernels.kernel import kernel
from mummer.kernels.linking import apart
from mummer.kernels.place import CPU
from mummer.math import quaternion

STRIDE, LONG_STRIDE = 0.5, 1.0
"""In heights: how far a step brings a part of the body towards its goal at most; long where the first pose will do."""
BLUR = 0.3
"""In heights: see `How`."""
STILL = 1e-4
"""In heights: a step that moves the body's mass no farther than this changes nothing worth having."""


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What the solvers choose for the core.

    Attributes:
        steps: at most.
        attempts: new beginnings, at most, where hard goals stay unmet.
        metric: DIAGONAL or EQUAL.
        pull: how strongly a body stays near its start, beside soft goals of weight 1.
        restitution: parts of the body's own moment that every turn costs at least; see `Plan.moment`.
        settle: see `How`.
        damping: parts of the height; see `How`.
    """

    steps: int = 200
    attempts: int = 12
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
    """

    pose: Pose
    steps: IntArray
    softened: BoolArray


BLOCK = 128
"""Problems that there is room for at a time."""


def run(problem: Problem, table: GoalTable, tuning: Tuning) -> Outcome:
    """What the core finds for the goals in ``table``."""
    count, plan = len(problem), plan_for(problem, table)
    joints = len(plan.body.joints)
    start, offsets = np.array(problem.start.rotations, order="C"), _offsets(problem, problem.start)
    home = _home(problem, start, offsets, tuning)
    # What no goal depends on goes home at once.
    start[:, plan.idle] = home.rotations[:, plan.idle]
    if plan.idle[0] and problem.root == "free":
        offsets[:, 0] = home.offsets[:, 0]
    given = (_values(table), start, home.rotations, offsets, home.offsets)
    found = Answers(np.empty((count, joints, 7)), np.zeros(count, np.int64), np.zeros((count, len(table)), np.int64))
    how, pulls = _how(problem, plan, tuning, home), locked(home.pulls)
    room = min(count, BLOCK)
    work = plan.rooms.pop() if room == 1 and plan.rooms else new_work(room, plan.body, plan.labels)
    for begin in range(0, count, BLOCK):
        part = slice(begin, min(begin + BLOCK, count))
        values, start_of, home_of, from_parents, home_from_parents = (locked(each[part], copy=False) for each in given)
        asked = Asked(plan.labels, values, start_of, home_of, from_parents, home_from_parents, pulls)
        some = Answers(found.poses[part], found.steps[part], found.softened[part])
        CPU.run(solve_problems, part.stop - begin, plan.body, asked, how, work, some)
    if room == 1:
        plan.rooms.append(work)
    return Outcome(_pose(problem, found.poses), found.steps, found.softened.astype(bool))


@kernel(on_cuda=False, borrows=True)
def solve_problems(item: int, body: Body, asked: Asked, how: How, work: Work, answers: Answers) -> None:
    """One item is one problem: bend one body."""
    mine = Work(
        work.slopes[item], work.spread[item], work.spans[item], work.normal[item], work.rows[item], work.dofs[item],
        work.normals[item], work.carried[item], work.lever[item], work.world[item],
        work.stance[item], work.home[item], work.saved[item], work.first[item], work.begun[item], work.found[item],
        work.labels[item], work.values[item],
    )  # fmt: skip
    goals = Goals(mine.labels, mine.values, how)
    clear(mine)
    hold_labels(asked.labels, asked.values[item], goals)
    read_stance(body, asked.home[item], asked.home_offsets[item], mine.home)
    if how.is_home != 0:
        copy_stance(mine.home, mine.stance)
    else:
        read_stance(body, asked.start[item], asked.offsets[item], mine.stance)
    prepare(goals, body, mine, asked.pulls)
    spare_the_impossible(goals, body, mine.stance, mine.world)
    come_near(goals, body, mine)
    answers.steps[item] = seek(goals, body, mine)
    for entry in range(goals.labels.shape[0]):
        answers.softened[item, entry] = 1 if goals.labels[entry, col.HARD] == 2 else 0
    write_answer(asked.start[item], mine.stance, answers.poses[item])


@apart
def clear(work: Work) -> None:
    """Forget what another problem left."""
    for row in range(work.rows.shape[1]):
        for part in range(work.rows.shape[0]):
            work.rows[part, row] = 0.0
    for dof in range(work.dofs.shape[1]):
        for part in range(work.dofs.shape[0]):
            work.dofs[part, dof] = 0.0
    for joint in range(work.normals.shape[0]):
        work.normals[joint, 0], work.normals[joint, 1] = 1.0, 0.0


@apart
def hold_labels(labels: IntArray, values: FloatArray, goals: Goals) -> None:
    """Copy the labels, with the rows of the entries that hold for this problem one after the other, and the values."""
    total = 0
    for entry in range(labels.shape[0]):
        for part in range(labels.shape[1]):
            goals.labels[entry, part] = labels[entry, part]
        for part in range(values.shape[1]):
            goals.values[entry, part] = values[entry, part]
        goals.labels[entry, col.ROW] = total
        if values[entry, col.WEIGHT] <= 0.0:
            goals.labels[entry, col.ROWS] = 0
        total += goals.labels[entry, col.ROWS]


@apart
def write_answer(given: FloatArray, stance: FloatArray, answer: FloatArray) -> None:
    """Write the rotations, signed as those given (J, 4), and the offsets of a stance."""
    for joint in range(stance.shape[0]):
        side = 0.0
        for part in range(4):
            side += given[joint, part] * stance[joint, col.LOCAL + part]
        for part in range(4):
            answer[joint, part] = stance[joint, col.LOCAL + part] * (-1.0 if side < 0.0 else 1.0)
        for part in range(3):
            answer[joint, 4 + part] = stance[joint, col.OFFSET + part]


def _offsets(problem: Problem, pose: Pose) -> FloatArray:
    """(1, J, 3) or (B, J, 3) from parents to joints, metres; for the first joint, where it is."""
    root, fixed = np.asarray(pose.root_translation), problem.body.offsets_of(pose)
    offsets = np.empty((len(root), *fixed.shape[1:]))
    offsets[:] = fixed
    offsets[:, 0] = root
    return offsets


def _home(problem: Problem, start: FloatArray, offsets: FloatArray, tuning: Tuning) -> Home:
    """The start, or what goals to stay near a pose say."""
    pose, pulls = drawn_to(problem, tuning.pull)
    if pose is problem.start:
        return Home(start, offsets, pulls, True)
    way = offsets.copy()
    way[:, 0] = pose.root_translation
    return Home(np.array(pose.rotations), way, pulls, False)


def drawn_to(problem: Problem, pull: float) -> tuple[Pose, FloatArray]:
    """Where bodies are drawn by `Near` goals, else to their start, and (J,) how strongly each joint is."""
    pulls = np.full(len(problem.body.parents), pull)
    nears = [goal for goal in problem.goals if isinstance(goal, Near) and goal.weight]
    if not nears:
        return problem.start, pulls
    rotations, root = np.array(problem.start.rotations), np.array(problem.start.root_translation)
    for goal in nears:
        joints = [joint_of(problem.body.character, part) for part in goal.joints] or list(range(len(pulls)))
        near = goal.pose.broadcast_to((len(problem),))
        rotations[:, joints], pulls[joints] = near.rotations[:, joints], goal.weight
        root = np.array(near.root_translation) if 0 in joints else root
    return replace(problem.start, rotations=rotations, root_translation=root), pulls


def _how(problem: Problem, plan: Plan, tuning: Tuning, home: Home) -> How:
    """The choices of a solver in metres and kilograms."""
    height, total = problem.body.height, problem.body.mass.total
    if tuning.metric == EQUAL:
        total = 1.0 / height**2
    return How(
        height=height, radian=RADIAN * height, near=problem.tolerance * height, stiffness=total,
        restitution=tuning.restitution * plan.moment, still=STILL * height * math.sqrt(total * tuning.pull),
        settle=tuning.settle, damping=tuning.damping * height,
        stride=(LONG_STRIDE if tuning.settle >= 1 else STRIDE) * height, blur=BLUR * height, metric=tuning.metric,
        steps=tuning.steps, attempts=tuning.attempts, is_home=int(home.is_start),
    )  # fmt: skip


def _values(table: GoalTable) -> FloatArray:
    """(B, N, 16) see `Asked`."""
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


EVERY = 1e9
"""Radians: the range of a joint that turns right round."""
TURNS = {FREE: 3, HINGE: 1, PIVOT: 2, BALL: 3}
PLANS = 256
"""How many plans are remembered for one body."""


@dataclass(frozen=True, eq=False)
class Plan:
    """The arrays of a body for certain goals.

    Attributes:
        body: as kernels see it.
        idle: (J,) whether a joint may turn but no goal depends on it.
        moment: ∫ r² dm about the centre of mass at rest, kg m².
        labels: (N, 6) see `Asked`.
        rooms: to work on single problems; whoever works takes one out.
    """

    body: Body
    idle: BoolArray
    moment: float
    labels: IntArray
    rooms: list[Work]


_plans: WeakKeyDictionary[RigidBody, dict[object, Plan]] = WeakKeyDictionary()


def plan_for(problem: Problem, table: GoalTable) -> Plan:
    """The degrees of freedom that matter to the goals of ``problem``; remembered with its body."""
    plans = _plans.setdefault(problem.body, {})
    spoken_of = (table.kinds.tobytes(), table.joints.tobytes(), table.others.tobytes())
    asked = (table.hard.tobytes(), table.axes.tobytes())
    key = (*spoken_of, *asked, problem.movable.tobytes(), problem.root)
    found = plans.get(key)
    if found is None:
        if len(plans) >= PLANS:
            plans.clear()
        found = plans[key] = _make_plan(problem.body, table, problem.movable, problem.root)
    return found


def _make_plan(body: RigidBody, table: GoalTable, movable: BoolArray, root: RootFreedom) -> Plan:
    used, kinds = _used(body.parents, table), body.limits.kinds
    first, travel = np.where(movable, -1, col.STAYS), np.full(len(kinds), -1)
    owner: list[int] = []
    for joint in np.flatnonzero(used).tolist():
        if movable[joint]:
            first[joint] = len(owner)
            owner += [joint] * TURNS[int(kinds[joint])]
        if root == "free" and body.parents[joint] < 0:
            travel[joint] = len(owner)
            owner += [joint] * 3
    joints = np.column_stack([body.parents, kinds, first, travel]).astype(np.int64)
    used_joints, idle = np.flatnonzero(used), movable & ~used
    every = np.arange(len(kinds))
    owners = locked(np.array(owner, np.int64), np.int64)
    core = Body(
        locked(joints, np.int64), _limits(body), locked(used_joints, np.int64), locked(every, np.int64), owners,
        _moments(body),
    )  # fmt: skip
    return Plan(core, idle, _moment_of(body), locked(_labels(table), np.int64), [])


def _labels(table: GoalTable) -> IntArray:
    """(N, 6) see `Asked`."""
    rows = [row_count(int(kind), axes) for kind, axes in zip(table.kinds, table.axes, strict=True)]
    starts = np.zeros(len(table), np.int64)
    return np.column_stack([table.kinds, table.joints, table.others, table.hard, starts, np.array(rows, np.int64)])


def _limits(body: RigidBody) -> FloatArray:
    """(J, WIDTH) how joints turn, with no end to ranges of a whole circle."""
    limits, table = body.limits, joint_table(body).copy()
    ranges, second = table[:, RANGE : RANGE + 2], table[:, SECOND_RANGE : SECOND_RANGE + 2]
    ranges[is_whole_circle(ranges[:, 0], ranges[:, 1])] = (-EVERY, EVERY)
    second[(limits.kinds == PIVOT) & is_whole_circle(second[:, 0], second[:, 1])] = (-EVERY, EVERY)
    return locked(table)


def _moments(body: RigidBody) -> FloatArray:
    """(J, 10) the mass of each joint, its centre and its second moments about that."""
    seconds = body.mass.second_moments[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return locked(np.hstack([body.mass.masses[:, None], body.mass.centers, seconds]))


def _moment_of(body: RigidBody) -> float:
    """∫ r² dm about the centre of mass at rest, kg m²; never zero."""
    state, mass = WorldState(body.character, Pose.rest(body.skeleton)), body.mass
    away = state.positions[0] + quaternion.rotate(state.rotations[0], mass.centers) - state.center_of_mass[0]
    moment = mass.masses @ np.sum(away**2, axis=1) + np.trace(mass.second_moments, axis1=1, axis2=2).sum()
    return float(moment) or 0.1 * mass.total * body.height**2


def _used(parents: IntArray, table: GoalTable) -> BoolArray:
    """(J,) the joints that some goal depends on: all above those that it speaks of."""
    if np.isin(table.kinds, (MASS_PLACE, MASS_HALF_SPACE)).any():
        return np.ones(len(parents), bool)
    used = np.zeros(len(parents), bool)
    used[joints_above(parents, [*table.joints, *table.others])] = True
    return used
