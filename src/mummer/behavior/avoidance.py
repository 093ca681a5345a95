"""Velocities at which many do not run into one another: optimal reciprocal collision avoidance.

The method is that of J. van den Berg, S. J. Guy, M. Lin and D. Manocha, "Reciprocal n-Body Collision Avoidance" (2011):
everybody takes half of the smallest change of velocities that keeps two apart for a while, which is a half-plane of
velocities, and then the allowed velocity that is nearest to the wanted one.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial import cKDTree

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats2, Floats3, Number, Output2, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU

# Columns of those that are near: x, z, their velocity, their radius, and what part of the change one has to take.
X, Z, VX, VZ, RADIUS, SHARE, NEAR = 0, 1, 2, 3, 4, 5, 6
# Columns of a half-plane: a point on its edge and the direction of it; what is to the left of that is allowed.
PX, PZ, DX, DZ, PLANE = 0, 1, 2, 3, 4
NEIGHBORS = 16
"""How many of the nearest are minded."""
TINY = 1e-9


def half_plane(own: FloatArray, agent: int, near: FloatArray, horizon: float, seconds: float) -> tuple[float, ...]:
    """The half-plane of velocities at which one does not meet another for ``horizon`` seconds."""
    x, z = near[X] - own[agent, X], near[Z] - own[agent, Z]
    vx, vz = own[agent, VX] - near[VX], own[agent, VZ] - near[VZ]
    radius = own[agent, RADIUS] + near[RADIUS]
    apart = x * x + z * z
    time = horizon if apart > radius * radius else seconds
    wx, wz = vx - x / time, vz - z / time
    size = math.sqrt(wx * wx + wz * wz) + TINY
    along = wx * x + wz * z
    if apart <= radius * radius or (along < 0.0 and along * along > radius * radius * size * size):
        # The nearest way out is around the end of the cone, or apart where they overlap.
        ux, uz = wx / size, wz / size
        push = radius / time - size
        dx, dz, cx, cz = uz, -ux, push * ux, push * uz
    else:
        leg = math.sqrt(apart - radius * radius)
        if x * wz - z * wx > 0.0:
            dx, dz = (x * leg - z * radius) / apart, (x * radius + z * leg) / apart
        else:
            dx, dz = -(x * leg + z * radius) / apart, -(-x * radius + z * leg) / apart
        speed = vx * dx + vz * dz
        cx, cz = speed * dx - vx, speed * dz - vz
    return own[agent, VX] + near[SHARE] * cx, own[agent, VZ] + near[SHARE] * cz, dx, dz


def on_edge(
    planes: FloatArray, number: int, fastest: float, wanted: tuple[float, float], outward: bool
) -> tuple[bool, float, float]:
    """The best velocity on the edge of a half-plane that those before it allow; False if there is none.

    The best is the one nearest to ``wanted``, or, if ``outward``, the one farthest in that direction.
    """
    px, pz, dx, dz = planes[number, PX], planes[number, PZ], planes[number, DX], planes[number, DZ]
    along = px * dx + pz * dz
    inside = along * along + fastest * fastest - px * px - pz * pz
    if inside < 0.0:
        return False, 0.0, 0.0
    low, high = -along - math.sqrt(inside), -along + math.sqrt(inside)
    for other in range(number):
        ox, oz, ex, ez = planes[other, PX], planes[other, PZ], planes[other, DX], planes[other, DZ]
        slant, offset = dx * ez - dz * ex, ex * (pz - oz) - ez * (px - ox)
        if abs(slant) <= TINY:
            if offset < 0.0:
                return False, 0.0, 0.0
            continue
        place = offset / slant
        if slant >= 0.0:
            high = min(high, place)
        else:
            low = max(low, place)
        if low > high:
            return False, 0.0, 0.0
    if outward:
        place = high if wanted[0] * dx + wanted[1] * dz > 0.0 else low
    else:
        place = min(max(dx * (wanted[0] - px) + dz * (wanted[1] - pz), low), high)
    return True, px + place * dx, pz + place * dz


def allowed(
    planes: FloatArray, count: int, fastest: float, wanted: tuple[float, float], outward: bool
) -> tuple[int, float, float]:
    """The best velocity in all half-planes; and how many of them are met, ``count`` if all are."""
    speed = math.sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1])
    scale = fastest if outward else min(1.0, fastest / max(speed, TINY))
    vx, vz = wanted[0] * scale, wanted[1] * scale
    for number in range(count):
        px, pz, dx, dz = planes[number, PX], planes[number, PZ], planes[number, DX], planes[number, DZ]
        if dx * (pz - vz) - dz * (px - vx) > 0.0:
            found, x, z = on_edge(planes, number, fastest, wanted, outward)
            if not found:
                return number, vx, vz
            vx, vz = x, z
    return count, vx, vz


def least_wrong(
    planes: FloatArray, count: int, first: int, fastest: float, velocity: tuple[float, float], spare: FloatArray
) -> tuple[float, float]:
    """The velocity that is least far outside of half-planes which do not all go together, from the ``first`` on."""
    vx, vz = velocity
    deepest = 0.0
    for number in range(first, count):
        px, pz, dx, dz = planes[number, PX], planes[number, PZ], planes[number, DX], planes[number, DZ]
        if dx * (pz - vz) - dz * (px - vx) <= deepest:
            continue
        kept = 0
        for other in range(number):
            ox, oz, ex, ez = planes[other, PX], planes[other, PZ], planes[other, DX], planes[other, DZ]
            slant = dx * ez - dz * ex
            if abs(slant) <= TINY:
                if dx * ex + dz * ez > 0.0:
                    continue
                sx, sz = 0.5 * (px + ox), 0.5 * (pz + oz)
            else:
                place = (ex * (pz - oz) - ez * (px - ox)) / slant
                sx, sz = px + place * dx, pz + place * dz
            fx, fz = ex - dx, ez - dz
            size = math.sqrt(fx * fx + fz * fz) + TINY
            spare[kept, PX], spare[kept, PZ], spare[kept, DX], spare[kept, DZ] = sx, sz, fx / size, fz / size
            kept += 1
        met, x, z = allowed(spare, kept, fastest, (-dz, dx), True)
        if met == kept:
            vx, vz = x, z
        deepest = dx * (pz - vz) - dz * (px - vx)
    return vx, vz


@kernel
def avoid_others(
    agent: int, own: Floats2, wanted: Floats3, near: Floats3, horizon: Number, seconds: Number, planes: Output3,
    spare: Output3, chosen: Output2,
) -> None:  # fmt: skip
    """One item is one agent: its half-planes, and the best velocity in them.

    Args:
        agent: which.
        own: (N, NEAR) all agents.
        wanted: (N, 1, 3) velocities, and how fast each can be.
        near: (N, K, NEAR) those near each; of radius below 0 where there is none.
        horizon: seconds that are looked ahead.
        seconds: of a step.
        planes: (N, K, PLANE) room to work in.
        spare: (N, K, PLANE) more of it.
        chosen: (N, 2) velocities.
    """
    count = 0
    for other in range(near.shape[1]):
        if near[agent, other, RADIUS] >= 0.0:
            px, pz, dx, dz = half_plane(own, agent, near[agent, other], horizon, seconds)
            planes[agent, count, PX], planes[agent, count, PZ] = px, pz
            planes[agent, count, DX], planes[agent, count, DZ] = dx, dz
            count += 1
    fastest, wish = wanted[agent, 0, 2], (wanted[agent, 0, 0], wanted[agent, 0, 1])
    met, vx, vz = allowed(planes[agent], count, fastest, wish, False)
    if met < count:
        vx, vz = least_wrong(planes[agent], count, met, fastest, (vx, vz), spare[agent])
    chosen[agent, 0], chosen[agent, 1] = vx, vz


def avoid(
    places: FloatArray,
    velocities: FloatArray,
    wanted: FloatArray,
    radii: FloatArray,
    *,
    fastest: FloatArray,
    seconds: float,
    horizon: float = 2.0,
    walls: FloatArray | None = None,
) -> FloatArray:
    """(N, 2) velocities that are near to the wanted ones and at which nobody runs into anybody.

    Args:
        places: (N, 2) metres.
        velocities: (N, 2) now, metres a second.
        wanted: (N, 2) metres a second.
        radii: (N,) metres around each that nobody else should be in.
        fastest: (N,) metres a second.
        seconds: of a step.
        horizon: seconds that are looked ahead.
        walls: (N, W, 2) the nearest points of what stands around, not finite where there is none.
    """
    count = len(places)
    own = np.column_stack([places, velocities, radii, np.full(count, 0.5)])
    most = min(NEIGHBORS, count - 1)
    near = np.full((count, max(most, 1), NEAR), -1.0)
    if most:
        reach = 2.0 * (float(fastest.max()) * horizon + float(radii.max()))
        away, index = cKDTree(places).query(places, k=most + 1, distance_upper_bound=reach)
        # Oneself is among the nearest, but not always first where two are at one place.
        index = np.where(index == np.arange(count)[:, None], count, index)
        order = np.argsort(np.where(index == count, np.inf, away), axis=1, kind="stable")[:, :most]
        index = np.take_along_axis(index, order, axis=1)
        near[index < count] = own[index[index < count]]
    if walls is not None:
        still = np.zeros((*walls.shape[:2], NEAR))
        still[..., :2], still[..., SHARE] = np.nan_to_num(walls), 1.0
        still[..., RADIUS] = np.where(np.isfinite(walls).all(axis=-1), 0.0, -1.0)
        near = np.concatenate([still, near], axis=1)
    planes, chosen = np.zeros((*near.shape[:2], PLANE)), np.zeros((count, 2))
    wish = np.column_stack([wanted, fastest])[:, None]
    CPU.run(
        avoid_others, count, own, np.ascontiguousarray(wish), near, horizon, seconds, planes, np.zeros_like(planes),
        chosen, grain=32,
    )  # fmt: skip
    return chosen
