"""Places on the surface of a body, and goals that lay one on another: a hand on a chin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.errors import InputError
from mummer.ik.body_point import BodyPoint, Part, Vector, joint_of
from mummer.ik.goal import Goal, Interval
from mummer.ik.pair_goals import Match, Together
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.volume.placed import Nearest, distance_to_volume, placed_capsules
from mummer.ik.volume.skin_points import SkinPoints, skin_points, turned_outward
from mummer.ik.volume.volume import volume_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

WITHIN = 1.3
"""Parts that hang from a joint count as its own where they lie within this many times the size of its capsules."""


@dataclass(frozen=True)
class SurfacePoint:
    """A place on the surface of a body, and the way out there.

    Attributes:
        point: a point of the body, for goals such as `Together` and `Place`.
        normal: unit and outward, in the frame of the point's joint.
    """

    point: BodyPoint
    normal: Vector


def on_surface(character: Character, part: Part, direction: npt.ArrayLike, *, pose: Pose | None = None) -> SurfacePoint:
    """The place where the surface of a part lies in a direction from its middle.

    Args:
        character: the body.
        part: a role, a joint's name or an index; small parts within it (a jaw in a head) count as its own.
        direction: (3,) as the body stands at rest: +Z to its front, +Y up. It turns with the part.
        pose: the pose whose surface is meant, since skin moves a little; rest by default.

    Raises:
        InputError: if the part has no surface there, or the direction no length.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik.volume import on_surface
        >>> chin = on_surface(mm.zoo.body("adult"), "head", (0, -1, 1))
        >>> bool(np.linalg.norm(chin.normal) > 0.999)
        True
    """
    joint, wanted = joint_of(character, part), np.asarray(direction, np.float64)
    length = float(np.linalg.norm(wanted))
    if wanted.shape != (3,) or not 0 < length < np.inf:
        raise InputError(f"the direction from {part!r} to its surface must be three numbers, not all zero")
    if pose is not None and pose.shape:
        raise InputError(f"the pose is a batch of shape {pose.shape}; a surface is looked at in one pose")
    rest = WorldState(character, Pose.rest(character.skeleton))
    state = rest if pose is None else WorldState(character, pose)
    turn = quaternion.multiply(state.rotations[0, joint], quaternion.conjugate(rest.rotations[0, joint]))
    along = quaternion.rotate(turn, wanted / length)
    return (
        _hit_mesh(character, state, joint, along) if character.meshes else _hit_capsules(character, state, joint, along)
    )


def nearest_on_surface(character: Character, pose: Pose, points: npt.ArrayLike) -> Nearest:
    """How points stand to the skin of a body: its triangles where it has a mesh, else its capsules.

    Args:
        character: the body.
        pose: one pose.
        points: (N, 3) in the world, metres.
    """
    at = np.asarray(points, np.float64)
    rough = distance_to_volume(character, pose, at)
    if pose.shape:
        raise InputError(f"the pose is a batch of shape {pose.shape}; a surface is looked at in one pose")
    surface = skin_points(character, pose)
    if not len(surface.triangles):
        return rough
    found = [_nearest(surface, point) for point in at]
    distances, normals, closest, joints = (np.array(column) for column in zip(*found, strict=True))
    return Nearest(distances, normals.reshape(-1, 3), closest.reshape(-1, 3), joints)


def _nearest(surface: SkinPoints, point: FloatArray) -> tuple[float, FloatArray, FloatArray, int]:
    corners = surface.places[surface.triangles]
    places = closest_on_triangles(point, corners)
    away = point - places
    far = np.linalg.norm(away, axis=1)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    # At an edge several triangles are equally near: the one that faces the point most tells the side.
    nearest = np.flatnonzero(far <= far.min() + 1e-9)
    best = nearest[np.argmax(np.abs(np.vecdot(away[nearest], normals[nearest])))]
    side = 1.0 if float(away[best] @ normals[best]) >= 0 else -1.0
    way_out = side * away[best] / far[best] if far[best] > 1e-9 else normals[best]
    return side * float(far[best]), way_out, places[best], int(surface.joints[surface.triangles[best, 0]])


def _hit_mesh(character: Character, state: WorldState, joint: int, along: FloatArray) -> SurfacePoint:
    surface = turned_outward(skin_points(character, state.pose[0]))
    carriers = surface.joints[surface.triangles[:, 0]]
    faces = np.flatnonzero(np.isin(carriers, own_parts(character, joint)))
    corners = surface.places[surface.triangles[faces]]
    mine = corners[carriers[faces] == joint]
    if not len(mine):
        raise InputError(f"joint {character.skeleton.names[joint]!r} of {character.name!r} carries no surface")
    middle = (mine.reshape(-1, 3).min(axis=0) + mine.reshape(-1, 3).max(axis=0)) / 2
    far = line_hits(middle, along, corners)
    if np.isnan(far).all():
        # The surface is open there, as a neck is towards the chest: what lies farthest that way comes nearest.
        heights = (corners.mean(axis=1) - middle) @ along
        face = int(np.argmax(heights))
        place = corners[face].mean(axis=0)
    else:
        face = int(np.nanargmax(far))
        place = middle + far[face] * along
    normal = surface.normals[surface.triangles[faces[face]]].mean(axis=0)
    return _surface_point(state, int(carriers[faces[face]]), place, normal)


def own_parts(character: Character, joint: int) -> list[int]:
    """``joint`` and what hangs from it within its own volume at rest: jaw and eyes of a head, but no arm of a chest."""
    volume = volume_of(character)
    rest = WorldState(character, Pose.rest(character.skeleton))
    capsules, found = volume.of(joint), [joint]
    for other in range(joint + 1, len(character.skeleton)):
        if int(character.skeleton.parents[other]) not in found or not len(capsules):
            continue
        middle = rest.positions[0, other]
        if len(volume.of(other)):
            x, y, z = volume.ends[volume.of(other)].reshape(-1, 3).mean(axis=0).tolist()
            middle = rest.point(BodyPoint(other, (x, y, z)))[0]
        center = np.array(rest.point_at(joint, middle).offset)
        if np.any(signed_distance(center, volume.ends[capsules], WITHIN * volume.radii[capsules])[0] < 0):
            found.append(other)
    return found


def _hit_capsules(character: Character, state: WorldState, joint: int, along: FloatArray) -> SurfacePoint:
    volume = volume_of(character)
    mine = volume.of(joint)
    if not len(mine):
        raise InputError(f"joint {character.skeleton.names[joint]!r} of {character.name!r} carries no surface")
    ends, radii = placed_capsules(volume, state).ends[0, mine], volume.radii[mine]
    middle = ends.reshape(-1, 3).mean(axis=0)
    # From far away inwards, each time as far as nothing can be in the way.
    far = float(np.linalg.norm(ends - middle, axis=-1).max() + radii.max()) * 1.01
    for _ in range(64):
        distances, _, normals = signed_distance(middle + far * along, ends, radii)
        nearest = int(np.argmin(distances))
        if distances[nearest] < 1e-9 or far < 0:
            break
        far -= float(distances[nearest])
    return _surface_point(state, joint, middle + far * along, normals[nearest])


def _surface_point(state: WorldState, joint: int, place: FloatArray, normal: FloatArray) -> SurfacePoint:
    unit = normal / max(float(np.linalg.norm(normal)), 1e-12)
    x, y, z = quaternion.rotate(quaternion.conjugate(state.rotations[0, joint]), unit).tolist()
    return SurfacePoint(state.point_at(joint, place), (x, y, z))


def touch(
    character: Character,
    first: SurfacePoint,
    second: SurfacePoint,
    *,
    pose: Pose | None = None,
    turn_weight: float | None = 1.0,
    interval: Interval | None = None,
) -> tuple[Goal, Goal]:
    """Goals for two places of the surface that touch face to face: a palm on a chin.

    Args:
        character: the body.
        first: what is brought there, for instance a palm.
        second: where to.
        pose: how the body stands now; of all turns that lay face on face the nearest to this one is asked for.
        turn_weight: how much facing each other counts; touching itself is a hard goal.
        interval: seconds between which they touch.
    """
    state = WorldState(character, character.default_pose if pose is None else pose)
    one, two = joint_of(character, first.point), joint_of(character, second.point)
    second_from_first = quaternion.multiply(quaternion.conjugate(state.rotations[0, two]), state.rotations[0, one])
    facing = quaternion.rotate(second_from_first, first.normal)
    turn = quaternion.multiply(quaternion.between_vectors(facing, -np.asarray(second.normal)), second_from_first)
    x, y, z, w = (float(part) for part in turn)
    return (
        Together(first.point, second.point, interval=interval),
        Match(one, two, (x, y, z, w), weight=turn_weight, interval=interval),
    )


def closest_on_triangles(point: FloatArray, corners: FloatArray) -> FloatArray:
    """(F, 3) the place of each triangle (F, 3, 3) that is nearest to ``point`` (3,)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    squared = np.maximum(np.vecdot(normal, normal), 1e-300)
    foot = point - normal * (np.vecdot(point - a, normal) / squared)[:, None]
    inside = np.ones(len(corners), bool)
    for one, two in ((a, b), (b, c), (c, a)):
        inside &= np.vecdot(np.cross(two - one, foot - one), normal) >= 0
    edges = np.stack([_on_edge(point, one, two) for one, two in ((a, b), (b, c), (c, a))], axis=1)
    nearest = np.argmin(np.linalg.norm(edges - point, axis=-1), axis=1)
    # A flat triangle has no inside: its edges are all there is.
    flat = np.vecdot(normal, normal) <= 1e-300
    return np.where((inside & ~flat)[:, None], foot, edges[np.arange(len(edges)), nearest])


def _on_edge(point: FloatArray, one: FloatArray, two: FloatArray) -> FloatArray:
    along = two - one
    share = np.vecdot(point - one, along) / np.maximum(np.vecdot(along, along), 1e-300)
    return np.asarray(one + np.clip(share, 0.0, 1.0)[:, None] * along)


def line_hits(origin: FloatArray, direction: FloatArray, corners: FloatArray) -> FloatArray:
    """(F,) how far along ``direction`` from ``origin`` each triangle (F, 3, 3) is passed; NaN where it is not."""
    a = corners[:, 0]
    first, second = corners[:, 1] - a, corners[:, 2] - a
    across = np.cross(direction, second)
    scale = np.vecdot(first, across)
    safe = np.where(np.abs(scale) > 1e-300, scale, np.inf)
    away = origin - a
    u = np.vecdot(away, across) / safe
    turned = np.cross(away, first)
    v = turned @ direction / safe
    far = np.vecdot(second, turned) / safe
    # A little beyond the edges: a line through an edge must hit one of its two triangles.
    hit = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & np.isfinite(safe) & (far > 0)
    return np.where(hit, far, np.nan)
