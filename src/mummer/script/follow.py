"""Following a plan: the value of every track at every moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.analysis.tracks import smoothed
from mummer.math.splines import monotone_cubic
from mummer.script.draft import is_beneath
from mummer.script.plan import EASE, Element, Plan, envelope

ROUNDING = 0.03
"""Seconds over which corners between envelopes are rounded."""
SETTLING = 0.15
"""Seconds over which a tremor comes and goes."""


@dataclass(frozen=True, eq=False)
class Followed:
    """A plan at moments.

    Attributes:
        values: by track, (T,).
        gains: by track, (T,) how much of what was recorded is kept; of ways over the ground alone.
        tremors: by track, (T,) what is added by shaking.
    """

    values: dict[str, FloatArray]
    gains: dict[str, FloatArray]
    tremors: dict[str, FloatArray]


def follow(plan: Plan, times: FloatArray) -> Followed:
    """The values of all tracks of a plan at ``times`` (T,); tracks that keep the same time are followed together."""
    groups: dict[tuple[object, ...], list[str]] = {}
    for dof, track in plan.tracks.items():
        recorded = dof if plan.actions[track[0].action][1] is None else ""
        way = dof in plan.dofs.places
        key = (recorded, way, *((e.start, e.duration, e.hold, e.window, e.curve, e.action) for e in track))
        groups.setdefault(key, []).append(dof)
    values: dict[str, FloatArray] = {}
    for dofs in groups.values():
        values |= dict(zip(dofs, _follow_group(plan, dofs, times).T, strict=True))
    gains = {dof: _steps(plan.tracks[dof], [e.gain for e in plan.tracks[dof]], times)
             for dof in plan.dofs.places if dof in plan.tracks}  # fmt: skip
    shaken = {dof: track for dof, track in plan.tracks.items() if any(element.shake[0] for element in track)}
    tremors = {dof: _tremor(track, times, number) for number, (dof, track) in enumerate(shaken.items())}
    return Followed(values, gains, tremors)


def _follow_group(plan: Plan, dofs: list[str], times: FloatArray) -> FloatArray:
    """(T, C) the values of tracks whose elements lie alike in time."""
    tracks = [plan.tracks[dof] for dof in dofs]
    timing, way = tracks[0], dofs[0] in plan.dofs.places
    current = _first(dofs, tracks)
    out, bent = np.empty((len(times), len(dofs))), np.zeros((len(times), len(dofs)))
    out[:] = current
    when = source_times(timing, times)
    for place, element in enumerate(timing):
        values = np.array([track[place].value for track in tracks])
        gains = np.array([track[place].gain for track in tracks])
        until = timing[place + 1].start if place + 1 < len(timing) else np.inf
        moving = (times >= element.start) & (times < min(element.start + element.duration, until))
        held = (times >= element.start + element.duration) & (times < until)
        source = plan.actions[element.action][1]
        if source is None or element.window is None or dofs[0] not in source.columns:
            u = (times[moving] - element.start) / max(element.duration, 1e-12)
            eased = envelope(EASE, u)[:, None]
            out[moving] = current + (values - current) * eased
            bent[moving] = (values - current) * (envelope(element.curve, u)[:, None] - eased)
            out[held] = current = values
            continue
        columns = [source.columns[dof] for dof in dofs]
        left, reached, leaves = source.look(columns, np.array(element.window))
        if way:
            values = current + gains * (reached - left)
        span = element.window[1] - element.window[0]
        played = when[moving]
        u = (played - element.window[0]) / span if span > 0.0 else (times[moving] - element.start) / max(
            element.duration, 1e-12)  # fmt: skip
        eased = envelope(EASE, u)[:, None]
        beside = source.look(columns, played) - left - (reached - left) * eased
        out[moving] = current + (values - current) * eased + gains * beside
        if not way:
            bent[moving] = (values - current) * (envelope(element.curve, u)[:, None] - eased)
        out[held] = values + gains * (source.look(columns, np.minimum(when[held], element.window[2])) - reached)
        current = values + gains * (leaves - reached)
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    return out + smoothed(bent, ROUNDING / step) if bent.any() else out


def _first(dofs: list[str], tracks: list[list[Element]]) -> FloatArray:
    """(C,) where tracks begin: as the body stands, and held as it is held throughout."""
    return np.array([_lasting(track) if is_beneath(dof) else 0.0 for dof, track in zip(dofs, tracks, strict=True)])


def _lasting(track: list[Element]) -> float:
    """What is common to all values of a track: the smallest, if all are on one side of nought."""
    values = [element.value for element in track]
    if min(values) < 0.0 < max(values):
        return 0.0
    return min(values, key=abs)


def source_times(track: list[Element], times: FloatArray) -> FloatArray:
    """(T,) the seconds of the recordings that a track plays at ``times``; the pace changes without a jump."""
    found = np.zeros(len(times))
    place = 0
    while place < len(track):
        last = place
        while (
            last + 1 < len(track)
            and track[last + 1].action == track[place].action
            and _goes_on(track[last], track[last + 1])
        ):
            last += 1
        knots: dict[float, float] = {}
        for element in track[place : last + 1]:
            if element.window is not None:
                moments = (element.start, element.start + element.duration, element.end)
                for moment, seconds in zip(moments, element.window, strict=True):
                    knots[round(moment, 9)] = seconds
        if knots:
            rows = (times >= track[place].start - 1e-9) if place else np.ones(len(times), bool)
            at, plays = np.array(list(knots)), np.array(list(knots.values()))
            found[rows] = monotone_cubic(at, plays, times[rows]) if len(at) > 1 else plays[0]
        place = last + 1
    return found


def _goes_on(one: Element, other: Element) -> bool:
    return one.window is not None and other.window is not None and abs(one.window[2] - other.window[0]) < 1e-9


def _steps(track: list[Element], values: list[float], times: FloatArray) -> FloatArray:
    """(T,) a number of each element, going over from one to the next along its way."""
    at, said = [], []
    for element, value in zip(track, values, strict=True):
        at += [element.start + element.duration, element.end]
        said += [value, value]
    return np.interp(times, at, said)


def _tremor(track: list[Element], times: FloatArray, number: int) -> FloatArray:
    """(T,) shaking: each track out of step with the others, and fading where it begins and ends."""
    amplitude = _steps(track, [element.shake[0] for element in track], times)
    rate = max(element.shake[1] for element in track)
    return amplitude * np.sin(2.0 * np.pi * (rate * times + 0.618 * number))
