"""Choices by learned weights: bodies that hang from their chest, in parts, or with names of two sides."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Character, Pose, Skeleton, world_matrices
from mummer.recognition import recognize
from mummer.recognition.learned import chances, learned_weights, listening, using
from mummer.recognition.names import read_names
from tests.recognition.learn import bodies, fits_of, known, lessons
from tests.recognition.variants import VARIANTS


@pytest.mark.parametrize("name", ["dog", "horse", "lizard"])
def test_a_beast_that_hangs_from_its_chest_has_its_head_in_front(name: str) -> None:
    rig = VARIANTS["rooted at the chest"](known(zoo.body(name), "zoo"), np.random.default_rng(0))
    assert rig is not None
    anatomy = recognize(rig.character, ignore_names=True)
    assert {role: anatomy.roles[role] for role in ("head", "hips")} == {
        role: rig.joints[role] for role in ("head", "hips")
    }


def test_legs_that_hang_from_nothing_belong_to_the_body() -> None:
    body = zoo.body("dog").replace(anatomy=None)
    skeleton = body.skeleton
    parents, offsets = skeleton.parents.tolist(), np.array(skeleton.rest_translations)
    places = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(parents):
        places[joint] = offsets[joint] + (places[parent] if parent >= 0 else 0)
    for joint, name in enumerate(skeleton.names):
        if name in ("front_left_shoulder", "front_right_shoulder"):
            parents[joint], offsets[joint] = -1, places[joint]
    apart, order = Skeleton.sorted(list(skeleton.names), parents, offsets)
    anatomy = recognize(Character("apart", apart), ignore_names=True)
    assert len(order) == len(skeleton)
    assert anatomy.kind == "quadruped"
    assert apart.names[anatomy.roles["front_left_foot"]].startswith("front_left")


def test_of_two_sides_in_a_name_the_longer_word_counts() -> None:
    readings = read_names(["left_r_leg_top", "right_r_leg_top", "left_f_leg_top", "right_f_leg_top", "hips"])
    assert [reading.side for reading in readings] == ["left", "right", "left", "right", ""]


def test_of_the_top_the_middle_and_the_bottom_of_a_leg_the_middle_may_be_where_it_bends() -> None:
    readings = read_names(["left_leg_top", "left_leg_mid", "left_leg_bottom", "left_hand_mid_1"])
    assert [reading.vote("lower_leg") > 0.5 for reading in readings] == [False, True, True, False]


def test_a_word_for_controls_that_many_joints_have_says_nothing() -> None:
    names = ["CTRL_Head", "CTRL_Hand.L", "CTRL_Hand.R", "CTRL_Foot.L", "Spine", "Chest", "Hips", "Tail"]
    assert not any(reading.helper for reading in read_names(names))


def test_chances_sum_to_one_and_follow_the_weights() -> None:
    with using({"which": {"good": 2.0}}), listening() as questions:
        likely = chances("which", ["a", "b", "c"], {"good": [0.0, 1.0, 1e9], "unknown": [5.0, 0.0, 0.0]})
    assert likely.sum() == pytest.approx(1.0)
    assert likely[0] < likely[1] < likely[2]
    assert questions[0].candidates == ("a", "b", "c")
    assert dataclasses.is_dataclass(questions[0])


@pytest.mark.parametrize("place", ["upper", "lower", "foot"])
def test_legs_of_four_may_be_asked_to_be_alike(place: str) -> None:
    body = zoo.body("horse").replace(anatomy=None)
    heights = world_matrices(body.skeleton, Pose.rest(body.skeleton))[:, 1, 3]
    feature = {"upper": "uppers", "lower": "lowers", "foot": "ends"}[place] + " at other heights"
    apart = []
    for weight in (-50.0, 0.0, 50.0):
        with using({**learned_weights(), "places": {**learned_weights()["places"], feature: weight}}):
            roles = recognize(body, ignore_names=True).roles
        apart.append(abs(heights[roles[f"front_left_{place}"]] - heights[roles[f"hind_left_{place}"]]))
    assert apart[0] <= apart[1] <= apart[2]
    assert apart[0] < apart[2]


def test_the_weights_that_ship_are_few_and_finite() -> None:
    weights = learned_weights()
    assert all(np.isfinite(list(values.values())).all() and len(values) < 300 for values in weights.values())


def test_weights_can_be_learned_anew() -> None:
    school = list(bodies([], variants=4, made=1))
    fit = fits_of(lessons(school, learned_weights()))["line"]
    assert fit.hits(fit.learn("", {})).mean() > 0.9
