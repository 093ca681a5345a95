"""The sync points that BML gives a kind of behaviour, and those that the behaviour itself knows."""

from __future__ import annotations

import math
from collections.abc import Mapping

from mummer.bml.kinds import POINTS, points_of

SPELLED = {"stroke_start": "strokeStart", "stroke_end": "strokeEnd", "ready": "ready"}
"""Sync points of behaviours that BML spells otherwise."""


def standard_name(kind: str, own: str) -> str:
    """How BML calls a sync point of a behaviour.

    Example:
        >>> standard_name("gesture", "stroke_end"), standard_name("face", "ready")
        ('strokeEnd', 'attackPeak')
    """
    name = SPELLED.get(own, own)
    return "attackPeak" if name == "ready" and "attackPeak" in points_of(kind) else name


def standard_times(kind: str, own: Mapping[str, float]) -> dict[str, float]:
    """The times of all sync points that BML gives a kind, where a behaviour knows only some, or has marks of its own.

    What a behaviour does not know lies where the next one does; a stroke in the middle of its phase. What never ends is
    over when its last finite moment is: the rest is how it leaves the body.

    Args:
        kind: of BML.
        own: seconds by the behaviour's names.

    Example:
        >>> standard_times("gaze", {"start": 0.0, "ready": 0.4, "end": 2.0})
        {'start': 0.0, 'ready': 0.4, 'relax': 2.0, 'end': 2.0}
    """
    finite = {standard_name(kind, name): time for name, time in own.items() if math.isfinite(time)}
    first, last = finite.get("start", 0.0), max(finite.values(), default=0.0)
    points = points_of(kind)
    known = {"start": first, "end": last, **finite}
    if "stroke" not in known and "strokeStart" in known and "strokeEnd" in known:
        known["stroke"] = 0.5 * (known["strokeStart"] + known["strokeEnd"])
    if "relax" not in known and "strokeEnd" in known:
        known["relax"] = known["strokeEnd"]
    times, upper = {}, last
    for point in reversed(points):
        times[point] = upper = min(known.get(point, upper), upper)
    marks = {name: min(max(time, first), last) for name, time in finite.items() if name not in POINTS}
    rank = {point: place for place, point in enumerate(points)}
    both = {**{point: times[point] for point in points}, **marks}
    # Marks at one moment with a sync point come after it, and before the end.
    return dict(sorted(both.items(), key=lambda item: (item[1], rank.get(item[0], len(points) - 1.5))))


def own_times(kind: str, own: Mapping[str, float], wanted: Mapping[str, float]) -> dict[str, float]:
    """Times by the behaviour's own names, of those that are wanted by the names of BML; what never ends is left so."""
    found = {name: wanted.get(standard_name(kind, name)) for name, time in own.items() if math.isfinite(time)}
    return {name: time for name, time in found.items() if time is not None}
