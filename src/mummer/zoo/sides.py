"""Both sides of a body from one: what is named with ``{side}`` is written for the left and mirrored to the right."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from mummer.zoo.recipe import Chain, Eye, Face, Flesh, Item, Membrane, Recipe, Sweep, Vector

AnyItem = TypeVar("AnyItem", bound=Item)

MARK = "{side}"
_PLACES = ("points", "center", "mouth")
_DIRECTIONS = ("gaze", "bend", "across")
NAMES = ("name", "on", "joint", "joints", "parent", "region", "group", "can", "between", "head", "jaw", "eyes")
"""Fields that hold names of parts."""
PART_KINDS = ("chain", "flesh", "sweep", "eye", "membrane", "face")


def expand_sides(recipe: Recipe) -> Recipe:
    """The recipe with every ``{side}`` part written out twice, left before right."""
    parts = {kind: [made for item in getattr(recipe, kind) for made in both_sides(item)] for kind in PART_KINDS}
    regions = {
        name.replace(MARK, side): region for name, region in recipe.regions.items() for side in ("left", "right")
    }
    return msgspec.structs.replace(recipe, regions=regions, **parts)


def both_sides(item: AnyItem) -> tuple[AnyItem, ...]:
    """The item itself, or its left and its right form if any of its names holds ``{side}``."""
    if MARK not in " ".join(_names_of(item)):
        return (item,)
    return _named_for(item, "left"), mirrored(_named_for(item, "right"))


def mirrored(item: AnyItem) -> AnyItem:
    """The item reflected in the plane x = 0; its names are left as they are."""
    changes: dict[str, Any] = {}
    for field in _PLACES + _DIRECTIONS:
        value = getattr(item, field, None)
        if value is not None:
            changes[field] = [_flip(point) for point in value] if field == "points" else _flip(value)
    if isinstance(item, Flesh):
        changes["turn"] = (item.turn[0], -item.turn[1], -item.turn[2])
    return msgspec.structs.replace(item, **changes)


def swap_sides(name: str) -> str:
    """The name of the same part on the other side.

    Example:
        >>> swap_sides("front_left_foot"), swap_sides("hips")
        ('front_right_foot', 'hips')
    """
    return re.sub(r"(?<![a-z])(left|right)(?![a-z])", lambda m: "right" if m[1] == "left" else "left", name)


def _flip(point: Vector) -> Vector:
    return (-point[0], point[1], point[2])


def _names_of(item: Item) -> list[str]:
    match item:
        case Chain():
            return [item.name]
        case Flesh() | Sweep():
            return [item.on, item.name]
        case Eye():
            return [item.joint]
        case Membrane():
            return [item.name]
        case Face():
            return [item.head]
    return []


def _named_for(item: AnyItem, side: str) -> AnyItem:
    """``{side}`` filled in, wherever it stands in the item."""
    changes = {field: _fill(getattr(item, field), side) for field in item.__struct_fields__ if field in NAMES}
    return msgspec.structs.replace(item, **changes)


def _fill(value: Any, side: str) -> Any:
    if isinstance(value, str):
        return value.replace(MARK, side)
    if isinstance(value, list):
        return [_fill(entry, side) for entry in value]
    if isinstance(value, dict):
        return {_fill(key, side): _fill(entry, side) for key, entry in value.items()}
    return value
