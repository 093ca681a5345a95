"""From what is wanted of a body to its pose."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.clip import Frames
from mummer.general.holding import hold
from mummer.general.intent import Intent
from mummer.general.placing import place_parts
from mummer.general.turning import Turner
from mummer.kernels import quaternions
from mummer.math import quaternion


def solve_intent(intent: Intent, *, root_follow: float = 0.0) -> Frames:
    """The poses that do what is wanted, as far as the body can.

    Spine and root turn as they should; parts with a place to be are put there by their limbs, in closed form and a few
    damped steps, and where those miss the core leans; what only turns is turned last. Each stage is a continuous
    function of what is wanted at one moment, so the pose is one too, and the same whatever other moments are asked for.

    Args:
        intent: what is wanted at T moments.
        root_follow: how readily the root comes along to help, 0 to 1.
    """
    core = _standing(intent)
    early = _carrying_turns(intent)
    if early:
        _turn(intent, core, early)
    frames = place_parts(intent, core, root_follow=root_follow)
    free = free_turns(intent)
    turner = Turner(intent.physique, frames.rotations)
    for joint in free:
        turner.turn(joint, intent.turns[joint].at(intent.carried(joint)[1]), [*free, *early])
    turner.bend(intent.bends)
    turner.hold()
    return frames


def free_turns(intent: Intent) -> list[int]:
    """The joints that only turn: nothing below them has a place to be. They are turned last, parents first."""
    parents = intent.physique.character.skeleton.parents
    bound = {intent.physique.root, *intent.physique.spine}
    for joint in intent.places:
        while joint >= 0 and joint not in bound:
            bound.add(joint)
            joint = int(parents[joint])
    return sorted(joint for joint in intent.turns if joint not in bound)


def _carrying_turns(intent: Intent) -> list[int]:
    """The joints off the spine that turn and carry others that have a place to be: a head with feelers."""
    free, spine = set(free_turns(intent)), {intent.physique.root, *intent.physique.spine}
    return sorted(joint for joint in intent.turns if joint not in free | spine and joint not in intent.places)


def _turn(intent: Intent, frames: Frames, joints: list[int]) -> None:
    """Turn some joints, in place."""
    turner = Turner(intent.physique, frames.rotations)
    for joint in joints:
        turner.turn(joint, intent.turns[joint].at(intent.carried(joint)[1]), joints)
    turner.hold()


def _standing(intent: Intent) -> Frames:
    """The body with its root and spine as they should be, and all else at rest."""
    physique, core = intent.physique, intent.core
    parents = physique.character.skeleton.parents
    origin, turned = core.frame(physique.root)
    rotations: FloatArray = np.repeat(Pose.rest(physique.character.skeleton).rotations[None], len(intent), axis=0)
    rotations[:, 0] = quaternions.multiply(turned, physique.rotations[0])
    for joint in core.turned:
        above = int(parents[joint])
        # How the parent is turned from rest: as the spine joint that it is or that carries it, or as the root below it.
        base = int(physique.limb_bases[above])
        carrying = core.turns.get(base, turned) if above >= 0 else quaternion.IDENTITY
        world_from_parent = quaternions.multiply(carrying, physique.rotations[above])
        world_from_joint = quaternions.multiply(core.turns[joint], physique.rotations[joint])
        rotations[:, joint] = quaternions.multiply(quaternions.conjugate(world_from_parent), world_from_joint)
    hold(physique, core.turned, rotations)
    return Frames(rotations, origin + quaternions.rotate(turned, physique.positions[0]))
