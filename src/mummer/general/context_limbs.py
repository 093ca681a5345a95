"""From a joint to another joint of its limb."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.general.physique import Physique
from mummer.ik.limb_joints import find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume import volume_of
from mummer.kept import kept
from mummer.math import quaternion

LimbStep = Literal["shoulder", "middle", "tip", "base", "parent"]
LIMB_STEPS = ("shoulder", "middle", "tip", "base", "parent")
GIRDLE = 0.6
"""A first bone shorter than this part of the longest one of its limb is a collar bone: the limb swings from its end."""


def walk_limb(physique: Physique, joints: list[int], step: LimbStep) -> list[int]:
    """Another joint of the limb of each of ``joints``, in joint order, each once; a spine joint stays what it is."""
    return sorted({_walk(physique, joint, step) for joint in joints})


def chain_to(physique: Physique, joint: int) -> list[int]:
    """The joints from the one that the limb of ``joint`` hangs on to ``joint``, both included.

    That is a spine joint, or a head for what grows on heads. Each branch of an arm is one limb with what carries it.
    """
    parents = rigid_body(physique.character).parents
    own = [limb for limb in physique.anatomy.limbs if joint in limb.joints]
    last, kinds = {limb.base for limb in own}, {limb.kind for limb in own}
    alike = {other for limb in physique.anatomy.limbs if limb.kind in kinds for other in limb.joints}
    chain = [joint]
    while chain[-1] != physique.limb_bases[joint]:
        if len(chain) > 1 and chain[-2] in last and chain[-1] not in alike:
            break
        chain.append(int(parents[chain[-1]]))
    return chain[::-1]


def swing_length(physique: Physique, joint: int) -> float:
    """Metres along the bones from where the limb of ``joint`` swings; from the spine for what swings by itself."""
    along = physique.limb_lengths[joint] - physique.limb_lengths[_walk(physique, joint, "shoulder")]
    return float(along if along > 0 else physique.limb_lengths[joint]) + float(
        np.linalg.norm(end_point(physique, joint))
    )


@kept
def end_point(physique: Physique, joint: int) -> FloatArray:
    """(3,) metres from what grasps to its far end at rest, in character space, where one bone alone carries it.

    A feeler of two joints takes hold with its end: were it the joint, nothing could bring it nearer or farther. Zero
    for hands, which have an elbow above them, and for what has no volume.
    """
    chain, volume = chain_to(physique, joint), volume_of(physique.character)
    own = np.flatnonzero(volume.joints == joint)
    able = joint in physique.anatomy.capabilities.get("grasper", ())
    if not able or not len(own) or len(chain) < 2 or chain[-2] != _walk(physique, joint, "shoulder"):
        return locked(np.zeros(3))
    ends = quaternion.rotate(physique.rotations[joint], volume.ends[own]).reshape(-1, 3)
    return locked(ends[int(np.argmax(np.linalg.norm(ends, axis=1)))])


def _walk(physique: Physique, joint: int, step: LimbStep) -> int:
    chain = chain_to(physique, joint)
    if step == "tip":
        return _tip(physique, joint)
    if len(chain) == 1 or step == "base":
        return chain[0]
    if step == "parent":
        return chain[-2]
    return _shoulder(physique, chain) if step == "shoulder" else _middle(physique, chain)


def _shoulder(physique: Physique, chain: list[int]) -> int:
    """The joint that a limb swings from: the one that swings a hand or foot to its place, where that is known.

    Else it is the first off the spine, or the one after a short first bone.
    """
    limb = find_limb(rigid_body(physique.character), chain[-1]) if chain[-1] in ends_of(physique) else None
    if limb is not None and limb.base in chain[1:]:
        return limb.base
    if len(chain) < 4:
        return chain[1]
    bones = np.linalg.norm(np.diff(physique.positions[chain[1:]], axis=0), axis=1)
    return chain[2] if bones[0] < GIRDLE * bones.max() else chain[1]


def ends_of(physique: Physique) -> tuple[int, ...]:
    """What limbs are placed by: feet and hands."""
    able = physique.anatomy.capabilities
    return (*able.get("foot", ()), *able.get("grasper", ()))


def _middle(physique: Physique, chain: list[int]) -> int:
    """The joint between shoulder and end that is nearest to half of the way along the bones."""
    start = chain.index(_shoulder(physique, chain))
    along = physique.limb_lengths[chain[1:]]
    half = (physique.limb_lengths[chain[start]] + along[-1]) / 2
    return chain[1 + int(np.argmin(np.abs(along - half)))]


def _tip(physique: Physique, joint: int) -> int:
    """The last joint of the limb that holds ``joint``, or of the chain that goes on longest below it."""
    for limb in physique.anatomy.limbs:
        if joint in limb.joints:
            return limb.tip
    return joint
