"""Options by name that several functions pass on: a `TypedDict` that a function takes as ``**options: Unpack[...]``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import FunctionType

from mummer.errors import UnknownNameError


def require_options(given: Mapping[str, object], kind: type, asker: str) -> None:
    """Raise for options that are none.

    Args:
        given: options by name.
        kind: the `TypedDict` of those that there are.
        asker: who asks, for errors: ``perform()``.

    Raises:
        UnknownNameError: with the closest.

    Example:
        >>> from mummer.retargeting.onto import Taking
        >>> require_options({"flor": 0.2}, Taking, "retarget()")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        mummer.errors.UnknownNameError: retarget() has no option 'flor'; closest: 'floor'...
    """
    known = list(kind.__annotations__)
    for name in given:
        if name not in known:
            raise UnknownNameError(asker, "option", name, known)


def parameters_of(function: FunctionType) -> dict[str, inspect.Parameter]:
    """The parameters of a function by name, those of its ``Unpack``ed options among them, which all may be left out."""
    found = {}
    for name, one in inspect.signature(function).parameters.items():
        if one.kind is not one.VAR_KEYWORD:
            found[name] = one
            continue
        # Annotations are text, and others of the same function may name what is imported for type checkers alone.
        options = function.__globals__[one.annotation.removeprefix("Unpack[").removesuffix("]")]
        for each in options.__annotations__:
            found[each] = inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, default=None)
    return found
