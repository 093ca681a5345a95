"""How a gait style is written: parameters by speed, in a text file that people edit."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from mummer.errors import MalformedFileError, UnknownNameError
from mummer.toml_text import parse_toml, read_toml_text

VERSION = 1
WHAT = "a gait style"


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of what a style holds: unknown fields are errors."""


class Row(Item, frozen=True, kw_only=True):
    """Parameters at one speed; those left out are taken from the speeds beside it. All are per leg lengths or degrees.

    Attributes:
        speed: relative to the leg: metres a second over the root of (9.81 × leg length). People walk at 0.45.
        duty: the part of a cycle in which a foot is on the ground.
        stride: length of a cycle, in those that animals choose at this speed.
        lift: how high feet are raised, in leg lengths.
        bob: how far hips rise over legs that stand, in leg lengths.
        sway: how far hips shift over legs that stand, in leg lengths.
        roll: degrees by which hips drop on the side of legs in flight.
        yaw: degrees by which hips turn along with legs.
        twist: degrees by which the chest turns the other way.
        lean: degrees by which the body leans where it goes.
        crouch: how far hips are lowered, in leg lengths.
        strike: degrees by which toes are up as a foot lands.
        push: degrees by which heels are up as a foot leaves.
        tiptoe: degrees by which heels are up all the time; 0 if left out everywhere.
        bounce: how much of gravity's due jumps have, 0 to 1.
        arms: degrees by which arms swing.
        fold: how far arms are bent, in parts of their length.
        drag: how much more arms are bent as they swing ahead, and less as they swing back, in parts of their length.
        spread: how far feet stand from the middle plane, relative to rest.
        behind: how far behind its home the middle of a foot's stand is, in leg lengths, where feet roll.
        heel_off: the part of a stand from which on heels rise; 0.6 if left out everywhere.
        gather: degrees by which a spine is bent at most as front legs land, and stretched as hind legs do; 0 if left
            out everywhere.
        nod: degrees by which heads go down at most before front legs land; 0 if left out everywhere.
        weak_duty, weak_dip, weak_lift, weak_shift: one leg that is spared: less time on the ground, how far hips drop
            over it in leg lengths, how much less it is lifted, how much earlier the others come to relieve it.
    """

    speed: float
    duty: float | None = None
    stride: float | None = None
    lift: float | None = None
    bob: float | None = None
    sway: float | None = None
    roll: float | None = None
    yaw: float | None = None
    twist: float | None = None
    lean: float | None = None
    crouch: float | None = None
    strike: float | None = None
    push: float | None = None
    tiptoe: float | None = None
    bounce: float | None = None
    arms: float | None = None
    fold: float | None = None
    drag: float | None = None
    spread: float | None = None
    behind: float | None = None
    heel_off: float | None = None
    gather: float | None = None
    nod: float | None = None
    weak_duty: float | None = None
    weak_dip: float | None = None
    weak_lift: float | None = None
    weak_shift: float | None = None


PARAMETERS = tuple(name for name in Row.__struct_fields__ if name != "speed")
OF_LEGS = ("duty", "lift", "strike", "push", "tiptoe", "heel_off", "spread", "behind")
"""Those that a group of legs may have of its own."""
OPTIONAL = frozenset(name for name in PARAMETERS if name.startswith("weak_")) | {
    "tiptoe", "drag", "behind", "heel_off", "gather", "nod"
}  # fmt: skip
UNSAID = {"heel_off": 0.6}
"""What those are where no style mentions them; 0 if it does not stand here."""


class Pattern(Item, frozen=True, kw_only=True):
    """When legs step, for bodies with a certain number of them, in parts of a cycle.

    Attributes:
        feet: legs in the group.
        rows: each [speed, side, lag, middle]: how much later legs on the right step than those on the left, how much
            later each leg than the one behind it, and how much later legs in the middle.
    """

    feet: int
    rows: list[tuple[float, float, float, float]]


