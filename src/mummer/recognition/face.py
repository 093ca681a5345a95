"""Faces: morphs of any usual naming, a file's own expressions, and jaw and eye joints, in one vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Character
from mummer.character.face import EXPRESSIONS, FACE_NAMES, FaceDriver, FaceMap, find_face
from mummer.character.limits import HINGE, PIVOT
from mummer.recognition.morphs import shown_by_shape
from mummer.recognition.reference import rest_of

JAW_ANGLE, EYE_ANGLE = 0.35, 0.5
"""Radians that a jaw opens, and that an eye turns, at full expression."""
JAW_USED = 0.6
"""Of what a jaw can turn: open, though not torn open."""

ACTION_UNITS: dict[int, tuple[str, ...]] = {
    1: ("brow_inner_up",), 2: ("brow_outer_up",), 4: ("brow_down",), 5: ("eye_wide",), 6: ("cheek_squint",),
    7: ("eye_squint",), 9: ("nose_sneer",), 10: ("mouth_upper_up",), 12: ("mouth_smile",), 14: ("mouth_dimple",),
    15: ("mouth_frown",), 16: ("mouth_lower_down",), 17: ("mouth_shrug_lower",), 18: ("mouth_pucker",),
    20: ("mouth_stretch",), 22: ("mouth_funnel",), 24: ("mouth_press",), 26: ("jaw_open",), 27: ("jaw_open",),
    28: ("mouth_roll_lower", "mouth_roll_upper"), 29: ("jaw_forward",), 34: ("cheek_puff",), 43: ("eye_blink",),
    45: ("eye_blink",),
}  # fmt: skip
"""The action units of facial coding to expressions; those without a side of their own serve both."""

WORDS: dict[str, tuple[str, ...]] = {
    "a": ("viseme_aa",), "aa": ("viseme_aa",), "ah": ("viseme_aa",), "i": ("viseme_I",), "ih": ("viseme_I",),
    "u": ("viseme_U",), "ou": ("viseme_U",), "uu": ("viseme_U",), "e": ("viseme_E",), "ee": ("viseme_E",),
    "eh": ("viseme_E",), "o": ("viseme_O",), "oh": ("viseme_O",), "blink": ("eye_blink",), "close": ("eye_blink",),
    "eyesclosed": ("eye_blink",), "eyeclosed": ("eye_blink",), "happy": ("mouth_smile",), "joy": ("mouth_smile",),
    "smile": ("mouth_smile",), "fun": ("mouth_smile",), "sad": ("mouth_frown",), "sorrow": ("mouth_frown",),
    "frown": ("mouth_frown",), "angry": ("brow_down",), "surprised": ("brow_inner_up", "eye_wide"),
    "mouthopen": ("jaw_open",), "jawopen": ("jaw_open",), "pucker": ("mouth_pucker",), "kiss": ("mouth_pucker",),
    "lookup": ("eye_look_up",), "lookdown": ("eye_look_down",), "puff": ("cheek_puff",), "wink": ("eye_blink",),
}  # fmt: skip
"""Words that avatars use for their morphs and presets, to expressions."""

NAMED = 0.25
"""Of the morphs of a face: where names say more than this, what they do not say is not guessed by shape."""

_VISEME = re.compile(r"(?:viseme|vrc_v|vis|v)[_.]?(sil|pp|ff|th|dd|kk|ch|ss|nn|rr|aa|ih|oh|ou|ee|e|i|o|u)$")
_UNIT = re.compile(r"^(?:facs_)?au_?0*(\d{1,2})(?:_?([lr]|left|right))?$")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SIDE = re.compile(r"[_.\s-](l|r|left|right)$|(left|right)$")


def recognize_face(character: Character, anatomy: Anatomy | None = None, *, morphs: bool = True) -> FaceMap:
    """What moves the face of ``character``: morphs by their names, and its jaw and eyes if ``anatomy`` knows them.

    Camera names (``eyeBlinkLeft``), speech names (``viseme_PP``, ``vrc.v_pp``), avatar presets (``aa``, ``blink_l``,
    ``Fcl_MTH_A``) and action units (``AU12_L``) are all read; the morph is taken where a joint does the same. Where
    names say hardly anything, what the morphs move says what they are, on faces whose eyes are known.
    """
    drivers: dict[str, tuple[FaceDriver, ...]] = dict(find_face(character).drivers) if morphs else {}
    for index, morph in enumerate(character.morph_names if morphs else ()):
        for name in _meanings(morph):
            drivers.setdefault(name, (FaceDriver(1.0, morph=index),))
    for name, found in _presets(character) if morphs else ():
        drivers.setdefault(name, found)
    if anatomy is not None and morphs:
        for name, index in _by_shape(character, anatomy, drivers).items():
            drivers.setdefault(name, (FaceDriver(1.0, morph=index),))
    if anatomy is not None:
        for name, found in _joints(character, anatomy):
            drivers.setdefault(name, found)
    return FaceMap(drivers)


def _by_shape(character: Character, anatomy: Anatomy, known: Mapping[str, tuple[FaceDriver, ...]]) -> dict[str, int]:
    """What morphs whose names say nothing do, on a face whose names say hardly anything."""
    named = {driver.morph for drivers in known.values() for driver in drivers}
    count = len(character.morph_names)
    if not count or len(named) > NAMED * count:
        return {}
    return shown_by_shape(character, anatomy, [morph for morph in range(count) if morph not in named])


def _meanings(morph: str) -> tuple[str, ...]:
    """The canonical names that the name of a morph stands for."""
    camera = _camera_name(morph)
    if camera:
        return camera
    plain = re.split(r"[:|]", morph)[-1]
    plain = plain.rsplit(".", 1)[-1] if "vrc" in plain.lower() or "blendshape" in plain.lower() else plain
    plain = re.sub(r"([a-z])([A-Z])", r"\1_\2", plain).lower().replace("vrc.", "vrc_")
    unit = _UNIT.match(plain)
    if unit:
        return _sided(ACTION_UNITS.get(int(unit[1]), ()), (unit[2] or "")[:1])
    viseme = _VISEME.search(plain)
    if viseme:
        sound = viseme[1]
        return WORDS.get(sound) or tuple(name for name in FACE_NAMES if name.lower() == f"viseme_{sound}")
    side = _SIDE.search(plain)
    letter = (side[1] or side[2])[0] if side else ""
    stem = plain[: side.start()] if side else plain
    stem = re.sub(r"^(fcl|vrc|face|blend_shape\d*)_", "", stem)
    stem = re.sub(r"^(mth|eye|eyes|brw|all|mouth)_(?=[a-z]+$)", "", stem) if stem.count("_") == 1 else stem
    return _sided(WORDS.get(stem.replace("_", ""), ()), letter)


_CANONICAL = {name.replace("_", "").lower(): name for name in EXPRESSIONS}
_SIDES = {"l": "left", "r": "right"}
_GLANCES = {
    "lookleft": ("eye_look_out_left", "eye_look_in_right"),
    "lookright": ("eye_look_in_left", "eye_look_out_right"),
}


def _camera_name(morph: str) -> tuple[str, ...]:
    """The expression that the last words of a name are, whatever stands before them and however sides are written."""
    words = [word.lower() for word in _WORD.findall(morph)]
    if words and words[-1] in _SIDES:
        words[-1] = _SIDES[words[-1]]
    if len(words) > 1 and {words[0], _SIDES.get(words[0], "")} & {"left", "right"} and words[-1] not in _SIDES.values():
        words = [*words[1:], _SIDES.get(words[0], words[0])]
    for start in range(len(words)):
        text = "".join(words[start:])
        if text in _CANONICAL:
            return (_CANONICAL[text],)
        if text in _GLANCES and "eye" not in words[:start]:
            return _GLANCES[text]
    return ()


def _sided(names: tuple[str, ...], side: str) -> tuple[str, ...]:
    """Names with a side: the one given, or both; names that have none stay."""
    found: list[str] = []
    for name in names:
        if name in FACE_NAMES:
            found.append(name)
        else:
            sides = {"l": ("left",), "r": ("right",)}.get(side, ("left", "right"))
            found += [f"{name}_{each}" for each in sides if f"{name}_{each}" in FACE_NAMES]
    return tuple(found)


def _presets(character: Character) -> Iterator[tuple[str, tuple[FaceDriver, ...]]]:
    """What the expressions that an avatar file itself defines mean, with the morphs that show them."""
    details = character.source.details if character.source is not None else {}
    vrm = details.get("vrm")
    expressions = vrm.get("expressions") if isinstance(vrm, Mapping) else None
    places = {name: index for index, name in enumerate(character.morph_names)}
    for preset, entry in (expressions or {}).items():
        morphs = [(places[name], weight) for name, weight in entry.get("morphs", ()) if name in places]
        if morphs:
            drivers = tuple(FaceDriver(float(weight), morph=index) for index, weight in morphs)
            for name in _meanings(str(preset)):
                yield name, drivers


def _joints(character: Character, anatomy: Anatomy) -> Iterator[tuple[str, tuple[FaceDriver, ...]]]:
    """The jaws that open and the eyes that turn, about axes in their own frames."""
    rest = rest_of(character)
    left, up = anatomy.left, anatomy.up
    jaws = anatomy.capabilities.get("jaw", ()) or [joint for role, joint in anatomy.roles.items() if role == "jaw"]
    if jaws:
        yield "jaw_open", tuple(_jaw(character, rest, jaw, left) for jaw in jaws)
    for side, outward in (("left", 1.0), ("right", -1.0)):
        if f"{side}_eye" not in anatomy.roles:
            continue
        eye = anatomy.roles[f"{side}_eye"]
        yield f"eye_look_down_{side}", (_turn(rest, eye, left, EYE_ANGLE),)
        yield f"eye_look_up_{side}", (_turn(rest, eye, -left, EYE_ANGLE),)
        yield f"eye_look_out_{side}", (_turn(rest, eye, outward * up, EYE_ANGLE),)
        yield f"eye_look_in_{side}", (_turn(rest, eye, -outward * up, EYE_ANGLE),)


def _jaw(character: Character, rest: FloatArray, jaw: int, left: FloatArray) -> FaceDriver:
    """A jaw opens the way it can turn farther, a mandible sideways; downwards where nothing is known."""
    limits = character.limits
    if limits is not None and limits.kinds[jaw] in (HINGE, PIVOT):
        low, high = (float(end) for end in limits.ranges[jaw])
        x, y, z = (float(value) for value in limits.axes[jaw])
        return FaceDriver(JAW_USED * (high if high >= -low else low), joint=jaw, axis=(x, y, z))
    return _turn(rest, jaw, left, JAW_ANGLE)


def _turn(rest: FloatArray, joint: int, axis: FloatArray, angle: float) -> FaceDriver:
    """A turn by ``angle`` about a world axis at rest, as a turn in the joint's own frame."""
    rotation = rest[joint, :, :3] / np.maximum(np.linalg.norm(rest[joint, :, :3], axis=0), 1e-12)
    local = rotation.T @ axis
    x, y, z = (float(value) for value in local / np.linalg.norm(local))
    return FaceDriver(angle, joint=joint, axis=(x, y, z))
