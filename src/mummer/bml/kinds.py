"""The kinds of behaviour that BML knows, and the sync points of each."""

from __future__ import annotations

POINTS = ("start", "ready", "strokeStart", "attackPeak", "stroke", "strokeEnd", "relax", "end")
"""Every sync point of the standard, in the order of time."""
STROKE = ("start", "ready", "strokeStart", "stroke", "strokeEnd", "relax", "end")
HOLD = ("start", "ready", "relax", "end")
PEAK = ("start", "attackPeak", "relax", "end")
SPAN = ("start", "end")

KINDS: dict[str, tuple[str, ...]] = {
    "speech": SPAN, "gaze": HOLD, "gazeShift": SPAN, "head": STROKE, "headDirectionShift": SPAN,
    "face": PEAK, "faceFacs": PEAK, "faceLexeme": PEAK, "faceShift": SPAN, "gesture": STROKE, "pointing": STROKE,
    "posture": HOLD, "postureShift": SPAN, "pose": HOLD, "locomotion": SPAN, "wait": SPAN,
}  # fmt: skip
"""Sync points by kind, of the core and its extensions."""

OUR_NAMESPACE = "urn:mummer:bml"
OWN: dict[str, tuple[str, ...]] = {
    "animation": STROKE, "reach": STROKE, "grasp": STROKE,
    "touch": STROKE, "carry": STROKE, "putDown": STROKE, "handOver": STROKE, "jump": STROKE, "saccade": SPAN,
    "blink": SPAN, "interrupt": SPAN, "event": SPAN, "breathing": SPAN, "model": STROKE, "style": SPAN, "play": SPAN,
}  # fmt: skip
"""Sync points by kind, of our own namespace."""

SHIFTS = ("gazeShift", "headDirectionShift", "faceShift", "postureShift")
"""Kinds that are over when they have got there."""


def points_of(kind: str) -> tuple[str, ...]:
    """The sync points of a kind, first to last."""
    return KINDS.get(kind) or OWN[kind]


def point_named(kind: str, said: str) -> str | None:
    """The sync point of a kind that a standard name means, whatever its spelling, or None if it is no standard name.

    A point that a kind has not is its nearest: what is ready when it is over has its ``ready`` at its ``end``.

    Example:
        >>> [point_named(kind, "ready") for kind in ("gesture", "faceLexeme", "gazeShift")]
        ['ready', 'attackPeak', 'end']
    """
    plain = said.replace("_", "").replace("-", "").lower()
    found = next((point for point in POINTS if point.lower() == plain), None)
    own = points_of(kind)
    if found is None or found in own:
        return found
    early = POINTS.index(found) < POINTS.index("strokeEnd")
    if own == SPAN:
        return "end" if not early or kind in SHIFTS else "start"
    if own == STROKE:
        return "stroke"
    if not early:
        return "relax"
    return "attackPeak" if own == PEAK else "ready"
