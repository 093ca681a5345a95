"""Faces: every way to name a morph means one thing, and joints turn the way faces do."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Character, Pose, world_transforms
from mummer.character.face import EXPRESSIONS, VISEMES
from mummer.character.mesh import MorphTarget
from mummer.io import load
from mummer.math import quaternion
from mummer.recognition import recognize, recognize_face
from mummer.recognition.face import _meanings


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


CAMERA = (
    "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight", "cheekPuff",
    "cheekSquintLeft", "cheekSquintRight", "eyeBlinkLeft", "eyeBlinkRight", "eyeLookDownLeft", "eyeLookDownRight",
    "eyeLookInLeft", "eyeLookInRight", "eyeLookOutLeft", "eyeLookOutRight", "eyeLookUpLeft", "eyeLookUpRight",
    "eyeSquintLeft", "eyeSquintRight", "eyeWideLeft", "eyeWideRight", "jawForward", "jawLeft", "jawOpen", "jawRight",
    "mouthClose", "mouthDimpleLeft", "mouthDimpleRight", "mouthFrownLeft", "mouthFrownRight", "mouthFunnel",
    "mouthLeft", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthPressLeft", "mouthPressRight", "mouthPucker",
    "mouthRight", "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthSmileLeft",
    "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "noseSneerLeft", "noseSneerRight", "tongueOut",
)  # fmt: skip
SPEECH = ("sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U")
LOOKS = ("lookUp", "lookDown", "lookLeft", "lookRight")
PRESETS = (
    "aa",
    "ih",
    "ou",
    "ee",
    "oh",
    "blink",
    "blinkLeft",
    "blinkRight",
    "happy",
    "angry",
    "sad",
    "surprised",
    *LOOKS,
)
OLD_PRESETS = ("A", "I", "U", "E", "O", "Blink", "Blink_L", "Blink_R", "Joy", "Angry", "Sorrow", "Fun", *LOOKS)
UNITS = (1, 2, 4, 5, 6, 7, 9, 10, 12, 14, 15, 16, 17, 18, 20, 22, 24, 26, 27, 28, 29, 34, 43, 45)


def faced(names: Sequence[str]) -> Character:
    """A body whose mesh has morphs of these names."""
    body = zoo.body("dog")
    mesh = body.meshes[0]
    still = np.zeros((len(mesh.positions), 3), np.float32)
    return body.replace(meshes=(dataclasses.replace(mesh, morphs=tuple(MorphTarget(name, still) for name in names)),))


def lettered(name: str) -> str:
    """``eyeBlink_L`` for ``eyeBlinkLeft``."""
    return re.sub("(Left|Right)$", lambda side: f"_{side[0][0]}", name)


@pytest.mark.parametrize("prefix", ["", "blendShape1.", "Face.M_F00_000_00_", "head_geo|"])
@pytest.mark.parametrize("spelling", [str, lettered])
def test_all_that_cameras_report_is_shown(prefix: str, spelling: Callable[[str], str]) -> None:
    face = recognize_face(faced([prefix + spelling(name) for name in CAMERA]))
    assert not face.missing(EXPRESSIONS)
    shown = {name: drivers[0].morph for name, drivers in face.drivers.items() if name in EXPRESSIONS}
    assert sorted(shown.values(), key=str) == sorted(range(len(CAMERA)), key=str)


@pytest.mark.parametrize("form", ["viseme_{}", "vrc.v_{}", "V_{}", "Viseme_{}"])
def test_all_that_speech_needs_is_shown(form: str) -> None:
    spoken = {"E": "ee", "I": "ih", "O": "oh", "U": "ou"} if "vrc" in form else {}
    face = recognize_face(faced([form.format(spoken.get(sound, sound)) for sound in SPEECH]))
    assert not face.missing(VISEMES)


@pytest.mark.parametrize("presets", [PRESETS, OLD_PRESETS])
def test_every_preset_of_an_avatar_means_something(presets: Sequence[str]) -> None:
    assert [name for name in presets if not _meanings(name)] == []


def test_every_action_unit_of_a_face_means_something() -> None:
    assert [unit for unit in UNITS if not _meanings(f"AU{unit:02}") or not _meanings(f"AU{unit}_L")] == []
