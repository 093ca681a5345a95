"""Recordings and transcripts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.behavior.speech import Audio, align, synthesize
from mummer.errors import InputError
from tests.behavior.alignment import errors

TEXT = "She had your dark suit in greasy wash water."


@pytest.mark.parametrize(("voice", "rate"), [("en-us+f3", 120), ("en-us+m5", 200)])
def test_another_speaker_is_followed(voice: str, rate: int) -> None:
    said = synthesize(TEXT, voice=voice, rate=rate)
    assert said.sound is not None
    noise = np.random.default_rng(5).normal(0.0, 0.002, len(said.sound.samples) + 20_000)
    noise[10_000 : 10_000 + len(said.sound.samples)] += 0.5 * said.sound.samples
    found = align(Audio(said.sound.rate, noise), TEXT)
    shift = 10_000 / said.sound.rate
    assert [phone.symbol for phone in found.phones] == [phone.symbol for phone in said.phones]
    late = np.array([ours.start - theirs.start - shift for ours, theirs in zip(found.phones, said.phones, strict=True)])
    assert np.mean(np.abs(late) < 0.04) > 0.9
    assert [word.text for word in found.words] == [word.text for word in said.words]


def test_shared_recordings(data_dir: Path) -> None:
    if not (data_dir / "speech").is_dir():
        pytest.skip("no shared speech")
    off = np.abs([late for _, lates, _ in errors(data_dir) for late in lates])
    assert np.mean(off < 0.04) > 0.8
    assert np.median(off) < 0.02


def test_the_wrong_words_do_not_fit() -> None:
    said = synthesize(TEXT)
    assert said.sound is not None
    found = align(said.sound, "Oh no, my banana!")
    assert found.end <= said.sound.duration
    assert all(phone.duration > 0 for phone in found.phones)


@pytest.mark.parametrize(
    ("samples", "message"), [(np.zeros(8000), "silent"), (np.zeros(0), "silent"), (np.ones(8000 * 130), "at most 120")]
)
def test_what_cannot_be_aligned(samples: np.ndarray, message: str) -> None:
    with pytest.raises(InputError, match=message):
        align(Audio(8000, samples), TEXT)


def test_a_click_is_survived() -> None:
    samples = np.zeros(8000)
    samples[4000:4010] = 0.5
    assert align(Audio(8000, samples), "hello").phones
