"""Gaits: feet that stand stay, whatever the gait and the body."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose
from mummer.grid.judge import pops, scene_of, slip
from mummer.ik.world_state import WorldState
from tests.engine.commands import RATE
from tests.engine.judging import BAR, MOST_CHANGE, changes, slips


@pytest.mark.parametrize(
    ("name", "gait"),
    [
        ("adult", "walk"),
        ("adult", "march"),
        ("bird", "hop"),
        ("horse", "walk"),
        ("dog", "sneak"),
        ("9336", "bounce"),
        ("frog", "walk"),
        ("frog", "run"),
    ],
)
def test_feet_that_stand_stay_and_legs_do_not_jump_for_it(name: str, gait: str) -> None:
    body = mm.zoo.random_creature(int(name)) if name.isdigit() else mm.zoo.body(name)
    scene = scene_of(mm.perform(body, gait, duration=5.0))
    for judge in (slip.JUDGE, pops.JUDGE):
        score = judge.score(scene)
        assert score.passed, f"{judge.name} {score.value:.2f} {score.where}"


def test_who_turns_about_steps_before_its_feet_are_crossed() -> None:
    actor = mm.Actor(mm.zoo.random_creature(7103), at=(0, 0), heading=0.0)
    poses = []
    for heading in (0.0, 2.6, -0.5, 2.0):
        actor.go(speed=actor.troupe.easy_speed, heading=heading)
        poses += [actor.step(1 / RATE) for _ in range(60)]
    seen = Pose.stack(poses)
    assert changes(actor.character, seen, RATE).max() < MOST_CHANGE
    assert np.nanmax(slips(actor.character, seen, np.zeros((len(poses), 3)), RATE)) < 5 * BAR


def test_who_limps_spares_a_leg() -> None:
    body = mm.zoo.body("adult")
    feet = [body.anatomy.roles[f"{side}_foot"] for side in ("left", "right")]
    times = np.arange(0.0, 4.0, 1 / 60)
    clips = [mm.perform(body, gait, ends="moving", duration=4.0) for gait in ("walk", "limp")]
    places = [WorldState(body, clip.sample(times)).positions for clip in clips]
    walk, limp = ([float(np.ptp(place[:, foot, 1])) for foot in feet] for place in places)
    assert abs(walk[0] / walk[1] - 1.0) < 0.1
    assert limp[0] < 0.9 * limp[1]
    hips = body.anatomy.roles["hips"]
    over = [place[int(np.argmax(place[:, feet[1], 1])), hips, 1] for place in places]
    assert over[1] < over[0] - 0.005
