"""Joint limits: how far each joint may turn from its rest rotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked, require_finite
from mummer.character._checks import require_exact_shape
from mummer.errors import InputError

Vector = tuple[float, float, float]
FREE, HINGE, PIVOT, BALL = 0, 1, 2, 3


@dataclass(frozen=True)
class Free:
    """Turns any way."""


@dataclass(frozen=True)
class Hinge:
    """Turns about one axis, as a knee does.

    Attributes:
        axis: unit vector in the joint's own frame at rest.
        low, high: radians from rest, low ≤ 0 ≤ high unless rest itself is out of range.
    """

    axis: Vector
    low: float
    high: float


@dataclass(frozen=True)
class Pivot:
    """Turns about two axes, first about ``axis``, then about ``second_axis`` carried along, as a wrist does.

    Attributes:
        axis: unit vector in the joint's own frame at rest.
        low, high: radians about it.
        second_axis: unit, across ``axis``.
        second_low, second_high: radians about it, within half a circle either way.
    """

    axis: Vector
    low: float
    high: float
    second_axis: Vector
    second_low: float
    second_high: float


@dataclass(frozen=True)
class Ball:
    """Swings within an elliptic cone about ``axis`` and twists about it, as a shoulder does.

    Attributes:
        axis: the direction along the limb, unit, in the joint's own frame at rest.
        swing: half-angles of the cone in radians, about ``second_axis`` and about the axis across both.
        low, high: twist about ``axis`` in radians.
        second_axis: unit, across ``axis``; where the first half-angle is measured.
    """

    axis: Vector
    swing: tuple[float, float]
    low: float
    high: float
    second_axis: Vector


JointLimit: TypeAlias = Free | Hinge | Pivot | Ball


@dataclass(frozen=True, eq=False)
class Limits:
    """The limits of every joint of a skeleton as flat arrays.

    All angles are those of ``rest⁻¹ · rotation``: how the joint is turned from rest, seen in its own frame.

    Attributes:
        kinds: (J,) FREE, HINGE, PIVOT or BALL.
        axes: (J, 3) first axis, unit.
        second_axes: (J, 3) second axis, unit and across the first.
        ranges: (J, 2) radians: hinge angle, first pivot angle, or twist.
        second_ranges: (J, 2) radians: second pivot angle, or the two half-angles of the swing cone.
    """

    kinds: IntArray
    axes: FloatArray
    second_axes: FloatArray
    ranges: FloatArray
    second_ranges: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", locked(self.kinds, np.int8))
        require_exact_shape(self.kinds, (None,), "kinds of limits")
        count = len(self.kinds)
        for name, width in (("axes", 3), ("second_axes", 3), ("ranges", 2), ("second_ranges", 2)):
            array = locked(getattr(self, name))
            require_exact_shape(array, (count, width), f"{name} of limits")
            require_finite(array, f"{name} of limits")
            object.__setattr__(self, name, array)
        for joint in range(count):
            self._validate(joint)

    def _validate(self, joint: int) -> None:
        kind, (low, high), second = int(self.kinds[joint]), self.ranges[joint], self.second_ranges[joint]
        if kind not in (FREE, HINGE, PIVOT, BALL):
            raise InputError(f"limit of joint {joint} is of kind {kind}; expected 0 to 3")
        if kind == FREE:
            return
        if low > high:
            raise InputError(f"limit of joint {joint} runs from {low:g} to {high:g}; expected low ≤ high")
        _require_unit(self.axes[joint], f"axis of the limit of joint {joint}")
        if kind == HINGE:
            return
        _require_unit(self.second_axes[joint], f"second axis of the limit of joint {joint}")
        if abs(float(self.axes[joint] @ self.second_axes[joint])) > 1e-6:
            raise InputError(f"second axis of the limit of joint {joint} is not across the first")
        if kind == PIVOT and not -np.pi <= second[0] <= second[1] <= np.pi:
            raise InputError(
                f"second range of the limit of joint {joint} is {second[0]:g} to {second[1]:g}; "
                "expected low ≤ high within half a circle either way"
            )
        if kind == BALL and not (second.min() >= 0 and second.max() <= np.pi):
            raise InputError(
                f"swing of the limit of joint {joint} is {second[0]:g} and {second[1]:g}; expected 0 to half a circle"
            )

    def __len__(self) -> int:
        return len(self.kinds)

    def __repr__(self) -> str:
        return f"Limits({int(np.count_nonzero(self.kinds))} of {len(self)} joints limited)"

    @classmethod
    def from_joints(cls, joint_count: int, limits: Mapping[int, JointLimit]) -> Limits:
        """The limits of a skeleton from those of single joints; joints not named are free.

        Raises:
            InputError: if a joint does not exist, or its limit contradicts itself.
        """
        kinds = np.zeros(joint_count, np.int8)
        axes = np.tile([1.0, 0.0, 0.0], (joint_count, 1))
        second_axes = np.tile([0.0, 1.0, 0.0], (joint_count, 1))
        ranges = np.tile([-np.pi, np.pi], (joint_count, 1))
        second_ranges = np.tile([-np.pi, np.pi], (joint_count, 1))
        for joint, limit in limits.items():
            if not 0 <= joint < joint_count:
                raise InputError(f"a limit is given for joint {joint}; expected 0 to {joint_count - 1}")
            match limit:
                case Hinge():
                    kinds[joint], axes[joint], ranges[joint] = HINGE, limit.axis, (limit.low, limit.high)
                case Pivot():
                    kinds[joint], axes[joint], ranges[joint] = PIVOT, limit.axis, (limit.low, limit.high)
                    second_axes[joint] = limit.second_axis
                    second_ranges[joint] = (limit.second_low, limit.second_high)
                case Ball():
                    kinds[joint], axes[joint], ranges[joint] = BALL, limit.axis, (limit.low, limit.high)
                    second_axes[joint], second_ranges[joint] = limit.second_axis, limit.swing
                case Free():
                    kinds[joint] = FREE
        return cls(kinds, axes, second_axes, ranges, second_ranges)

    def of_joints(self, joints: IntArray | slice) -> Limits:
        """The limits of some joints, in their order."""
        return Limits(
            self.kinds[joints], self.axes[joints], self.second_axes[joints], self.ranges[joints],
            self.second_ranges[joints],
        )  # fmt: skip

    def of(self, joint: int) -> JointLimit:
        """The limit of one joint."""
        low, high = self.ranges[joint].tolist()
        first, second = self.second_ranges[joint].tolist()
        axis: Vector = tuple(self.axes[joint].tolist())
        second_axis: Vector = tuple(self.second_axes[joint].tolist())
        match int(self.kinds[joint]):
            case 1:
                return Hinge(axis, low, high)
            case 2:
                return Pivot(axis, low, high, second_axis, first, second)
            case 3:
                return Ball(axis, (first, second), low, high, second_axis)
        return Free()


def _require_unit(axis: FloatArray, what: str) -> None:
    length = float(np.linalg.norm(axis))
    if abs(length - 1) > 1e-6:
        raise InputError(f"{what} has length {length:g}; expected 1")
