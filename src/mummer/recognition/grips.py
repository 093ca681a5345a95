"""Grips: where a hand holds a thing, and how the thing is turned, from the fingers where there are any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Socket
from mummer.math import quaternion
from mummer.recognition.roles import Sided

PALM, DEPTH = 0.75, 0.2
"""How far along the palm the middle of a held shaft lies, and how far out of it, in lengths of the palm."""


def find_grips(
    limbs: Sequence[Sided],
    digits: Mapping[str, Mapping[str, tuple[int, ...]]],
    rest: FloatArray,
    front: FloatArray,
    up: FloatArray,
) -> tuple[Socket, ...]:
    """A socket for each hand: ``left_grip``, ``right_grip``, and ``left_grip_2`` ... for further arms.

    +Y of a grip leads along what is held, out of the fist on the side of the thumb; +Z leads where the fingers point.

    Args:
        limbs: both sides of every limb pair.
        digits: limb name to its digits by name.
        rest: (J, 3, 4) world_from_joint at rest.
        front: (3,) where the body looks.
        up: (3,) unit vector.
    """
    found = []
    for limb in limbs:
        if limb.kind == "arm" and "end" in limb.places:
            number = "" if limb.rank == 0 else f"_{limb.rank + 1}"
            fingers = digits.get(limb.name, {})
            socket = _grip(f"{limb.side}_grip{number}", limb, fingers, rest, np.stack([front, up]))
            found += [socket] if socket is not None else []
    return tuple(found)


def _grip(
    name: str, limb: Sided, fingers: Mapping[str, tuple[int, ...]], rest: FloatArray, ahead: FloatArray
) -> Socket | None:
    hand, positions = limb.places["end"], rest[:, :, 3]
    bases = [chain[0] for finger, chain in fingers.items() if finger != "thumb"]
    reach = _reach(limb, bases, positions)
    length = float(np.linalg.norm(reach))
    if length < 1e-9:
        return None
    along = reach / length
    thumb = _thumb_side(hand, fingers, positions, along, ahead)
    palm = np.cross(along, thumb) * (1.0 if limb.side == "left" else -1.0)
    place = positions[hand] + length * (PALM * along + DEPTH * palm)
    turn = np.stack([np.cross(thumb, along), thumb, along], axis=1)
    frame = np.linalg.pinv(rest[hand, :, :3])
    left, _, right = np.linalg.svd(rest[hand, :, :3])
    rotation = quaternion.from_matrix((left @ right).T @ turn)
    return Socket(name, hand, (frame @ (place - positions[hand]), rotation / np.linalg.norm(rotation)))


def _reach(limb: Sided, bases: Sequence[int], positions: FloatArray) -> FloatArray:
    """(3,) from the wrist to the knuckles; without fingers a third of the forearm further on."""
    hand = positions[limb.places["end"]]
    if bases:
        step = positions[list(bases)].mean(axis=0) - hand
        if np.linalg.norm(step) > 1e-6:
            return np.asarray(step)
    above = limb.places.get("lower", limb.places.get("upper", limb.chain[0]))
    return np.asarray((hand - positions[above]) / 3)


def _thumb_side(
    hand: int, fingers: Mapping[str, tuple[int, ...]], positions: FloatArray, along: FloatArray, ahead: FloatArray
) -> FloatArray:
    """(3,) unit vector across the palm to where the thumb is; without fingers ahead, else up."""
    row = [fingers[finger][0] for finger in ("index", "middle", "ring", "little") if finger in fingers]
    choices = [positions[row[0]] - positions[row[-1]]] if len(row) > 1 else []
    if "thumb" in fingers:
        choices.append(positions[fingers["thumb"][-1]] - positions[hand])
    for choice in [*choices, *ahead, *np.eye(3)]:
        across = choice - (choice @ along) * along
        length = float(np.linalg.norm(across))
        if length > 0.1 * float(np.linalg.norm(choice)) > 0:
            return np.asarray(across / length)
    return np.asarray(ahead[0])
