"""SmartBody's spellings, those of the drafts of BML, and those of its relatives, as BML 1.0 says them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

OLDER = (
    "head", "face", "gaze", "gesture", "body", "animation", "saccade", "reach", "blend", "constraint", "event",
    "locomotion", "speech", "lips", "viseme", "torso", "quickdraw", "interrupt", "blinkemitter", "breathingemitter",
    "procanim", "keyframe", "noise", "parametervaluechange", "activate",
)  # fmt: skip
"""Elements that somebody wrote before BML 1.0, or beside it."""

REACHES = {"EYES": "EYES", "HEAD": "HEAD", "NECK": "HEAD", "CHEST": "TORSO", "BACK": "TORSO", "WAIST": "WAIST"}
"""What of a body a gaze moves, from SmartBody's word to that of BML, the least first."""


@dataclass(frozen=True)
class Modern:
    """What an older element is now.

    Attributes:
        kind: of behaviour.
        said: the older spelling.
        now: the one of BML 1.0, or ours.
    """

    kind: str
    said: str
    now: str


def modern(local: str, attributes: dict[str, str]) -> Modern | None:
    """What an older element is now, its attributes made those of today; None if it is not an older spelling."""
    rule = RULES.get(local)
    return None if rule is None else rule(attributes)


def _head(attributes: dict[str, str]) -> Modern | None:
    if "type" not in attributes and "repeats" not in attributes and "velocity" not in attributes:
        return None
    said = " ".join(f"{name}=" for name in ("type", "repeats", "velocity") if name in attributes)
    kind = attributes.pop("type", "")
    if kind and "lexeme" not in attributes:
        attributes["lexeme"] = kind.upper()
    if "repeats" in attributes:
        attributes["repetition"] = attributes.pop("repeats")
    attributes.pop("velocity", None)
    return Modern("head", f"<head {said}>", "<head lexeme= repetition=>")


def _face(attributes: dict[str, str]) -> Modern | None:
    if "type" not in attributes and "au" not in attributes:
        return None
    kind = attributes.pop("type", "facs").lower()
    if kind == "facs":
        au, _, side = attributes.get("au", "").partition("_")
        attributes["au"] = au
        if side:
            attributes["side"] = side.upper()
        return Modern("faceFacs", '<face type="facs">', "<faceFacs au= side=>")
    attributes.setdefault("lexeme", attributes.pop("name", kind))
    return Modern("faceLexeme", f"<face type={kind!r}>", "<faceLexeme lexeme=>")


def _gaze(attributes: dict[str, str]) -> Modern | None:
    spellings = ("joint-range", "joint-speed", "target-pos", "handle", "angle", "direction")
    old = [name for name in spellings if name in attributes]
    if not old:
        return None
    said = attributes.pop("joint-range", "").upper().split()
    farthest = [name for name in REACHES if name in said]
    if farthest:
        attributes.setdefault("influence", REACHES[farthest[-1]])
    if "target-pos" in attributes:
        attributes["target"] = attributes.pop("target-pos")
    if "angle" in attributes:
        attributes.setdefault("offsetAngle", attributes.pop("angle"))
    if "direction" in attributes:
        attributes.setdefault("offsetDirection", attributes.pop("direction"))
    for name in ("joint-speed", "handle"):
        attributes.pop(name, None)
    return Modern("gaze", f"<gaze sbm:{old[0]}=>", "<gaze target= influence=>")


def _gesture(attributes: dict[str, str]) -> Modern | None:
    old = [name for name in ("type", "name", "poststroke_hold", "prestroke_hold", "joint-range") if name in attributes]
    if not old:
        return None
    lexeme, kind = attributes.get("lexeme", ""), attributes.pop("type", "")
    if kind:
        attributes["lexeme"] = f"{lexeme}_{kind}" if lexeme else kind
    elif "name" in attributes:
        attributes.setdefault("lexeme", attributes.pop("name"))
    return Modern("gesture", f"<gesture {old[0]}=>", "<gesture lexeme= mode=>")


def _body(attributes: dict[str, str]) -> Modern | None:
    if "posture" not in attributes:
        return None
    attributes["lexeme"] = attributes.pop("posture")
    return Modern("postureShift", "<body posture=>", "<postureShift> with <stance> and <pose>")


def _animation(attributes: dict[str, str]) -> Modern | None:
    if "name" not in attributes:
        return None
    return Modern("animation", "<animation name=> or <blend name=>", "<animation name=> of our namespace")


def _saccade(attributes: dict[str, str]) -> Modern | None:  # noqa: ARG001
    return Modern("saccade", "<saccade mode=>", "<saccade mode=> of our namespace")


def _reach(attributes: dict[str, str]) -> Modern | None:
    action = attributes.pop("action", "touch").lower()
    kind = {"pick-up": "grasp", "put-down": "putDown", "touch": "touch", "point-at": "pointing"}.get(action, "reach")
    if "target-pos" in attributes:
        attributes["target"] = attributes.pop("target-pos")
    hand = attributes.pop("reach-type", "").lower()
    if hand in ("left", "right"):
        attributes["mode"] = f"{hand.upper()}_HAND"
    for name in ("reach-finish", "reach-duration"):
        attributes.pop(name, None)
    return Modern(kind, f"<sbm:reach sbm:action={action!r}>", f"<{kind} target=>")


def _locomotion(attributes: dict[str, str]) -> Modern | None:
    if not any(name in attributes for name in ("type", "facing", "proximity")):
        return None
    attributes.pop("type", None)
    return Modern("locomotion", "<locomotion type= facing=>", "<locomotion target= manner=>")


def _speech(attributes: dict[str, str]) -> Modern | None:
    if "type" not in attributes:
        return None
    kind = attributes.pop("type")
    return Modern("speech", f"<speech type={kind[:40]!r}>", "<speech><text>")


def _event(attributes: dict[str, str]) -> Modern | None:  # noqa: ARG001
    return Modern("event", "<event>", "<event message=> of our namespace")


def _interrupt(attributes: dict[str, str]) -> Modern | None:
    attributes["target"] = attributes.get("act", attributes.get("target", ""))
    return Modern("interrupt", "<interrupt act=>", "<interrupt target=> of our namespace")


def _blinks(attributes: dict[str, str]) -> Modern | None:  # noqa: ARG001
    return Modern("saccade", "<bmlt:blinkemitter>", "what eyes do by themselves")


def _breaths(attributes: dict[str, str]) -> Modern | None:  # noqa: ARG001
    return Modern("breathing", "<bmlt:breathingemitter>", "<breathing> of our namespace")


RULES: dict[str, Callable[[dict[str, str]], Modern | None]] = {
    "head": _head, "face": _face, "gaze": _gaze, "gesture": _gesture, "body": _body, "animation": _animation,
    "blend": _animation, "saccade": _saccade, "reach": _reach, "locomotion": _locomotion, "speech": _speech,
    "event": _event, "interrupt": _interrupt, "blinkemitter": _blinks, "breathingemitter": _breaths,
}  # fmt: skip
