"""Tweaks: corrections of an action by hand, placed in canonical time, so that they survive whatever else is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mummer.character import Character
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import joint_of
from mummer.ik.goal import Goal
from mummer.ik.point_goals import Place
from mummer.ik.solve import solve
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.model.key_times import KeyTimes

APART = 1e-3
"""Seconds that keys of a warp are apart at least."""


@dataclass(frozen=True)
class Tweak:
    """A correction of one action, placed in canonical time, so that it survives whatever else is changed.

    Attributes:
        at: canonical time (1.5 is half-way from the second key time to the third), or the name of a key time.
        part: a role or a joint; none for a correction of the time.
        turn: degrees about x, y and z by which the part is turned, in the frame of its parent.
        move: (x, y, z) metres by which it is moved, by the whole body's means.
        later: seconds by which that moment is later, or with a minus earlier; key times beside it stay.
    """

    at: float | str
    part: str = ""
    turn: tuple[float, float, float] | None = None
    move: tuple[float, float, float] | None = None
    later: float | None = None

    def __post_init__(self) -> None:
        if [self.turn, self.move, self.later].count(None) != 2:
            what = repr(self.part) if self.part else "time"
            raise InputError(f"a tweak of {what} turns or moves it or is later; expected one of turn, move and later")
        if (self.later is None) != bool(self.part):
            raise InputError("a tweak turns or moves a part, or shifts time; expected a part, or later without one")


def canonical_of(key_times: KeyTimes, at: float | str) -> float:
    """A canonical time by number, or by the name of a key time."""
    if isinstance(at, str) and at not in key_times.names:
        raise UnknownNameError("this action", "key time", at, key_times.names)
    return float(key_times.names.index(at)) if isinstance(at, str) else float(at)


def moved_footfall(
    body: Character, goals: Sequence[Goal], key_times: KeyTimes, tweak: Tweak
) -> tuple[Goal, ...] | None:
    """Goals with a whole footfall elsewhere, where a tweak moves a foot that stands at its moment; else None.

    Args:
        body: whose.
        goals: of an action.
        key_times: of the action.
        tweak: which part, when and where to.
    """
    joint = joint_of(body, tweak.part)
    feet = [(foot.heel, *body.skeleton.descendants(foot.heel)) for foot in known_feet(body)]
    foot = next((each for each in feet if joint in each), ())
    held = [goal for goal in goals if isinstance(goal, Place) and goal.interval and joint_of(body, goal.part) in foot]
    time = float(key_times.seconds(canonical_of(key_times, tweak.at)))
    spans = [(time, time)]
    for _ in held:  # A footfall is all that overlaps: heel, then heel and toe, then toe.
        spans += [goal.interval for goal in held if goal.interval and _meets(goal.interval, spans)]
    if tweak.move is None or len(spans) == 1:
        return None
    move = np.asarray(tweak.move, np.float64)
    return tuple(
        replace(goal, at=np.asarray(goal.at, np.float64) + move)
        if isinstance(goal, Place) and any(goal is each for each in held) and goal.interval in spans
        else goal
        for goal in goals
    )


def _meets(span: tuple[float, float], others: Sequence[tuple[float, float]]) -> bool:
    return span not in others and any(span[0] <= end and begin <= span[1] for begin, end in others)


def tweaked(clip: Clip, key_times: KeyTimes, tweak: Tweak) -> SpaceWarp:
    """A clip bent by a tweak, which is felt from the key time before it to the one after."""
    canonical = canonical_of(key_times, tweak.at)
    time = float(np.clip(key_times.seconds(canonical), clip.start, clip.end))
    before, after = (float(key_times.seconds(each)) for each in (np.ceil(canonical) - 1, np.floor(canonical) + 1))
    joint = joint_of(clip.body, tweak.part)
    if tweak.turn is not None:
        turn = quaternion.exp(np.radians(np.asarray(tweak.turn, np.float64)))
        key = SpaceWarpKey.turn(time, clip.body.skeleton.names[joint], turn)
    else:
        place = WorldState(clip.body, clip.sample([time])).positions[0, joint] + np.asarray(tweak.move)
        goals = [Place(tweak.part, place), *_feet(clip, joint, time)]
        key = SpaceWarpKey.pose(time, solve(clip.body, goals, clip.at(time), solver="mass_weighted").pose)
    keys = [SpaceWarpKey.nothing(before)] if before < time - APART else []
    keys += [key] + ([SpaceWarpKey.nothing(after)] if after > time + APART else [])
    # A curve that swung beyond its keys would be felt most elsewhere than where the tweak was placed.
    return SpaceWarp(clip, tuple(keys), tangents="flat")


def _feet(clip: Clip, joint: int, time: float) -> list[Place]:
    """Feet stay where they are while another part is moved."""
    state = WorldState(clip.body, clip.sample([time]))
    heels = [foot.heel for foot in known_feet(clip.body) if foot.heel != joint]
    return [Place(clip.body.skeleton.names[heel], state.positions[0, heel]) for heel in heels]
