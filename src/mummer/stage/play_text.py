"""Plays as text: TOML that people write, read into a `Play`; whatever is wrong is told with file, line and field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from mummer.errors import InputError, UnknownNameError
from mummer.model.model import Checking, Model, require_key_time
from mummer.model.style import load_style
from mummer.stage.actions import model_of
from mummer.stage.play import HANDLINGS, Doing, Play, Tweak
from mummer.toml_text import parse_toml, read_toml_text

VERSION = 1
PLAYS = Path(__file__).parent / "library" / "plays"


class ActorText(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody; see `mummer.stage.play.Part`."""

    name: str
    body: str
    at: tuple[float, float] = (0.0, 0.0)
    heading: float = 0.0


class PropText(Struct, frozen=True, forbid_unknown_fields=True):
    """A thing; see `Prop`."""

    name: str
    at: tuple[float, float, float]
    shape: str = "ball"
    size: float | None = None
    heading: float = 0.0


class TweakText(Struct, frozen=True, forbid_unknown_fields=True):
    """A correction; see `Tweak`."""

    at: float | str
    part: str
    turn: tuple[float, float, float] | None = None
    move: tuple[float, float, float] | None = None


class ActionText(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that somebody does; see `Doing`."""

    actor: str
    model: str
    name: str = ""
    style: str = ""
    set: dict[str, Any] = msgspec.field(default_factory=dict)
    at: float | None = None
    after: str = ""
    together: str = msgspec.field(default="", name="with")
    key: str = "start"
    takes: str = ""
    puts: str = ""
    drops: str = ""
    throws: str = ""
    tweak: list[TweakText] = msgspec.field(default_factory=list)


class PlayText(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole play."""

    version: int
    name: str
    description: str = ""
    actor: list[ActorText] = msgspec.field(default_factory=list)
    prop: list[PropText] = msgspec.field(default_factory=list)
    action: list[ActionText] = msgspec.field(default_factory=list)


def play_names() -> tuple[str, ...]:
    """The plays that ship."""
    return tuple(sorted(path.stem for path in PLAYS.glob("*.toml")))


def load_play(given: str | Path) -> Play:
    """The play that ships under a name, or that a file holds.

    Raises:
        UnknownNameError: if there is none, with the closest.
        MalformedFileError: naming file, line and field.

    Example:
        >>> load_play("fetch").name
        'fetch'
    """
    path = Path(given)
    if path.suffix != ".toml":
        if str(given) not in play_names():
            raise UnknownNameError("mummer", "play", str(given), play_names())
        path = PLAYS / f"{given}.toml"
    return play_from_text(read_toml_text(path, "a play"), path)


def play_from_text(text: str, path: Path | None = None) -> Play:
    """The play that a text holds.

    Raises:
        MalformedFileError: naming file, line and field.
    """
    fields = parse_toml(text, PlayText, version=VERSION, what="a play", path=path)
    checking = Checking(text, path)
    play = Play(fields.name, folder=Path() if path is None else path.parent)
    for number, actor in enumerate(fields.actor):
        with checking.at(f"actor[{number}].name"):
            play = play.actor(actor.name, actor.body, at=actor.at, heading=actor.heading)
    for number, prop in enumerate(fields.prop):
        with checking.at(f"prop[{number}].name"):
            play = play.prop(prop.name, prop.shape, at=prop.at, size=prop.size, heading=prop.heading)
    for number, action in enumerate(fields.action):
        play = _with_action(play, action, f"action[{number}]", checking)
    for number, doing in enumerate(play.doings):
        _check_events(play, doing, f"action[{number}]", checking)
    return play


def _with_action(play: Play, fields: ActionText, where: str, checking: Checking) -> Play:
    with checking.at(f"{where}.model"):
        model, style = model_of(fields.model, play.folder)
    with checking.at(f"{where}.style"):
        if fields.style and style is not None:
            raise InputError(f"{fields.model} has one style only; expected none")
        if fields.style:
            path = play.folder / fields.style
            load_style(path if path.is_file() else fields.style, model)
    with checking.at(f"{where}.key"):
        require_key_time(model, fields.key)
    for name, value in fields.set.items():
        with checking.at(f"{where}.set"):
            _check_value(play, model, name, value)
    tweaks = []
    for number, tweak in enumerate(fields.tweak):
        with checking.at(f"{where}.tweak[{number}]"):
            tweaks.append(_tweak(model, tweak))
    handling = {what: getattr(fields, what) for what in HANDLINGS}
    wrong = next((what for what, prop in handling.items() if prop and prop not in [p.name for p in play.props]), "")
    with checking.at(f"{where}.{wrong}" if wrong else f"{where}.actor"):
        return play.do(
            fields.actor, fields.model, name=fields.name, style=fields.style, at=fields.at, after=fields.after,
            together=fields.together, key=fields.key, tweaks=tweaks, **handling, **fields.set,
        )  # fmt: skip


def _tweak(model: Model, fields: TweakText) -> Tweak:
    if isinstance(fields.at, str):
        require_key_time(model, fields.at)
    elif not 0 <= fields.at <= len(model.key_times) - 1:
        raise InputError(f"canonical time {fields.at:g}; expected 0 to {len(model.key_times) - 1}")
    return Tweak(fields.at, fields.part, fields.turn, fields.move)


def _check_value(play: Play, model: Model, name: str, value: Any) -> None:
    """Raise unless a value can be read; places may be names of what is on stage."""
    parameter = model.parameter(name)
    if parameter.kind == "position" and isinstance(value, str) and "," not in value:
        if value.partition(".")[0] not in play.on_stage:
            raise UnknownNameError(f"play {play.name!r}", "prop or actor", value, play.on_stage)
    else:
        parameter.read(value)


def _check_events(play: Play, doing: Doing, where: str, checking: Checking) -> None:
    names = [each.name for each in play.doings]
    for field, event in (("after", doing.after), ("with", doing.together)):
        name, _, key = event.partition(".")
        with checking.at(f"{where}.{field}"):
            if event and name not in names:
                raise UnknownNameError(f"play {play.name!r}", "action", name, names)
            if key and not (key == "strike" and "throws" in play.doings[names.index(name)].handling):
                require_key_time(model_of(play.doings[names.index(name)].model, play.folder)[0], key)
