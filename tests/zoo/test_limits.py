"""Joint limits of the zoo: knees fold backwards, elbows forwards, and rest is always allowed."""

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Pose, rest_positions
from mummer.character.clamp import violations
from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.math import quaternion


def excess(character, joint, axis, degrees):
    """Radians by which turning one joint from rest breaks its limit."""
    rest = Pose.rest(character.skeleton)
    rotations = np.array(rest.rotations)
    index = character.skeleton.index(joint)
    rotations[index] = quaternion.from_axis_angle(np.array(axis, float), np.radians(degrees))
    return violations(character.limits, character.skeleton, rest.replace(rotations=rotations))[index]


@pytest.mark.parametrize(
    ("joint", "kind"),
    [
        ("hips", FREE),
        ("left_lower_leg", HINGE),
        ("left_forearm", HINGE),
        ("left_upper_leg", BALL),
        ("chest", BALL),
        ("left_upper_arm", BALL),
        ("left_hand", PIVOT),
        ("left_foot", PIVOT),
        ("left_index_2", HINGE),
        ("jaw", HINGE),
        ("left_eye", PIVOT),
        ("left_index_1", PIVOT),
    ],
)
def test_kinds_of_human_joints(joint, kind):
    adult = zoo.body("adult")
    assert adult.limits.kinds[adult.skeleton.index(joint)] == kind


def test_knees_fold_backwards_only():
    adult = zoo.body("adult")
    assert excess(adult, "left_lower_leg", (1, 0, 0), 90) < np.radians(6)
    assert excess(adult, "left_lower_leg", (1, 0, 0), -40) > np.radians(25)


@pytest.mark.parametrize("name", ["adult", "child", "giant", "hunched", "two_headed"])
def test_people_push_off_with_ankles_and_roll_over_toes(name):
    body = zoo.body(name)
    down, up = (1, 0, 0), (-1, 0, 0)
    assert excess(body, "left_foot", down, 50) < np.radians(2), "an ankle stretches more than it lifts the toes"
    assert excess(body, "left_foot", up, 50) > np.radians(3)
    assert excess(body, "left_toes", up, 55) < np.radians(5), "toes stay flat while the heel is high"
    assert excess(body, "left_toes", down, 55) > np.radians(15)


def test_elbows_fold_forwards():
    adult = zoo.body("adult")
    index = adult.skeleton.index("left_forearm")
    axis = adult.limits.axes[index]
    arm = np.array([0.71, -0.70, 0.0])
    folded = quaternion.rotate(quaternion.from_axis_angle(axis, np.pi / 2), arm)
    assert folded[2] > 0.9, "a positive turn brings the forearm to the front"


def test_jaws_open_downwards():
    for name in ("adult", "dog", "dragon", "frog"):
        body = zoo.body(name)
        assert excess(body, "jaw", (1, 0, 0), 20) < np.radians(1)
        assert excess(body, "jaw", (1, 0, 0), -20) > np.radians(10)


def test_fingers_curl_towards_the_palm():
    adult = zoo.body("adult")
    for side, sign in (("left", 1), ("right", -1)):
        index = adult.skeleton.index(f"{side}_index_2")
        finger = np.array([sign * 0.71, -0.71, 0.0])
        curled = quaternion.rotate(quaternion.from_axis_angle(adult.limits.axes[index], np.pi / 2), finger)
        assert curled @ np.array([sign * -0.71, -0.71, 0.0]) > 0.8


@pytest.mark.parametrize("name", zoo.names())
def test_limits_of_both_sides_mirror(name):
    body = zoo.body(name)
    partner = body.anatomy.mirror
    np.testing.assert_array_equal(body.limits.kinds, body.limits.kinds[partner])
    if name not in ("crab", "snake", "ghost"):
        np.testing.assert_allclose(body.limits.ranges, body.limits.ranges[partner], atol=1e-9)


@pytest.mark.parametrize("name", zoo.names())
def test_no_knee_or_elbow_goes_far_past_straight(name):
    body = zoo.body(name)
    places = rest_positions(body.skeleton)
    turns = world_rotations(body)
    for limb in body.anatomy.limbs:
        for above, joint, below in zip(limb.joints, limb.joints[1:], limb.joints[2:], strict=False):
            if limb.kind not in ("arm", "leg", "wing") or body.limits.kinds[joint] != HINGE:
                continue
            axis = quaternion.rotate(turns[joint], body.limits.axes[joint])
            upper, lower = places[joint] - places[above], places[below] - places[joint]
            along = (upper @ axis) * (lower @ axis)
            straight = np.arctan2(upper @ np.cross(axis, lower), upper @ lower - along)
            low, high = body.limits.ranges[joint]
            past = min(straight - low, high - straight)
            # Ankles and toes that are hinges go both ways; a knee that is bent at rest does not.
            assert past < np.radians(20) or abs(straight) < np.radians(15), (name, body.skeleton.names[joint])


def world_rotations(body):
    turns = body.skeleton.rest_rotations.copy()
    for joint, parent in enumerate(body.skeleton.parents):
        if parent >= 0:
            turns[joint] = quaternion.multiply(turns[parent], turns[joint])
    return turns


@pytest.mark.parametrize("name", [*zoo.names(), *(f"random:{seed}" for seed in range(9300, 9306))])
def test_what_folds_has_room_to_fold_on_from_rest(name):
    body = zoo.body(name) if ":" not in name else zoo.random_creature(int(name.split(":")[1]))
    places = rest_positions(body.skeleton)
    turns = world_rotations(body)
    for limb in body.anatomy.limbs:
        for above, joint, below in zip(limb.joints, limb.joints[1:], limb.joints[2:], strict=False):
            if limb.kind not in ("arm", "leg") or body.limits.kinds[joint] != HINGE:
                continue
            axis = quaternion.rotate(turns[joint], body.limits.axes[joint])
            upper, lower = places[joint] - places[above], places[below] - places[joint]
            folds = np.sign(np.cross(upper, lower) @ axis) > 0
            room = body.limits.ranges[joint, 1] if folds else -body.limits.ranges[joint, 0]
            straight = np.arccos(upper @ lower / np.linalg.norm(upper) / np.linalg.norm(lower)) < np.radians(15)
            assert straight or room > np.radians(10), (name, body.skeleton.names[joint])
