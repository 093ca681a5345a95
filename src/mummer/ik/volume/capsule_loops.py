"""The hot loops over capsules: where they are in each frame, and how far pairs of them are apart."""

from __future__ import annotations

import math

from mummer.kernels.arguments import (
    Count,
    Floats1,
    Floats2,
    Floats3,
    Floats4,
    Output1,
    Output2,
    Output3,
    Output4,
    Parents,
)
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Three, rotate

ROUNDS = 3
"""Turns in which each of two capsules looks for its place nearest to the other; see `nearest_shares`."""


@kernel
def place_capsules(
    frame: int,
    joints: Parents,
    ends: Floats3,
    radii: Floats2,
    positions: Floats3,
    rotations: Floats3,
    placed: Output4,
    bounds: Output3,
) -> None:
    """One item is one frame: the ends of all capsules in the world, and the ball around each, middle and radius."""
    for capsule in range(joints.shape[0]):
        joint = joints[capsule]
        x, y = rotations[frame, joint, 0], rotations[frame, joint, 1]
        z, w = rotations[frame, joint, 2], rotations[frame, joint, 3]
        for end in range(2):
            px, py, pz = rotate(x, y, z, w, ends[capsule, end, 0], ends[capsule, end, 1], ends[capsule, end, 2])
            placed[frame, capsule, end, 0] = positions[frame, joint, 0] + px
            placed[frame, capsule, end, 1] = positions[frame, joint, 1] + py
            placed[frame, capsule, end, 2] = positions[frame, joint, 2] + pz
        squared = px - px
        for axis in range(3):
            low, high = placed[frame, capsule, 0, axis], placed[frame, capsule, 1, axis]
            bounds[frame, capsule, axis] = (low + high) / 2
            squared += (high - low) * (high - low)
        bounds[frame, capsule, 3] = math.sqrt(squared) / 2 + max(radii[capsule, 0], radii[capsule, 1])


def bounded(value: float, lowest: float, highest: float) -> float:
    """``value``, or the bound that it passes."""
    if value < lowest:
        return lowest
    if value > highest:
        return highest
    return value


def nearest_share(
    px: float, py: float, pz: float, ax: float, ay: float, az: float, dx: float, dy: float, dz: float,
    squared: float, growth: float, lowest: float, highest: float,
) -> float:  # fmt: skip
    """The share of the axis from a along d of the ball that comes nearest to p; balls grow by ``growth`` along it."""
    if growth * growth >= squared:
        # The larger ball holds the whole capsule.
        return highest if growth > 0 else lowest
    wx, wy, wz = px - ax, py - ay, pz - az
    along = (wx * dx + wy * dy + wz * dz) / squared
    if growth != 0:
        wx, wy, wz = wx - along * dx, wy - along * dy, wz - along * dz
        across = math.sqrt(wx * wx + wy * wy + wz * wz)
        along += across * growth / math.sqrt(squared * (squared - growth * growth))
    return bounded(along, lowest, highest)


def nearest_on_lines(
    wx: float, wy: float, wz: float, ux: float, uy: float, uz: float, vx: float, vy: float, vz: float,
    low: float, high: float, other_low: float, other_high: float,
) -> float:  # fmt: skip
    """The share along u of the place where the segment w + u comes nearest to the segment along v from the origin."""
    a, b, c = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    d, e = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    if not a > 0:
        return low
    spread = a * c - b * b
    # Almost parallel: any place of the overlap is as near as another; the middle of it does not jump.
    if spread > a * c / 1000000:
        share = bounded((b * e - c * d) / spread, low, high)
    else:
        first, last = (b * other_low - d) / a, (b * other_high - d) / a
        if first > last:
            first, last = last, first
        share = (bounded(first, low, high) + bounded(last, low, high)) / 2
    if c > 0:
        other = bounded((e + share * b) / c, other_low, other_high)
        share = bounded((other * b - d) / a, low, high)
    return share


@kernel
def measure_pairs(
    frame: int,
    first: Parents,
    second: Parents,
    trims: Floats3,
    radii: Floats2,
    other_radii: Floats2,
    placed: Floats4,
    other_placed: Floats4,
    bounds: Floats3,
    other_bounds: Floats3,
    reach: Floats1,
    distances: Output2,
    shares: Output3,
    normals: Output3,
) -> None:
    """One item is one frame: the signed distance of each pair, the shares along both axes, and the normal.

    A pair whose bounding balls are farther apart than the reach of the pair is not looked at closely: its distance is
    that of these balls, and nothing else is written.
    """
    for pair in range(first.shape[0]):
        one, two = first[pair], second[pair]
        nx = bounds[frame, one, 0] - other_bounds[frame, two, 0]
        ny = bounds[frame, one, 1] - other_bounds[frame, two, 1]
        nz = bounds[frame, one, 2] - other_bounds[frame, two, 2]
        around = bounds[frame, one, 3] + other_bounds[frame, two, 3]
        squared = nx * nx + ny * ny + nz * nz
        if squared >= (around + reach[pair]) * (around + reach[pair]):
            distances[frame, pair] = math.sqrt(squared) - around
        else:
            measure_pair(
                frame, pair, one, two, trims, radii, other_radii, placed, other_placed, distances, shares, normals
            )


