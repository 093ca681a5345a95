"""Goals that lay one place of a body's surface on another."""

from __future__ import annotations

import numpy as np

from mummer.character import Character, Pose
from mummer.ik.body_point import joint_of
from mummer.ik.goal import Goal, Interval
from mummer.ik.pair_goals import Match, Together
from mummer.ik.volume.surface import SurfacePoint
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


def touch(
    character: Character,
    first: SurfacePoint,
    second: SurfacePoint,
    *,
    pose: Pose | None = None,
    turn_weight: float | None = 1.0,
    interval: Interval | None = None,
) -> tuple[Goal, Goal]:
    """Goals for two places of the surface that touch face to face: a palm on a chin.

    Args:
        character: the body.
        first: what is brought there, for instance a palm.
        second: where to.
        pose: how the body stands now; of all turns that lay face on face the nearest to this one is asked for.
        turn_weight: how much facing each other counts; touching itself is a hard goal.
        interval: seconds between which they touch.
    """
    state = WorldState(character, character.default_pose if pose is None else pose)
    one, two = joint_of(character, first.point), joint_of(character, second.point)
    second_from_first = quaternion.multiply(quaternion.conjugate(state.rotations[0, two]), state.rotations[0, one])
    facing = quaternion.rotate(second_from_first, first.normal)
    turn = quaternion.multiply(quaternion.between_vectors(facing, -np.asarray(second.normal)), second_from_first)
    x, y, z, w = (float(part) for part in turn)
    return (
        Together(first.point, second.point, interval=interval),
        Match(one, two, (x, y, z, w), weight=turn_weight, interval=interval),
    )
