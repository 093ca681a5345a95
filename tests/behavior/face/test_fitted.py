"""Faces of every kind get every viseme they can show, and lips close on all of them."""

from __future__ import annotations

import pytest

from mummer.behavior.face.expression import EMOTIONS, LEXEMES, expression_amounts, unit_amounts
from mummer.behavior.face.fitted import face_of, fitted
from mummer.character.face import EXPRESSIONS, FACE_NAMES, VISEMES, FaceDriver, FaceMap
from mummer.errors import UnknownNameError
from mummer.zoo import body

SPOKEN = VISEMES[2:]
"""All but silence and closed lips."""
CAMERA = FaceMap({name: (FaceDriver(1.0, morph=place),) for place, name in enumerate(EXPRESSIONS)})
VOWELS = FaceMap({f"viseme_{v}": (FaceDriver(1.0, morph=n),) for n, v in enumerate(("aa", "I", "U", "E", "O"))})
JAW = FaceMap({"jaw_open": (FaceDriver(0.4, joint=3),)})
ONE = FaceMap({"viseme_aa": (FaceDriver(1.0, morph=0),)})


@pytest.mark.parametrize("face", [CAMERA, VOWELS, JAW, ONE], ids=["camera", "vowels", "jaw", "one"])
def test_every_viseme_is_shown(face: FaceMap) -> None:
    made = fitted(face)
    assert made.missing(SPOKEN) == ()


@pytest.mark.parametrize("face", [CAMERA, JAW], ids=["camera", "jaw"])
def test_the_jaw_is_closed_for_closed_lips_and_widest_for_a(face: FaceMap) -> None:
    made = fitted(face)
    jaw = face.drivers["jaw_open"][0]

    def opened(name: str) -> float:
        own = [d.weight for d in made.drivers.get(name, ()) if (d.morph, d.joint) == (jaw.morph, jaw.joint)]
        return sum(own)

    assert opened("viseme_PP") == 0.0
    assert all(opened("viseme_aa") >= opened(name) for name in SPOKEN)
    assert opened("viseme_aa") > opened("viseme_E") > opened("viseme_I")


def test_own_shapes_are_kept() -> None:
    face = FaceMap({**CAMERA.drivers, "viseme_O": (FaceDriver(0.7, morph=90),)})
    assert fitted(face).drivers["viseme_O"] == (FaceDriver(0.7, morph=90),)


def test_sides_stay_sides() -> None:
    face = FaceMap({"mouth_smile_left": (FaceDriver(1.0, morph=0),), "mouth_smile_right": (FaceDriver(1.0, morph=1),)})
    made = fitted(face)
    assert [driver.morph for driver in made.drivers["mouth_dimple_left"]] == [0]
    assert [driver.morph for driver in made.drivers["mouth_dimple_right"]] == [1]


@pytest.mark.parametrize(("name", "jaws"), [("crab", 2), ("beetle", 2), ("spider", 2)])
def test_mandibles_speak_in_pairs(name: str, jaws: int) -> None:
    made = face_of(body(name))
    joints = {driver.joint for driver in made.drivers["viseme_aa"]}
    assert None not in joints
    assert len(joints) == jaws


def test_joints_alone() -> None:
    adult = body("adult")
    made = face_of(adult, False)
    assert {driver.joint for driver in made.drivers["viseme_aa"]} == {adult.skeleton.index("jaw")}
    assert all(driver.morph is None for drivers in made.drivers.values() for driver in drivers)


def test_emotions_and_lexemes_are_expressions() -> None:
    for name in (*EMOTIONS, *LEXEMES, "happy", "RAISE_BROWS", "jaw_open"):
        amounts = expression_amounts(name)
        assert amounts
        assert set(amounts) <= set(FACE_NAMES)
        assert all(0.0 < amount <= 1.0 for amount in amounts.values())
    assert expression_amounts("neutral") == {}
    assert set(unit_amounts(1)) == {"brow_inner_up"}
    assert set(unit_amounts(6)) == {"cheek_squint_left", "cheek_squint_right"}
    with pytest.raises(UnknownNameError, match="joy"):
        expression_amounts("joyy")
    with pytest.raises(UnknownNameError, match="action unit '99'"):
        unit_amounts(99)
