"""Built-in bodies made from recipes, and creatures nobody has seen before."""

from __future__ import annotations

from mummer.zoo.bodies import body, from_recipe, names
from mummer.zoo.creature import random_creature, random_recipe
from mummer.zoo.reading import parse_recipe, read_recipe
from mummer.zoo.recipe import RECIPE_VERSION, Recipe

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
