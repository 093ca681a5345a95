"""What is done again and again is done as often as asked, and meets its goal each time."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.errors import MalformedFileError
from mummer.ik import Place
from mummer.model.model import model_from_text
from mummer.model.timing import jumps_of

TARGET = (0.2, 1.0, 0.45)


@pytest.mark.parametrize("times", [1, 2, 3, 6])
def test_a_hammer_strikes_as_often_as_asked_each_time_in_one_place(times: int) -> None:
    action = mm.act("zoo:adult", "hammer", target=TARGET, times=times)
    blows = sorted(goal.interval[0] for goal in action.invariants if isinstance(goal, Place) and goal.interval
                   and np.array_equal(goal.at, TARGET))  # fmt: skip
    assert np.diff(blows) == pytest.approx([0.6] * (times - 1))
    assert blows[0] == action.key_times["achieve"]
    assert blows[-1] == pytest.approx(action.key_times["release"])
    assert max(action.misses) < 1e-3
    assert jumps_of(action.clip) < 0.015
    assert action.clip.end - action.key_times["release"] == pytest.approx(1.0, abs=1e-6)


def test_feet_that_stand_do_so_all_the_while() -> None:
    action = mm.act("zoo:adult", "hammer", target=TARGET, times=9)
    feet = [mark for mark in action.footsteps if mark.name == "left_foot heel_down"]
    assert [(mark.time, mark.until) for mark in feet] == [(0.0, pytest.approx(action.clip.end))]


def test_what_is_done_once_at_any_tempo_is_let_go_of_as_it_is_achieved() -> None:
    for tempo in (0.7, 0.9753, 1.3):
        times = mm.act("zoo:hunched", "fist_shake", target=(0.0, 1.4, 1.5), tempo=tempo, times=1).key_times
        assert times["release"] - times["achieve"] == pytest.approx(0.0, abs=1e-6)


def test_only_a_number_says_how_often() -> None:
    text = 'version = 1\nname = "x"\nlike = "reach"\nrepeat = "look"\n'
    with pytest.raises(MalformedFileError, match="look is no number; expected a parameter that is a scalar"):
        model_from_text(text)
