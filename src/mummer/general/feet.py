"""Which feet a body stands on, and how low it must stay to keep them on the ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.intent import UP, Intent
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.ik.analytic.limb_joints import LimbJoints, find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion

HANGING = 0.35
"""A foot whose lowest joint is farther above the ground at rest than this part of its leg is not stood on."""
STRAIGHT = 0.985
"""A leg goes no farther than this part of its length, or as far as at rest."""
SOFT = 0.003
"""Over this part of its length a leg holds the body back before it is straight."""

MOST = 0.15
"""A root comes down by at most this part of the shortest leg; feet that are still too far are let go."""


@kept
def standing_feet(physique: Physique) -> tuple[tuple[int, bool], ...]:
    """The feet on the ground at rest, and of each whether it is flat: whether it keeps its turn while it stands."""
    parents = physique.character.skeleton.parents
    feet = physique.anatomy.capabilities.get("foot", ())
    lowest = _lowest(physique)
    return tuple(
        (foot, bool(np.any(parents == foot))) for foot in feet if lowest[foot] < HANGING * physique.limb_lengths[foot]
    )


def _lowest(physique: Physique) -> FloatArray:
    """(J,) metres above the ground, at rest, of the lowest of each joint and all that it carries.

    What is called the foot of a horse is its wrist or its heel, half way up the leg; it stands on what hangs from that.
    """
    lowest = np.array(physique.positions[:, 1])
    for joint in range(len(lowest) - 1, 0, -1):
        above = physique.character.skeleton.parents[joint]
        if above >= 0:
            lowest[above] = min(lowest[above], lowest[joint])
    return lowest


def drop_needed(intent: Intent, feet: Sequence[int]) -> FloatArray:
    """(T, 3) metres in the world, down, by which the root must come so that legs reach the places of ``feet``."""
    drops = np.zeros(len(intent))
    up = quaternion.rotate(intent.stage_rotations, UP)
    for foot in feet:
        leg = _leg(intent.physique, foot)
        if leg is None:
            continue
        origin, turned = intent.carrier(foot)
        away = origin + quaternion.rotate(turned, intent.physique.positions[leg.base]) - intent.places[foot].values
        height = np.vecdot(away, up)
        across = np.maximum(np.vecdot(away, away) - height**2, 0.0)
        length = leg_length(intent.physique, foot)
        lacking = height - np.sqrt(np.maximum(length**2 - across, 0.0))
        soft = SOFT * length
        drops = np.maximum(drops, np.where(lacking > soft, lacking, np.maximum(lacking + soft, 0.0) ** 2 / (4 * soft)))
    most = MOST * min((leg_length(intent.physique, foot) for foot in feet if _leg(intent.physique, foot)), default=1.0)
    return np.asarray((most * np.tanh(drops / most))[:, None] * up)


@kept
def leg_length(physique: Physique, foot: int) -> float:
    """Metres from the hip to the foot joint of a leg that is straight."""
    leg = _leg(physique, foot)
    assert leg is not None
    hip, knee, end = physique.positions[[leg.base, leg.middle, leg.tip]]
    whole = float(np.linalg.norm(knee - hip) + np.linalg.norm(end - knee))
    rest = float(np.linalg.norm(end - hip))
    # At rest nothing must be pulled down, however soft the limit is.
    return max(STRAIGHT * whole, rest) + SOFT * whole


def _leg(physique: Physique, foot: int) -> LimbJoints | None:
    return find_limb(rigid_body(physique.character), foot)
