"""Posture: what is asked is done, feet stay, nothing asked changes nothing, and a little more changes a little."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose
from mummer.errors import InputError
from mummer.ik import Place, WorldState
from mummer.ik.balance import hips_of, is_upright, level_front, level_left, moved_torso
from mummer.ik.pose_distance import root_mean_square_displacement
from mummer.ik.posture import adjust_posture
from mummer.ik.support import foot_point
from mummer.math import quaternion
from tests.ik.random_poses import bent, carried

CASES = (
    ("adult", {"bend": 0.2}),
    ("adult", {"twist": 0.5}),
    ("adult", {"lean": (0.05, 0.03)}),
    ("adult", {"bend": 0.15, "twist": -0.3, "lean": (0.0, 0.04)}),
    ("dog", {"bend": 0.1}),
    ("dog", {"lean": (0.05, 0.0)}),
    ("spider", {"bend": 0.05}),
    ("bird", {"bend": 0.03}),
)


@pytest.mark.parametrize(("name", "asked"), CASES)
def test_it_does_what_is_asked_over_feet_that_stay(name: str, asked: dict[str, float]) -> None:
    character = mm.zoo.body(name)
    found = adjust_posture(character, character.default_pose, **asked)  # type: ignore[arg-type]
    assert found.is_met, found.report
    before, after = WorldState(character, character.default_pose), WorldState(character, found.pose)
    height, hips = before.body.height, hips_of(character)
    assert character.anatomy is not None
    for foot in character.anatomy.capabilities["foot"]:
        point = foot_point(character, foot) or foot
        assert np.linalg.norm(after.point(point) - before.point(point)) < 1e-3 * height
    moved = after.center_of_mass - before.center_of_mass
    lean = np.asarray(asked.get("lean", (0.0, 0.0)))
    wanted = lean[0] * level_left(before) + lean[1] * level_front(before)
    np.testing.assert_allclose(moved[:, [0, 2]], wanted[:, [0, 2]], atol=1e-3 * height)
    assert (before.positions - after.positions)[0, hips, 1] >= asked.get("bend", 0.0) - 1e-3 * height
    facing = quaternion.rotate(quaternion.conjugate(before.turn(hips)), [0.0, 0, 1])
    heading = quaternion.rotate(after.turn(hips), facing)[0]
    assert np.arctan2(heading[0], heading[2]) == pytest.approx(asked.get("twist", 0.0), abs=0.02)


@pytest.mark.parametrize("name", ["adult", "dog", "spider"])
def test_nothing_asked_changes_nothing(name: str) -> None:
    character = mm.zoo.body(name)
    pose = character.default_pose
    found = adjust_posture(character, pose)
    np.testing.assert_array_equal(found.pose.rotations, pose.rotations)
    np.testing.assert_array_equal(found.pose.root_translation, pose.root_translation)
    assert not found.pose.shape


@pytest.mark.parametrize(
    ("name", "what", "most"), [("adult", "twist", 0.5), ("dog", "bend", 0.1), ("adult", "lean", 0.05)]
)
def test_a_little_more_changes_a_little(name: str, what: str, most: float) -> None:
    character = mm.zoo.body(name)
    amounts = np.linspace(0, most, 41)
    asked = {what: np.stack([amounts, 0 * amounts], axis=1) if what == "lean" else amounts}
    start = character.default_pose.broadcast_to((len(amounts),))
    found = adjust_posture(character, start, **asked)  # type: ignore[arg-type]
    np.testing.assert_array_equal(found.pose.rotations[0], start.rotations[0])
    earlier, later = WorldState(character, found.pose[:-1]), WorldState(character, found.pose[1:])
    steps = root_mean_square_displacement(earlier, later) / amounts[1]
    assert steps.max() < 3.0 * (1.0 if what != "twist" else 0.2)
    assert steps.max() < 4.0 * np.median(steps)


def test_straight_knees_bend_without_a_jump() -> None:
    character = mm.zoo.body("adult")
    amounts = np.concatenate([[0.0], np.geomspace(1e-6, 0.2, 40)])
    found = adjust_posture(character, character.default_pose.broadcast_to((41,)), bend=amounts)
    start = WorldState(character, character.default_pose)
    moved = root_mean_square_displacement(WorldState(character, found.pose), start)
    # A straight leg gives way at first with the root of the distance; never faster than that.
    assert np.all(moved <= 1.2 * amounts + 0.1 * np.sqrt(amounts) + 1e-6)


def test_a_squat_sits_back_and_leans_forward() -> None:
    character = mm.zoo.body("adult")
    assert character.anatomy is not None
    before = WorldState(character, character.default_pose)
    after = WorldState(character, adjust_posture(character, character.default_pose, bend=0.25).pose)
    hips, chest, roles = hips_of(character), character.anatomy.roles["chest"], character.anatomy.roles
    assert after.positions[0, hips, 2] < before.positions[0, hips, 2] - 0.05
    assert after.positions[0, chest, 2] - after.positions[0, hips, 2] > 0.05
    for side in ("left", "right"):
        knee, ankle = roles[f"{side}_lower_leg"], roles[f"{side}_foot"]
        assert after.positions[0, knee, 2] > after.positions[0, ankle, 2] + 0.05


def test_more_than_knees_can_bend_is_bent_as_far_as_they_can_and_reported() -> None:
    character = mm.zoo.body("adult")
    found = adjust_posture(character, character.default_pose, bend=0.7)
    assert not found.is_met
    assert 0.2 < found.errors[0] < 0.6
    assert np.all(found.errors[1:] < 1e-3)
    assert "out of reach" in str(found.report)


def test_feet_and_goals_may_be_chosen() -> None:
    character = mm.zoo.body("adult")
    hand = Place("left_hand", WorldState(character, character.default_pose).point("left_hand")[0])
    found = adjust_posture(character, character.default_pose, bend=0.1, feet=("left_foot", "right_foot"), keep=hand)
    assert found.is_met
    assert hand.error(WorldState(character, found.pose))[0] < 2e-3


def test_the_torso_alone_moves_and_the_head_looks_ahead() -> None:
    character = mm.zoo.body("adult")
    assert character.anatomy is not None
    start = WorldState(character, carried(bent(character, 1, 4, 0.1), quaternion.exp([0, 1.0, 0]), [1, 0, 2]))
    shift, twist, pitch = np.full((4, 3), 0.1), np.full(4, 0.4), np.full(4, 0.3)
    moved = WorldState(character, moved_torso(start, shift, twist, pitch))
    roles = character.anatomy.roles
    np.testing.assert_allclose(moved.positions[:, 0], start.positions[:, 0] + 0.1)
    assert quaternion.equal_rotations(moved.turn("head"), start.turn("head"), tolerance=1e-9).all()
    turned = quaternion.angle_between(moved.turn("hips"), start.turn("hips"))
    assert np.all(turned > 0.45)
    chest = quaternion.multiply(moved.turn("chest"), quaternion.conjugate(start.turn("chest")))
    np.testing.assert_allclose(quaternion.log(chest), 0.3 * level_left(start), atol=1e-9)
    arm = roles["left_upper_arm"]
    np.testing.assert_array_equal(moved.pose.rotations[:, arm], start.pose.rotations[:, arm])


def test_which_bodies_stand_upright() -> None:
    assert all(is_upright(mm.zoo.body(name)) for name in ("adult", "hunched"))
    assert not any(is_upright(mm.zoo.body(name)) for name in ("dog", "spider", "snake"))


def test_bad_inputs_are_said_in_words() -> None:
    character = mm.zoo.body("adult")
    with pytest.raises(InputError, match=r"knees bend by -0\.1 m"):
        adjust_posture(character, character.default_pose, bend=-0.1)
    with pytest.raises(InputError, match=r"lean has shape \(3,\)"):
        adjust_posture(character, character.default_pose, lean=(1.0, 2.0, 3.0))
    with pytest.raises(InputError, match=r"twist has shape \(2,\)"):
        adjust_posture(character, Pose.rest(character.skeleton, (3,)), twist=[0.1, 0.2])
    with pytest.raises(InputError, match="finite"):
        adjust_posture(character, character.default_pose, bend=np.nan)
