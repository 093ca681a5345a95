"""What the text of a clip may speak of: operators, values, and where bodies come from."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mummer.character import Character, Curve, Pose, Recording
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.ground_path import RootMotion
from mummer.clip.keys import Key, Track
from mummer.clip.segment import Glue, Segment
from mummer.clip.warp_key import SpaceWarpKey
from mummer.errors import InputError

HEADER = "mummer clip 1"
"""The first line of the text; the number is the version of the form."""
VALUES: dict[str, type] = {
    kind.__name__: kind for kind in (Curve, Glue, Key, Mark, Pose, Recording, RootMotion, Segment, SpaceWarpKey, Track)
}
"""What is not a clip but part of one."""


def operators() -> dict[str, type[Clip]]:
    """Every operator by name; a new one is there as soon as its file is imported."""
    from mummer import clip
    from mummer.clip.elsewhere import HOMES, elsewhere

    for name in clip.__all__:
        getattr(clip, name)
    for name in HOMES:
        elsewhere(name)
    return {
        name: kind
        for name, kind in sorted(Clip.OPERATORS.items())
        if not inspect.isabstract(kind) and name != "Beneath"
    }


def register_values(*kinds: type) -> None:
    """Let texts speak of values of these dataclasses, which operators defined elsewhere are made of."""
    VALUES.update({kind.__name__: kind for kind in kinds})


def told_fields(kind: Any) -> list[dataclasses.Field[Any]]:
    """The fields of a dataclass in the order of its constructor: those that must be named come last."""
    return sorted(dataclasses.fields(kind), key=lambda field: bool(field.kw_only))


def reference(character: Character, folder: Path, bodies: Mapping[str, Character]) -> str:
    """How a text in ``folder`` names a body: one of ``bodies``, ``zoo:NAME``, ``random:SEED``, or a file.

    Raises:
        InputError: if nothing tells where the body comes from, or its file is outside the folder.
    """
    for name, each in bodies.items():
        if each is character or each.skeleton is character.skeleton:
            return name
    source = character.source
    details = {} if source is None else source.details
    if "seed" in details:
        return f"random:{details['seed']}"
    if source is not None and source.format == "zoo" and details.get("name") in _zoo_names():
        return f"zoo:{details['name']}"
    if source is None or source.path is None:
        raise InputError(
            f"the text of a clip cannot say where {character.name!r} comes from; save it to a file and load it, or "
            "give it a name in bodies"
        )
    file, home = source.path.resolve(), folder.resolve()
    if not file.is_relative_to(home):
        raise InputError(f"{file.name} is not in or below {folder}, where the text of a clip may refer to it")
    return file.relative_to(home).as_posix()


def _zoo_names() -> tuple[str, ...]:
    from mummer.zoo import names

    return tuple(names())


def resolve(name: str, folder: Path, bodies: Mapping[str, Character]) -> Character:
    """The body that ``name`` means in a text in ``folder``; the other way round than `reference`.

    Raises:
        MummerError: if there is no such body, or a file outside the folder is meant.
    """
    if name in bodies:
        return bodies[name]
    from mummer.io import load
    from mummer.io.built_in import is_built_in
    from mummer.io.guard import path_beside

    return load(name if is_built_in(name) else path_beside(folder / "clip", name))


def kind_of(field: dataclasses.Field[Any]) -> str:
    """The type of a field as its file spells it."""
    return field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
