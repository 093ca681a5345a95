"""Performers as the cast of a realiser: elements of BML become behaviours of bodies."""

from __future__ import annotations

import importlib
import inspect
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mummer.behavior import KINDS, Behavior, Frame, Performer, Running, make
from mummer.behavior.played import Played
from mummer.bml.block import Element
from mummer.bml.going import PACES, Going, Pause, animation_named
from mummer.bml.realizer import Prepared
from mummer.bml.syncs import own_times, standard_times
from mummer.character import Pose
from mummer.clip.recorded import recorded
from mummer.clip.sampled import Sampled
from mummer.errors import InputError, MummerError, UnknownNameError
from mummer.general import animation_names
from mummer.general.binding import bind
from mummer.io.subjects import BodyLike

EXCLUSIVE = frozenset({"gaze", "speech", "locomotion", "posture", "left_arm", "right_arm"})
"""What two behaviours cannot hold at once; heads and faces add up."""
APART = 1.5
"""Metres between performers that nobody has put anywhere."""
AHEAD = 2.0
"""Metres in front at which somebody looks who is told no place."""
SCENERY: dict[str, tuple[float, float, float]] = {
    "camera": (0.0, 1.5, 3.0), "user": (0.0, 1.6, 2.0), "table": (0.0, 0.8, 1.0), "ball": (0.3, 1.0, 0.6),
    "bluebox": (1.0, 1.2, 2.0), "redbox": (-1.0, 1.2, 2.0), "greenbox": (0.0, 1.6, 2.0), "yellowbox": (0.5, 0.6, 1.5),
}  # fmt: skip
"""Things that blocks may speak of where nobody says what there is, metres."""


class Acting:
    """What does an element: behaviours that start together.

    Attributes:
        element: of BML.
        behaviors: as they were made.
        running: as they run.
    """

    def __init__(self, element: Element, behaviors: Sequence[Behavior]) -> None:
        self.element, self.behaviors = element, tuple(behaviors)
        self.running: list[Running] = []


