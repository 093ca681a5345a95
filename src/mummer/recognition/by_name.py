"""The roles that names alone give: for files whose rest shows no body, and that hold no motion to look at instead."""

from __future__ import annotations

from collections.abc import Sequence

from mummer.character import Skeleton
from mummer.recognition.reading import Reading

LIMBS = {"arm": ("upper_arm", "forearm", "hand"), "leg": ("upper_leg", "lower_leg", "foot")}
MIDDLE = ("hips", "spine", "chest", "neck", "head")


def roles_by_name(skeleton: Skeleton, readings: Sequence[Reading]) -> dict[str, int]:
    """Roles of a human whose names give all four limbs; empty if they do not.

    A limb is the best reading, in order, of the joints above one that is called a hand or a foot.
    """
    roles: dict[str, int] = {}
    for side in ("left", "right"):
        for parts in LIMBS.values():
            limb = _limb(skeleton, readings, side, parts)
            if limb is None:
                return {}
            roles |= {f"{side}_{part}": joint for part, joint in zip(parts, limb, strict=True)}
    for part in MIDDLE:
        named = [joint for joint, reading in enumerate(readings) if _is_middle(reading) and reading.vote(part) >= 0.8]
        if named:
            roles[part] = min(named, key=lambda joint: (int(skeleton.depths[joint]), joint))
    return roles


def _is_middle(reading: Reading) -> bool:
    return not reading.side and not reading.helper


def _limb(
    skeleton: Skeleton, readings: Sequence[Reading], side: str, parts: tuple[str, str, str]
) -> tuple[int, int, int] | None:
    """Upper, lower and end joint of one limb, or None if names do not tell."""
    upper, lower, end = parts
    ends = [joint for joint, reading in enumerate(readings) if _speaks(reading, side) and reading.vote(end) >= 0.8]
    if not ends:
        return None
    tip = min(ends, key=lambda joint: (int(skeleton.depths[joint]), joint))
    above = [joint for joint in skeleton.ancestors(tip) if _speaks(readings[joint], side)][::-1]
    choices = [
        (readings[one].vote(upper) + readings[other].vote(lower), one, other)
        for place, one in enumerate(above)
        for other in above[place + 1 :]
        if readings[one].vote(upper) > 0 and readings[other].vote(lower) > 0
    ]
    if not choices:
        return None
    _, one, other = max(choices, key=lambda choice: (choice[0], -choice[1], -choice[2]))
    return one, other, tip


def _speaks(reading: Reading, side: str) -> bool:
    return reading.side == side and not reading.helper
