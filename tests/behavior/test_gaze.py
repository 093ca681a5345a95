"""Gaze: eyes and heads on what is looked at, in order and within limits."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import zoo
from mummer.behavior import Performer, make
from mummer.character.clamp import violations
from tests.behavior.gaze import looked, misses


@pytest.mark.parametrize("name", ["adult", "dog", "dragon", "two_headed", "crab"])
def test_what_is_in_range_is_looked_at_within_a_degree(name):
    still, moving = looked(zoo.body(name), 3)
    if name != "crab":  # Its eyes turn as far as eyes do.
        assert max(still) < 1.0
        assert max(moving) < 1.0
    assert np.median(still) < 1.0


def test_a_head_that_does_not_turn_is_noticed():
    who = Performer("zoo:adult")
    assert min(misses(who, np.array([5.0, 1.6, 5.0]))) > 30.0


def spread(influence: str) -> dict[str, float]:
    """Degrees by which each group of joints turns for a look to the left."""
    who = Performer("zoo:adult")
    x, y, z = who.where(who)
    before = who.posed.rotations.copy()
    who.start(make("gaze", who, target=(x + 3.0, y, z + 2.0), influence=influence, hold=9.0))
    for _ in range(90):
        who.step(1 / 60)
    dots = np.clip(np.abs(np.vecdot(before, who.posed.rotations)), 0.0, 1.0)
    turned = np.degrees(2 * np.arccos(dots))
    assert violations(who.body.limits, who.body.skeleton, who.pose).max() < np.radians(1.0)
    head = who.sight.heads[0]
    found = {name: sum(turned[each.joint] for each in head.carriers[name]) for name in head.carriers}
    return found | {"eyes": turned[head.eyes[0].joint]}


def test_influence_says_who_comes_along():
    eyes, head, shoulder, waist = (spread(name) for name in ("eyes", "head", "shoulder", "waist"))
    assert eyes["head"] == pytest.approx(0.0, abs=1e-3)
    assert head["head"] > 30.0
    assert head["chest"] == pytest.approx(0.0, abs=1e-3)
    assert shoulder["chest"] > 3.0
    assert shoulder["waist"] == pytest.approx(0.0, abs=1e-3)
    assert waist["waist"] > 2.0
    assert waist["head"] < shoulder["head"] < head["head"]


def test_a_person_who_moves_is_followed_and_an_averted_gaze_is_beside():
    who, other = Performer("zoo:adult"), Performer("zoo:child", at=(0.4, 2.0), heading=np.pi)
    who.start(make("gaze", who, target=other, hold=30.0))
    other.actor.go(velocity=(0.3, 0.0), heading=np.pi)
    for _ in range(120):
        other.step(1 / 60)
        who.step(1 / 60)
    assert max(misses(who, np.array(other.where(other)))) < 1.0
    who.start(make("gaze", who, target=other, averted=True, hold=30.0))
    for _ in range(90):
        who.step(1 / 60)
    assert min(misses(who, np.array(other.where(other)))) == pytest.approx(25.0, abs=2.0)


def test_a_shift_of_gaze_goes_on_and_a_gaze_comes_back():
    who = Performer("zoo:dog")
    place = np.array(who.where(who)) + np.array([0.6, 0.2, 1.5])
    who.start(make("gaze", who, target=tuple(place), hold=0.2))
    for _ in range(150):
        who.step(1 / 60)
    assert min(misses(who, place)) > 10.0
    who.start(make("gaze_shift", who, target=tuple(place)))
    for _ in range(150):
        who.step(1 / 60)
    assert max(misses(who, place)) < 0.1