class Company:
    """Performers by name, who do what blocks ask for.

    Attributes:
        performers: by name.
        world: things by name, shared by all.
        frames: what each looked like after the last step.
        faults: who had to give up what, and why, of late.
    """

    def __init__(self, performers: Mapping[str, Performer], world: dict[str, Any] | None = None) -> None:
        """A company.

        Args:
            performers: by name; at least one.
            world: things by name; `SCENERY` if None. Performers are added under their names.
        """
        if not performers:
            raise InputError("a company has nobody in it; expected a performer")
        self.performers = dict(performers)
        self.world: dict[str, Any] = dict(SCENERY) if world is None else world
        for name, performer in self.performers.items():
            self.world.setdefault(name, performer)
            performer.world = self.world
        self.frames: dict[str, Frame] = {}
        self.faults: deque[tuple[str, str]] = deque(maxlen=100)
        self._lasting: dict[tuple[str, str], Running] = {}

    @classmethod
    def of(cls, bodies: Mapping[str, BodyLike], world: dict[str, Any] | None = None) -> Company:
        """A company of bodies that stand in a row, `APART` metres from one another."""
        middle = 0.5 * (len(bodies) - 1)
        performers = {
            name: Performer(body, at=(APART * (place - middle), 0.0))
            for place, (name, body) in enumerate(bodies.items())
        }
        return cls(performers, world)

    @property
    def first(self) -> Pose:
        """The pose of the first of them."""
        return next(iter(self.performers.values())).pose

    def recorded(self, poses: Sequence[Pose], rate: float, *, name: str = "performance") -> Sampled:
        """Poses of the first of them, ``rate`` a second, as a clip."""
        character = next(iter(self.performers.values())).character
        joints, times = np.arange(len(character.skeleton)), np.arange(len(poses)) / rate
        return Sampled(character, recorded(times, Pose.stack(list(poses)), joints, rate=rate, name=name))

    def find(self, character: str) -> str:
        """The name of who is meant: the first, if nobody is named; see `Cast`."""
        if not character:
            return next(iter(self.performers))
        if character in self.performers:
            return character
        if len(self.performers) == 1:  # a block written for somebody else
            return next(iter(self.performers))
        raise UnknownNameError("the company", "character", character, self.performers)

    def prepare(self, who: str, element: Element) -> Prepared:
        """A behaviour of somebody; see `Cast`."""
        maker = MAKERS.get(element.kind)
        if maker is None:
            raise InputError(f"{element.kind} is not to be had here")
        behaviors = maker(self.performers[who], element)
        channels = frozenset[str]().union(*(each.channels for each in behaviors)) & EXCLUSIVE
        times = standard_times(element.kind, behaviors[0].syncs)
        return Prepared(times, channels, Acting(element, behaviors))

    def begin(self, who: str, prepared: Prepared, times: Mapping[str, float], delay: float) -> None:
        """Start behaviours; see `Cast`."""
        performer, acting = self.performers[who], prepared.acting
        for behavior in acting.behaviors:
            wanted = own_times(acting.element.kind, behavior.syncs, times)
            if not math.isfinite(behavior.syncs["end"]) and "end" in acting.element.times:
                wanted["end"] = times["end"]
            running = performer.start(behavior.retimed(wanted), at=performer.time + delay)
            acting.running.append(running)
            self._outlast(who, running)

    def _outlast(self, who: str, running: Running) -> None:
        """What was to last gives way to what comes after it."""
        for channel in running.behavior.channels:
            before = self._lasting.pop((who, channel), None)
            if before is not None and before is not running:
                self.performers[who].stop(before)
            if not math.isfinite(running.behavior.duration):
                self._lasting[who, channel] = running

    def end(self, who: str, prepared: Prepared) -> None:
        """Break behaviours off; see `Cast`."""
        for running in prepared.acting.running:
            if not running.is_over:
                self.performers[who].stop(running)

    def unfinished(self, who: str, prepared: Prepared, delay: float) -> bool:
        """Whether behaviours need more time than was thought; see `Cast`."""
        performer = self.performers[who]
        return any(
            running.state == "running" and math.isfinite(running.behavior.duration)
            and not running.behavior.is_over(performer, performer.time + delay - running.start)
            for running in prepared.acting.running
        )  # fmt: skip

    def step(self, seconds: float) -> None:
        """Let all of them step."""
        for name, performer in self.performers.items():
            try:
                self.frames[name] = performer.step(seconds)
            except MummerError as error:  # what it was asked for turned out not to be possible
                performer.stop()
                self.faults.append((name, str(error)))


def _number(element: Element, name: str, usual: float) -> float:
    said = element.attributes.get(name)
    try:
        value = usual if said is None else float(said)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{element.kind} {element.id!r} has {name} {str(said)[:40]!r}; expected a number")
    return value


