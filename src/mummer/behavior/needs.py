"""What behaviours need of a body, and how they say that it lacks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mummer.errors import InputError

if TYPE_CHECKING:
    from mummer.behavior.performer import Performer


def need(performer: Performer, capability: str, kind: str) -> tuple[int, ...]:
    """The joints of a body that can do something.

    Raises:
        InputError: if it has none, with what it has.
    """
    anatomy = performer.physique.anatomy
    found = anatomy.capabilities.get(capability, ())
    if not found:
        has = ", ".join(sorted(name for name, joints in anatomy.capabilities.items() if joints))
        raise InputError(f"{performer.character.name!r} has no {capability}, which {kind} needs; it has {has}")
    return found
