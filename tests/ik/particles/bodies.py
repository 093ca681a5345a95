"""Bodies, random poses within their limits and the goals that these poses meet."""

from __future__ import annotations

from functools import cache

import numpy as np

from mummer import zoo
from mummer.character import Character, Limits, Pose
from mummer.character.limits import BALL, FREE, HINGE
from mummer.ik import Place, WorldState
from mummer.math import quaternion


@cache
def body(name: str | int) -> Character:
    return zoo.body(name) if isinstance(name, str) else zoo.random_creature(name)


def ends(character: Character) -> list[int]:
    """Feet, hands, heads and the tips of tails."""
    anatomy = character.anatomy
    assert anatomy is not None
    found = {joint for kind in ("foot", "grasper", "head") for joint in anatomy.capabilities.get(kind, ())}
    return sorted(found | {limb.tip for limb in anatomy.limbs if limb.kind == "tail"})


def random_poses(character: Character, random: np.random.Generator, count: int, share: float = 1.0) -> Pose:
    """Poses that use ``share`` of all limits, the root as at rest."""
    skeleton = character.skeleton
    limits = character.limits or Limits.from_joints(len(skeleton), {})
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (count, len(skeleton), 1))
    for joint in range(1, len(skeleton)):
        low, high = share * limits.ranges[joint]
        first, second = share * limits.second_ranges[joint]
        axis, across = limits.axes[joint], limits.second_axes[joint]
        about = quaternion.from_axis_angle(axis, random.uniform(low, high, count))
        if limits.kinds[joint] == FREE:
            turns[:, joint] = quaternion.exp(0.4 * share * random.normal(size=(count, 3)))
        elif limits.kinds[joint] == HINGE:
            turns[:, joint] = about
        elif limits.kinds[joint] == BALL:
            way, size = random.uniform(0, 2 * np.pi, count), np.sqrt(random.uniform(0, 1, count))
            swing = np.outer(size * np.cos(way) * first, across)
            swing = swing + np.outer(size * np.sin(way) * second, np.cross(axis, across))
            turns[:, joint] = quaternion.multiply(quaternion.exp(swing), about)
        else:
            other = quaternion.from_axis_angle(across, random.uniform(first, second, count))
            turns[:, joint] = quaternion.multiply(about, other)
    rest = Pose.rest(skeleton, (count,))
    return rest.replace(rotations=quaternion.multiply(rest.rotations, turns))


def places_of(character: Character, pose: Pose, joints: list[int]) -> list[Place]:
    """Goals that ``pose`` meets."""
    state = WorldState(character, pose)
    return [Place(joint, at=state.positions[:, joint]) for joint in joints]
