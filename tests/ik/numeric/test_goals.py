"""Every kind of goal is found where it can be met, by both solvers, and the errors are those of the goals."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import ik
from mummer.character import Pose, violations
from mummer.ik.solution import MET, goal_errors
from mummer.math import quaternion
from tests.ik.numeric.making import adult, random_poses

COUNT = 6


def reachable(character, poses):
    """One hard goal of every kind that ``poses`` meet."""
    state = ik.WorldState(character, poses)
    forearm = character.anatomy.roles["left_forearm"]
    looking = quaternion.rotate(state.turn("head"), ik.Aim("head", at=(0, 0, 0)).axis_in(state))
    hands = state.point("left_hand") - state.point("right_hand")
    between = np.linalg.norm(hands, axis=1)
    seen = quaternion.multiply(quaternion.conjugate(state.turn("right_hand")), state.turn("left_hand"))
    return {
        "place": [ik.Place("left_hand", at=state.point("left_hand"))],
        "height": [ik.Place("right_hand", at=state.point("right_hand"), axes="y")],
        "orient": [ik.Orient("left_hand", to=state.turn("left_hand"))],
        "place and orient": [
            ik.Place("left_hand", at=state.point("left_hand")),
            ik.Orient("left_hand", to=state.turn("left_hand")),
        ],
        "aim": [ik.Aim("head", at=state.point("head") + 2.0 * looking)],
        "half-space": [ik.HalfSpace("left_hand", normal=(0.0, 1.0, 0.0), distance=1.3)],
        "joint value": [ik.JointValue("left_forearm", poses.rotations[:, forearm])],
        "together": [ik.Together("left_hand", "right_hand", gap=tuple(hands[0].tolist()))],
        "match": [ik.Match("left_hand", "right_hand", turn=tuple(seen[0].tolist()))],
        "apart": [ik.Apart("left_hand", "right_hand", normal=(1.0, 0.0, 0.0), distance=0.5 * between)],
        "center of mass": [ik.CenterOfMass(state.center_of_mass, axes="xyz")],
        "balanced": [ik.Balanced(), ik.Place("left_hand", at=(0.35, 1.2, 0.4))],
        "soft aim": [ik.Aim("head", at=(1.0, 1.6, -0.6), comfortable=1.0, furthest=1.4)],
    }


KINDS = sorted(reachable(adult(), random_poses(adult(), np.random.default_rng(1), 1)))


@pytest.mark.parametrize("solver", ["mass_weighted", "jacobian"])
@pytest.mark.parametrize("kind", KINDS)
def test_reachable_goals_are_met(kind, solver):
    character = adult()
    goals = reachable(character, random_poses(character, np.random.default_rng(2), COUNT, spread=0.3))[kind]
    start = Pose.rest(character.skeleton, (COUNT,))
    found = ik.solve(character, goals, start, solver=solver)
    assert found.is_met, (kind, found.errors.max(axis=0), str(found.report))
    assert not found.softened.any()
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9
    problem = ik.make_problem(character, goals, start)
    assert np.allclose(found.errors, goal_errors(problem, found.pose), rtol=0, atol=1e-9)


def test_one_sided_goals_that_are_met_change_nothing():
    character = adult()
    goals = [ik.HalfSpace("left_hand", normal=(0, 1, 0), distance=-1.0), ik.Apart("left_hand", "head", distance=-5.0)]
    found = ik.solve(character, goals, solver="mass_weighted")
    assert np.allclose(found.pose.rotations, character.default_pose.rotations, atol=1e-9)


def test_a_one_sided_goal_holds_while_another_pulls_against_it():
    character = adult()
    goals = [
        ik.HalfSpace("left_hand", normal=(0, 1, 0), distance=1.0),
        ik.Place("left_hand", at=(0.4, 0.5, 0.3), weight=1.0),
    ]
    found = ik.solve(character, goals, solver="mass_weighted", root="fixed")
    assert found.met[0]
    height = ik.WorldState(character, found.pose).point("left_hand")[0, 1]
    assert height == pytest.approx(1.0, abs=MET * character.anatomy.height)


def test_goals_hold_in_their_intervals_only():
    character = adult()
    start = Pose.rest(character.skeleton, (3,))
    goal = ik.Place("left_hand", at=(0.3, 1.3, 0.4), interval=(1.0, 2.0))
    found = ik.solve(character, goal, start, times=[0.0, 1.5, 3.0], solver="mass_weighted")
    assert np.allclose(found.pose.rotations[[0, 2]], start.rotations[[0, 2]], atol=1e-12)
    assert not np.allclose(found.pose.rotations[1], start.rotations[1], atol=1e-2)
    assert found.is_met


def test_no_goals_leave_the_pose_alone():
    character = adult()
    for solver in ("mass_weighted", "jacobian"):
        found = ik.solve(character, [], solver=solver)
        assert np.allclose(found.pose.rotations, character.default_pose.rotations, atol=1e-12)
