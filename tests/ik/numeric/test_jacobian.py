"""The Jacobian solver: damping that lets go, a pull in what is left free, and targets drawn back into reach."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import ik
from mummer.character import Pose, violations
from mummer.errors import InputError
from mummer.ik.goal_table import goal_table
from mummer.ik.jacobian import Jacobian, drawn_back
from tests.ik.numeric.making import adult, arm, place_goals, random_poses


def test_reachable_places_are_met_within_limits():
    character, rng = adult(), np.random.default_rng(3)
    ends = [character.anatomy.roles[role] for role in ("left_hand", "right_hand", "left_foot")]
    goals = place_goals(character, random_poses(character, rng, 30, spread=0.3), ends)
    found = ik.solve(character, goals, Pose.rest(character.skeleton, (30,)), solver="jacobian")
    assert found.met.all(axis=1).mean() > 0.96
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9


def test_places_out_of_reach_are_drawn_back_onto_the_sphere_of_the_chain():
    character = arm(limits=False, bones=3)
    problem = ik.make_problem(character, ik.Place("wrist", at=(5.0, 1.0, 0.0)), root="fixed")
    assert drawn_back(problem, goal_table(problem)).targets[0, 0, :3] == pytest.approx([0.8, 1.0, 0.0])
    near = ik.make_problem(character, ik.Place("wrist", at=(0.3, 1.2, 0.0)), root="fixed")
    assert drawn_back(near, goal_table(near)).targets[0, 0, :3] == pytest.approx([0.3, 1.2, 0.0])
    free = ik.make_problem(character, ik.Place("wrist", at=(5.0, 1.0, 0.0)))
    assert drawn_back(free, goal_table(free)).targets[0, 0, :3] == pytest.approx([5.0, 1.0, 0.0])


def test_out_of_reach_it_stretches_and_says_so():
    character = arm(limits=False, bones=3)
    found = ik.solve(character, ik.Place("wrist", at=(3.0, 1.0, 2.0)), solver="jacobian", root="fixed")
    assert not found.is_met
    wrist = ik.WorldState(character, found.pose).point("wrist")[0]
    assert np.linalg.norm(wrist - [0, 1.0, 0]) > 0.78
    assert "out of reach" in str(found.report)


def test_what_goals_leave_free_is_drawn_to_the_pose_to_stay_near():
    character, rng = adult(), np.random.default_rng(9)
    wanted = random_poses(character, rng, 1, spread=0.15)[0]
    found = ik.solve(character, [ik.Place("left_hand", at=(0.3, 1.2, 0.4)), ik.Near(wanted)], solver="jacobian")
    assert found.met[0]
    right = character.anatomy.roles["right_upper_arm"]
    assert np.allclose(np.abs(np.sum(found.pose.rotations[right] * wanted.rotations[right])), 1.0, atol=1e-6)


@pytest.mark.parametrize("settings", [{"steps": -1}, {"damping": -0.1}, {"pull": 0.0}])
def test_wrong_settings_are_errors(settings):
    with pytest.raises(InputError, match="a Jacobian solver needs"):
        Jacobian(**settings)
