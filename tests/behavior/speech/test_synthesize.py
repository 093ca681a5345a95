"""The voice: what it says when, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.behavior.speech import synthesize
from mummer.errors import InputError


def test_words_and_phones_are_timed_in_order() -> None:
    said = synthesize("Good evening, Mr. Baker.")
    assert [word.text for word in said.words] == ["Good", "evening", "Mr", "Baker"]
    edges = [edge for phone in said.phones for edge in (phone.start, phone.end)]
    assert edges == sorted(edges)
    assert said.sound is not None
    assert said.end <= said.sound.duration
    assert [phone.symbol for phone in said.phones[:3]] == ["ɡ", "ʊ", "d"]
    assert all(word.stress == 2 for word in said.words if word.text in ("evening", "Baker"))


def test_a_number_is_one_word_of_many_sounds() -> None:
    said = synthesize("She paid $42 today")
    assert [word.text for word in said.words] == ["She", "paid", "$42", "today"]
    long = said.words[2]
    assert long.end - long.start > 0.6


def test_the_silence_before_a_burst_belongs_to_the_stop() -> None:
    said = synthesize("the pepper map")
    assert said.sound is not None
    stops = [phone for phone in said.phones if phone.symbol == "p"]
    assert len(stops) == 3
    for phone in stops:
        assert phone.duration > 0.06
        assert float(said.sound.loudness(np.array([phone.start + 0.02]), window=0.015)[0]) < 0.01


def test_what_is_voiced_is_heard() -> None:
    said = synthesize("Mama made a melon")
    assert said.sound is not None
    middles = np.array([0.5 * (phone.start + phone.end) for phone in said.phones if phone.symbol[0] in "aæeɪ"])
    assert float(said.sound.loudness(middles).min()) > 0.02


def test_marks_are_at_the_next_word() -> None:
    text = "one two three"
    said = synthesize(text, marks={"a": 0, "b": 4, "z": len(text)})
    assert said.marks == {"a": said.words[0].start, "b": said.words[1].start, "z": said.end}


def test_other_languages() -> None:
    said = synthesize("Der Bürger mag Äpfel.", voice="de")
    assert {"ʏ", "ɛ"} <= {phone.symbol for phone in said.phones}


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "nothing to say"),
        (" ... ", {}, "nothing to say"),
        ("a" * 30_000, {}, "at most 20,000"),
        ("hello", {"voice": "xx-none"}, "no voice 'xx-none'"),
        ("hello", {"rate": 5}, "expected 80 to 450"),
        ("hello", {"pitch": 500}, "expected 0 to 100"),
    ],
)
def test_what_cannot_be_said(text: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        synthesize(text, **options)  # type: ignore[arg-type]


def test_odd_letters_are_survived() -> None:
    for text in ("a\0b", "x" * 500, "\u202e123 \U0001f600 ok", "<speak><break time='10s'/>hi</speak>", "\n\n hi \t"):
        assert synthesize(text).phones
