"""Room for the limbs: transitions that pass through the body are led around it, and what is left is pushed out.

Two steps, as for people who move their hands from the back to the front: *buffer poses*, through which the limbs in
question go on their way (hanging as at rest, or held away from the body), chosen by how much of the sinking they take
away and then by pose distance; and a push-out of the little that may be left. Both ends stay exactly as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.character import Character, Pose, Recording
from mummer.character.derive import rest_positions
from mummer.clip import Clip, Composite, Sampled, SpaceWarp, SpaceWarpKey
from mummer.clip.displacement import with_joints_of
from mummer.ik import Goal, WorldState
from mummer.ik.pose_distance import pose_distance
from mummer.ik.volume import push_out, self_penetration
from mummer.math import quaternion

RATE = 30.0
DEEP = 0.01
"""Heights of the body that parts may sink deeper into one another than they do at the ends."""
SWINGS = (0.5, 1.0)
"""Radians by which a limb is held away from the body in poses that it may go through."""
FARTHEST = 0.15
"""Heights of the body by which any joint may be moved by who pushes legs out of it."""
ENDS = 0.15
"""Part of a transition at both ends over which corrections come and go."""


def depth_of(clip: Clip) -> tuple[float, float, tuple[int, ...]]:
    """How deep a body sinks into itself beyond what it does at both ends, when most, and which joints; in heights."""
    times = clip.times(RATE)
    found = self_penetration(clip.body, clip.sample(times))
    worst = np.asarray(found.worst) / _height(clip.body)
    beyond = worst - np.maximum(worst[0], worst[-1])
    at = int(np.argmax(beyond))
    pairs = self_penetration(clip.body, clip.sample(times[at : at + 1])).worst_pairs(3)
    joints = tuple(joint for one, other, depth in pairs if depth > 0 for joint in (one, other))
    return max(0.0, float(beyond[at])), float(times[at]), joints


def cleared(glue: Clip, feet: Sequence[int] = ()) -> tuple[Clip, tuple[str, ...]]:
    """A transition that does not pass through the body, and the limbs that were led around it.

    Legs of ``feet`` are left as they are.
    """
    if glue.body.anatomy is None:
        return glue, ()
    deep, when, joints = depth_of(glue)
    if deep <= DEEP:
        return glue, ()
    found = [
        name
        for name, members in glue.body.anatomy.groups.items()
        if name not in ("waist", "torso") and any(joint in members for joint in joints)
    ]
    limbs = tuple(name for name in found if not set(feet) & set(glue.body.anatomy.groups[name]))
    if found and not limbs:
        return glue, ()
    best, least = glue, deep
    if limbs:
        here = glue.at(when)
        poses = _buffers(glue.body, here, limbs)
        poses.sort(key=lambda pose: float(pose_distance(glue.body, here, pose)[0]))
        for pose in poses:
            way = _through(glue, when, pose, limbs)
            left = depth_of(way)[0]
            if left < least - 1e-4:
                best, least = way, left
            if least <= DEEP:
                break
    return (_pushed(best, ()), limbs) if least > DEEP else (best, limbs)


def pushed(glue: Clip, goals: Sequence[Goal]) -> Clip:
    """A transition whose feet were led elsewhere, with the legs pushed out of the body where that brought them in.

    Feet stay. Where more than the legs would have to make way it is left as it is: a head that dives is seen more than
    an elbow in a flank.
    """
    if depth_of(glue)[0] <= DEEP:
        return glue
    made, times = _pushed(glue, goals), glue.times(RATE)
    places = [WorldState(glue.body, clip.sample(times)).positions for clip in (glue, made)]
    moved = float(np.linalg.norm(places[1] - places[0], axis=-1).max())
    return made if moved < FARTHEST * _height(glue.body) else glue


def _buffers(body: Character, here: Pose, limbs: tuple[str, ...]) -> list[Pose]:
    """Poses that limbs may go through: hanging as the body stands, and held away from it."""
    assert body.anatomy is not None
    joints = [joint for name in limbs for joint in body.anatomy.group(name)]
    found = [with_joints_of(body, here, body.default_pose, joints)]
    for swing in SWINGS:
        pose = here
        for name in limbs:
            pose = _held_away(body, pose, min(body.anatomy.group(name)), swing)
        found.append(pose)
    return found


def _held_away(body: Character, pose: Pose, base: int, swing: float) -> Pose:
    """The pose with a limb turned about its base so that it points further away from the middle of the body."""
    state, below = WorldState(body, pose), list(body.skeleton.descendants(base))
    at_rest = rest_positions(body.skeleton)
    tip = below[int(np.argmax(np.linalg.norm(at_rest[below] - at_rest[base], axis=1)))]
    root, parent = state.positions[0, base], int(body.skeleton.parents[base])
    axis = np.cross(state.positions[0, tip] - root, root - state.center_of_mass[0])
    length = float(np.linalg.norm(axis))
    if length < 1e-9 or parent < 0:
        return pose
    local = quaternion.rotate(quaternion.conjugate(state.rotations[0, parent]), axis / length * swing)
    return pose.with_rotation(base, quaternion.multiply(quaternion.exp(local), pose.rotations[base]))


def _through(glue: Clip, when: float, pose: Pose, limbs: tuple[str, ...]) -> SpaceWarp:
    margin = ENDS * glue.duration
    middle = float(np.clip(when, glue.start + margin, glue.end - margin))
    keys = (SpaceWarpKey.nothing(glue.start), SpaceWarpKey.pose(middle, pose), SpaceWarpKey.nothing(glue.end))
    return SpaceWarp(glue, keys, groups=limbs)


def _pushed(glue: Clip, goals: Sequence[Goal]) -> Clip:
    times = glue.times(RATE)
    found = push_out(glue.body, glue.sample(times), goals, times=times, root="fixed")
    clip = Sampled(glue.body, Recording.from_poses("push-out", times - times[0], found.pose)).shifted(float(times[0]))
    fade = ENDS * glue.duration
    return Composite(glue.body).with_segment(glue).with_layer(clip, fade=fade)


def _height(body: Character) -> float:
    assert body.anatomy is not None
    return body.anatomy.height
