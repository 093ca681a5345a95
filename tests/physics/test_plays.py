"""Plays carried out by muscles."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.errors import UnknownNameError
from mummer.physics import Push
from mummer.stage.cut import Cut
from mummer.stage.prop_path import PropPath
from mummer.stage.simulated import answered, simulated
from mummer.zoo.things import ball
from tests.physics.bodies import standing

pytest.importorskip("mujoco")


def test_a_prop_that_is_let_go_of_falls_and_stays_on_the_ground() -> None:
    clip = standing(mm.zoo.body("adult"), 0.4)
    path = PropPath.lying(ball(0.1), (0.6, 0.8, 0.6)).let_go(0.2)
    cut = simulated(Cut("drop", {"ann": clip}, {"ball": path}))
    places, _ = cut.paths["ball"].at(np.linspace(0, 2, 41))
    assert abs(places[2, 1] - 0.8) < 1e-6
    assert 0.09 < places[-1, 1] < 0.25
    assert places[:, 1].min() > 0.08


def test_somebody_who_is_not_on_stage_cannot_be_pushed() -> None:
    cut = Cut("alone", {"ann": standing(mm.zoo.body("adult"), 0.1)})
    with pytest.raises(UnknownNameError, match="closest: 'ann'"):
        simulated(cut, {"an": (Push(0.0, "chest", "left", 5.0),)})


def test_who_is_pushed_answers_with_an_action_from_then_on() -> None:
    play = mm.Play("alone").actor("ann", "zoo:adult").do("ann", "nod", name="yes")
    pushes = {"ann": (Push(0.4, "chest", "back", 8.0),)}
    plain, cut = answered(play, {}, pushes), answered(play, {"ann": "cheer"}, pushes)
    assert 0.4 <= cut.done["ann answers"].begin < 0.8
    times = np.array([0.3, 1.2])
    hand = cut.clips["ann"].anatomy.roles["left_hand"]
    heights = [mm.world_positions(one.clips["ann"].body.skeleton, one.clips["ann"].sample(times))[:, hand, 1]
               for one in (plain, cut)]  # fmt: skip
    assert abs(heights[1][0] - heights[0][0]) < 0.03
    assert heights[1][1] > heights[0][1] + 0.15
    with pytest.raises(UnknownNameError, match="closest: 'ann'"):
        answered(play, {"an": "cheer"}, pushes)
