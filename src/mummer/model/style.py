"""Styles: how an action is done, as a set of annotated base motions. Plain files, swapped without touching a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from mummer.character.marks import Mark
from mummer.errors import InputError, UnknownNameError
from mummer.model.model import VERSION, Checking, GoalRule, Model, check_moment, load_model
from mummer.model.parameter import Value
from mummer.model.tweak import Tweak
from mummer.toml_text import parse_toml, read_toml_text

PERFORMED = "performed"
"""What the style is called that a model has where it says nothing else."""
LIBRARY = Path(__file__).parent / "library"
STYLES, ANIMATIONS = LIBRARY / "styles", LIBRARY / "animations"


@dataclass(frozen=True)
class Footstep:
    """One step of one foot; what is None is not there.

    Attributes:
        foot: its role.
        lift_off, heel_strike, toe_strike: seconds of the base motion.
    """

    foot: str
    lift_off: float | None = None
    heel_strike: float | None = None
    toe_strike: float | None = None


@dataclass(frozen=True)
class BaseMotion:
    """One motion of a style, annotated.

    Attributes:
        name: what it is called.
        file, clip, skeleton, unit: where the recording is, which of several, and what its file does not say.
        perform: instead of a recording: a general animation or a gait that every body can play, by name or file.
        begin, finish: seconds of the file that count; all if None.
        key_times: seconds by name, as far as they are known; others are proposed.
        footsteps: or None, to find them.
        part: the part that acts, ``right_hand``; empty to take the one that moves most.
        values: of the model's parameters that this motion shows; positions that are not given are measured.
        speed: how fast it is played.
        mirrored: whether it may also serve the other side, as its mirror image.
    """

    name: str
    file: str = ""
    clip: str = ""
    skeleton: str = ""
    unit: str = ""
    perform: str = ""
    begin: float | None = None
    finish: float | None = None
    key_times: Mapping[str, float] = field(default_factory=dict)
    footsteps: tuple[Footstep, ...] | None = None
    part: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    speed: float = 1.0
    mirrored: bool = True


@dataclass(frozen=True, eq=False)
class Style:
    """A consistently performed set of base motions for one model.

    Attributes:
        name, model, description: what it is called and of which model it is.
        motions: its base motions; one that is performed, or one or more that were recorded; none of a combination,
            whose layers have their own.
        defaults: values of its own for what nobody sets.
        transition: overrides what the model says.
        folder: files are found from here.
        goals: what it keeps besides what the model does: a hand on a hip.
        tweaks: corrections of all its base motions.
    """

    name: str
    model: str
    motions: tuple[BaseMotion, ...]
    description: str = ""
    defaults: Mapping[str, Value] = field(default_factory=dict)
    transition: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = field(default_factory=lambda: STYLES)
    goals: tuple[GoalRule, ...] = ()
    tweaks: tuple[Tweak, ...] = ()

    @property
    def is_performed(self) -> bool:
        """Whether the live engine plays it, on any body, rather than recordings being blended."""
        return bool(self.motions) and bool(self.motions[0].perform)


class FootstepText(Struct, frozen=True, forbid_unknown_fields=True):
    """See `Footstep`."""

    foot: str
    lift_off: float | None = None
    heel_strike: float | None = None
    toe_strike: float | None = None


class MotionText(Struct, frozen=True, forbid_unknown_fields=True):
    """See `BaseMotion`."""

    name: str = ""
    file: str = ""
    clip: str = ""
    skeleton: str = ""
    unit: str = ""
    perform: str = ""
    begin: float | None = None
    finish: float | None = None
    key_times: dict[str, float] = msgspec.field(default_factory=dict)
    footstep: list[FootstepText] | None = None
    part: str = ""
    values: dict[str, Any] = msgspec.field(default_factory=dict)
    speed: float = 1.0
    mirrored: bool = True


class TweakText(Struct, frozen=True, forbid_unknown_fields=True):
    """See `Tweak`."""

    at: float | str
    part: str = ""
    turn: tuple[float, float, float] | None = None
    move: tuple[float, float, float] | None = None
    later: float | None = None


class StyleText(Struct, frozen=True, forbid_unknown_fields=True):
    """See `Style`; one that is ``like`` another has its motions, and what else it does not say itself."""

    version: int
    name: str
    model: str
    motion: list[MotionText] = msgspec.field(default_factory=list)
    like: str = ""
    goal: list[GoalRule] = msgspec.field(default_factory=list)
    tweak: list[TweakText] = msgspec.field(default_factory=list)
    description: str = ""
    defaults: dict[str, Any] = msgspec.field(default_factory=dict)
    transition: dict[str, Any] = msgspec.field(default_factory=dict)


def style_names(model: str | Model) -> tuple[str, ...]:
    """The styles of the library for a model, the one that is taken by default first.

    A combination has those of all of its layers; each layer is done in it if it knows it.
    """
    of = load_model(model)
    if of.layers:
        return PERFORMED, *sorted({name for layer in of.layers for name in style_names(layer.model)} - {PERFORMED})
    first = of.style or PERFORMED
    found = sorted((STYLES / of.name).glob("*.toml"), key=lambda path: (path.stem != first, path.stem))
    return tuple(path.stem for path in found)


def load_style(given: str | Path | Style | None, model: Model) -> Style:
    """The style of the library that is called so, that a file holds, or the first of the model.

    Raises:
        UnknownNameError: if there is none, with the closest.
        InputError: if it is a style of another model.
        MalformedFileError: naming file, line and field.
    """
    if isinstance(given, Style):
        found = given
    elif isinstance(given, Path) or str(given).endswith(".toml"):
        path = Path(str(given))
        found = style_from_text(read_toml_text(path, "a style"), path, model)
    else:
        names = style_names(model)
        if not names:
            raise InputError(f"model {model.name!r} has no style of its own; give one: a file that lists base motions")
        if given is not None and given not in names:
            raise UnknownNameError(f"model {model.name!r}", "style", str(given), names)
        chosen = str(given or names[0])
        found = Style(chosen, model.name, ()) if model.layers else _library(model.name, chosen)
    if found.model != model.name:
        raise InputError(f"style {found.name!r} is one of {found.model!r}, not of {model.name!r}")
    return found


@lru_cache(maxsize=256)
def _library(model: str, name: str) -> Style:
    path = STYLES / model / f"{name}.toml"
    return style_from_text(read_toml_text(path, "a style"), path, load_model(model))


def style_from_text(text: str, path: Path | None = None, model: Model | None = None) -> Style:
    """The style that a text holds.

    Args:
        text: TOML.
        path: where it came from; files are found from its folder.
        model: the model that it is for, if that is no model of the library.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    fields = parse_toml(text, StyleText, version=VERSION, what="a style", path=path)
    checking = Checking(text, path)
    with checking.at("model"):
        of = model if model is not None and model.name == fields.model else load_model(fields.model)
    folder = Path(".") if path is None else Path(path).parent
    with checking.at("like"):
        file = folder / fields.like
        base = load_style(file if file.is_file() else fields.like, of) if fields.like else None
    with checking.at("motion"):
        if bool(fields.motion) == bool(fields.like):
            raise InputError("expected base motions, one or more, or another style that this one is like")
        if any(each.perform for each in fields.motion) and len(fields.motion) > 1:
            raise InputError("a motion that is performed stands alone; expected one, or recordings")
    motions = tuple(
        _motion(each, f"motion[{number}]", number, of, checking) for number, each in enumerate(fields.motion)
    )
    with checking.at("defaults"):
        defaults = {name: of.parameter(name).read(value) for name, value in fields.defaults.items()}
    checking.transition(fields.transition, of)
    made = Style(
        fields.name, fields.model, motions, fields.description, defaults, fields.transition, folder,
        checking.goals(fields.goal, of), _tweaks(fields.tweak, of, checking),
    )  # fmt: skip
    return made if base is None else _upon(base, made)


