"""A flat recipe as joints and places: checked, sorted parent-first, with every name looked up."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import isfinite

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError, UnknownNameError
from mummer.zoo.geometry import length, linear_color, minus, radius_pairs, unit
from mummer.zoo.recipe import Chain, Recipe, Vector

SHORTEST = 1e-4
"""Metres; two joints of a chain nearer than this are an error."""
DEFAULT_PALETTE = {
    "skin": "#c9a07e",
    "claw": "#3d352f",
    "iris": "#4a6b3a",
    "mouth": "#5e2129",
    "tooth": "#efe9d8",
    "tongue": "#b8555f",
}


@dataclass(frozen=True, eq=False)
class ChainPlan:
    """A chain whose names are looked up.

    Attributes:
        chain: as the recipe says it.
        joints: joint indices.
        parent: joint index or -1.
        points: (n, 3) joints and then the end; always one more than joints.
        radii: (n, 2) at each point.
    """

    chain: Chain
    joints: tuple[int, ...]
    parent: int
    points: FloatArray
    radii: FloatArray

    @cached_property
    def directions(self) -> tuple[Vector, ...]:
        """Unit directions from each joint to the next point."""
        places = self.points.tolist()
        return tuple(unit(minus(there, here)) for here, there in pairwise(places))


@dataclass(frozen=True, eq=False)
class Plan:
    """The joints of a body and the chains they belong to.

    Attributes:
        recipe: the flat recipe.
        names: joint names, parents before children.
        parents: parent of each joint, -1 for the root.
        positions: (J, 3) rest places in the world.
        chains: in an order in which parents come first.
        chain_of: for each joint the number of its chain, -1 for eyes.
    """

    recipe: Recipe
    names: tuple[str, ...]
    parents: tuple[int, ...]
    positions: FloatArray
    chains: tuple[ChainPlan, ...]
    chain_of: tuple[int, ...]
    index: dict[str, int] = field(repr=False)

    @cached_property
    def chain_index(self) -> dict[str, int]:
        """The number of each chain by name."""
        return {plan.chain.name: place for place, plan in enumerate(self.chains)}

    @cached_property
    def palette(self) -> dict[str, tuple[float, float, float]]:
        """Linear colours by palette name."""
        return {name: _hex(self.recipe, text) for name, text in (DEFAULT_PALETTE | self.recipe.palette).items()}

    def color(self, name: str) -> tuple[float, float, float]:
        """Linear RGB of a palette name or ``#rrggbb``.

        Raises:
            UnknownNameError: with the closest names there are.
        """
        if name.startswith("#"):
            return _hex(self.recipe, name)
        if name not in self.palette:
            raise UnknownNameError(f"the palette of recipe {self.recipe.name!r}", "color", name, self.palette)
        return self.palette[name]


def make_plan(recipe: Recipe) -> Plan:
    """The plan of a flat recipe.

    Raises:
        InputError: naming the recipe, the part and the field at fault.
    """
    index: dict[str, int] = {}
    parents: list[int] = []
    positions: list[FloatArray] = []
    chains: list[ChainPlan] = []
    chain_of: list[int] = []
    for chain in _parents_first(recipe):
        plan = _chain_plan(recipe, chain, index)
        chains.append(plan)
        parents += [plan.parent, *plan.joints[:-1]]
        positions += list(plan.points[: len(plan.joints)])
        chain_of += [len(chains) - 1] * len(plan.joints)
    for eye in recipe.eye:
        _new_joint(recipe, index, eye.joint)
        parents.append(_known(recipe, index, eye.parent, f"eye {eye.joint!r}"))
        positions.append(np.asarray(eye.center, np.float64))
        chain_of.append(-1)
    return Plan(recipe, tuple(index), tuple(parents), np.array(positions), tuple(chains), tuple(chain_of), index)


def _parents_first(recipe: Recipe) -> list[Chain]:
    """Chains in an order in which the parent's chain comes first; the given order where it is one already."""
    names = [chain.name for chain in recipe.chain]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"recipe {recipe.name!r} has two chains called {twice!r}")
    roots = [chain.name for chain in recipe.chain if not chain.parent]
    if len(roots) != 1:
        raise InputError(f"recipe {recipe.name!r} has {len(roots)} chains without a parent {roots}; expected one root")
    made = {joint for chain in recipe.chain for joint in chain.joints}
    ordered: list[Chain] = []
    done: set[str] = {""}
    pending = list(recipe.chain)
    while pending:
        ready = [chain for chain in pending if chain.parent in done]
        if not ready:
            chain = pending[0]
            if chain.parent in made:
                raise InputError(
                    f"chain {chain.name!r} of recipe {recipe.name!r} hangs from itself by {chain.parent!r}"
                )
            raise UnknownNameError(f"recipe {recipe.name!r}, chain {chain.name!r}", "joint", chain.parent, sorted(made))
        ordered += ready
        done |= {joint for chain in ready for joint in chain.joints}
        pending = [chain for chain in pending if chain not in ready]
    return ordered


def _chain_plan(recipe: Recipe, chain: Chain, index: dict[str, int]) -> ChainPlan:
    where = f"recipe {recipe.name!r}, chain {chain.name!r}"
    count = len(chain.joints)
    if count == 0 or len(chain.points) not in (count, count + 1):
        raise InputError(f"{where}: {len(chain.points)} points for {count} joints; expected {count} or {count + 1}")
    if len(chain.radii) != len(chain.points):
        raise InputError(f"{where}: {len(chain.radii)} radii for {len(chain.points)} points; expected one each")
    points, radii = np.asarray(chain.points, np.float64), radius_pairs(chain.radii)
    if not (isfinite(points.sum()) and isfinite(radii.sum()) and radii.min() > 0):
        raise InputError(f"{where}: points must be finite and radii above zero")
    if any(length(minus(there, here)) < SHORTEST for here, there in pairwise(chain.points)):
        raise InputError(f"{where}: two points lie in the same place")
    if chain.region and chain.region not in recipe.regions:
        raise UnknownNameError(f"{where}: the recipe", "region", chain.region, recipe.regions)
    if len(points) == count:
        # Every joint needs a direction: the last one goes on as its parent did, a little.
        forward = points[-1] - points[-2] if count > 1 else np.array([0.0, 0.01, 0.0])
        points = np.concatenate([points, points[-1:] + 0.3 * forward])
        radii = np.concatenate([radii, radii[-1:]])
    parent = _known(recipe, index, chain.parent, f"chain {chain.name!r}") if chain.parent else -1
    joints = tuple(_new_joint(recipe, index, joint) for joint in chain.joints)
    return ChainPlan(chain, joints, parent, points, radii)


def _new_joint(recipe: Recipe, index: dict[str, int], name: str) -> int:
    if name in index:
        raise InputError(f"recipe {recipe.name!r} has two joints called {name!r}")
    index[name] = len(index)
    return index[name]


def _known(recipe: Recipe, index: dict[str, int], name: str, what: str) -> int:
    if name not in index:
        raise UnknownNameError(f"recipe {recipe.name!r}, {what}", "joint", name, index)
    return index[name]


def _hex(recipe: Recipe, text: str) -> tuple[float, float, float]:
    if len(text) != 7 or not text.startswith("#") or any(c not in "0123456789abcdefABCDEF" for c in text[1:]):
        raise InputError(f"recipe {recipe.name!r}: {text!r} is not a color; expected #rrggbb")
    return linear_color(text)
