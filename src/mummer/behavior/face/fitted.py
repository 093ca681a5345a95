"""A face that can show what it has nothing of its own for: by what it has that comes nearest."""

from __future__ import annotations

from collections.abc import Mapping

from mummer.character import Character
from mummer.character.face import FACE_NAMES, VISEMES, FaceDriver, FaceMap
from mummer.kept import kept
from mummer.recognition.face import recognize_face

Recipe = Mapping[str, float]
"""Expressions and visemes, and how much of each; what has two sides is named without one."""

LIPS: dict[str, Recipe] = {
    "PP": {"mouth_press": 0.4, "mouth_roll_lower": 0.25, "mouth_roll_upper": 0.2},
    "FF": {"jaw_open": 0.04, "mouth_roll_lower": 0.6, "mouth_upper_up": 0.25},
    "TH": {"jaw_open": 0.2, "mouth_lower_down": 0.2, "tongue_out": 0.35},
    "DD": {"jaw_open": 0.15, "mouth_lower_down": 0.25, "mouth_upper_up": 0.15, "mouth_stretch": 0.1},
    "kk": {"jaw_open": 0.22, "mouth_stretch": 0.15, "mouth_upper_up": 0.1},
    "CH": {"jaw_open": 0.12, "mouth_funnel": 0.7},
    "SS": {"jaw_open": 0.05, "mouth_stretch": 0.4, "mouth_lower_down": 0.35, "mouth_upper_up": 0.2},
    "nn": {"jaw_open": 0.15, "mouth_lower_down": 0.15},
    "RR": {"jaw_open": 0.15, "mouth_funnel": 0.35, "mouth_pucker": 0.2},
    "aa": {"jaw_open": 0.7, "mouth_lower_down": 0.15},
    "E": {"jaw_open": 0.35, "mouth_stretch": 0.3, "mouth_lower_down": 0.2, "mouth_smile": 0.1},
    "I": {"jaw_open": 0.18, "mouth_stretch": 0.45, "mouth_smile": 0.25},
    "O": {"jaw_open": 0.45, "mouth_funnel": 0.6},
    "U": {"jaw_open": 0.15, "mouth_pucker": 0.8, "mouth_funnel": 0.25},
}
"""Visemes on a face that has jaw and lips, as cameras track them."""
VOWELS: dict[str, Recipe] = {
    "PP": {}, "FF": {"viseme_U": 0.1}, "TH": {"viseme_E": 0.2}, "DD": {"viseme_I": 0.25}, "kk": {"viseme_E": 0.3},
    "CH": {"viseme_U": 0.55}, "SS": {"viseme_I": 0.35}, "nn": {"viseme_I": 0.2}, "RR": {"viseme_U": 0.4},
    "aa": {}, "E": {"viseme_aa": 0.35, "viseme_I": 0.4}, "I": {"viseme_E": 0.6},
    "O": {"viseme_aa": 0.4, "viseme_U": 0.5}, "U": {"viseme_O": 0.7},
}  # fmt: skip
"""Visemes on a face that has the shapes of vowels alone."""
JAW: dict[str, float] = {
    "PP": 0.0, "FF": 0.06, "TH": 0.25, "DD": 0.2, "kk": 0.28, "CH": 0.16, "SS": 0.09, "nn": 0.18, "RR": 0.2, "aa": 0.9,
    "E": 0.45, "I": 0.25, "O": 0.6, "U": 0.22,
}  # fmt: skip
"""How far a jaw opens for each viseme where it is all that a face has."""
NEAREST: dict[str, tuple[Recipe, ...]] = {
    "jaw_open": ({"viseme_aa": 1.0}, {"viseme_O": 1.0}),
    "brow_inner_up": ({"brow_outer_up": 0.8},),
    "brow_outer_up": ({"brow_inner_up": 0.8},),
    "eye_squint": ({"cheek_squint": 0.8}, {"eye_blink": 0.3}),
    "cheek_squint": ({"eye_squint": 0.7}, {"eye_blink": 0.15}),
    "mouth_smile": ({"mouth_dimple": 0.8}, {"viseme_I": 0.5}),
    "mouth_dimple": ({"mouth_smile": 0.5}, {"mouth_stretch": 0.5}),
    "mouth_frown": ({"mouth_shrug_lower": 0.7},),
    "mouth_shrug_lower": ({"mouth_frown": 0.5},),
    "mouth_press": ({"viseme_PP": 1.0},),
    "mouth_pucker": ({"viseme_U": 1.0}, {"mouth_funnel": 0.8}),
    "mouth_funnel": ({"viseme_CH": 0.9}, {"viseme_O": 0.6}, {"mouth_pucker": 0.7}),
    "mouth_stretch": ({"viseme_I": 0.7}, {"viseme_E": 0.7}, {"mouth_smile": 0.5}),
    "mouth_lower_down": ({"viseme_DD": 0.7}, {"viseme_SS": 0.7}),
    "mouth_upper_up": ({"nose_sneer": 0.6}, {"viseme_DD": 0.5}),
    "mouth_roll_lower": ({"viseme_FF": 1.0}, {"mouth_press": 0.7}),
    "nose_sneer": ({"mouth_upper_up": 0.6}, {"brow_down": 0.5}),
}
"""What comes nearest to an expression that a face lacks, best first."""
SIDES = ("left", "right")


