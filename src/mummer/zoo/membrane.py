"""Thin sheets spanned between chains: wings, webs, sails."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError, UnknownNameError
from mummer.zoo.arguments import IntegerArray
from mummer.zoo.binding import Bindings
from mummer.zoo.lines import smooth_line
from mummer.zoo.patch import Patch
from mummer.zoo.plan import Plan
from mummer.zoo.recipe import Membrane
from mummer.zoo.tubes import smooth_normals
from mummer.zoo.weights import INFLUENCES, weights_along

ALONG, ACROSS = 8, 6


def membrane_patches(plan: Plan, bindings: Bindings) -> list[Patch]:
    """The sheets of a recipe.

    Raises:
        InputError: naming the membrane at fault.
    """
    return [patch for item in plan.recipe.membrane for patch in _sheets(plan, bindings, item)]


def _sheets(plan: Plan, bindings: Bindings, item: Membrane) -> list[Patch]:
    where = f"recipe {plan.recipe.name!r}, membrane {item.name!r}"
    if len(item.between) < 2:
        raise InputError(f"{where} lies between {len(item.between)} chains; expected two or more")
    for name in item.between:
        if name not in plan.chain_index:
            raise UnknownNameError(where, "chain", name, plan.chain_index)
    starts = item.start or [0.0] * len(item.between)
    if len(starts) != len(item.between):
        raise InputError(f"{where}: {len(starts)} starts for {len(item.between)} chains; expected one each")
    pairs = zip(item.between, item.between[1:], starts, starts[1:], strict=False)
    return [_sheet(plan, bindings, item, first, second, (low, high)) for first, second, low, high in pairs]


def _sheet(
    plan: Plan, bindings: Bindings, item: Membrane, first: str, second: str, starts: tuple[float, float]
) -> Patch:
    """Both faces of the sheet between two chains."""
    over = np.linspace(0.0, 1.0, ACROSS)
    along = np.linspace(0.0, 1.0, ALONG)[:, None] * (1 - item.scallop * 4 * over * (1 - over))
    edges = [
        _line_at(plan, name, start + along * (1 - start)) for name, start in zip((first, second), starts, strict=True)
    ]
    middle = ((1 - over)[:, None] * edges[0] + over[:, None] * edges[1]).reshape(-1, 3)
    row, column = np.meshgrid(np.arange(ALONG - 1), np.arange(ACROSS - 1), indexing="ij")
    a, b = row * ACROSS + column, row * ACROSS + column + 1
    c, d = a + ACROSS, b + ACROSS
    face = np.concatenate([np.stack([a, b, d], -1).reshape(-1, 3), np.stack([a, d, c], -1).reshape(-1, 3)])
    normals = smooth_normals(middle, face)
    half = 0.5 * item.thickness
    positions = np.concatenate([middle + half * normals, middle - half * normals])
    triangles = np.concatenate([face, face[:, ::-1] + len(middle)])
    blend = np.tile(over, ALONG)
    indices, weights = _shared(
        [
            weights_along(bindings, np.full(len(blend), bindings.names[name]), edge.reshape(-1, 3), len(plan.names))
            for name, edge in zip((first, second), edges, strict=True)
        ],
        blend,
    )
    colors = np.repeat(np.array([plan.color(item.color)]), 2 * len(middle), axis=0)
    return Patch(
        item.name,
        positions,
        np.concatenate([normals, -normals]),
        triangles,
        np.tile(indices, (2, 1)),
        np.tile(weights, (2, 1)),
        colors,
    )


def _line_at(plan: Plan, name: str, parts: FloatArray) -> FloatArray:
    """(..., 3) points at parts (0 to 1) of a chain's length."""
    points = smooth_line(plan.chains[plan.chain_index[name]].points, 4)
    far = np.concatenate([[0.0], np.cumsum(np.linalg.norm(points[1:] - points[:-1], axis=1))])
    return np.stack([np.interp(parts * far[-1], far, points[:, axis]) for axis in range(3)], axis=-1)


def _shared(ends: list[tuple[IntegerArray, FloatArray]], blend: FloatArray) -> tuple[IntegerArray, FloatArray]:
    """Weights that pass from one chain's to the other's."""
    indices = np.concatenate([ends[0][0], ends[1][0]], axis=1)
    weights = np.concatenate([ends[0][1] * (1 - blend)[:, None], ends[1][1] * blend[:, None]], axis=1)
    order = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    weights = np.take_along_axis(weights, order, axis=1)
    return np.take_along_axis(indices, order, axis=1), weights / weights.sum(axis=1, keepdims=True)
