"""Elements of our own namespace as behaviours of a performer: models, styles, plays, things in hands, eyes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mummer.behavior import Behavior, Performer, make
from mummer.behavior.modeled import shown_here
from mummer.bml import making
from mummer.bml.block import Element
from mummer.bml.making import Tell, animation_named, hand_of, manipulate, number_of, pause, place_of, played
from mummer.errors import InputError, UnknownNameError
from mummer.model import load_model, model_names, style_names


def _animation(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    said = element.attributes
    name = said.get("name", said.get("lexeme", ""))
    if "sketch" in said:
        return [make("sketched", performer, animation=animation_named(name), sketch=said["sketch"])]
    target = place_of(performer, said["target"]) if "target" in said else None
    return [played(performer, name, target=target, times=int(number_of(element, "repetition", 1)))]


def _jump(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:
    """To a place, as a model does it; on the spot, as an animation."""
    if "target" not in element.attributes:
        return [played(performer, "jump")]
    said = {**element.attributes, "name": "jump", "to": element.attributes["target"]}
    said.pop("target")
    return _model(performer, replace(element, attributes=said), tell)


def _model(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:
    """An action of a motion model, whose parameters are attributes."""
    said = dict(element.attributes)
    name, style, sketch = said.pop("name", ""), said.pop("style", None), said.pop("sketch", "")
    if name not in model_names():
        raise UnknownNameError("the library", "model", name, model_names())
    model = load_model(name)
    values: dict[str, Any] = dict(hand_of(element)) if model.has("hand") else {}
    for key, value in said.items():
        if model.has(key):
            values[key] = place_of(performer, value) if model.parameter(key).kind == "position" else value
        elif key != "mode":
            tell("CUSTOM_ATTRIBUTE_NOT_SUPPORTED", f"model {name!r} has no parameter {key[:40]!r}")
    if style is not None and style not in (*performer.sets, *style_names(model)):
        raise UnknownNameError(f"model {name!r}", "style", style, [*performer.sets, *style_names(model)])
    return [make("model", performer, name=name, style=style, sketch=sketch, values=values)]


def _style(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    said = element.attributes
    if "/" in said.get("name", "") or said.get("name", "").endswith(".toml"):
        raise InputError(f"style {element.id!r} names a file; expected a style or a set that is here")
    return [make("style", performer, name=said.get("name", ""), model=said.get("model", ""))]


def _play(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    """What one part of a play does, on this body."""
    from mummer.stage import load_play, play_names

    name, part = element.attributes.get("name", ""), element.attributes.get("part", "")
    if name not in play_names():
        raise UnknownNameError("the library", "play", name, play_names())
    play = load_play(name)
    parts = {each.name: each for each in play.actors}
    chosen = parts.get(part or next(iter(parts)))
    if chosen is None:
        raise UnknownNameError(f"the play {name!r}", "part", part, parts)
    cast = tuple(replace(each, body=performer.body) if each is chosen else each for each in play.actors)
    return [shown_here(performer, replace(play, actors=cast).cut().clips[chosen.name])]


MODES = {"listen": "listening", "talk": "talking", "think": "thinking"}


def _eyes(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    mode = element.attributes.get("mode", "listening").lower()
    return [make("eyes", performer, mode=MODES.get(mode, mode))]


def _blink(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    return [make("face", performer, lexeme="close_eyes").retimed({"ready": 0.08, "relax": 0.1, "end": 0.22})]


def _breathing(performer: Performer, element: Element, tell: Tell) -> list[Behavior]:  # noqa: ARG001
    return [played(performer, "idle_breathe", times=int(number_of(element, "repetition", 1)))]


MAKERS = {
    **making.MAKERS, **dict.fromkeys(("touch", "reach", "grasp", "carry", "putDown", "handOver"), manipulate),
    "animation": _animation, "jump": _jump, "model": _model, "style": _style, "play": _play, "saccade": _eyes,
    "blink": _blink, "breathing": _breathing, "event": pause, "interrupt": pause,
}  # fmt: skip
"""What makes the behaviours of each kind of element."""
