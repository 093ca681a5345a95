"""Gestures stay within reach; hands on one bone only point; legs that sprawl; targets on the ground."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.general import animation_from_text, bind, perform, physique_of, select
from mummer.general.context_limbs import walk_limb
from mummer.general.default_target import default_target
from mummer.general.intent import at_rest
from mummer.general.predicates import fits
from mummer.general.within_reach import FULL, pointing, within_reach
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion
from tests.general.bodies import physique

ways = st.tuples(*[st.floats(-3, 3)] * 3)

GESTURE = """
version = 1
name = "gesture"
duration = 1.0
[[branch]]
[[branch.channel]]
name = "hands"
select = {capability = "grasper"}
position = {relative = "absolute", toward = {capability = "grasper", limb = "shoulder"}, scale = "limb"}
place = [[0, 0.3, -0.4, 0.3], [1, 0.5, 0.8, 1.6]]
"""


@given(ways)
def test_a_hand_is_never_wanted_beyond_its_arm_and_keeps_its_direction(way: tuple[float, ...]) -> None:
    body = physique("adult")
    hand = body.anatomy.joint("left_hand")
    shoulder = walk_limb(body, [hand], "shoulder")[0]
    intent = at_rest(body, np.zeros(1))
    start = intent.to_world(body.positions[[shoulder]])
    found = within_reach(intent, hand, start + np.array([way]))[0] - start[0]
    length = body.limb_lengths[hand] - body.limb_lengths[shoulder]
    rest = np.linalg.norm(body.positions[hand] - body.positions[shoulder])
    assert np.linalg.norm(found) <= max(FULL * length, rest + 0.011 * length)
    assert np.linalg.norm(found) <= np.linalg.norm(way) + 1e-9
    np.testing.assert_allclose(np.cross(found, way), 0, atol=1e-9)


def test_rest_and_parts_that_are_no_hands_stay() -> None:
    body = physique("adult")
    intent = at_rest(body, np.zeros(1))
    for name in ("left_hand", "left_foot"):
        joint = body.anatomy.joint(name)
        rest = intent.to_world(body.positions[[joint]])
        np.testing.assert_allclose(within_reach(intent, joint, rest), rest, atol=1e-12)
    far = np.array([[0.0, 5.0, 0.0]])
    np.testing.assert_array_equal(within_reach(intent, body.anatomy.joint("left_foot"), far), far)


def test_a_hand_on_one_bone_points() -> None:
    body = physique("spider")
    (feeler, _), intent = select(body, "grasper"), at_rest(body, np.zeros(1))
    there = intent.to_world(body.positions[[feeler]]) + np.array([[0.1, 0.3, 0.2]])
    found = pointing(intent, feeler, there)
    assert found is not None
    hinge, rotation = found
    in_hinge = quaternion.rotate(
        quaternion.conjugate(body.rotations[hinge]), body.positions[feeler] - body.positions[hinge]
    )
    wanted = there - intent.to_world(body.positions[[hinge]])
    np.testing.assert_allclose(np.cross(quaternion.rotate(rotation, in_hinge), wanted), 0, atol=1e-9)
    assert pointing(intent, select(body, "foot")[0], there) is None
    adult = physique("adult")
    assert pointing(at_rest(adult, np.zeros(1)), adult.anatomy.joint("left_hand"), there) is None


def test_gestures_of_feelers_turn_and_those_of_arms_move() -> None:
    gesture = animation_from_text(GESTURE)
    for name, has_place in (("spider", False), ("adult", True)):
        clip = perform(physique(name).character, gesture)
        intent = clip.intent(np.array([0.5]))
        assert bool(set(select(clip.physique, "grasper")) & set(intent.places)) == has_place


@pytest.mark.parametrize(
    ("name", "sprawls"),
    [("lizard", True), ("spider", True), ("frog", True), ("dog", False), ("adult", False), ("snake", False)],
)
def test_which_legs_sprawl(name: str, sprawls: bool) -> None:
    assert fits(physique(name), {"sprawling": sprawls})


@pytest.mark.parametrize("name", ["adult", "giant", "crab"])
def test_what_a_hand_takes_from_the_ground_lies_beside_its_foot(name: str) -> None:
    body = physique(name)
    variant = bind(animation_from_text(GESTURE.replace("[[branch.channel]]", '[[branch.channel]]\nvary = "one"')), body)
    place = default_target(body, variant.variants[0], "ground")
    hand = variant.variants[0].leads[0]
    shoulder = body.positions[walk_limb(body, [hand], "shoulder")[0]]
    assert place[0] * np.sign(shoulder[0]) > abs(shoulder[0])
    assert place[2] > shoulder[2]
    assert 0 < place[1] < 0.2 * body.height


def test_a_mouth_takes_from_the_ground_what_its_head_has_room_for() -> None:
    mouths = animation_from_text(GESTURE.replace('"grasper"}\np', '"mouth"}\nvary = "one"\np'))
    body = physique_of(mm.zoo.body("snake"))
    variant = bind(mouths, body).variants[0]
    assert default_target(body, variant, "ground")[1] > 0.025 * body.height


@pytest.mark.parametrize("name", ["dog", "dragon", "horse"])
def test_what_a_mouth_takes_from_the_ground_is_as_far_as_its_neck_is_long(name: str) -> None:
    mouths = animation_from_text(GESTURE.replace('"grasper"}\np', '"mouth"}\nvary = "one"\np'))
    body = physique(name)
    variant = bind(mouths, body).variants[0]
    place = quaternion.rotate(quaternion.conjugate(body.axes), default_target(body, variant, "ground") - body.origin)
    neck = body.positions[body.limb_bases[variant.leads[0]]]
    length = body.limb_lengths[variant.leads[0]]
    assert place[2] >= neck[2] + 0.4 * length
    stooped = neck * [1, 0.8, 1]
    assert 0.7 * length < np.linalg.norm(place - stooped) < 1.1 * length


@pytest.mark.parametrize(("seed", "reaches"), [(116, True), (2006, True), (100, False), (120, False)])
def test_hands_on_short_arms_do_not_reach_the_head(seed: int, reaches: bool) -> None:
    body = physique_of(mm.zoo.random_creature(seed))
    assert fits(body, {"hands_reach_head": reaches})
    assert not fits(body, {"hands_reach_head": not reaches})


def test_who_has_no_hands_reaches_nothing_with_them() -> None:
    assert fits(physique("dog"), {"hands_reach_head": False})
    assert fits(physique("adult"), {"hands_reach_head": True})


@pytest.mark.parametrize(("name", "is_low"), [("adult", True), ("centaur", False)])
def test_hands_take_nothing_from_lower_than_the_body_stoops(name: str, is_low: bool) -> None:
    body = physique(name)
    hands = animation_from_text(GESTURE.replace("[[branch.channel]]", '[[branch.channel]]\nvary = "one"'))
    place = default_target(body, bind(hands, body).variants[0], "ground")
    assert (place[1] < 0.06 * body.height) == is_low


@given(ways)
def test_a_hand_on_a_hinge_points_no_farther_than_its_hinge_turns(way: tuple[float, ...]) -> None:
    body = physique("random 121")
    hand = next(joint for joint in select(body, "grasper") if body.character.skeleton.names[joint].endswith("b_hand"))
    intent = at_rest(body, np.zeros(1))
    there = intent.to_world(body.positions[[hand]]) + np.array([way])
    found = pointing(intent, hand, there)
    nearby = pointing(intent, hand, there + 1e-7)
    assert found is not None
    assert nearby is not None
    hinge, rotation = found
    axis = rigid_body(body.character).limits.axes[hinge]
    turn = quaternion.multiply(rotation, quaternion.conjugate(intent.carried(hinge)[1]))
    about = quaternion.rotate(intent.carried(hinge)[1], axis)
    np.testing.assert_allclose(np.cross(turn[:, :3], about), 0, atol=1e-9)
    assert quaternion.angle_between(rotation, nearby[1])[0] < 1e-3


def test_an_upright_body_that_floats_takes_from_the_ground_what_lies_before_its_stoop() -> None:
    mouths = animation_from_text(GESTURE.replace('"grasper"}\np', '"mouth"}\nvary = "one"\np'))
    body = physique("random 3259")
    assert fits(body, {"floats": True, "upright_spine": True})
    variant = bind(mouths, body).variants[0]
    mouth = variant.leads[0]
    chest = body.positions[body.limb_bases[mouth]]
    place = default_target(body, variant, "ground") - body.origin
    assert place[2] > body.positions[mouth, 2] + 0.4 * np.linalg.norm(chest - body.positions[body.root])
