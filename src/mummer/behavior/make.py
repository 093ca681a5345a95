"""Make behaviours by name."""

from __future__ import annotations

import importlib
from typing import Any

from mummer.behavior.behavior import Behavior
from mummer.behavior.performer import Performer
from mummer.errors import InputError, UnknownNameError
from mummer.options import parameters_of

KINDS = {
    "face": "face.expression.make_face",
    "face_shift": "face.expression.make_face_shift",
    "gaze": "gaze.make_gaze",
    "gaze_shift": "gaze.make_gaze_shift",
    "head": "head.make_head",
    "speech": "speech.speak.make_speech",
    "animation": "played.make_animation",
    "gesture": "played.make_gesture",
    "jump": "played.make_animation",
    "model": "modeled.make_model",
    "sketched": "modeled.make_sketched",
    "style": "modeled.make_style",
    "posture": "played.make_animation",
    "eyes": "eyes.make_eyes",
    "locomotion": "locomotion.make_locomotion",
    "turn": "locomotion.make_turn",
    "stick": "locomotion.make_stick",
    "touch": "manipulation.make_touch",
    "grasp": "manipulation.make_grasp",
    "put_down": "manipulation.make_put_down",
    "hand_over": "manipulation.make_hand_over",
    "point": "manipulation.make_point",
}
"""Kinds of behaviours, and what makes each; the keyword arguments of that are its attributes."""


def make(kind: str, performer: Performer, **attributes: Any) -> Behavior:
    """A behaviour for a performer.

    Args:
        kind: one of `KINDS`.
        performer: who will do it.
        attributes: of that kind, see what makes it.

    Raises:
        InputError: for a kind or an attribute that does not exist or has no such value, or if the body lacks a part
            that the behaviour needs.

    Example:
        >>> from mummer import behavior
        >>> who = behavior.Performer("zoo:dog")
        >>> behavior.make("gaze", who, target=(1.0, 0.3, 2.0), influence="eyes").duration
        1.9
    """
    if kind not in KINDS:
        raise UnknownNameError("mummer.behavior", "behaviour", kind, KINDS)
    home, name = KINDS[kind].rsplit(".", 1)
    maker = getattr(importlib.import_module(f"mummer.behavior.{home}"), name)
    known = {key: each for key, each in parameters_of(maker).items() if key != "performer"}
    for attribute in attributes:
        if attribute not in known:
            raise UnknownNameError(kind, "attribute", attribute, known)
    missing = [key for key, each in known.items() if each.default is each.empty and key not in attributes]
    if missing:
        raise InputError(f"{kind} needs {' and '.join(repr(key) for key in missing)}")
    made: Behavior = maker(performer, **attributes)
    return made
