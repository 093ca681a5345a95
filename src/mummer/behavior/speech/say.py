"""Say something with the whole body: voice, lips, gaze, face and gestures in one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.face.fitted import face_of
from mummer.behavior.make import make
from mummer.behavior.performer import Performer, Sound
from mummer.behavior.speech.audio import Audio
from mummer.behavior.speech.speak import Speech, make_speech
from mummer.behavior.speech.utterance import Utterance
from mummer.clip.sampled import Sampled
from mummer.engine.actor import RATE
from mummer.errors import InputError
from mummer.io.subjects import BodyLike
from mummer.report import Report, ReportBuilder

LEAD, TAIL = 0.35, 0.65
"""Seconds before and after the speech."""
AWAY = 1.5
"""How far off the listener is, in heights of the body."""
BEATS = 1.1
"""Seconds between two beats of the hands, at least."""


@dataclass(frozen=True, eq=False)
class Said:
    """A speech that was given.

    Attributes:
        clip: the motion, morphs included.
        audio: what is heard, from the start of the clip.
        utterance: what was said; its times count from the start of the speech.
        start: seconds of the clip at which the speech starts.
        report: what the body could not do.
    """

    clip: Sampled
    audio: Audio
    utterance: Utterance
    start: float
    report: Report


def say(
    body: BodyLike | Performer,
    utterance: Utterance,
    *,
    emotion: str = "",
    look_at: Sequence[float] | None = None,
    gestures: bool = True,
    morphs: bool = True,
    rate: float = RATE,
) -> Said:
    """Let a body say something.

    Args:
        body: who.
        utterance: what, see `utterance_of`.
        emotion: that its face shows meanwhile: ``joy``, ``sadness`` ...
        look_at: (3,) what it looks at, metres; somebody in front of it if None.
        gestures: whether hands beat with the words that are stressed.
        morphs: whether morphs of the face may be used; joints alone if not.
        rate: frames a second of the clip.

    Example:
        >>> from mummer.behavior.speech import say, utterance_of
        >>> said = say("zoo:dog", utterance_of("Good evening."))
        >>> said.clip.duration > said.utterance.duration > 0.5
        True
    """
    performer = body if isinstance(body, Performer) else Performer(body)
    report = ReportBuilder()
    if not morphs:
        performer.face.map = face_of(performer.body, False)
    began = performer.time
    # The first step shows what is wanted at its own time.
    performer.sounds.clear()
    speech = make_speech(performer, utterance=utterance)
    performer.start(speech, at=began + LEAD)
    _tell_mouth(performer, speech, report)
    _look(performer, look_at, report)
    if performer.sight.heads and performer.physique.anatomy.capabilities.get("eye"):
        _try(performer, report, "eyes", mode="talking")
    if emotion:
        _try(performer, report, "face_shift", lexeme=emotion)
    if gestures:
        _beat(performer, speech, began + LEAD, report)
    clip = performer.record(LEAD + utterance.duration + TAIL, rate=rate, name="say")
    audio = mixed(performer.sounds, began, clip.duration)
    return Said(clip, audio, utterance, LEAD, report.build())


def _tell_mouth(performer: Performer, speech: Speech, report: ReportBuilder) -> None:
    drivers = performer.face.map.drivers
    if speech.mouthless:
        has_head = bool(performer.physique.anatomy.capabilities.get("head"))
        how = "its head moves along" if has_head else "it speaks without a movement"
        report.add("missed", f"{performer.character.name!r} has no mouth that opens; {how}")
    elif all(driver.joint is not None for driver in drivers["viseme_aa"]):
        report.add("unusual", f"{performer.character.name!r} speaks with its jaw alone")


def _look(performer: Performer, place: Sequence[float] | None, report: ReportBuilder) -> None:
    """Look at somebody, who stands in front if no place is given."""
    if place is None:
        heading = performer.actor.heading
        far = AWAY * performer.physique.height
        x, y, z = performer.sight.eye_point(performer.posed)
        place = (x + far * math.sin(heading), y, z + far * math.cos(heading))
    _try(performer, report, "gaze_shift", target=tuple(place))


def _beat(performer: Performer, speech: Speech, start: float, report: ReportBuilder) -> None:
    """Beats of the hands, their strokes on stressed words."""
    last = -math.inf
    for word in speech.stressed:
        if word.start - last < BEATS:
            continue
        try:
            beat = make("gesture", performer, lexeme="beat")
        except InputError as error:
            report.add("missed", str(error))
            return
        stroke = beat.syncs.get("stroke", 0.0)
        if start + word.start - stroke >= performer.time:
            performer.start(beat, at=start + word.start - stroke)
            last = word.start


def _try(performer: Performer, report: ReportBuilder, kind: str, **attributes: object) -> None:
    """Start a behaviour if the body can do it."""
    try:
        performer.start(make(kind, performer, **attributes))
    except InputError as error:
        report.add("missed", str(error))


def mixed(sounds: Sequence[Sound], start: float, duration: float, *, rate: int | None = None) -> Audio:
    """What is heard of some sounds from a moment on, for some seconds."""
    rate = rate or max((sound.rate for sound in sounds), default=22050)
    total: FloatArray = np.zeros(round(duration * rate))
    for sound in sounds:
        samples = sound.samples
        if sound.rate != rate:
            count = round(len(samples) * rate / sound.rate)
            samples = np.interp(np.arange(count) * sound.rate / rate, np.arange(len(samples)), samples)
        first = round((sound.start - start) * rate)
        own = samples[max(0, -first) : max(0, len(total) - first)]
        total[max(0, first) : max(0, first) + len(own)] += own
    return Audio(rate, np.clip(total, -1.0, 1.0))
