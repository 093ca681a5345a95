"""Plays back to text: what `play_from_text` reads, with all that was said and nothing that was not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np

from mummer.errors import InputError
from mummer.ik.body_point import BodyPoint
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
