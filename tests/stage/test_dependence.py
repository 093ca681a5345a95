"""Where actions are done that come after others: ways in between, or what comes before ends there."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.clip import Clip
from mummer.errors import MalformedFileError, UnknownNameError
from mummer.ik import WorldState
from mummer.stage import Cut, Director, Play, play_from_text, play_to_text

DIRECTOR = Director()
THERE = (3.0, 0.0, 1.0)


def two(first: str = "reach", **said: object) -> Play:
    values = {"target": (0.3, 1.2, 0.45)} if first == "reach" else {}
    play = Play("two").actor("ann", "zoo:adult").do("ann", first, name="first", **values)
    return play.do("ann", "nod", name="second", **said)


def hips(clip: Clip) -> np.ndarray:
    return WorldState(clip.body, clip.sample(np.arange(0.0, clip.end, 1 / 60))).positions[:, 0]


def stands_at(cut: Cut, name: str) -> np.ndarray:
    done, clip = cut.done[name], cut.clips["ann"]
    return WorldState(clip.body, clip.sample([done.key_times["achieve"]])).positions[0, 0, [0, 2]]


def test_who_is_to_be_far_away_walks_there_and_is_not_pushed_over_the_ground() -> None:
    cut = DIRECTOR.cut(two(position=THERE, orientation=90))
    np.testing.assert_allclose(stands_at(cut, "second"), [3.0, 1.0], atol=0.05)
    way = np.linalg.norm(np.diff(hips(cut.clips["ann"])[:, [0, 2]], axis=0), axis=1)
    assert way.max() * 60 < 3.0  # metres a second; a push of three metres in a transition has 6
    assert "second is done elsewhere: ann walks there first" in str(cut.report)
    assert set(cut.done) == {"first", "second"}


def test_who_is_a_step_away_steps() -> None:
    cut = DIRECTOR.cut(two(position=(0.4, 0.0, 0.0)))
    np.testing.assert_allclose(stands_at(cut, "second"), [0.4, 0.0], atol=0.05)
    assert not cut.report


def test_a_place_is_handed_back_to_what_comes_before_and_to_where_the_actor_begins() -> None:
    cut = DIRECTOR.cut(two(position=THERE, orientation=90, arrive="before"))
    for name in ("first", "second"):
        np.testing.assert_allclose(cut.done[name].action.values["position"], [3.0, 0.0, 1.0], atol=1e-9)
        turn = cut.done[name].action.values["orientation"]
        np.testing.assert_allclose(np.abs(turn), [0, 0.5**0.5, 0, 0.5**0.5], atol=1e-9)
    np.testing.assert_allclose(hips(cut.clips["ann"])[0, [0, 2]], [3.0, 1.0], atol=0.05)


def test_who_goes_somewhere_before_goes_there_instead() -> None:
    cut = DIRECTOR.cut(two("walk", position=THERE, arrive="before"))
    assert cut.done["first"].action.values["to"] == THERE
    np.testing.assert_allclose(stands_at(cut, "second"), [3.0, 1.0], atol=0.05)
    np.testing.assert_allclose(hips(cut.clips["ann"])[0, [0, 2]], [0.0, 0.0], atol=0.05)


def test_a_play_says_how_somebody_arrives() -> None:
    play = two(position=THERE, arrive="before")
    assert play_from_text(play_to_text(play)).doings[1].arrive == "before"
    with pytest.raises(UnknownNameError, match="an action has no way to arrive 'befor'; closest: 'before'"):
        two(position=THERE, arrive="befor")
    with pytest.raises(MalformedFileError, match=r"action\[1\]\.arrive"):
        play_from_text(play_to_text(play).replace('arrive = "before"', 'arrive = "flying"'))
