"""Feet that stand: those that their joints do not hold flat are on the ground with what is lowest of them."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.contact import lowest
from mummer.engine.feet import flat_share, higher
from mummer.engine.state import LET_GO, SLOPE
from mummer.grid.judge import hover, scene_of
from mummer.math import quaternion


def test_a_tilted_foot_is_as_high_as_its_lowest_skin_asks_on_any_slope() -> None:
    actor, rng = mm.Actor("zoo:dog", at=(0, 0), heading=0.0), np.random.default_rng(7)
    body, actors = actor.troupe.body, actor.troupe.actors
    tip = int(body.limbs.tip[body.legs.limb[0]])
    for _ in range(30):
        slope = actors.feet[0, 0, SLOPE : SLOPE + 2] = rng.normal(scale=0.2, size=2)
        turn, shown = (tuple(one) for one in quaternion.normalize(rng.normal(size=(2, 4))))
        aside = rng.normal(size=3)
        rises = higher(0, 0, turn, shown, tuple(aside), body, actors)
        lows = [lowest(tip, one, slope[0], slope[1], body)[0] for one in (turn, shown)]
        # Above the slope that it is moved along, the lowest of its skin is where it was.
        assert rises - slope @ aside[[0, 2]] + lows[1] == pytest.approx(lows[0])
        assert higher(0, 0, turn, turn, (0.0, 0.0, 0.0), body, actors) == 0.0


@pytest.mark.parametrize("seed", [43009, 43019])
def test_feet_that_stand_tilted_do_not_hover(seed: int) -> None:
    clip = mm.perform(mm.zoo.random_creature(seed), "sleep")
    assert hover.JUDGE.score(scene_of(clip)).passed


def test_a_foot_is_less_flat_the_higher_it_is_lifted_and_limp_once_it_has_let_go() -> None:
    actor = mm.Actor("zoo:dog", at=(0, 0), heading=0.0)
    legs, actors = actor.troupe.body.legs, actor.troupe.actors
    shares = [flat_share(0, 0, up * float(legs.length), legs, actors) for up in np.linspace(0.0, 0.3, 31)]
    assert shares[0] == 1.0
    assert shares[-1] == 0.0
    assert np.all(np.diff(shares) <= 0.0)
    actors.feet[0, 0, LET_GO] = 1.0
    assert flat_share(0, 0, 0.0, legs, actors) == 0.0
