"""Anatomy files as text: TOML or JSON in, TOML or JSON out, with errors that name file and field."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from mummer.character.anatomy_schema import FIELDS, VERSION, AnatomyFile
from mummer.errors import FileError, LimitError, MalformedFileError, closest_names

MOST_BYTES = 4 * 2**20
"""No body that a person describes needs more."""


def read_anatomy_file(path: Path) -> AnatomyFile:
    """What a .toml or .json anatomy file says, checked against the schema but not against any skeleton.

    Raises:
        FileError: if it cannot be read.
        MalformedFileError: naming the field that is wrong, and the nearest field that there is.
    """
    data = _parsed(_text(path), path)
    if not isinstance(data, dict):
        raise MalformedFileError(path, "is a list or a single value; expected a table of fields")
    found = data.get("version")
    if found != VERSION or isinstance(found, bool):
        stated = "no version" if found is None else f"version {found!r}"
        raise MalformedFileError(path, f"states {stated}; expected {VERSION}", place="version")
    try:
        return msgspec.convert(data, AnatomyFile)
    except msgspec.ValidationError as error:
        what, place = _explained(str(error))
        raise MalformedFileError(path, what, place=place) from None


def anatomy_text(file: AnatomyFile, path: Path) -> str:
    """The text of an anatomy file, JSON if ``path`` ends in .json, else TOML."""
    data = msgspec.to_builtins(file)
    if path.suffix.lower() == ".json":
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    return _toml(data)


def _text(path: Path) -> str:
    try:
        with open(path, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise FileError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MOST_BYTES:
        raise LimitError(path, f"is longer than the limit of {MOST_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MalformedFileError(path, "is not text in UTF-8; expected TOML or JSON") from None


def _parsed(text: str, path: Path) -> Any:
    is_json = path.suffix.lower() == ".json"
    try:
        return json.loads(text) if is_json else tomllib.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise MalformedFileError(path, f"is not {'JSON' if is_json else 'TOML'}: {error}") from None
    except RecursionError:
        raise MalformedFileError(path, "is nested too deeply") from None


def _explained(message: str) -> tuple[str, str]:
    """What is wrong, with the nearest valid field, and the field."""
    what, _, where = message.partition(" - at `$")
    place = where.rstrip("`").lstrip(".")
    unknown = re.search(r"unknown field `([^`]*)`", what)
    if unknown:
        near = closest_names(unknown[1], FIELDS[re.split(r"[.\[]", place)[0]])
        hint = f"; closest: {', '.join(map(repr, near))}" if near else ""
        return f"has no field {unknown[1]!r}{hint}", place
    return what[:1].lower() + what[1:], place


def _toml(data: dict[str, Any]) -> str:
    """Plain values first, then tables, then lists of tables: TOML's own order."""
    lines = ["# What the parts of a body are, by the names of its joints."]
    tables: dict[str, dict[str, Any]] = {}
    lists: dict[str, list[dict[str, Any]]] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            tables[key] = value
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            lists[key] = value
        else:
            lines.append(f"{_key(key)} = {_value(value)}")
    for key, table in tables.items():
        lines += ["", *_table((key,), table)]
    for key, entries in lists.items():
        for entry in entries:
            lines += ["", f"[[{_key(key)}]]", *(f"{_key(k)} = {_value(v)}" for k, v in entry.items())]
    return "\n".join(lines) + "\n"


def _table(path: tuple[str, ...], table: dict[str, Any]) -> list[str]:
    if any(isinstance(value, dict) for value in table.values()):
        return [line for name, inner in table.items() for line in ("", *_table((*path, name), inner))][1:]
    head = ".".join(_key(part) for part in path)
    return [f"[{head}]", *(f"{_key(name)} = {_value(value)}" for name, value in table.items())]


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for one character that TOML wants escaped too.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        return f"[{', '.join(_value(entry) for entry in value)}]"
    if isinstance(value, float):
        return repr(value)
    return str(int(value))
