"""Registration: which moment of one gait is which moment of another, so that the same feet come down together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.analysis.cycles import poses_in_place
from mummer.clip.gait.cycle import GaitCycle
from mummer.math import splines

STEEPEST = 2.5
"""How many times as fast one gait may run through a part of its cycle as the other; footfalls that ask for more do not
belong together."""
SHIFTS = 120
"""Shifts of phase that are tried where no feet tell."""


@dataclass(frozen=True, eq=False)
class Registration:
    """The phase of the second gait for every phase of the first: rises by 1 where that does.

    Attributes:
        first: (n,) phases of the first, from 0 to 1, increasing.
        second: (n,) the phases of the second that belong to them, increasing; beyond 1 where a cycle begins anew.
        feet: whose footfalls these are.
        late: of the other feet, by how much of a cycle each comes down later in the second than in the first.
    """

    first: FloatArray
    second: FloatArray
    feet: tuple[str, ...] = ()
    late: Mapping[str, float] = field(default_factory=dict)

    def at(self, phases: FloatArray) -> FloatArray:
        """(T,) the phases of the second for those of the first."""
        whole = np.floor(phases)
        turns = np.arange(-2, 4)[:, None]
        knots, values = (self.first + turns).ravel(), (self.second + turns).ravel()
        return np.asarray(splines.monotone_cubic(knots, values, phases - whole)) + whole

    def back(self, phases: FloatArray) -> FloatArray:
        """(T,) the phases of the first for those of the second."""
        grid = np.linspace(-2.0, 3.0, 5 * 2000 + 1)
        whole = np.floor(phases)
        return np.interp(phases - whole, self.at(grid), grid) + whole


def register(first: GaitCycle, second: GaitCycle) -> Registration:
    """How two gaits of one body go together: by as many footfalls as come in the same order, else by their poses.

    Where contacts do not tell of every foot in both, feet count as coming down when they are farthest ahead.
    """
    falls = first.falls, second.falls
    if not set(first.reaches) <= set(falls[0]) & set(falls[1]):
        falls = first.reaches, second.reaches
    common = sorted(set(falls[0]) & set(falls[1]), key=lambda name: falls[0][name])
    for count in range(len(common), 0, -1):
        fits = [fit for some in combinations(common, count) if (fit := _fit(some, *falls)) is not None]
        if fits:
            return _with_others(min(fits, key=_distortion), common, *falls)
    return Registration(np.zeros(1), np.array([_shift_by_pose(first, second)]))


def _with_others(
    found: Registration, common: Sequence[str], first: Mapping[str, float], second: Mapping[str, float]
) -> Registration:
    others = [foot for foot in common if foot not in found.feet]
    gaps = [float(found.back(np.array([second[foot]]))[0]) - first[foot] for foot in others]
    return replace(found, late={foot: gap - round(gap) for foot, gap in zip(others, gaps, strict=True)})


def _fit(feet: Sequence[str], first: Mapping[str, float], second: Mapping[str, float]) -> Registration | None:
    """The registration by some footfalls, if they come in the same order and none would have to hurry."""
    phases = np.array([first[foot] for foot in feet])
    others = second[feet[0]] + (np.array([second[foot] for foot in feet]) - second[feet[0]]) % 1.0
    gaps = np.diff(phases, append=phases[0] + 1), np.diff(others, append=others[0] + 1)
    if any(np.any(gap <= 0) for gap in gaps):
        return None
    slopes = gaps[1] / gaps[0]
    if slopes.max() > STEEPEST or slopes.min() < 1 / STEEPEST:
        return None
    return Registration(phases, others, tuple(feet))


def _distortion(fit: Registration) -> float:
    slopes = np.diff(fit.second, append=fit.second[0] + 1) / np.diff(fit.first, append=fit.first[0] + 1)
    return float(np.abs(np.log(slopes)).max())


def _shift_by_pose(first: GaitCycle, second: GaitCycle) -> float:
    """The shift of phase at which the poses of two cycles are most alike."""
    poses = []
    for cycle in (first, second):
        times = cycle.clip.start + cycle.period * np.arange(SHIFTS) / SHIFTS
        found = poses_in_place(cycle.clip, times)
        poses.append(found - found.mean(axis=0))
    alike = [float(np.sum(poses[0] * np.roll(poses[1], -shift, axis=0))) for shift in range(SHIFTS)]
    return int(np.argmax(alike)) / SHIFTS
