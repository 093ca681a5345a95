"""Plays back to text: what `play_from_text` reads, with all that was said and nothing that was not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np

from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import BodyPoint
from mummer.model.style import load_style
from mummer.stage.actions import model_of
from mummer.stage.play import Part, Play

RENAMED = {"sketches": "sketch", "moods": "mood", "values": "set", "together": "with"}
"""Fields whose word in a file is another one."""
TABLES = {"pauses": "pause", "tweaks": "tweak"}
"""Fields of an action that are tables of their own."""


def play_to_text(play: Play) -> str:
    """A play as the text of a file.

    Raises:
        InputError: for an actor whose body is neither a name nor a file.

    Example:
        >>> print(play_to_text(Play("hello").actor("ann", "zoo:adult").do("ann", "wave", name="hi")))
        version = 1
        name = "hello"
        <BLANKLINE>
        [[actor]]
        name = "ann"
        body = "zoo:adult"
        <BLANKLINE>
        [[action]]
        name = "hi"
        actor = "ann"
        model = "wave"
        <BLANKLINE>
    """
    rows = ["version = 1", f"name = {_said(play.name)}", ""]
    for part in play.actors:
        rows += _table("actor", _fields(_named(part)))
    for prop in play.props:
        rows += _table("prop", _fields(prop))
    for doing in play.doings:
        rows += _table("action", {**_fields(doing), **doing.handling})
        for field, table in TABLES.items():
            for each in getattr(doing, field):
                rows += _table(f"action.{table}", _fields(each))
    for table, all_of in (("contact", play.contacts), ("move", play.moves)):
        for each in all_of:
            rows += _table(table, _fields(each))
    return "\n".join(rows)


def style_to_text(play: Play, action: str, name: str) -> str:
    """The text of a style file: how an action of a play is done, with its tweaks, for all actions of its model.

    Args:
        play: with the action.
        action: what the play calls it.
        name: of the style.

    Raises:
        UnknownNameError: if there is no such action.
        InputError: if it is not of a model, or one of its tweaks shifts time.

    Example:
        >>> from mummer.model.tweak import Tweak
        >>> play = Play("hello").actor("ann", "zoo:adult").do("ann", "nod", name="yes")
        >>> print(style_to_text(play.tweaked("yes", Tweak(1.5, "head", turn=(5, 0, 0))), "yes", "deep"))
        version = 1
        name = "deep"
        model = "nod"
        like = "performed"
        <BLANKLINE>
        [[tweak]]
        at = 1.5
        part = "head"
        turn = [5, 0, 0]
        <BLANKLINE>
    """
    known = {doing.name: doing for doing in play.doings}
    if action not in known:
        raise UnknownNameError(f"play {play.name!r}", "action", action, known)
    doing = known[action]
    model, own = model_of(doing.model, play.folder)
    if own is not None:
        raise InputError(f"{doing.model} is no model and has one style only; expected an action of a model")
    if any(tweak.later is not None for tweak in doing.tweaks):
        raise InputError(f"a tweak of {action!r} shifts time, which a style does in key times of its base motions")
    worn = {part.name: part.styles for part in play.actors}[doing.actor].get(doing.model, "")
    like = load_style(doing.style or worn or None, model).name if not doing.style.endswith(".toml") else doing.style
    rows = ["version = 1", f"name = {_said(name)}", f"model = {_said(model.name)}", f"like = {_said(like)}", ""]
    for tweak in doing.tweaks:
        rows += _table("tweak", _fields(tweak))
    return "\n".join(rows)


def _named(part: Part) -> Part:
    if not isinstance(part.body, (str, Path)):
        raise InputError(f"the body of {part.name!r} is not a file; expected a path or zoo:NAME to write a play")
    return part


def _fields(record: Any) -> dict[str, Any]:
    """What was said of a record: fields that are not as they would be anyway, by their words."""
    found = {}
    for entry in fields(record):
        value = getattr(record, entry.name)
        usual = entry.default_factory() if entry.default_factory is not MISSING else entry.default
        if entry.name not in (*TABLES, "handling") and not (type(value) is type(usual) and value == usual):
            found[RENAMED.get(entry.name, entry.name)] = value
    return found


def _table(name: str, entries: Mapping[str, Any]) -> list[str]:
    return [f"[[{name}]]", *(f"{key} = {_said(value)}" for key, value in entries.items()), ""]


def _said(value: Any) -> str:
    """A value as TOML has it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, BodyPoint):
        return _said(f"{value.part}@{','.join(f'{number:g}' for number in value.offset)}")
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(float(value)) if isinstance(value, (float, np.floating)) else str(int(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {_said(each)}" for key, each in value.items()) + "}"
    if isinstance(value, np.ndarray | Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_said(each) for each in value) + "]"
    return json.dumps(str(value), ensure_ascii=False)
