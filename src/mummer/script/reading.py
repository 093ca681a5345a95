"""Reading a clip back into an action: its key moments become poses, its still moments holds."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.analysis.spells import spells, without_short
from mummer.clip.analysis.tracks import rates, smoothed
from mummer.clip.clip import Clip
from mummer.script.action import Action, Cycle, Entry, PoseNode
from mummer.script.dofs import Dofs
from mummer.script.source import Source, sampled

STILL = 0.08
"""A body is held that moves by less than this part of how fast it moves at its fastest."""
SHORTEST_HOLD, GAP = 0.12, 0.05
"""Seconds that it must, and may be interrupted for."""
SMOOTHING = 0.03
PROMINENT = 0.2
"""How much slower, as a part of its fastest, a body is in a pose than before and after."""
SHORTEST_WAY = 0.15
"""Seconds between poses."""
MOST_POSES = 400
NOTHING = 1e-3
"""Heights a second below which a body does not move at all."""


def read_clip(dofs: Dofs, clip: Clip, name: str | None = None, *, arrives: bool = False) -> Action:
    """A clip of the body of ``dofs`` as an action: nothing is lost, what lies between poses is kept beside them."""
    source = sampled(dofs, clip)
    windows = windows_of(source, dofs)
    entries = tuple(Entry(dof) for dof in source.values)
    poses = tuple(PoseNode(entries, window=window) for window in windows)
    return Action(name or clip.name, (Cycle(poses),), source=source, arrives=arrives)


def windows_of(source: Source, dofs: Dofs) -> list[tuple[float, float, float]]:
    """For each pose the seconds at which it is left for, reached, and left; they leave no gap."""
    times, pace = source.times, pace_of(source, dofs)
    fastest = float(pace.max(initial=0.0))
    if len(times) < 3 or fastest < NOTHING:
        return [(float(times[0]), float(times[0]), float(times[-1]))]
    step = float(times[1] - times[0])
    flags = without_short(pace < STILL * fastest, gap=round(GAP / step), shortest=max(2, round(SHORTEST_HOLD / step)))
    holds = [(float(times[spell.first]), float(times[spell.last])) for spell in spells(flags)]
    moments = sorted([*holds, *((time, time) for time in _slow(times, pace, fastest) if not _held(time, holds))])
    return _chained(moments, float(times[0]), float(times[-1]))


def pace_of(source: Source, dofs: Dofs) -> FloatArray:
    """(T,) how fast the body moves: the root mean square of its joints, in its heights a second."""
    step = float(source.times[1] - source.times[0]) if len(source.times) > 1 else 1.0
    assert dofs.character.anatomy is not None
    height = max(dofs.character.anatomy.height, 1e-6)
    speeds = np.linalg.norm(rates(smoothed(source.positions, SMOOTHING / step), step), axis=-1)
    return np.asarray(np.sqrt(np.mean(speeds**2, axis=1)) / height)


def _slow(times: FloatArray, pace: FloatArray, fastest: float) -> list[float]:
    from scipy.signal import find_peaks

    step = float(times[1] - times[0])
    places, found = find_peaks(-pace, prominence=PROMINENT * fastest, distance=max(1, round(SHORTEST_WAY / step)))
    if len(places) > MOST_POSES:
        places = np.sort(places[np.argsort(-found["prominences"])[:MOST_POSES]])
    return [float(times[place]) for place in places]


def _held(time: float, holds: list[tuple[float, float]]) -> bool:
    return any(begin - SHORTEST_WAY < time < end + SHORTEST_WAY for begin, end in holds)


def _chained(moments: list[tuple[float, float]], start: float, end: float) -> list[tuple[float, float, float]]:
    """Windows that follow one another from the start to the end."""
    first = moments.pop(0)[1] if moments and moments[0][0] <= start + SHORTEST_WAY else start
    found = [(start, start, first)]
    for begin, leaves in moments:
        found.append((found[-1][2], begin, leaves))
    if found[-1][2] < end:
        if found[-1][2] > end - SHORTEST_WAY and len(found) > 1:
            found[-1] = (found[-1][0], found[-1][1], end)
        else:
            found.append((found[-1][2], end, end))
    return found
