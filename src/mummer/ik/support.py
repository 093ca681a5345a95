"""The support of a standing body: the level polygon around the places where it touches the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.ik.body_point import Part
from mummer.ik.foot_points import contact_points, level_axes
from mummer.ik.level_hull import LevelHull, level_hull
from mummer.ik.pose_distance import up_of
from mummer.ik.world_state import WorldState

BEARS, LEAVES = 0.01, 0.05
"""In heights of the body: up to how far above the lowest point a point of a foot bears all, and where it bears none."""
MERGED = 1e-5
"""In heights of the body: corners nearer than this count as one."""


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

    def corners(self, height: float = 0.0) -> list[FloatArray]:
        """For each pose (n, 3) the corners of its support in the world, at a height along ``up`` in metres."""
        rows = zip(self.hull.corners, self.hull.counts.astype(int).tolist(), strict=True)
        return [np.asarray(corners[:count] @ self.axes + height * self.up) for corners, count in rows]

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
    u = np.clip((LEAVES - above) / (LEAVES - BEARS), 0.0, 1.0)
    bears = u * u * (3 - 2 * u)
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
