"""Speech as a behaviour: the voice, lips that go with it, brows and head that stress what the voice stresses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.behavior import Behavior
from mummer.behavior.performer import Performer, Sound
from mummer.behavior.speech.align import align
from mummer.behavior.speech.audio import Audio, read_wav
from mummer.behavior.speech.coarticulation import viseme_weights
from mummer.behavior.speech.synthesize import PITCH, RATE, synthesize
from mummer.behavior.speech.times import read_times
from mummer.behavior.speech.utterance import Utterance, Word, with_marks
from mummer.character.face import VISEMES
from mummer.errors import InputError
from mummer.kernels.vectors import plus, smooth_step

TABLE = 0.005
"""Seconds between the moments for which the lips are computed beforehand."""
CLOSE = 0.15
"""Seconds in which a mouth closes whose speech is cut off."""
LEAD, LAG = 0.12, 0.3
"""Seconds before and after the start of a stressed word in which brow and head go up or down and come back."""
BROW, NOD, BOB = 0.35, math.radians(4.0), math.radians(7.0)
"""How far the brow rises and the head nods on a stressed word, and how far a head goes that has no mouth to open."""
CALM = 0.45
"""Seconds between words that are stressed, at least: nobody nods at every word."""


class Speech(Behavior):
    """Says an utterance."""

    kind = "speech"
    channels = frozenset({"speech"})

    def __init__(
        self, utterance: Utterance, *, amount: float = 1.0, emphasis: float = 1.0, mouthless: bool = False
    ) -> None:
        """A speech.

        Args:
            utterance: what is said.
            amount: how far the mouth opens, 1 as usual.
            emphasis: how much brow and head stress words, 1 as usual.
            mouthless: whether the head moves in place of a mouth.
        """
        self.utterance, self.amount, self.emphasis, self.mouthless = utterance, amount, emphasis, mouthless
        marks = {name: min(time, utterance.duration) for name, time in utterance.marks.items()}
        super().__init__({**marks, "end": utterance.duration})
        self._sound: int | None = None
        self._said: dict[str, float] = {}

    @cached_property
    def table(self) -> FloatArray:
        """(T, 15) visemes every `TABLE` seconds."""
        weights = viseme_weights(self.utterance, TABLE * np.arange(math.ceil(self.utterance.duration / TABLE) + 2))
        return np.clip(weights * self.amount, 0.0, 1.0)

    @cached_property
    def stressed(self) -> tuple[Word, ...]:
        """The words that brow and head stress."""
        found: list[Word] = []
        for word in self.utterance.words:
            if word.stress == 2 and (not found or word.start - found[-1].start >= CALM):
                found.append(word)
        return tuple(found)

    def visemes(self, time: float) -> dict[str, float]:
        """What lips show at a moment of the utterance."""
        place = min(max(time / TABLE, 0.0), len(self.table) - 1.001)
        row = int(place)
        shown = self.table[row] + (place - row) * (self.table[row + 1] - self.table[row])
        return {name: float(amount) for name, amount in zip(VISEMES, shown, strict=True) if amount > 1e-4}

    def stress(self, time: float) -> float:
        """How much brow and head stress a moment, 0 to 1."""
        most = 0.0
        for word in self.stressed:
            away = time - word.start
            most = max(most, 1.0 - smooth_step(-away / LEAD if away < 0.0 else away / LAG))
        return most * self.emphasis

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        if self._sound is None and self.utterance.sound is not None:
            self._sound = len(performer.sounds)
            sound = self.utterance.sound
            performer.sounds.append(Sound(performer.time - time, sound.samples, sound.rate))
        now = self.own_time(time)
        self._said = self.visemes(now)
        stress = self.stress(now)
        for name, amount in self._said.items():
            performer.face.show(name, amount)
        performer.face.show("brow_inner_up", 0.6 * BROW * stress)
        for side in ("left", "right"):
            performer.face.show(f"brow_outer_up_{side}", BROW * stress)
        performer.face.talking = True
        nod = NOD * stress
        if self.mouthless:
            opened = sum(amount for name, amount in self._said.items() if name in OPEN)
            nod += BOB * self.amount * min(opened, 1.0)
        if nod:
            performer.gaze.nod = plus(performer.gaze.nod, (nod, 0.0, 0.0))

    def finish(self, performer: Performer) -> None:
        """Close the mouth, and be silent."""
        performer.face.let_go(self._said, CLOSE)
        if self._sound is not None:
            sound = performer.sounds[self._sound]
            left = max(0, round((performer.time - sound.start) * sound.rate))
            performer.sounds[self._sound] = Sound(sound.start, sound.samples[:left], sound.rate)


OPEN = ("viseme_aa", "viseme_E", "viseme_O", "viseme_I", "viseme_U")


class Voiced(TypedDict, total=False):
    """How something is said; see `make_speech`."""

    voice: str
    rate: float
    pitch: float
    marks: Mapping[str, int] | None
    audio: str | Path | Audio | None
    times: str | Path | None


def make_speech(
    performer: Performer,
    *,
    text: str = "",
    utterance: Utterance | None = None,
    amount: float = 1.0,
    emphasis: float = 1.0,
    **voiced: Unpack[Voiced],
) -> Speech:
    """Say something.

    Args:
        performer: who.
        text: what; of a recording, its transcript.
        utterance: what is said and when, in place of the text and how it is voiced.
        amount: how far the mouth opens, 1 as usual.
        emphasis: how much brow and head stress words, 1 as usual.
        voiced: ``voice``, ``rate``, ``pitch``, ``marks``, ``audio`` and ``times``, each by its name.
        voice: a voice or language of espeak-ng.
        rate: words a minute.
        pitch: where the voice lies, 0 to 100.
        marks: names of moments, and how many letters of the text are said before each; they become sync points.
        audio: a recording, or its .wav, in place of the voice.
        times: a file with the times of its phones; without one it is aligned to the text.
    """
    if not (0.0 <= amount <= 3.0 and 0.0 <= emphasis <= 3.0):
        raise InputError(f"speech has amount {amount:g} and emphasis {emphasis:g}; expected 0 to 3")
    said = utterance or utterance_of(text, **voiced)
    return Speech(said, amount=amount, emphasis=emphasis, mouthless="viseme_aa" not in performer.face.map)


def utterance_of(
    text: str = "",
    *,
    voice: str = "en-us",
    rate: float = RATE,
    pitch: float = PITCH,
    marks: Mapping[str, int] | None = None,
    audio: str | Path | Audio | None = None,
    times: str | Path | None = None,
) -> Utterance:
    """What is said and when: by the voice, or in a recording; see `make_speech` for the arguments."""
    if audio is None and times is None:
        return synthesize(text, voice=voice, rate=rate, pitch=pitch, marks=marks)
    heard = audio if isinstance(audio, Audio) or audio is None else read_wav(audio)
    if times is not None:
        said = replace(read_times(times), sound=heard)
        said = replace(said, text=text or said.text)
    elif not text:
        raise InputError("a recording needs its transcript, or a file with the times of its phones")
    else:
        assert heard is not None
        said = align(heard, text, voice=voice)
    return with_marks(said, marks) if marks else said