def _upon(base: Style, style: Style) -> Style:
    """A style with the motions of another, and what that says where it says nothing itself."""
    return replace(
        style, motions=base.motions, folder=base.folder, defaults={**base.defaults, **style.defaults},
        transition={**base.transition, **style.transition}, goals=(*base.goals, *style.goals),
        tweaks=(*base.tweaks, *style.tweaks),
    )  # fmt: skip


def _tweaks(fields: list[TweakText], model: Model, checking: Checking) -> tuple[Tweak, ...]:
    made = []
    for number, each in enumerate(fields):
        with checking.at(f"tweak[{number}]"):
            check_moment(model, each.at)
            if each.later is not None:
                raise InputError("time is corrected in key times of base motions; expected turn or move")
            made.append(Tweak(**msgspec.structs.asdict(each)))
    return tuple(made)


def _motion(fields: MotionText, where: str, number: int, model: Model, checking: Checking) -> BaseMotion:
    with checking.at(f"{where}.file"):
        if bool(fields.file) == bool(fields.perform):
            raise InputError("a base motion comes from a file or is performed; expected one of file and perform")
    with checking.at(f"{where}.key_times"):
        for name in fields.key_times:
            if name not in model.key_times:
                raise UnknownNameError(f"model {model.name!r}", "key time", name, model.key_times)
        known = [fields.key_times[name] for name in model.key_times if name in fields.key_times]
        if sorted(known) != known:
            raise InputError(f"key times are at {', '.join(f'{time:g}' for time in known)} s; expected them in order")
    with checking.at(f"{where}.values"):
        values = {name: model.parameter(name).read(value) for name, value in fields.values.items()}
    with checking.at(f"{where}.speed"):
        if not 0 < fields.speed < 100:
            raise InputError(f"a speed of {fields.speed:g} makes no sense; expected a positive number")
    steps = (
        None if fields.footstep is None else tuple(Footstep(**msgspec.structs.asdict(each)) for each in fields.footstep)
    )
    return BaseMotion(
        fields.name or Path(fields.file or fields.perform).stem or f"motion {number}", fields.file, fields.clip,
        fields.skeleton, fields.unit, fields.perform, fields.begin, fields.finish, fields.key_times, steps, fields.part,
        values, fields.speed, fields.mirrored,
    )  # fmt: skip


