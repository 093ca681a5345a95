"""The flesh of a planned body as flat arrays of primitives, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError, UnknownNameError
from mummer.zoo.arguments import IntegerArray
from mummer.zoo.geometry import radius_pairs, rotation_degrees
from mummer.zoo.implicit import WIDTH
from mummer.zoo.lines import fill_primitives, smooth_line
from mummer.zoo.plan import ChainPlan, Plan
from mummer.zoo.recipe import Flesh, Pattern


@dataclass(frozen=True, eq=False)
class Part:
    """One chain's or one muscle's primitives, before all are put together.

    Attributes:
        primitives: (P, WIDTH) see `mummer.zoo.implicit`.
        blend: metres over which it flows into the rest.
        carve: whether it is taken away.
        volume: whether it only marks what its region covers.
        region: name of its region, or empty.
        carrier: joint name or chain name that carries it.
        color, belly: palette names; empty to take the colour of what is around.
        pattern: a second colour.
    """

    primitives: FloatArray
    blend: float
    carve: bool
    volume: bool
    region: str
    carrier: str
    color: str
    belly: str
    pattern: Pattern | None


@dataclass(frozen=True, eq=False)
class Field:
    """Parts put together as the compiled loops want them.

    Attributes:
        primitives: (P, WIDTH).
        boxes: (P, 6).
        first: (G + 1,) where each part's primitives begin.
        parts: (G, 2) blend, carve.
        part_boxes: (G, 6).
    """

    primitives: FloatArray
    boxes: FloatArray
    first: IntegerArray
    parts: FloatArray
    part_boxes: FloatArray

    @property
    def arrays(self) -> tuple[FloatArray, FloatArray, IntegerArray, FloatArray, FloatArray]:
        """The arrays in the order in which the loops take them."""
        return self.primitives, self.boxes, self.first, self.parts, self.part_boxes


def body_parts(plan: Plan, *, pieces: int) -> list[Part]:
    """The parts of a body's skin, chains first, then flesh in the order of the recipe.

    Args:
        plan: the body.
        pieces: primitives between two points of a smooth line.
    """
    made = [_chain_part(entry, pieces) for entry in plan.chains if entry.chain.surface == "skin"]
    return made + [_flesh_part(plan, item, pieces) for item in plan.recipe.flesh]


def _chain_part(entry: ChainPlan, pieces: int) -> Part:
    chain = entry.chain
    rows = tube_primitives(np.concatenate([entry.points, entry.radii], axis=1), chain.across, pieces)
    return Part(rows, chain.blend, False, False, chain.region, chain.name, chain.color, chain.belly, chain.pattern)


def _flesh_part(plan: Plan, item: Flesh, pieces: int) -> Part:
    where = f"recipe {plan.recipe.name!r}, flesh {item.name or item.on!r}"
    if item.on not in plan.index and item.on not in plan.chain_index:
        raise UnknownNameError(where, "joint or chain", item.on, [*plan.index, *plan.chain_index])
    if item.region and item.region not in plan.recipe.regions:
        raise UnknownNameError(f"{where}: the recipe", "region", item.region, plan.recipe.regions)
    if len(item.points) == 1:
        primitives = _ellipsoid(where, item)
    elif len(item.radii) != len(item.points):
        raise InputError(f"{where}: {len(item.radii)} radii for {len(item.points)} points; expected one each")
    else:
        line = np.concatenate([np.asarray(item.points, np.float64), radius_pairs(item.radii)], axis=1)
        primitives = tube_primitives(line, item.across, pieces)
    if not np.all(primitives[:, 13:] > 0):
        raise InputError(f"{where}: radii must be above zero")
    return Part(
        primitives, item.blend, item.carve, item.volume, item.region, item.on, item.color, item.belly, item.pattern
    )


def _ellipsoid(where: str, item: Flesh) -> FloatArray:
    radii = item.radii if len(item.radii) == 3 else item.radii[0] if len(item.radii) == 1 else None
    if isinstance(radii, int | float):
        radii = [radii] * 3
    if not isinstance(radii, list) or len(radii) != 3 or not all(isinstance(r, int | float) for r in radii):
        raise InputError(f"{where}: an ellipsoid needs radii of three numbers along X, Y and Z")
    turn = rotation_degrees(item.turn)
    row = np.zeros((1, WIDTH))
    row[0, :3] = item.points[0]
    row[0, 3:6], row[0, 7:10], row[0, 10:13] = turn[:, 1], turn[:, 0], turn[:, 2]
    row[0, 13:] = [radii[0], radii[2], radii[0], radii[2], radii[1], radii[1]]
    return row


def tube_primitives(line: FloatArray, across: Sequence[float], pieces: int) -> FloatArray:
    """(P, WIDTH) primitives along a smooth line.

    Args:
        line: (n, 5) points and their two radii.
        across: direction in which the first radius is measured.
        pieces: primitives between two points.
    """
    smooth = smooth_line(line, pieces)
    rows = np.empty((len(smooth) - 1, WIDTH))
    fill_primitives.at("float64")(smooth, float(across[0]), float(across[1]), float(across[2]), rows)
    return rows


def make_field(parts: Sequence[Part]) -> Field:
    """The field of several parts; at least one."""
    primitives = np.concatenate([part.primitives for part in parts])
    boxes = primitive_boxes(primitives)
    first = np.concatenate([[0], np.cumsum([len(part.primitives) for part in parts])]).astype(np.int64)
    part_boxes = np.concatenate(
        [np.minimum.reduceat(boxes[:, :3], first[:-1]), np.maximum.reduceat(boxes[:, 3:], first[:-1])], axis=1
    )
    settings = np.array([(part.blend, 1.0 if part.carve else 0.0) for part in parts])
    return Field(primitives, boxes, first, settings, part_boxes)


def primitive_boxes(primitives: FloatArray) -> FloatArray:
    """(P, 6) low and high corner of a box around each primitive."""
    start, axis, length = primitives[:, :3], primitives[:, 3:6], primitives[:, 6:7]
    across, other = primitives[:, 7:10] ** 2, primitives[:, 10:13] ** 2
    radii = primitives[:, 13:19, None] ** 2
    near = np.sqrt(across * radii[:, 0] + other * radii[:, 1] + axis**2 * radii[:, 4])
    far = np.sqrt(across * radii[:, 2] + other * radii[:, 3] + axis**2 * radii[:, 5])
    end = start + length * axis
    return np.concatenate([np.minimum(start - near, end - far), np.maximum(start + near, end + far)], axis=1)
