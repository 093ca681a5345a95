"""How sure each role is, and why: names, shape and sides weighed against one another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from mummer.character.anatomy import Evidence
from mummer.recognition.facing import NAMES_ALONE, Facing
from mummer.recognition.learned import chances
from mummer.recognition.reading import Reading

_PARTS = {
    "upper": ("upper_arm", "upper_leg"), "upper_arm": ("upper_arm", "upper_leg"), "upper_leg": ("upper_leg",),
    "lower": ("forearm", "lower_leg"), "forearm": ("forearm", "lower_leg"), "lower_leg": ("lower_leg",),
    "foot": ("foot", "hand"), "hand": ("hand", "foot"), "shoulder": ("shoulder",), "toes": ("toes",),
    "hips": ("hips",), "spine": ("spine", "chest"), "chest": ("chest", "spine"), "neck": ("neck",), "head": ("head",),
}  # fmt: skip
_SIDES = re.compile(r"(^|_)(left|right)(_|$)")


def weigh(
    role: str,
    joint: int,
    name: str,
    reading: Reading,
    by_shape: Mapping[str, int],
    facing: Facing,
    chance: float,
    place: str,
) -> Evidence:
    """How sure it is that ``joint`` has ``role``.

    Args:
        role: for instance ``front_left_foot``.
        joint: its index.
        name: its name.
        reading: what its name says.
        by_shape: the roles that shape alone would give.
        facing: where the body looks.
        chance: how likely the choice was that gave the joint its role.
        place: what about its place speaks for the role, as half a sentence.
    """
    shape_agrees = by_shape.get(role) == joint
    vote = _vote(role, reading)
    odds = float(np.log(max(chance, 1e-3) / max(1 - chance, 1e-3)))
    features = {
        "is one": 1.0,
        "odds": odds,
        "named so": max(vote, 0.0),
        "named otherwise": max(-vote, 0.0),
        "shape agrees": float(shape_agrees),
    }
    certain = float(
        chances(
            "sure", [(True, role, joint), (False, role, joint)], {key: [value, 0.0] for key, value in features.items()}
        )[0]
    )
    reasons = []
    if vote:
        reasons.append(f"its name {name!r} says {'so' if vote > 0 else 'otherwise'}")
    if shape_agrees:
        reasons.append(f"by shape it {place}")
    else:
        reasons.append("shape alone would choose another joint" if role in by_shape else "shape alone finds none")
    certain, reasons = _with_side(role, reading, facing, certain, reasons)
    return Evidence(round(float(np.clip(certain, 0.05, 0.99)), 3), ", and ".join(reasons[:3]))


def _vote(role: str, reading: Reading) -> float:
    plain = _SIDES.sub("_", role).strip("_")
    plain = re.sub(r"^(front|hind|middle|leg_\d+)_", "", plain).removesuffix("_2")
    if "wing" in plain:
        return 1.0 if "wing" in reading.meanings else 0.0
    if plain in ("tail", "eye", "ear", "jaw", "fin", "antenna"):
        return 1.0 if plain in reading.meanings else 0.0
    finger = plain.split("_")[0]
    if finger in ("thumb", "index", "middle", "ring", "little") and finger != plain:
        return 1.0 if finger in reading.meanings else 0.0
    return reading.vote(*_PARTS.get(plain, (plain,)))


def _with_side(
    role: str, reading: Reading, facing: Facing, certain: float, reasons: Sequence[str]
) -> tuple[float, list[str]]:
    """Left and right are no surer than the front is; a name that says the other side leaves it under one half."""
    found = _SIDES.search(role)
    if not found:
        return certain, list(reasons)
    said = [*reasons]
    certain *= facing.confidence
    if reading.side and reading.side != found.group(2):
        said.insert(0, f"its name says {reading.side} but the body's front makes it {found.group(2)}")
        certain = min(certain, NAMES_ALONE)
    return certain, said
