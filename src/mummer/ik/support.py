"""The support of a standing body: the level polygon around the places where it touches the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.clip.standing import up_of
from mummer.ik.body_point import BodyPoint, Part, joint_of
from mummer.ik.volume.skin_points import skin_at_rest
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.kernels.arguments import Floats1, Floats3, Output1, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU
from mummer.math import quaternion
from mummer.math.steps import smooth_step

SOLE = 0.015
"""How far above its lowest point the surface still belongs to the sole, in heights of the body."""
STANDS = 0.06
"""A part whose lowest point is higher than this above the ground at rest is not made to stand on, as a hand."""
FLAT = 0.05
"""How long a sole must be, in heights of the body, for a foot to stand flat on it."""
CORNERS = 8
"""Directions in which the corners of a sole are looked for."""
BEARS, LEAVES = 0.01, 0.05
"""In heights of the body: up to how far above the lowest point a point of a foot bears all, and where it bears none."""
MERGED = 1e-5
"""In heights of the body: corners nearer than this count as one."""


@dataclass(frozen=True, eq=False)
class LevelHull:
    """B convex polygons; a line is one of two corners, a point one of one.

    Attributes:
        corners: (B, K, 2) counter-clockwise, metres; the last is repeated to fill the row.
        counts: (B,) how many corners there are.
    """

    corners: FloatArray
    counts: FloatArray

    @property
    def is_edge(self) -> BoolArray:
        """(B, K) which of the rows' corners begin an edge: all real ones of two or more."""
        place = np.arange(self.corners.shape[1])
        return np.asarray((place < self.counts[:, None]) & (self.counts[:, None] > 1))

    @property
    def ends(self) -> FloatArray:
        """(B, K, 2) the corner after each."""
        place = np.arange(1, self.corners.shape[1] + 1)
        following = np.where(place < self.counts[:, None], place, 0).astype(np.int64)
        return np.take_along_axis(self.corners, following[..., None], axis=1)


def level_hull(points: FloatArray, tolerance: float) -> LevelHull:
    """The hulls of B sets of points (B, P, 2), metres; points nearer than ``tolerance`` count as one."""
    count, size = points.shape[:2]
    corners, counts = np.zeros((count, size, 2)), np.zeros(count)
    if size == 0:
        return LevelHull(corners, counts)
    CPU.run(wrap_points, count, np.ascontiguousarray(points), np.full(1, tolerance), corners, counts, grain=256)
    used = int(counts.max(initial=1))
    return LevelHull(corners[:, :used], counts)


@kernel(on_cuda=False)
def wrap_points(item: int, points: Floats3, tolerance: Floats1, corners: Output3, counts: Output1) -> None:
    """One hull, from a point that is surely a corner round: the next corner has all others on its left."""
    size, near = points.shape[1], tolerance[0] * tolerance[0]
    current, found = farthest_from_middle(item, points), 0
    for _ in range(size):
        corners[item, found, 0], corners[item, found, 1] = points[item, current, 0], points[item, current, 1]
        found += 1
        current = next_corner(item, points, current, near)
        if current < 0 or is_known(item, points, current, corners, found, near):
            break
    for each in range(found, size):
        corners[item, each, 0], corners[item, each, 1] = corners[item, found - 1, 0], corners[item, found - 1, 1]
    counts[item] = found


def farthest_from_middle(item: int, points: Floats3) -> int:
    """The point that is farthest from the mean of all."""
    size = points.shape[1]
    x, y = points[item, 0, 0], points[item, 0, 1]
    for each in range(1, size):
        x += points[item, each, 0]
        y += points[item, each, 1]
    x, y = x / size, y / size
    best, farthest = 0, (points[item, 0, 0] - x) ** 2 + (points[item, 0, 1] - y) ** 2
    for each in range(1, size):
        square = (points[item, each, 0] - x) ** 2 + (points[item, each, 1] - y) ** 2
        if square > farthest:
            best, farthest = each, square
    return best


def next_corner(item: int, points: Floats3, current: int, near: float) -> int:
    """The point that has all others on the left of the way to it, the farthest of several; -1 if all are one."""
    x, y = points[item, current, 0], points[item, current, 1]
    best, best_x, best_y, best_square = -1, x, y, near
    for each in range(points.shape[1]):
        along, across = points[item, each, 0] - x, points[item, each, 1] - y
        square = along * along + across * across
        if square <= near:
            continue
        turn = best_x * across - best_y * along
        if best < 0 or turn < -1e-3 * near or (turn <= 1e-3 * near and square > best_square):
            best, best_x, best_y, best_square = each, along, across, square
    return best


