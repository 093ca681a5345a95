"""Recordings with a ground root and without one: the same motion in the world, told by different joints."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.kinematics import world_matrices
from mummer.character.pose import Pose
from mummer.character.recording import Curve, Interpolation, Recording
from mummer.character.root_pose import pose_with_root, pose_without_root
from mummer.character.skeleton import Skeleton
from mummer.errors import InputError
from mummer.math import quaternion, rigid, swing_twist, transform
from mummer.math.rigid import Rigid

BETWEEN = 1 / 60
"""Seconds between keys at most where root and hips both move: their product is no longer what one curve would give."""
BEFORE_STEP = 1e-6
"""Seconds before a step at which a key holds the old value, where steps meet curves that do not step."""


@dataclass(frozen=True, eq=False)
class GroundFrame:
    """Where the ground root of a body stands at rest.

    Attributes:
        hips: the joint that it stands below.
        up: (3,) unit.
        ground: height along ``up`` in metres.
        world_from_root: translation (3,) and rotation (4,) at rest.
    """

    hips: int
    up: FloatArray
    ground: float
    world_from_root: Rigid


def recording_with_root(recording: Recording, skeleton: Skeleton, frame: GroundFrame, *, travels: bool) -> Recording:
    """``recording`` of ``skeleton`` for the skeleton that has a new joint 0.

    Args:
        recording: the motion of the old joints.
        skeleton: the old skeleton.
        frame: where the new root stands at rest.
        travels: whether the new root takes over the way over the ground and the heading; otherwise it stays at rest.
    """
    roots = list(skeleton.roots)
    base = pose_with_root(recording.base, skeleton, frame.world_from_root)
    moving = _curves_of(recording, {*roots, frame.hips, *skeleton.ancestors(frame.hips)})
    if not travels or not moving:
        still = rigid.inverse(*frame.world_from_root)
        curves = tuple(_shifted(_premultiplied(curve, roots, still), +1) for curve in recording.curves)
        return dataclasses.replace(recording, curves=curves, base=base)
    times, interpolation = _bake_times(moving)
    poses = recording.sample(times)
    root = _travel(skeleton, poses, frame)
    inverse = rigid.inverse(*root)
    translations, rotations = poses.full_translations(skeleton)[:, roots], poses.rotations[:, roots]
    local = rigid.multiply(inverse[0][:, None], inverse[1][:, None], translations, rotations)
    places = np.array([0, *(joint + 1 for joint in roots)])
    kept = tuple(_shifted(curve, +1) for curve in _without(recording.curves, roots))
    baked = (
        Curve("translation", places, times, np.concatenate([root[0][:, None], local[0]], axis=1), interpolation),
        Curve("rotation", places, times, np.concatenate([root[1][:, None], local[1]], axis=1), interpolation),
    )
    return dataclasses.replace(recording, curves=(*baked, *kept), base=base)


def recording_without_root(recording: Recording, skeleton: Skeleton) -> Recording:
    """``recording`` of ``skeleton``, whose joint 0 is a ground root, for the skeleton without it.

    Raises:
        InputError: if the recording scales the root.
    """
    if _curves_of(recording, {0}, paths=("scale",)):
        raise InputError(f"recording {recording.name!r} scales the ground root; it cannot be taken away")
    below = list(skeleton.children[0])
    base = pose_without_root(recording.base, skeleton)
    if not _curves_of(recording, {0}):
        root = recording.base.full_translations(skeleton)[0], recording.base.rotations[0]
        curves = tuple(_shifted(_premultiplied(curve, below, root), -1) for curve in recording.curves)
        return dataclasses.replace(recording, curves=curves, base=base)
    times, interpolation = _bake_times(_curves_of(recording, {0, *below}))
    poses = recording.sample(times)
    translations, rotations = poses.full_translations(skeleton), poses.rotations
    world = rigid.multiply(translations[:, :1], rotations[:, :1], translations[:, below], rotations[:, below])
    places = np.array(below) - 1
    kept = tuple(_shifted(curve, -1) for curve in _without(recording.curves, [0, *below]))
    baked = (
        Curve("translation", places, times, world[0], interpolation),
        Curve("rotation", places, times, quaternion.continuous(world[1]), interpolation),
    )
    return dataclasses.replace(recording, curves=(*baked, *kept), base=base)


def _travel(skeleton: Skeleton, poses: Pose, frame: GroundFrame) -> Rigid:
    """(T, 3) and (T, 4) the way of a root that stays below the hips and turns with them about the vertical."""
    rest = world_matrices(skeleton, Pose.rest(skeleton))[frame.hips]
    _, at_rest, _, _ = transform.decompose(rest)
    places, turned, _, _ = transform.decompose(world_matrices(skeleton, poses)[:, frame.hips])
    below = places + (frame.ground - places @ frame.up)[:, None] * frame.up
    _, heading = swing_twist.decompose(quaternion.multiply(turned, quaternion.conjugate(at_rest)), frame.up)
    return below, quaternion.continuous(quaternion.multiply(heading, frame.world_from_root[1]))


def _curves_of(
    recording: Recording, joints: set[int], *, paths: tuple[str, ...] = ("rotation", "translation", "scale")
) -> list[Curve]:
    """The curves that drive one of ``joints``."""
    return [c for c in recording.curves if c.path in paths and not joints.isdisjoint(c.targets.tolist())]


def _bake_times(curves: list[Curve]) -> tuple[FloatArray, Interpolation]:
    """The times of new keys that tell all of ``curves`` together, and how to go from one to the next."""
    keys = np.unique(np.concatenate([curve.times for curve in curves]))
    stepping = [curve for curve in curves if curve.interpolation == "step"]
    if len(stepping) == len(curves):
        return keys, "step"
    spans = np.maximum(np.ceil(np.diff(keys) / BETWEEN - 1e-6).astype(np.int64), 1)
    between = [np.linspace(keys[i], keys[i + 1], spans[i], endpoint=False) for i in range(len(spans))]
    steps = np.concatenate([curve.times[1:] - BEFORE_STEP for curve in stepping]) if stepping else np.zeros(0)
    times = np.unique(np.concatenate([*between, keys, steps[steps > keys[0]]]))
    # Keys themselves stay exactly; what was put between them must not crowd them.
    crowded = np.diff(times, prepend=-np.inf) < BEFORE_STEP / 2
    return times[~crowded | np.isin(times, keys)], "linear"


def _premultiplied(curve: Curve, joints: list[int], left: Rigid) -> Curve:
    """The curve with ``left`` applied after the transforms of ``joints``; exact, tangents included."""
    chosen = np.isin(curve.targets, joints)
    if curve.path not in ("rotation", "translation") or not chosen.any():
        return curve

    def changed(values: FloatArray, shift: FloatArray) -> FloatArray:
        result = values.copy()
        if curve.path == "rotation":
            # A product of quaternions is linear in each, so tangents turn as the values do.
            result[:, chosen] = quaternion.multiply(left[1], values[:, chosen])
        else:
            result[:, chosen] = quaternion.rotate(left[1], values[:, chosen]) + shift
        return result

    none = np.zeros(3)
    return dataclasses.replace(
        curve,
        values=changed(curve.values, left[0]),
        in_tangents=None if curve.in_tangents is None else changed(curve.in_tangents, none),
        out_tangents=None if curve.out_tangents is None else changed(curve.out_tangents, none),
    )


def _shifted(curve: Curve, step: int) -> Curve:
    """The curve with joint indices moved by ``step``."""
    return curve if curve.path == "morph" else dataclasses.replace(curve, targets=curve.targets + step)


def _without(curves: tuple[Curve, ...], joints: list[int]) -> list[Curve]:
    """The curves without what they say of the rotation and translation of ``joints``."""
    kept = []
    for curve in curves:
        stays = ~np.isin(curve.targets, joints) if curve.path in ("rotation", "translation") else slice(None)
        part = dataclasses.replace(
            curve,
            targets=curve.targets[stays],
            values=curve.values[:, stays],
            in_tangents=None if curve.in_tangents is None else curve.in_tangents[:, stays],
            out_tangents=None if curve.out_tangents is None else curve.out_tangents[:, stays],
        )
        if len(part.targets):
            kept.append(part)
    return kept
