"""From what is wanted of a body to its pose."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.clip import Frames
from mummer.general.bending import bend_rotations
from mummer.general.intent import Intent
from mummer.ik import Orient, Place, make_problem
from mummer.ik.goal import Goal
from mummer.ik.particle import Particle
from mummer.math import quaternion


def solve_intent(intent: Intent, *, root_follow: float = 0.0) -> Frames:
    """The poses that do what is wanted, as far as the body can.

    Args:
        intent: what is wanted at T moments.
        root_follow: how readily the root comes along to help, 0 to 1.
    """
    character = intent.physique.character
    roots, turns = _first_joint(intent)
    pose = Pose.rest(character.skeleton, (len(intent),))
    rotations = np.array(pose.rotations)
    rotations[:, 0] = turns
    start = pose.replace(rotations=rotations, root_translation=roots)
    goals = goals_of(intent)
    if goals:
        problem = make_problem(character, goals, start, root="free" if root_follow > 0 else "fixed")
        start = Particle(root_follow=root_follow).solve(problem).pose
    frames = Frames(np.array(start.rotations), np.array(start.root_translation))
    if intent.bends:
        bend_rotations(intent.physique, frames.rotations, dict(intent.bends))
    return frames


def goals_of(intent: Intent) -> list[Goal]:
    """What is wanted, as goals for a solver."""
    goals: list[Goal] = []
    root, spine = intent.physique.root, set(intent.physique.spine)
    for joint, track in intent.turns.items():
        if joint in spine and joint != root:
            turned = quaternion.multiply(intent.core.turns[joint], intent.physique.rotations[joint])
            goals.append(Orient(joint, to=turned))
        elif joint != root:
            goals.append(Orient(joint, to=track.at(intent.carried(joint)[1])))
    for joint, track in intent.places.items():
        if joint != root:
            goals.append(Place(joint, at=track.at(intent.carried(joint)[0])))
    return goals


def _first_joint(intent: Intent) -> tuple[FloatArray, FloatArray]:
    """(T, 3) and (T, 4) where the first joint of the skeleton is, so that the root is where it should be."""
    origin, turned = intent.core.frame(intent.physique.root)
    first = intent.physique
    return (
        origin + quaternion.rotate(turned, first.positions[0]),
        quaternion.multiply(turned, first.rotations[0]),
    )
