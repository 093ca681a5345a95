"""What the commands work on: a file, a body of the zoo (``zoo:dog``) or a random creature (``random:42``)."""

from __future__ import annotations

from pathlib import Path

from mummer.character import Character
from mummer.errors import InputError

ZOO_PREFIX, RANDOM_PREFIX = "zoo:", "random:"
SUBJECT_HELP = "A file, zoo:NAME for a built-in body, or random:SEED for a random creature."


def load_subject(text: str) -> Character:
    """The character that ``text`` names on the command line.

    Raises:
        MummerError: in one line, if there is no such thing.
    """
    if text.startswith(ZOO_PREFIX):
        from mummer.zoo import body

        return body(text.removeprefix(ZOO_PREFIX))
    if text.startswith(RANDOM_PREFIX):
        from mummer.zoo import random_creature

        return random_creature(parse_seed(text.removeprefix(RANDOM_PREFIX)))
    from mummer.io import load

    return load(Path(text))


def parse_seed(text: str) -> int:
    """A seed of a random creature.

    Raises:
        InputError: if it is not a whole number from zero up.
    """
    if not text.isdecimal():
        raise InputError(f"{text!r} is not a seed; expected a whole number from zero up, as in random:42")
    return int(text)
