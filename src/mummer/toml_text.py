"""Text that people write: TOML into checked values, with errors that name file, line and field."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from mummer.errors import InputError, MalformedFileError, closest_names

LONGEST = 1_000_000
"""Characters; what a person writes is a thousand times shorter."""

Kind = TypeVar("Kind", bound=msgspec.Struct)


class Step(NamedTuple):
    """One step of the way to a field: the name of a table or a key, and which of several, or None."""

    name: str
    number: int | None


def parse_toml(text: str, kind: type[Kind], *, version: int, what: str, path: Path | str | None = None) -> Kind:
    """The value of type ``kind`` that ``text`` (TOML) holds.

    Args:
        text: the text.
        kind: a struct with a field ``version``.
        version: the version that is read.
        what: what it should be, for messages: ``a recipe``.
        path: where it came from, for messages.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    if len(text) > LONGEST:
        raise MalformedFileError(path, f"{len(text)} characters; expected {what} of at most {LONGEST}")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedFileError(path, f"not TOML: {error}") from None
    except RecursionError:
        raise MalformedFileError(path, "not TOML: nested too deeply") from None
    try:
        value = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        wrong, field = _explain(str(error), kind)
        raise MalformedFileError(path, wrong, place=place_of(text, field)) from None
    found = getattr(value, "version", version)
    if found != version:
        raise MalformedFileError(
            path, f"version {found}; this mummer reads version {version}", place=place_of(text, "version")
        )
    return value


def read_toml_text(path: Path | str, what: str) -> str:
    """The text of a file.

    Raises:
        MalformedFileError: if it is not text.
        InputError: if the file cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise MalformedFileError(path, f"not text in UTF-8; expected {what} in TOML") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def place_of(text: str, field: str) -> str:
    """``line 12, chain[3].radii``: a field and its line, as far as that can be told."""
    steps = [
        Step(name, int(number) if number else None)
        for name, number in re.findall(r"([A-Za-z_]\w*)(?:\[(\d+)\])?", field)
    ]
    line = _line_of(text.splitlines(), steps)
    return f"line {line}, {field}" if line else field


def _explain(message: str, kind: type[msgspec.Struct]) -> tuple[str, str]:
    """What is wrong, with the nearest valid field, and which field."""
    what, _, where = message.partition(" - at `")
    field = where.rstrip("`").removeprefix("$").lstrip(".")
    choices = _choices_at(kind, field) if "nvalid enum value" in what else ()
    what += f"; expected {', '.join(choices[:-1])} or {choices[-1]}" if len(choices) > 1 else ""
    unknown = re.search(r"unknown field `(\w+)`", what)
    if unknown:
        near = closest_names(unknown[1], _fields_at(kind, field))
        field = f"{field}.{unknown[1]}" if field else unknown[1]
        what += f"; closest: {', '.join(map(repr, near))}" if near else ""
    return what[:1].lower() + what[1:], field


def _fields_at(kind: type[msgspec.Struct], table: str) -> tuple[str, ...]:
    """The fields that a table may have."""
    return tuple(_types_at(kind, table))


def _types_at(kind: type[msgspec.Struct], table: str) -> dict[str, Any]:
    """The types of the fields that a table may have."""
    found: Any = msgspec.inspect.type_info(kind)
    for name in re.findall(r"(\w+)(?:\[\d+\])*", table):
        found = _struct_in({entry.encode_name: entry.type for entry in getattr(found, "fields", ())}.get(name))
    return {entry.encode_name: entry.type for entry in getattr(found, "fields", ())}


def _choices_at(kind: type[msgspec.Struct], field: str) -> tuple[str, ...]:
    """The words that a field may hold; none if it is of another kind."""
    table, _, name = field.rpartition(".")
    info = _types_at(kind, table).get(re.sub(r"\[.*", "", name))
    for one in (info, *getattr(info, "types", ()), getattr(info, "item_type", None)):
        if isinstance(one, msgspec.inspect.LiteralType):
            return tuple(map(str, one.values))
    return ()


def _struct_in(info: Any) -> Any:
    """The struct that a field holds, perhaps in a list or beside other types; None if there is none."""
    if isinstance(info, msgspec.inspect.StructType):
        return info
    if isinstance(info, (msgspec.inspect.ListType, msgspec.inspect.VarTupleType)):
        return _struct_in(info.item_type)
    if isinstance(info, msgspec.inspect.UnionType):
        return next(filter(None, map(_struct_in, info.types)), None)
    return None


def _line_of(lines: list[str], steps: list[Step]) -> int:
    """The line, from 1, of the last step that can be found; 0 if none can."""
    begin, end, found, header = 0, len(lines), 0, ""
    for count, step in enumerate(steps):
        header = f"{header}.{step.name}" if header else step.name
        table = _table_in(lines, begin, end, header, step.number)
        if table is None:
            key = _key_in(lines, begin, end, step)
            # A key at the very top of a file is no part of a table that follows.
            return key or (found if count else 0)
        begin, end = table
        found = begin
    return found


def _table_in(lines: list[str], begin: int, end: int, header: str, number: int | None) -> tuple[int, int] | None:
    """Where the table ``header``, the one with ``number``, begins and ends within lines, counted from 1."""
    opening = f"[{header}]" if number is None else f"[[{header}]]"
    starts = [at for at in range(begin, end) if _bare(lines[at]) == opening]
    if len(starts) <= (number or 0):
        return None
    start = starts[number or 0]
    after = (at for at in range(start + 1, end) if _is_outside(_bare(lines[at]), header))
    return start + 1, next(after, end)


def _is_outside(line: str, header: str) -> bool:
    """Whether a line opens a table that is not within ``header``."""
    opened = re.match(r"\[\[?([\w.]+)\]\]?$", line)
    return bool(opened) and not opened[1].startswith(f"{header}.") if opened else False


def _key_in(lines: list[str], begin: int, end: int, step: Step) -> int:
    """The line of a key, or of an entry of its list where each entry has a line; 0 if it is not there."""
    for at in range(begin, end):
        if begin and re.match(r"\[\[?[\w.]+\]\]?$", _bare(lines[at])):
            return 0
        if re.match(rf"\s*{step.name}\s*=", lines[at]):
            rows = [row for row in range(at + 1, end) if _bare(lines[row]).startswith("[")]
            is_long = _bare(lines[at]).endswith("[") and step.number is not None and step.number < len(rows)
            return (rows[step.number or 0] if is_long else at) + 1
    return 0


def _bare(line: str) -> str:
    return line.split("#", 1)[0].strip()