def measure_pair(
    frame: int, pair: int, one: int, two: int, trims: Floats3, radii: Floats2, other_radii: Floats2, placed: Floats4,
    other_placed: Floats4, distances: Output2, shares: Output3, normals: Output3,
) -> None:  # fmt: skip
    """Write the distance, the shares and the normal of one pair.

    The distance of two balls is a convex function of their shares along both axes, and for each of the two the best
    one is known in closed form.
    """
    ax, ay, az = placed[frame, one, 0, 0], placed[frame, one, 0, 1], placed[frame, one, 0, 2]
    ux, uy, uz = placed[frame, one, 1, 0] - ax, placed[frame, one, 1, 1] - ay, placed[frame, one, 1, 2] - az
    bx, by, bz = other_placed[frame, two, 0, 0], other_placed[frame, two, 0, 1], other_placed[frame, two, 0, 2]
    vx, vy = other_placed[frame, two, 1, 0] - bx, other_placed[frame, two, 1, 1] - by
    vz = other_placed[frame, two, 1, 2] - bz
    squared, other_squared = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    growth, other_growth = radii[one, 1] - radii[one, 0], other_radii[two, 1] - other_radii[two, 0]
    low, high = trims[pair, 0, 0], trims[pair, 0, 1]
    other_low, other_high = trims[pair, 1, 0], trims[pair, 1, 1]
    s = nearest_on_lines(
        ax - bx, ay - by, az - bz, ux, uy, uz, vx, vy, vz, low, high, other_low, other_high
    )  # fmt: skip
    t = other_low
    for _ in range(ROUNDS):
        t = nearest_share(
            ax + s * ux, ay + s * uy, az + s * uz, bx, by, bz, vx, vy, vz, other_squared, other_growth,
            other_low, other_high,
        )  # fmt: skip
        s = nearest_share(
            bx + t * vx, by + t * vy, bz + t * vz, ax, ay, az, ux, uy, uz, squared, growth, low, high
        )  # fmt: skip
    nx, ny, nz = ax + s * ux - bx - t * vx, ay + s * uy - by - t * vy, az + s * uz - bz - t * vz
    distance = math.sqrt(nx * nx + ny * ny + nz * nz)
    distances[frame, pair] = distance - radii[one, 0] - s * growth - other_radii[two, 0] - t * other_growth
    shares[frame, pair, 0], shares[frame, pair, 1] = s, t
    normals[frame, pair, 0], normals[frame, pair, 1], normals[frame, pair, 2] = direction_or_up(nx, ny, nz)


def direction_or_up(x: float, y: float, z: float) -> Three:
    """The vector at length one, or up where it has none: axes that cross have no side."""
    length = math.sqrt(x * x + y * y + z * z)
    if length > 0:
        return x / length, y / length, z / length
    return x, y + 1, z


@kernel
def measure_points(
    item: int,
    points: Floats3,
    radii: Floats2,
    placed: Floats4,
    softness: Floats1,
    per_frame: Count,
    distances: Output1,
    nearest: Output1,
    normals: Output2,
) -> None:
    """One item is one point of one frame: the distance to the union of all capsules, the nearest of them, the normal.

    With a softness of some metres the union is rounded where capsules meet: distances are blended exponentially.
    """
    frame = item // per_frame
    place = item - frame * per_frame
    px, py, pz = points[frame, place, 0], points[frame, place, 1], points[frame, place, 2]
    closest, which = px * 0 + math.inf, 0
    # Two passes: the nearest one first, so that no exponential can overflow.
    total, nx, ny, nz = px * 0, px * 0, px * 0, px * 0
    for sweep in range(2):
        for capsule in range(radii.shape[0]):
            ax, ay, az = placed[frame, capsule, 0, 0], placed[frame, capsule, 0, 1], placed[frame, capsule, 0, 2]
            dx, dy = placed[frame, capsule, 1, 0] - ax, placed[frame, capsule, 1, 1] - ay
            dz = placed[frame, capsule, 1, 2] - az
            growth = radii[capsule, 1] - radii[capsule, 0]
            zero = px - px
            share = nearest_share(
                px, py, pz, ax, ay, az, dx, dy, dz, dx * dx + dy * dy + dz * dz, growth, zero, zero + 1
            )
            wx, wy, wz = px - ax - share * dx, py - ay - share * dy, pz - az - share * dz
            far = math.sqrt(wx * wx + wy * wy + wz * wz)
            distance = far - radii[capsule, 0] - share * growth
            if sweep == 0:
                if distance < closest:
                    closest, which = distance, capsule
            else:
                weight = zero
                if capsule == which:
                    weight = zero + 1
                elif softness[0] > 0:
                    weight = math.exp((closest - distance) / softness[0])
                if far > 0:
                    nx, ny, nz = nx + weight * wx / far, ny + weight * wy / far, nz + weight * wz / far
                else:
                    ny += weight
                total += weight
    if softness[0] > 0:
        closest -= softness[0] * math.log(total)
    distances[item], nearest[item] = closest, which
    normals[item, 0], normals[item, 1], normals[item, 2] = direction_or_up(nx, ny, nz)
