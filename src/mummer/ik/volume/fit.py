"""Capsules fitted to the surface of a body, joint by joint: least squares that outliers hardly pull."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.volume.skin_points import SkinPoints, skin_at_rest, spread_points, turned_outward
from mummer.ik.volume.volume import Volume
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

STEPS = 14
STIFF = 1e-3
"""How firmly what no point has a say in (the end at an open cut) stays where it began."""
WIDEST = 0.6
"""Largest radius, as a part of the middle one of the three extents: part of a shell would else ask for a huge ball."""
FEWEST, SPREAD = 4, 250
"""Points that a piece of surface needs, and about how many are spread over it."""
WORTH = 0.7
"""Two capsules replace one if they bring the error below this part of it."""
ROUGH = 0.12
"""Error, as a part of the radius, from which it is tried whether two capsules follow the surface better."""
THINNEST = 0.1
"""The least part of its radius that is left of a capsule that stands out of the surface."""
LARGE = 0.02
"""Radius, as a part of the body's height, below which one capsule is enough."""
MOST_PIECES = 4
AROUND = 40
"""Directions in which it is looked whether a ball stands out of the surface."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A capsule and how well it follows its points.

    Attributes:
        ends: (2, 3) metres.
        radii: (2,) metres.
        error: metres, the mean distance of the surface with far points counted less.
        misfit: metres, the median distance of the surface.
    """

    ends: FloatArray
    radii: FloatArray
    error: float
    misfit: float


def fit_capsule(points: FloatArray, areas: FloatArray, axis: FloatArray | None = None) -> Fitted:
    """The capsule that follows a piece of surface best.

    Args:
        points: (N, 3) metres, one or more.
        areas: (N,) how much each counts.
        axis: (3,) a likely direction of its axis; by default that in which the points spread most.
    """
    middle, spread_axes, extents = frame_of(points, areas)
    along = spread_axes[0] if axis is None else axis / np.linalg.norm(axis)
    ends, radii = _first_guess(points, areas, middle, along)
    widest = max(WIDEST * float(extents[1]), 1e-6)
    low, high = _range_along(points, areas, middle, along)
    start = ends.copy()
    for _ in range(STEPS):
        ends, radii = _step(points, areas, ends, radii, start)
        radii = np.clip(radii, 0.02 * widest, widest)
        ends = _within(ends, middle, along, low, high)
    return _measured(points, areas, ends, radii)


