"""Gestures and the like that are general animations."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.behavior import SYNCS, Performer, make
from mummer.behavior.played import LIBRARY, Played, gesture_names
from mummer.errors import InputError
from mummer.general import load_animation


@pytest.mark.parametrize("body", ["adult", "dog"])
def test_a_gesture_moves_the_body_and_tells_its_moments_at_the_times_that_were_asked(body):
    who = Performer(f"zoo:{body}")
    before = who.posed.rotations.copy()
    wave = make("gesture", who, lexeme="wave").retimed({"end": 2.0})
    who.start(wave)
    events, moved = [], 0.0
    for _ in range(150):
        events += who.step(1 / 60).events
        moved = max(moved, float(1 - np.abs(np.vecdot(before, who.posed.rotations)).min()))
    told = {event.name: event.time for event in events if event.running is not None}
    assert set(told) == set(SYNCS)
    assert told["end"] == pytest.approx(2.0, abs=0.02)
    assert moved > 0.02


def test_a_gesture_that_does_not_exist_is_refused():
    with pytest.raises(InputError):
        make("gesture", Performer("zoo:adult"), lexeme="wavee")


def test_a_lexeme_names_no_file(tmp_path):
    file = tmp_path / "beat.toml"
    file.write_text((LIBRARY / "beat.toml").read_text())
    with pytest.raises(InputError, match="no gesture"):
        make("gesture", Performer("zoo:adult"), lexeme=str(file))


def lifted(who: Performer, joint: str) -> float:
    """Metres that a joint comes up at most in the next two seconds."""
    number = who.physique.anatomy.joint(joint)
    heights = []
    for _ in range(120):
        who.step(1 / 60)
        heights.append(float(who.posed.place(number)[1]))
    return max(heights) - heights[0]


@pytest.mark.parametrize("lexeme", gesture_names())
@pytest.mark.parametrize("hand", ["left", "right"])
def test_gestures_of_speech_lift_the_hand_that_is_asked_for(lexeme, hand):
    who = Performer("zoo:adult")
    who.start(make("gesture", who, lexeme=lexeme, hand=hand))
    assert lifted(who, f"{hand}_hand") > 0.1


def test_who_has_no_hands_beats_with_its_head():
    who = Performer("zoo:dog")
    before = who.posed.rotations.copy()
    who.start(make("gesture", who, lexeme="beat", hand="left"))
    moved = 0.0
    for _ in range(60):
        who.step(1 / 60)
        moved = max(moved, float(1 - np.abs(np.vecdot(before, who.posed.rotations)).min()))
    assert moved > 1e-3


def test_a_stroke_is_seen_when_it_was_asked_for_and_a_posture_stays() -> None:
    who = Performer("zoo:adult")
    beat = make("gesture", who, lexeme="beat").retimed({"stroke": 3.0, "end": 3.5})
    who.start(beat)
    while who.time < 3.0 - 1e-6:
        who.step(1 / 60)
    assert beat._play.time == pytest.approx(0.6, abs=0.03)
    sit = Played(load_animation("sit"), stays=True)
    who.start(sit)
    for _ in range(600):
        who.step(1 / 60)
    assert not sit._play.is_over
    assert sit._play.time == pytest.approx(2.5, abs=0.03)