def stands_from(footsteps: tuple[Footstep, ...], start: float, end: float) -> tuple[Mark, ...]:
    """When heels and toes stand, as marks: all the time but from each lift-off to the strikes that follow.

    Args:
        footsteps: of any feet, in any order.
        start: seconds from which on feet stand at all.
        end: and until when.
    """
    marks = []
    for foot in sorted({step.foot for step in footsteps}):
        steps = sorted((step for step in footsteps if step.foot == foot), key=lambda step: _when(step))
        heel = toe = start
        for step in steps:
            if step.lift_off is not None:
                marks += [Mark(heel, f"{foot} heel_down", max(heel, step.lift_off))]
                marks += [Mark(toe, f"{foot} toe_down", max(toe, step.lift_off))]
            strikes = [each for each in (step.heel_strike, step.toe_strike) if each is not None]
            if not strikes:
                heel = toe = end
                continue
            heel = step.heel_strike if step.heel_strike is not None else max(strikes)
            toe = step.toe_strike if step.toe_strike is not None else max(strikes)
        marks += [Mark(heel, f"{foot} heel_down", end), Mark(toe, f"{foot} toe_down", end)]
    return tuple(sorted(mark for mark in marks if mark.until > mark.time))


def _when(step: Footstep) -> float:
    return min((each for each in (step.lift_off, step.heel_strike, step.toe_strike) if each is not None), default=0.0)
