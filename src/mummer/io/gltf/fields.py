"""Checked access to the JSON of a document: every value has its type and range tested, every error names its place."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from mummer.errors import MalformedFileError

Json = dict[str, Any]


class Element:
    """One JSON object of a document and where it stands in it.

    Attributes:
        raw: the object itself.
        place: its address, for instance ``/nodes/3``.
        path: the file, for messages.
    """

    __slots__ = ("path", "place", "raw")

    def __init__(self, raw: Any, place: str, path: Path | None) -> None:
        if not isinstance(raw, dict):
            raise MalformedFileError(path, f"is {_kind(raw)}; expected an object", place=place)
        self.raw: Json = raw
        self.place = place
        self.path = path

    def error(self, what: str, key: str = "") -> MalformedFileError:
        """The error to raise about this object, or about one of its fields."""
        return MalformedFileError(self.path, what, place=f"{self.place}/{key}" if key else self.place)

    def __contains__(self, key: str) -> bool:
        return key in self.raw

    def integer(self, key: str, default: int | None = None, *, least: int = 0) -> int:
        """A whole number of at least ``least``; ``default`` if it is absent, an error if that is None."""
        value = self.raw.get(key, default)
        if type(value) is float and value.is_integer():
            value = int(value)
        if type(value) is not int or value < least:
            raise self.error(f"is {_kind(value)}; expected a whole number of at least {least}", key)
        return value

    def index(self, key: str, count: int, what: str) -> int | None:
        """A reference to one of ``count`` things called ``what``, or None if there is no such field."""
        if key not in self.raw:
            return None
        return self._checked_index(self.raw[key], count, what, key)

    def indices(self, key: str, count: int, what: str) -> list[int]:
        """A list of references; empty if there is no such field."""
        return [
            self._checked_index(value, count, what, f"{key}/{place}") for place, value in enumerate(self.items(key))
        ]

    def _checked_index(self, value: Any, count: int, what: str, key: str) -> int:
        if type(value) is float and value.is_integer():
            value = int(value)
        if type(value) is not int:
            raise self.error(f"is {_kind(value)}; expected the number of a {what}", key)
        if not 0 <= value < count:
            raise self.error(f"points at {what} {value}; there are {count}", key)
        return value

    def number(self, key: str, default: float) -> float:
        """A finite number, ``default`` if absent."""
        value = self.raw.get(key, default)
        if type(value) not in (int, float) or not _finite(value):
            raise self.error(f"is {_kind(value)}; expected a finite number", key)
        return float(value)

    def numbers(self, key: str, count: int, default: tuple[float, ...] | None = None) -> list[float]:
        """A list of ``count`` finite numbers; ``default`` if absent."""
        if key not in self.raw and default is not None:
            return list(default)
        values = self.items(key)
        if len(values) != count or not all(type(value) in (int, float) and _finite(value) for value in values):
            raise self.error(f"is not a list of {count} finite numbers", key)
        return [float(value) for value in values]

    def text(self, key: str, default: str = "") -> str:
        """A string, ``default`` if absent."""
        value = self.raw.get(key, default)
        if not isinstance(value, str):
            raise self.error(f"is {_kind(value)}; expected a string", key)
        return value

    def name(self) -> str:
        """The name of this object, or an empty string; a name of the wrong type counts as none."""
        value = self.raw.get("name")
        return value if isinstance(value, str) else ""

    def items(self, key: str) -> list[Any]:
        """A list, empty if absent."""
        value = self.raw.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.error(f"is {_kind(value)}; expected a list", key)
        return value

    def child(self, key: str) -> Element:
        """An object in this one; an error if absent."""
        return Element(self.raw.get(key), f"{self.place}/{key}", self.path)

    def optional(self, key: str) -> Element | None:
        """An object in this one, or None if absent."""
        return self.child(key) if key in self.raw else None

    def children(self, key: str) -> list[Element]:
        """The objects of a list in this one; empty if absent."""
        return [Element(raw, f"{self.place}/{key}/{place}", self.path) for place, raw in enumerate(self.items(key))]

    def extension(self, name: str) -> Element | None:
        """An extension of this object, or None if it has no such extension."""
        extensions = self.raw.get("extensions")
        if not isinstance(extensions, dict) or name not in extensions:
            return None
        return Element(extensions[name], f"{self.place}/extensions/{name}", self.path)


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        # A whole number with more digits than a float can hold.
        return False


def _kind(value: Any) -> str:
    if value is None:
        return "missing"
    if isinstance(value, str | int | float | bool):
        return repr(value)[:60]
    return "a list" if isinstance(value, list) else "an object"
