"""One vocabulary for faces: what can move in a face, by one name each, and what moves it on a given body.

The 52 expressions are those that face-tracking cameras report, the 15 visemes those that speech recognisers report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character.character import Character
from mummer.errors import InputError, UnknownNameError


def _both(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}_{side}" for name in names for side in ("left", "right"))


EXPRESSIONS: tuple[str, ...] = (
    "brow_inner_up", *_both("brow_down", "brow_outer_up"),
    *_both("eye_blink", "eye_look_down", "eye_look_in", "eye_look_out", "eye_look_up", "eye_squint", "eye_wide"),
    "cheek_puff", *_both("cheek_squint"), *_both("nose_sneer"),
    "jaw_forward", "jaw_left", "jaw_open", "jaw_right",
    "mouth_close", "mouth_funnel", "mouth_left", "mouth_pucker", "mouth_right",
    "mouth_roll_lower", "mouth_roll_upper", "mouth_shrug_lower", "mouth_shrug_upper",
    *_both("mouth_dimple", "mouth_frown", "mouth_lower_down", "mouth_press", "mouth_smile", "mouth_stretch",
           "mouth_upper_up"),
    "tongue_out",
)  # fmt: skip
"""What the brows, lids, eyes, cheeks, nose, jaw, mouth and tongue can do; left is the body's own left."""

VISEMES: tuple[str, ...] = tuple(
    f"viseme_{shape}"
    for shape in ("sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U")
)
"""The mouth shapes of speech, from silence to the vowels."""

FACE_NAMES: tuple[str, ...] = EXPRESSIONS + VISEMES

SHORT_NAMES: dict[str, tuple[str, ...]] = {
    "blink_left": ("eye_blink_left",),
    "blink_right": ("eye_blink_right",),
    "brow_up_left": ("brow_outer_up_left",),
    "brow_up_right": ("brow_outer_up_right",),
    "smile_left": ("mouth_smile_left",),
    "smile_right": ("mouth_smile_right",),
    "frown": ("mouth_frown_left", "mouth_frown_right"),
}
"""Names that our own bodies use for morphs, and the expressions that they serve."""


@dataclass(frozen=True)
class FaceDriver:
    """One thing that moves when an expression is shown: a morph or a joint.

    Attributes:
        weight: at full expression, the weight of the morph, or radians that the joint turns from rest.
        morph: index into the character's morph names, or None.
        joint: joint index, or None.
        axis: unit vector in the joint's own frame at rest, about which it turns.
    """

    weight: float
    morph: int | None = None
    joint: int | None = None
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if (self.morph is None) == (self.joint is None):
            raise InputError("a face driver moves either a morph or a joint")


@dataclass(frozen=True)
class FaceMap:
    """What moves the face of one body.

    Attributes:
        drivers: canonical name, one of `FACE_NAMES`, to what moves when it is shown.
    """

    drivers: Mapping[str, tuple[FaceDriver, ...]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "drivers", {name: tuple(drivers) for name, drivers in self.drivers.items()})
        for name in self.drivers:
            _require_name(name)

    def __contains__(self, name: object) -> bool:
        return name in self.drivers

    def missing(self, names: Iterable[str] = FACE_NAMES) -> tuple[str, ...]:
        """Those of ``names`` that this face cannot show."""
        return tuple(name for name in names if name not in self.drivers)

    def morph_weights(self, amounts: Mapping[str, float], morph_count: int) -> FloatArray:
        """(M,) the morph weights that show ``amounts``, canonical name to 0 ... 1; what the face lacks is left out.

        Raises:
            UnknownNameError: for a name that is in no face.
        """
        weights = np.zeros(morph_count)
        for name, amount in amounts.items():
            _require_name(name)
            for driver in self.drivers.get(name, ()):
                if driver.morph is not None:
                    weights[driver.morph] += amount * driver.weight
        return locked(weights)


def find_face(character: Character) -> FaceMap:
    """The face of ``character`` as far as its morphs carry canonical names, in any usual spelling of them.

    ``eye_blink_left``, ``eyeBlinkLeft`` and ``EyeBlinkLeft`` are one name. Other names are for a recogniser.
    """
    canonical = {_folded(name): (name,) for name in FACE_NAMES} | {_folded(s): n for s, n in SHORT_NAMES.items()}
    drivers: dict[str, tuple[FaceDriver, ...]] = {}
    for index, morph in enumerate(character.morph_names):
        for name in canonical.get(_folded(morph), ()):
            drivers.setdefault(name, (FaceDriver(1.0, morph=index),))
    return FaceMap(drivers)


def _folded(name: str) -> str:
    return re.sub(r"[\s_.-]+", "", name).casefold()


def _require_name(name: str) -> None:
    if name not in FACE_NAMES:
        raise UnknownNameError("the face", "expression", name, FACE_NAMES)