def frame_of(points: FloatArray, areas: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The middle (3,) of points, the axes (3, 3) they spread along as rows, most first, and their extents (3,)."""
    middle = np.average(points, axis=0, weights=areas)
    away = points - middle
    _, vectors = np.linalg.eigh(np.einsum("n,ni,nj->ij", areas, away, away))
    axes = vectors.T[::-1]
    extents = np.array([np.ptp(weighted_quantiles(away @ axis, areas, (0.03, 0.97))) for axis in axes])
    order = np.argsort(-extents, kind="stable")
    return middle, axes[order], extents[order]


def weighted_quantiles(values: FloatArray, weights: FloatArray, shares: tuple[float, ...]) -> FloatArray:
    """The values below which the given shares of all weight lie."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) - 0.5 * weights[order]
    return np.interp(np.asarray(shares) * weights.sum(), reached, values[order])


def capsule_error(points: FloatArray, areas: FloatArray, ends: FloatArray, radii: FloatArray) -> tuple[float, float]:
    """Mean (far points counted less) and median distance of points from the surface of K capsules together.

    Args:
        points: (N, 3).
        areas: (N,) how much each counts.
        ends: (K, 2, 3).
        radii: (K, 2).
    """
    distances = np.abs(np.min(signed_distance(points[:, None], ends, radii)[0], axis=1))
    median = float(weighted_quantiles(distances, areas, (0.5,))[0])
    return float(np.average(np.minimum(distances, 6 * median + 1e-12), weights=areas)), median


def _measured(points: FloatArray, areas: FloatArray, ends: FloatArray, radii: FloatArray) -> Fitted:
    error, misfit = capsule_error(points, areas, ends[None], radii[None])
    return Fitted(ends, radii, error, misfit)


def _range_along(points: FloatArray, areas: FloatArray, middle: FloatArray, along: FloatArray) -> tuple[float, float]:
    low, high = weighted_quantiles((points - middle) @ along, areas, (0.02, 0.98))
    return float(low), float(high)


def _first_guess(
    points: FloatArray, areas: FloatArray, middle: FloatArray, along: FloatArray
) -> tuple[FloatArray, FloatArray]:
    heights = (points - middle) @ along
    across = np.linalg.norm(points - middle - heights[:, None] * along, axis=1)
    radius = float(weighted_quantiles(across, areas, (0.5,))[0])
    low, high = _range_along(points, areas, middle, along)
    inset = min(0.8 * radius, 0.45 * (high - low))
    return middle + np.array([[low + inset], [high - inset]]) * along, np.array([radius, radius])


def _step(
    points: FloatArray, areas: FloatArray, ends: FloatArray, radii: FloatArray, start: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """One step of Gauss and Newton, with points far off counted less."""
    distance, share, normal = signed_distance(points, ends, radii)
    scale = 1.5 * float(weighted_quantiles(np.abs(distance), areas, (0.5,))[0]) + 1e-9
    weights = areas / (1 + (distance / scale) ** 2)
    # Moving an end moves the nearest ball by its share; the share itself is at its best and does not count.
    rows = np.column_stack([-(1 - share)[:, None] * normal, -share[:, None] * normal, share - 1, -share])
    matrix = (rows * weights[:, None]).T @ rows
    pull = np.concatenate([(start - ends).reshape(-1), np.zeros(2)])
    firmness = STIFF * max(float(weights.sum()), 1e-300)
    change = np.linalg.solve(matrix + firmness * np.eye(8), -(rows * weights[:, None]).T @ distance + firmness * pull)
    return ends + change[:6].reshape(2, 3), radii + change[6:]


def _within(ends: FloatArray, middle: FloatArray, along: FloatArray, low: float, high: float) -> FloatArray:
    """Ends that do not leave the range of the points along the axis."""
    heights = (ends - middle) @ along
    return np.asarray(ends + (np.clip(heights, low, high) - heights)[:, None] * along)


def volume_from_mesh(character: Character) -> Volume:
    """Capsules inside the surface of ``character``: one or a few for each joint that carries enough of it."""
    rest = WorldState(character, Pose.rest(character.skeleton))
    surface = turned_outward(skin_at_rest(character))
    inside = _Inside(surface)
    found: list[tuple[int, Fitted]] = []
    for joint in np.unique(surface.joints[surface.areas > 0]).tolist():
        points, areas = spread_points(surface, joint, SPREAD)
        if len(points) >= FEWEST:
            axis = _way_on(character, rest.positions[0], joint)
            fits = [inside.drawn_in(fit) for fit in _fit_piece(points, areas, axis, rest.body.height)]
            misfit = capsule_error(points, areas, np.stack([f.ends for f in fits]), np.stack([f.radii for f in fits]))
            found += [(joint, replace(fit, misfit=misfit[1])) for fit in fits]
    return _in_joint_frames(found, rest)


def _way_on(character: Character, places: FloatArray, joint: int) -> FloatArray | None:
    """(3,) from ``joint`` to the child that carries it on, or None at a tip."""
    children = character.skeleton.children[joint]
    ways = [places[child] - places[joint] for child in children]
    longest = max(ways, key=lambda way: float(np.linalg.norm(way)), default=np.zeros(3))
    return longest if np.linalg.norm(longest) > 1e-6 else None


def _fit_piece(points: FloatArray, areas: FloatArray, axis: FloatArray | None, height: float) -> list[Fitted]:
    """One capsule for a piece of surface, or several where that is clearly better."""
    parts = [(points, areas, _best_fit(points, areas, axis))]
    while len(parts) < MOST_PIECES:
        worst = max(range(len(parts)), key=lambda place: parts[place][2].error)
        fit = parts[worst][2]
        if fit.error < ROUGH * fit.radii.mean() or fit.radii.mean() < LARGE * height:
            break
        halves = _best_split(*parts[worst][:2])
        if halves is None or _joint_error(*parts[worst][:2], halves) > WORTH * fit.error:
            break
        parts[worst : worst + 1] = halves
    return [fit for _, _, fit in parts]


def _best_fit(points: FloatArray, areas: FloatArray, axis: FloatArray | None) -> Fitted:
    _, axes, _ = frame_of(points, areas)
    tries = [axes[0], axes[1]] if axis is None else [axis, axes[0], axes[1]]
    return min((fit_capsule(points, areas, each) for each in tries), key=lambda fit: fit.error)


Part = tuple[FloatArray, FloatArray, Fitted]


def _best_split(points: FloatArray, areas: FloatArray) -> list[Part] | None:
    """The piece cut in two across one of its axes, whichever lets two capsules follow it best."""
    middle, axes, _ = frame_of(points, areas)
    best: list[Part] | None = None
    lowest = np.inf
    for axis in axes:
        side = (points - middle) @ axis > 0
        if min(side.sum(), (~side).sum()) < 4 * FEWEST:
            continue
        halves = [(points[half], areas[half], _best_fit(points[half], areas[half], None)) for half in (~side, side)]
        error = _joint_error(points, areas, halves)
        if error < lowest:
            best, lowest = halves, error
    return best


def _joint_error(points: FloatArray, areas: FloatArray, parts: list[Part]) -> float:
    ends, radii = np.stack([fit.ends for _, _, fit in parts]), np.stack([fit.radii for _, _, fit in parts])
    return capsule_error(points, areas, ends, radii)[0]


class _Inside:
    """Knows where the surface is, and makes capsules thinner where they stand out of it.

    A fit to part of a shell knows only that part.
    """

    def __init__(self, surface: SkinPoints) -> None:
        from scipy.spatial import cKDTree

        usable = surface.areas > 0
        self.places, self.normals = surface.places[usable], surface.normals[usable]
        self.tree = cKDTree(self.places) if usable.any() else None

    def drawn_in(self, fit: Fitted) -> Fitted:
        """``fit`` with radii that stay within the surface."""
        assert self.tree is not None
        places, ends = _ball_points(fit)
        nearest = self.tree.query(places)[1]
        outside = np.vecdot(places - self.places[nearest], self.normals[nearest])
        # A few points may look outside though they are not (creases, open cuts): four of five must agree.
        shrink = np.array([max(float(np.quantile(outside[ends == end], 0.8)), 0.0) for end in (0, 1)])
        return replace(fit, radii=np.maximum(fit.radii - shrink, THINNEST * fit.radii))


def _ball_points(fit: Fitted) -> tuple[FloatArray, FloatArray]:
    """Points spread over the half of both balls and of the middle that forms the surface, and the end each is of."""
    turn = np.pi * (3 - np.sqrt(5)) * np.arange(AROUND)
    height = 1 - (2 * np.arange(AROUND) + 1) / AROUND
    level = np.sqrt(1 - height**2)
    directions = np.stack([level * np.cos(turn), height, level * np.sin(turn)], axis=1)
    axis = fit.ends[1] - fit.ends[0]
    axis /= max(float(np.linalg.norm(axis)), 1e-12)
    places, ends = [], []
    for end, sign in ((0, -1.0), (1, 1.0)):
        # The rims more than the poles: at an open cut a pole lies inside the next part of the body.
        mine = directions[np.abs(directions @ axis) < 0.6]
        inward = fit.ends[end] - sign * 0.25 * (fit.ends[1] - fit.ends[0])
        for center in (fit.ends[end], inward):
            places.append(center + fit.radii[end] * mine)
            ends.append(np.full(len(mine), end))
    return np.concatenate(places), np.concatenate(ends)


def _in_joint_frames(found: list[tuple[int, Fitted]], rest: WorldState) -> Volume:
    joints = np.array([joint for joint, _ in found], np.int64)
    if not found:
        return Volume(joints, np.zeros((0, 2, 3)), np.zeros((0, 2)), np.zeros(0))
    ends = np.stack([fit.ends for _, fit in found]) - rest.positions[0, joints][:, None]
    turned = quaternion.rotate(quaternion.conjugate(rest.rotations[0, joints])[:, None], ends)
    return Volume(joints, turned, np.stack([fit.radii for _, fit in found]), np.array([fit.misfit for _, fit in found]))
