"""How sure each role is, and why: names, shape and sides weighed against one another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from mummer.character.anatomy import Evidence
from mummer.recognition.facing import Facing
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
    doubt: float,
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
        doubt: 0 if the shape is as it should be, 1 or more if it is not.
        place: what about its place speaks for the role, as half a sentence.
    """
    shape_agrees = by_shape.get(role) == joint
    vote = _vote(role, reading)
    certain = float(np.clip(0.86 - 0.3 * np.clip(doubt, 0.0, 1.2), 0.45, 0.9))
    reasons = []
    if vote > 0:
        reasons.append(f"its name {name!r} says so")
        certain = 1 - (1 - certain) * (0.3 if shape_agrees else 0.8)
    elif vote < 0:
        reasons.append(f"its name {name!r} says otherwise")
        certain *= 0.75
    if shape_agrees:
        reasons.append(f"by shape it {place}")
    else:
        reasons.append("shape alone would choose another joint" if role in by_shape else "shape alone finds none")
        certain *= 0.85
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
    """Left and right are as sure as the front is; a name that says the other side halves that."""
    found = _SIDES.search(role)
    if not found:
        return certain, list(reasons)
    said = [*reasons]
    certain *= facing.confidence**0.5 if facing.confidence > 0.5 else facing.confidence
    if reading.side and reading.side != found.group(2):
        said.insert(0, f"its name says {reading.side} but the body's front makes it {found.group(2)}")
        certain = min(certain, 0.4)
    return certain, said
