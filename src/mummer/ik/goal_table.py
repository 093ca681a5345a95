"""Goals as flat arrays, for the loops of the numerical solvers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray
from mummer.ik.axes import axes_mask
from mummer.ik.body_point import Part, Vector, as_point, joint_of
from mummer.ik.goal import Goal
from mummer.ik.goals import (
    Aim,
    Apart,
    Balanced,
    CenterOfMass,
    HalfSpace,
    JointValue,
    Match,
    Near,
    Orient,
    Place,
    Together,
)
from mummer.ik.moving import at_times, values_at
from mummer.ik.problem import Problem
from mummer.ik.world_state import WorldState

PLACE, ORIENT, AIM_AT, AIM_ALONG, HALF_SPACE, JOINT_VALUE, TOGETHER, MATCH, APART, MASS_PLACE, MASS_HALF_SPACE = range(
    11
)


@dataclass(frozen=True, eq=False)
class GoalTable:
    """N entries for the goals of a problem; some goals make several entries, `Near` makes none.

    Attributes:
        kinds: (N,) PLACE, ORIENT ...
        joints, others: (N,) the joints spoken of; -1 where there is none.
        points, other_points: (N, 3) in the frames of these joints, metres.
        axes: (N, 3) the mask of world axes of a place; the pointing axis of an aim, in the joint's frame; the normal
            of a half-space.
        targets: (B, N, 4) the place, the rotation, the direction (of AIM_ALONG and APART), and as last number the
            distance of a half-space or of APART.
        weights: (B, N) zero where the entry does not hold; one for hard ones.
        hard: (N,) one for hard entries, else zero.
        goal: (N,) which goal of the problem each entry comes from.
    """

    kinds: IntArray
    joints: IntArray
    others: IntArray
    points: FloatArray
    other_points: FloatArray
    axes: FloatArray
    targets: FloatArray
    weights: FloatArray
    hard: IntArray
    goal: IntArray

    def __len__(self) -> int:
        return len(self.kinds)


def goal_table(problem: Problem) -> GoalTable:
    """The goals of ``problem`` as flat arrays; what depends on the pose (soft aims, support) is taken at its start."""
    builder = _Builder(problem)
    for place, goal in enumerate(problem.goals):
        builder.add(place, goal)
    return builder.build()


@dataclass
class _Builder:
    problem: Problem
    rows: list[tuple[int, int, int, Vector, Vector, npt.ArrayLike, int, int]] = field(default_factory=list)
    targets: list[FloatArray] = field(default_factory=list)
    weights: list[FloatArray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start = WorldState(self.problem.body.character, self.problem.start)

    def add(self, place: int, goal: Goal) -> None:
        match goal:
            case Place():
                self._entry(place, goal, PLACE, goal.part, axes=axes_mask(goal.axes), target=self._target(goal.at, 3))
            case Orient():
                self._entry(place, goal, ORIENT, goal.part, target=self._target(goal.to, 4))
            case Aim() if goal.comfortable < np.pi:
                along = goal.directions(self.start, self.problem.times)
                self._entry(place, goal, AIM_ALONG, goal.part, axes=goal.axis_in(self.start), target=along)
            case Aim():
                self._entry(
                    place, goal, AIM_AT, goal.part, axes=goal.axis_in(self.start), target=self._target(goal.at, 3)
                )
            case HalfSpace():
                distance = np.broadcast_to(np.asarray(goal.distance, np.float64), len(self.problem))
                plane = np.column_stack([np.zeros((len(self.problem), 3)), distance])
                self._entry(place, goal, HALF_SPACE, goal.part, axes=np.asarray(goal.normal), target=plane)
            case JointValue():
                self._entry(place, goal, JOINT_VALUE, goal.part, target=self._target(goal.rotation, 4))
            case Together():
                self._entry(place, goal, TOGETHER, goal.first, goal.second, target=np.asarray(goal.gap))
            case Match():
                self._entry(place, goal, MATCH, goal.first, goal.second, target=np.asarray(goal.turn))
            case Apart():
                distance = np.broadcast_to(np.asarray(goal.distance, np.float64), len(self.problem))
                normal = at_times(goal.normal, 3, len(self.problem), self.problem.times, "the direction of a goal")
                target = np.column_stack([normal, distance])
                self._entry(place, goal, APART, goal.first, goal.second, target=target)
            case CenterOfMass():
                self._entry(place, goal, MASS_PLACE, axes=axes_mask(goal.axes), target=self._target(goal.at, 3))
            case Balanced():
                self._balanced(place, goal)
            case Near():
                pass
            case _:
                raise TypeError(f"no solver knows goals of kind {type(goal).__name__}")

    def _balanced(self, place: int, goal: Balanced) -> None:
        from mummer.ik.support import support_half_spaces

        for plane in np.moveaxis(support_half_spaces(self.start, goal.feet, goal.margin), 1, 0):
            self._entry(place, goal, MASS_HALF_SPACE, target=plane)

    def _target(self, target: object, width: int) -> FloatArray:
        return values_at(target, width, len(self.problem), self.problem.times, "the target of a goal")  # type: ignore[arg-type]

    def _entry(
        self,
        place: int,
        goal: Goal,
        kind: int,
        first: Part | None = None,
        second: Part | None = None,
        *,
        axes: npt.ArrayLike = (0.0, 0.0, 0.0),
        target: FloatArray,
    ) -> None:
        character, count = self.problem.body.character, len(self.problem)
        joints = [-1 if part is None else joint_of(character, part) for part in (first, second)]
        points = [(0.0, 0.0, 0.0) if part is None else as_point(part).offset for part in (first, second)]
        self.rows.append((kind, joints[0], joints[1], points[0], points[1], axes, int(goal.is_hard), place))
        filled = np.zeros((count, 4))
        filled[:, : target.shape[-1]] = target
        self.targets.append(filled)
        weights = np.full(count, 1.0 if goal.weight is None else goal.weight)
        if goal.interval is not None:
            weights[~goal.active(count, self.problem.times)] = 0.0
        self.weights.append(weights)

    def build(self) -> GoalTable:
        count, entries = len(self.problem), len(self.rows)
        columns = [list(column) for column in zip(*self.rows, strict=True)] if self.rows else [[] for _ in range(8)]

        def whole(column: int) -> IntArray:
            return np.asarray(columns[column], np.int64).reshape(entries)

        def vectors(column: int) -> FloatArray:
            return np.asarray(columns[column], np.float64).reshape(entries, 3)

        return GoalTable(
            whole(0), whole(1), whole(2), vectors(3), vectors(4), vectors(5),
            np.ascontiguousarray(np.stack(self.targets, axis=1)) if entries else np.zeros((count, 0, 4)),
            np.ascontiguousarray(np.stack(self.weights, axis=1)) if entries else np.zeros((count, 0)),
            whole(6), whole(7),
        )  # fmt: skip
