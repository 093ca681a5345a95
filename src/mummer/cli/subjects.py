"""What the commands work on: a file, a body of the zoo (``zoo:dog``) or a random creature (``random:42``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mummer.character import Character

SUBJECT_HELP = "A file, zoo:NAME for a built-in body, or random:SEED for a random creature."


def load_subject(text: str) -> Character:
    """The character that ``text`` names on the command line; see `mummer.load`."""
    from mummer.io import load

    return load(text)