def place_of(performer: Performer, said: str) -> Any:
    """What an attribute names: three numbers, or something in the world; straight ahead if nothing is said."""
    if not said:
        return _ahead(performer)
    try:
        numbers = [float(part) for part in said.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if len(numbers) == 3 and all(map(math.isfinite, numbers)):
        return tuple(numbers)
    performer.where(said)
    return said


def _ahead(performer: Performer) -> tuple[float, float, float]:
    x, y, z = performer.sight.eye_point(performer.posed)
    heading = performer.actor.heading
    return x + AHEAD * math.sin(heading), y, z + AHEAD * math.cos(heading)


INFLUENCES = {"TORSO": "shoulder", "BACK": "waist", "CHEST": "shoulder"}


def _gaze(performer: Performer, element: Element) -> list[Behavior]:
    said = element.attributes
    kind = "gaze" if element.kind == "gaze" else "gaze_shift"
    influence = said.get("influence", "HEAD").upper()
    made = make(
        kind, performer, target=place_of(performer, said.get("target", "")),
        influence=INFLUENCES.get(influence, influence.lower()), offset_angle=_number(element, "offsetAngle", 0.0),
        offset_direction=said.get("offsetDirection", "right").lower().replace("_", ""),
    )  # fmt: skip
    return [made]


def _head(performer: Performer, element: Element) -> list[Behavior]:
    lexeme = element.attributes.get("lexeme", "nod")
    repetition, amount = int(_number(element, "repetition", 1)), min(_number(element, "amount", 0.5) * 2.0, 4.0)
    try:
        return [make("head", performer, lexeme=lexeme, repetition=repetition, amount=amount)]
    except UnknownNameError:
        return [make("head", performer, lexeme=_likely(lexeme, HEADS), repetition=repetition, amount=amount)]


HEADS = {"shake": "shake", "tilt": "tilt", "aside": "tilt", "toss": "toss", "up": "up", "down": "down", "": "nod"}
"""Words in the names of movements of the head, and what is done for each; the last for all others."""


def _likely(lexeme: str, choices: Mapping[str, str]) -> str:
    """What comes nearest to a name that nobody knows: who asks for a movement rather sees another one than none."""
    plain = lexeme.lower()
    return next(found for word, found in choices.items() if word in plain)


def _face(performer: Performer, element: Element) -> list[Behavior]:
    kind = "face_shift" if element.kind == "faceShift" else "face"
    asked = [
        attributes for name, attributes, _ in element.children if name in ("lexeme", "facs", "faceLexeme", "faceFacs")
    ]
    made = []
    for said in asked or [element.attributes]:
        amount = float(said.get("amount", element.attributes.get("amount", 1.0)))
        if "au" in said:
            au = said["au"]
            if not au.isdigit():
                raise InputError(
                    f"{element.kind} {element.id!r} has au {au[:20]!r}; expected the number of an action unit"
                )
            made.append(make(kind, performer, au=int(au), side=said.get("side", "both").lower(), amount=amount))
        else:
            made.append(make(kind, performer, lexeme=said.get("lexeme", ""), amount=amount))
    return made


def _speech(performer: Performer, element: Element) -> list[Behavior]:
    if not element.text:
        raise InputError(f"speech {element.id!r} says nothing")
    return [make("speech", performer, text=element.text, marks=dict(element.marks))]


def _pause(performer: Performer, element: Element) -> list[Behavior]:  # noqa: ARG001
    return [Pause({"end": max(0.0, _number(element, "duration", 0.0))})]


def _hand(element: Element) -> dict[str, str]:
    mode = element.attributes.get("mode", element.attributes.get("hand", "")).lower().replace("_hand", "")
    return {"hand": mode} if mode in ("left", "right") else {}


def _gesture(performer: Performer, element: Element) -> list[Behavior]:
    lexeme = element.attributes.get("lexeme", "beat")
    plain = lexeme.lower()
    if plain in animation_names():
        return [_played(performer, plain)]
    said = {"target": place_of(performer, element.attributes["target"])} if "target" in element.attributes else {}
    try:
        return [_offered("gesture", performer, lexeme=plain, **_hand(element), **said)]
    except UnknownNameError:
        return [_offered("gesture", performer, lexeme=_likely(lexeme, GESTURES), **_hand(element), **said)]


GESTURES = {
    "self": "me", "_me": "me", "you": "you", "deictic": "deictic", "point": "deictic", "iconic": "iconic",
    "metaphor": "metaphoric", "greet": "wave", "hello": "wave", "wave": "wave", "clap": "clap", "welcome": "beckon",
    "come": "beckon", "think": "rub_chin", "cheer": "cheer", "bow": "bow", "": "beat",
}  # fmt: skip
"""Words in the names of gestures, and what is done for each; the last for all others."""


def _offered(kind: str, performer: Performer, **attributes: Any) -> Behavior:
    """A behaviour, of whose attributes it takes those that it knows."""
    home, name = KINDS[kind].rsplit(".", 1)
    known = inspect.signature(getattr(importlib.import_module(f"mummer.behavior.{home}"), name)).parameters
    return make(kind, performer, **{key: value for key, value in attributes.items() if key in known})


def _manipulate(performer: Performer, element: Element) -> list[Behavior]:
    kind = {"pointing": "point", "putDown": "put_down", "handOver": "hand_over", "reach": "touch", "carry": "grasp"}
    target = place_of(performer, element.attributes.get("target", ""))
    return [_offered(kind.get(element.kind, element.kind), performer, target=target, **_hand(element))]


def _locomotion(performer: Performer, element: Element) -> list[Behavior]:
    said = element.attributes
    manner = said.get("manner", "walk").lower()
    easy = performer.actor.troupe.easy_speed
    pace = min(_number(element, "speed", easy * PACES.get(manner, 1.0)), 3.0 * easy)
    if pace <= 0.0:
        raise InputError(f"locomotion {element.id!r} has speed {pace:g}; expected a positive number")
    places = _way(performer, said.get("target", ""), element.id)
    return [Going(performer, places, pace)]


def _way(performer: Performer, said: str, name: str) -> list[Any]:
    """The places that a target names: names, and numbers by twos or threes."""
    places: list[Any] = []
    numbers: list[float] = []
    words = said.replace(",", " ").split()
    for word in [*words, ""]:
        try:
            numbers.append(float(word))
            continue
        except ValueError:
            pass
        size = 3 if len(numbers) == 3 else 2
        if len(numbers) % size or not all(map(math.isfinite, numbers)):
            raise InputError(f"locomotion {name!r} goes to {said[:60]!r}; expected names, or x and z in metres")
        places += [(numbers[at], 0.0, numbers[at + size - 1]) for at in range(0, len(numbers), size)]
        numbers = []
        if word:
            performer.where(word)
            places.append(word)
    if not places:
        raise InputError(f"locomotion {name!r} has no target")
    return places


def _animation(performer: Performer, element: Element) -> list[Behavior]:
    said = element.attributes
    name = said.get("name", said.get("lexeme", "jump" if element.kind == "jump" else ""))
    target = place_of(performer, said["target"]) if "target" in said else None
    return [_played(performer, name, target=target, times=int(_number(element, "repetition", 1)))]


def _played(performer: Performer, name: str, **options: Any) -> Behavior:
    """An animation of the library, if it is for this body."""
    animation = animation_named(name)
    bind(animation, performer.physique)
    return Played(animation, **options)


POSTURES = {
    "sitting": "sit", "sit": "sit", "lying": "sleep", "lie": "sleep", "crouching": "sit", "hips": "hands_on_hips",
    "arms_akimbo": "hands_on_hips",
}  # fmt: skip


def _posture(performer: Performer, element: Element) -> list[Behavior]:
    """A stance and poses of parts; to stand is to give up what was taken before."""
    words = [attributes.get("type", attributes.get("lexeme", "")) for _, attributes, _ in element.children]
    words.append(element.attributes.get("lexeme", ""))
    plain = " ".join(words).lower()
    found = next((name for word, name in POSTURES.items() if word in plain), None)
    if found is None:
        return [Standing({"ready": 0.5, "relax": 1.0, "end": 1.5} if element.kind != "postureShift" else {"end": 1.0})]
    return [_played(performer, found, stays=element.kind == "postureShift")]


class Standing(Pause):
    """Stands as the body does by itself."""

    kind = "posture"
    channels = frozenset({"posture"})


MODES = {"listen": "listening", "talk": "talking", "think": "thinking"}


def _eyes(performer: Performer, element: Element) -> list[Behavior]:
    mode = element.attributes.get("mode", "listening").lower()
    return [make("eyes", performer, mode=MODES.get(mode, mode))]


def _blink(performer: Performer, element: Element) -> list[Behavior]:  # noqa: ARG001
    return [make("face", performer, lexeme="close_eyes").retimed({"ready": 0.08, "relax": 0.1, "end": 0.22})]


MAKERS: dict[str, Callable[[Performer, Element], list[Behavior]]] = {
    "gaze": _gaze, "gazeShift": _gaze, "headDirectionShift": _gaze, "head": _head, "speech": _speech,
    "face": _face, "faceFacs": _face, "faceLexeme": _face, "faceShift": _face, "gesture": _gesture,
    "pointing": _manipulate, "touch": _manipulate, "reach": _manipulate, "grasp": _manipulate, "carry": _manipulate,
    "putDown": _manipulate, "handOver": _manipulate, "locomotion": _locomotion, "posture": _posture,
    "postureShift": _posture, "pose": _posture, "animation": _animation, "jump": _animation, "saccade": _eyes,
    "blink": _blink, "wait": _pause, "event": _pause, "interrupt": _pause, "breathing": _pause,
}  # fmt: skip
"""What makes the behaviours of each kind of element."""
