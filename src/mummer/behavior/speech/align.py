"""Recorded speech with its transcript: when each phone of it is said.

The transcript is said by the voice, which knows when it says what. Both sounds become rows of cepstral features, and
dynamic time warping finds which moment of the recording is which moment of the voice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.fft import dct

from mummer.arrays import FloatArray, IntArray
from mummer.behavior.speech.audio import Audio
from mummer.behavior.speech.synthesize import RATE, synthesize
from mummer.behavior.speech.utterance import Phone, Utterance
from mummer.errors import InputError

HOP, WINDOW = 0.005, 0.025
"""Seconds from row to row of features, and that each looks at."""
BANDS, COEFFICIENTS, TOP = 26, 13, 6000.0
"""Mel bands, cepstral coefficients of them, and the highest frequency, Hz."""
FLOOR, NOISE = 3e-4, 2.0
"""Power, of a loud moment's, below which all is silence; and how much of what a recording hisses is taken off."""
LOUD, CHANGE = 2.5, 2.0
"""How much loudness counts beside the other coefficients, and how much their change a row does."""
SLANT = 0.3
"""What a step along one sound alone costs more than one along both, of the mean distance of two rows."""
SILENT = 0.003
"""Power, of a loud moment's, below which the voice pauses: a pause may be of any length."""
LONGEST = 120.0
"""Seconds of a recording that is aligned at once: the table of the warp grows with their square."""
MARGIN = 0.15
"""Seconds of silence that are put around both."""


class Rows(NamedTuple):
    """A sound as features.

    Attributes:
        features: (T, 2C) every `HOP` seconds.
        power: (T,) of a loud moment's.
    """

    features: FloatArray
    power: FloatArray


def align(sound: Audio, transcript: str, *, voice: str = "en-us") -> Utterance:
    """When each phone and word of a transcript is said in a recording.

    Args:
        sound: of somebody who says it.
        transcript: what is said, word for word.
        voice: whose phones; the language of the transcript.

    Raises:
        InputError: if the recording is too long or silent.
    """
    if sound.duration > LONGEST:
        raise InputError(f"the recording lasts {sound.duration:.0f} s; at most {LONGEST:.0f} s are aligned at once")
    seconds = _spoken(sound)
    said = synthesize(transcript, voice=voice)
    said = synthesize(transcript, voice=voice, rate=float(np.clip(RATE * (said.end - said.start) / seconds, 80, 450)))
    assert said.sound is not None
    until = round((said.end + 0.02) * said.sound.rate)
    ours, theirs = _rows(Audio(said.sound.rate, said.sound.samples[:until])), _rows(sound)
    rows = _warp(ours, theirs)
    before = HOP * np.arange(len(rows)) - MARGIN
    after = np.clip(HOP * rows - MARGIN, 0.0, sound.duration)
    warped = said.warped(before.tolist(), after.tolist())
    return replace(warped, sound=sound, phones=_tidy(warped.phones))


def _spoken(sound: Audio) -> float:
    """Seconds from where something begins to be heard to where it ceases to be.

    Raises:
        InputError: if nothing is.
    """
    times = np.arange(0.0, sound.duration, HOP)
    loud = sound.loudness(times, window=WINDOW)
    top = _loudest(loud) if len(loud) else 0.0
    if top < 1e-4:
        raise InputError("the recording is silent")
    heard = times[loud > max(0.05 * top, 2.0 * float(np.quantile(loud, 0.02)))]
    return max(float(np.ptp(heard)), 0.1) if len(heard) else sound.duration


