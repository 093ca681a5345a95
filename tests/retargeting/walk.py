"""A walk of the zoo's people whose feet stand exactly, and bodies changed in ways that files are."""

from __future__ import annotations

from functools import cache

import numpy as np

import mummer as mm
from mummer.character import Anatomy, Character, Pose, Recording, Skeleton
from mummer.clip.sampled import Sampled
from mummer.math import quaternion
from mummer.retargeting.build import build_of

PERIOD, DUTY, STRIDE = 1.0, 0.6, 0.9
X = np.array([1.0, 0.0, 0.0])


@cache
def people(name: str) -> Character:
    """A body of the zoo without its surface, which the tests do not need."""
    whole = mm.zoo.body(name)
    return Character(whole.name, whole.skeleton, anatomy=whole.anatomy, limits=whole.limits, mass=whole.mass)


@cache
def walk(name: str = "adult", *, seconds: float = 3.0, rate: float = 60.0) -> Sampled:
    """A walk along +Z: feet rest for six tenths of a step and swing; the arms swing against the legs."""
    body = people(name)
    build, size = build_of(body), build_of(body).size
    times = np.arange(round(seconds * rate) + 1) / rate
    turns = {j: np.tile(build.turns[j], (len(times), 1)) for j in range(len(body.skeleton))}
    root = np.tile(body.skeleton.rest_translations[0], (len(times), 1))
    root[:, 2] += STRIDE * size * times / PERIOD
    root[:, 1] -= 0.06 * size
    for leg, offset in zip(build.legs, (0.0, 0.5), strict=True):
        _step(build, leg, root, times, offset, turns)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _swing_arm(build, side, 0.5 * sign * np.sin(2 * np.pi * times / PERIOD), turns)
    world = np.stack([turns[j] for j in range(len(body.skeleton))], axis=1)
    poses = Pose(_local(body.skeleton, world), root)
    return Sampled(body, Recording.from_poses("walk", times, poses, frame_rate=rate))


def _step(build, leg, root, times, offset, turns):
    """Bend one leg in the plane it hangs in, so that its foot stands and swings."""
    phase = times / PERIOD + offset
    share = np.clip((phase % 1.0 - DUTY) / (1 - DUTY), 0, 1)
    share = share * share * (3 - 2 * share)
    along = STRIDE * build.size * (np.floor(phase) + share - offset + 0.3)
    rest = build.places[[leg.upper, leg.lower, leg.foot]]
    ankle = np.stack([along, build.places[leg.foot][1] + 0.12 * build.size * np.sin(np.pi * share) ** 2], axis=1)
    hip = root[:, [2, 1]] + (rest[0] - build.places[0])[[2, 1]]
    away = ankle + np.array([rest[2][2], 0.0]) - hip
    upper, lower = (np.linalg.norm((b - a)[1:]) for a, b in ((rest[0], rest[1]), (rest[1], rest[2])))
    far = np.minimum(np.linalg.norm(away, axis=1), 0.9999 * (upper + lower))
    inner = np.arccos(np.clip((upper**2 + far**2 - lower**2) / (2 * upper * far), -1, 1))
    thigh = np.arctan2(away[:, 0], -away[:, 1]) + inner
    knee = hip + upper * np.stack([np.sin(thigh), -np.cos(thigh)], axis=1)
    shin = np.arctan2(*(ankle + np.array([rest[2][2], 0.0]) - knee).T * np.array([[1], [-1]]))
    for joint, end, angle in ((leg.upper, leg.lower, thigh), (leg.lower, leg.foot, shin)):
        at_rest = build.places[end] - build.places[joint]
        turn = quaternion.exp(-(angle - np.arctan2(at_rest[2], -at_rest[1]))[:, None] * X)
        turns[joint] = quaternion.multiply(turn, turns[joint])


def _swing_arm(build, side, angles, turns):
    roles = build.anatomy.roles
    down = quaternion.between_vectors(
        build.places[roles[f"{side}_forearm"]] - build.places[roles[f"{side}_upper_arm"]], [0.0, -1.0, 0.0]
    )
    swing = quaternion.multiply(quaternion.exp(angles[:, None] * X), down)
    for joint in build.skeleton.descendants(roles[f"{side}_upper_arm"]):
        turns[joint] = quaternion.multiply(swing, turns[joint])


def _local(skeleton: Skeleton, world: np.ndarray) -> np.ndarray:
    local = world.copy()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            local[:, joint] = quaternion.multiply(quaternion.conjugate(world[:, parent]), world[:, joint])
    return local


def rebuilt(body: Character, turns: np.ndarray | None = None, scale: float = 1.0, world=None) -> Character:
    """The same body with each joint's own frame turned by ``turns`` (J, 4), larger, and turned in the world as a whole.

    Joints are where they were (scaled and turned); only the frames that files choose freely are others.
    """
    skeleton, build = body.skeleton, build_of(body)
    turns = np.tile([0.0, 0, 0, 1], (len(skeleton), 1)) if turns is None else turns
    world = np.array([0.0, 0, 0, 1]) if world is None else world
    places = quaternion.rotate(world, build.places * scale)
    frames = quaternion.multiply(quaternion.multiply(world, build.turns), turns)
    local, offsets = frames.copy(), places.copy()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            back = quaternion.conjugate(frames[parent])
            local[joint] = quaternion.multiply(back, frames[joint])
            offsets[joint] = quaternion.rotate(back, places[joint] - places[parent])
    made = Skeleton(skeleton.names, skeleton.parents, offsets, local, name=skeleton.name)
    return Character(body.name, made, anatomy=moved_anatomy(body.anatomy, places, world, scale))


def moved_anatomy(anatomy: Anatomy, places: np.ndarray, world: np.ndarray, scale: float) -> Anatomy:
    import dataclasses

    up, front = quaternion.rotate(world, np.stack([anatomy.up, anatomy.front]))
    bounds = np.stack([places.min(axis=0), places.max(axis=0)])
    return dataclasses.replace(anatomy, up=up, front=front, ground=anatomy.ground * scale, bounds=bounds)


def posed(body: Character, turns: dict[str, np.ndarray]) -> Character:
    """The same body resting in another pose: what hangs from each role turned in the world."""
    build = build_of(body)
    frames = build.turns.copy()
    for role, turn in turns.items():
        below = list(body.skeleton.descendants(body.anatomy.roles[role]))
        frames[below] = quaternion.multiply(turn, frames[below])
    local = _local(body.skeleton, frames[None])[0]
    made = Skeleton(body.skeleton.names, body.skeleton.parents, body.skeleton.rest_translations, local)
    return Character(body.name, made, anatomy=body.anatomy)
