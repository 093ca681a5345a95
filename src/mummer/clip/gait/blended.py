"""Two gaits as one: poses, timing, travel and marks, at any time and weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import feet_of
from mummer.clip.frames import Frames
from mummer.clip.gait.cycle import GaitCycle, Spells
from mummer.clip.gait.registration import Registration
from mummer.clip.ground_path import RootMotion
from mummer.clip.loop import Loop
from mummer.clip.mixing import mix_into
from mummer.clip.repeat import Repeat
from mummer.clip.standing import move_body, wrapped
from mummer.clip.weighted import WeightCurve, curve_at
from mummer.math import quaternion

KNOTS = 480.0
"""Times a second between which phase and way are worked out."""
GRID = 4001
"""Phases of a cycle between which times are turned round."""


@dataclass(frozen=True, eq=False)
class GaitBlend:
    """What a blend of two gaits is at any time.

    Attributes:
        first, second: one cycle of each.
        registration: which phase of the second goes with which of the first.
        weight: how much of the second, 0 to 1; pairs (seconds, weight) begin at the time at which phase is 0.
    """

    first: GaitCycle
    second: GaitCycle
    registration: Registration
    weight: WeightCurve

    def weights_at(self, times: FloatArray) -> FloatArray:
        """(T,) how much of the second."""
        return curve_at(self.weight, times)

    @property
    def interval(self) -> tuple[float, float]:
        """Seconds (from, to): one cycle, or from the first to the last time of a weight that changes.

        Where it begins, phase is 0, and the body stands and faces as the first does at its start.
        """
        if not isinstance(self.weight, float):
            return self.weight[0][0], self.weight[-1][0]
        return 0.0, (1 - self.weight) * self.first.period + self.weight * self.second.period

    @cached_property
    def knots(self) -> tuple[FloatArray, FloatArray]:
        """(K,) times and the phases of the first that are played at them.

        A step of phase takes the mean of the times that both gaits take for it, by weight. At a constant weight the
        cycles before and after are there, too.
        """
        begin, end = self.interval
        if isinstance(self.weight, float):
            begin, end = begin - end, 2 * end
        count = max(2, round((end - begin) * KNOTS) + 1)
        times = np.linspace(begin, end, count)
        if isinstance(self.weight, float):
            return times, self._phase_at(times, self.weight)
        phases = np.zeros(count)
        step = times[1] - times[0]
        weights = self.weights_at(0.5 * (times[1:] + times[:-1]))
        for place in range(count - 1):
            # The midpoint rule: half a step to see how fast phase goes there, then the whole step at that speed.
            half = phases[place] + 0.5 * step * self._speed(phases[place], weights[place])
            phases[place + 1] = phases[place] + step * self._speed(half, weights[place])
        return times, phases

    def _speed(self, phase: float, weight: float) -> float:
        """Cycles a second."""
        near = np.array([phase - 1e-4, phase + 1e-4])
        slope = float(np.diff(self.registration.at(near))[0]) / 2e-4
        return 1.0 / ((1 - weight) * self.first.period + weight * self.second.period * slope)

    def _phase_at(self, times: FloatArray, weight: float) -> FloatArray:
        """(T,) phases at a constant weight, by turning round the mean of both times."""
        phases = np.linspace(0.0, 1.0, GRID)
        other = self.registration.at(phases) - self.registration.at(np.zeros(1))
        passed = (1 - weight) * self.first.period * phases + weight * self.second.period * other
        cycle = np.floor(times / passed[-1])
        return np.interp(times - cycle * passed[-1], passed, phases) + cycle

    def phases_at(self, times: FloatArray) -> FloatArray:
        """(T,) the phases of the first."""
        return np.interp(times, *self.knots)

    def time_of(self, phases: FloatArray) -> FloatArray:
        """(T,) when phases of the first are played."""
        times, known = self.knots
        return np.interp(phases, known, times)

    def frames(self, times: FloatArray) -> Frames:
        """The poses at ``times`` (T,)."""
        phases, weights, body = self.phases_at(times), self.weights_at(times), self.first.clip.body
        made = _standing_still(self.first, phases)
        other = _standing_still(self.second, self.registration.at(phases))
        for foot, late in self.registration.late.items():
            # A leg that keeps another time than the rest comes down in between, too.
            leg = _leg_of(body, foot)
            own = _standing_still(self.first, phases - weights * late)
            theirs = _standing_still(self.second, self.registration.at(phases + (1 - weights) * late))
            made.rotations[:, leg], other.rotations[:, leg] = own.rotations[:, leg], theirs.rotations[:, leg]
        mix_into(made, other, weights, np.ones(len(body.skeleton)), body)
        self._put(made, *self.way.at(times))
        return made

    def _put(self, frames: Frames, places: FloatArray, headings: FloatArray) -> None:
        """Let the body stand and face as it should, in place."""
        standing, body = self.first.standing, self.first.clip.body
        now, facing = standing.places(frames)
        turn = standing.turn(self._start[1] + headings - facing)
        move_body(frames, body, places - quaternion.rotate(turn, standing.level(now)), turn)

    @cached_property
    def _start(self) -> tuple[FloatArray, float]:
        clip = self.first.clip
        places, headings = self.first.standing.places(clip.frames(np.array([clip.start])))
        return self.first.standing.level(places[0]), float(headings[0])

    @cached_property
    def way(self) -> RootMotion:
        """Where the body goes."""
        return self._way(self.first.clip, self.second.clip)

    @cached_property
    def way_recorded(self) -> RootMotion:
        """Where the body would go if cycles that were recorded in place stayed there."""
        return self._way(self.first.recorded, self.second.recorded)

    def back_in_place(self) -> RootMotion:
        """What takes the way out again that cycles in place were given."""
        times, (begin, end) = self.knots[0], self.interval
        within = times[(times >= begin) & (times <= end)]
        within = np.unique(np.concatenate([[begin], within, [end]]))
        away = self.way_recorded.at(within)[0] - self.way.at(within)[0]
        return RootMotion("linear", within, away, np.zeros(len(within)), self.first.standing.up)

    def _way(self, first: Loop | Repeat, second: Loop | Repeat) -> RootMotion:
        """From knot to knot the mean of both steps and turns, by weight."""
        times, phases = self.knots
        weights = self.weights_at(0.5 * (times[1:] + times[:-1]))[:, None]
        ours, theirs = self._steps(first, phases), self._steps(second, self.registration.at(phases))
        steps, turns = ((1 - weights) * a + weights * b for a, b in zip(ours, theirs, strict=True))
        start, heading = self._start
        way = RootMotion.from_deltas("composite", times, np.zeros(3), steps, turns[:, 0], self.first.standing.up)
        zero, facing = way.at(np.array([self.interval[0]]))
        turn = self.first.standing.turn(heading - facing[0])
        places = start + quaternion.rotate(turn, way.positions - zero)
        return replace(way, positions=places, headings=way.headings - facing[0])

    def _steps(self, cycle: Loop | Repeat, phases: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(K - 1, 3) steps between phases, seen as the body faces, and (K - 1, 1) turns."""
        twice, period, standing = replace(cycle, count=2), cycle.clip.duration, self.first.standing
        whole = np.floor(phases[:-1])
        rows = [twice.start + period * np.minimum(at - whole, 2.0) for at in (phases[:-1], phases[1:])]
        (places, headings), (then, facing) = (standing.places(twice.frames(times)) for times in rows)
        turns = wrapped(facing - headings)
        return quaternion.rotate(standing.turn(-headings), standing.level(then - places)), turns[:, None]

    def marks(self, first: Mapping[str, Spells], second: Mapping[str, Spells]) -> tuple[Mark, ...]:
        """Marks of both, by name in phases of each, as one: when they begin and end is the mean of both, by weight.

        Names that both have count; a spell of one that has no partner in the other is the shorter the less it weighs.
        """
        found = []
        _, phases = self.knots
        for name in sorted({*first} & {*second}):
            theirs = [tuple(self.registration.back(np.array(pair)).tolist()) for pair in second.get(name, ())]
            for pair in _paired(first.get(name, []), theirs):
                for turn in range(int(np.floor(phases[0])) - 1, int(np.ceil(phases[-1])) + 1):
                    mark = self._mark(name, pair[0] + turn, pair[1] + turn)
                    found += [] if mark is None else [mark]
        return tuple(sorted(found))

    def _mark(self, name: str, ours: FloatArray, theirs: FloatArray) -> Mark | None:
        weight = float(self.weights_at(self.time_of(ours[:1]))[0])
        begin, end = self.time_of((1 - weight) * ours + weight * theirs).tolist()
        return Mark(begin, name, end) if end > begin else None