@kept
def face_of(character: Character, morphs: bool = True) -> FaceMap:
    """What moves the face of a body whose anatomy is known, with the nearest it has for what it lacks.

    Without ``morphs`` it is what joints alone can show, for files and programs that know no morphs.
    """
    return fitted(recognize_face(character, character.anatomy, morphs=morphs))


def fitted(face: FaceMap) -> FaceMap:
    """The face with something for every viseme that any of its parts can show, and for expressions near to its own."""
    own = dict(face.drivers)
    made = dict(own)
    for name in VISEMES[1:]:
        sound = name.removeprefix("viseme_")
        if name not in own:
            made[name] = _viseme(own, sound)
    for name, recipes in NEAREST.items():
        for sided in _sided(name):
            side = sided.removeprefix(name)
            if sided not in own:
                found = next((drivers for recipe in recipes if (drivers := _mixed(own, recipe, side))), ())
                if found:
                    made[sided] = found
    return FaceMap({name: drivers for name, drivers in made.items() if drivers})


def _viseme(own: Mapping[str, tuple[FaceDriver, ...]], sound: str) -> tuple[FaceDriver, ...]:
    """What shows a viseme that a face has nothing of its own for."""
    has_lips = any(name.startswith(("mouth_funnel", "mouth_pucker", "mouth_stretch")) for name in own)
    if "jaw_open" in own and has_lips:
        return _mixed(own, LIPS[sound], "")
    if "viseme_aa" in own:
        if not (own.keys() & {f"viseme_{vowel}" for vowel in "EIOU"}):
            return _mixed(own, {"viseme_aa": JAW[sound]}, "")
        return _mixed(own, VOWELS[sound], "")
    return _mixed(own, {"jaw_open": JAW[sound]}, "")


def _mixed(own: Mapping[str, tuple[FaceDriver, ...]], recipe: Recipe, side: str) -> tuple[FaceDriver, ...]:
    """The drivers of a recipe, as far as the face has them; on one side or on both."""
    amounts: dict[FaceDriver, float] = {}
    for name, amount in recipe.items():
        for sided in [name] if name in own else [f"{name}{side}"] if side else [f"{name}_{each}" for each in SIDES]:
            for driver in own.get(sided, ()):
                key = FaceDriver(1.0, driver.morph, driver.joint, driver.axis)
                amounts[key] = amounts.get(key, 0.0) + amount * driver.weight
    return tuple(FaceDriver(weight, key.morph, key.joint, key.axis) for key, weight in amounts.items() if weight)


def _sided(name: str) -> list[str]:
    """A name as it is, or with both sides if it has them."""
    return [name] if name in FACE_NAMES else [f"{name}_{side}" for side in SIDES]
