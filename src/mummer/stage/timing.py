"""How long a transition takes: what it has to move, group by group, and the ways to make seconds of that.

Every group is measured for itself: how far its own joints have to move what they carry, as a share of its reach, how
fast that moves when the first motion is left and the second entered, and how far it went in the *prototype*, the second
motion's own way from its start to the entry. Lengths and speeds in shares of the reach make one table serve all sizes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mummer.character import Pose
from mummer.clip import Clip
from mummer.clip.displacement import reach_of
from mummer.errors import InputError, UnknownNameError
from mummer.ik.pose_distance import group_distances
from mummer.stage.durations import Durations, shipped

Timing = Literal["constant", "fast", "proportional", "learned"]
TIMINGS: tuple[Timing, ...] = ("constant", "fast", "proportional", "learned")
Joining = Literal["fastest-legal", "mean", "slowest"]
JOININGS: tuple[Joining, ...] = ("fastest-legal", "mean", "slowest")
STILL = 0.02
"""Share of its reach that a group has to move to count as moving."""
SPAN = 1 / 30
"""Seconds over which speeds at the ends are taken, outside the transition."""
SHORTEST, LONGEST = 0.125, 4.0
"""Seconds; pieces of recordings from one rest to the next take no less, and nobody would call longer ones so."""


@dataclass(frozen=True)
class Leap:
    """What one group has to do.

    Attributes:
        distance: of its mass from the exit to the entry, in reaches.
        speed: reaches a second, the mean of those at both ends.
        prototype: distance of the prototype, in reaches.
    """

    distance: float
    speed: float
    prototype: float


@dataclass(frozen=True)
class Gap:
    """What a transition has to bridge.

    Attributes:
        groups: by name.
        seconds: how long the prototype takes; zero if there is none.
    """

    groups: Mapping[str, Leap]
    seconds: float


def gap_between(first: Clip, second: Clip, exit: float, entry: float) -> Gap:  # noqa: A002
    """What lies between the moment ``exit`` of one clip and the moment ``entry`` of another, in seconds of each.

    Both stand where they are played. Travel over the ground and turns about the vertical are left out: the second is
    put where the first leads, so that they tell nothing.
    """
    body = first.body
    if body.anatomy is None:
        raise InputError(f"the anatomy of {body.name!r} is not known; transitions are timed by its groups")
    before, after = max(first.start, exit - SPAN), min(second.end, entry + SPAN)
    leaving = _filled(first, first.sample([before, exit]))
    entering = _filled(second, second.sample([second.start, entry, after]))
    rows = [leaving[0], leaving[1], entering[0], entering[1], entering[2]]
    start_to_end = ((1, 3), (0, 1), (3, 4), (2, 3))
    begins, ends = (Pose.stack([rows[pair[side]] for pair in start_to_end]) for side in (0, 1))
    body_groups = body.anatomy.groups
    # All four at once: what it takes to pose a body is hardly more for four poses than for one.
    found = group_distances(body, begins, ends, align="level")
    far = {name: each / reach_of(body, body_groups[name]) for name, each in found.items()}
    ways = [{name: float(each[row]) for name, each in far.items()} for row in range(4)]
    spans = (exit - before, after - entry)
    leaps = {
        name: Leap(
            ways[0][name],
            0.5 * sum(way[name] / span for way, span in zip(ways[1:3], spans, strict=True) if span > 1e-6),
            ways[3][name],
        )
        for name in body_groups
    }
    return Gap(leaps, entry - second.start)


def _filled(clip: Clip, poses: Pose) -> Pose:
    """Poses with all that joints may have, so that those of different clips stand in one row; morphs move no mass."""
    skeleton = clip.body.skeleton
    return Pose(poses.rotations, translations=poses.full_translations(skeleton), scales=poses.full_scales(skeleton))


def group_seconds(gap: Gap, timing: Timing, durations: Durations | None = None) -> dict[str, float]:
    """The seconds that each group that has to move would take by itself.

    Args:
        gap: what has to be bridged.
        timing: ``constant``: as long as the prototype; ``fast``: as fast as mass can be moved; ``proportional``: as
            much longer than the prototype as it goes further; ``learned``: as recordings do.
        durations: speed limits and what was learned; those that ship if None.

    Raises:
        UnknownNameError: for another timing.
    """
    if timing not in TIMINGS:
        raise UnknownNameError("a transition", "timing", timing, TIMINGS)
    known = durations or shipped()
    moving = {name: leap for name, leap in gap.groups.items() if leap.distance > STILL or leap.speed > STILL}
    if timing == "constant":
        return dict.fromkeys(moving, gap.seconds) if gap.seconds > 0 else {}
    if timing == "fast":
        return {name: leap.distance / known.limit(name) for name, leap in moving.items()}
    if timing == "proportional":
        # A group that hardly moved in the prototype says nothing of how long it needs.
        told = {name: leap for name, leap in moving.items() if leap.prototype > STILL and gap.seconds > 0}
        return {name: gap.seconds * leap.distance / leap.prototype for name, leap in told.items()}
    return {name: known.seconds(name, leap.distance, leap.speed, *_told(gap, leap)) for name, leap in moving.items()}


def _told(gap: Gap, leap: Leap) -> tuple[float, float]:
    """The distance and the seconds of the prototype, where it moved."""
    return (leap.prototype, gap.seconds) if leap.prototype > STILL and gap.seconds > 0 else (0.0, 0.0)


def joined(by_group: Mapping[str, float], how: Joining, gap: Gap, durations: Durations | None = None) -> float:
    """One number of seconds for all groups.

    Args:
        by_group: see `group_seconds`; the learned way for all if it is empty.
        how: ``fastest-legal``: the shortest that no group is too slow for; ``mean`` (of the logarithms, each group
            counting by how far it moves) or ``slowest``.
        gap: what has to be bridged.
        durations: speed limits; those that ship if None.

    Raises:
        UnknownNameError: for another way.
    """
    if how not in JOININGS:
        raise UnknownNameError("a transition", "way to join groups", how, JOININGS)
    times = dict(by_group) or group_seconds(gap, "learned", durations)
    if not times:
        return SHORTEST
    if how == "mean":
        weights = np.array([gap.groups[name].distance + STILL for name in times])
        logs = np.log(np.maximum([*times.values()], 1e-3))
        found = math.exp(float(weights @ logs / weights.sum()))
    elif how == "slowest":
        found = max(times.values())
    else:
        legal = group_seconds(gap, "fast", durations)
        found = max(min(times.values()), *legal.values(), 0.0)
    return float(np.clip(found, SHORTEST, LONGEST))


def transition_seconds(
    first: Clip, second: Clip, exit: float, entry: float, *,  # noqa: A002
    timing: Timing = "learned", join: Joining = "mean", durations: Durations | None = None,
) -> float:  # fmt: skip
    """How long the way from one clip to another shall take; see `group_seconds` and `joined`."""
    gap = gap_between(first, second, exit, entry)
    return joined(group_seconds(gap, timing, durations), join, gap, durations)
