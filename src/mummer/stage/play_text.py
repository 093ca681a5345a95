"""Plays as text: TOML that people write, read into a `Play`; whatever is wrong is told with file, line and field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from mummer.errors import InputError, MalformedFileError, UnknownNameError
from mummer.model.model import Checking, Control, Model, check_moment, require_key_time
from mummer.model.style import TweakText, load_style
from mummer.model.tweak import Tweak
from mummer.script import sketch_from_text
from mummer.stage.actions import model_of
from mummer.stage.cue import Tag
from mummer.stage.play import FURTHEST, HANDLINGS, Arrival, Doing, Part, Pause, Play
from mummer.stage.prop import Prop
from mummer.stage.segue import Geometry
from mummer.stage.timing import Joining, Timing
from mummer.toml_text import parse_toml, place_of, read_toml_text

VERSION = 1
PLAYS = Path(__file__).parent / "library" / "plays"
LARGEST = FURTHEST
"""Metres, seconds, degrees: nothing that a play is about is more."""


class ActorText(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody; see `mummer.stage.play.Part`."""

    name: str
    body: str
    at: tuple[float, float] = (0.0, 0.0)
    heading: float = 0.0
    sketch: str | list[str] = msgspec.field(default_factory=list)
    mood: dict[str, float] = msgspec.field(default_factory=dict)
    hand: Literal["", "left", "right"] = ""
    styles: dict[str, str] = msgspec.field(default_factory=dict)
    habits: dict[str, str] = msgspec.field(default_factory=dict)
    haste: float = 1.0


class PropText(Struct, frozen=True, forbid_unknown_fields=True):
    """A thing; see `Prop`."""

    name: str
    at: tuple[float, float, float]
    shape: str = "ball"
    size: float | tuple[float, float, float] | None = None
    heading: float = 0.0
    color: tuple[float, float, float] | None = None


