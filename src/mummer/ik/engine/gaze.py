"""Aims met to the last bit: what the body as a whole leaves of one, the joint that points turns by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.ik.body_point import joint_of
from mummer.ik.engine.asked import Asked
from mummer.ik.engine.unit import Unit
from mummer.ik.goals import Aim
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

ROUNDS = 3
"""An eye moves when the head turns; so often it is turned again."""


def aims_alone(clip: Clip, asked: Sequence[Asked], units: Sequence[Unit]) -> list[Asked]:
    """The hard aims whose joints carry nothing else that goals speak of."""
    busy = {joint for unit in units for joint in unit.chain.joints}
    busy |= {joint_of(clip.body, point) for each in asked for goal in each.goals for point in goal.points}
    found = []
    for each in asked:
        goal = each.goals[0]
        if isinstance(goal, Aim) and goal.is_hard:
            joint = joint_of(clip.body, goal.part)
            if not busy & set(clip.body.skeleton.descendants(joint)) - {joint}:
                found.append(each)
    return found


def turn_to(frames: Frames, moved: WorldState, goal: Aim, share: FloatArray) -> None:
    """Turn the joint of ``goal`` in ``frames`` so that it points as asked, by the part ``share`` (T,) of the way.

    ``moved`` is the body in ``frames`` before that.
    """
    joint, axis = joint_of(moved.body.character, goal.part), goal.axis_in(moved)
    origin, world = moved.positions[:, joint], moved.rotations[:, joint]
    eye = quaternion.rotate(quaternion.conjugate(world), moved.point(goal.part) - origin)
    turn = np.broadcast_to([0.0, 0.0, 0.0, 1.0], world.shape)
    for _ in range(ROUNDS):
        now = quaternion.multiply(turn, world)
        wanted = np.asarray(goal.at) - origin - quaternion.rotate(now, eye)
        turn = quaternion.multiply(quaternion.between_vectors(quaternion.rotate(now, axis), wanted), turn)
    turn = quaternion.exp(share[:, None] * quaternion.log(turn))
    parent = int(moved.body.parents[joint])
    made = quaternion.multiply(turn, world)
    above = None if parent < 0 else quaternion.conjugate(moved.rotations[:, parent])
    frames.rotations[:, joint] = made if above is None else quaternion.multiply(above, made)
