"""From what is wanted of a body to its pose."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Pose
from mummer.clip import Frames
from mummer.general.holding import hold
from mummer.general.intent import Intent
from mummer.general.placing import LimbSet, limb_set
from mummer.general.track import Track
from mummer.general.turning import Turner
from mummer.ik import BodyPoint, Orient, Place, make_problem
from mummer.ik.goal import Goal
from mummer.ik.particle import Particle
from mummer.math import interpolate, quaternion

CLOSE, MISSED = 0.002, 0.012
"""Parts of the body's height: a limb that misses by less than the first needs no help, by more than the second all."""


def solve_intent(intent: Intent, *, root_follow: float = 0.0) -> Frames:
    """The poses that do what is wanted, as far as the body can.

    Spine and root turn as they should and limbs are placed in closed form. Where limbs alone cannot reach, and for
    parts that are no limbs, the particle solver bends the whole body; between the two, poses are blended.

    Args:
        intent: what is wanted at T moments.
        root_follow: how readily the root comes along to help, 0 to 1.
    """
    core = _standing(intent)
    limbs = limb_set(intent.physique, intent)
    early = _carrying_turns(intent)
    _turn(intent, core, early)
    rotations, misses = limbs.place(intent, core.rotations, core.root)
    help_needed = _help_needed(intent, limbs, misses)
    rows = np.flatnonzero(help_needed > 0)
    if len(rows):
        frames = _helped(intent, core, rows, help_needed[rows], root_follow)
        rotations, _ = limbs.place(intent, frames.rotations, frames.root)
        core = frames
    frames = Frames(rotations, core.root)
    turner = Turner(intent.physique, frames.rotations)
    for joint, base in limbs.stubs:
        origin, turned = intent.carrier(joint)
        hinge = origin + quaternion.rotate(turned, intent.physique.positions[base])
        turner.point(joint, base, intent.places[joint].at(intent.carried(joint)[0]) - hinge)
    free = free_turns(intent)
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


def goals_of(intent: Intent, rows: IntArray | slice = slice(None)) -> list[Goal]:
    """What is wanted of parts that have a place to be, and of the spine, as goals for a solver.

    Args:
        intent: what is wanted at T moments.
        rows: which of the moments.
    """
    physique = intent.physique
    root, spine, free = physique.root, set(physique.spine), set(free_turns(intent))
    goals: list[Goal] = []
    for joint, track in intent.turns.items():
        if joint in spine and joint != root:
            turned = quaternion.multiply(intent.core.turns[joint], physique.rotations[joint])
            goals.append(Orient(joint, to=turned[rows]))
        elif joint != root and joint not in free:
            goals.append(Orient(joint, to=track.at(intent.carried(joint)[1])[rows]))
    for joint, track in intent.places.items():
        if joint != root:
            goals.append(_place(intent, joint, track, rows))
    return goals


def _place(intent: Intent, joint: int, track: Track, rows: IntArray | slice) -> Place:
    """The goal of a joint, or of the point of it that its track speaks of."""
    position, rotation = intent.carried(joint)
    if track.offset is None:
        return Place(joint, at=track.at(position)[rows])
    x, y, z = track.offset.tolist()
    return Place(BodyPoint(joint, (x, y, z)), at=track.at(position + quaternion.rotate(rotation, track.offset))[rows])


def _standing(intent: Intent) -> Frames:
    """The body with its root and spine as they should be, and all else at rest."""
    physique, core = intent.physique, intent.core
    parents = physique.character.skeleton.parents
    origin, turned = core.frame(physique.root)
    rotations: FloatArray = np.repeat(Pose.rest(physique.character.skeleton).rotations[None], len(intent), axis=0)
    rotations[:, 0] = quaternion.multiply(turned, physique.rotations[0])
    for joint in core.turned:
        above = int(parents[joint])
        # How the parent is turned from rest: as the spine joint that it is, or that carries it.
        carrying = core.turns[physique.limb_bases[above]] if above >= 0 else quaternion.IDENTITY
        world_from_parent = quaternion.multiply(carrying, physique.rotations[above])
        world_from_joint = quaternion.multiply(core.turns[joint], physique.rotations[joint])
        rotations[:, joint] = quaternion.multiply(quaternion.conjugate(world_from_parent), world_from_joint)
    hold(physique, core.turned, rotations)
    return Frames(rotations, origin + quaternion.rotate(turned, physique.positions[0]))


def _help_needed(intent: Intent, limbs: LimbSet, misses: FloatArray) -> FloatArray:
    """(T,) how much of the particle solver's answer is needed, 0 to 1."""
    if limbs.others:
        return np.ones(len(intent))
    height = intent.physique.height
    share = np.clip((misses - CLOSE * height) / ((MISSED - CLOSE) * height), 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share))


def _helped(intent: Intent, core: Frames, rows: IntArray, shares: FloatArray, root_follow: float) -> Frames:
    """The body bent by the particle solver at some moments, as far as ``shares`` say."""
    character = intent.physique.character
    start = core.select(rows)
    problem = make_problem(
        character, goals_of(intent, rows), start.to_pose(), root="free" if root_follow > 0 else "fixed"
    )
    pose = Particle(root_follow=root_follow, retries=0).solve(problem).pose
    bent, roots = np.asarray(pose.rotations), np.asarray(pose.root_translation)
    if np.any(shares < 1):
        bent = interpolate.nlerp(start.rotations, bent, shares[:, None])
        roots = start.root + (roots - start.root) * shares[:, None]
    rotations, places = core.rotations.copy(), core.root.copy()
    rotations[rows], places[rows] = bent, roots
    return Frames(rotations, places)
