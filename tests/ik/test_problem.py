"""Problems and solutions: what is asked is checked, and what was found is measured the same for every solver."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer import ik
from mummer.character import Character, Pose, Skeleton
from mummer.errors import InputError, UnknownNameError
from mummer.ik.rigid_body import rigid_body
from mummer.ik.solution import MET, make_solution
from mummer.ik.solve import solver_named
from mummer.math import quaternion


@pytest.fixture(scope="module")
def adult():
    return mm.zoo.body("adult")


def test_a_pose_alone_is_a_batch_of_one(adult) -> None:
    goal = ik.Place("head", at=(0, 1, 0))
    single = ik.make_problem(adult, goal)
    assert single.single
    assert len(single) == 1
    assert single.goals == (goal,)
    many = ik.make_problem(adult, [goal], Pose.rest(adult.skeleton, (4,)), times=[0, 1, 2, 3])
    assert not many.single
    assert len(many) == 4
    assert many.times.tolist() == [0, 1, 2, 3]


def test_what_may_move(adult) -> None:
    goal = ik.Place("head", at=(0, 1, 0))
    assert ik.make_problem(adult, goal).movable.all()
    fixed = ik.make_problem(adult, goal, root="fixed").movable
    assert not fixed[0]
    assert fixed[1:].all()
    some = ik.make_problem(adult, goal, parts=["left_hand", 3]).movable
    assert np.flatnonzero(some).tolist() == sorted([adult.anatomy.roles["left_hand"], 3])


def test_tolerance_is_a_part_of_the_height_or_radians(adult) -> None:
    problem = ik.make_problem(adult, [], tolerance=1e-3)
    assert problem.allowed_error(ik.Place("head", at=(0, 1, 0))) == pytest.approx(1e-3 * adult.anatomy.height)
    assert problem.allowed_error(ik.Orient("head", to=(0, 0, 0, 1))) == 1e-3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"root": "fre"}, "solve has no freedom of the root 'fre'; closest: 'free'"),
        ({"tolerance": 0.0}, "a tolerance of 0 makes no sense"),
        ({"tolerance": 1.5}, "a tolerance of 1.5 makes no sense"),
        ({"times": [0.0, 1.0]}, r"times of shape \(2,\) do not fit 1 poses"),
        ({"times": [np.nan]}, r"expected \(1,\) finite numbers"),
        ({"parts": ["left_hnd"]}, "has no role or joint 'left_hnd'; closest: 'left_hand'"),
    ],
)
def test_options_that_make_no_sense(adult, options, message) -> None:
    with pytest.raises(InputError, match=message):
        ik.make_problem(adult, ik.Place("head", at=(0, 1, 0)), **options)


def test_poses_that_do_not_fit(adult) -> None:
    other = Pose.rest(mm.zoo.body("snake").skeleton)
    with pytest.raises(InputError, match="cannot be solved for 'adult', which has 65"):
        ik.make_problem(adult, [], other)
    grid = Pose.rest(adult.skeleton, (2, 2))
    with pytest.raises(InputError, match="expected one pose or a list of them"):
        ik.make_problem(adult, [], grid)
    rotations = np.array(adult.default_pose.rotations)
    rotations[3, 0] = np.nan
    with pytest.raises(InputError, match="rotations of the pose to solve from hold values that are not finite"):
        ik.make_problem(adult, [], adult.default_pose.replace(rotations=rotations))


def test_a_goal_for_a_part_that_is_not_there(adult) -> None:
    with pytest.raises(UnknownNameError, match="has no role or joint 'wing'"):
        ik.make_problem(adult, ik.Place("wing", at=(0, 1, 0)))


def test_solvers_by_name() -> None:
    assert type(solver_named("ccd")).__name__ == "CCD"
    assert set(ik.SOLVERS) >= {"auto", "one_bone", "two_bone", "ccd", "mass_weighted"}
    with pytest.raises(UnknownNameError, match=r"mummer\.ik has no solver 'twobone'; closest: 'two_bone'"):
        solver_named("twobone")


def test_a_solution_measures_itself(adult) -> None:
    goals = [
        ik.Place("head", at=ik.WorldState(adult, adult.default_pose).point("head")[0]),
        ik.Place("left_hand", at=(5.0, 5.0, 5.0)),
        ik.Place("right_hand", at=(5.0, 5.0, 5.0), weight=1.0),
    ]
    problem = ik.make_problem(adult, goals)
    found = make_solution(problem, problem.start, "none", ignored=(goals[2],))
    assert found.errors[0] == 0.0
    assert found.errors[1] > 5.0
    assert found.met.tolist() == [True, False, False]
    assert not found.is_met
    messages = [str(finding) for finding in found.report]
    assert any("goal 1 (Place left_hand) is out of reach" in message for message in messages)
    assert any("goal 2 (Place right_hand) is of a kind" in message for message in messages)
    assert not any("goal 2" in message and "out of reach" in message for message in messages)
    near = adult.anatomy.height * MET * 0.9
    close = ik.make_problem(adult, ik.Place("head", at=goals[0].at + np.array([near, 0, 0])))
    assert make_solution(close, close.start, "none").is_met


def test_goals_that_do_not_hold_have_no_error(adult) -> None:
    goal = ik.Place("head", at=(5.0, 5.0, 5.0), interval=(1.0, 2.0))
    problem = ik.make_problem(adult, goal, Pose.rest(adult.skeleton, (2,)), times=[0.0, 1.0])
    found = make_solution(problem, problem.start, "none", softened=np.array([[False], [True]]))
    assert found.errors[0, 0] == 0.0
    assert found.errors[1, 0] > 5.0
    assert "gave way to other hard goals" in str(found.report)


def test_scales_are_folded_into_metres() -> None:
    skeleton = Skeleton(
        ("root", "a", "b"), [-1, 0, 1], [[0, 0, 0], [0, 100.0, 0], [0, 50.0, 0]],
        rest_scales=np.array([[0.01] * 3, [2.0] * 3, [1.0] * 3]),
    )  # fmt: skip
    body = Character("small", skeleton)
    state = ik.WorldState(body, body.default_pose)
    assert np.allclose(state.positions[0], [[0, 0, 0], [0, 1.0, 0], [0, 2.0, 0]])
    assert rigid_body(body) is rigid_body(body)
    assert rigid_body(body).height == pytest.approx(2.0)
    stretched = body.default_pose.replace(scales=np.array([[0.02] * 3, [1.0] * 3, [1.0] * 3]))
    assert np.allclose(ik.WorldState(body, stretched).positions[0], [[0, 0, 0], [0, 2.0, 0], [0, 3.0, 0]])
    scales = np.array([[1.0] * 3, [1.0, 2.0, 1.0], [1.0] * 3])
    uneven = Skeleton(skeleton.names, [-1, 0, 1], skeleton.rest_translations, rest_scales=scales)
    with pytest.raises(InputError, match="joint 'a' of 'skeleton' is scaled differently along its axes"):
        rigid_body(Character("uneven", uneven))


def test_the_state_of_a_body_is_its_kinematics(adult) -> None:
    turned = adult.default_pose.with_rotation(0, quaternion.from_axis_angle([0, 1.0, 0], np.pi / 2))
    here, there = ik.WorldState(adult, adult.default_pose), ik.WorldState(adult, turned)
    hips = here.positions[0, 0]
    expected = quaternion.rotate(quaternion.from_axis_angle([0, 1.0, 0], np.pi / 2), here.point("left_hand")[0] - hips)
    assert np.allclose(there.point("left_hand")[0] - hips, expected)
    assert np.allclose(there.center_of_mass[0, 1], here.center_of_mass[0, 1])
