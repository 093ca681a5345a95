"""Tracks: what goals ask of one value of the body over time, and how the offset comes in before and goes out after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.ik.axes import axes_mask
from mummer.ik.body_point import joint_of
from mummer.ik.goal import Goal
from mummer.ik.goals import Aim, CenterOfMass, JointValue, Match, Orient, Place, Together
from mummer.ik.moving import at_times
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.math.steps import smoother_step

EDGE_REACH = 0.035
"""Seconds to either side of an edge from which the speed of the motion there is told; noise averages out."""
EDGE_SAMPLES = 9
GENTLY = 12.0
"""How many times as long as the motion itself would need the speed of an offset takes to die away."""
PACE_RATE = 60.0
QUICKEST = 0.2
"""Seconds; nothing dies away faster."""
INSIDE = 0.25
"""Seconds from its ends at which a piece between two others is bent as any motion is."""

Values = Callable[[FloatArray], FloatArray]
"""(T, W) at times (T,)."""


@dataclass(frozen=True, eq=False)
class Edge:
    """An offset at the moment where a goal begins or ends to hold.

    Attributes:
        value: (D,) the offset.
        slope: (D,) its first derivative in time.
        bend: (D,) its second.
        settling: seconds within which the speed of the offset dies away; its value may take longer.
    """

    value: FloatArray
    slope: FloatArray
    bend: FloatArray
    settling: float = 0.2


@dataclass(frozen=True, eq=False)
class Gap:
    """A stretch of time in which no goal holds.

    Attributes:
        begin, end: seconds.
        before, after: the offset where the gap begins and ends; None where nothing held before or holds after.
    """

    begin: float
    end: float
    before: Edge | None
    after: Edge | None


class Bridges:
    """Offsets in all gaps of one track: smooth to the second derivative, and equal to what goals ask for at the edges.

    The value of an offset goes over the whole gap into the next one, or dies away within the easing time where the gap
    is long; its speed always dies away soon, so that it carries the offset nowhere else.
    """

    def __init__(self, gaps: Sequence[Gap], ease: float, width: int) -> None:
        self.begins = np.array([gap.begin for gap in gaps])
        self.ends = np.array([gap.end for gap in gaps])
        lengths = self.ends - self.begins
        two_sided = np.array([gap.before is not None and gap.after is not None for gap in gaps], bool)
        # Between two goals a short gap is crossed at once; before the first and after the last a short one is held.
        short = np.where(two_sided, lengths <= 2 * ease, lengths < ease)
        self._value_times = np.where(short, np.where(two_sided, lengths, np.inf), max(ease, 1e-9))
        self._before = _Side([gap.before for gap in gaps], lengths, ease, width)
        self._after = _Side([gap.after for gap in gaps], lengths, ease, width)
        self.width = width

    def __call__(self, times: FloatArray) -> tuple[FloatArray, BoolArray]:
        """(T, D) the offsets, zero outside of gaps, and (T,) whether each time is in a gap, ends included."""
        offsets = np.zeros((len(times), self.width))
        inside = np.zeros(len(times), bool)
        if not len(self.begins):
            return offsets, inside
        gap = np.clip(np.searchsorted(self.begins, times, side="right") - 1, 0, None)
        inside = (times >= self.begins[gap]) & (times <= self.ends[gap])
        rows, which = np.flatnonzero(inside), gap[inside]
        at = times[rows]
        lasting = self._value_times[which]
        offsets[rows] = self._before(which, at - self.begins[which], lasting, 1.0)
        offsets[rows] += self._after(which, self.ends[which] - at, lasting, -1.0)
        return offsets, inside


class _Side:
    """The edges on one side of all gaps."""

    def __init__(self, edges: Sequence[Edge | None], lengths: FloatArray, ease: float, width: int) -> None:
        nothing = Edge(np.zeros(width), np.zeros(width), np.zeros(width))
        listed = [nothing if edge is None else edge for edge in edges]
        self.derivatives = np.array([[edge.value, edge.slope, edge.bend] for edge in listed]).reshape(-1, 3, width)
        settling = np.array([edge.settling for edge in listed])
        self.settling = np.maximum(np.minimum(np.minimum(lengths, ease), settling), 1e-9)

    def __call__(self, which: IntArray, away: FloatArray, lasting: FloatArray, direction: float) -> FloatArray:
        """(n, D) what the edges of gaps ``which`` give at times ``away`` from them; slopes change sign going back."""
        value, slope, bend = np.moveaxis(self.derivatives[which], 1, 0)
        tau = self.settling[which]
        u = np.clip(away / tau, 0.0, 1.0)
        remains = 1.0 - smoother_step(away / lasting)
        carried = direction * tau * u * (1 - u) ** 3 * (1 + 3 * u)
        bent = 0.5 * tau**2 * u**2 * (1 - u) ** 3
        return np.asarray(value * remains[:, None] + slope * carried[:, None] + bend * bent[:, None])


@dataclass(frozen=True, eq=False)
class Demand:
    """What one goal asks for while it holds.

    Attributes:
        begin, end: seconds, within the clip.
        target: (T, W) the value asked for at times (T,) between them.
    """

    begin: float
    end: float
    target: Values


@dataclass(frozen=True, eq=False)
class Track:
    """One value of the body over the whole clip: a place or direction (W = 3), or a rotation (W = 4).

    Attributes:
        start, end: seconds of the clip.
        demands: earliest first, apart from each other.
        own: (T, W) the value as the clip has it.
        ease: seconds; see `Bridges`.
        directions: whether the value is a unit vector, which turns.
    """

    start: float
    end: float
    demands: tuple[Demand, ...]
    own: Values
    ease: float
    directions: bool = False

    @cached_property
    def bridges(self) -> Bridges:
        """The offsets in the gaps between demands."""
        gaps: list[Gap] = []
        last: Demand | None = None
        for demand in self.demands:
            begin = self.start if last is None else last.end
            if demand.begin > begin:
                before = None if last is None else self._edge(last, last.end)
                gaps.append(Gap(begin, demand.begin, before, self._edge(demand, demand.begin)))
            last = demand
        if last is not None and last.end < self.end:
            gaps.append(Gap(last.end, self.end, self._edge(last, last.end), None))
        return Bridges(gaps, self.ease, 3)

    @property
    def spans(self) -> tuple[tuple[float, float], ...]:
        """Seconds between which each demand holds."""
        return tuple((demand.begin, demand.end) for demand in self.demands)

    def offsets(self, times: FloatArray, own: FloatArray) -> FloatArray:
        """(T, 3) how far the value shall be from ``own`` (T, W), what the clip has: metres, or rotation vectors."""
        offsets, _ = self.bridges(times)
        for demand in self.demands:
            rows = np.flatnonzero((times >= demand.begin) & (times <= demand.end))
            if len(rows):
                offsets[rows] = self._way(demand.target(times[rows]), own[rows])
        return offsets

    def holds(self, times: FloatArray) -> BoolArray:
        """(T,) whether a demand holds at each time."""
        held = np.zeros(len(times), bool)
        for demand in self.demands:
            held |= (times >= demand.begin) & (times <= demand.end)
        return held

    def activity(self, times: FloatArray, ease: float | None = None) -> FloatArray:
        """(T,) 1 where a demand holds and in short gaps, falling to 0 at ``ease`` seconds from them.

        By default ``ease`` is the track's own; a gap is short if it is at most twice as long.
        """
        return nearness(self.spans, times, 0.0, self.ease if ease is None else ease)

    def _edge(self, demand: Demand, time: float) -> Edge:
        """The offset at an edge, with the speed and acceleration that it has inside the demand.

        The motion's own part of these is told from both sides of the edge, the demand's from inside alone.
        """
        around = _near(time, max(self.start, time - EDGE_REACH), min(self.end, time + EDGE_REACH))
        inside = _near(time, max(demand.begin, time - EDGE_REACH), min(demand.end, time + EDGE_REACH))
        now = np.array([time])
        asked = demand.target(now)
        own_speed, own_bend = _derivatives(around - time, self._way(asked, self.own(around)))
        asked_speed, asked_bend = _derivatives(inside - time, self._way(demand.target(inside), asked))
        speed = own_speed + asked_speed
        settling = max(QUICKEST, GENTLY * float(np.linalg.norm(speed)) / max(self.pace, 1e-9))
        return Edge(self._way(asked, self.own(now))[0], speed, own_bend + asked_bend, settling)

    def _way(self, target: FloatArray, own: FloatArray) -> FloatArray:
        return difference(target, own, directions=self.directions)

    @cached_property
    def pace(self) -> float:
        """How strongly the value is accelerated in the clip when it is: nine tenths of the time it is less."""
        times = np.linspace(self.start, self.end, max(3, round(PACE_RATE * (self.end - self.start)) + 1))
        own = self.own(times)
        steps = self._way(own[1:], own[:-1])
        bends = np.linalg.norm(np.diff(steps, axis=0), axis=-1) / max(float(times[1] - times[0]), 1e-9) ** 2
        return float(np.quantile(bends, 0.9))


def difference(target: FloatArray, own: FloatArray, *, directions: bool = False) -> FloatArray:
    """(T, 3) the way from ``own`` (T, W) to ``target`` (T, W): metres, or a rotation vector put before ``own``."""
    if directions:
        return quaternions.log(quaternions.between_vectors(own, target))
    if target.shape[-1] == 3:
        return target - own
    return quaternions.log(quaternions.multiply(target, quaternions.conjugate(own)))


def applied(offset: FloatArray, own: FloatArray, *, directions: bool = False) -> FloatArray:
    """(T, W) ``own`` moved by ``offset`` (T, 3): what `difference` undoes."""
    if directions:
        return quaternions.rotate(quaternions.exp(offset), own)
    return own + offset if own.shape[-1] == 3 else quaternions.multiply(quaternions.exp(offset), own)


def require_apart(demands: Sequence[Demand], what: str) -> tuple[Demand, ...]:
    """The demands, earliest first.

    Raises:
        InputError: if two of them hold at once.
    """
    ordered = tuple(sorted(demands, key=lambda demand: demand.begin))
    for earlier, later in pairwise(ordered):
        if later.begin < earlier.end:
            raise InputError(
                f"two goals ask for {what} at once, from {later.begin:g} to {min(earlier.end, later.end):g} s; "
                "one must end before the other begins"
            )
    return ordered


def _near(time: float, low: float, high: float) -> FloatArray:
    return np.linspace(low, high, EDGE_SAMPLES) if high > low else np.array([time])


def _derivatives(away: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(3,) the first and second derivative at zero of the parabola nearest to ``values`` (n, 3) at ``away`` (n,)."""
    if len(away) < 3:
        return np.zeros(3), np.zeros(3)
    terms = np.stack([np.ones_like(away), away, 0.5 * away**2], axis=1)
    fitted = np.linalg.lstsq(terms, values, rcond=None)[0]
    return fitted[1], fitted[2]


