"""From what is wanted of a body to its pose."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.clip import Frames
from mummer.general.intent import Intent
from mummer.general.track import Track
from mummer.general.turning import Turner
from mummer.ik import BodyPoint, Orient, Place, make_problem
from mummer.ik.goal import Goal
from mummer.ik.particle import Particle
from mummer.math import quaternion


def solve_intent(intent: Intent, *, root_follow: float = 0.0) -> Frames:
    """The poses that do what is wanted, as far as the body can.

    Args:
        intent: what is wanted at T moments.
        root_follow: how readily the root comes along to help, 0 to 1.
    """
    frames = _standing(intent)
    goals = goals_of(intent)
    if goals:
        character = intent.physique.character
        problem = make_problem(character, goals, frames.to_pose(), root="free" if root_follow > 0 else "fixed")
        pose = Particle(root_follow=root_follow).solve(problem).pose
        frames = Frames(np.array(pose.rotations), np.array(pose.root_translation))
    turner = Turner(intent.physique, frames.rotations)
    free = free_turns(intent)
    for joint in free:
        turner.turn(joint, intent.turns[joint].at(intent.carried(joint)[1]), free)
    turner.bend(intent.bends)
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


def goals_of(intent: Intent) -> list[Goal]:
    """What is wanted of parts that have a place to be, and of the spine, as goals for a solver."""
    physique = intent.physique
    root, spine, free = physique.root, set(physique.spine), set(free_turns(intent))
    goals: list[Goal] = []
    for joint, track in intent.turns.items():
        if joint in spine and joint != root:
            goals.append(Orient(joint, to=quaternion.multiply(intent.core.turns[joint], physique.rotations[joint])))
        elif joint != root and joint not in free:
            goals.append(Orient(joint, to=track.at(intent.carried(joint)[1])))
    for joint, track in intent.places.items():
        if joint != root:
            goals.append(_place(intent, joint, track))
    return goals


def _place(intent: Intent, joint: int, track: Track) -> Place:
    """The goal of a joint, or of the point of it that its track speaks of."""
    position, rotation = intent.carried(joint)
    if track.offset is None:
        return Place(joint, at=track.at(position))
    x, y, z = track.offset.tolist()
    return Place(BodyPoint(joint, (x, y, z)), at=track.at(position + quaternion.rotate(rotation, track.offset)))


def _standing(intent: Intent) -> Frames:
    """The body at rest with its root where it should be."""
    skeleton = intent.physique.character.skeleton
    origin, turned = intent.core.frame(intent.physique.root)
    rotations: FloatArray = np.repeat(Pose.rest(skeleton).rotations[None], len(intent), axis=0)
    rotations[:, 0] = quaternion.multiply(turned, intent.physique.rotations[0])
    return Frames(rotations, origin + quaternion.rotate(turned, intent.physique.positions[0]))
