"""Goals as flat arrays: one row for each, with the numbers that the kernels need."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer import ik
from mummer.character import Pose
from mummer.ik import goal_table as kinds
from mummer.ik.goal_table import goal_table
from mummer.math import quaternion


@pytest.fixture(scope="module")
def adult():
    return mm.zoo.body("adult")


def table_of(adult, goals, count=1, **options):
    poses = Pose.rest(adult.skeleton, (count,))
    return goal_table(ik.make_problem(adult, goals, poses, **options))


def test_each_kind_has_its_row(adult) -> None:
    turn = quaternion.from_axis_angle([0, 1.0, 0], 0.3)
    goals = [
        ik.Place(ik.BodyPoint("left_hand", (0.1, 0.2, 0.3)), at=(1, 2, 3), axes="xz"),
        ik.Orient("head", to=turn),
        ik.Aim("head", at=(4, 5, 6), axis=(0, 0, 2.0)),
        ik.HalfSpace("left_foot", normal=(0, 2.0, 0), distance=0.5),
        ik.JointValue("left_forearm", rotation=turn),
        ik.Together("left_hand", ik.BodyPoint("right_hand", (0, 0, 0.1)), gap=(0, 0.1, 0)),
        ik.Match("left_hand", "right_hand"),
        ik.Apart("left_hand", "right_hand", normal=(1, 0, 0), distance=0.7),
        ik.CenterOfMass(at=(7, 8, 9)),
    ]
    table = table_of(adult, goals)
    assert table.kinds.tolist() == [
        kinds.PLACE, kinds.ORIENT, kinds.AIM_AT, kinds.HALF_SPACE, kinds.JOINT_VALUE, kinds.TOGETHER, kinds.MATCH,
        kinds.APART, kinds.MASS_PLACE,
    ]  # fmt: skip
    hand, other = adult.anatomy.roles["left_hand"], adult.anatomy.roles["right_hand"]
    assert table.joints.tolist()[0] == hand
    assert table.joints[-1] == -1
    assert table.others[[5, 6, 7]].tolist() == [other] * 3
    assert table.others[0] == -1
    assert table.points[0].tolist() == [0.1, 0.2, 0.3]
    assert table.other_points[5].tolist() == [0, 0, 0.1]
    assert table.axes[0].tolist() == [1, 0, 1]
    assert table.axes[2].tolist() == [0, 0, 1]
    assert table.axes[3].tolist() == [0, 1, 0]
    assert table.axes[8].tolist() == [1, 0, 1]
    assert table.targets[0, 0].tolist() == [1, 2, 3, 0]
    assert np.allclose(table.targets[0, 1], turn)
    assert table.targets[0, 3].tolist() == [0, 0, 0, 0.5]
    assert table.targets[0, 5].tolist() == [0, 0.1, 0, 0]
    assert table.targets[0, 6].tolist() == [0, 0, 0, 1]
    assert table.targets[0, 7].tolist() == [1, 0, 0, 0.7]
    assert table.goal.tolist() == list(range(9))
    assert len(table) == 9


def test_soft_aims_become_directions(adult) -> None:
    goal = ik.Aim("head", at=(3.0, 1.6, -3.0), comfortable=1.0, furthest=1.2)
    table = table_of(adult, [goal])
    assert table.kinds.tolist() == [kinds.AIM_ALONG]
    wanted = goal.directions(ik.WorldState(adult, Pose.rest(adult.skeleton)))
    assert np.allclose(table.targets[:, 0, :3], wanted)
    assert np.linalg.norm(table.targets[0, 0, :3]) == pytest.approx(1.0)


def test_balance_makes_a_row_for_each_edge_and_near_makes_none(adult) -> None:
    table = table_of(adult, [ik.Near(adult.default_pose), ik.Balanced(), ik.Place("head", at=(0, 1, 0))])
    assert set(table.kinds.tolist()[:-1]) == {kinds.MASS_HALF_SPACE}
    assert len(table) >= 4
    assert table.goal.tolist() == [1] * (len(table) - 1) + [2]


def test_weights_hardness_and_intervals(adult) -> None:
    goals = [
        ik.Place("head", at=(0, 1, 0), interval=(0.5, 1.5)),
        ik.Place("head", at=(0, 1, 0), weight=3.0, interval=(1.5, 9.0)),
    ]
    table = table_of(adult, goals, count=3, times=[0.0, 1.0, 2.0])
    assert table.weights.tolist() == [[0, 0], [1, 0], [0, 3]]
    assert table.hard.tolist() == [1, 0]


def test_targets_of_a_batch(adult) -> None:
    targets = np.arange(9.0).reshape(3, 3)
    table = table_of(adult, [ik.Place("head", at=targets), ik.Apart("head", "hips", distance=np.arange(3.0))], count=3)
    assert np.array_equal(table.targets[:, 0, :3], targets)
    assert table.targets[:, 1, 3].tolist() == [0, 1, 2]
    assert table.targets.flags.c_contiguous


def test_no_goals_make_empty_arrays(adult) -> None:
    table = table_of(adult, [], count=2)
    assert len(table) == 0
    assert table.targets.shape == (2, 0, 4)
    assert table.points.shape == (0, 3)


def test_a_goal_of_an_unknown_kind_is_a_mistake_of_ours(adult) -> None:
    class Wish(ik.Goal):
        points = ()

        def error(self, state, times=None):
            return np.zeros(len(state))

    with pytest.raises(TypeError, match="no solver knows goals of kind Wish"):
        table_of(adult, [Wish()])
