"""``auto`` takes the solver that fits, and never answers worse than the general one."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field

import numpy as np
import pytest

import mummer as mm
from mummer import ik
from mummer.character import Pose
from mummer.ik.choose import _misses, choose_solver
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution, make_solution
from mummer.ik.two_bone import TwoBone

REACH = (0.3, 1.3, 0.4)


@pytest.fixture(scope="module")
def adult():
    return mm.zoo.body("adult")


def chosen(body, goals, **options) -> str:
    return choose_solver(ik.make_problem(body, goals, **options))


def test_one_aim_is_one_bone(adult) -> None:
    aim = ik.Aim("head", at=(1, 1.5, 2))
    assert chosen(adult, aim) == "one_bone"
    assert chosen(adult, aim, parts=["neck"]) == "mass_weighted"
    assert chosen(adult, [aim, ik.Aim("left_eye", at=(1, 1.5, 2))]) == "mass_weighted"


def test_one_place_with_the_root_fixed_is_two_bone(adult) -> None:
    place, orient = ik.Place("left_hand", at=REACH), ik.Orient("left_hand", to=(0, 0, 0, 1))
    assert chosen(adult, place, root="fixed") == "two_bone"
    assert chosen(adult, [orient, place], root="fixed") == "two_bone"
    assert chosen(adult, ik.Place("left_foot", at=REACH), root="fixed") == "two_bone"
    assert chosen(mm.zoo.body("spider"), ik.Place("leg_2_left_foot", at=REACH), root="fixed") == "two_bone"


def test_everything_else_is_mass_weighted(adult) -> None:
    place = ik.Place("left_hand", at=REACH)
    assert chosen(adult, place) == "mass_weighted"
    assert chosen(adult, place, root="turns") == "mass_weighted"
    assert chosen(adult, [place, ik.Place("right_hand", at=REACH)], root="fixed") == "mass_weighted"
    assert chosen(adult, [place, ik.Near(adult.default_pose)], root="fixed") == "mass_weighted"
    assert chosen(adult, [place, ik.Orient("head", to=(0, 0, 0, 1))], root="fixed") == "mass_weighted"
    assert chosen(adult, ik.Place("left_hand", at=REACH, axes="y"), root="fixed") == "mass_weighted"
    assert chosen(adult, ik.Place("hips", at=REACH), root="fixed") == "mass_weighted"
    assert chosen(adult, place, root="fixed", parts=["left_forearm"]) == "mass_weighted"
    assert chosen(adult, [], root="fixed") == "mass_weighted"
    # The knee would be stiff between the ankle and the hip.
    assert chosen(adult, ik.Place("left_toes", at=REACH), root="fixed") == "mass_weighted"


@dataclass
class General:
    """Stands in for the general solver: brings the left hand near the target, by its two bones, or not at all."""

    helps: bool
    asked: list[Problem] = field(default_factory=list)

    def solve(self, problem: Problem) -> Solution:
        self.asked.append(problem)
        pose = problem.start
        if self.helps:
            moved = pose.root_translation + np.array([0.0, 0.0, 0.3])
            pose = TwoBone(softness=0.0).solve(problem).pose
            pose = (pose if pose.shape else Pose.stack([pose])).replace(root_translation=moved)
        return make_solution(problem, pose, "mass_weighted", iterations=np.full(len(problem), 7))


@pytest.fixture
def general(monkeypatch: pytest.MonkeyPatch):
    def use(helps: bool) -> General:
        made = General(helps)
        monkeypatch.setattr(importlib.import_module("mummer.ik.solve"), "solver_named", lambda name: made)
        return made

    return use


def test_what_the_limb_meets_is_not_asked_twice(adult, general) -> None:
    stand_in = general(True)
    found = ik.solve(adult, ik.Place("left_hand", at=REACH), root="fixed")
    assert found.solver == "two_bone"
    assert found.is_met
    assert not stand_in.asked


def test_where_the_limb_misses_the_nearer_answer_is_taken_pose_by_pose(adult, general) -> None:
    now = ik.WorldState(adult, adult.default_pose).point("left_upper_arm")[0]
    targets = now + np.array([[0.0, 0.0, 0.4], [0.0, 0.0, 0.8], [0.0, 0.0, 5.0]])
    start = adult.default_pose.broadcast_to((3,))
    goal = ik.Place("left_hand", at=targets)
    stand_in = general(True)
    found = ik.solve(adult, goal, start, root="fixed")
    assert len(stand_in.asked) == 1
    assert found.solver == "two_bone and mass_weighted"
    assert found.iterations.tolist() == [1, 7, 7]
    alone = TwoBone(softness=0.0).solve(ik.make_problem(adult, goal, start, root="fixed"))
    assert np.array_equal(found.pose.rotations[0], alone.pose.rotations[0])
    assert np.all(found.errors[1:, 0] < alone.errors[1:, 0])
    one = ik.solve(adult, ik.Place("left_hand", at=targets[1]), root="fixed")
    assert one.solver == "mass_weighted"
    assert one.pose.shape == ()


def test_a_general_answer_that_is_worse_is_not_taken(adult, general) -> None:
    stand_in = general(False)
    found = ik.solve(adult, ik.Place("left_hand", at=(0.0, 1.2, 5.0)), root="fixed")
    assert stand_in.asked
    assert found.solver == "two_bone"
    assert not found.is_met


def test_a_head_that_cannot_look_behind_asks_the_body(adult, general) -> None:
    stand_in = general(False)
    ik.solve(adult, ik.Aim("head", at=(0.3, 1.5, -3.0)))
    assert stand_in.asked
    ik.solve(adult, ik.Aim("head", at=(0.3, 1.5, 3.0)))
    assert len(stand_in.asked) == 1


def test_more_than_one_turn_of_a_hand_is_nothing_for_two_bones(adult) -> None:
    place, turns = ik.Place("left_hand", at=REACH), [ik.Orient("left_hand", to=(0, 0, 0, 1))] * 2
    assert chosen(adult, [place, *turns], root="fixed") == "mass_weighted"
    assert chosen(adult, turns, root="fixed") == "mass_weighted"


def test_a_pose_misses_by_its_largest_error_as_a_multiple_of_what_is_allowed(adult) -> None:
    poses, orient = Pose.stack([adult.default_pose] * 3), ik.Orient("left_hand", to=(0, 0, 0, 1))
    at = ik.WorldState(adult, poses).point("left_hand") + np.array([[0.0], [0.1], [2.0]]) * [0.0, 0.0, 1.0]
    places = [ik.Place("left_hand", at=at), ik.Place("left_hand", at=at[[0, 2, 1]])]
    problem = ik.make_problem(adult, places, poses)
    found = _misses(problem, make_solution(problem, poses, "none"))
    allowed = problem.allowed_error(places[0])
    np.testing.assert_allclose(found, [0.0, 2.0 / allowed, 2.0 / allowed], atol=1e-6)
    problem = ik.make_problem(adult, [places[0], orient], poses)
    turned = _misses(problem, make_solution(problem, poses, "none"))
    off = float(orient.error(ik.WorldState(adult, poses))[0]) / problem.allowed_error(orient)
    np.testing.assert_allclose(turned, np.maximum([0.0, 0.1 / allowed, 2.0 / allowed], off), rtol=1e-6)
