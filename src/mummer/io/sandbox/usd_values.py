"""Taking values out of usd-core."""

from __future__ import annotations

from typing import Any

from .transfer import Block, RefusedError, view

KINDS = {"d": "f8", "f": "f4", "e": "f2", "i": "i4", "I": "i4"}


def numbers(values: Any, *tail: int) -> Block | None:
    """An array attribute's value, or None if it has none."""
    if values is None:
        return None
    buffer = memoryview(values)
    if buffer.format not in KINDS:
        raise RefusedError("malformed", f"has an array of type {buffer.format!r} where numbers are expected")
    if tuple((buffer.shape or ())[1:]) != tail:
        raise RefusedError("malformed", f"has an array of shape {buffer.shape}; expected rows of {tail or 'one'}")
    return view(KINDS[buffer.format], buffer.cast("B") if buffer.nbytes else b"", *tail)


def matrix(value: Any) -> list[float]:
    """The sixteen numbers of a matrix for row vectors, row by row."""
    return [float(value[row][column]) for row in range(4) for column in range(4)]


def tokens(attribute: Any) -> list[str]:
    """The words of a token array attribute."""
    return [str(word) for word in (attribute.Get() or ())]


def label(prim: Any) -> str:
    """What people call a prim."""
    return str(prim.GetDisplayName() or prim.GetName())


def targets(relationship: Any) -> list[str]:
    """The paths that a relationship points at."""
    return [str(path) for path in relationship.GetForwardedTargets()] if relationship else []
