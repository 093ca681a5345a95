"""A creature on the drawing board: parts in a unit of its own, scaled to metres when the drawing is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec
import numpy as np

from mummer.zoo.recipe import Chain, Eye, Face, Flesh, Hand, Item, Membrane, Plume, Recipe, Sweep, Vector

Point: TypeAlias = Vector
ITEMS: dict[str, type[Item]] = {
    "chain": Chain, "flesh": Flesh, "hand": Hand, "plume": Plume, "sweep": Sweep, "eye": Eye,
    "membrane": Membrane, "face": Face,
}  # fmt: skip
LENGTHS = (
    "points", "radii", "blend", "center", "radius", "mouth", "width", "root", "thumb_root", "length", "claws",
    "offset", "lengths", "thickness",
)  # fmt: skip


@dataclass
class Draft:
    """The parts drawn so far.

    Attributes:
        items: kind of item to its fields, in drawing units.
        palette: colour names to ``#rrggbb``.
    """

    items: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {kind: [] for kind in ITEMS})
    palette: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, /, **fields: Any) -> None:
        """Draw one more part; fields as in `mummer.zoo.recipe`."""
        self.items[kind].append(fields)

    def extent(self) -> float:
        """The largest side of a box around all chains, both sides of the body included."""
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for chain in self.items["chain"]:
            radius = max(max(r) if isinstance(r, tuple) else r for r in chain["radii"])
            for point in chain["points"]:
                place = np.array(point)
                if "{side}" in chain["name"]:
                    low = np.minimum(low, place * (-1, 1, 1) - radius)
                    high = np.maximum(high, place * (-1, 1, 1) + radius)
                low, high = np.minimum(low, place - radius), np.maximum(high, place + radius)
        return float((high - low).max())

    def recipe(self, *, name: str, kind: str, size: float, floats: float, cells: int) -> Recipe:
        """The recipe of the drawing.

        Args:
            name: of the creature.
            kind: of body.
            size: metres of the largest side of a box around it.
            floats: metres over the ground.
            cells: grid cells along the largest side.
        """
        scale = size / self.extent()
        cell = size / cells
        parts = {
            kind_of: [ITEMS[kind_of](**_scaled(fields, scale)) for fields in entries]
            for kind_of, entries in self.items.items()
        }
        parts["chain"] = [_thin_as_tube(chain, cell) for chain in parts["chain"] if isinstance(chain, Chain)]
        return Recipe(
            version=1,
            name=name,
            kind=kind,
            cell=cell,
            floats=floats,
            palette=self.palette,
            **parts,  # type: ignore[arg-type]
        )


def _scaled(fields: dict[str, Any], scale: float) -> dict[str, Any]:
    return {name: _times(value, scale) if name in LENGTHS else value for name, value in fields.items()}


def _times(value: Any, scale: float) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_times(entry, scale) for entry in value)
    return None if value is None else float(value) * scale


def _thin_as_tube(chain: Chain, cell: float) -> Chain:
    """A chain too thin for the grid becomes a tube of its own; a limb already when its far end would be lost."""
    radii = [max(radius) if isinstance(radius, tuple) else radius for radius in chain.radii]
    thick_enough = min(radii) >= 0.65 * cell if chain.kind in ("leg", "arm") else max(radii) >= 1.15 * cell
    if chain.surface != "skin" or thick_enough:
        return chain
    return msgspec.structs.replace(chain, surface="sweep", sides=8)
