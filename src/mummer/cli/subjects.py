"""What the commands work on: a file, a body of the zoo (``zoo:dog``) or a random creature (``random:42``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from mummer.character import Character
    from mummer.clip.carriers import Choice

SUBJECT_HELP = "A file, zoo:NAME for a built-in body, or random:SEED for a random creature."
UNIT = typer.Option(
    "", "--unit", help="Of a file that states none (.bvh .asf .amc .sk .skm): m, cm, mm, inch ...", metavar="UNIT"
)
SKELETON_HELP = "The skeleton of a .skm or .amc motion, where it does not lie beside it."
SKELETON = typer.Option("", "--skeleton", "--skeleton-file", help=SKELETON_HELP, metavar="FILE")
TRAVEL_HELP = "The joint that carries the body about: as in its own animations, its hips, or a separate root."


def load_subject(text: str, *, unit: str = "", skeleton: str = "") -> Character:
    """The character that ``text`` names on the command line, see `mummer.load`; options if they say something."""
    from mummer.io import load

    said: dict[str, Any] = {name: value for name, value in (("unit", unit), ("skeleton", skeleton)) if value}
    return load(text, **said)


def travel_of(text: str) -> Choice:
    """Which joints carry a body about, as ``--travel`` says it.

    Raises:
        UnknownNameError: with the choices.
    """
    from mummer.clip.carriers import CHOICES
    from mummer.errors import UnknownNameError

    found = next((choice for choice in CHOICES if choice == text), None)
    if found is None:
        raise UnknownNameError("--travel", "choice", text, CHOICES)
    return found