class PauseText(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment that lasts; see `Pause`."""

    at: float | str
    seconds: float


class ContactText(Struct, frozen=True, forbid_unknown_fields=True):
    """Parts that touch; see `Contact`."""

    first: str
    second: str
    begin: str
    end: str
    control: Control = "shared"


class MoveText(Struct, frozen=True, forbid_unknown_fields=True):
    """A thing that goes somewhere by itself; see `Move`."""

    prop: str
    after: str
    to: tuple[float, float, float]
    seconds: float = 0.5


class TransitionText(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How an action is come into; see `Manner`."""

    seconds: float | None = None
    haste: float = 1.0
    timing: Timing = "learned"
    join: Joining = "mean"
    geometry: Geometry = "best"
    warp: tuple[str, ...] = ()


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
    over: str = ""
    groups: dict[str, float | str] = msgspec.field(default_factory=dict)
    hold: bool = False
    transition: TransitionText | None = None
    takes: str = ""
    puts: str = ""
    drops: str = ""
    throws: str = ""
    pause: list[PauseText] = msgspec.field(default_factory=list)
    tweak: list[TweakText] = msgspec.field(default_factory=list)
    edits: list[str] = msgspec.field(default_factory=list)
    without: list[str] = msgspec.field(default_factory=list)
    arrive: Arrival = "steps"


class PlayText(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole play."""

    version: int
    name: str
    description: str = ""
    actor: list[ActorText] = msgspec.field(default_factory=list)
    prop: list[PropText] = msgspec.field(default_factory=list)
    action: list[ActionText] = msgspec.field(default_factory=list)
    contact: list[ContactText] = msgspec.field(default_factory=list)
    move: list[MoveText] = msgspec.field(default_factory=list)


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
    if not fields.actor:
        raise MalformedFileError(path, "nobody is on stage; expected one table [[actor]] or more")
    _check_numbers(msgspec.to_builtins(fields), "", checking)
    play = Play(fields.name, folder=Path() if path is None else path.parent)
    for number, actor in enumerate(fields.actor):
        for field in ("styles", "habits"):
            with checking.at(f"actor[{number}].{field}"):
                _check_trait(play, field, getattr(actor, field))
        with checking.at(f"actor[{number}].haste"):
            Part(actor.name, actor.body, haste=actor.haste)
        with checking.at(f"actor[{number}].name"):
            own = {name: getattr(actor, name) for name in ("at", "heading", "hand", "styles", "habits", "haste")}
            play = play.actor(actor.name, actor.body, **own)
        with checking.at(f"actor[{number}].sketch"):
            said = [actor.sketch] if isinstance(actor.sketch, str) else actor.sketch
            play = play.sketched(*said, actor=actor.name, moods=actor.mood)
    for number, prop in enumerate(fields.prop):
        with checking.at(f"prop[{number}].name"):
            play = play.prop(**msgspec.structs.asdict(prop))
    for number, action in enumerate(fields.action):
        play = _with_action(play, action, f"action[{number}]", checking)
    for number, doing in enumerate(play.doings):
        for field, event in (("after", doing.after), ("with", doing.together)):
            with checking.at(f"action[{number}].{field}"):
                _check_event(play, event)
    for number, move in enumerate(fields.move):
        with checking.at(f"move[{number}].after"):
            _check_event(play, move.after)
        is_known = move.prop in [each.name for each in play.props]
        with checking.at(f"move[{number}].{'seconds' if is_known and move.after else 'after' if is_known else 'prop'}"):
            play = play.move(move.prop, move.after, move.to, move.seconds)
    for number, contact in enumerate(fields.contact):
        where = f"contact[{number}]"
        for field in ("begin", "end"):
            with checking.at(f"{where}.{field}"):
                _check_event(play, getattr(contact, field))
        for field in ("first", "second"):
            with checking.at(f"{where}.{field}"):
                _check_part(play, getattr(contact, field))
        with checking.at(where):
            play = play.contact(contact.first, contact.second, contact.begin, contact.end, contact.control)
    return replace(play, places=dict(_places(play, checking)))


def _places(play: Play, checking: Checking) -> Iterator[tuple[str, str]]:
    """Where everything is said that can go wrong later, once bodies are known."""
    tables: dict[str, tuple[Part | Prop | Doing, ...]] = {
        "actor": play.actors, "prop": play.props, "action": play.doings,
    }  # fmt: skip
    named = [(f"{table} {each.name!r}", f"{table}[{number}]") for table, rows in tables.items()
             for number, each in enumerate(rows)]  # fmt: skip
    named += [(f"the body of {each.name!r}", f"actor[{number}].body") for number, each in enumerate(play.actors)]
    named += [(f"the shape of {each.name!r}", f"prop[{number}].shape") for number, each in enumerate(play.props)]
    for what, field in (*named, *((f"contact {number}", f"contact[{number}]") for number in range(len(play.contacts)))):
        yield what, f"{checking.path or 'data'}: {place_of(checking.text, field)}"


def _check_numbers(value: Any, where: str, checking: Checking) -> None:
    """Raise unless all numbers are finite, and none is beyond what a stage can be about."""
    if isinstance(value, dict):
        for name, each in value.items():
            _check_numbers(each, f"{where}.{name}" if where else name, checking)
    elif isinstance(value, (list, tuple)):
        for number, each in enumerate(value):
            tables = isinstance(each, dict)
            _check_numbers(each, f"{where}[{number}]" if tables else where, checking)
    elif isinstance(value, (int, float)) and not abs(value) < LARGEST:
        with checking.at(where):
            raise InputError(f"{value:g}; expected a number between -{LARGEST:g} and {LARGEST:g}")


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
    with checking.at(f"{where}.edits"):
        _check_edits(fields.edits)
    for name, value in fields.set.items():
        with checking.at(f"{where}.set"):
            _check_value(play, model, name, value)
    tweaks, pauses = [], []
    for number, tweak in enumerate(fields.tweak):
        with checking.at(f"{where}.tweak[{number}]"):
            check_moment(model, tweak.at)
            tweaks.append(Tweak(**msgspec.structs.asdict(tweak)))
    for number, pause in enumerate(fields.pause):
        with checking.at(f"{where}.pause[{number}]"):
            check_moment(model, pause.at)
            pauses.append(Pause(pause.at, pause.seconds))
    for value in fields.groups.values():
        with checking.at(f"{where}.groups"):
            Tag(value) if isinstance(value, str) else Tag(importance=value)  # type: ignore[arg-type]
    handling = {what: getattr(fields, what) for what in HANDLINGS}
    wrong = next((what for what, prop in handling.items() if prop and prop not in [p.name for p in play.props]), "")
    earlier = [doing.name for doing in play.doings if doing.actor == fields.actor]
    wrong = wrong or ("over" if fields.over and fields.over not in earlier else "actor")
    wrong = "name" if wrong == "actor" and fields.actor in [each.name for each in play.actors] else wrong
    way = {} if fields.transition is None else msgspec.to_builtins(fields.transition)
    for field, said in (("at", {"at": fields.at}), ("transition", {"transition": way})):
        with checking.at(f"{where}.{field}"):
            Doing(fields.name, fields.actor, fields.model, **said)
    with checking.at(f"{where}.{wrong}"):
        return play.do(
            fields.actor, fields.model, name=fields.name, style=fields.style, at=fields.at, after=fields.after,
            together=fields.together, key=fields.key, over=fields.over, groups=fields.groups, hold=fields.hold,
            transition=way, tweaks=tweaks, pauses=pauses, edits=fields.edits, without=fields.without,
            arrive=fields.arrive, **handling, **fields.set,
        )  # fmt: skip


def _check_edits(lines: list[str]) -> None:
    """Raise unless lines are those of a sketch."""
    for line in lines:
        try:
            sketch_from_text(line)
        except MalformedFileError as error:
            raise InputError(f"{line!r}: {str(error).rpartition('column ')[2].partition(': ')[2]}") from None


def _check_trait(play: Play, field: str, given: Mapping[str, str]) -> None:
    """Raise unless the models, and their styles or what is done before them, are there."""
    for name, value in given.items():
        model, _ = model_of(name, play.folder)
        if field == "habits":
            model_of(value, play.folder)
        else:
            load_style(play.folder / value if (play.folder / value).is_file() else value, model)


def _check_part(play: Play, whole: str) -> None:
    name, _, part = whole.partition(".")
    actors, props = [each.name for each in play.actors], [each.name for each in play.props]
    if name not in play.on_stage:
        raise UnknownNameError(f"play {play.name!r}", "actor or prop", name, play.on_stage)
    if (name in actors) != bool(part):
        raise InputError(f"{whole!r} cannot be touched; expected a part of an actor, as in 'ann.left_hand', or a prop "
                         f"({', '.join(props) or 'there is none'})")  # fmt: skip


def _check_value(play: Play, model: Model, name: str, value: Any) -> None:
    """Raise unless a value can be read; places may be names of what is on stage."""
    parameter = model.parameter(name)
    if parameter.kind == "position" and isinstance(value, str) and "," not in value:
        if value.partition(".")[0] not in play.on_stage:
            raise UnknownNameError(f"play {play.name!r}", "prop or actor", value, play.on_stage)
    else:
        parameter.read(value)


def _check_event(play: Play, event: str) -> None:
    """Raise unless there is such an action, and such a moment of it."""
    names = [each.name for each in play.doings]
    name, _, key = event.partition(".")
    if event and name not in names:
        raise UnknownNameError(f"play {play.name!r}", "action", name, names)
    if key and not (key == "strike" and "throws" in play.doings[names.index(name)].handling):
        require_key_time(model_of(play.doings[names.index(name)].model, play.folder)[0], key)
