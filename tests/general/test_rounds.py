"""Whole rounds of a gait: their end flows into their start."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import world_positions
from mummer.engine.rounds import long_enough, whole_rounds


def test_rounds_begin_as_they_end_but_for_the_way() -> None:
    clip = mm.perform("zoo:dog", "walk", duration=long_enough(mm.zoo.body("dog")), ends="moving")
    one, many = whole_rounds(clip), whole_rounds(clip, at_least=2.0)
    assert one is not None
    assert many is not None
    rounds = many.duration / one.duration
    assert rounds == pytest.approx(round(rounds))
    assert 2.0 <= many.duration < 2.0 + one.duration
    first, last = world_positions(one.body.skeleton, one.sample(np.array([one.start, one.end])))
    way = last - first
    hair = 0.001 * one.anatomy.height
    np.testing.assert_allclose(way, np.broadcast_to(way[0], way.shape), atol=hair)
    assert way[0][2] > 0.3


def test_what_does_not_repeat_has_no_rounds() -> None:
    assert whole_rounds(mm.perform("zoo:adult", "sit")) is None
    assert whole_rounds(mm.perform("zoo:adult", "nod", duration=0.1)) is None


def test_larger_bodies_take_longer() -> None:
    assert long_enough(mm.zoo.body("giant")) > long_enough(mm.zoo.body("adult")) > long_enough(mm.zoo.body("frog"))
