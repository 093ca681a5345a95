"""Whatever says a body: a path, ``zoo:NAME``, ``random:SEED``, a character, or a clip of one."""

from __future__ import annotations

import os
from typing import Any, Protocol, TypeAlias, runtime_checkable

from mummer.character import Character
from mummer.errors import InputError
from mummer.io.files import load


@runtime_checkable
class OfBody(Protocol):
    """What knows whose it is, such as a clip."""

    @property
    def body(self) -> Character:
        """The body."""


BodyLike: TypeAlias = "str | os.PathLike[str] | Character | OfBody"
"""A path, ``zoo:NAME`` for a built-in body, ``random:SEED`` for a random creature, a character, or a clip of one."""


def as_character(given: BodyLike | Any, *, asker: str) -> Character:
    """The body that ``given`` says.

    Args:
        given: see `BodyLike`.
        asker: who asks, for the error: ``recognize()``.

    Raises:
        InputError: if it says none.
        MummerError: if there is no such file or body, or it cannot be read.

    Example:
        >>> as_character("zoo:dog", asker="example").name
        'dog'
    """
    if isinstance(given, Character):
        return given
    if isinstance(given, (str, os.PathLike)):
        return load(given)
    if isinstance(given, OfBody) and isinstance(given.body, Character):
        return given.body
    raise InputError(f"{asker} expected a body: a path, 'zoo:NAME', a character or a clip; got {kind_of(given)}")


def kind_of(given: object) -> str:
    """What somebody gave, in a word, for errors.

    Example:
        >>> kind_of(3), kind_of(None), kind_of(int)
        ('int', 'None', 'the class int')
    """
    if given is None:
        return "None"
    return f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__
