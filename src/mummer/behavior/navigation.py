"""Navigation: ways around what stands about, on a mesh of the ground that is free."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree

from mummer.arrays import FloatArray, IntArray
from mummer.errors import InputError, MissingExtraError

AROUND = 5.0
"""Metres of free ground around all obstacles where no bounds are given."""
SAME = 1e-6
MOST = 2000
"""Obstacles at most."""


def _shapely() -> Any:
    try:
        import shapely
    except ImportError:
        raise MissingExtraError("nav", "a navigation mesh") from None
    return shapely


class Navigation:
    """The free ground between obstacles, as triangles.

    Attributes:
        triangles: (T, 3, 2) corners, x and z, metres.
        walls: (W, 2, 2) edges of obstacles as they stand.

    Example:
        >>> from mummer.behavior.navigation import Navigation
        >>> box = [(-1, 2), (1, 2), (1, 3), (-1, 3)]
        >>> way = Navigation([box], radius=0.3).path((0, 0), (0, 5))
        >>> len(way), [round(float(number), 2) for number in way[1]]
        (4, [1.3, 1.7])
    """

    def __init__(
        self,
        obstacles: Sequence[Sequence[Sequence[float]]],
        *,
        radius: float = 0.3,
        bounds: Sequence[float] | None = None,
    ) -> None:
        """The ground around obstacles.

        Args:
            obstacles: polygons, each a list of x and z.
            radius: metres that are kept from them.
            bounds: least x, least z, most x and most z of the ground; some metres around all obstacles if None.

        Raises:
            InputError: if an obstacle is no polygon, or there are too many.
        """
        shapely = _shapely()
        if len(obstacles) > MOST:
            raise InputError(f"there are {len(obstacles)} obstacles; expected {MOST} at most")
        shapes = [self._polygon(shapely, number, corners) for number, corners in enumerate(obstacles)]
        solid = shapely.union_all(shapes) if shapes else shapely.Polygon()
        if bounds is None:
            low_x, low_z, high_x, high_z = solid.bounds if shapes else (0.0, 0.0, 0.0, 0.0)
            bounds = (low_x - AROUND, low_z - AROUND, high_x + AROUND, high_z + AROUND)
        grown = solid.buffer(radius, join_style="mitre", mitre_limit=2.0) if shapes else solid
        free = shapely.box(*bounds).difference(grown)
        pieces = [each for each in shapely.get_parts(free) if each.geom_type == "Polygon" and each.area > SAME]
        found = [shapely.get_parts(shapely.constrained_delaunay_triangles(each)) for each in pieces]
        flat = [triangle for some in found for triangle in some]
        self.triangles = np.array([np.array(each.exterior.coords)[:3] for each in flat]).reshape(-1, 3, 2)
        if not len(self.triangles):
            raise InputError("no ground is free between the obstacles")
        rings = [np.array(each.exterior.coords) for each in shapely.get_parts(solid) if each.geom_type == "Polygon"]
        self.walls = np.concatenate(
            [np.stack([ring[:-1], ring[1:]], axis=1) for ring in rings] or [np.zeros((0, 2, 2))]
        )
        self._link()

    @staticmethod
    def _polygon(shapely: Any, number: int, corners: Sequence[Sequence[float]]) -> Any:
        places = np.asarray(corners, np.float64)
        if places.ndim != 2 or places.shape[1] != 2 or len(places) < 3 or not np.isfinite(places).all():
            raise InputError(
                f"obstacle {number} has shape {places.shape}; expected three or more corners, x and z each"
            )
        shape = shapely.Polygon(places)
        return shape if shape.is_valid else shape.buffer(0)

    def _link(self) -> None:
        """Find which triangles share an edge."""
        corners = self.triangles.reshape(-1, 2)
        tree = cKDTree(corners)
        first = np.array([min(found) for found in tree.query_ball_point(corners, SAME)])
        self._corners = first.reshape(-1, 3)
        edges: dict[tuple[int, int], list[int]] = {}
        for triangle, (a, b, c) in enumerate(self._corners.tolist()):
            for one, two in ((a, b), (b, c), (c, a)):
                edges.setdefault((min(one, two), max(one, two)), []).append(triangle)
        self._shared = {edge: pair for edge, pair in edges.items() if len(pair) == 2}
        self._points = corners

    def _triangle_at(self, place: FloatArray) -> tuple[int, FloatArray]:
        """The triangle that a place is in, or the nearest one, and the place brought into it."""
        a, b, c = (self.triangles[:, corner] for corner in range(3))

        def side(one: FloatArray, two: FloatArray) -> FloatArray:
            along, away = two - one, place - one
            return np.asarray(along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0])

        signs = np.stack([side(a, b), side(b, c), side(c, a)])
        inside = np.flatnonzero((signs >= -SAME).all(axis=0) | (signs <= SAME).all(axis=0))
        if len(inside):
            return int(inside[0]), place
        edges = np.stack([self.triangles, np.roll(self.triangles, -1, axis=1)], axis=2).reshape(-1, 2, 2)
        near = nearest_on(edges, place)
        best = int(np.argmin(np.linalg.norm(near - place, axis=1)))
        return best // 3, near[best]

    def path(self, start: Sequence[float] | FloatArray, goal: Sequence[float] | FloatArray) -> FloatArray:
        """(P, 2) the shortest way in these triangles, from start to goal, with the corners that it goes around.

        A place inside an obstacle stands for the nearest free one.

        Raises:
            InputError: if there is no way.
        """
        first, begin = self._triangle_at(np.asarray(start, np.float64))
        last, end = self._triangle_at(np.asarray(goal, np.float64))
        if first == last:
            return np.array([begin, end])
        doors = list(self._shared)
        middles = np.array([self._points[list(door)].mean(axis=0) for door in doors])
        of_triangle: dict[int, list[int]] = {}
        for number, door in enumerate(doors):
            for triangle in self._shared[door]:
                of_triangle.setdefault(triangle, []).append(number)
        route = self._route(of_triangle, middles, (first, begin), (last, end))
        return self._pulled(begin, end, first, [doors[number] for number in route])

    def _route(
        self, of_triangle: dict[int, list[int]], middles: FloatArray, start: tuple[int, FloatArray],
        goal: tuple[int, FloatArray],
    ) -> list[int]:  # fmt: skip
        """The doors between triangles that the shortest way through their middles passes, in order."""
        count = len(middles)
        places = np.concatenate([middles, [start[1], goal[1]]])
        links: list[tuple[int, int]] = []
        for triangle, found in of_triangle.items():
            near = [*found, *([count] if triangle == start[0] else []), *([count + 1] if triangle == goal[0] else [])]
            links += [(one, two) for one in near for two in near if one != two]
        ends = np.array(links, np.int64).reshape(-1, 2)
        lengths = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1) + SAME
        graph = coo_matrix((lengths, (ends[:, 0], ends[:, 1])), shape=(count + 2, count + 2)).tocsr()
        _, before = dijkstra(graph, indices=count, return_predecessors=True)
        route, at = [], int(before[count + 1])
        if at < 0:
            raise InputError("there is no way from start to goal between the obstacles")
        while at != count:
            route.append(at)
            at = int(before[at])
        return route[::-1]

    def _pulled(self, begin: FloatArray, end: FloatArray, first: int, doors: list[tuple[int, int]]) -> FloatArray:
        """The way through doors pulled straight, as a string would be: the funnel algorithm."""
        portals = []
        inside = first
        for door in doors:
            one, two = self._points[list(door)]
            pair = self._shared[door]
            center = self.triangles[inside].mean(axis=0)
            is_left = cross(one - center, two - center) > 0.0
            portals.append((two, one) if is_left else (one, two))  # left, right as one walks
            inside = pair[1] if pair[0] == inside else pair[0]
        portals.append((end, end))
        path, apex, left, right = [begin], begin, portals[0][0], portals[0][1]
        left_at = right_at = 0
        number = 1
        while number < len(portals):
            new_left, new_right = portals[number]
            if cross(right - apex, new_right - apex) >= 0.0:
                if np.allclose(apex, right) or cross(left - apex, new_right - apex) < 0.0:
                    right, right_at = new_right, number
                else:
                    path.append(left)
                    apex, number = left, left_at + 1
                    left = right = apex
                    right_at = left_at
                    continue
            if cross(left - apex, new_left - apex) <= 0.0:
                if np.allclose(apex, left) or cross(right - apex, new_left - apex) > 0.0:
                    left, left_at = new_left, number
                else:
                    path.append(right)
                    apex, number = right, right_at + 1
                    left = right = apex
                    left_at = right_at
                    continue
            number += 1
        path.append(end)
        kept = [
            path[0],
            *(here for before, here in pairwise(path) if np.abs(here - before).max() > SAME),
        ]
        return np.array(kept)

    def nearest_walls(self, places: FloatArray, count: int = 2, within: float = 3.0) -> FloatArray:
        """(N, count, 2) the nearest points of obstacles to places (N, 2), not finite where none is near."""
        found = np.full((len(places), count, 2), np.nan)
        if not len(self.walls):
            return found
        for number, place in enumerate(places):
            near = nearest_on(self.walls, place)
            away = np.linalg.norm(near - place, axis=1)
            order: IntArray = np.argsort(away)[:count]
            for slot, wall in enumerate(order.tolist()):
                if away[wall] < within:
                    found[number, slot] = near[wall]
        return found


def cross(a: FloatArray, b: FloatArray) -> float:
    """The area that two vectors span, positive if the second is to the left of the first."""
    return float(a[0] * b[1] - a[1] * b[0])


def nearest_on(edges: FloatArray, place: FloatArray) -> FloatArray:
    """(E, 2) the nearest points of edges (E, 2, 2) to a place."""
    start, along = edges[:, 0], edges[:, 1] - edges[:, 0]
    length = np.maximum(np.sum(along**2, axis=1), 1e-12)
    share = np.clip(np.sum((place - start) * along, axis=1) / length, 0.0, 1.0)
    return np.asarray(start + share[:, None] * along)
