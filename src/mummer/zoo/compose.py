"""Putting a recipe together: other recipes it includes, hands, both sides, and changed proportions."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

import msgspec
import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.zoo.adjust import adjusted
from mummer.zoo.geometry import rotation_degrees, turn_degrees, vector
from mummer.zoo.hand import hand_parts
from mummer.zoo.plume import plume_parts
from mummer.zoo.recipe import Chain, Include, Item, Recipe, Region
from mummer.zoo.sides import NAMES, PART_KINDS, expand_sides

Loader = Callable[[str], Recipe]
DEEPEST = 8


def flattened(recipe: Recipe, load: Loader, *, depth: int = 0) -> Recipe:
    """The recipe as plain chains, flesh, sweeps, eyes, membranes and faces, with nothing left to look up.

    Args:
        recipe: any recipe.
        load: finds the recipes that it includes by name.
        depth: how many recipes stand above this one.

    Raises:
        InputError: if recipes include each other in a circle.
    """
    if depth > DEEPEST:
        raise InputError(
            f"recipe {recipe.name!r} includes others more than {DEEPEST} deep: do they include each other?"
        )
    parts: dict[str, list[Any]] = {kind: [] for kind in PART_KINDS}
    palette: dict[str, str] = {}
    regions: dict[str, Region] = {}
    for include in recipe.include:
        included = _included(include, flattened(load(include.recipe), load, depth=depth + 1))
        palette |= included.palette
        regions |= included.regions
        for kind in PART_KINDS:
            parts[kind] += getattr(included, kind)
    own = expand_sides(_with_small_parts(recipe, parts["chain"]))
    for kind in PART_KINDS:
        parts[kind] += getattr(own, kind)
    whole = msgspec.structs.replace(
        recipe, include=[], hand=[], plume=[], palette=palette | recipe.palette, regions=regions | own.regions, **parts
    )
    return adjusted(whole)


def _with_small_parts(recipe: Recipe, included: list[Chain]) -> Recipe:
    """The recipe with its hands and plumes written out, before its sides are: a hand and its mirror image match."""
    chains, sweeps = list(recipe.chain), list(recipe.sweep)
    for hand in recipe.hand:
        digits, claws = hand_parts(hand)
        chains += digits
        sweeps += claws
    lines = {chain.name: chain for chain in (*included, *chains)}
    for plume in recipe.plume:
        sweeps += plume_parts(plume, lines)
    return msgspec.structs.replace(recipe, chain=chains, sweep=sweeps)


def _included(include: Include, recipe: Recipe) -> Recipe:
    """What an include takes from a flat recipe, moved to its place and renamed."""
    chains = [chain for chain in recipe.chain if _kept(include, chain.name)]
    eyes = [eye for eye in recipe.eye if _kept(include, eye.joint)]
    joints = {joint for chain in chains for joint in chain.joints} | {eye.joint for eye in eyes}
    carriers = joints | {chain.name for chain in chains}
    taken: dict[str, list[Any]] = {
        "chain": [_rehung(chain, joints, include.parent) for chain in chains],
        "eye": [eye for eye in eyes if eye.parent in joints],
        "flesh": [item for item in recipe.flesh if item.on in carriers and not _dropped(include, item.name)],
        "sweep": [item for item in recipe.sweep if item.on in carriers and not _dropped(include, item.name)],
        "membrane": [item for item in recipe.membrane if set(item.between) <= carriers],
        "face": [face for face in recipe.face if face.head in joints and face.jaw in joints],
    }
    place = _placement(include)
    own = {name for items in taken.values() for item in items for name in _own_names(item)} | set(recipe.regions)
    moved = {
        kind: [_renamed(_placed(item, place, include.scale), include, own) for item in items]
        for kind, items in taken.items()
    }
    regions = {
        include.prefix + name: Region(cell=region.cell * include.scale, margin=region.margin * include.scale)
        for name, region in recipe.regions.items()
    }
    return msgspec.structs.replace(recipe, regions=regions, adjust=[], **moved)


def _kept(include: Include, name: str) -> bool:
    kept = not include.keep or any(fnmatchcase(name, pattern) for pattern in include.keep)
    return kept and not _dropped(include, name)


def _dropped(include: Include, name: str) -> bool:
    return bool(name) and any(fnmatchcase(name, pattern) for pattern in include.drop)


def _rehung(chain: Chain, joints: set[str], parent: str) -> Chain:
    if chain.parent in joints:
        return chain
    # A mark that renaming leaves alone: the new parent belongs to the recipe that includes.
    return msgspec.structs.replace(chain, parent="=" + parent if parent else "")


def _placement(include: Include) -> tuple[FloatArray, Callable[[Any], FloatArray]]:
    turn, pivot, move = rotation_degrees(include.turn), np.asarray(include.pivot), np.asarray(include.move)

    def place(point: Any) -> FloatArray:
        moved: FloatArray = turn @ (include.scale * np.asarray(point) - pivot) + pivot + move
        return moved

    return turn, place


_LENGTHS = ("blend", "radius", "width", "thickness")


def _placed(item: Item, placement: tuple[FloatArray, Callable[[Any], FloatArray]], scale: float) -> Item:
    """The item scaled, turned and moved."""
    turn, place = placement
    changes: dict[str, Any] = {}
    for field in item.__struct_fields__:
        value = getattr(item, field)
        if field == "points":
            changes[field] = [vector(place(point)) for point in value]
        elif field in ("center", "mouth"):
            changes[field] = vector(place(value))
        elif field in ("gaze", "bend", "across") and value is not None:
            changes[field] = vector(turn @ np.asarray(value))
        elif field == "turn":
            changes[field] = turn_degrees(turn @ rotation_degrees(value))
        elif field == "radii":
            changes[field] = [
                type(radius)(scale * part for part in radius) if isinstance(radius, list | tuple) else scale * radius
                for radius in value
            ]
        elif field in _LENGTHS:
            changes[field] = scale * value
        elif field == "pattern" and value is not None:
            changes[field] = msgspec.structs.replace(value, size=scale * value.size)
    return msgspec.structs.replace(item, **changes)


def _own_names(item: Item) -> list[str]:
    names = [getattr(item, field, "") for field in ("name", "joint", "group")]
    return [name for name in [*names, *getattr(item, "joints", [])] if name]


_COLOR_FIELDS = ("color", "belly", "lid_color", "iris")


def _renamed(item: Item, include: Include, own: set[str]) -> Item:
    """The item with the include's prefix on every name of its own recipe, and other palette names."""

    def name(value: Any) -> Any:
        if isinstance(value, str):
            return value[1:] if value.startswith("=") else include.prefix + value if value in own else value
        if isinstance(value, list):
            return [name(entry) for entry in value]
        if isinstance(value, dict):
            return {key: name(entry) for key, entry in value.items()}
        return value

    changes: dict[str, Any] = {field: name(getattr(item, field)) for field in NAMES if hasattr(item, field)}
    for field in _COLOR_FIELDS:
        if hasattr(item, field):
            changes[field] = include.recolor.get(getattr(item, field), getattr(item, field))
    return msgspec.structs.replace(item, **changes)
