"""The built-in bodies, and bodies from recipes of one's own."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from mummer.character import Character
from mummer.disk_cache import cached, key_of
from mummer.errors import UnknownNameError
from mummer.zoo.reading import parse_recipe, read_recipe
from mummer.zoo.recipe import Recipe

SUFFIX = ".toml"


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """The built-in bodies in alphabetical order."""
    library = files("mummer.zoo") / "library"
    return tuple(sorted(entry.name.removesuffix(SUFFIX) for entry in library.iterdir() if entry.name.endswith(SUFFIX)))


@lru_cache(maxsize=64)
def body(name: str) -> Character:
    """A built-in body, made when first asked for.

    Args:
        name: one of `names`.

    Raises:
        UnknownNameError: with the closest names there are.

    Example:
        >>> body("dog").anatomy.kind
        'quadruped'
    """
    text = _library_text(name)
    return cached("body", key_of(name), lambda: _made(parse_recipe(text, f"{name}{SUFFIX}"), text))


def from_recipe(recipe: str | Path | Recipe) -> Character:
    """The body that a recipe describes.

    Args:
        recipe: a `Recipe`, the path of a file, or the text itself (anything with a line break).

    Raises:
        MalformedFileError: naming file, line and field, if it is not a recipe.
        InputError: naming the part at fault, if it does not make a body.
    """
    if isinstance(recipe, Recipe):
        return _made(recipe, recipe_text(recipe))
    if isinstance(recipe, str) and "\n" in recipe:
        return _made(parse_recipe(recipe), recipe)
    return _made(read_recipe(recipe), Path(recipe).read_text(encoding="utf-8"))


def library_recipe(name: str) -> Recipe:
    """The recipe of a built-in body."""
    return parse_recipe(_library_text(name), f"{name}{SUFFIX}")


def recipe_text(recipe: Recipe) -> str:
    """A recipe as JSON, which holds the same fields as the TOML that a person would write."""
    return msgspec.json.encode(recipe).decode()


def _made(recipe: Recipe, text: str) -> Character:
    from mummer.zoo.build import build
    from mummer.zoo.compose import flattened

    return build(flattened(recipe, library_recipe), details={"recipe": text, "version": recipe.version})


def _library_text(name: str) -> str:
    if name not in names():
        raise UnknownNameError("the zoo", "body", name, names())
    return (files("mummer.zoo") / "library" / f"{name}{SUFFIX}").read_text(encoding="utf-8")
