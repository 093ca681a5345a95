"""A body that is little more than its feet, and a gait of it whose contacts are known exactly."""

from __future__ import annotations

import numpy as np

from mummer.character import Character, Pose, Recording, Skeleton
from mummer.clip.sampled import Sampled
from mummer.math import quaternion

FEET = {"left_foot": "left_foot", "right_foot": "right_foot"}
PERIOD, DUTY = 1.0, 0.6


def stepper(size: float = 1.0, *, toes: bool = True) -> Character:
    """Hips a metre above two feet that hang from them directly."""
    names, parents, places = ["hips"], [-1], [[0.0, 1.0, 0.0]]
    for side, across in (("left", 0.1), ("right", -0.1)):
        names.append(f"{side}_foot")
        parents.append(0)
        places.append([across, -0.92, 0.0])
        if toes:
            parents.append(len(names) - 1)
            names.append(f"{side}_toes")
            places.append([0.0, -0.05, 0.15])
    return Character("stepper", Skeleton(tuple(names), parents, size * np.array(places), name="stepper"))


def swing(phase: np.ndarray) -> np.ndarray:
    """How far a step has come, 0 at rest to 1, for phases of the gait in which it rests for the first ``DUTY``."""
    share = np.clip((phase - DUTY) / (1 - DUTY), 0, 1)
    return share * share * (3 - 2 * share)


def gait(
    body: Character,
    *,
    seconds: float = 4.0,
    rate: float = 120.0,
    size: float = 1.0,
    stride: float = 1.2,
    slope: float = 0.0,
    noise: float = 0.0,
    heading: float = 0.0,
    start: float = 0.0,
) -> Sampled:
    """A walk: each foot rests for six tenths of a second, then swings to its next place."""
    times = np.arange(round(seconds * rate) + 1) / rate
    rng = np.random.default_rng(5)
    local = np.repeat(body.skeleton.rest_translations[None], len(times), axis=0)
    way = stride * size * times / PERIOD
    local[:, 0, 2] = way
    local[:, 0, 1] += slope * way
    for name, offset in (("left_foot", 0.0), ("right_foot", 0.5)):
        joint, passed = body.skeleton.index(name), times / PERIOD + offset
        share = swing(passed % 1.0)
        along = stride * size * (np.floor(passed) + share - offset - 0.3)
        local[:, joint, 2] = along - way
        local[:, joint, 1] += 0.12 * size * np.sin(np.pi * share) ** 2 + slope * (along - way)
    local[:, 1:] += rng.normal(0, noise * size, local[:, 1:].shape)
    turn = quaternion.exp([0.0, heading, 0.0])
    local[:, 0] = quaternion.rotate(turn, local[:, 0])
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (len(times), len(body.skeleton), 1))
    rotations[:, 0] = turn
    return Sampled(body, Recording.from_poses("gait", start + times, Pose(rotations, None, local)))


def true_contacts(foot: str, seconds: float = 4.0) -> list[tuple[float, float]]:
    """From when until when the foot rests, cut to the clip."""
    offset = 0.0 if foot == "left_foot" else 0.5
    spans = [((n - offset) * PERIOD, (n - offset + DUTY) * PERIOD) for n in range(int(seconds / PERIOD) + 2)]
    return [(max(begin, 0.0), min(end, seconds)) for begin, end in spans if end > 0 and begin < seconds]
