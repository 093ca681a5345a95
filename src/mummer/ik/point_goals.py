"""Goals about one part of the body: where it is, how it is turned, what it points at."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.clip.standing import front_of
from mummer.errors import InputError
from mummer.ik.axes import AXES, axes_mask, require_axes
from mummer.ik.body_point import Part, Vector, joint_of
from mummer.ik.goal import Goal
from mummer.ik.moving import Target, at_times
from mummer.ik.soft_aim import softened_directions
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


@dataclass(frozen=True, eq=False)
class Place(Goal):
    """A point of the body at a place in the world.

    Attributes:
        part: the point.
        at: (3,) metres, or moving; see `Target`.
        axes: which of the world's axes count, for instance ``y`` for a height.
    """

    part: Part
    at: Target
    axes: str = AXES

    def __post_init__(self) -> None:
        super().__post_init__()
        require_axes(self.axes)

    def places(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """(B, 3) where the point is asked to be; along axes that do not count, where it is."""
        wanted = at_times(self.at, 3, len(state), times, f"the place of {self.part!r}")
        counts = axes_mask(self.axes) > 0
        return wanted if counts.all() else np.where(counts, wanted, state.point(self.part))

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """See `Goal.error`."""
        away = state.point(self.part) - at_times(self.at, 3, len(state), times, f"the place of {self.part!r}")
        return np.asarray(np.linalg.norm(away * axes_mask(self.axes), axis=-1))


@dataclass(frozen=True, eq=False)
class Orient(Goal):
    """A joint turned in the world as asked.

    Attributes:
        part: the joint.
        to: (4,) world_from_joint, or moving.
    """

    part: Part
    to: Target
    UNIT: ClassVar[str] = "rad"

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """See `Goal.error`."""
        wanted = at_times(self.to, 4, len(state), times, f"the orientation of {self.part!r}")
        return quaternion.angle_between(state.turn(self.part), wanted)


@dataclass(frozen=True, eq=False)
class Aim(Goal):
    """An axis of a joint pointed at a place: eyes at a face, a finger at a star.

    Attributes:
        part: the joint, and the point of it that the line of sight starts from.
        at: (3,) metres, or moving.
        axis: the direction that points, in the joint's own frame; None for what faces the body's front at rest.
        comfortable, furthest: radians from the body's front. Up to ``comfortable`` the aim follows the target exactly;
            farther round it follows less and less and never passes ``furthest``, so that a target moving behind the
            body is let go gently, and picked up on the other side with no snap.
    """

    part: Part
    at: Target
    axis: Vector | None = None
    comfortable: float = math.pi
    furthest: float = math.pi
    UNIT: ClassVar[str] = "rad"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.comfortable <= self.furthest <= math.pi:
            raise InputError(
                f"an aim is comfortable to {self.comfortable:g} and ends at {self.furthest:g} radians; "
                "expected 0 < comfortable ≤ furthest ≤ π"
            )

    def axis_in(self, state: WorldState) -> FloatArray:
        """(3,) the unit direction that points, in the joint's own frame."""
        if self.axis is not None:
            axis = np.asarray(self.axis, np.float64)
            length = float(np.linalg.norm(axis))
            if not length > 1e-12:
                raise InputError(f"the axis of the aim of {self.part!r} has no direction")
            return axis / length
        rest = WorldState(state.body.character, Pose.rest(state.body.skeleton))
        return quaternion.rotate(quaternion.conjugate(rest.turn(self.part)[0]), front_of(state.body.character))

    def directions(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """(B, 3) unit vectors in the world along which the axis should point, softened behind the body."""
        target = at_times(self.at, 3, len(state), times, f"the aim of {self.part!r}")
        return softened_directions(state, target - state.point(self.part), self.comfortable, self.furthest)

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """See `Goal.error`."""
        pointing = quaternion.rotate(state.turn(self.part), self.axis_in(state))
        wanted = self.directions(state, times)
        across = np.linalg.norm(np.cross(pointing, wanted), axis=-1)
        return np.asarray(np.arctan2(across, np.vecdot(pointing, wanted)))


@dataclass(frozen=True, eq=False)
class HalfSpace(Goal):
    """A point of the body kept on one side of a plane: above the floor, this side of a wall.

    Attributes:
        part: the point.
        normal: (3,) towards the allowed side.
        distance: metres from the world's origin to the plane, along the normal; one number or (B,).
    """

    part: Part
    normal: Vector = (0.0, 1.0, 0.0)
    distance: float | FloatArray = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "normal", _unit(self.normal, "the normal of a half-space"))

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:  # noqa: ARG002
        """See `Goal.error`."""
        return np.maximum(np.asarray(self.distance) - state.point(self.part) @ np.asarray(self.normal), 0.0)


@dataclass(frozen=True, eq=False)
class JointValue(Goal):
    """A joint turned against its parent as asked.

    Attributes:
        part: the joint.
        rotation: (4,) parent_from_joint, or moving.
    """

    part: Part
    rotation: Target
    UNIT: ClassVar[str] = "rad"

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """See `Goal.error`."""
        wanted = at_times(self.rotation, 4, len(state), times, f"the value of {self.part!r}")
        joint = joint_of(state.body.character, self.part)
        return quaternion.angle_between(state.pose.rotations[:, joint], wanted)


def _unit(vector: Vector, what: str) -> Vector:
    length = math.hypot(*vector)
    if not 1e-12 < length < math.inf:
        raise InputError(f"{what} has no direction")
    return (vector[0] / length, vector[1] / length, vector[2] / length)
