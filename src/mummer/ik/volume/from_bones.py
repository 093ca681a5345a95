"""Capsules of a body that is known only by its joints."""

from __future__ import annotations

import numpy as np

from mummer.character import Character, Pose
from mummer.character.mass_from_capsules import guess_radii
from mummer.ik.volume.volume import Volume
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


def volume_from_bones(character: Character) -> Volume:
    """A capsule from each joint to each of its children, and a ball at each tip, as thick as lengths suggest.

    What is above the joint that carries the body, where that is known, is no flesh: rigs have handles on the ground.
    """
    skeleton = character.skeleton
    rest = WorldState(character, Pose.rest(skeleton))
    places, radii = rest.positions[0], guess_radii(skeleton)
    joints, ends, thick = [], [], []
    carrier = character.anatomy.capabilities.get("root", ()) if character.anatomy is not None else ()
    above = {joint for root in carrier for joint in skeleton.ancestors(root)}
    for joint, children in enumerate(skeleton.children):
        if joint in above:
            continue
        for child in children or (joint,):
            if not radii[joint] > 0:
                continue
            joints.append(joint)
            ends.append([places[joint], places[child]])
            # A chain grows thinner: the far end is as thick as what follows, unless that is a mere tip.
            beyond = radii[child] if skeleton.children[child] else radii[joint]
            thick.append([radii[joint], min(radii[joint], max(beyond, 0.5 * radii[joint]))])
    carriers = np.array(joints, np.int64)
    away = np.array(ends).reshape(-1, 2, 3) - places[carriers][:, None]
    turned = quaternion.rotate(quaternion.conjugate(rest.rotations[0, carriers])[:, None], away)
    return Volume(carriers, turned, np.array(thick).reshape(-1, 2), np.zeros(len(carriers)))
