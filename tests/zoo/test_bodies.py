"""Every built-in body keeps the same contract; humans, beasts and faces have theirs on top."""

import numpy as np
import pytest

from mummer import zoo
from mummer.errors import UnknownNameError
from mummer.zoo.visemes import VISEMES
from tests.zoo.validity import faults_of, lowest_of_joints, rest_positions, unmirrored

HUMANS = ("adult", "child", "giant", "hunched")
ASKED_FOR = {
    "adult", "child", "giant", "hunched", "dog", "horse", "bird", "frog", "lizard", "spider", "beetle", "centaur",
    "snake", "fish", "dragon", "two_headed", "crab", "ghost",
}  # fmt: skip
ASYMMETRIC = {"crab", "snake", "ghost"}
HUMAN_ROLES = [
    "hips",
    "spine",
    "chest",
    "neck",
    "head",
    "jaw",
    "left_shoulder",
    "left_upper_arm",
    "left_forearm",
    "left_hand",
    "left_upper_leg",
    "left_lower_leg",
    "left_foot",
    "left_toes",
    "right_shoulder",
    "right_hand",
    "right_toes",
    "left_eye",
    "right_eye",
]
BEAST_ROLES = [
    "hips",
    "spine",
    "chest",
    "neck",
    "head",
    "tail",
    "front_left_shoulder",
    "front_left_upper",
    "front_left_lower",
    "front_left_foot",
    "front_right_toes",
    "hind_left_upper",
    "hind_left_lower",
    "hind_right_foot",
    "hind_right_toes",
]


def test_all_that_were_asked_for_are_there():
    assert set(zoo.names()) >= ASKED_FOR
    assert list(zoo.names()) == sorted(zoo.names())


@pytest.mark.parametrize("name", zoo.names())
def test_body_is_valid(name):
    character = zoo.body(name)
    assert faults_of(character) == []
    assert character.name == name
    assert character.source.format == "zoo"
    assert character.source.details["name"] == name
    assert character.source.details["version"] == 1
    assert f'name = "{name}"' in character.source.details["recipe"]


@pytest.mark.parametrize("name", zoo.names())
def test_body_stands_on_the_ground_or_floats(name):
    character = zoo.body(name)
    low = character.anatomy.bounds[0, 1]
    assert low == pytest.approx({"fish": 0.30, "ghost": 0.35}.get(name, 0.0), abs=1e-6)


@pytest.mark.parametrize("name", sorted(set(zoo.names()) - ASYMMETRIC))
def test_joints_mirror_each_other(name):
    assert unmirrored(zoo.body(name)) == []


def test_the_crab_is_not_symmetric_but_its_legs_are():
    odd = unmirrored(zoo.body("crab"))
    assert "right_hand" in odd
    assert not [name for name in odd if name.startswith("leg_")]


@pytest.mark.parametrize("name", zoo.names())
def test_every_foot_touches_the_ground(name):
    character = zoo.body(name)
    below = {foot: set(character.skeleton.descendants(foot)) for foot in character.anatomy.capabilities.get("foot", ())}
    for foot, joints in below.items():
        assert lowest_of_joints(character, joints) < 0.02 * character.anatomy.height, character.skeleton.names[foot]


@pytest.mark.parametrize("name", HUMANS)
def test_humans_have_every_role_and_digit(name):
    character = zoo.body(name)
    assert not [role for role in HUMAN_ROLES if role not in character.anatomy.roles]
    names = character.skeleton.names
    for side in ("left", "right"):
        for finger in ("thumb", "index", "middle", "ring", "little"):
            assert all(f"{side}_{finger}_{number}" in names for number in (1, 2, 3))
        assert sum(name.startswith(f"{side}_toe_") for name in names) == 5
    assert {"waist", "torso", "head", "left_arm", "right_arm", "left_leg", "right_leg"} == set(character.anatomy.groups)


def test_sizes_of_humans():
    heights = {name: zoo.body(name).anatomy.height for name in HUMANS}
    assert heights["adult"] == pytest.approx(1.75, abs=0.03)
    assert 1.0 < heights["child"] < 1.35
    assert heights["giant"] > 2.6
    assert heights["hunched"] < 0.93 * heights["adult"]
    assert 50 < zoo.body("adult").mass.total < 100


def test_proportions_of_the_adult_are_human():
    adult = zoo.body("adult")
    places = dict(zip(adult.skeleton.names, rest_positions(adult), strict=True))
    leg = places["left_upper_leg"][1] - places["left_foot"][1]
    assert 0.45 < leg / 1.75 < 0.52
    upper = np.linalg.norm(places["left_upper_arm"] - places["left_forearm"])
    fore = np.linalg.norm(places["left_forearm"] - places["left_hand"])
    assert 0.8 < fore / upper < 0.95
    assert places["left_hand"][0] > 0 > places["right_hand"][0], "the body's left is +X"
    assert places["left_toes"][2] > places["left_foot"][2], "the body faces +Z"


@pytest.mark.parametrize("name", ["dog", "horse", "dragon"])
def test_beasts_have_every_role(name):
    roles = zoo.body(name).anatomy.roles
    assert not [role for role in BEAST_ROLES if role not in roles]


@pytest.mark.parametrize(
    ("name", "kind", "count"),
    [
        ("spider", "leg", 8),
        ("beetle", "leg", 6),
        ("bird", "wing", 2),
        ("dragon", "leg", 4),
        ("snake", "leg", 0),
        ("centaur", "leg", 4),
        ("centaur", "arm", 2),
        ("two_headed", "neck", 2),
        ("ghost", "leg", 0),
    ],
)
def test_number_of_limbs(name, kind, count):
    limbs = [limb for limb in zoo.body(name).anatomy.limbs if limb.kind == kind]
    assert len(limbs) == count
    if count == 8:
        assert sorted(limb.rank for limb in limbs if limb.side == "left") == [0, 1, 2, 3]


@pytest.mark.parametrize("name", HUMANS)
def test_human_faces_can_speak(name):
    morphs = zoo.body(name).morph_names
    wanted = {*VISEMES, "jaw_open", "frown"}
    wanted |= {f"{what}_{side}" for what in ("blink", "smile", "brow_up", "brow_down") for side in ("left", "right")}
    assert wanted <= set(morphs)
    assert len(VISEMES) == 15


@pytest.mark.parametrize("name", zoo.names())
def test_bodies_are_worth_looking_at(name):
    character = zoo.body(name)
    assert 1500 < sum(len(mesh.positions) for mesh in character.meshes) < 25000
    assert "eye" in character.anatomy.capabilities
    colors = np.concatenate([mesh.colors[:, :3] for mesh in character.meshes])
    assert len(np.unique(np.round(colors, 2), axis=0)) > 20


def test_unknown_body_names_the_nearest():
    with pytest.raises(UnknownNameError, match=r"the zoo has no body 'dargon'; closest: 'dragon'"):
        zoo.body("dargon")


def test_a_body_is_made_once():
    assert zoo.body("dog") is zoo.body("dog")