def value_track(clip: Clip, goals: Sequence[Goal], ease: float) -> Track:
    """What ``goals`` ask of the one value that all of them speak of."""

    def own(times: FloatArray) -> FloatArray:
        return own_value(goals[0], WorldState(clip.body, clip.sample(times)))

    demands = [Demand(*span_of(clip, goal), partial(asked_value, clip, goal)) for goal in goals]
    apart = require_apart(demands, f"the same of {goals[0].points}")
    return Track(clip.start, clip.end, apart, own, ease, isinstance(goals[0], Aim))


def own_value(goal: Goal, state: WorldState) -> FloatArray:
    """(T, W) the value that a goal speaks of, as the body has it: a place, a direction or a rotation."""
    match goal:
        case Place():
            return state.point(goal.part)
        case Orient():
            return state.turn(goal.part)
        case Aim():
            return quaternions.rotate(state.turn(goal.part), goal.axis_in(state))
        case JointValue():
            return state.pose.rotations[:, joint_of(state.body.character, goal.part)]
        case CenterOfMass():
            return state.center_of_mass
        case Together():
            return state.point(goal.first) - state.point(goal.second)
        case Match():
            return quaternions.multiply(quaternions.conjugate(state.turn(goal.second)), state.turn(goal.first))
    raise TypeError(f"goals of kind {type(goal).__name__} ask for no single value")


