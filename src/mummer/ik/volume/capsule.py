"""Tapered capsules: the hull of two balls. Where they come nearest to points and to one another, told once.

The distance of two balls is a convex function of their shares along both axes, and for each of the two the best one is
known in closed form; a few turns, in which each capsule looks for its place nearest to the other, find both.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats2, Floats3, Output1, Output2
from mummer.kernels.kernel import compiled
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import direction, dot, minus, plus, put_three, scaled, size, three

ROUNDS = 3
"""Turns in which each of two capsules looks for its place nearest to the other."""


class Capsule(NamedTuple):
    """The part of a capsule that counts.

    Attributes:
        start: the middle of its first ball.
        way: from there to that of the second.
        radius: of the first ball.
        growth: how much larger the second is.
        low, high: from where to where along its axis it counts, as shares.
    """

    start: Three
    way: Three
    radius: float
    growth: float
    low: float
    high: float


def capsule_of(number: int, ends: FloatArray, radii: FloatArray, low: float, high: float) -> Capsule:
    """One of the capsules with ends (C, 2, 3) and radii (C, 2)."""
    start, radius = three(ends[number], 0, 0), radii[number, 0]
    return Capsule(start, minus(three(ends[number], 1, 0), start), radius, radii[number, 1] - radius, low, high)


def at_share(capsule: Capsule, share: float) -> Three:
    """A place on the axis."""
    return plus(capsule.start, scaled(capsule.way, share))


def thickness(capsule: Capsule, share: float) -> float:
    """The radius there."""
    return capsule.radius + share * capsule.growth


def bounded(value: float, lowest: float, highest: float) -> float:
    """``value``, or the bound that it passes."""
    return lowest if value < lowest else highest if value > highest else value


def nearest_share(point: Three, capsule: Capsule) -> float:
    """The share of the axis at which the ball is that comes nearest to a point."""
    squared, growth = dot(capsule.way, capsule.way), capsule.growth
    if growth * growth >= squared:
        # The larger ball holds the whole capsule.
        return capsule.high if growth > 0.0 else capsule.low
    away = minus(point, capsule.start)
    along = dot(away, capsule.way) / squared
    if growth != 0.0:
        across = size(minus(away, scaled(capsule.way, along)))
        along += across * growth / math.sqrt(squared * (squared - growth * growth))
    return bounded(along, capsule.low, capsule.high)


def nearest_on_axes(one: Capsule, two: Capsule) -> float:
    """The share along the first axis of the place where it comes nearest to the second."""
    w, u, v = minus(one.start, two.start), one.way, two.way
    a, b, c, d, e = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    if not a > 0.0:
        return one.low
    spread = a * c - b * b
    # Almost parallel: any place of the overlap is as near as another; the middle of it does not jump.
    if spread > 1e-6 * a * c:
        share = bounded((b * e - c * d) / spread, one.low, one.high)
    else:
        first, last = (
            bounded((b * two.low - d) / a, one.low, one.high),
            bounded((b * two.high - d) / a, one.low, one.high),
        )
        share = 0.5 * (first + last)
    if c > 0.0:
        share = bounded((bounded((e + share * b) / c, two.low, two.high) * b - d) / a, one.low, one.high)
    return share


def nearest_shares(one: Capsule, two: Capsule) -> tuple[float, float]:
    """The shares along both axes at which two capsules come nearest."""
    s, t = nearest_on_axes(one, two), two.low
    for _ in range(ROUNDS):
        t = nearest_share(at_share(one, s), two)
        s = nearest_share(at_share(two, t), one)
    return s, t


def signed_distance(
    points: FloatArray, ends: FloatArray, radii: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far points are outside capsules, negative within; arguments broadcast.

    Args:
        points: (..., 3).
        ends: (..., 2, 3) the centres of both balls.
        radii: (..., 2) of both balls.

    Returns:
        Distances (...), the shares of the way along the axis (...) of the ball that is nearest, and the unit normals
        (..., 3) away from the axis there.
    """
    shape = np.broadcast_shapes(points.shape[:-1], ends.shape[:-2], radii.shape[:-1])
    flat = [
        np.ascontiguousarray(np.broadcast_to(each, (*shape, *each.shape[each.ndim - axes :])), np.float64).reshape(
            -1, *each.shape[each.ndim - axes :]
        )
        for each, axes in ((points, 1), (ends, 2), (radii, 1))
    ]
    distances, shares, normals = np.empty(len(flat[0])), np.empty(len(flat[0])), np.empty((len(flat[0]), 3))
    measure_rows.at(distances.dtype)(*flat, distances, shares, normals)
    return distances.reshape(shape), shares.reshape(shape), normals.reshape(*shape, 3)


@compiled
def measure_rows(
    points: Floats2, ends: Floats3, radii: Floats2, distances: Output1, shares: Output1, normals: Output2
) -> None:
    """Row by row: one point and one capsule."""
    for row in range(points.shape[0]):
        capsule = capsule_of(row, ends, radii, 0.0, 1.0)
        share = nearest_share(three(points, row, 0), capsule)
        away = minus(three(points, row, 0), at_share(capsule, share))
        distances[row], shares[row] = size(away) - thickness(capsule, share), share
        put_three(normals, row, 0, direction(away, (0.0, 0.0, 0.0)))
