"""Tracks: what goals ask of one value of the body over time, and the offset from what the motion does by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.errors import InputError
from mummer.ik.engine.bridge import Bridges, Edge, Gap, smooth_step
from mummer.math import quaternion

EDGE_REACH = 0.035
"""Seconds to either side of an edge from which the speed of the motion there is told; noise averages out."""
EDGE_SAMPLES = 9
GENTLY = 12.0
"""How many times as long as the motion itself would need the speed of an offset takes to die away."""
PACE_RATE = 60.0
QUICKEST = 0.2
"""Seconds; nothing dies away faster."""

Values = Callable[[FloatArray], FloatArray]
"""(T, W) at times (T,)."""


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
        ease = self.ease if ease is None else ease
        found = np.zeros(len(times))
        for demand in self.demands:
            away = np.maximum(np.maximum(demand.begin - times, times - demand.end), 0.0)
            found = np.maximum(found, 1.0 - smooth_step(away / max(ease, 1e-9)))
        for earlier, later in pairwise(self.demands):
            if later.begin - earlier.end <= 2 * ease:
                found[(times >= earlier.end) & (times <= later.begin)] = 1.0
        return found

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
        return quaternion.log(quaternion.between_vectors(own, target))
    if target.shape[-1] == 3:
        return target - own
    return quaternion.log(quaternion.multiply(target, quaternion.conjugate(own)))


def applied(offset: FloatArray, own: FloatArray, *, directions: bool = False) -> FloatArray:
    """(T, W) ``own`` moved by ``offset`` (T, 3): what `difference` undoes."""
    if directions:
        return quaternion.rotate(quaternion.exp(offset), own)
    return own + offset if own.shape[-1] == 3 else quaternion.multiply(quaternion.exp(offset), own)


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
