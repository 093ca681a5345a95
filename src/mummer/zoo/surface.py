"""The skin of a body: the field's surface, region by region, bound, painted and with its mouths closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.zoo.arguments import IntegerArray
from mummer.zoo.binding import Bindings
from mummer.zoo.flesh import Field, Part, make_field, primitive_boxes
from mummer.zoo.gape import Turn, closed, open_bindings, open_parts
from mummer.zoo.implicit import FAR, clip_field, fill_distance, fill_field, measure, settle
from mummer.zoo.nets import surface_nets, triangulated
from mummer.zoo.paint import eased_between, paint_skin
from mummer.zoo.patch import Patch
from mummer.zoo.plan import Plan
from mummer.zoo.tubes import smooth_normals
from mummer.zoo.weights import skin_weights

MOST_CELLS = 6_000_000
"""Grid points of one region; beyond that a recipe asks for too fine a surface."""
BORDER = 3
"""Empty cells around the flesh."""
DIVES, RIM, PAINTED = 0.16, 0.8, 1.5
"""How deep the rim of a finer surface goes into the coarser one, over which width, and over which it takes on its
colour; in cells of the coarser."""
BELOW = 0.6
"""How far below the skin a surface is taken for the cut of a region, in its cells."""


@dataclass(frozen=True, eq=False)
class Zone:
    """A region of the surface while it is made.

    Attributes:
        name: of the region; ``skin`` for the rest of the body.
        cell: metres between grid points.
        margin: metres by which its volume is grown.
        volume: (P, WIDTH) primitives that it covers, None for the rest of the body.
    """

    name: str
    cell: float
    margin: float
    volume: FloatArray | None


def make_skin(plan: Plan, parts: list[Part], bindings: Bindings, turns: list[Turn], *, steps: int = 2) -> list[Patch]:
    """The skin of a body at rest, one patch for each region.

    Args:
        plan: the body.
        parts: its flesh.
        bindings: what joints may carry flesh.
        turns: how its jaws are opened while the surface is made.
        steps: how often vertices are moved nearer to the true surface; with 0, normals come from the triangles.
    """
    if not any(not part.carve and not part.volume for part in parts):
        return []
    parts, bindings = open_parts(plan, parts, turns), open_bindings(bindings, turns)
    solid = [part for part in parts if not part.volume]
    field = make_field(solid)
    zones, patches, rims = _zones(plan, parts), [], []
    for zone in zones:
        surface, away = _zone_surface(plan, field, solid, zone, zones, steps)
        if len(surface[0]):
            rims.append(eased_between(away, PAINTED * _cell_around(surface[0], away, zone, zones), 0.0))
            patches.append(_bound_patch(plan, field, solid, bindings, turns, zone, surface))
    return painted_alike(patches, rims)


def painted_alike(patches: list[Patch], rims: list[FloatArray]) -> list[Patch]:
    """The patches, each with the colour of what it lies over where it ends; from the finest to the coarsest."""
    from scipy.spatial import cKDTree

    made = patches[-1:]
    for patch, rim in reversed(list(zip(patches[:-1], rims[:-1], strict=True))):
        others = np.concatenate([each.positions for each in made])
        colors = np.concatenate([each.colors for each in made])
        near = np.flatnonzero(rim > 0)
        away, which = cKDTree(others).query(patch.positions[near], k=min(4, len(others)))
        away, which = away.reshape(len(near), -1), which.reshape(len(near), -1)
        share = 1.0 / np.maximum(away, 1e-6)
        there = (colors[which] * share[..., None]).sum(axis=1) / share.sum(axis=1, keepdims=True)
        mixed = patch.colors.copy()
        mixed[near] += rim[near, None] * (there - mixed[near])
        made = [replace(patch, colors=mixed), *made]
    return made


def _cell_around(vertices: FloatArray, away: FloatArray, zone: Zone, zones: Sequence[Zone]) -> float:
    """The cell of the coarser surface that most of the rim of a region lies in, metres."""
    ends = vertices[away < zone.cell]
    for other in zones[zones.index(zone) + 1 : -1]:
        assert other.volume is not None
        distances = np.zeros(len(ends))
        measure.at("float64")(other.volume, primitive_boxes(other.volume), other.margin, ends, distances)
        if len(ends) and np.median(distances) < other.margin:
            return other.cell
    return zones[-1].cell


def _from_cut(vertices: FloatArray, values: FloatArray, origin: FloatArray, cell: float) -> FloatArray:
    """(V,) metres from where a region was cut off the rest of the body, which is where it ends below the skin.

    Args:
        vertices: (V, 3) of the region.
        values: of the field at the points of a grid, as if nothing had been cut.
        origin: (3,) of the grid.
        cell: metres between points of the grid.
    """
    from scipy.ndimage import map_coordinates
    from scipy.spatial import cKDTree

    inside = map_coordinates(values, ((vertices - origin) / cell).T, order=1, mode="nearest") < -BELOW * cell
    if not inside.any():
        return np.full(len(vertices), FAR)
    return np.asarray(cKDTree(vertices[inside]).query(vertices)[0])


def _zones(plan: Plan, parts: Sequence[Part]) -> list[Zone]:
    """Regions from the finest to the coarsest, and last the rest of the body."""
    zones = []
    for name, region in plan.recipe.regions.items():
        members = [part.primitives for part in parts if part.region == name and (part.volume or not part.carve)]
        if members:
            zones.append(Zone(name, region.cell, region.margin, np.concatenate(members)))
    zones.sort(key=lambda zone: zone.cell)
    return [*zones, Zone("skin", plan.recipe.cell, 0.0, None)]


def _zone_surface(
    plan: Plan, field: Field, parts: Sequence[Part], zone: Zone, zones: Sequence[Zone], steps: int
) -> tuple[tuple[FloatArray, FloatArray, IntegerArray], FloatArray]:
    """Vertices, normals and triangles of a region; (V,) how far each vertex is from where it was cut off, metres."""
    cell, place = zone.cell, zones.index(zone)
    finer = zones[:place]
    origin, shape = _grid(plan, field, parts, zone)
    values, scratch = np.empty(shape), np.empty(shape)
    fill_field.at("float64")(*field.arrays, origin, cell, values, scratch)
    whole = None if zone.volume is None else values.copy()
    if zone.volume is not None:
        reach = zone.margin + 3 * cell
        fill_distance.at("float64")(zone.volume, primitive_boxes(zone.volume), reach, origin, cell, scratch)
        clip_field.at("float64")(values, scratch, zone.margin, 0.0)
    for other in finer:
        assert other.volume is not None
        reach = other.margin + 3 * cell
        fill_distance.at("float64")(other.volume, primitive_boxes(other.volume), reach, origin, cell, scratch)
        clip_field.at("float64")(values, scratch, other.margin - 1.3 * cell, 1.0)
    vertices, quads = surface_nets(values, origin, cell)
    normals = np.empty_like(vertices)
    triangles = triangulated(vertices, quads)
    away = np.full(len(vertices), FAR) if whole is None else _from_cut(vertices, whole, origin, cell)
    if steps == 0:
        return (vertices, smooth_normals(vertices, triangles), triangles), away
    owners = np.repeat(np.arange(len(field.parts)), np.diff(field.first))
    near = np.empty(len(owners), np.int64)
    coarser = _cell_around(vertices, away, zone, zones)
    levels = _levels(vertices, zone, finer) - DIVES * coarser * eased_between(away, RIM * coarser, 0.0)
    settle.at("float64")(*field.arrays, owners, levels, cell, float(steps), near, vertices, normals)
    # Where a region was cut off, the field knows nothing of the cut; the triangles do.
    flat = smooth_normals(vertices, triangles)
    return (vertices, np.where((flat * normals).sum(axis=1, keepdims=True) > 0.0, normals, flat), triangles), away


def _grid(plan: Plan, field: Field, parts: Sequence[Part], zone: Zone) -> tuple[FloatArray, tuple[int, int, int]]:
    solid = np.array([not part.carve for part in parts])
    room = np.array([part.blend for part in parts])[solid, None]
    boxes = field.part_boxes[solid]
    low, high = (boxes[:, :3] - 0.3 * room).min(axis=0), (boxes[:, 3:] + 0.3 * room).max(axis=0)
    if zone.volume is not None:
        around = primitive_boxes(zone.volume)
        low = np.maximum(low, around[:, :3].min(axis=0) - zone.margin)
        high = np.minimum(high, around[:, 3:].max(axis=0) + zone.margin)
    counts = np.ceil(np.maximum(high - low, 0) / zone.cell).astype(int) + 2 * BORDER + 1
    if not zone.cell > 0 or np.prod(counts.astype(float)) > MOST_CELLS:
        raise InputError(
            f"recipe {plan.recipe.name!r}: region {zone.name!r} with cells of {zone.cell:g} m needs "
            f"{np.prod(counts.astype(float)):.0f} grid points; expected at most {MOST_CELLS}"
        )
    return low - BORDER * zone.cell, (int(counts[0]), int(counts[1]), int(counts[2]))


def _levels(vertices: FloatArray, zone: Zone, finer: Sequence[Zone]) -> FloatArray:
    """Where a finer surface lies over this one, this one keeps a little below it."""
    levels = np.zeros(len(vertices))
    for other in finer:
        assert other.volume is not None
        distances = np.zeros(len(vertices))
        measure.at("float64")(other.volume, primitive_boxes(other.volume), other.margin, vertices, distances)
        levels[distances < other.margin - 0.25 * zone.cell] = -0.12 * zone.cell
    return levels


def _bound_patch(
    plan: Plan,
    field: Field,
    parts: Sequence[Part],
    bindings: Bindings,
    turns: list[Turn],
    zone: Zone,
    surface: tuple[FloatArray, FloatArray, IntegerArray],
) -> Patch:
    vertices, normals, triangles = surface
    bound = np.array([-1 if part.carve else bindings.names[part.carrier] for part in parts], np.int64)
    softness = np.array([_softness(part) for part in parts])
    indices, weights, mix = skin_weights(field, bound, softness, bindings, vertices, zone.cell, len(plan.names))
    colors = paint_skin(plan, parts, vertices, normals, mix, zone.cell)
    positions, normals = closed(vertices, normals, indices, weights, turns)
    return Patch(zone.name, positions, normals, triangles, indices, weights, colors)


def _softness(part: Part) -> float:
    """Metres over which a part shares its vertices and its colour with its neighbours."""
    return max(1.2 * part.blend, 0.35 * float(part.primitives[0, 13:15].mean()))
