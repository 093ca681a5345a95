"""Elements of BML as behaviours of a performer."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from typing import Any

from mummer.behavior import KINDS, Behavior, Performer, make
from mummer.behavior.locomotion import MANNERS
from mummer.behavior.played import LIBRARY, Played
from mummer.bml.block import Element
from mummer.errors import InputError, UnknownNameError
from mummer.general import animation_names, load_animation
from mummer.general.binding import bind
from mummer.options import parameters_of

AHEAD = 2.0
"""Metres in front at which somebody looks who is told no place."""
Tell = Callable[[str, str], None]
"""Takes the type and the text of a warning: what is done is not quite what was asked."""


class Pause(Behavior):
    """Nothing, for a while: what waits and events are."""

    kind = "wait"

    def step(self, performer: Performer, time: float, seconds: float) -> None:
        """See `Behavior.step`."""


def number_of(element: Element, name: str, usual: float) -> float:
    """The number that an attribute says."""
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


def _gaze(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    said = element.attributes
    kind = "gaze" if element.kind == "gaze" else "gaze_shift"
    influence = said.get("influence", "HEAD").upper()
    made = make(
        kind, performer, target=place_of(performer, said.get("target", "")),
        influence=INFLUENCES.get(influence, influence.lower()), offset_angle=number_of(element, "offsetAngle", 0.0),
        offset_direction=said.get("offsetDirection", "right").lower().replace("_", ""),
    )  # fmt: skip
    return [made]


def _head(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:
    lexeme = element.attributes.get("lexeme", "nod")
    lexeme = AXES.get(lexeme.lower(), lexeme)
    repetition, amount = int(number_of(element, "repetition", 1)), min(number_of(element, "amount", 0.5) * 2.0, 4.0)
    try:
        return [make("head", performer, lexeme=lexeme, repetition=repetition, amount=amount)]
    except UnknownNameError:
        found = _likely(lexeme, HEADS, tell)
        return [make("head", performer, lexeme=found, repetition=repetition, amount=amount)]


AXES = {"x": "nod", "y": "shake", "z": "tilt"}
"""Movements of the head by the axis that it turns about."""
HEADS = {"shake": "shake", "tilt": "tilt", "aside": "tilt", "toss": "toss", "up": "up", "down": "down", "": "nod"}
"""Words in the names of movements of the head, and what is done for each; the last for all others."""


def _likely(lexeme: str, choices: Mapping[str, str], tell: Tell) -> str:
    """What comes nearest to a name that nobody knows: who asks for a movement rather sees another one than none."""
    plain = lexeme.lower()
    word, found = next((word, found) for word, found in choices.items() if word in plain)
    if not word:
        tell("LEXEME_NOT_KNOWN", f"nobody here knows {lexeme[:40]!r}; {found!r} is done instead")
    return found


def _face(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
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


def _speech(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    if not element.text:
        raise InputError(f"speech {element.id!r} says nothing")
    return [make("speech", performer, text=element.text, marks=dict(element.marks))]


def pause(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    """Nothing, for a while."""
    return [Pause({"end": max(0.0, number_of(element, "duration", 0.0))})]


def hand_of(element: Element) -> dict[str, str]:
    """The hand that an element names, if it does."""
    mode = element.attributes.get("mode", element.attributes.get("hand", "")).lower().replace("_hand", "")
    return {"hand": mode} if mode in ("left", "right") else {}


def _gesture(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:
    lexeme = element.attributes.get("lexeme", "beat")
    said: dict[str, Any] = dict(hand_of(element))
    if "target" in element.attributes:
        said["target"] = place_of(performer, element.attributes["target"])
    try:
        made = make("gesture", performer, lexeme=lexeme.lower(), **said)
    except UnknownNameError:
        made = make("gesture", performer, lexeme=_likely(lexeme, GESTURES, tell), **said)
    if "hand" in said:
        made.channels |= {f"{said['hand']}_arm"}
    return [made]


GESTURES = {
    "self": "me", "_me": "me", "you": "you", "deictic": "deictic", "point": "deictic", "iconic": "iconic",
    "metaphor": "metaphoric", "conduit": "metaphoric", "greet": "wave", "hello": "wave", "wave": "wave",
    "clap": "clap", "welcome": "beckon", "come": "beckon", "think": "rub_chin", "cheer": "cheer", "bow": "bow",
    "": "beat",
}  # fmt: skip
"""Words in the names of gestures, and what is done for each; the last for all others."""


def _offered(kind: str, performer: Performer, **attributes: Any) -> Behavior:
    """A behaviour, of whose attributes it takes those that it knows."""
    home, name = KINDS[kind].rsplit(".", 1)
    known = parameters_of(getattr(importlib.import_module(f"mummer.behavior.{home}"), name))
    return make(kind, performer, **{key: value for key, value in attributes.items() if key in known})


def manipulate(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    """Something that a hand does with, or about, a target."""
    kind = {"pointing": "point", "putDown": "put_down", "handOver": "hand_over", "reach": "touch", "carry": "grasp"}
    target = place_of(performer, element.attributes.get("target", ""))
    return [_offered(kind.get(element.kind, element.kind), performer, target=target, **hand_of(element))]


def _locomotion(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:
    said = element.attributes
    manner = said.get("manner", "walk").lower()
    if manner not in MANNERS:
        tell("LEXEME_NOT_KNOWN", f"nobody here knows how to {manner[:40]!r}; it walks")
        manner = "walk"
    *before, last = _way(performer, said.get("target", ""), element.id)
    path = [performer.where(place)[::2] for place in before]
    options: dict[str, Any] = {"speed": number_of(element, "speed", 1.0)} if "speed" in said else {}
    if "facing" in said:
        options["facing"] = math.radians(number_of(element, "facing", 0.0))
    return [make("locomotion", performer, target=last, path=path, manner=manner, **options)]


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


def played(performer: Performer, name: str, **options: Any) -> Behavior:
    """An animation of the library, if it is for this body."""
    animation = load_animation(animation_named(name))
    bind(animation, performer.physique)
    return Played(animation, **options)


def animation_named(name: str) -> str:
    """What an animation of our libraries is loaded by, never one of a file that somebody else names.

    Raises:
        UnknownNameError: with the nearest.
    """
    own = {path.stem: str(path) for path in LIBRARY.rglob("*.toml")}
    if name not in own and name not in animation_names():
        raise UnknownNameError("the library", "animation", name, sorted({*animation_names(), *own}))
    return own.get(name, name)


POSTURES = {
    "stand": "", "upright": "", "neutral": "", "relax": "", "rest": "", "sit": "sit", "lying": "sleep", "lie": "sleep",
    "crouch": "sit", "hips": "hands_on_hips", "akimbo": "hands_on_hips", "arms_crossed": "arms_crossed",
    "armscrossed": "arms_crossed", "arms_open": "arms_open", "legs_open": "legs_open", "lean": "leaning",
}  # fmt: skip


def _posture_named(word: str) -> str | None:
    """The animation of a posture; empty for standing, None for one that nobody knows."""
    return next((name for part, name in POSTURES.items() if part in word.lower()), None)


def _posture(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:
    """A stance and poses of parts; to stand is to give up what was taken before."""
    words = [attributes.get("type", attributes.get("lexeme", "")) for _, attributes, _ in element.children]
    words.append(element.attributes.get("lexeme", ""))
    shifts = element.kind == "postureShift"
    made: list[Behavior] = []
    for word in filter(None, words):
        name = _posture_named(word)
        if name is None:
            tell("LEXEME_NOT_KNOWN", f"nobody here knows the posture {word[:40]!r}; it is left out")
        elif name:
            made.append(played(performer, name, stays=shifts))
    return made or [Standing({"end": 1.0} if shifts else {"ready": 0.5, "relax": 1.0, "end": 1.5})]


class Standing(Pause):
    """Stands as the body does by itself."""

    kind = "posture"
    channels = frozenset({"posture"})


MAKERS: dict[str, Callable[[Performer, Element, Tell], list[Behavior]]] = {
    "gaze": _gaze, "gazeShift": _gaze, "headDirectionShift": _gaze, "head": _head, "speech": _speech,
    "face": _face, "faceFacs": _face, "faceLexeme": _face, "faceShift": _face, "gesture": _gesture,
    "pointing": manipulate, "locomotion": _locomotion, "posture": _posture, "postureShift": _posture,
    "pose": _posture, "wait": pause,
}  # fmt: skip
"""What makes the behaviours of each kind of element of the core."""
