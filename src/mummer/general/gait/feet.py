"""Feet at any moment: exactly still while they stand, along the style's way while they fly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.general.gait.clock import Clock
from mummer.general.gait.legs import Leg
from mummer.general.gait.steps import Steps
from mummer.general.gait.style import SAMPLES, Style
from mummer.kernels import quaternions

FLAT_AT, PUSH_AT = 0.16, 0.55
"""Parts of a stand after which a sole is flat, and after which its heel rises."""


@dataclass(frozen=True, eq=False)
class Feet:
    """Where feet are at T moments, before legs tilt those that tilt.

    Attributes:
        contacts: (T, L, 3) the balls of the feet, metres in the world.
        frames: (T, L, 4) world from a foot as it stands on level ground facing ahead, without its roll.
        pitches: (T, L) radians that heels are up against the ground; toes up where negative.
        toes: (T, L) the same of the toes.
        planted: (T, L) whether they stand.
        stands: (T, L) how far a stand is through, 0 to 1; 0 in flight.
        flights: (T, L) how far a flight is through; 0 while standing.
        levels: (T, L) height of the ground that bears each foot, gliding from spot to spot in flight.
    """

    contacts: FloatArray
    frames: FloatArray
    pitches: FloatArray
    toes: FloatArray
    planted: BoolArray
    stands: FloatArray
    flights: FloatArray
    levels: FloatArray


def feet_at(legs: Sequence[Leg], steps: Steps, style: Style, clock: Clock, times: FloatArray) -> Feet:
    """Feet at ``times`` (T,)."""
    step, spot = steps.locate(times)
    before = np.where(step >= 0, spot - 1, spot)
    took = np.maximum(step, 0)
    flying = (step >= 0) & (times[:, None] < _pick(steps.lands, took))
    lift, land = _pick(steps.lifts, took), _pick(steps.lands, took)
    flight = np.where(flying, (times[:, None] - lift) / np.maximum(land - lift, 1e-9), 0.0)
    ahead, up, heel, toe = np.moveaxis(_sampled(style.flight, flight), -1, 0)
    ahead, up = np.where(flying, ahead, 1.0), np.where(flying, up, 0.0)
    stand = np.where(flying, 0.0, _stand(steps, times, spot))
    strike = np.interp(times, clock.times, clock.parameters["strike"])[:, None] * (1 - _tilts(legs))
    push = np.interp(times, clock.times, clock.parameters["push"])[:, None] * (1 - _tilts(legs))
    # How much a foot rolls is a matter of the step it lands by, and of the step it leaves by.
    landing = np.where(step >= 0, _pick(steps.rolls, took), 0.0)
    leaving = _leaving(steps, spot)
    up_toes = np.where(flying, toe * landing, landing * (1 - _ease(stand / FLAT_AT))) * strike
    up_heel = np.where(flying, heel * landing, leaving * _ease((stand - PUSH_AT) / (1 - PUSH_AT))) * push
    toes = np.where(flying, _ease(flight / 0.4) * (up_heel - up_toes), -up_toes)
    up_heel = up_heel + np.interp(times, clock.times, clock.parameters["tiptoe"])[:, None] * (1 - _tilts(legs))
    frames = _frames(steps, before, spot, ahead)
    places = (1 - ahead[..., None]) * steps.spots[before] + ahead[..., None] * steps.spots[spot]
    toes_up = landing * strike * np.where(ahead < 1.0, ahead, 1 - _ease(stand / FLAT_AT))
    contacts = places + quaternions.rotate(frames, _rolled(legs, toes_up, up_heel))
    contacts[..., 1] += up * _pick(steps.raises, took)
    return Feet(contacts, frames, up_heel - up_toes, toes, ~flying, stand, flight, places[..., 1])


def foot_rotations(feet: Feet) -> FloatArray:
    """(T, L, 4) world from feet as they stand at rest, rolled over heel or ball."""
    return quaternions.multiply(feet.frames, _about_left(feet.pitches))


def _pick(values: FloatArray, which: IntArray) -> FloatArray:
    return values[which] if len(values) else np.zeros(which.shape)


def _tilts(legs: Sequence[Leg]) -> FloatArray:
    return np.array([leg.tilts for leg in legs])


def _stand(steps: Steps, times: FloatArray, spot: IntArray) -> FloatArray:
    """(T, L) how far stands are through. One without begin or end is half-way through."""
    start, end = steps.starts[spot], steps.ends[spot]
    open_start, open_end = np.isinf(start), np.isinf(end)
    # A foot that leaves after a rest rolls in the time of a common stand, and so does one that comes to rest.
    usual = 0.8 * _usual(steps)
    start = np.where(open_start, np.where(open_end, 0.0, end - usual), start)
    end = np.where(open_end, start + usual, end)
    length = np.maximum(end - start, 1e-9)
    early, late = (times[:, None] - start) / usual, 1 - (end - times[:, None]) / usual
    long = length > usual * 1.5
    share = np.where(long, np.where(early < 0.5, np.maximum(early, 0.0), np.clip(late, 0.5, 1.0)), 0.0)
    plain = np.clip((times[:, None] - start) / length, 0.0, 1.0)
    share = np.where(long, share, plain)
    share = np.where(open_start, np.maximum(share, 0.5), share)
    return np.asarray(np.where(open_end, np.minimum(share, 0.5), share))


def _usual(steps: Steps) -> float:
    """Seconds of a common stand."""
    lengths = steps.ends - steps.starts
    lengths = lengths[np.isfinite(lengths)]
    return float(np.median(lengths)) if len(lengths) else 1.0


def _leaving(steps: Steps, spot: IntArray) -> FloatArray:
    """(T, L) how much feet roll on the step that they take next; 0 if they take none."""
    following = np.where(np.isfinite(steps.ends[spot]), step_after(steps, spot), 0)
    return np.where(np.isfinite(steps.ends[spot]), _pick(steps.rolls, following), 0.0)


def step_after(steps: Steps, spot: IntArray) -> IntArray:
    """The step that leaves each spot, by number; that of another leg where there is none."""
    legs = np.arange(spot.shape[-1])
    return np.minimum(spot - legs, max(len(steps.lifts) - 1, 0))


def _frames(steps: Steps, before: IntArray, spot: IntArray, ahead: FloatArray) -> FloatArray:
    yaws = (1 - ahead) * steps.yaws[before] + ahead * steps.yaws[spot]
    tilts = (1 - ahead[..., None]) * steps.tilts[before] + ahead[..., None] * steps.tilts[spot]
    turned = np.zeros((*yaws.shape, 4))
    turned[..., 1], turned[..., 3] = np.sin(0.5 * yaws), np.cos(0.5 * yaws)
    return quaternions.multiply(quaternions.exp(tilts), turned) if np.any(steps.tilts) else turned


def _rolled(legs: Sequence[Leg], toes_up: FloatArray, heel_up: FloatArray) -> FloatArray:
    """(T, L, 3) how far balls of feet go that turn about their heels as they land, and about their tips as they go."""
    heels, tips = np.array([leg.heel for leg in legs]), np.array([leg.tip for leg in legs])
    about_heel = heels - quaternions.rotate(_about_left(-toes_up), heels)
    return np.asarray(about_heel + tips - quaternions.rotate(_about_left(heel_up), tips))


def _about_left(angles: FloatArray) -> FloatArray:
    turned = np.zeros((*angles.shape, 4))
    turned[..., 0], turned[..., 3] = np.sin(0.5 * angles), np.cos(0.5 * angles)
    return turned


def _sampled(flight: FloatArray, share: FloatArray) -> FloatArray:
    """(..., 4) the way of a foot at ``share`` of its flight."""
    at = np.clip(share, 0.0, 1.0) * (SAMPLES - 1)
    piece = np.minimum(at.astype(np.int64), SAMPLES - 2)
    rest = (at - piece)[..., None]
    return np.asarray((1 - rest) * flight[piece] + rest * flight[piece + 1])


def _ease(share: FloatArray) -> FloatArray:
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share))
