"""Clips as text: every value as the expression that makes it."""

from __future__ import annotations

import dataclasses
import json
import math
import textwrap
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mummer.character import Character, Recording
from mummer.clip.clip import Clip
from mummer.clip.text_names import HEADER, VALUES, operators, reference, told_fields
from mummer.clip.tree import is_default
from mummer.errors import InputError

WIDTH = 110
"""Characters of a line beyond which the arguments of an operator get lines of their own."""


def write(clip: Clip, folder: Path, bodies: Mapping[str, Character]) -> str:
    """The text of ``clip``, for a file in ``folder``.

    Raises:
        InputError: if something in it cannot be said in text.
    """
    writer = _Writer(folder, bodies, _uses(clip))
    last = writer.value(clip)
    return "\n".join([HEADER, *writer.definitions, last, ""])


def _uses(clip: Clip) -> Counter[int]:
    """How often each clip is part of others, by identity."""
    found: Counter[int] = Counter()
    waiting = [clip]
    while waiting:
        for part in waiting.pop().parts:
            found[id(part)] += 1
            if found[id(part)] == 1:
                waiting.append(part)
    return found


class _Writer:
    """Writes values, and sets aside those clips that several others share."""

    def __init__(self, folder: Path, bodies: Mapping[str, Character], uses: Counter[int]) -> None:
        self.folder, self.bodies, self.uses = folder, bodies, uses
        self.operators = operators()
        self.definitions: list[str] = []
        self.names: dict[int, str] = {}

    def value(self, value: Any) -> str:
        if isinstance(value, Clip):
            return self._clip(value)
        if isinstance(value, Character):
            return json.dumps(reference(value, self.folder, self.bodies), ensure_ascii=False)
        if isinstance(value, np.ndarray):
            return self.value(value.tolist())
        if isinstance(value, Mapping):
            entries = [f"{self.value(key)}: {self.value(entry)}" for key, entry in value.items()]
            return "{" + ", ".join(entries) + "}"
        if isinstance(value, (tuple, list)):
            return _bracketed([self.value(entry) for entry in value])
        if VALUES.get(type(value).__name__) is type(value):
            return self._call(value)
        return _plain(value)

    def _clip(self, clip: Clip) -> str:
        if id(clip) in self.names:
            return self.names[id(clip)]
        if self.operators.get(type(clip).__name__) is not type(clip):
            raise InputError(f"{type(clip).__name__} has no form in text")
        text = self._call(clip)
        if self.uses[id(clip)] < 2:
            return text
        name = self.names[id(clip)] = f"clip_{len(self.names) + 1}"
        self.definitions.append(f"{name} = {text}")
        return name

    def _call(self, value: Any) -> str:
        """A constructor with its arguments: what it is made of first, then the settings by name."""
        arguments, named = [], False
        for field in told_fields(value):
            held = getattr(value, field.name)
            if is_default(field, held):
                named = True
                continue
            text = self._recording(value, held) if isinstance(held, Recording) else self.value(held)
            is_made_of = isinstance(held, (Clip, Character, Recording)) or not isinstance(value, Clip)
            named = named or not is_made_of or bool(field.kw_only) or field.default is not dataclasses.MISSING
            arguments.append(f"{field.name}={text}" if named else text)
        return _laid_out(f"{type(value).__name__}(", arguments, ")")

    def _recording(self, owner: Any, recording: Recording) -> str:
        """A recording by its name, if the body of the same clip brings it along; else with all that it holds."""
        brought = getattr(owner, "character", None)
        if isinstance(brought, Character):
            same = [each for each in brought.recordings if each.name == recording.name]
            if len(same) == 1 and same[0] is recording:
                return json.dumps(recording.name, ensure_ascii=False)
        return self._call(recording)


def _laid_out(opening: str, arguments: list[str], closing: str) -> str:
    line = opening + ", ".join(arguments) + closing
    if len(line) <= WIDTH and "\n" not in line:
        return line
    inside = textwrap.indent(",\n".join(arguments) + ",", "    ")
    return f"{opening}\n{inside}\n{closing}"


def _bracketed(entries: list[str]) -> str:
    if len(entries) == 1:
        return f"({entries[0]},)"
    if any("\n" in entry for entry in entries):
        return _laid_out("(", entries, ")")
    return "(" + ", ".join(entries) + ")"


def _plain(value: Any) -> str:
    if value is None or isinstance(value, (bool, np.bool_)):
        return repr(value if value is None else bool(value))
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, np.integer)):
        return repr(int(value))
    if isinstance(value, (float, np.floating)) and math.isfinite(value):
        return repr(float(value))
    raise InputError(f"{value!r} of type {type(value).__name__} has no form in the text of a clip")
