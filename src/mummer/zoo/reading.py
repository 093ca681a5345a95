"""From the text of a recipe to a `Recipe`, with errors that name file, line and field."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec

from mummer.errors import InputError, MalformedFileError, closest_names
from mummer.zoo.recipe import RECIPE_VERSION, Recipe

LONGEST = 1_000_000
"""Characters; a recipe written by a person is a thousand times shorter."""


def parse_recipe(text: str, path: Path | str | None = None) -> Recipe:
    """The recipe that ``text`` (TOML) holds.

    Args:
        text: the recipe.
        path: where it came from, for messages.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    if len(text) > LONGEST:
        raise MalformedFileError(path, f"{len(text)} characters; expected a recipe of at most {LONGEST}")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedFileError(path, f"not TOML: {error}") from None
    except RecursionError:
        raise MalformedFileError(path, "not TOML: nested too deeply") from None
    try:
        recipe = msgspec.convert(data, Recipe)
    except msgspec.ValidationError as error:
        what, place = _explain(str(error), text)
        raise MalformedFileError(path, what, place=place) from None
    if recipe.version != RECIPE_VERSION:
        raise MalformedFileError(
            path, f"version {recipe.version}; this mummer reads version {RECIPE_VERSION}", place=_place(text, "version")
        )
    return recipe


def read_recipe(path: Path | str) -> Recipe:
    """The recipe in a file.

    Raises:
        MalformedFileError: if it is not one.
        InputError: if the file cannot be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise MalformedFileError(path, "not text in UTF-8; expected a recipe in TOML") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_recipe(text, path)


def _explain(message: str, text: str) -> tuple[str, str]:
    """What is wrong, with the nearest valid field, and where."""
    what, _, where = message.partition(" - at `")
    field = where.rstrip("`").removeprefix("$").lstrip(".")
    unknown = re.search(r"unknown field `(\w+)`", what)
    if unknown:
        field = f"{field}.{unknown[1]}" if field else unknown[1]
        near = closest_names(unknown[1], _fields_at(field))
        what += f"; closest: {', '.join(map(repr, near))}" if near else ""
    return what[:1].lower() + what[1:], _place(text, field)


def _fields_at(field: str) -> tuple[str, ...]:
    """The fields that the table above ``field`` may have."""
    tables = re.sub(r"\[\d+\]", "", field).split(".")[:-1]
    if not tables:
        return Recipe.__struct_fields__
    info = msgspec.inspect.type_info(Recipe)
    assert isinstance(info, msgspec.inspect.StructType)
    for entry in info.fields:
        item = entry.type
        if entry.name == tables[0] and isinstance(item, msgspec.inspect.ListType):
            item = item.item_type
        if entry.name == tables[0] and isinstance(item, msgspec.inspect.StructType):
            return tuple(inner.name for inner in item.fields)
    return ()


def _place(text: str, field: str) -> str:
    """``line 12, chain[3].radii``: the line by counting table headers."""
    table = re.match(r"(\w+)(?:\[(\d+)\])?(?:\.(\w+))?", field)
    if not table:
        return field
    name, number, key = table[1], table[2], table[3]
    line = _line_of(text.splitlines(), name, None if number is None else int(number), key)
    return f"line {line}, {field}" if line else field


def _line_of(lines: list[str], name: str, number: int | None, key: str | None) -> int:
    start, seen = 0, -1
    for count, line in enumerate(lines, 1):
        bare = line.split("#", 1)[0].strip()
        if number is None and re.match(rf"(\[{name}\]|{name}\s*=)", bare):
            start = count
            break
        if number is not None and bare == f"[[{name}]]":
            seen += 1
            if seen == number:
                start = count
                break
    if not start or key is None:
        return start
    for count, line in enumerate(lines[start:], start + 1):
        if line.lstrip().startswith("[["):
            break
        if re.match(rf"\s*{key}\s*=", line):
            return count
    return start
