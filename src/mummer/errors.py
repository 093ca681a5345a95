"""Every error that mummer raises on purpose.

The tree::

    MummerError
    ├── InputError            a value given by the caller is wrong (also a ValueError)
    │   └── UnknownNameError  a name that does not exist (also a KeyError)
    ├── FileError             something about a file
    │   ├── UnknownFormatError   what the file is cannot be told, or no reader knows it
    │   ├── MalformedFileError   the file contradicts its own format
    │   └── LimitError           the file asks for more than the stated limits allow
    └── MissingExtraError     an optional part is not installed (also an ImportError)

Each prints as one line that says what is wrong, where, and what would be right, and keeps those parts as attributes.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable
from pathlib import Path

TRACEBACK_VARIABLE = "MUMMER_TRACEBACK"
"""The environment variable that has faults of mummer itself shown with where they happened."""


class MummerError(Exception):
    """Base of every error that mummer raises on purpose."""


class InputError(MummerError, ValueError):
    """A value given by the caller is wrong."""


class UnknownNameError(InputError, KeyError):
    """A name that does not exist where it was looked up.

    Attributes:
        owner: what was searched, for instance ``skeleton 'hero'``.
        kind: what was looked for, for instance ``joint``.
        name: the name that was asked for.
        closest: the nearest names that do exist, best first.
    """

    LISTED = 20
    """Names that are listed where none is close."""

    def __init__(self, owner: str, kind: str, name: str, choices: Iterable[str]) -> None:
        self.owner, self.kind, self.name = owner, kind, name
        known = [choice for choice in choices if choice]
        self.closest = closest_names(name, known)
        hint = f"; closest: {', '.join(repr(choice) for choice in self.closest)}" if self.closest else ""
        if known and (not hint or len(known) <= self.LISTED):
            more = f" and {len(known) - self.LISTED} more" if len(known) > self.LISTED else ""
            hint += f"; there {'is' if len(known) == 1 else 'are'} {', '.join(known[: self.LISTED])}{more}"
        super().__init__(f"{owner} has no {kind} {name!r}{hint}")

    def __str__(self) -> str:
        # KeyError would print the repr of its message.
        return str(self.args[0])


class FileError(MummerError):
    """Something is wrong with a file.

    Attributes:
        path: the file, or None for data that never was one.
        what: what is wrong, without the path.
        place: where in the file (a line, a field), or an empty string.
    """

    def __init__(self, path: Path | str | None, what: str, *, place: str = "") -> None:
        self.path = None if path is None else Path(path)
        self.what, self.place = what, place
        where = "data" if path is None else str(path)
        super().__init__(f"{where}{': ' + place if place else ''}: {what}")


class UnknownFormatError(FileError):
    """What the file is cannot be told, or no reader knows it."""


class MalformedFileError(FileError):
    """The file contradicts its own format so that the body or the motion cannot be known."""


class LimitError(FileError):
    """The file asks for more than the stated limits allow."""


class MissingExtraError(MummerError, ImportError):
    """An optional part is not installed.

    Attributes:
        extra: the name of the extra that would bring it.
    """

    def __init__(self, extra: str, purpose: str) -> None:
        self.extra = extra
        super().__init__(f"{purpose} needs the extra '{extra}': pip install 'mummer[{extra}]'")


def internal_error(error: BaseException) -> str:
    """The line for a fault of mummer itself; where it happened is printed first if `TRACEBACK_VARIABLE` is set."""
    what = f"internal error: {type(error).__name__}: {error}"
    if not os.environ.get(TRACEBACK_VARIABLE):
        return f"{what} (set {TRACEBACK_VARIABLE}=1 to see where)"
    import traceback

    sys.stderr.write("".join(traceback.format_exception(error)))
    return what


def closest_names(name: str, choices: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """The names nearest in spelling to ``name``, best first, ignoring case and what stands before it.

    Example:
        >>> closest_names("LeftHnad", ["LeftHand", "RightHand", "Spine"])
        ('LeftHand',)
        >>> closest_names("LeftHnad", ["mixamorig:LeftHand", "mixamorig:Spine"])
        ('mixamorig:LeftHand',)
    """
    said = name.casefold()
    near = {choice: max(_likeness(said, choice), 0.95 * _likeness(said, choice[-len(said) :])) for choice in choices}
    found = sorted((choice for choice in near if near[choice] >= LIKE), key=lambda choice: -near[choice])
    return tuple(found[:most])


LIKE = 0.6
"""Names that are less alike than this (1 for the same, 0 for no letter in common) are not offered for each other."""


def _likeness(said: str, choice: str) -> float:
    matcher = difflib.SequenceMatcher(None, said, choice.casefold())
    return matcher.ratio() if matcher.real_quick_ratio() >= LIKE and matcher.quick_ratio() >= LIKE else 0.0
