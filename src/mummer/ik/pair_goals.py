"""Goals about two parts, of one body or of two in one cast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mummer.arrays import FloatArray
from mummer.ik.body_point import Part, Vector
from mummer.ik.goal import Goal
from mummer.ik.moving import Target, at_times
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


@dataclass(frozen=True, eq=False)
class Together(Goal):
    """Two points of the body (or of two bodies in one cast) at the same place: a hand on a hip, a handshake.

    Attributes:
        first, second: the points.
        gap: (3,) metres in the world from the second to the first.
    """

    first: Part
    second: Part
    gap: Vector = (0.0, 0.0, 0.0)

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:  # noqa: ARG002
        """See `Goal.error`."""
        away = state.point(self.first) - state.point(self.second) - np.asarray(self.gap)
        return np.asarray(np.linalg.norm(away, axis=-1))


@dataclass(frozen=True, eq=False)
class Match(Goal):
    """Two joints turned alike in the world: a palm along a wall, a hand with the hand it holds.

    Attributes:
        first, second: the joints.
        turn: (4,) second_from_first, the rotation of the first seen from the second.
    """

    first: Part
    second: Part
    turn: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    UNIT: ClassVar[str] = "rad"

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:  # noqa: ARG002
        """See `Goal.error`."""
        wanted = quaternion.multiply(state.turn(self.second), self.turn)
        return quaternion.angle_between(state.turn(self.first), wanted)


@dataclass(frozen=True, eq=False)
class Apart(Goal):
    """Two points of the body at least so far apart along a direction: what keeps an arm out of the chest.

    Attributes:
        first, second: the points.
        normal: (3,) in the world, or moving; from the second towards the first.
        distance: metres, one number or (B,).
    """

    first: Part
    second: Part
    normal: Target = (0.0, 1.0, 0.0)
    distance: float | FloatArray = 0.0

    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """See `Goal.error`."""
        normal = at_times(self.normal, 3, len(state), times, "the direction that keeps two points apart")
        along = np.vecdot(state.point(self.first) - state.point(self.second), normal)
        return np.maximum(np.asarray(self.distance) - along, 0.0)
