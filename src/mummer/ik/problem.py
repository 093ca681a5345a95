"""A problem: a body, how it stands, what it should meet, and what may move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character, Pose
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import Part, joint_of
from mummer.ik.goal import Goal
from mummer.ik.rigid_body import RigidBody, rigid_body
from mummer.ik.world_state import as_batch

RootFreedom = Literal["free", "turns", "fixed"]
ROOT_FREEDOMS: tuple[RootFreedom, ...] = ("free", "turns", "fixed")
TOLERANCE = 1e-4


@dataclass(frozen=True, eq=False)
class Problem:
    """What a solver is given; the leading axis of everything is the batch of B poses, each solved on its own.

    Attributes:
        body: the body.
        goals: what to meet.
        start: (B,) the poses that solving begins from and, without a `Near` goal, stays near.
        times: (B,) seconds of the poses, or None.
        movable: (J,) which joints may turn.
        root: whether roots may travel and turn (``free``), only turn, or neither.
        tolerance: how near counts as met: a part of the body's height for lengths, radians for angles.
        single: whether one pose was given rather than a batch.
    """

    body: RigidBody
    goals: tuple[Goal, ...]
    start: Pose
    times: FloatArray | None
    movable: BoolArray
    root: RootFreedom
    tolerance: float
    single: bool

    def __len__(self) -> int:
        return len(self.start)

    def holds(self, goal: Goal) -> BoolArray:
        """(B,) whether ``goal`` counts."""
        return goal.active(len(self), self.times) & (goal.weight != 0.0)

    def allowed_error(self, goal: Goal) -> float:
        """The error up to which ``goal`` counts as met, in its own unit."""
        return self.tolerance * (self.body.height if goal.UNIT == "m" else 1.0)


def make_problem(
    character: Character,
    goals: Goal | Sequence[Goal],
    pose: Pose | None = None,
    *,
    times: npt.ArrayLike | None = None,
    parts: Sequence[Part] | None = None,
    root: RootFreedom = "free",
    tolerance: float = TOLERANCE,
) -> Problem:
    """A problem, checked. See `solve` for the arguments.

    Raises:
        InputError: if something in it contradicts something else, or names what the body has not.
    """
    given = pose if pose is not None else character.default_pose
    start = as_batch(given)
    if len(start.shape) != 1 or start.joint_count != len(character.skeleton):
        raise InputError(
            f"a pose of shape {given.shape} with {given.joint_count} joints cannot be solved for {character.name!r}, "
            f"which has {len(character.skeleton)}; expected one pose or a list of them"
        )
    _require_finite(start)
    listed = (goals,) if isinstance(goals, Goal) else tuple(goals)
    for goal in listed:
        if not isinstance(goal, Goal):
            raise InputError(f"{goal!r} is no goal; expected goals such as Place('left_hand', at=(0.3, 1.2, 0.4))")
        for point in goal.points:
            joint_of(character, point)
    if root not in ROOT_FREEDOMS:
        raise UnknownNameError("solve", "freedom of the root", root, ROOT_FREEDOMS)
    if not 0 < tolerance < 1:
        raise InputError(f"a tolerance of {tolerance:g} makes no sense; expected a small part of the body's height")
    return Problem(
        rigid_body(character), listed, start, _times(times, len(start)), _movable(character, parts, root), root,
        float(tolerance), not given.shape,
    )  # fmt: skip


def _require_finite(pose: Pose) -> None:
    for name in ("rotations", "root_translation", "translations", "scales"):
        values = getattr(pose, name)
        # An infinity or NaN shows in the sum, which is found faster than by looking at each number.
        if values is not None and not math.isfinite(values.sum()) and not np.all(np.isfinite(values)):
            raise InputError(f"{name} of the pose to solve from hold values that are not finite numbers")


def _times(times: npt.ArrayLike | None, count: int) -> FloatArray | None:
    if times is None:
        return None
    at = np.atleast_1d(np.asarray(times, np.float64))
    if at.shape != (count,) or not np.all(np.isfinite(at)):
        raise InputError(f"times of shape {at.shape} do not fit {count} poses; expected ({count},) finite numbers")
    return locked(at)


def _movable(character: Character, parts: Sequence[Part] | None, root: RootFreedom) -> BoolArray:
    """(J,) the joints that may turn."""
    movable = np.full(len(character.skeleton), parts is None)
    for part in parts or ():
        movable[joint_of(character, part)] = True
    if root == "fixed":
        movable[list(character.skeleton.roots)] = False
    return locked(movable, bool)
