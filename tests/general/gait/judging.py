"""How good a gait is once the body is bent: feet that stand still, hips that go smoothly, legs in step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.general import Physique, at_rest
from mummer.general.gait import Walk
from mummer.general.gait.clock import GRAVITY, time_unit
from mummer.general.gait.feet import feet_at
from mummer.general.gait.legs import Leg
from mummer.general.gait.trying import soles_of
from mummer.general.solving import solve_intent
from mummer.ik import WorldState
from mummer.math import quaternion

RATE = 60.0


class Verdict(NamedTuple):
    """What was measured.

    Attributes:
        slip: the most that the point a planted foot stands on, or turns about as its heel rises, moves in a frame, in
            parts of the leg's length.
        miss: the most that a planted foot is off its spot, in the same.
        jerk: the largest acceleration of the hips, in gravities.
        jump: the largest change of the hips' velocity in a frame, as a part of the speed of a fall over one leg length.
        phase: the most that a footfall on a steady stretch is off its moment, in cycles.
        steps: how many steps were taken.
    """

    slip: float
    miss: float
    jerk: float
    jump: float
    phase: float
    steps: int


def played(walk: Walk, rate: float = RATE) -> tuple[FloatArray, Pose]:
    """(T,) times of the whole journey, and the body bent at each."""
    times = np.arange(walk.start, walk.end, 1 / rate)
    intent = walk.drive(at_rest(walk.physique, times))
    return times, solve_intent(intent).to_pose()


def judge(walk: Walk, rate: float = RATE) -> Verdict:
    """The verdict over a whole journey."""
    times, pose = played(walk, rate)
    physique, legs = walk.physique, walk.legs
    state = WorldState(physique.character, pose)
    soles = soles_of(physique, legs, state)
    feet = feet_at(legs, walk.steps, walk.style, walk.clock, times)
    # While a heel strikes, the foot turns about the heel and its ball is not down yet.
    down = feet.planted & (feet.toes >= -1e-9)
    stays = down[1:] & down[:-1]
    lengths = np.array([leg.reach + float(np.linalg.norm(leg.ankle)) for leg in legs])
    # A foot that rolls stands on one point at a time: flat on its ball, and then on its tip.
    tips = _tips(physique, legs, state)
    moved = np.min([np.linalg.norm(np.diff(each, axis=0), axis=-1) for each in (soles, tips)], axis=0) / lengths
    missed = np.linalg.norm(soles - feet.contacts, axis=-1) / lengths
    hips = state.positions[:, physique.root]
    speeds = np.diff(hips, axis=0) * rate
    changes = np.linalg.norm(np.diff(speeds, axis=0), axis=1)
    unit = time_unit(legs)
    return Verdict(
        slip=float(np.max(moved, where=stays, initial=0.0)),
        miss=float(np.max(missed, where=feet.planted, initial=0.0)),
        jerk=float(changes.max() * rate / GRAVITY),
        jump=float(changes.max() / (GRAVITY * unit)),
        phase=phase_error(walk),
        steps=len(walk.steps.lifts),
    )


def _tips(physique: Physique, legs: tuple[Leg, ...], state: WorldState) -> FloatArray:
    """(T, L, 3) what feet turn about as their heels rise, metres in the world."""
    found = []
    for leg in legs:
        tip = quaternion.rotate(quaternion.conjugate(physique.rotations[leg.foot]), leg.tip - leg.ankle)
        found.append(state.positions[:, leg.foot] + quaternion.rotate(state.rotations[:, leg.foot], tip))
    return np.stack(found, axis=1)


def phase_error(walk: Walk) -> float:
    """How far landings are from the moments that the clock has for them, in cycles, over all real steps."""
    worst = 0.0
    for index in range(len(walk.legs)):
        lands = walk.steps.lands[walk.steps.first[index] : walk.steps.first[index + 1]]
        phases = np.interp(lands, walk.clock.times, walk.clock.phases[:, index])
        if len(phases):
            worst = max(worst, float(np.abs(phases - np.round(phases)).max()))
    return worst
