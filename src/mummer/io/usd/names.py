"""Names that USD accepts for prims and joints."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mummer.character import unique_names


def identifiers(names: Iterable[str], *, taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Names as prims may have them: letters, digits and underscores, no digit first, each once.

    Example:
        >>> identifiers(["mixamorig:Hips", "mixamorig_Hips", "3rd arm"])
        ('mixamorig_Hips', 'mixamorig_Hips_2', '_3rd_arm')
    """
    fixed = list(taken)
    reserved = len(fixed)
    plain = [*fixed, *(_identifier(name) for name in names)]
    return tuple(name.replace("#", "_") for name in _unique(plain))[reserved:]


def _unique(names: list[str]) -> tuple[str, ...]:
    # Numbering with "#" and writing it as "_" could meet a name that has the "_" already: then once more.
    unique = unique_names(names)
    while len({name.replace("#", "_") for name in unique}) < len(unique):
        unique = unique_names([name.replace("#", "_") for name in unique])
    return unique


def _identifier(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    return f"_{plain}" if plain[0].isdigit() else plain