def is_known(item: int, points: Floats3, which: int, corners: Output3, found: int, near: float) -> bool:
    """Whether a point is as good as one of the corners found so far."""
    for each in range(found):
        along = points[item, which, 0] - corners[item, each, 0]
        across = points[item, which, 1] - corners[item, each, 1]
        if along * along + across * across <= near:
            return True
    return False


def contact_points(character: Character, part: Part) -> tuple[BodyPoint, ...]:
    """The points of a foot that bear the body: the corners of its sole, at rest, each carried by the joint it is on.

    A point that the caller chose stands for itself. Of a foot with a surface these are the corners of its lowest
    layer; of a bare one, and of parts that do not stand at rest such as hands, the joint and the tips below it.
    """
    if isinstance(part, BodyPoint) and any(part.offset):
        return (part,)
    return _bearing(character, joint_of(character, part))


@kept
def _bearing(character: Character, joint: int) -> tuple[BodyPoint, ...]:
    return _sole(character, joint) or _tips(character, joint)


def foot_point(character: Character, part: Part) -> BodyPoint | None:
    """The one point that a pointed foot stands on, the middle of its small sole; None for a foot that stands flat."""
    corners = contact_points(character, part)
    rest = WorldState(character, Pose.rest(character.skeleton))
    places = np.concatenate([rest.point(corner) for corner in corners])
    if np.ptp(places, axis=0).max() > FLAT * rest.body.height:
        return None
    return rest.point_at(joint_of(character, corners[0]), places.mean(axis=0))


def level_axes(up: FloatArray) -> FloatArray:
    """(2, 3) two unit axes across ``up``, the second a quarter turn about it from the first."""
    first = quaternion.perpendicular(up)
    return np.stack([first, np.cross(up, first)])


def _sole(character: Character, joint: int) -> tuple[BodyPoint, ...]:
    """The corners of the lowest layer of the surface below ``joint``; empty if it has none or does not stand."""
    anatomy = character.anatomy
    if anatomy is None:
        return ()
    skin = skin_at_rest(character)
    own = np.isin(skin.joints, character.skeleton.descendants(joint))
    if not own.any():
        return ()
    heights = skin.places[own] @ anatomy.up
    if heights.min() - anatomy.ground > STANDS * anatomy.height:
        return ()
    low = np.flatnonzero(own)[heights <= heights.min() + SOLE * anatomy.height]
    return _in_joints(character, skin.places[low], skin.joints[low], level_axes(anatomy.up))


def _in_joints(character: Character, points: FloatArray, carriers: IntArray, axes: FloatArray) -> tuple[BodyPoint, ...]:
    """The outermost of ``points`` (V, 3), world at rest, in the frames of the joints that carry them."""
    angles = np.arange(CORNERS) * (2 * np.pi / CORNERS)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ axes
    corners = np.unique(np.argmax(points @ directions.T, axis=0))
    rest = WorldState(character, Pose.rest(character.skeleton))
    return tuple(rest.point_at(int(carriers[corner]), points[corner]) for corner in corners)


def _tips(character: Character, joint: int) -> tuple[BodyPoint, ...]:
    """The joint and the tips below it."""
    skeleton = character.skeleton
    tips = [tip for tip in skeleton.descendants(joint) if tip != joint and not skeleton.children[tip]]
    return tuple(BodyPoint(each) for each in (joint, *tips))


