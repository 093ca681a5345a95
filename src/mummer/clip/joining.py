"""Two clips joined by a transition: the first, the glue, the second, as one clip."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mummer.clip.blend import Align, Blend
from mummer.clip.clip import Clip
from mummer.clip.moment import Moment
from mummer.clip.pivot import Pivot, pivot_to
from mummer.clip.retimed import Trim
from mummer.clip.standing import Standing
from mummer.clip.transition import Method, Transition
from mummer.errors import UnknownNameError
from mummer.math import quaternion


def join(
    first: Clip,
    second: Clip,
    *,
    exit: float | None = None,  # noqa: A002
    entry: float | None = None,
    duration: float = 0.3,
    method: Method = "best",
    groups: Mapping[str, Method] | None = None,
    align: Align = "ground",
) -> Clip:
    """The first clip until ``exit``, a transition, and the second clip from ``entry`` on.

    Args:
        first: any clip.
        second: another of the same body.
        exit: seconds in the first; its end if left out.
        entry: seconds in the second; as far after its start as the transition lasts if left out, at most its middle,
            so that there is motion to lead in with.
        duration: seconds of the transition.
        method: see `Transition`.
        groups: see `Transition`.
        align: ``ground`` turns and moves the second over the ground to where the first brings the body; ``none``
            takes it as it is.
    """
    leave = first.end if exit is None else exit
    enter = min(second.start + duration, 0.5 * (second.start + second.end)) if entry is None else entry
    if align not in ("none", "ground"):
        raise UnknownNameError("join", "align", align, ["none", "ground"])
    placed = second if align == "none" else place_after(first, leave, second, enter, duration)
    glue = Transition(first, placed, leave, enter, duration, method, groups or {})
    begun = Blend(Trim(first, first.start, leave), glue, 0.0)
    return Blend(begun, Trim(placed, enter, placed.end), 0.0)


def place_after(first: Clip, leave: float, second: Clip, enter: float, duration: float) -> Pivot:
    """``second`` put where a body is that left ``first`` and kept going for ``duration`` seconds.

    It goes in the direction in which it was facing, at first as fast as the one clip and at last as fast as the other.
    """
    standing = Standing.of(first.body)
    leaving, arriving = Moment.of(first, leave), Moment.of(second, enter)
    places, headings = standing.places(leaving.pose)
    heading = float(headings[0])
    turned = standing.turn(heading - float(standing.places(arriving.pose)[1][0]))
    pace = 0.5 * (leaving.rates["root"][0] + quaternion.rotate(turned, arriving.rates["root"][0]))
    return pivot_to(second, places[0] + duration * np.asarray(standing.level(pace)), heading, time=enter)