class LegRows(Item, frozen=True, kw_only=True):
    """Parameters that one group of legs has of its own.

    Attributes:
        which: front or hind legs, or those between them (all of a body whose feet stand beside one another); or the
            left or right ones.
        at: parameters by speed, slowest first: those of `OF_LEGS`.
    """

    which: Literal["front", "middle", "hind", "left", "right"]
    at: list[Row]


class StyleText(Item, frozen=True, kw_only=True):
    """A style as it is written.

    Attributes:
        version: 1.
        name, description: what it is.
        layer: whether it only changes another style.
        at: parameters by speed, slowest first.
        pattern: when legs step.
        legs: what groups of legs have of their own.
        path: each [moment, ahead, up, heel, toe]: the way of a foot through the air, all 0 to 1: moments of the flight;
            how far it has come; how high; how much of the heel's raise is left; how much of the toes' raise is there.
    """

    version: int
    name: str
    description: str = ""
    layer: bool = False
    at: list[Row]
    pattern: list[Pattern] = []
    legs: list[LegRows] = []
    path: list[tuple[float, float, float, float, float]] = []


def parse_style(text: str, path: Path | str | None = None) -> StyleText:
    """The style that ``text`` (TOML) holds.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    found = parse_toml(text, StyleText, version=VERSION, what=WHAT, path=path)
    _check(found, path)
    return found


@lru_cache(maxsize=64)
def read_style(name: str) -> StyleText:
    """The style in a file, or one of the library by its name.

    Raises:
        UnknownNameError: with the nearest names of the library.
        MalformedFileError: if the file is not a style.
    """
    if name.endswith(".toml"):
        return parse_style(read_toml_text(name, WHAT), name)
    if name not in style_names():
        raise UnknownNameError("the gait library", "style", name, style_names())
    entry = files("mummer.general.gait") / "library" / f"{name}.toml"
    return parse_style(entry.read_text(encoding="utf-8"), f"{name}.toml")


@lru_cache(maxsize=1)
def style_names() -> tuple[str, ...]:
    """The styles that come with mummer."""
    folder = files("mummer.general.gait") / "library"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def _check(style: StyleText, path: Path | str | None) -> None:
    _check_rows(style.at, "at", path)
    for group in style.legs:
        _check_rows(group.at, "legs.at", path)
        said = {name for row in group.at for name in PARAMETERS if getattr(row, name) is not None}
        if others := sorted(said - set(OF_LEGS)):
            text = f"{others[0]} is of the whole body; of legs may be said {', '.join(OF_LEGS)}"
            raise MalformedFileError(path, text, place="legs.at")
    for pattern in style.pattern:
        rows = [row[0] for row in pattern.rows]
        if pattern.feet < 1 or not rows or sorted(set(rows)) != rows:
            raise MalformedFileError(
                path, "expected one foot or more, and rows with increasing speeds", place="pattern"
            )
    moments = [row[0] for row in style.path]
    if moments and (moments[0] != 0 or moments[-1] != 1 or sorted(set(moments)) != moments):
        raise MalformedFileError(path, "moments must increase from 0 to 1", place="path")
    if not style.layer:
        _check_base(style, path)


def _check_rows(rows: list[Row], place: str, path: Path | str | None) -> None:
    speeds = [row.speed for row in rows]
    if not speeds or sorted(set(speeds)) != speeds or speeds[0] < 0:
        raise MalformedFileError(path, "speeds must be 0 or more and increase from row to row", place=place)
    for row in rows:
        if row.duty is not None and not 0.1 <= row.duty <= 0.95:
            raise MalformedFileError(path, f"duty {row.duty:g}; expected 0.1 to 0.95", place=f"{place}.duty")


def _check_base(style: StyleText, path: Path | str | None) -> None:
    missing = [name for name in PARAMETERS if all(getattr(row, name) is None for row in style.at)]
    missing = [name for name in missing if name not in OPTIONAL]
    if missing or not style.path or not style.pattern:
        lacks = ", ".join(
            [*missing, *(["path"] if not style.path else []), *(["pattern"] if not style.pattern else [])]
        )
        raise MalformedFileError(path, f"lacks {lacks}; only a layer may leave things out", place="at")
