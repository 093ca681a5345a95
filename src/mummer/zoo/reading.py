"""From the text of a recipe to a `Recipe`, with errors that name file, line and field."""

from __future__ import annotations

from pathlib import Path

from mummer.toml_text import parse_toml, read_toml_text
from mummer.zoo.recipe import RECIPE_VERSION, Recipe

WHAT = "a recipe"


def parse_recipe(text: str, path: Path | str | None = None) -> Recipe:
    """The recipe that ``text`` (TOML) holds.

    Args:
        text: the recipe.
        path: where it came from, for messages.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    return parse_toml(text, Recipe, version=RECIPE_VERSION, what=WHAT, path=path)


def read_recipe(path: Path | str) -> Recipe:
    """The recipe in a file.

    Raises:
        MalformedFileError: if it is not one.
        InputError: if the file cannot be read.
    """
    return parse_recipe(read_toml_text(path, WHAT), path)
