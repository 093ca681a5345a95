"""Where a part of a body touches the ground it stands on: the corners of its sole."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.character.deform import deform
from mummer.ik.body_point import BodyPoint, Part, joint_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

SOLE = 0.015
"""How far above its lowest point the surface still belongs to the sole, in heights of the body."""
STANDS = 0.06
"""A part whose lowest point is higher than this above the ground at rest is not made to stand on, as a hand."""
FLAT = 0.05
"""How long a sole must be, in heights of the body, for a foot to stand flat on it."""
CORNERS = 8
"""Directions in which the corners of a sole are looked for."""


def contact_points(character: Character, part: Part) -> tuple[BodyPoint, ...]:
    """The points of a foot that bear the body: the corners of its sole, at rest, each carried by the joint it is on.

    A point that the caller chose stands for itself. Of a foot with a surface these are the corners of its lowest
    layer; of a bare one, and of parts that do not stand at rest such as hands, the joint and the tips below it.
    """
    if isinstance(part, BodyPoint) and any(part.offset):
        return (part,)
    joint = joint_of(character, part)
    known = _remembered.setdefault(character, {})
    if joint not in known:
        known[joint] = _sole(character, joint) or _tips(character, joint)
    return known[joint]


def foot_point(character: Character, part: Part) -> BodyPoint | None:
    """The one point that a pointed foot stands on, the middle of its small sole; None for a foot that stands flat."""
    corners = contact_points(character, part)
    rest = WorldState(character, Pose.rest(character.skeleton))
    places = np.concatenate([rest.point(corner) for corner in corners])
    if np.ptp(places, axis=0).max() > FLAT * rest.body.height:
        return None
    joint = int(joint_of(character, corners[0]))
    joint_from_world = quaternion.conjugate(rest.rotations[0, joint])
    x, y, z = quaternion.rotate(joint_from_world, places.mean(axis=0) - rest.positions[0, joint]).tolist()
    return BodyPoint(joint, (x, y, z))


_remembered: WeakKeyDictionary[Character, dict[int, tuple[BodyPoint, ...]]] = WeakKeyDictionary()
_surfaces: WeakKeyDictionary[Character, tuple[FloatArray, IntArray]] = WeakKeyDictionary()


def level_axes(up: FloatArray) -> FloatArray:
    """(2, 3) two unit axes across ``up``, the second a quarter turn about it from the first."""
    first = quaternion.perpendicular(up)
    return np.stack([first, np.cross(up, first)])


def _sole(character: Character, joint: int) -> tuple[BodyPoint, ...]:
    """The corners of the lowest layer of the surface below ``joint``; empty if it has none or does not stand."""
    anatomy = character.anatomy
    if anatomy is None:
        return ()
    points, carriers = _surface(character)
    own = _below(character, joint)[carriers]
    if not own.any():
        return ()
    heights = points[own] @ anatomy.up
    if heights.min() - anatomy.ground > STANDS * anatomy.height:
        return ()
    low = np.flatnonzero(own)[heights <= heights.min() + SOLE * anatomy.height]
    return _in_joints(character, points[low], carriers[low], level_axes(anatomy.up))


def _in_joints(character: Character, points: FloatArray, carriers: IntArray, axes: FloatArray) -> tuple[BodyPoint, ...]:
    """The outermost of ``points`` (V, 3), world at rest, in the frames of the joints that carry them."""
    angles = np.arange(CORNERS) * (2 * np.pi / CORNERS)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ axes
    corners = np.unique(np.argmax(points @ directions.T, axis=0))
    rest = WorldState(character, Pose.rest(character.skeleton))
    found = []
    for corner in corners.tolist():
        joint = int(carriers[corner])
        joint_from_world = quaternion.conjugate(rest.rotations[0, joint])
        x, y, z = quaternion.rotate(joint_from_world, points[corner] - rest.positions[0, joint]).tolist()
        found.append(BodyPoint(joint, (x, y, z)))
    return tuple(found)


def _tips(character: Character, joint: int) -> tuple[BodyPoint, ...]:
    """The joint and the tips below it."""
    parents = character.skeleton.parents
    below = np.flatnonzero(_below(character, joint))
    tips = [int(tip) for tip in below if tip != joint and not np.any(parents == tip)]
    return tuple(BodyPoint(each) for each in (joint, *tips))


def _below(character: Character, joint: int) -> BoolArray:
    """(J,) the joint and all that hangs from it."""
    found = np.zeros(len(character.skeleton), bool)
    for each, parent in enumerate(character.skeleton.parents.tolist()):
        found[each] = each == joint or (parent >= 0 and bool(found[parent]))
    return found


def _surface(character: Character) -> tuple[FloatArray, IntArray]:
    """(V, 3) all vertices of the body at rest in the world, and (V,) the joint that carries most of each."""
    found = _surfaces.get(character)
    if found is None:
        bent = deform(character, Pose.rest(character.skeleton), with_normals=False)
        points = [np.zeros((0, 3)), *(np.asarray(each.positions, np.float64) for each in bent)]
        carriers: list[IntArray] = [np.zeros(0, np.int64)]
        for mesh in character.meshes:
            most = np.argmax(mesh.skin.weights, axis=1)[:, None]
            carriers.append(mesh.skin.joints[np.take_along_axis(mesh.skin.indices, most, axis=1)[:, 0]])
        found = _surfaces[character] = (np.concatenate(points), np.concatenate(carriers).astype(np.int64))
    return found
