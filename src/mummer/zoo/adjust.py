"""Changed proportions: longer legs, a bigger head, a bent back, with everything attached carried along."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import msgspec
import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError, UnknownNameError
from mummer.zoo.geometry import rotation_degrees, turn_degrees, vector
from mummer.zoo.recipe import Chain, Item, Recipe, Vector

SMALL_KINDS = ("finger", "toe", "jaw", "ear", "horn", "eye", "head")
"""Chains that take the girth of the part they sit on unless an adjustment names them."""


@dataclass(frozen=True)
class _Moved:
    """How one joint is carried: a place at rest before, the place after, a turn and a factor of size."""

    before: FloatArray
    after: FloatArray
    turn: FloatArray
    girth: float

    def place(self, point: Any) -> FloatArray:
        moved: FloatArray = self.after + self.girth * (self.turn @ (np.asarray(point) - self.before))
        return moved


def adjusted(recipe: Recipe) -> Recipe:
    """The flat recipe with its adjustments carried out.

    Raises:
        UnknownNameError: if an adjustment turns a joint that is not there.
    """
    if not recipe.adjust:
        return recipe
    turns = {joint: turn for adjust in recipe.adjust for joint, turn in adjust.turn.items()}
    known = [joint for chain in recipe.chain for joint in chain.joints]
    for joint in turns:
        if joint not in known:
            raise UnknownNameError(f"recipe {recipe.name!r}", "joint to turn", joint, known)
    moved: dict[str, _Moved] = {}
    chains = [_moved_chain(recipe, chain, turns, moved) for chain in recipe.chain]
    nearest = {chain.name: chain for chain in recipe.chain}

    def carrier(on: str, point: Any) -> _Moved:
        if on in moved:
            return moved[on]
        if on not in nearest:
            raise UnknownNameError(f"recipe {recipe.name!r}", "joint or chain", on, [*moved, *nearest])
        joints = nearest[on].joints
        gaps = [float(np.linalg.norm(moved[joint].before - np.asarray(point))) for joint in joints]
        return moved[joints[int(np.argmin(gaps))]]

    changes: dict[str, Any] = {"chain": chains, "adjust": []}
    changes["flesh"] = [_carried(item, carrier(item.on, item.points[0])) for item in recipe.flesh]
    changes["sweep"] = [_carried(item, carrier(item.on, item.points[0])) for item in recipe.sweep]
    changes["eye"] = [_carried(item, carrier(item.parent, item.center)) for item in recipe.eye]
    changes["face"] = [_carried(item, carrier(item.head, item.mouth)) for item in recipe.face]
    return msgspec.structs.replace(recipe, **changes)


def _moved_chain(recipe: Recipe, chain: Chain, turns: dict[str, Vector], moved: dict[str, _Moved]) -> Chain:
    if chain.parent and chain.parent not in moved:
        raise InputError(f"chain {chain.name!r} of recipe {recipe.name!r} stands before its parent {chain.parent!r}")
    length, girth = _factors(recipe, chain, moved)
    above = moved.get(chain.parent)
    points: list[FloatArray] = []
    before = np.asarray(chain.points, float)
    turn = above.turn if above else np.eye(3)
    for place, joint in enumerate(chain.joints):
        if place == 0:
            after = above.place(before[0]) if above else before[0]
        else:
            after = points[-1] + length * (turn @ (before[place] - before[place - 1]))
        turn = turn @ rotation_degrees(turns.get(joint, (0.0, 0.0, 0.0)))
        moved[joint] = _Moved(before[place], after, turn, girth)
        points.append(after)
    for place in range(len(chain.joints), len(before)):
        points.append(points[-1] + length * (turn @ (before[place] - before[place - 1])))
    changes: dict[str, Any] = {"points": [vector(point) for point in points], "radii": _scaled(chain.radii, girth)}
    changes["blend"] = chain.blend * girth
    changes["across"] = vector(turn @ np.asarray(chain.across))
    if chain.bend is not None:
        changes["bend"] = vector(turn @ np.asarray(chain.bend))
    return msgspec.structs.replace(chain, **changes)


def _factors(recipe: Recipe, chain: Chain, moved: dict[str, _Moved]) -> tuple[float, float]:
    """Length and girth of a chain: those that name it, else for small parts the girth of what they sit on."""
    named = [adjust for adjust in recipe.adjust if any(fnmatchcase(chain.name, pattern) for pattern in adjust.chains)]
    if named:
        return (
            float(np.prod([adjust.length for adjust in named])),
            float(np.prod([adjust.girth for adjust in named])),
        )
    if chain.kind in SMALL_KINDS and chain.parent:
        return moved[chain.parent].girth, moved[chain.parent].girth
    return 1.0, 1.0


def _scaled(radii: list[Any], factor: float) -> list[Any]:
    return [
        type(radius)(factor * part for part in radius) if isinstance(radius, list | tuple) else factor * radius
        for radius in radii
    ]


def _carried(item: Item, moved: _Moved) -> Item:
    """An item moved, turned and scaled with the joint that carries it."""
    changes: dict[str, Any] = {}
    for field in ("points", "center", "mouth"):
        value = getattr(item, field, None)
        if value is not None:
            changes[field] = (
                [vector(moved.place(point)) for point in value] if field == "points" else vector(moved.place(value))
            )
    for field in ("gaze", "across"):
        if hasattr(item, field):
            changes[field] = vector(moved.turn @ np.asarray(getattr(item, field)))
    if hasattr(item, "turn"):
        changes["turn"] = turn_degrees(moved.turn @ rotation_degrees(item.turn))
    if hasattr(item, "radii"):
        changes["radii"] = _scaled(item.radii, moved.girth)
    for field in ("radius", "blend", "width"):
        if hasattr(item, field):
            changes[field] = moved.girth * getattr(item, field)
    return msgspec.structs.replace(item, **changes)