def _leg_of(body: Character, foot: str) -> list[int]:
    """The joints of the leg that ends in a foot."""
    assert body.anatomy is not None
    heel = next(each.heel for each in feet_of(body) if each.name == foot)
    limb = next((limb.joints for limb in body.anatomy.limbs if heel in limb.joints), (heel,))
    return sorted({*limb, *body.skeleton.descendants(heel)})


def _paired(first: Spells, second: Spells) -> list[FloatArray]:
    """For each spell of either, (2, 2) begin and end in both; where it has no partner there, it has no length there."""
    pairs, left = [], list(second)
    for ours in first:
        gaps = [(sum(theirs) - sum(ours)) / 2 for theirs in left]
        away = [abs(gap - round(gap)) for gap in gaps]
        if not left:
            pairs.append(np.array([ours, (ours[0], ours[0])]))
            continue
        place = int(np.argmin(away))
        pairs.append(np.array([ours, np.array(left.pop(place)) - round(gaps[place])]))
    return [*pairs, *(np.array([(theirs[0], theirs[0]), theirs]) for theirs in left)]


def _standing_still(cycle: GaitCycle, phases: FloatArray) -> Frames:
    """The poses at some phases, above the origin and not turned."""
    clip, standing = cycle.clip, cycle.standing
    made = clip.frames(clip.start + cycle.period * (phases % 1.0))
    places, headings = standing.places(made)
    turn = standing.turn(-headings)
    move_body(made, clip.body, -quaternion.rotate(turn, standing.level(places)), turn)
    return made