def _rows(sound: Audio) -> Rows:
    """Cepstral coefficients and their rates of change, of mean 0 and deviation 1 where something is heard."""
    size, width = 1 << int(np.ceil(np.log2(WINDOW * sound.rate))), round(WINDOW * sound.rate)
    samples = np.pad(sound.samples, round(MARGIN * sound.rate))
    emphasized = np.append(samples[0], samples[1:] - 0.97 * samples[:-1])
    starts = np.round(np.arange(0, len(samples), HOP * sound.rate)).astype(np.int64)
    padded = np.pad(emphasized, (width // 2, 2 * width))
    power = np.abs(np.fft.rfft(padded[starts[:, None] + np.arange(width)] * np.hanning(width), size)) ** 2
    bands = power @ _mel(size, sound.rate).T
    total = bands.sum(axis=1)
    loudest = max(_loudest(total), 1e-12)
    total, bands = total / loudest, bands / loudest
    inside = slice(round(MARGIN / HOP) + 1, -round(MARGIN / HOP) - 1)
    hiss = np.quantile(bands[inside] if len(bands) > 100 else bands, 0.08, axis=0)
    cepstra = dct(np.log(np.maximum(bands - NOISE * hiss, 0.0) + FLOOR / BANDS), type=2, norm="ortho", axis=1)
    cepstra = cepstra[:, :COEFFICIENTS]
    heard = cepstra[total > 0.02]
    cepstra = (cepstra - heard.mean(axis=0)) / (heard.std(axis=0) + 1e-6)
    cepstra[:, 0] *= LOUD
    return Rows(np.concatenate([cepstra, CHANGE * np.gradient(cepstra, axis=0)], axis=1), total)


def _loudest(values: FloatArray) -> float:
    """What is seldom louder; of a sound that is almost all silence, a part of its loudest moment."""
    return max(float(np.quantile(values, 0.9)), 0.05 * float(values.max()))


def _mel(size: int, rate: int) -> FloatArray:
    """(B, F) triangles over the frequencies of a spectrum, evenly spaced in mel."""
    top = 2595.0 * np.log10(1.0 + min(TOP, 0.5 * rate) / 700.0)
    corners = 700.0 * (10.0 ** (np.linspace(0.0, top, BANDS + 2) / 2595.0) - 1.0)
    frequencies = np.arange(size // 2 + 1) * rate / size
    low, middle, high = corners[:-2, None], corners[1:-1, None], corners[2:, None]
    return np.maximum(0.0, np.minimum((frequencies - low) / (middle - low), (high - frequencies) / (high - middle)))


def _warp(first: Rows, second: Rows) -> FloatArray:
    """(N,) the row of ``second`` at which each row of ``first`` is, from end to end."""
    ours, theirs = first.features, second.features
    square = (ours**2).sum(axis=1)[:, None] + (theirs**2).sum(axis=1)[None] - 2.0 * ours @ theirs.T
    cost = np.sqrt(np.maximum(square, 0.0))
    came = _steps(cost, np.where(first.power < SILENT, 0.0, SLANT * float(cost.mean())))
    row, column = len(ours) - 1, len(theirs) - 1
    total, count = np.zeros(len(ours)), np.zeros(len(ours))
    while True:
        total[row] += column
        count[row] += 1
        if row == 0 and column == 0:
            return np.maximum.accumulate(total / count)
        step = came[row, column]
        row, column = row - (step != 1), column - (step != 2)


def _steps(cost: FloatArray, slant: FloatArray) -> IntArray:
    """(N, M) from where the cheapest way comes: 0 both, 1 along the second only, 2 along the first only.

    A step along both counts twice, as the two steps that it replaces would. Computed along the diagonals of the table,
    each of which depends on the two before it alone.
    """
    rows, columns = cost.shape
    best = np.full((rows + 1, columns + 1), np.inf)
    best[0, 0] = 0.0
    came = np.zeros((rows, columns), np.int8)
    for diagonal in range(rows + columns - 1):
        row = np.arange(max(0, diagonal - columns + 1), min(rows, diagonal + 1))
        column = diagonal - row
        here, aside = cost[row, column], slant[row]
        choices = np.stack(
            [best[row, column] + 2 * here, best[row + 1, column] + here + aside, best[row, column + 1] + here + aside]
        )
        step = choices.argmin(axis=0)
        came[row, column] = step
        best[row + 1, column + 1] = choices[step, np.arange(len(row))]
    return came


def _tidy(phones: tuple[Phone, ...]) -> tuple[Phone, ...]:
    """Phones that the warp left without any time get a little of their neighbours'."""
    shortest = 2 * HOP
    edges = np.array([[phone.start, phone.end] for phone in phones])
    for row in range(len(edges)):
        start = max(edges[row, 0], edges[row - 1, 1] if row else -np.inf)
        edges[row] = start, max(edges[row, 1], start + shortest)
    return tuple(phone.at(float(start), float(end)) for phone, (start, end) in zip(phones, edges, strict=True))
