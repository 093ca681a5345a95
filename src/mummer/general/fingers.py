"""How the fingers of a hand curl: about which axes, which way closes, and how far they go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limits import FREE, HINGE, PIVOT
from mummer.general.physique import Physique
from mummer.kept import kept
from mummer.kernels import quaternions

CLOSED, OPENED = 0.85, 0.9
"""How much of what joints can do is a closed and an open hand."""
CLOSED_UNKNOWN, OPENED_UNKNOWN = np.radians(65), np.radians(8)
"""Radians a joint where nothing is known."""
LOPSIDED = 1.5
"""A joint that goes this many times farther one way than the other closes that way."""
BENT = 0.05
"""Sine of the bend at rest from which on a finger shows which way it curls."""


@dataclass(frozen=True, eq=False)
class Curl:
    """A joint that turns as a part opens and closes.

    Attributes:
        joint: which.
        axis: (3,) unit, in the joint's own frame.
        opened: radians about it when the part is wide open.
        closed: radians about it when the part is closed.
    """

    joint: int
    axis: FloatArray
    opened: float
    closed: float


@kept
def curls_of(physique: Physique, hand: int) -> tuple[Curl, ...]:
    """The joints of the fingers, toes or claws of a hand or foot."""
    skeleton = physique.character.skeleton
    digits = set(physique.anatomy.capabilities.get("digit", ()))
    below: list[int] = []
    for joint, parent in enumerate(skeleton.parents):
        if (parent == hand or parent in below) and (joint in digits or parent in below):
            below.append(joint)
    return tuple(curl for joint in below if (curl := _curl(physique, hand, joint, below)) is not None)


def _curl(physique: Physique, hand: int, joint: int, fingers: list[int]) -> Curl | None:
    limits = physique.character.limits
    if limits is None or limits.kinds[joint] == FREE:
        axis = _axis_at_rest(physique, hand, joint)
        return None if axis is None else Curl(joint, axis, -OPENED_UNKNOWN, CLOSED_UNKNOWN)
    if limits.kinds[joint] not in (HINGE, PIVOT):
        return None
    low, high = (float(angle) for angle in limits.ranges[joint])
    axis = limits.axes[joint]
    is_up = high > -low if max(high, -low) > LOPSIDED * min(high, -low) else _closes(physique, joint, axis, fingers)
    closed, opened = (high, low) if is_up else (low, high)
    return Curl(joint, axis, OPENED * opened, CLOSED * closed)


def _closes(physique: Physique, joint: int, axis: FloatArray, fingers: list[int]) -> bool:
    """Whether turning about ``axis`` brings the end of a finger nearer to the middle of all ends."""
    skeleton, places = physique.character.skeleton, physique.positions
    ends = [finger for finger in fingers if not np.any(skeleton.parents == finger)]
    middle = places[ends].mean(axis=0)
    tip = joint
    while (below := np.flatnonzero(skeleton.parents == tip)).size:
        tip = int(below[0])
    about = quaternions.rotate(physique.rotations[joint], axis)
    return float(np.cross(about, places[tip] - places[joint]) @ (middle - places[tip])) >= 0


def _axis_at_rest(physique: Physique, hand: int, joint: int) -> FloatArray | None:
    """(3,) in the joint's frame, the axis about which a finger is bent at rest, or would be to go down."""
    skeleton, places = physique.character.skeleton, physique.positions
    below = np.flatnonzero(skeleton.parents == joint)
    above = int(skeleton.parents[joint])
    end = places[int(below[0])] if below.size else 2 * places[joint] - places[above]
    into, out = places[joint] - places[above], end - places[joint]
    lengths = float(np.linalg.norm(into) * np.linalg.norm(out))
    bend = np.cross(into, out)
    if above == hand or np.linalg.norm(bend) < BENT * lengths:
        bend = np.cross(out, np.array([0.0, -1.0, 0.0]))
    size = float(np.linalg.norm(bend))
    if not size > 1e-9 * max(lengths, 1e-12):
        return None
    return np.asarray(quaternions.rotate(quaternions.conjugate(physique.rotations[joint]), bend / size))
