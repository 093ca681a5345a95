"""Plays: who is on stage, what lies about, and what each does, when, how, over what. Written fluently."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mummer.errors import InputError, MummerError, UnknownNameError
from mummer.io.subjects import BodyLike
from mummer.model.model import Control
from mummer.model.tweak import Tweak
from mummer.stage.prop import Prop
from mummer.stage.segue import Manner

if TYPE_CHECKING:
    from mummer.stage.cut import Cut

HANDLINGS = ("takes", "puts", "drops", "throws")
"""What an action may do with a prop: hold it from its achieve on; at its release put it, drop it, or throw it."""
CONTROLS: tuple[Control, ...] = ("shared", "first", "second", "still")
Arrival = Literal["steps", "before"]
ARRIVALS: tuple[Arrival, ...] = ("steps", "before")
LONGEST = 3600.0
"""Seconds that anything in a play may last, or be away from its beginning."""
FURTHEST = 1e4
"""Metres from the middle of the stage; who walks there walks for hours."""


@dataclass(frozen=True, eq=False)
class Part:
    """Somebody on stage.

    Attributes:
        name: what the play calls them.
        body: a path, ``zoo:NAME`` or a character.
        at: (x, z) metres, where they stand when the play begins.
        heading: degrees to the left of +Z, where they face then.
        sketches: characters that they are: names of sketches that ship, or files; later ones are heard later.
        moods: how much there is of each mood that sketches may ask for, 0 to 1.
        hand: ``left`` or ``right`` for who uses that one wherever nothing else is said; empty for either.
        styles: how they do things, by model, where an action does not say.
        habits: by model, what they always do before: wipe their hands before they reach.
        haste: how many times as fast as others they come from one action into the next.
    """

    name: str
    body: BodyLike
    at: tuple[float, float] = (0.0, 0.0)
    heading: float = 0.0
    sketches: tuple[str, ...] = ()
    moods: Mapping[str, float] = field(default_factory=dict)
    hand: Literal["", "left", "right"] = ""
    styles: Mapping[str, str] = field(default_factory=dict)
    habits: Mapping[str, str] = field(default_factory=dict)
    haste: float = 1.0

    def __post_init__(self) -> None:
        _require_haste(self.haste)
        if self.hand not in ("", "left", "right"):
            raise UnknownNameError(f"actor {self.name!r}", "hand", self.hand, ("left", "right"))


@dataclass(frozen=True)
class Pause:
    """One moment of an action that lasts; goals that hold then last with it.

    Attributes:
        at: canonical time, or the name of a key time.
        seconds: how long.
    """

    at: float | str
    seconds: float

    def __post_init__(self) -> None:
        _require_seconds(self.seconds, "a pause")


@dataclass(frozen=True)
class Doing:
    """One thing that somebody does.

    Attributes:
        name: what the play calls it.
        actor: who.
        model: which action: a model, a general animation, a gait, or a script.
        style: how; the model's first style if empty.
        values: of its parameters; places may be names of props, or ``ben.left_hand``.
        at: seconds at which its moment ``key`` shall be, or None.
        after: an action, or ``action.key_time``: it begins then or later.
        together: as ``after``, but its moment ``key`` falls on that moment.
        key: the key time that ``at`` and ``together`` speak of.
        over: an action of the same actor that goes on meanwhile; each group of the body does what needs it more.
        groups: how important groups of the body are to it, 0 to 100, or ``add`` where only its changes are put on top.
        hold: whether the pose before it is kept as far as it lets it.
        transition: how it is come into, see `mummer.stage.segue.Manner`; and ``seconds`` or ``haste``.
        handling: what is done with props: ``takes``, ``puts``, ``drops``, ``throws``, and which prop.
        pauses: moments that last.
        tweaks: corrections.
        edits: lines as in a sketch that are heard after the sketches of the actor.
        without: names of invariants that it does without, as `Action.facts` tells them.
        arrive: where it has a position or orientation of its own and others come before it: its actor goes there in
            between, by ``steps`` or a way; or what comes ``before`` is done so that it ends there.
    """

    name: str
    actor: str
    model: str
    style: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    at: float | None = None
    after: str = ""
    together: str = ""
    key: str = "start"
    over: str = ""
    groups: Mapping[str, float | str] = field(default_factory=dict)
    hold: bool = False
    transition: Mapping[str, Any] = field(default_factory=dict)
    handling: Mapping[str, str] = field(default_factory=dict)
    pauses: tuple[Pause, ...] = ()
    tweaks: tuple[Tweak, ...] = ()
    edits: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    arrive: Arrival = "steps"

    def __post_init__(self) -> None:
        if self.arrive not in ARRIVALS:
            raise UnknownNameError("an action", "way to arrive", self.arrive, ARRIVALS)
        if self.at is not None and not 0 <= self.at < LONGEST:
            raise InputError(f"an action at {self.at:g} s; expected 0 or more and less than an hour")
        if self.transition:
            how = dict(self.transition)
            _require_haste(how.pop("haste", 1.0))
            if (seconds := how.pop("seconds", None)) is not None:
                _require_seconds(seconds, "a transition")
            Manner(**how)


@dataclass(frozen=True)
class Contact:
    """Two parts that touch for a while: hands that shake, a hand on a back, hands on a box.

    Attributes:
        first: ``ann.right_hand``: who begins it.
        second: ``ben.right_hand``, or a prop.
        begin, end: events between which it lasts: ``greet.achieve``.
        control: whose motion leads: ``shared`` meets half-way, ``first`` or ``second`` is followed by the other, and
            ``still`` stays where the second is when it begins. What the second does may answer otherwise: who jumps
            cannot be led; see `mummer.model.model.Model.contact`.
    """

    first: str
    second: str
    begin: str
    end: str
    control: Control = "shared"

    def __post_init__(self) -> None:
        if self.control not in CONTROLS:
            raise UnknownNameError("a contact", "control", self.control, CONTROLS)
        if self.first == self.second or not (self.begin and self.end):
            raise InputError(f"{self.first!r} touches {self.second!r} from {self.begin!r} to {self.end!r}; "
                             "expected two parts, and two events such as 'greet.achieve'")  # fmt: skip


@dataclass(frozen=True)
class Move:
    """A thing that goes somewhere by itself.

    Attributes:
        prop: which.
        after: the event at which it begins: ``toss.release``.
        to: (x, y, z) metres.
        seconds: how long it takes.
    """

    prop: str
    after: str
    to: tuple[float, float, float]
    seconds: float = 0.5

    def __post_init__(self) -> None:
        _require_seconds(self.seconds, "a move")
        if not self.after:
            raise InputError(f"{self.prop!r} is moved after nothing; expected an event such as 'toss.release'")


@dataclass(frozen=True, eq=False)
class Play:
    """Who is on stage, what lies about, and what each does.

    Attributes:
        name: of the play.
        actors, props, doings: in the order in which they were said; what an actor does is done in that order.
        contacts: who touches whom.
        moves: what moves by itself.
        folder: where files that it names are looked for.
        places: where the file that it was read from says something: ``action 'grab'`` at ``a.toml: line 9, action[0]``.

    Example:
        >>> play = Play("hello").actor("ann", "zoo:adult").do("ann", "reach", target=(0.3, 1.2, 0.4))
        >>> play.doings[0].name
        'ann 1'
    """

    name: str = "play"
    actors: tuple[Part, ...] = ()
    props: tuple[Prop, ...] = ()
    doings: tuple[Doing, ...] = ()
    contacts: tuple[Contact, ...] = ()
    moves: tuple[Move, ...] = ()
    folder: Path = field(default_factory=Path)
    places: Mapping[str, str] = field(default_factory=dict)

    # Writing ------------------------------------------------------------------------------------------------------

    def actor(
        self, name: str, body: BodyLike, *, at: Iterable[float] = (0.0, 0.0), heading: float = 0.0, **traits: Any
    ) -> Play:
        """With somebody on stage; ``sketches``, ``moods``, ``hand``, ``styles``, ``habits``, ``haste`` as in `Part`."""
        self._require_new(name, self.on_stage, "on stage")
        x, z = _numbers(at, 2, f"the place of {name!r}")
        return replace(self, actors=(*self.actors, Part(name, body, (x, z), float(heading), **traits)))

    def sketched(self, *sketches: str, actor: str = "", moods: Mapping[str, float] | None = None) -> Play:
        """With actors that are characters of sketches as well, or one of them, and in moods: ``{"tired": 0.7}``.

        Raises:
            UnknownNameError: if there is no such actor or sketch.
        """
        from mummer.script import load_sketch

        known = [part.name for part in self.actors]
        if actor and actor not in known:
            raise UnknownNameError(f"play {self.name!r}", "actor", actor, known)
        for name in sketches:
            load_sketch(self.folder / name if (self.folder / name).is_file() else name)
        return replace(self, actors=tuple(
            replace(part, sketches=(*part.sketches, *sketches), moods={**part.moods, **(moods or {})})
            if actor in ("", part.name) else part for part in self.actors
        ))  # fmt: skip

    def prop(self, name: str, shape: str = "ball", *, at: Iterable[float], **said: Any) -> Play:
        """With a thing on stage; ``size``, ``heading`` and ``color`` as in `Prop`."""
        self._require_new(name, self.on_stage, "on stage")
        x, y, z = _numbers(at, 3, f"the place of {name!r}")
        return replace(self, props=(*self.props, Prop(name, shape, (x, y, z), **said)))

    def do(self, actor: str, model: str, *, name: str = "", before: str = "", **said: Any) -> Play:
        """With one more thing that somebody does.

        Args:
            actor: who.
            model: which action.
            name: what to call it; the actor and a number if empty.
            before: an action that comes right after it; the last one of all if empty.
            said: fields of `Doing`, ``takes=``, ``puts=``, ``drops=`` or ``throws=`` a prop; whatever else is named is
                a parameter of the model.
        """
        count = 1 + sum(each.actor == actor for each in self.doings)
        called = name or f"{actor} {count}"
        self._require_new(called, [each.name for each in self.doings], "an action")
        known = {field.name for field in fields(Doing)} - {"name", "actor", "model", "values", "handling"}
        how: dict[str, Any] = {
            key: tuple(value) if key in ("tweaks", "pauses", "edits", "without") else value
            for key, value in said.items()
            if key in known
        }
        handling = {what: said[what] for what in HANDLINGS if said.get(what)}
        values = {key: value for key, value in said.items() if key not in known and key not in HANDLINGS}
        made = Doing(called, actor, model, values=values, handling=handling, **how)
        self._require_known(made)
        at = [each.name for each in self._require_action(before)].index(before) if before else len(self.doings)
        return replace(self, doings=(*self.doings[:at], made, *self.doings[at:]))

    def move(self, prop: str, after: str, to: Iterable[float], seconds: float = 0.5) -> Play:
        """With a thing that goes somewhere by itself; see `Move`."""
        if prop not in [each.name for each in self.props]:
            raise UnknownNameError(f"play {self.name!r}", "prop", prop, [each.name for each in self.props])
        x, y, z = _numbers(to, 3, f"where {prop!r} goes")
        return replace(self, moves=(*self.moves, Move(prop, after, (x, y, z), float(seconds))))

    def contact(self, first: str, second: str, begin: str, end: str, control: Control = "shared") -> Play:
        """With two parts that touch for a while; see `Contact`."""
        for whole in (first, second):
            if whole.partition(".")[0] not in self.on_stage:
                raise UnknownNameError(f"play {self.name!r}", "actor or prop", whole, self.on_stage)
        return replace(self, contacts=(*self.contacts, Contact(first, second, begin, end, control)))

    def changed(self, action: str, **changes: Any) -> Play:
        """With an action that is done otherwise: fields of `Doing`; ``values`` are laid over those it has."""
        return replace(self, doings=tuple(each if each.name != action else _changed(each, changes) for each in
                                          self._require_action(action)))  # fmt: skip

    def tweaked(self, action: str, *tweaks: Tweak) -> Play:
        """With corrections of an action."""
        old = next(each for each in self._require_action(action) if each.name == action)
        return self.changed(action, tweaks=(*old.tweaks, *tweaks))

    @property
    def with_habits(self) -> Play:
        """The play with what its actors always do before certain actions, as actions of its own."""
        habits, made = {part.name: part.habits for part in self.actors}, []
        for doing in self.doings:
            first = habits.get(doing.actor, {}).get(doing.model)
            if first and not doing.over:
                made.append(Doing(f"{doing.name} {first}", doing.actor, first, after=doing.after))
            made.append(doing)
        return replace(self, doings=tuple(made))

    @property
    def on_stage(self) -> list[str]:
        """The names of all actors and props."""
        return [each.name for each in self.actors] + [each.name for each in self.props]

    # Playing ------------------------------------------------------------------------------------------------------

    def cut(self) -> Cut:
        """The final cut. What did not change since plays were last cut is not made again.

        Raises:
            InputError: if actions wait for one another, or what they say cannot be done.
        """
        from mummer.stage.director import DIRECTOR

        return DIRECTOR.cut(self)

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Cut and write it, see `Cut.save`; as .toml, write what it says, to be loaded again."""
        if Path(path).suffix.lower() == ".toml":
            from mummer.atomic import write_text
            from mummer.stage.play_writing import play_to_text

            write_text(Path(path), play_to_text(self))
            return
        self.cut().save(path, **options)

    @contextmanager
    def at(self, what: str) -> Iterator[None]:
        """Whatever is wrong inside is wrong with ``action 'grab'``, and is told with its place in the file, if any."""
        try:
            yield
        except MummerError as error:
            raise InputError(f"{self.places.get(what, what)}: {error}") from None

    # Checks -------------------------------------------------------------------------------------------------------

    def _require_new(self, name: str, taken: list[str], what: str) -> None:
        if not name or "." in name:
            raise InputError(f"{name!r} cannot be a name; expected one or more letters, without dots")
        if name in taken:
            raise InputError(f"{name!r} is {what} already; expected another name")

    def _require_action(self, name: str) -> tuple[Doing, ...]:
        if name not in [each.name for each in self.doings]:
            raise UnknownNameError(f"play {self.name!r}", "action", name, [each.name for each in self.doings])
        return self.doings

    def _require_known(self, doing: Doing) -> None:
        actors, props = [each.name for each in self.actors], [each.name for each in self.props]
        if doing.actor not in actors:
            raise UnknownNameError(f"play {self.name!r}", "actor", doing.actor, actors)
        if doing.over and doing.over not in [each.name for each in self.doings if each.actor == doing.actor]:
            known = [each.name for each in self.doings if each.actor == doing.actor]
            raise UnknownNameError(f"{doing.actor} in play {self.name!r}", "earlier action", doing.over, known)
        for prop in doing.handling.values():
            if prop not in props:
                raise UnknownNameError(f"play {self.name!r}", "prop", prop, props)


def _changed(doing: Doing, changes: Mapping[str, Any]) -> Doing:
    values = {**doing.values, **changes.get("values", {})}
    return replace(doing, **{**changes, "values": values})


def _require_haste(haste: float) -> None:
    if not 0.1 <= haste <= 10:
        raise InputError(f"a haste of {haste:g}; expected 0.1 to 10, 1 as others have it")


def _require_seconds(seconds: float, what: str) -> None:
    if not 0 < seconds < LONGEST:
        raise InputError(f"{what} of {seconds:g} s; expected more than 0 and less than an hour")


def _numbers(given: Iterable[float], count: int, what: str) -> tuple[float, ...]:
    from mummer.arrays import as_floats

    found = as_floats(tuple(given), what)
    if found.shape != (count,):
        raise InputError(f"{what} has {len(found)} numbers; expected {count}")
    if not bool((abs(found) < FURTHEST).all()):
        raise InputError(f"{what} is {', '.join(f'{each:g}' for each in found)}; expected metres below {FURTHEST:g}")
    return tuple(found.tolist())
