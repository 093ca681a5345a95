"""Players: what makes the motion of a cell, found by name so that every process can find it."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from mummer.character import Character
from mummer.clip.clip import Clip
from mummer.errors import InputError, MummerError

Player = Callable[[str, Character], Clip]
"""Gives the motion of the animation of that name on that body, or raises `NotAdmittedError`."""

PERFORM = "mummer.grid.player:perform"
"""The player of the general animations."""


class NotAdmittedError(MummerError):
    """The animation is not meant for this body: none of its branches admits it."""


def find_player(name: str) -> Player:
    """The player that ``name`` says, as ``module:function``.

    Raises:
        InputError: if there is none.
    """
    module, colon, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function) if colon else None
    except (ImportError, AttributeError):
        found = None
    if not callable(found):
        raise InputError(f"there is no player {name!r}; expected module:function, such as {PERFORM}")
    player: Player = found
    return player


def perform(animation: str, body: Character) -> Clip:
    """A general animation or a gait on a body: the player that the grid uses unless told otherwise.

    Raises:
        NotAdmittedError: if none of the animation's branches admits the body.
    """
    from mummer.engine import perform as performed
    from mummer.general import bind, load_animation, physique_of
    from mummer.general.gait import style_names

    if animation in style_names():
        return performed(body, animation)
    loaded = load_animation(animation)
    try:
        bind(loaded, physique_of(body))
    except InputError as refusal:
        raise NotAdmittedError(str(refusal)) from None
    return performed(body, loaded)


def performable() -> tuple[str, ...]:
    """Every animation of the library, and every gait, in alphabetical order."""
    from mummer.general import animation_names
    from mummer.general.gait import style_names

    return tuple(sorted({*animation_names(), *style_names()}))
