"""Feet that stand and that are lifted a little."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose
from mummer.engine.contact import rests_on
from mummer.engine.feet import flat_share, rolled
from mummer.engine.state import LET_GO
from mummer.math import quaternion
from tests.engine.commands import body_named
from tests.engine.judging import BAR, slips


def test_a_foot_is_less_flat_the_higher_it_is_lifted_and_limp_once_it_has_let_go() -> None:
    actor = mm.Actor("zoo:dog", at=(0, 0), heading=0.0)
    legs, actors = actor.troupe.body.legs, actor.troupe.actors
    shares = [flat_share(0, 0, up * float(legs.length), legs, actors) for up in np.linspace(0.0, 0.3, 31)]
    assert shares[0] == 1.0
    assert shares[-1] == 0.0
    assert np.all(np.diff(shares) <= 0.0)
    actors.feet[0, 0, LET_GO] = 1.0
    assert flat_share(0, 0, 0.0, legs, actors) == 0.0


def test_what_a_foot_rests_on_stays_as_it_rolls() -> None:
    actor = mm.Actor("zoo:spider", at=(0, 0), heading=0.0)
    body, actors = actor.troupe.body, actor.troupe.actors
    assert body.legs.toe_number[0] == 0
    tip, soft = int(body.limbs.tip[body.legs.limb[0]]), 0.01 * float(body.legs.length)
    for turn in np.random.default_rng(5).normal(size=(20, 3)) * 0.2:
        was, now = quaternion.exp(0.8 * turn), quaternion.exp(turn)
        spot = np.array(rests_on(tip, tuple(now), 0.0, 0.0, soft, body))
        gone = np.array(rolled(0, 0, tuple(was), tuple(now), body, actors))
        away = quaternion.rotate(now, spot) + gone - quaternion.rotate(was, spot)
        np.testing.assert_allclose(away[[0, 2]], 0.0, atol=1e-12)
        assert gone[1] == 0.0


@pytest.mark.parametrize("body", ["9354", "9329"])
def test_feet_of_who_stops_are_off_the_ground_until_they_are_where_they_stand(body: str) -> None:
    actor = mm.Actor(body_named(body), at=(0, 0), heading=0.0)
    actor.go(speed=0.6 * actor.troupe.easy_speed)
    poses = []
    for frame in range(210):
        if frame == 90:
            actor.stop()
        poses.append(actor.step(1.0 / 60.0))
    slip = slips(actor.character, Pose.stack(poses), np.zeros((len(poses), 3)), 60.0)
    assert np.nanmax(slip) < BAR
