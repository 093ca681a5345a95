"""Tubes with a surface of their own: thin limbs, horns, claws, hooves, teeth, beaks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError, UnknownNameError
from mummer.zoo.arguments import IntegerArray
from mummer.zoo.binding import Bindings
from mummer.zoo.flesh import across_axes
from mummer.zoo.geometry import radius_pairs, smooth_line
from mummer.zoo.paint import eased_between, pattern_amount
from mummer.zoo.patch import Patch, smooth_normals
from mummer.zoo.plan import ChainPlan, Plan
from mummer.zoo.recipe import Pattern, Sweep
from mummer.zoo.weights import weights_along

DOME = np.array([[0.0, 0.35], [0.29, 0.74], [0.62, 0.95]])
"""Rings of a rounded end: how far in from the tip, in parts of the radius, and how wide."""


def chain_tubes(plan: Plan, bindings: Bindings, *, pieces: int) -> list[Patch]:
    """The tubes of the chains that are swept."""
    return [
        _chain_tube(plan, bindings, entry, pieces) for entry in plan.chains if entry.chain.surface == "sweep"
    ]


def _chain_tube(plan: Plan, bindings: Bindings, entry: ChainPlan, pieces: int) -> Patch:
    chain = entry.chain
    line = np.concatenate([entry.points, entry.radii], axis=1)
    positions, triangles = tube_mesh(line, chain.across, sides=chain.sides, pieces=pieces)
    return _finished(
        plan, bindings, chain.name, chain.name, (positions, triangles), entry.points[[0, -1]],
        chain.color, chain.belly, chain.pattern,
    )  # fmt: skip


def sweep_patches(plan: Plan, bindings: Bindings, *, pieces: int) -> list[Patch]:
    """The crisp parts of a recipe.

    Raises:
        InputError: naming the part at fault.
    """
    return [_sweep_patch(plan, bindings, item, pieces) for item in plan.recipe.sweep]


def _sweep_patch(plan: Plan, bindings: Bindings, item: Sweep, pieces: int) -> Patch:
    where = f"recipe {plan.recipe.name!r}, sweep {item.name or item.on!r}"
    if item.on not in bindings.names:
        raise UnknownNameError(where, "joint or chain", item.on, [*plan.index, *plan.chain_index])
    if len(item.points) < 2 or len(item.radii) != len(item.points):
        raise InputError(f"{where}: {len(item.points)} points and {len(item.radii)} radii; expected two or more, alike")
    points = np.asarray(item.points, np.float64)
    line = np.concatenate([points, radius_pairs(item.radii)], axis=1)
    mesh = tube_mesh(line, item.across, sides=item.sides, pieces=pieces, round_ends=item.round_ends)
    return _finished(
        plan, bindings, item.name or "sweep", item.on, mesh, points[[0, -1]], item.color, "", item.pattern
    )


def tube_mesh(
    line: FloatArray, across: Sequence[float], *, sides: int, pieces: int, round_ends: bool = True
) -> tuple[FloatArray, IntegerArray]:
    """A closed tube along a smooth line.

    Args:
        line: (n, 5) points and their two radii.
        across: direction in which the first radius is measured.
        sides: corners around it.
        pieces: rings between two points.
        round_ends: whether the ends are domes.

    Returns:
        positions (V, 3) and triangles (F, 3).
    """
    rings = smooth_line(line, pieces)
    if round_ends:
        rings = _with_domes(rings)
    points, radii = rings[:, :3], rings[:, 3:5]
    steps = points[1:] - points[:-1]
    tangents = np.concatenate([steps[:1], steps[1:] + steps[:-1], steps[-1:]])
    tangents /= np.maximum(np.sqrt((tangents * tangents).sum(axis=1, keepdims=True)), 1e-12)
    sideways = across_axes(tangents, across)
    other = np.cross(tangents, sideways)
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    around = (
        np.cos(angles)[None, :, None] * (radii[:, :1] * sideways)[:, None]
        + np.sin(angles)[None, :, None] * (radii[:, 1:] * other)[:, None]
    )
    positions = np.concatenate([(points[:, None] + around).reshape(-1, 3), points[[0, -1]]])
    return positions, _tube_triangles(len(points), sides)


def _with_domes(rings: FloatArray) -> FloatArray:
    """Rings with both ends drawn in to a dome that reaches as far as the end did."""
    ends = []
    for last, before in ((0, 1), (-1, -2)):
        back = rings[before, :3] - rings[last, :3]
        length = float(np.sqrt(back @ back))
        reach = min(float(rings[last, 3:].min()), 0.9 * length)
        dome = np.repeat(rings[last][None], len(DOME), axis=0)
        dome[:, :3] += DOME[:, :1] * reach * back / max(length, 1e-12)
        part = (DOME[:, :1] * reach / max(length, 1e-12)) * (rings[before, 3:] - rings[last, 3:])
        dome[:, 3:] = DOME[:, 1:] * (rings[last, 3:] + part)
        ends.append(dome)
    return np.concatenate([ends[0], rings[1:-1], ends[1][::-1]])


def _tube_triangles(rings: int, sides: int) -> IntegerArray:
    ring, corner = np.meshgrid(np.arange(rings - 1), np.arange(sides), indexing="ij")
    a, b = ring * sides + corner, ring * sides + (corner + 1) % sides
    c, d = a + sides, b + sides
    walls = np.concatenate([np.stack([a, b, d], -1).reshape(-1, 3), np.stack([a, d, c], -1).reshape(-1, 3)])
    corner = np.arange(sides)
    first, last = rings * sides, rings * sides + 1
    start = np.stack([np.full(sides, first), (corner + 1) % sides, corner], 1)
    top = (rings - 1) * sides
    stop = np.stack([np.full(sides, last), top + corner, top + (corner + 1) % sides], 1)
    return np.concatenate([walls, start, stop])


def _finished(
    plan: Plan,
    bindings: Bindings,
    name: str,
    carrier: str,
    mesh: tuple[FloatArray, IntegerArray],
    line: FloatArray,
    color: str,
    belly: str,
    pattern: Pattern | None,
) -> Patch:
    positions, triangles = mesh
    normals = smooth_normals(positions, triangles)
    indices, weights = weights_along(bindings, bindings.names[carrier], positions, len(plan.names))
    below = eased_between(normals[:, 1:2], 0.05, -0.6)
    colors = (1 - below) * np.array(plan.color(color)) + below * np.array(plan.color(belly or color))
    if pattern is not None:
        amount = pattern_amount(pattern, line, positions, normals)
        colors += amount[:, None] * (np.array(plan.color(pattern.color)) - colors)
    return Patch(name, positions, normals, triangles, indices, weights, colors, 0.6)
