"""A body whose anatomy is known: its own, or found out now."""

from __future__ import annotations

from typing import cast

from mummer.character import Character
from mummer.recognition.recognize import recognize

_KEPT = "_recognized"


def recognized(character: Character) -> Character:
    """The character with an anatomy: its own, or a recognised one.

    What was recognised is kept in the character, which never changes: whoever asks again gets the same.
    """
    if character.anatomy is not None and character.anatomy.roles:
        return character
    found = character.__dict__.get(_KEPT)
    if found is None:
        found = character.__dict__[_KEPT] = character.replace(anatomy=recognize(character))
    return cast(Character, found)
