"""Names: the conventions that people use, read without a look at the body."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mummer.character import Character
from mummer.recognition import recognize
from mummer.recognition.names import read_names
from tests.recognition.bodies import human, roles_of_human
from tests.recognition.conventions import CONVENTIONS, names_in


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_name_speaks_for_its_part_and_side(convention: str) -> None:
    names = names_in(convention)
    readings = dict(zip(names, read_names(list(names.values())), strict=True))
    silent = {"root"} if convention == "Acclaim" else set()
    for role, reading in readings.items():
        side, part = role.split("_", 1) if role.startswith(("left", "right")) else ("", role)
        if names[role] not in silent and not (part == "neck" and reading.helper):
            accepted = (part, "spine") if part in ("chest", "spine") else (part,)
            assert reading.vote(*accepted, *(("chest",) if part == "spine" else ())) > 0, (names[role], reading)
        assert reading.side == side, (names[role], reading)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_human_with_these_names_is_found_with_confidence(convention: str) -> None:
    names = names_in(convention)
    body = human(names)
    anatomy = recognize(body)
    assert anatomy.kind == "humanoid"
    for role in roles_of_human():
        assert body.skeleton.names[anatomy.roles[role]] == names[role]
        assert anatomy.evidence[role].confidence > 0.5, (role, anatomy.evidence[role])


@pytest.mark.parametrize(
    ("name", "side", "meaning"),
    [
        ("hand_L_IK", "left", "control"),
        ("LeftForeArmRoll", "left", "twist"),
        ("thigh_twist_01_r", "right", "twist"),
        ("Head_end", "", "end"),
        ("Bip01LToe0Nub", "left", "end"),
        ("HairBall_R", "right", "hair"),
        ("J_Sec_L_SkirtSide1", "left", "cloth"),
        ("weapon_r", "right", "prop"),
        ("Finger_Index_Tip_L", "left", "index"),
        ("LeftInHandMiddle", "left", "middle"),
        ("eye.R", "right", "eye"),
        ("右目", "right", "eye"),
        ("Tail_Mid.001", "", "tail"),
        ("wing_feather_2_1_L", "left", "feather"),
    ],
)
def test_what_is_no_limb_is_known(name: str, side: str, meaning: str) -> None:
    reading = read_names([name])[0]
    assert reading.side == side
    assert meaning in reading.meanings


def test_a_prefix_that_all_names_share_says_nothing() -> None:
    readings = read_names([f"arm_{part}" for part in ("hips", "spine", "neck", "head", "tail")])
    assert [reading.vote("upper_arm") for reading in readings[:4]] == [-1.0] * 4
    assert "tail" in readings[4].meanings


def test_a_name_that_means_nothing_is_silent() -> None:
    reading = read_names(["joint17"])[0]
    assert not reading.parts
    assert not reading.speaks
    assert reading.vote("hand") == 0.0


def one_way(body: Character) -> Character:
    """The body with every bone along +X, as files have it that only store lengths."""
    skeleton = body.skeleton
    lengths = np.linalg.norm(skeleton.rest_translations, axis=1)
    flat = dataclasses.replace(skeleton, rest_translations=lengths[:, None] * np.array([1.0, 0.0, 0.0]))
    return body.replace(skeleton=flat)


@pytest.mark.parametrize("convention", ["HumanIK", "Unreal", "Daz", "SMPL"])
def test_names_alone_serve_where_the_shape_shows_no_body(convention: str) -> None:
    names = names_in(convention)
    body = one_way(human(names))
    anatomy = recognize(body)
    for role in roles_of_human():
        if role.endswith(("upper_arm", "forearm", "hand", "upper_leg", "lower_leg", "foot")):
            assert body.skeleton.names[anatomy.roles[role]] == names[role]
            assert anatomy.evidence[role].confidence <= 0.5
    assert not anatomy.problems(body.skeleton)
