"""How phases of behaviours may be stretched."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from mummer.bml.schedule import Phase

QUICKEST = 0.1
"""Part of its own length that a movement may be hurried to; what leads up to it may fall away."""
FASTEST = 0.4
"""Part of its own length that a way may take: bodies run no faster."""
EARLY = ("ready", "strokeStart", "attackPeak")
"""Sync points that preparations lead up to."""
HOLDS = (("ready", "strokeStart"), ("strokeEnd", "relax"), ("ready", "relax"), ("attackPeak", "relax"))
"""Phases in which nothing moves, and which may be as short or long as they need to be."""
SOFT = 0.001
"""Stiffness of a hold beside that of a movement."""


def phases_of(kind: str, times: Mapping[str, float]) -> tuple[Phase, ...]:
    """The phases between the sync points of a behaviour.

    Args:
        kind: of behaviour.
        times: seconds of its sync points by themselves, first to last.
    """
    names = list(times)
    made = []
    for before, after in pairwise(names):
        length = max(0.0, times[after] - times[before])
        if kind == "speech":
            made.append(Phase(length, length, length))  # a voice is as long as it is
        elif kind == "locomotion":
            made.append(Phase(length, FASTEST * length))
        elif (before, after) in HOLDS or kind == "wait":
            made.append(Phase(length, 0.0, stiffness=SOFT))
        else:
            made.append(Phase(length, 0.0 if after in EARLY else QUICKEST * length))
    return tuple(made)
