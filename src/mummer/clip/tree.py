"""How a clip prints: one operator a line, indented under the operator that it is part of."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mummer.character import Character, Pose, Recording
from mummer.clip.clip import Clip

MOST_LINES = 200
"""Lines after which a tree is cut off."""
MOST_NUMBERS = 4
"""Numbers that are printed one by one; of more, only how many there are."""


def tree(clip: Clip) -> str:
    """The clip as an indented tree.

    Example:
        >>> from mummer.clip.hold import Still
        >>> from mummer.clip.retimed import Shift
        >>> from mummer.zoo import body
        >>> dog = body("dog")
        >>> print(tree(Shift(Still(dog, dog.default_pose, 2.0), 1.0)))
        Shift(seconds=1), from 1 to 3 s
          Still(dog, pose=a pose, seconds=2)
    """
    lines = list(_first(_lines(clip, 0, ""), MOST_LINES))
    lines[0] += f", from {clip.start:g} to {clip.end:g} s"
    return "\n".join(lines)


def _first(lines: Iterator[str], most: int) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == most:
            yield "..."
            return
        yield line


def _lines(value: Any, depth: int, label: str) -> Iterator[str]:
    settings, children = [], []
    for field in dataclasses.fields(value):
        held = getattr(value, field.name)
        inner = _holders(held)
        if inner:
            children += [(field.name, each) for each in inner]
        elif not is_default(field, held):
            settings.append(_setting(field.name, held))
    yield f"{'  ' * depth}{label}{type(value).__name__}({', '.join(settings)})"
    for name, child in children:
        yield from _lines(child, depth + 1, f"{name}: " if len(children) > 1 and name != "segments" else "")


def _holders(value: Any) -> list[Any]:
    """The clips that a field holds, or things that are made of clips."""
    entries = value if isinstance(value, tuple) else (value,)
    return [entry for entry in entries if isinstance(entry, Clip) or _has_clips(entry)]


def _has_clips(value: Any) -> bool:
    if not dataclasses.is_dataclass(value) or isinstance(value, (type, Character, Recording, Pose)):
        return False
    return any(_holders(getattr(value, field.name)) for field in dataclasses.fields(value))


def is_default(field: dataclasses.Field[Any], value: Any) -> bool:
    """Whether a field need not be told: it has the value that it has when nothing is said, or is no setting."""
    if not field.metadata.get("told", True):
        return True
    default = field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default
    if default is dataclasses.MISSING or isinstance(value, np.ndarray):
        return False
    return value is default or (type(value) is type(default) and bool(value == default))


def _setting(name: str, value: Any) -> str:
    if isinstance(value, Character):
        return value.name
    if isinstance(value, Recording):
        return f"{value.name!r}, {len(value.key_times)} key times"
    return f"{name}={_short(value)}"


def _short(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, (float, np.floating)):
        return f"{value:g}"
    if isinstance(value, np.ndarray):
        return f"{'x'.join(str(size) for size in value.shape)} numbers"
    if isinstance(value, Pose):
        return "a pose"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_short(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, tuple):
        if len(value) <= MOST_NUMBERS and not any(dataclasses.is_dataclass(entry) for entry in value):
            return "(" + ", ".join(_short(entry) for entry in value) + ("," if len(value) == 1 else "") + ")"
        kinds = {type(entry).__name__.lower() for entry in value}
        return f"{len(value)} {kinds.pop() if len(kinds) == 1 else 'value'}{'' if len(value) == 1 else 's'}"
    if not dataclasses.is_dataclass(value):
        return repr(value)
    told = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)
            if not is_default(field, getattr(value, field.name))}  # fmt: skip
    return f"{type(value).__name__}({', '.join(_setting(name, held) for name, held in told.items())})"
