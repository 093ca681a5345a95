"""What a file itself says its joints are (a VRM's humanoid map), and what a person says: as readings of names."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from mummer.character import Character
from mummer.recognition.reading import Reading

_WORDS = re.compile(r"[A-Z]?[a-z]+")
_VRM = {
    "hips": "hips", "spine": "spine", "chest": "chest", "neck": "neck", "head": "head",
    "Shoulder": "shoulder", "UpperArm": "upper_arm", "LowerArm": "forearm", "Hand": "hand",
    "UpperLeg": "upper_leg", "LowerLeg": "lower_leg", "Foot": "foot", "Toes": "toes",
}  # fmt: skip
_BEAST = {"upper": "upper_leg", "lower": "lower_leg", "foot": "foot", "toes": "toes", "shoulder": "shoulder"}


def with_declared(character: Character, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """The readings with those of joints replaced that the file's own humanoid map names."""
    details = character.source.details if character.source is not None else {}
    vrm = details.get("vrm")
    humanoid = vrm.get("humanoid") if isinstance(vrm, Mapping) else None
    if not isinstance(humanoid, Mapping):
        return tuple(readings)
    found = list(readings)
    for word, joint in humanoid.items():
        side = "left" if word.startswith("left") else "right" if word.startswith("right") else ""
        part = _VRM.get(str(word).removeprefix(side))
        if part and isinstance(joint, int) and 0 <= joint < len(found):
            found[joint] = _as_part(found[joint], part, side, key=f"declared {part}")
    return tuple(found)


def with_corrections(readings: Sequence[Reading], corrections: Mapping[str, int]) -> tuple[Reading, ...]:
    """The readings with those of joints replaced that a person has given a role."""
    found = list(readings)
    for role, joint in corrections.items():
        words = role.split("_")
        side = "left" if "left" in words else "right" if "right" in words else ""
        part = "_".join(word for word in words if word not in ("left", "right", "front", "hind", "middle"))
        part = _BEAST.get(part, part)
        if part in _VRM.values():
            found[joint] = _as_part(
                found[joint], part, side, key=f"declared {role.replace(side, '') if side else role}"
            )
    return tuple(found)


def _as_part(reading: Reading, part: str, side: str, *, key: str) -> Reading:
    return dataclasses.replace(
        reading, parts={part: 1.0}, side=side, helper=False, key=key, meanings=frozenset({"declared"})
    )
