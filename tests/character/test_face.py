"""The face: one vocabulary, and what moves it on a body."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.character import EXPRESSIONS, FACE_NAMES, VISEMES, Character, FaceDriver, FaceMap, MorphTarget, find_face
from mummer.character.face import SHORT_NAMES
from mummer.errors import InputError, UnknownNameError
from tests.character.strategies import arm, bound_mesh, exactly


def body_with_morphs(*names: str) -> Character:
    skeleton = arm().skeleton
    morphs = tuple(MorphTarget(name, np.zeros((3, 3))) for name in names)
    mesh = bound_mesh(skeleton, np.zeros((3, 3)), np.array([[0, 1, 2]]), np.tile([1.0, 0], (3, 1)), morphs=morphs)
    return Character("face", skeleton, (mesh,))


def test_the_vocabulary() -> None:
    assert len(EXPRESSIONS) == 52
    assert len(VISEMES) == 15
    assert len(set(FACE_NAMES)) == 67
    sided = [name for name in EXPRESSIONS if name.endswith("_left")]
    assert all(name.replace("_left", "_right") in EXPRESSIONS for name in sided)
    assert set(sum(SHORT_NAMES.values(), ())) <= set(EXPRESSIONS)


def test_names_in_any_usual_spelling() -> None:
    face = find_face(body_with_morphs("eyeBlinkLeft", "jaw_open", "Viseme_PP", "mouth-smile-right", "nose_wiggle"))
    assert set(face.drivers) == {"eye_blink_left", "jaw_open", "viseme_PP", "mouth_smile_right"}
    assert face.drivers["viseme_PP"] == (FaceDriver(1.0, morph=2),)
    assert "jaw_open" in face
    assert "viseme_aa" in face.missing()
    assert face.missing(["jaw_open"]) == ()


def test_short_names_serve_both_sides() -> None:
    face = find_face(body_with_morphs("frown", "blink_left"))
    assert set(face.drivers) == {"mouth_frown_left", "mouth_frown_right", "eye_blink_left"}


def test_weights_add_up_and_what_is_lacking_is_left_out() -> None:
    face = FaceMap({
        "jaw_open": (FaceDriver(0.5, morph=0), FaceDriver(0.3, joint=4)),
        "viseme_aa": (FaceDriver(1.0, morph=0), FaceDriver(0.25, morph=2)),
    })  # fmt: skip
    weights = face.morph_weights({"jaw_open": 1.0, "viseme_aa": 0.5, "tongue_out": 1.0}, 3)
    np.testing.assert_allclose(weights, [1.0, 0, 0.125])
    with pytest.raises(ValueError, match="read-only"):
        weights[0] = 1


def test_bad_faces() -> None:
    with pytest.raises(InputError, match=exactly("a face driver moves either a morph or a joint")):
        FaceDriver(1.0)
    with pytest.raises(InputError, match=exactly("a face driver moves either a morph or a joint")):
        FaceDriver(1.0, morph=1, joint=2)
    with pytest.raises(UnknownNameError, match="the face has no expression 'jaw_opne'; closest: 'jaw_open'"):
        FaceMap({"jaw_opne": ()})
    with pytest.raises(UnknownNameError, match="the face has no expression 'smirk'"):
        FaceMap({}).morph_weights({"smirk": 1.0}, 1)
