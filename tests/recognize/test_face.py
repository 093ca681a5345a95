"""Faces: every way to name a morph means one thing, and joints turn the way faces do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Pose, world_transforms
from mummer.io import load
from mummer.math import quaternion
from mummer.recognize import recognize, recognize_face
from mummer.recognize.face import _meanings


@pytest.mark.parametrize(
    ("morph", "expected"),
    [
        ("viseme_PP", ("viseme_PP",)),
        ("vis_char:blendShape1.vrc_v_ou", ("viseme_U",)),
        ("vrc.v_sil", ("viseme_sil",)),
        ("Fcl_MTH_A", ("viseme_aa",)),
        ("Fcl_EYE_Close_L", ("eye_blink_left",)),
        ("blink", ("eye_blink_left", "eye_blink_right")),
        ("blinkLeft", ("eye_blink_left",)),
        ("blink_r", ("eye_blink_right",)),
        ("happy", ("mouth_smile_left", "mouth_smile_right")),
        ("AU12", ("mouth_smile_left", "mouth_smile_right")),
        ("AU04_L", ("brow_down_left",)),
        ("au_26", ("jaw_open",)),
        ("HideHairBalls", ()),
    ],
)
def test_a_morph_means_one_thing(morph: str, expected: tuple[str, ...]) -> None:
    assert _meanings(morph) == expected


def test_an_avatar_speaks_and_blinks(data_dir: Path) -> None:
    avatar = load(data_dir / "characters/100avatars/100Avatars_001_Crimsom.vrm")
    face = recognize_face(avatar)
    assert {"viseme_aa", "viseme_PP", "eye_blink_left", "eye_blink_right"} <= set(face.drivers)


def test_jaw_and_eyes_turn_as_they_should() -> None:
    body = zoo.body("dog").replace(anatomy=None, meshes=(), default_pose=None)
    anatomy = recognize(body)
    face = recognize_face(body, anatomy)
    _, rotations = world_transforms(body.skeleton, Pose.rest(body.skeleton))

    def moves(name: str) -> np.ndarray:
        """Where what points ahead goes when the joint turns."""
        driver = face.drivers[name][0]
        assert driver.joint is not None
        return np.cross(quaternion.rotate(rotations[driver.joint], driver.axis), anatomy.front)

    assert face.drivers["jaw_open"][0].joint == anatomy.roles["jaw"]
    assert moves("jaw_open") @ anatomy.up < -0.9
    assert moves("eye_look_up_left") @ anatomy.up > 0.9
    assert moves("eye_look_out_left") @ anatomy.left > 0.9
    assert moves("eye_look_in_right") @ anatomy.left > 0.9