def asked_value(clip: Clip, goal: Goal, times: FloatArray) -> FloatArray:
    """(T, W) the value that a goal asks for; of axes that do not count, what the body has."""
    count = len(times)
    match goal:
        case Place(axes="xyz"):
            return at_times(goal.at, 3, count, times, f"the place of {goal.part!r}")
        case Place():
            return goal.places(WorldState(clip.body, clip.sample(times)), times)
        case CenterOfMass():
            at, state = at_times(goal.at, 3, count, times, "the place of the centre of mass"), clip.sample(times)
            return np.where(axes_mask(goal.axes) != 0, at, WorldState(clip.body, state).center_of_mass)
        case Orient():
            return at_times(goal.to, 4, count, times, f"the orientation of {goal.part!r}")
        case JointValue():
            return at_times(goal.rotation, 4, count, times, f"the value of {goal.part!r}")
        case Aim():
            return goal.directions(WorldState(clip.body, clip.sample(times)), times)
        case Together():
            return np.broadcast_to(np.asarray(goal.gap, np.float64), (count, 3))
        case Match():
            return np.broadcast_to(np.asarray(goal.turn, np.float64), (count, 4))
    raise TypeError(f"goals of kind {type(goal).__name__} ask for no single value")


def span_of(clip: Clip, goal: Goal) -> tuple[float, float]:
    """Seconds between which ``goal`` holds within the clip; the end comes first if it does not hold at all."""
    begin, end = (clip.start, clip.end) if goal.interval is None else goal.interval
    return max(begin, clip.start), min(end, clip.end)


def within(times: FloatArray, start: float, end: float) -> FloatArray:
    """(T,) 0 at both ends of a piece that lies between others, 1 well inside of it."""
    away = np.minimum(times - start, end - times)
    return smoother_step(away / max(min(INSIDE, 0.5 * (end - start)), 1e-9))


def nearness(spans: Sequence[tuple[float, float]], times: FloatArray, hold: float, fade: float) -> FloatArray:
    """(T,) 1 within ``hold`` seconds of ``spans``, falling smoothly to 0 over the next ``fade``."""
    found = np.zeros(len(times))
    for begin, end in spans:
        away = np.maximum(np.maximum(begin - times, times - end) - hold, 0.0)
        found = np.maximum(found, 1.0 - smoother_step(away / max(fade, 1e-9)))
    for earlier, later in pairwise(spans):
        if later[0] - earlier[1] <= 2 * (hold + fade):
            found[(times >= earlier[1]) & (times <= later[0])] = 1.0
    return found
