"""From phones to a mouth that moves: each sound's shape, blended with its neighbours' by dominance.

Every sound pulls the mouth towards its shape, most within its own time and less the farther away; what shows is the
mean of the shapes, weighted by those pulls (Cohen and Massaro, 1993). Sounds that need lips to meet get what they
need whatever their neighbours want: the blend gives way to the closed shape, wholly, for as long as the sound lasts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.speech.shapes import INDEX, Shape, shapes_of
from mummer.behavior.speech.utterance import Phone, Utterance
from mummer.math.steps import smooth_step

FALL = 0.028
"""Seconds in which the pull of a sound falls to a third beyond its core."""
EDGE, THIN = 0.25, 0.03
"""Of a sound's time, at either end, in which its pull has begun to fall; and seconds that this is at most."""
REST, REST_DOMINANCE = 0.12, 0.6
"""Seconds of silence after which the mouth rests, and how much rest pulls."""
MEET, PART = 0.06, 0.05
"""Seconds in which lips come together before they meet, and part afterwards."""
HELD = 0.045
"""Seconds that lips stay together at least: more than a frame of film."""
SOFTEST, LOUDEST = 0.7, 1.1
"""How wide vowels are at the quietest and the loudest of an utterance, of their shape."""


@dataclass(frozen=True)
class Pull:
    """One shape at one time."""

    shape: Shape
    start: float
    end: float
    size: float = 1.0


def viseme_weights(utterance: Utterance, times: FloatArray) -> FloatArray:
    """(T, 15) how much of each viseme shows at some moments, seconds of the utterance; in the order of `VISEMES`."""
    times = np.asarray(times, np.float64)
    pulls = _pulls(utterance)
    # A row at a time for long speeches: only what is near in time counts.
    mixed = np.zeros((len(times), len(INDEX)))
    total = np.full(len(times), 1e-9)
    for pull in pulls:
        reach = np.abs(times - 0.5 * (pull.start + pull.end)) < 0.5 * (pull.end - pull.start) + 12 * FALL
        strength = pull.shape.dominance * _dominance(times[reach], pull.start, pull.end)
        total[reach] += strength
        for name, amount in pull.shape.mixture.items():
            mixed[reach, INDEX[name]] += strength * amount * pull.size
    weights = mixed / total[:, None]
    for name in ("FF", "PP"):
        together = _contact(times, [pull for pull in pulls if pull.shape.contact == name])
        weights[:, INDEX[name]] = 0.0
        weights *= 1.0 - together[:, None]
        weights[:, INDEX[name]] = together
    return weights


def _dominance(times: FloatArray, start: float, end: float) -> FloatArray:
    """1 in the core of a sound, falling off smoothly beyond it."""
    edge = min(EDGE * (end - start), THIN)
    middle, half = 0.5 * (start + end), 0.5 * (end - start) - edge
    away = np.maximum(np.abs(times - middle) - half, 0.0) / FALL
    return np.exp(-away * away / (1.0 + away))


def _pulls(utterance: Utterance) -> list[Pull]:
    """All shapes of an utterance in time, and rest where nothing is said."""
    sizes = _sizes(utterance)
    found: list[Pull] = []
    rest = Shape({}, REST_DOMINANCE)
    before = -np.inf
    for phone, size in zip(utterance.phones, sizes, strict=True):
        if phone.start - before > REST:
            found.append(Pull(rest, max(before, phone.start - 1e3), phone.start))
        shapes = shapes_of(phone.symbol)
        edges = np.linspace(phone.start, phone.end, len(shapes) + 1)
        for shape, start, end in zip(shapes, edges[:-1], edges[1:], strict=True):
            found.append(Pull(shape, float(start), float(end), size if shape.vowel else 1.0))
        before = phone.end
    found.append(Pull(rest, utterance.end, utterance.end + 1e3))
    return found


def _sizes(utterance: Utterance) -> list[float]:
    """How wide each phone is made: as it is stressed, and as loud as it is beside the others."""
    stressed = [1.0 if phone.stress else 0.8 for phone in utterance.phones]
    if utterance.sound is None or not utterance.phones:
        return stressed
    middles = np.array([0.5 * (phone.start + phone.end) for phone in utterance.phones])
    loud = utterance.sound.loudness(middles)
    part = np.clip(loud / max(float(np.quantile(loud, 0.9)), 1e-6), 0.0, 1.0)
    return [size * (SOFTEST + (LOUDEST - SOFTEST) * float(much)) for size, much in zip(stressed, part, strict=True)]


def _contact(times: FloatArray, pulls: list[Pull]) -> FloatArray:
    """(T,) how near lips are to meeting for the sounds that need it: 1 while they do."""
    together = np.zeros(len(times))
    for row, pull in enumerate(pulls):
        missing = 0.5 * max(0.0, HELD - (pull.end - pull.start))
        start, end = pull.start - missing, pull.end + missing
        gap_before = start - pulls[row - 1].end if row else np.inf
        gap_after = pulls[row + 1].start - end if row + 1 < len(pulls) else np.inf
        meet, part = min(MEET, 0.5 * max(gap_before, 0.02)), min(PART, 0.5 * max(gap_after, 0.02))
        near = (times > start - MEET) & (times < end + PART)
        rising = smooth_step((times[near] - (start - meet)) / meet)
        falling = smooth_step((end + part - times[near]) / part)
        together[near] = np.maximum(together[near], np.minimum(rising, falling))
    return together


def phone_at(utterance: Utterance, time: float) -> Phone | None:
    """The phone that is said at a moment, or None in a pause."""
    return next((phone for phone in utterance.phones if phone.start <= time < phone.end), None)
