"""A made walk of a body of the zoo, whose feet slide, with the stretches marked in which they should stand."""

from __future__ import annotations

import numpy as np

import mummer as mm
from mummer.character import Character, Pose, Recording, world_transforms
from mummer.clip import Mark, Sampled
from mummer.math import quaternion

SECONDS, RATE = 3.0, 60.0


def walker(name: str = "adult", *, stretched: bool = False, morphs: int = 0) -> Sampled:
    """Legs that swing and bend once a second while the body goes forward, with more on request that must be kept."""
    body = mm.zoo.body(name)
    times = 0.5 + np.arange(round(SECONDS * RATE) + 1) / RATE
    count = len(times)
    rotations = np.repeat(body.default_pose.rotations[None], count, axis=0)
    for side, phase in (("left", 0.0), ("right", np.pi)):
        angle = 2 * np.pi * times + phase
        turned(body, rotations, f"{side}_upper_leg", -0.35 * np.sin(angle) - 0.15)
        turned(body, rotations, f"{side}_lower_leg", 0.35 + 0.3 * np.cos(angle))
        turned(body, rotations, f"{side}_foot", -0.15 - 0.1 * np.sin(angle))
    root = body.skeleton.rest_translations[0] + np.stack(
        [0.02 * np.sin(2 * np.pi * times), -0.04 + 0.02 * np.cos(4 * np.pi * times), 1.1 * times], axis=1
    )
    moved = None
    if stretched:
        moved = np.repeat(body.skeleton.rest_translations[None], count, axis=0)
        moved[:, 5] *= (1 + 0.1 * np.sin(3 * times))[:, None]
        moved[:, 0] = root
    weights = 0.5 + 0.5 * np.sin(times[:, None] + np.arange(morphs)) if morphs else None
    pose = Pose(rotations, None if stretched else root, moved, None, weights)
    return Sampled(body, Recording.from_poses("walk", times, pose), annotations=marks())


def turned(body: Character, rotations: np.ndarray, role: str, angles: np.ndarray) -> None:
    """Turn a joint about the body's left as it stands at rest."""
    joint = body.anatomy.roles[role]
    world = world_transforms(body.skeleton, Pose.rest(body.skeleton))[1][joint]
    axis = quaternion.rotate(quaternion.conjugate(world), body.anatomy.left)
    rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp(angles[:, None] * axis))


def marks() -> tuple[Mark, ...]:
    found = [Mark(2.0, "middle")]
    for side, offset in (("left", 0.5), ("right", 0.0)):
        for step in range(3):
            begin = 0.8 + offset + step
            if begin + 0.4 < 0.5 + SECONDS:
                found += [
                    Mark(begin, f"{side}_foot heel_down", begin + 0.3),
                    Mark(begin + 0.05, f"{side}_foot toe_down", begin + 0.4),
                ]
    return tuple(found)
