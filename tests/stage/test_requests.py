"""What layers ask of a jump below them: all of them together, of what is free, the less the nearer to its end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik import WorldState
from mummer.model import load_model
from mummer.stage import Cut, Director, Play
from mummer.stage.requests import FURTHEST, granted, reluctance

JUMP, TALL = load_model("jump"), 1.7
BOTH = ("to", "apex")
DIRECTOR = Director()
metres = st.floats(-0.2, 0.2)
lengths = st.floats(0.0, 5.0)


def jumping(*targets: tuple[str, tuple[float, float, float]], **said: object) -> Play:
    play = Play("leap").actor("ann", "zoo:adult").do("ann", "jump", name="leap", **said)
    for hand, target in targets:
        play = play.do("ann", "reach", name=hand, over="leap", target=target, hand=hand)
    return play


def away(cut: Cut, hand: str) -> float:
    """Metres from a hand to its target when it reaches."""
    clip, done = cut.clips["ann"], cut.done[hand]
    tip = done.action.tip
    assert tip is not None
    hand_at = WorldState(clip.body, clip.sample([done.key_times["achieve"]])).point(tip)[0]
    return float(np.linalg.norm(hand_at - np.asarray(done.doing.values["target"])))


@given(metres, metres, st.floats(0.0, 0.3))
def test_one_request_well_within_the_range_is_met(x: float, z: float, rise: float) -> None:
    found = granted(JUMP, [np.array([x, rise, z])], BOTH, TALL)
    np.testing.assert_allclose(0.5 * found.way, [x, 0.0, z], atol=1e-3)
    assert found.rise == pytest.approx(rise, abs=1e-3)


@given(st.floats(3.0, 30.0), st.floats(2.0, 9.0))
def test_nobody_jumps_without_bounds_for_the_sake_of_a_layer(far: float, high: float) -> None:
    found = granted(JUMP, [np.array([0.0, high, far])], BOTH, TALL)
    assert np.linalg.norm(found.way) <= FURTHEST * TALL + 1e-9
    assert found.rise <= JUMP.parameter("apex").most * TALL


@given(lengths, lengths)
def test_reluctance_grows_towards_the_end_and_is_nothing_well_within(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert reluctance(low, 2.0) <= reluctance(high, 2.0)
    assert (reluctance(low, 2.0) == 0.0) == (low <= 1.6 or low / 2.0 - 0.8 < 1e-9)


def test_what_is_not_free_is_not_asked_for() -> None:
    asked = [np.array([0.2, 0.3, 0.1])]
    assert granted(JUMP, asked, ["apex"], TALL).way.tolist() == [0.0, 0.0, 0.0]
    assert granted(JUMP, asked, ["to"], TALL).rise == 0.0


def test_two_hands_that_reach_over_one_jump_are_both_there() -> None:
    sides = (("left", (0.45, 2.3, 0.25)), ("right", (-0.45, 2.3, 0.25)))
    cut = DIRECTOR.cut(jumping(*sides))
    assert abs(np.asarray(cut.done["leap"].action.values["to"])[0]) < 0.05
    assert max(away(cut, hand) for hand, _ in sides) < 0.03
    fixed = DIRECTOR.cut(jumping(*sides, to=(0.3, 0.0, 0.3)))
    assert fixed.done["leap"].action.values["to"] == (0.3, 0.0, 0.3)
