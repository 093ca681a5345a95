"""The Jacobian solver: damping that lets go, and a pull in what is left free."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import ik
from mummer.character import Pose, violations
from mummer.errors import InputError
from mummer.ik.jacobian import Jacobian
from tests.ik.numeric.making import adult, arm, place_goals, random_poses


def test_reachable_places_are_met_within_limits():
    character, rng = adult(), np.random.default_rng(3)
    ends = [character.anatomy.roles[role] for role in ("left_hand", "right_hand", "left_foot")]
    goals = place_goals(character, random_poses(character, rng, 30, spread=0.3), ends)
    found = ik.solve(character, goals, Pose.rest(character.skeleton, (30,)), solver="jacobian")
    assert found.met.all(axis=1).mean() > 0.96
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9


def test_out_of_reach_it_stretches_and_says_so():
    character = arm(limits=False, bones=3)
    found = ik.solve(character, ik.Place("wrist", at=(3.0, 1.0, 2.0)), solver="jacobian", root="fixed")
    assert not found.is_met
    wrist = ik.WorldState(character, found.pose).point("wrist")[0]
    assert np.linalg.norm(wrist - [0, 1.0, 0]) > 0.78
    # The nearest that an arm of 80 cm comes is along the way to the place.
    assert found.errors[0] == pytest.approx(np.hypot(3.0, 2.0) - 0.8, abs=1e-3)
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
