"""One cycle of a gait: cut out, closed, and put on the move where it was recorded in place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import world_positions
from mummer.character.marks import Mark
from mummer.clip.analysis.contacts import contacts
from mummer.clip.analysis.cycles import find_cycle, poses_in_place
from mummer.clip.analysis.feet import Foot, known_feet
from mummer.clip.analysis.tracks import follow
from mummer.clip.clip import Clip
from mummer.clip.ground_path import RootMotion
from mummer.clip.loop import Loop
from mummer.clip.repeat import Repeat
from mummer.clip.root_motion import Restored
from mummer.clip.standing import Standing, wrapped
from mummer.errors import InputError

Spells: TypeAlias = "list[tuple[float, float]]"
"""When something begins and ends, in cycles from the start of one."""
CLOSED = 0.03
"""How unlike the ends of a clip may be that is a loop already: 0 the same, 1 like poses taken at random."""
SURE = 0.5
"""Confidence from which a motion counts as one that repeats itself."""
AROUND = 3
"""Cycles that are looked at so that the one in the middle has neighbors."""
DOWN = 0.5
"""Part of the time that a foot goes backwards in which it is lowest, and carries weight."""
STILL = 0.1
"""Leg lengths a second below which a body does not get along."""
TURNING = 0.5
"""Radians a cycle from which a body turns on the spot, and is not on a belt."""
RATE = 120.0
PHASES = 240
"""Phases of a cycle that are looked at."""


@dataclass(frozen=True, eq=False)
class GaitCycle:
    """One cycle of a motion, whose end flows into its start.

    Attributes:
        clip: the cycle alone; it gets along over the ground.
        recorded: the same as it was recorded: also in place.
    """

    clip: Loop | Repeat
    recorded: Loop | Repeat

    @property
    def period(self) -> float:
        """Seconds of one cycle."""
        return self.clip.duration

    @property
    def in_place(self) -> bool:
        """Whether it was recorded in place."""
        return self.recorded is not self.clip

    @property
    def around(self) -> Clip:
        """Three cycles, of which the middle one is this."""
        return replace(self.clip, count=AROUND)

    def phases(self, marks: tuple[Mark, ...]) -> dict[str, Spells]:
        """Marks of `around` that begin in the middle cycle, by name: when they begin and end in cycles, from 0 to 1."""
        found: dict[str, Spells] = {}
        for mark in marks:
            begin, end = ((time - self.clip.start) / self.period - 1.0 for time in (mark.time, mark.until))
            if 0 <= begin < 1:
                found.setdefault(mark.name, []).append((begin, end))
        return found

    @cached_property
    def falls(self) -> dict[str, float]:
        """The phase at which each foot comes down, by its name, from contacts: of several the longest counts.

        Feet that slide too much for contacts say nothing.
        """
        if not known_feet(self.clip.body):
            return {}
        found = self.phases(contacts(self.around))
        spells = {name.removesuffix(" contact"): found[name] for name in found if name.endswith(" contact")}
        return {name: max(each, key=lambda spell: spell[1] - spell[0])[0] for name, each in spells.items()}

    @cached_property
    def reaches(self) -> dict[str, float]:
        """The phase at which each foot is farthest ahead of the body, by its name: about when it comes down."""
        times = self.clip.start + self.period * np.arange(PHASES) / PHASES
        frames = self.clip.frames(times)
        places, _ = self.standing.places(frames)
        gone = self.standing.places(self.clip.frames(np.array([self.clip.start, self.clip.end])))[0]
        ahead = self.standing.level(gone[1] - gone[0])
        if not np.linalg.norm(ahead) > 1e-9:
            return {}
        joints = world_positions(self.clip.body.skeleton, frames.to_pose())
        feet = known_feet(self.clip.body)
        return {foot.name: int(np.argmax((joints[:, foot.heel] - places) @ ahead)) / PHASES for foot in feet}

    @cached_property
    def standing(self) -> Standing:
        """Tells place and heading."""
        return Standing.of(self.clip.body)


def gait_cycle(clip: Clip) -> GaitCycle:
    """One cycle of a walk, a run, or whatever else repeats itself.

    A clip whose end meets its start is taken as it is, unless it holds several cycles; otherwise the cycle is found and
    closed. If feet slide backwards while they stand, the motion was recorded in place, and gets along here as fast as
    they slide.

    Raises:
        InputError: if the clip does not repeat itself.
    """
    cycle: Loop | Repeat = _closed(clip) if _is_closed(clip) else _cut(clip)
    belt = _belt(cycle)
    return GaitCycle(replace(cycle, clip=_travelling(cycle.clip, belt)) if np.any(belt) else cycle, cycle)


def _is_closed(clip: Clip) -> bool:
    poses = poses_in_place(clip, clip.times(RATE))
    spread = 2.0 * float(np.mean(np.sum((poses - poses.mean(axis=0)) ** 2, axis=1)))
    if not spread > 1e-12 * float(np.sum(poses[0] ** 2)):
        raise InputError(f"{clip.name!r} does not move; expected a walk, a run or the like")
    return float(np.sum((poses[-1] - poses[0]) ** 2)) <= CLOSED * max(spread, 1e-18)


def _closed(clip: Clip) -> Loop | Repeat:
    """The clip, or one of the several cycles that it holds."""
    found = find_cycle(Repeat(clip, AROUND), shortest=0.2 * clip.duration, longest=1.2 * clip.duration)
    if found.period > 0.75 * clip.duration or found.confidence < SURE:
        return Repeat(clip, 1)
    return _cut(Repeat(clip, AROUND))


def _cut(clip: Clip) -> Loop:
    found = find_cycle(clip)
    if found.confidence < SURE:
        raise InputError(
            f"{clip.name!r} does not repeat itself within {clip.duration:.3g} s; expected a walk, a run or the like"
        )
    return Loop(found.cut(clip), 1)


def _belt(cycle: Loop | Repeat) -> FloatArray:
    """(3,) how fast the body of a cycle in place would get along, metres a second; zero if it does get along."""
    nowhere = np.zeros(3)
    feet = known_feet(cycle.body)
    if not feet:
        return nowhere
    leg = float(np.mean([foot.leg for foot in feet]))
    standing = Standing.of(cycle.body)
    places, headings = standing.places(cycle.clip.frames(np.array([cycle.clip.start, cycle.clip.end])))
    gone = float(np.linalg.norm(standing.level(places[1] - places[0]))) / cycle.clip.duration
    if gone > STILL * leg or abs(float(wrapped(headings[1] - headings[0]))) > TURNING:
        return nowhere
    velocity = -_slide(replace(cycle, count=AROUND), feet, standing)
    return velocity if float(np.linalg.norm(velocity)) > STILL * leg else nowhere


def _slide(clip: Clip, feet: tuple[Foot, ...], standing: Standing) -> FloatArray:
    """(3,) how fast feet move over the ground while they are down: of each foot the part that is lowest.

    Feet go to and fro; the way they go when they are lower is that of the ground.
    """
    found = []
    for foot in feet:
        tracks = follow(clip, foot.parts, rate=RATE)
        heights = tracks.places @ standing.up
        above = heights - heights.min(axis=0)
        lowest = np.argmin(above, axis=1)
        rows = np.arange(len(lowest))
        above, velocities = above[rows, lowest], standing.level(tracks.velocities[rows, lowest])
        along = velocities @ np.linalg.svd(velocities, full_matrices=False)[2][0]
        ways = [along >= 0, along < 0]
        back = min(ways, key=lambda way: float(above[way].mean()) if way.any() else np.inf)
        down = back & (above <= np.quantile(above[back], DOWN))
        found.append(np.median(velocities[down], axis=0))
    return np.median(found, axis=0)


def _travelling(clip: Clip, velocity: FloatArray) -> Restored:
    times = np.array([clip.start, clip.end])
    places = velocity * (times - clip.start)[:, None]
    return Restored(clip, RootMotion("linear", times, places, np.zeros(2), Standing.of(clip.body).up))
