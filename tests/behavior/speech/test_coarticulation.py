"""Lips in time: shapes where their sounds are, lips that meet when they must, and no jumps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.behavior.speech import Phone, Utterance, synthesize
from mummer.behavior.speech.coarticulation import viseme_weights
from mummer.behavior.speech.shapes import INDEX, shapes_of

SYMBOLS = (*"pbmfvtdnkslhwjaiou", "ʃ", "ɹ", "θ", "ɛ", "ə", "aɪ", "oʊ", "tʃ", "æ", "ŋ")
BILABIAL = frozenset("pbm")


@st.composite
def utterances(draw: st.DrawFn) -> Utterance:
    phones, time = [], draw(st.floats(0.0, 0.3))
    for symbol in draw(st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=12)):
        length = draw(st.floats(0.02, 0.25))
        phones.append(Phone(symbol, time, time + length, draw(st.integers(0, 2))))
        time += length + draw(st.sampled_from([0.0, 0.0, 0.0, 0.05, 0.4]))
    return Utterance("", tuple(phones))


@given(utterances())
def test_laws(said: Utterance) -> None:
    times = np.arange(-0.5, said.end + 0.5, 0.005)
    weights = viseme_weights(said, times)
    assert weights.shape == (len(times), 15)
    assert np.isfinite(weights).all()
    assert weights.min() >= 0.0
    assert weights.sum(axis=1).max() <= 1.2
    # At rest before and after.
    assert np.abs(weights[[0, -1]]).max() < 0.02
    # A frame of 5 ms never moves lips by more than a third of their way, even for sounds of 20 ms.
    assert np.abs(np.diff(weights, axis=0)).max() < 0.67


@given(utterances(), st.integers(24, 60))
def test_lips_meet_for_every_bilabial_at_any_rate(said: Utterance, rate: int) -> None:
    times = np.arange(0.0, said.end + 0.2, 1.0 / rate)
    weights = viseme_weights(said, times)
    for phone in said.phones:
        if phone.symbol in BILABIAL:
            near = (times > phone.start - 0.04) & (times < phone.end + 0.04)
            assert weights[near, INDEX["PP"]].max() > 0.9, (phone, rate)
            others = np.delete(weights[near], INDEX["PP"], axis=1).sum(axis=1)
            assert others.min() < 0.1


def test_shapes_are_most_themselves_in_their_own_time() -> None:
    said = synthesize("She sells sea shells and fine fish to Thomas the thief by the boat house.")
    times = np.arange(0.0, said.end, 0.002)
    weights = viseme_weights(said, times)
    for phone in said.phones:
        shapes = shapes_of(phone.symbol)
        if len(shapes) != 1 or shapes[0].dominance < 0.4:
            continue
        sound = max(shapes[0].mixture, key=lambda name: shapes[0].mixture[name])
        near = np.flatnonzero((times > phone.start - 0.1) & (times < phone.end + 0.1))
        others = [other for other in said.phones if other is not phone and sound in
                  {name for shape in shapes_of(other.symbol) for name in shape.mixture}
                  and abs(other.start - phone.start) < 0.3]  # fmt: skip
        if others:
            continue
        best = times[near[np.argmax(weights[near, INDEX[sound]])]]
        assert phone.start - 0.04 <= best <= phone.end + 0.04, phone


def test_neighbours_color_a_sound() -> None:
    """The t of 'too' is rounder than the t of 'tea'."""

    def rounded(vowel: str) -> float:
        said = Utterance("", (Phone("t", 0.0, 0.08), Phone(vowel, 0.08, 0.3, 2)))
        return float(viseme_weights(said, np.array([0.05]))[0, INDEX["U"]])

    assert rounded("u") > rounded("i") + 0.1


def test_stress_and_loudness_open() -> None:
    def opened(stress: int) -> float:
        return float(viseme_weights(Utterance("", (Phone("a", 0.0, 0.2, stress),)), np.array([0.1]))[0, INDEX["aa"]])

    assert opened(2) > opened(0) > 0.5


@pytest.mark.parametrize("symbol", ["p", "ɐ", "aɪ", "tʃ", "ɑː", "ɔːɹ", "ʏ", "x", "ɛ̃", "ts"])
def test_sounds_of_many_languages_have_shapes(symbol: str) -> None:
    assert shapes_of(symbol)
