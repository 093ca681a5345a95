"""Gaits: feet that stand stay, whatever the gait and the body."""

from __future__ import annotations

import pytest

import mummer as mm
from mummer.grid.judge import pops, scene_of, slip


@pytest.mark.parametrize(
    ("name", "gait"),
    [("adult", "walk"), ("adult", "march"), ("bird", "hop"), ("horse", "walk"), ("dog", "sneak"), ("9336", "bounce")],
)
def test_feet_that_stand_stay_and_legs_do_not_jump_for_it(name: str, gait: str) -> None:
    body = mm.zoo.random_creature(int(name)) if name.isdigit() else mm.zoo.body(name)
    scene = scene_of(mm.perform(body, gait, duration=5.0))
    for judge in (slip.JUDGE, pops.JUDGE):
        score = judge.score(scene)
        assert score.passed, f"{judge.name} {score.value:.2f} {score.where}"
