"""One joint that points, is turned, or swings a point towards a place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer import ik
from mummer.character import Character, Pose, Skeleton, violations
from mummer.ik.one_bone import OneBone
from mummer.math import quaternion

coordinates = st.floats(-3.0, 3.0)
targets = st.tuples(coordinates, coordinates, coordinates).filter(lambda t: np.linalg.norm(t) > 0.3)


def lamp() -> Character:
    """A free joint on a stand, and a bulb in front of it."""
    skeleton = Skeleton(("stand", "lamp", "bulb"), [-1, 0, 1], [[0, 0, 0], [0, 1.0, 0], [0, 0, 0.2]])
    return Character("lamp", skeleton)


@given(targets, st.booleans())
def test_a_free_joint_points_anywhere(target, accumulate) -> None:
    at = np.add(target, (0, 1.0, 0))
    found = ik.solve(lamp(), ik.Aim("lamp", at=at), solver=OneBone(accumulate_roll=accumulate))
    assert found.errors[0] < 1e-7
    assert found.is_met


@given(targets)
def test_an_eye_off_the_centre_is_taken_into_account(target) -> None:
    at = np.add(2.0 * np.array(target), (0, 1.0, 0))
    eye = ik.BodyPoint("lamp", (0.05, 0.1, 0.08))
    found = ik.solve(lamp(), ik.Aim(eye, at=at, axis=(0.0, 0.3, 1.0)), solver="one_bone")
    assert found.errors[0] < 1e-6


def test_starting_over_builds_up_no_roll() -> None:
    body, circle = lamp(), np.linspace(0, 2 * np.pi, 40)
    path = np.stack([np.sin(circle), 1.0 + np.cos(circle), np.full(40, 1.0)], axis=1)
    ends = {}
    for accumulate in (False, True):
        pose = body.default_pose
        for at in [*path, *path, *path]:
            pose = ik.solve(body, ik.Aim("lamp", at=at), pose, solver=OneBone(accumulate_roll=accumulate)).pose
        direct = ik.solve(body, ik.Aim("lamp", at=path[-1]), solver=OneBone(accumulate_roll=accumulate)).pose
        ends[accumulate] = float(quaternion.angle_between(pose.rotations[1], direct.rotations[1]))
    assert ends[False] < 1e-12
    # Going round a circle three times turns a joint that only ever turns the shortest way.
    assert ends[True] > 0.5


def test_the_smallest_turn_has_no_twist() -> None:
    body = lamp()
    pose = ik.solve(body, ik.Aim("lamp", at=(1.0, 2.0, 0.7)), solver="one_bone").pose
    vector = quaternion.log(pose.rotations[1])
    assert abs(vector[2]) < 1e-12


def test_soft_limits_let_go_behind_without_a_snap() -> None:
    body = lamp()
    around = np.linspace(-np.pi, np.pi, 721)
    path = np.stack([3 * np.sin(around), np.full(721, 1.3), 3 * np.cos(around)], axis=1)
    start = body.default_pose.broadcast_to((721,))

    def largest_step(goal) -> float:
        turns = ik.solve(body, goal, start, solver="one_bone").pose.rotations[:, 1]
        return float(quaternion.angle_between(turns, np.roll(turns, 1, axis=0))[1:].max())

    soft = ik.Aim("lamp", at=path, comfortable=1.2, furthest=1.5)
    assert largest_step(soft) < 0.1
    over_head = np.stack([3 * np.sin(around), 1 + 0.01 * np.cos(9 * around), 3 * np.cos(around)], axis=1)
    assert largest_step(ik.Aim("lamp", at=over_head, comfortable=1.2, furthest=1.5)) < 0.1
    # Without them the singularity right behind is a snap.
    assert largest_step(ik.Aim("lamp", at=over_head)) > 0.5


def test_a_head_stays_within_its_limits_and_comes_as_near_as_they_let_it() -> None:
    body = mm.zoo.body("adult")
    around = np.linspace(-np.pi, np.pi, 361)
    path = np.stack([3 * np.sin(around), np.full(361, 1.5), 3 * np.cos(around)], axis=1)
    found = ik.solve(body, ik.Aim("head", at=path), body.default_pose.broadcast_to((361,)), solver="one_bone")
    assert violations(body.limits, body.skeleton, found.pose).max() < 1e-9
    assert found.met[np.abs(around) < 0.5].all()
    assert not found.met[np.abs(around) > 2.0].any()
    head = body.skeleton.index("head")
    steps = quaternion.angle_between(found.pose.rotations[1:, head], found.pose.rotations[:-1, head])
    assert steps.max() < 0.15


@pytest.mark.parametrize("part", ["left_eye", "jaw", "left_forearm"])
def test_joints_with_fewer_axes_do_what_they_can(part: str) -> None:
    body = mm.zoo.body("adult")
    near = ik.WorldState(body, body.default_pose).point(part)[0] + [0.1, 0.05, 1.0]
    found = ik.solve(body, ik.Aim(part, at=near), solver="one_bone")
    before = ik.Aim(part, at=near).error(ik.WorldState(body, body.default_pose))[0]
    assert violations(body.limits, body.skeleton, found.pose).max() < 1e-9
    assert found.errors[0] <= before + 1e-9
    assert found.is_met or part != "left_eye"


def test_a_foot_is_set_level() -> None:
    body = mm.zoo.body("adult")
    knee = body.skeleton.index("left_lower_leg")
    turned = quaternion.multiply(
        body.default_pose.rotations[knee], quaternion.from_axis_angle(body.limits.axes[knee], 0.3)
    )
    lifted = body.default_pose.with_rotation(knee, turned)
    level = ik.WorldState(body, body.default_pose).turn("left_foot")[0]
    found = ik.solve(body, ik.Orient("left_foot", to=level), lifted, solver="one_bone")
    # The ankle has two axes, neither quite that of the knee.
    assert found.errors[0] < 0.02
    assert ik.Orient("left_foot", to=level).error(ik.WorldState(body, lifted))[0] > 0.2
    too_far = quaternion.multiply(quaternion.from_axis_angle([1.0, 0, 0], 2.0), level)
    missed = ik.solve(body, ik.Orient("left_foot", to=too_far), lifted, solver="one_bone")
    assert not missed.is_met
    assert violations(body.limits, body.skeleton, missed.pose).max() < 1e-9


def test_a_place_swings_the_joint_that_carries_the_point() -> None:
    body = lamp()
    bare = ik.solve(body, ik.Place("bulb", at=(0.2, 1.0, 0.0)), solver="one_bone")
    assert bare.errors[0] < 1e-9
    point = ik.solve(body, ik.Place(ik.BodyPoint("lamp", (0.0, 0.3, 0.0)), at=(0.3, 1.0, 0.0)), solver="one_bone")
    assert point.errors[0] < 1e-9
    # Too far for its length: it points there.
    far = ik.solve(body, ik.Place("bulb", at=(2.0, 1.0, 0.0)), solver="one_bone")
    assert far.errors[0] == pytest.approx(1.8)
    height = ik.solve(body, ik.Place("bulb", at=(9.0, 1.1, 9.0), axes="y"), solver="one_bone")
    state = ik.WorldState(body, height.pose)
    assert state.point("bulb")[0, 1] > 1.05


def test_joints_nearer_to_the_root_go_first_whatever_the_order() -> None:
    body = lamp()
    goals = [ik.Aim("bulb", at=(2.0, 1.5, 0.5)), ik.Aim("lamp", at=(-1.0, 2.0, 1.0))]
    for order in (goals, goals[::-1]):
        found = ik.solve(body, order, solver="one_bone")
        assert found.errors.max() < 1e-7
    assert int(found.iterations) == 2


def test_what_it_cannot_do_is_named_and_nothing_turns() -> None:
    body = lamp()
    fixed = ik.solve(body, ik.Aim("stand", at=(1, 0, 0)), solver="one_bone", root="fixed")
    assert np.array_equal(fixed.pose.rotations, body.default_pose.rotations)
    assert "does not take into account" in str(fixed.report)
    other = ik.solve(body, ik.HalfSpace("bulb", distance=2.0), solver="one_bone")
    assert "goal 0 (HalfSpace bulb)" in str(other.report)
    root = ik.solve(body, ik.Place("stand", at=(1, 0, 0)), solver="one_bone")
    assert np.array_equal(root.pose.rotations, body.default_pose.rotations)


def test_a_target_in_the_eye_and_goals_that_do_not_hold_leave_the_pose() -> None:
    body = lamp()
    inside = ik.solve(body, ik.Aim("lamp", at=(0.0, 1.0, 0.0)), solver="one_bone")
    assert np.all(np.isfinite(inside.pose.rotations))
    start = Pose.rest(body.skeleton, (3,))
    goal = ik.Aim("lamp", at=(1.0, 1.0, 0.0), interval=(1.0, 1.0))
    found = ik.solve(body, goal, start, solver="one_bone", times=[0.0, 1.0, 2.0])
    changed = quaternion.angle_between(found.pose.rotations[:, 1], start.rotations[:, 1]) > 1e-9
    assert changed.tolist() == [False, True, False]
