"""Joint limits: how far each joint may turn from its rest rotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
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
    """Turns about two axes, first about ``axis``, then about ``second_axis`` carried along, as a wrist does."""

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

    Attributes:
        kinds: (J,) FREE, HINGE, PIVOT or BALL.
        axes: (J, 3) first axis.
        second_axes: (J, 3) second axis.
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
        count = len(self.kinds)
        for name, width in (("axes", 3), ("second_axes", 3), ("ranges", 2), ("second_ranges", 2)):
            array = locked(getattr(self, name))
            if array.shape != (count, width):
                raise InputError(f"{name} of limits has shape {array.shape}; expected ({count}, {width})")
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.kinds)

    @classmethod
    def from_joints(cls, joint_count: int, limits: Mapping[int, JointLimit]) -> Limits:
        """The limits of a skeleton from those of single joints; joints not named are free."""
        kinds = np.zeros(joint_count, np.int8)
        axes = np.tile([1.0, 0.0, 0.0], (joint_count, 1))
        second_axes = np.tile([0.0, 1.0, 0.0], (joint_count, 1))
        ranges = np.tile([-np.pi, np.pi], (joint_count, 1))
        second_ranges = np.tile([-np.pi, np.pi], (joint_count, 1))
        for joint, limit in limits.items():
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
