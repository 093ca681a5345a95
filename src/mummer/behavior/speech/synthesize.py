"""Text to speech, with the time of every phone and word."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.speech import espeak
from mummer.behavior.speech.audio import Audio
from mummer.behavior.speech.utterance import Phone, Utterance, Word, with_marks
from mummer.errors import InputError, MissingExtraError

LONGEST = 20_000
"""Letters of a text."""
PATIENCE = 60.0
"""Seconds that the voice may take."""
RATE, PITCH = 160, 50
"""Words a minute, and where the voice lies from 0 to 100."""
STOPS = "pbtdkɡgqcɖʈɓɗɠʔ"
CLOSED = 0.12
"""Seconds that the closure of a stop lasts at most. The voice tells when it bursts; lips and tongue meet before."""
QUIET = 0.004
"""Of full scale: below it a closure is silent."""


def synthesize(
    text: str, *, voice: str = "en-us", rate: float = RATE, pitch: float = PITCH, marks: Mapping[str, int] | None = None
) -> Utterance:
    """Say a text.

    Args:
        text: in the voice's language.
        voice: a name or language of espeak-ng: ``en-us``, ``de``, ``en+f3``.
        rate: words a minute, 80 to 450.
        pitch: where the voice lies, 0 to 100.
        marks: names of moments, and how many letters of the text are said before each.

    Raises:
        InputError: if there is nothing to say, too much, or no such voice.
        MissingExtraError: if the extra ``speech`` is not installed.

    Example:
        >>> said = synthesize("Good evening.")
        >>> [word.text for word in said.words]
        ['Good', 'evening']
        >>> said.phones[0].symbol
        'ɡ'
    """
    if not any(letter.isalnum() for letter in text):
        raise InputError("there is nothing to say; expected a text with a word in it")
    if len(text) > LONGEST:
        raise InputError(f"the text has {len(text):,} letters; at most {LONGEST:,} are said at once")
    if not 80 <= rate <= 450:
        raise InputError(f"the rate is {rate:g} words a minute; expected 80 to 450")
    if not 0 <= pitch <= 100:
        raise InputError(f"the pitch is {pitch:g}; expected 0 to 100")
    made = _said(text.replace("\0", " "), voice, round(rate), round(pitch))
    return with_marks(made, marks) if marks else made


@lru_cache(maxsize=64)
def _said(text: str, voice: str, rate: int, pitch: int) -> Utterance:
    header, samples = _ask({"text": text, "voice": voice, "rate": rate, "pitch": pitch})
    sound = Audio(int(header["rate"]), samples)
    events = [event for event in header["events"] if event[1] / 1000 <= sound.duration + 0.001]
    phones = _closures(_phones(events), sound)
    return Utterance(text, phones, _words(text, events, phones), sound)


def _ask(request: dict[str, Any]) -> tuple[dict[str, Any], FloatArray]:
    """What the voice answers: its header, and (N,) samples."""
    try:
        import espeakng_loader
    except ImportError:
        raise MissingExtraError("speech", "speaking") from None
    places = [str(espeakng_loader.get_library_path()), str(espeakng_loader.get_data_path())]
    command = [sys.executable, "-I", "-S", "-X", "utf8", espeak.__file__, *places]
    try:
        answer = subprocess.run(command, input=json.dumps(request).encode(), capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise InputError(f"the text takes longer than {PATIENCE:g} s to say; give it in parts") from None
    first, _, rest = answer.stdout.partition(b"\n")
    if answer.returncode != 0 or not first:
        what = answer.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise InputError(f"the voice of espeak-ng ends (exit code {answer.returncode}): {' '.join(what)}")
    header: dict[str, Any] = json.loads(first)
    if "unknown" in header:
        raise InputError(
            f"espeak-ng has no voice {header['unknown']!r}; expected a language, such as en-us, de, fr or ja"
        )
    return header, np.frombuffer(rest[: len(rest) // 2 * 2], "<i2") / 2.0**15


def _phones(events: list[list[Any]]) -> list[Phone]:
    """From each event of a phone to the next event that is one or a pause."""
    rows = [(event[1] / 1000, event[4]) for event in events if event[0] == "phoneme"]
    found = []
    for (start, said), (end, _) in zip(rows, [*rows[1:], (rows[-1][0] if rows else 0.0, "")], strict=True):
        symbol = said.strip("ˈˌ")
        if symbol and end > start:
            stress = 2 if "ˈ" in said else 1 if "ˌ" in said else 0
            found.append(Phone(symbol.replace("ˈ", "").replace("ˌ", ""), start, end, stress))
    return found


def _closures(phones: list[Phone], sound: Audio) -> tuple[Phone, ...]:
    """The phones with the silence before the burst of a stop given to the stop."""
    made: list[Phone] = []
    for phone in phones:
        start = phone.start
        if phone.symbol[0] in STOPS:
            earliest = max(start - CLOSED, made[-1].start + 0.02 if made else 0.0, 0.0)
            rows = np.flatnonzero(
                np.abs(sound.samples[round(earliest * sound.rate) : round(start * sound.rate)]) > QUIET
            )
            # The burst itself may come a few milliseconds before the event.
            before = rows[rows < (start - 0.012 - earliest) * sound.rate]
            start = min(start, earliest + (int(before[-1]) + 1 if len(before) else 0) / sound.rate)
            if start > phone.start - 0.015:
                start = phone.start
            if made and made[-1].end > start:
                made[-1] = made[-1].at(made[-1].start, start)
        made.append(phone.at(start, phone.end))
    return tuple(made)


def _words(text: str, events: list[list[Any]], phones: tuple[Phone, ...]) -> tuple[Word, ...]:
    """The written words, each from its first phone to its last; the voice says some, such as numbers, as several."""
    starts = [(event[1] / 1000, event[2] - 1) for event in events if event[0] == "word"]
    found: list[Word] = []
    for written in re.finditer(r"\S+", text):
        own: list[Phone] = []
        for row, (began, position) in enumerate(starts):
            if written.start() <= position < written.end():
                after = starts[row + 1][0] if row + 1 < len(starts) else np.inf
                # A stop's closure may reach back over the event of its word: phones are counted by their middles.
                own += [phone for phone in phones if began - 1e-9 <= 0.5 * (phone.start + phone.end) < after]
        if own:
            said = written[0].strip(".,;:!?\"'()[]")
            found.append(Word(said, own[0].start, own[-1].end, max(phone.stress for phone in own), written.start()))
    return tuple(found)