@dataclass(frozen=True, eq=False)
class Support:
    """What B poses stand on, seen along ``up``.

    Attributes:
        hull: the polygons, in metres along ``axes``.
        axes: (2, 3) level unit vectors in the world.
        up: (3,) unit.
        margin: (B,) metres inside the edges that is asked for, cut down to what each polygon has room for.
    """

    hull: LevelHull
    axes: FloatArray
    up: FloatArray
    margin: FloatArray

    def corners(self) -> list[FloatArray]:
        """For each pose (n, 3) the corners of its support in the world, as high as the origin."""
        rows = zip(self.hull.corners, self.hull.counts.astype(int).tolist(), strict=True)
        return [np.asarray(corners[:count] @ self.axes) for corners, count in rows]

    def lines(self) -> FloatArray:
        """(B, K, 3) rows (normal, distance) along ``axes``, the margin counted in; unneeded ones are (0, 0, -1)."""
        normals = _normals(self.hull.ends - self.hull.corners)
        distances = np.sum(normals * self.hull.corners, axis=-1) + self.margin[:, None]
        edges = np.where(self.hull.is_edge[..., None], np.dstack([normals, distances]), [0.0, 0.0, -1.0])
        return edges if np.all(self.hull.counts > 2) else np.concatenate([edges, _end_lines(self.hull)], axis=1)

    def outside(self, points: FloatArray) -> FloatArray:
        """(B,) metres from points (B, 3) in the world to the polygons, less where inside: negative by the depth."""
        at = (points @ self.axes.T)[:, None]
        starts, spans = self.hull.corners, self.hull.ends - self.hull.corners
        square = np.sum(spans * spans, axis=-1)
        share = np.clip(np.sum((at - starts) * spans, axis=-1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
        away = np.linalg.norm(at - starts - share[..., None] * spans, axis=-1).min(axis=1)
        inside = np.where(self.hull.is_edge, _depths(self.hull, at), np.inf).min(axis=1)
        return np.asarray(np.where((self.hull.counts > 2) & (inside >= 0), -away, away))


def find_support(state: WorldState, feet: Sequence[Part] = (), margin: float = 0.0) -> Support | None:
    """What posed bodies stand on; None for a body that stands on nothing, as a fish or a ghost.

    A foot's corners count less the higher they are above its lowest, so that a heel that lifts draws the edge of the
    support forward smoothly.

    Args:
        state: B poses.
        feet: the parts that bear the body, each at its own height; empty for those of the anatomy's feet that are as
            low as the lowest of them in the pose, or, for a body without feet that lies on the ground, all of it.
        margin: metres inside the edge, never more than there is room for.
    """
    character = state.body.character
    parts = tuple(feet) or standing_parts(character)
    if not parts:
        return None
    up = up_of(character)
    soles = [contact_points(character, part) for part in parts]
    places = np.stack([state.point(point) for sole in soles for point in sole], axis=1)
    heights = places @ up
    if feet:
        ends = np.cumsum([len(sole) for sole in soles])
        lowest = [heights[:, end - len(sole) : end].min(axis=1) for sole, end in zip(soles, ends, strict=True)]
        above = heights - np.repeat(np.stack(lowest, axis=1), [len(sole) for sole in soles], axis=1)
    else:
        above = heights - heights.min(axis=1, keepdims=True)
    axes = level_axes(up)
    hull = level_hull(_drawn_in(places @ axes.T, above / state.body.height), MERGED * state.body.height)
    return Support(hull, axes, up, np.minimum(margin, _room(hull)))


def distance_outside(state: WorldState, feet: Sequence[Part] = (), margin: float = 0.0) -> FloatArray:
    """(B,) metres by which the centre of mass is outside the support of ``feet``, level; zero inside.

    See `support` for the arguments. It is zero for a body that stands on nothing.
    """
    found = find_support(state, feet, margin)
    if found is None:
        return np.zeros(len(state))
    return np.maximum(found.outside(state.center_of_mass) + found.margin, 0.0)


def support_half_spaces(state: WorldState, feet: Sequence[Part] = (), margin: float = 0.0) -> FloatArray:
    """(B, K, 4) rows (normal xyz, distance): the centre of mass c is over the support where all normal·c ≥ distance.

    See `support` for the arguments. Rows that are not needed are (0, 0, 0, -1), which everything satisfies.
    """
    found = find_support(state, feet, margin)
    if found is None:
        return np.tile([0.0, 0.0, 0.0, -1.0], (len(state), 1, 1))
    lines = found.lines()
    return np.concatenate([lines[..., :2] @ found.axes, lines[..., 2:]], axis=-1)


def nearest_over(found: Support, points: FloatArray) -> FloatArray:
    """(B, 3) the places nearest to ``points`` (B, 3) that are over the support, margin counted in, at their heights.

    The nearest place is the point itself, its foot on one of the edges, or where two edges meet.
    """
    at, lines = points @ found.axes.T, found.lines()
    normals, distances = lines[..., :2], lines[..., 2]
    feet = at[:, None] + normals * (distances - np.einsum("bkd,bd->bk", normals, at))[..., None]
    places = np.concatenate([at[:, None], feet, _crossings(normals, distances)], axis=1)
    depths = np.einsum("bpd,bkd->bpk", places, normals) - distances[:, None]
    allowed = depths.min(axis=-1) >= -1e-9 * (1.0 + np.abs(distances).max())
    away = np.where(allowed, np.linalg.norm(places - at[:, None], axis=-1), np.inf)
    best = np.take_along_axis(places, np.argmin(away, axis=1)[:, None, None], axis=1)[:, 0]
    return np.asarray(points + (best - at) @ found.axes)


def _crossings(normals: FloatArray, distances: FloatArray) -> FloatArray:
    """(B, K², 2) where each two of K lines meet; far away where they do not."""
    first, second = normals[:, :, None], normals[:, None, :]
    area = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    meet = np.abs(area) > 1e-9
    one, two = distances[:, :, None], distances[:, None, :]
    x = one * second[..., 1] - two * first[..., 1]
    y = two * first[..., 0] - one * second[..., 0]
    places = np.stack([x, y], axis=-1) / np.where(meet, area, 1.0)[..., None]
    return np.where(meet[..., None], places, 1e12).reshape(len(normals), -1, 2)


def standing_parts(character: Character) -> tuple[Part, ...]:
    """What a body stands on at rest: its feet; else, if it lies on the ground, all joints; else nothing."""
    anatomy = character.anatomy
    if anatomy is None:
        return ()
    feet = anatomy.capabilities.get("foot", ())
    if feet:
        return tuple(feet)
    lowest = float((anatomy.bounds @ anatomy.up).min())
    if lowest - anatomy.ground > LEAVES * anatomy.height:
        return ()
    return tuple(range(len(character.skeleton)))


def _drawn_in(points: FloatArray, above: FloatArray) -> FloatArray:
    """(B, P, 2) points with those that are too high drawn to the middle of the others; ``above`` in heights."""
    bears = smooth_step((LEAVES - above) / (LEAVES - BEARS))
    middle = np.einsum("bp,bpk->bk", bears, points) / bears.sum(axis=1)[:, None]
    return np.asarray(middle[:, None] + bears[..., None] * (points - middle[:, None]))


def _room(hull: LevelHull) -> FloatArray:
    """(B,) metres from the middle of the edges, which is always inside, to the nearest edge; zero for lines."""
    lengths = np.linalg.norm(hull.ends - hull.corners, axis=-1)
    whole = lengths.sum(axis=1)
    middles = np.einsum("bk,bkd->bd", lengths, hull.corners + hull.ends) / np.where(whole > 0, 2 * whole, 1.0)[:, None]
    depths = np.where(hull.is_edge, _depths(hull, middles[:, None]), np.inf).min(axis=1)
    return np.where(hull.counts > 2, np.maximum(depths, 0.0), 0.0)


def _depths(hull: LevelHull, at: FloatArray) -> FloatArray:
    """(B, K) how far points (B, 1, 2) are on the inner side of each edge, metres."""
    return np.asarray(np.sum(_normals(hull.ends - hull.corners) * (at - hull.corners), axis=-1))


def _normals(spans: FloatArray) -> FloatArray:
    """Unit vectors a quarter turn to the left of ``spans`` (..., 2); zero where those are."""
    length = np.linalg.norm(spans, axis=-1, keepdims=True)
    return np.asarray(np.stack([-spans[..., 1], spans[..., 0]], axis=-1) / np.where(length > 0, length, 1.0))


def _end_lines(hull: LevelHull) -> FloatArray:
    """(B, 4, 3) lines that close a hull of two corners at both its ends and one of a single corner all round."""
    first, second = hull.corners[:, 0], hull.ends[:, 0]
    length = np.linalg.norm(second - first, axis=-1, keepdims=True)
    along = np.where(length > 0, (second - first) / np.where(length > 0, length, 1.0), [1.0, 0.0])
    across = np.stack([-along[:, 1], along[:, 0]], axis=-1)
    rows = [(along, first), (-along, second), (across, first), (-across, second)]
    lines = np.stack([np.column_stack([way, np.sum(way * at, axis=-1)]) for way, at in rows], axis=1)
    return np.where(hull.counts[:, None, None] > 2, [0.0, 0.0, -1.0], lines)
