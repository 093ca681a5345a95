"""Bodies that need no file: ``zoo:NAME`` for one of the zoo, ``random:SEED`` for a random creature."""

from __future__ import annotations

from mummer.character import Character
from mummer.errors import InputError

ZOO_PREFIX, RANDOM_PREFIX = "zoo:", "random:"


def is_built_in(name: str) -> bool:
    """Whether ``name`` means a built-in body, and no file."""
    return name.startswith((ZOO_PREFIX, RANDOM_PREFIX))


def built_in(name: str) -> Character:
    """The body called ``zoo:NAME`` or ``random:SEED``.

    Raises:
        UnknownNameError: with the closest names of the zoo.
        InputError: if the seed is not a whole number from zero up.

    Example:
        >>> built_in("zoo:dog").name
        'dog'
    """
    if name.startswith(RANDOM_PREFIX):
        from mummer.zoo import random_creature

        return random_creature(parse_seed(name.removeprefix(RANDOM_PREFIX)))
    from mummer.zoo import body

    return body(name.removeprefix(ZOO_PREFIX))


def parse_seed(text: str) -> int:
    """A seed of a random creature.

    Raises:
        InputError: if it is not a whole number from zero up.
    """
    if not text.isdecimal():
        raise InputError(f"{text!r} is not a seed; expected a whole number from zero up, as in random:42")
    return int(text)
