"""Goals about the whole body: its pose, its centre of mass, its balance."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.errors import InputError
from mummer.ik.axes import axes_mask, require_axes
from mummer.ik.body_point import BodyPoint, Part, joint_of
from mummer.ik.goal import Goal
from mummer.ik.moving import Target, at_times
from mummer.ik.world_state import WorldState


@dataclass(frozen=True, eq=False)
class Near(Goal):
    """A whole pose to stay near, by mass displacement: heavy parts count for more than light ones.

    Attributes:
        pose: one pose, or one for each pose of the batch.
        joints: the joints it is about; all if empty.
    """

    pose: Pose
    joints: tuple[Part, ...] = ()
    weight: float | None = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weight is None:
            raise InputError("to stay near a pose is never a hard goal; give it a weight")

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:  # noqa: ARG002
        """(B,) root mean square displacement of the body's mass from the pose, metres."""
        from mummer.ik.pose_distance import root_mean_square_displacement

        joints = [joint_of(state.body.character, part) for part in self.joints]
        return root_mean_square_displacement(state, WorldState(state.body.character, self.pose), joints=joints or None)


@dataclass(frozen=True, eq=False)
class CenterOfMass(Goal):
    """The centre of mass at a place.

    Attributes:
        at: (3,) metres, or moving.
        axes: which of the world's axes count; by default the level ones.
    """

    at: Target
    axes: str = "xz"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_axes(self.axes)

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """See `Goal.error`."""
        away = state.center_of_mass - at_times(self.at, 3, len(state), times, "the place of the centre of mass")
        return np.asarray(np.linalg.norm(away * axes_mask(self.axes), axis=-1))


@dataclass(frozen=True, eq=False)
class Balanced(Goal):
    """The centre of mass over the feet that the body stands on.

    Attributes:
        feet: the parts that bear it; empty for all feet of the anatomy that touch the ground.
        margin: metres that the centre of mass shall be inside the edge of the support.
    """

    feet: tuple[Part, ...] = ()
    margin: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "feet", (self.feet,) if isinstance(self.feet, (str, int, BodyPoint)) else self.feet)

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:  # noqa: ARG002
        """(B,) metres from the centre of mass to the support, level; zero inside."""
        from mummer.ik.support import distance_outside

        return distance_outside(state, self.feet, self.margin)
