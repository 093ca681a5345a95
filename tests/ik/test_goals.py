"""Every kind of goal measures what it says: zero when met, the right number when not, and refuses nonsense."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mummer as mm
from mummer import ik
from mummer.character import Pose
from mummer.errors import InputError, UnknownNameError
from mummer.ik.soft_aim import soft_angle
from mummer.math import quaternion


@pytest.fixture(scope="module")
def adult():
    return mm.zoo.body("adult")


@pytest.fixture(scope="module")
def rest(adult) -> ik.WorldState:
    return ik.WorldState(adult, adult.default_pose)


def test_place_is_the_distance_along_the_axes_that_count(rest) -> None:
    hand = rest.point("left_hand")[0]
    assert ik.Place("left_hand", at=hand).error(rest)[0] == 0.0
    away = hand + np.array([0.3, 0.4, 1.2])
    assert ik.Place("left_hand", at=away).error(rest)[0] == pytest.approx(1.3)
    assert ik.Place("left_hand", at=away, axes="xy").error(rest)[0] == pytest.approx(0.5)
    assert ik.Place("left_hand", at=away, axes="z").error(rest)[0] == pytest.approx(1.2)


def test_a_point_moves_with_its_joint(rest, adult) -> None:
    offset = (0.0, 0.0, 0.2)
    point = rest.point(ik.BodyPoint("left_foot", offset))[0]
    expected = rest.point("left_foot")[0] + quaternion.rotate(rest.turn("left_foot")[0], offset)
    assert np.allclose(point, expected)
    assert ik.Place(ik.BodyPoint("left_foot", offset), at=point).error(rest)[0] == 0.0


def test_orient_is_an_angle_whatever_the_sign(rest) -> None:
    turn = rest.turn("head")[0]
    assert ik.Orient("head", to=-turn).error(rest)[0] == pytest.approx(0.0, abs=1e-12)
    askew = quaternion.multiply(quaternion.from_axis_angle([0.6, 0.8, 0.0], 0.7), turn)
    assert ik.Orient("head", to=askew).error(rest)[0] == pytest.approx(0.7)


def test_aim_is_the_angle_between_axis_and_target(rest) -> None:
    head = rest.point("head")[0]
    assert ik.Aim("head", at=head + np.array([0, 0, 5.0])).error(rest)[0] == pytest.approx(0.0, abs=1e-9)
    assert ik.Aim("head", at=head + np.array([5.0, 0, 5.0])).error(rest)[0] == pytest.approx(math.pi / 4)
    assert ik.Aim("head", at=head + np.array([0, 0, 5.0]), axis=(0, 2.0, 0)).error(rest)[0] == pytest.approx(
        math.pi / 2, abs=0.2
    )
    assert ik.Aim("head", at=head).error(rest)[0] == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(InputError, match="the axis of the aim of 'head' has no direction"):
        ik.Aim("head", at=(0, 0, 1), axis=(0, 0, 0)).error(rest)


def test_soft_aims_follow_then_let_go() -> None:
    angles = np.linspace(0, math.pi, 2001)
    found = soft_angle(angles, 1.0, 1.3)
    assert np.allclose(found[angles <= 1.0], angles[angles <= 1.0])
    assert found.max() < 1.3
    assert found[-1] == pytest.approx(0.0, abs=1e-9)
    assert np.abs(np.diff(found)).max() < 3 * (angles[1] - angles[0])
    assert np.array_equal(soft_angle(angles, math.pi, math.pi), angles)


def test_a_soft_aim_behind_asks_for_less(rest) -> None:
    head = rest.point("head")[0]
    behind = head + np.array([1.0, 0.0, -2.0])
    hard, soft = ik.Aim("head", at=behind), ik.Aim("head", at=behind, comfortable=1.0, furthest=1.2)
    assert hard.error(rest)[0] > 2.5
    assert 0.1 < soft.error(rest)[0] < 1.2


def test_half_space_counts_only_the_wrong_side(rest) -> None:
    height = rest.point("left_hand")[0, 1]
    assert ik.HalfSpace("left_hand", distance=height - 0.1).error(rest)[0] == 0.0
    assert ik.HalfSpace("left_hand", distance=height + 0.1).error(rest)[0] == pytest.approx(0.1)
    assert ik.HalfSpace("left_hand", normal=(0, -5.0, 0), distance=-height + 0.2).error(rest)[0] == pytest.approx(0.2)
    with pytest.raises(InputError, match="the normal of a half-space has no direction"):
        ik.HalfSpace("left_hand", normal=(0, 0, 0))


def test_joint_value_is_against_the_parent(rest, adult) -> None:
    joint = adult.anatomy.roles["left_forearm"]
    now = adult.default_pose.rotations[joint]
    assert ik.JointValue("left_forearm", rotation=now).error(rest)[0] == pytest.approx(0.0, abs=1e-12)
    turned = quaternion.multiply(now, quaternion.from_axis_angle([1.0, 0, 0], 0.4))
    assert ik.JointValue("left_forearm", rotation=turned).error(rest)[0] == pytest.approx(0.4)


def test_pairs_together_alike_and_apart(rest) -> None:
    left, right = rest.point("left_hand")[0], rest.point("right_hand")[0]
    apart = left - right
    assert ik.Together("left_hand", "right_hand").error(rest)[0] == pytest.approx(float(np.linalg.norm(apart)))
    assert ik.Together("left_hand", "right_hand", gap=tuple(apart)).error(rest)[0] == pytest.approx(0.0, abs=1e-12)
    between = quaternion.multiply(quaternion.conjugate(rest.turn("right_hand")[0]), rest.turn("left_hand")[0])
    assert ik.Match("left_hand", "right_hand", turn=tuple(between)).error(rest)[0] == pytest.approx(0.0, abs=1e-7)
    more = quaternion.multiply(between, quaternion.from_axis_angle([0, 0, 1.0], 0.3))
    assert ik.Match("left_hand", "right_hand", turn=tuple(more)).error(rest)[0] == pytest.approx(0.3)
    wide = float(apart[0])
    side = ik.Apart("left_hand", "right_hand", normal=(1.0, 0, 0), distance=wide + 0.25)
    assert side.error(rest)[0] == pytest.approx(0.25)
    assert ik.Apart("left_hand", "right_hand", normal=(1.0, 0, 0), distance=wide - 0.1).error(rest)[0] == 0.0


def test_centre_of_mass_is_level_by_default(rest) -> None:
    center = rest.center_of_mass[0]
    assert ik.CenterOfMass(at=center + np.array([0, 9.0, 0])).error(rest)[0] == pytest.approx(0.0, abs=1e-12)
    assert ik.CenterOfMass(at=center + np.array([0.3, 0, 0.4])).error(rest)[0] == pytest.approx(0.5)
    assert ik.CenterOfMass(at=center + np.array([0, 2.0, 0]), axes="y").error(rest)[0] == pytest.approx(2.0)


def test_near_counts_mass(adult, rest) -> None:
    goal = ik.Near(adult.default_pose)
    assert goal.error(rest)[0] == pytest.approx(0.0, abs=1e-9)
    moved = adult.default_pose.replace(root_translation=adult.default_pose.root_translation + np.array([0, 0, 0.3]))
    assert ik.Near(moved).error(rest)[0] == pytest.approx(0.3, rel=1e-6)
    with pytest.raises(InputError, match="to stay near a pose is never a hard goal"):
        ik.Near(adult.default_pose, weight=None)


def test_balanced_is_the_way_back_to_the_support(adult, rest) -> None:
    assert ik.Balanced().error(rest)[0] == 0.0
    leaning = adult.default_pose.with_rotation(
        0, quaternion.multiply(quaternion.from_axis_angle([1.0, 0, 0], 0.5), adult.default_pose.rotations[0])
    )
    assert ik.Balanced(feet=("left_foot",)).feet == ("left_foot",)
    assert ik.Balanced(feet="left_foot").feet == ("left_foot",)
    one_leg = ik.Balanced(feet=("left_foot",)).error(rest)[0]
    assert one_leg > 0.0
    assert ik.Balanced(feet=("left_foot", "right_foot")).error(ik.WorldState(adult, leaning))[0] > 0.0


def test_hard_and_soft() -> None:
    assert ik.Place("x", at=(0, 0, 0)).is_hard
    assert not ik.Place("x", at=(0, 0, 0), weight=2.0).is_hard
    for weight in (-1.0, math.inf, math.nan):
        with pytest.raises(InputError, match="expected None for a hard one, or zero or more"):
            ik.Place("x", at=(0, 0, 0), weight=weight)


def test_intervals_include_their_ends() -> None:
    goal = ik.Place("x", at=(0, 0, 0), interval=(1, 2))
    times = np.array([0.99, 1.0, 1.5, 2.0 + 1e-12, 2.01])
    assert goal.active(5, times).tolist() == [False, True, True, True, False]
    assert goal.active(2, None).all()
    assert ik.Place("x", at=(0, 0, 0)).active(5, times).all()
    with pytest.raises(InputError, match=r"holds from 2 s to 1 s; expected the start first"):
        ik.Place("x", at=(0, 0, 0), interval=(2, 1))


@pytest.mark.parametrize("axes", ["", "q", "xyq"])
def test_axes_that_are_not_there(axes) -> None:
    with pytest.raises(InputError, match="expected some of 'x', 'y' and 'z'"):
        ik.Place("x", at=(0, 0, 0), axes=axes)
    with pytest.raises(InputError, match="expected some of 'x', 'y' and 'z'"):
        ik.CenterOfMass(at=(0, 0, 0), axes=axes)


@pytest.mark.parametrize(("comfortable", "furthest"), [(0.0, 1.0), (1.0, 0.5), (1.0, 4.0)])
def test_aims_that_contradict_themselves(comfortable, furthest) -> None:
    with pytest.raises(InputError, match="expected 0 < comfortable ≤ furthest ≤ π"):
        ik.Aim("head", at=(0, 0, 1), comfortable=comfortable, furthest=furthest)


def test_parts_by_role_name_and_index(adult) -> None:
    joint = adult.anatomy.roles["left_hand"]
    assert ik.joint_of(adult, "left_hand") == joint
    assert ik.joint_of(adult, joint) == joint
    assert ik.joint_of(adult, ik.BodyPoint(joint, (0, 0, 1))) == joint
    with pytest.raises(UnknownNameError, match="'adult' has no role or joint 'left_hnd'; closest: 'left_hand'"):
        ik.joint_of(adult, "left_hnd")
    with pytest.raises(InputError, match=r"'adult' has no joint 99; expected 0 to 64"):
        ik.joint_of(adult, 99)


def test_a_batch_is_measured_pose_by_pose(adult) -> None:
    poses = Pose.rest(adult.skeleton, (3,))
    poses = poses.replace(root_translation=poses.root_translation + np.arange(3)[:, None] * np.array([0.1, 0, 0]))
    state = ik.WorldState(adult, poses)
    hand = state.point("left_hand")[0]
    assert np.allclose(ik.Place("left_hand", at=hand).error(state), [0.0, 0.1, 0.2])
    assert np.allclose(ik.Place("left_hand", at=state.point("left_hand")).error(state), 0.0)


def test_two_joints_are_asked_to_be_turned_alike_unless_told_otherwise(rest) -> None:
    assert ik.Match("left_hand", "left_hand").error(rest)[0] == pytest.approx(0.0, abs=1e-7)
    between = quaternion.angle_between(rest.turn("left_hand")[0], rest.turn("right_foot")[0])
    assert ik.Match("left_hand", "right_foot").error(rest)[0] == pytest.approx(float(between), abs=1e-7)


def test_a_pose_to_stay_near_counts_as_much_as_a_soft_goal_of_weight_one(adult) -> None:
    pose = adult.default_pose
    assert ik.Near(pose).weight == ik.Near(pose, weight=1.0).weight
