"""Colours of the skin: each part's own, flowing into each other, lighter bellies, stripes and spots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.kernel import compiled
from mummer.kernels.vectors import smooth_step
from mummer.zoo.arguments import Rows, RowsOut, Whole
from mummer.zoo.flesh import Part, primitive_boxes
from mummer.zoo.implicit import FAR, measure
from mummer.zoo.plan import Plan
from mummer.zoo.recipe import Pattern


def eased_between(values: FloatArray, low: float, high: float) -> FloatArray:
    """0 below ``low``, 1 above ``high`` (or the other way round if ``low`` is higher), smooth between."""
    part = np.clip((values - low) / (high - low), 0.0, 1.0)
    return part * part * (3 - 2 * part)


def paint_skin(
    plan: Plan,
    parts: Sequence[Part],
    positions: FloatArray,
    normals: FloatArray,
    mix: FloatArray,
    cell: float,
) -> FloatArray:
    """(V, 3) linear colours.

    Args:
        plan: the body.
        parts: G parts.
        positions: (V, 3) of the skin while its mouths are open.
        normals: (V, 3) of the skin.
        mix: (V, G) how near each vertex is to each part.
        cell: metres over which hollows keep their colour to themselves.
    """
    main = np.array([plan.color(part.color) if part.color else (0, 0, 0) for part in parts], np.float64)
    belly = np.array([plan.color(part.belly or part.color) if part.color else (0, 0, 0) for part in parts], np.float64)
    colored = np.array([bool(part.color) and not part.carve for part in parts], np.int64)
    colors, strength = np.empty_like(positions), np.empty_like(mix)
    blend_colors.at("float64")(mix, normals, main, belly, colored, strength, colors)
    for number, part in enumerate(parts):
        if part.pattern is not None:
            on = np.flatnonzero(strength[:, number] > 0)
            amount = pattern_amount(part.pattern, _line(part), positions[on], normals[on]) * strength[on, number]
            colors[on] += amount[:, None] * (np.array(plan.color(part.pattern.color)) - colors[on])
        if part.carve and part.color:
            amount = _in_hollow(part, positions, cell)
            colors += amount[:, None] * (np.array(plan.color(part.color)) - colors)
    return colors


@compiled
def blend_colors(
    mix: Rows, normals: Rows, main: Rows, belly: Rows, colored: Whole, strength: RowsOut, colors: RowsOut
) -> None:
    """Colours of vertices from those of the parts near them.

    Args:
        mix: (V, G) how near each part is.
        normals: (V, 3).
        main: (G, 3) colours of the parts.
        belly: (G, 3) their colours where the surface looks down.
        colored: (G,) 1 for parts that have a colour.
        strength: (V, G) the share of each part, written.
        colors: (V, 3) written.
    """
    first = 0
    while first + 1 < colored.shape[0] and colored[first] == 0:
        first += 1
    for vertex in range(mix.shape[0]):
        total = 0.0
        for part in range(mix.shape[1]):
            strength[vertex, part] = mix[vertex, part] * colored[part]
            total += strength[vertex, part]
        if total <= 0.0:
            strength[vertex, first], total = 1.0, 1.0
        below = smooth_step((0.05 - normals[vertex, 1]) / 0.65)
        for axis in range(3):
            colors[vertex, axis] = 0.0
        for part in range(mix.shape[1]):
            share = strength[vertex, part] / total
            strength[vertex, part] = share
            if share > 0.0:
                for axis in range(3):
                    shade = main[part, axis] + below * (belly[part, axis] - main[part, axis])
                    colors[vertex, axis] += share * shade


def pattern_amount(pattern: Pattern, line: FloatArray, positions: FloatArray, normals: FloatArray) -> FloatArray:
    """(V,) how much of the second colour shows, 0 to 1.

    Args:
        pattern: which.
        line: (2, 3) start and end of the part.
        positions: (V, 3).
        normals: (V, 3).
    """
    if pattern.kind == "back":
        return eased_between(normals[:, 1], 0.25, 0.75)
    axis = line[1] - line[0]
    length = max(float(np.linalg.norm(axis)), 1e-9)
    along = (positions - line[0]) @ (axis / length)
    if pattern.kind == "tip":
        return eased_between(along, length - pattern.size * 1.15, length - pattern.size * 0.85)
    around = positions * (2 * np.pi / pattern.size)
    if pattern.kind == "stripes":
        wave = np.sin(
            2 * np.pi * along / pattern.size + 0.9 * np.sin(around[:, 0] * 0.31) + 0.7 * np.sin(around[:, 1] * 0.37)
        )
        return eased_between(wave, 0.25, 0.55) * eased_between(normals[:, 1], -0.75, -0.2)
    sines, cosines = np.sin(around), np.cos(around)
    knots = (sines * np.roll(cosines, -1, axis=1)).sum(axis=1)
    return eased_between(knots, 0.55, 0.8) * eased_between(normals[:, 1], -0.6, 0.0)


def _line(part: Part) -> FloatArray:
    last = part.primitives[-1]
    return np.stack([part.primitives[0, :3], last[:3] + last[6] * last[3:6]])


def _in_hollow(part: Part, positions: FloatArray, cell: float) -> FloatArray:
    distances = np.full(len(positions), FAR)
    measure.at("float64")(part.primitives, primitive_boxes(part.primitives), 2 * cell, positions, distances)
    return eased_between(distances, 0.9 * cell, 0.1 * cell)
