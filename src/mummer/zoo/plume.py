"""Feathers, spikes and hairs: a row of small sweeps along a chain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mummer.errors import InputError, UnknownNameError
from mummer.zoo.geometry import blend, length, minus, plus, times, unit
from mummer.zoo.recipe import Chain, Plume, Radius, Sweep, Vector


def plume_parts(plume: Plume, chains: dict[str, Chain]) -> list[Sweep]:
    """The single feathers of a plume.

    Raises:
        UnknownNameError: if its chain does not exist.
        InputError: if it has no feathers.
    """
    if plume.on not in chains:
        raise UnknownNameError("this recipe", "chain for a plume", plume.on, chains)
    if plume.count < 1:
        raise InputError(f"plume on {plume.on!r} has {plume.count} feathers; expected at least 1")
    return [_feather(plume, chains[plume.on], place) for place in range(plume.count)]


def _feather(plume: Plume, chain: Chain, place: int) -> Sweep:
    part = 0.5 if plume.count == 1 else place / (plume.count - 1)
    where = plume.span[0] + part * (plume.span[1] - plume.span[0])
    root = plus(point_along(chain.points, where), plume.offset)
    size = plume.lengths[0] + part * (plume.lengths[1] - plume.lengths[0])
    direction = unit(blend(unit(plume.directions[0]), unit(plume.directions[1]), part))
    points = [plus(root, times(direction, size * step)) for step in (0.0, 0.45, 0.85, 1.0)]
    widths = (1.0, 0.72, 0.3, 0.05) if plume.pointed else (0.55, 1.0, 0.85, 0.35)
    radii: list[Radius] = [(plume.width * wide, plume.thickness * min(1.0, wide + 0.2)) for wide in widths]
    return Sweep(
        on=plume.on,
        points=points,
        radii=radii,
        across=plume.across,
        color=plume.color,
        pattern=plume.pattern,
        sides=6,
        name=plume.name,
    )


def point_along(points: Sequence[Vector], part: float) -> Vector:
    """The point at ``part`` (0 to 1) of the length of a line."""
    pieces = [length(minus(there, here)) for here, there in pairwise(points)]
    left = part * sum(pieces)
    for place, piece in enumerate(pieces):
        if left <= piece:
            return blend(points[place], points[place + 1], left / piece)
        left -= piece
    return points[-1]
