"""Built-in bodies made from recipes, and creatures nobody has seen before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mummer.zoo.bodies import body, from_recipe, names
from mummer.zoo.reading import parse_recipe, read_recipe
from mummer.zoo.recipe import RECIPE_VERSION, Recipe

if TYPE_CHECKING:
    from mummer.zoo.creature import random_creature, random_recipe

__all__ = [
    "RECIPE_VERSION",
    "Recipe",
    "body",
    "from_recipe",
    "names",
    "parse_recipe",
    "random_creature",
    "random_recipe",
    "read_recipe",
]


def __getattr__(name: str) -> Any:
    """What makes creatures is loaded when it is first used: a body that was kept needs none of it."""
    if name not in ("random_creature", "random_recipe"):
        raise AttributeError(f"module 'mummer.zoo' has no attribute {name!r}")
    from mummer.zoo import creature

    return getattr(creature, name)
