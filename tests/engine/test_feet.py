"""Feet that stand and that are lifted a little."""

from __future__ import annotations

import numpy as np

import mummer as mm
from mummer.engine.feet import flat_share
from mummer.engine.state import LET_GO


def test_a_foot_is_less_flat_the_higher_it_is_lifted_and_limp_once_it_has_let_go() -> None:
    actor = mm.Actor("zoo:dog", at=(0, 0), heading=0.0)
    legs, actors = actor.troupe.body.legs, actor.troupe.actors
    shares = [flat_share(0, 0, up * float(legs.length), legs, actors) for up in np.linspace(0.0, 0.3, 31)]
    assert shares[0] == 1.0
    assert shares[-1] == 0.0
    assert np.all(np.diff(shares) <= 0.0)
    actors.feet[0, 0, LET_GO] = 1.0
    assert flat_share(0, 0, 0.0, legs, actors) == 0.0
