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
from mummer.kernels import quaternions

HANGING = 0.35
"""A foot whose lowest joint is farther above the ground at rest than this part of its leg is not stood on."""
STRAIGHT = 0.985
"""A leg goes no farther than this part of its length, or as far as at rest."""
SOFT = 0.003
"""Over this part of its length a leg holds the body back before it is straight."""

FREELY, MOST = 0.09, 0.15
"""A root comes down freely by the first part of the shortest leg, and by the second at most; feet that are still too
far are let go."""


LIFTED = 0.08
"""A foot that is higher above its place than this part of its leg does not stand."""


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


def drop_needed(intent: Intent, feet: Sequence[int], standing: FloatArray) -> FloatArray:
    """(T, 3) metres in the world, down, by which the root must come so that legs reach the places of ``feet``.

    Args:
        intent: what is wanted.
        feet: which stand.
        standing: (T, F) how much each of them stands, 0 to 1.
    """
    up = quaternions.rotate(intent.stage_rotations, UP)
    drops = np.max(lacking_drop(intent, feet) * standing, axis=1, initial=0.0)
    free = drop_room(intent.physique, feet)
    most = free * (MOST / FREELY)
    over = most - (most - free) * np.exp(-np.maximum(drops - free, 0.0) / (most - free))
    return np.asarray(np.where(drops > free, over, drops)[:, None] * up)


def drop_room(physique: Physique, feet: Sequence[int]) -> float:
    """Metres that the root comes down without holding back."""
    return FREELY * min((leg_length(physique, foot) for foot in feet if _leg(physique, foot)), default=1.0)


def lacking_drop(intent: Intent, feet: Sequence[int]) -> FloatArray:
    """(T, F) metres by which each hip is too high for its leg to reach the place of its foot."""
    up = quaternions.rotate(intent.stage_rotations, UP)
    drops = np.zeros((len(intent), len(feet)))
    for column, foot in enumerate(feet):
        leg = _leg(intent.physique, foot)
        if leg is None:
            continue
        origin, turned = intent.carrier(foot)
        away = origin + quaternions.rotate(turned, intent.physique.positions[leg.base]) - intent.places[foot].values
        height = np.vecdot(away, up)
        across = np.sqrt(np.maximum(np.vecdot(away, away) - height**2, 0.0))
        length = leg_length(intent.physique, foot)
        # What is too far to the side is lacking too, though coming down does not help.
        lacking = height - np.sqrt(np.maximum(length**2 - across**2, 0.0)) + np.maximum(across - length, 0.0)
        soft = SOFT * length
        drops[:, column] = np.where(lacking > soft, lacking, np.maximum(lacking + soft, 0.0) ** 2 / (4 * soft))
    return drops


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


def standing_shares(intent: Intent, feet: Sequence[int]) -> FloatArray:
    """(T, F) how much each foot stands by where it should be: all on the ground, nothing when it is lifted."""
    shares = np.ones((len(intent), len(feet)))
    up = quaternions.rotate(intent.stage_rotations, UP)
    for column, foot in enumerate(feet):
        height = np.vecdot(intent.places[foot].values - intent.stage_positions, up) - intent.physique.positions[foot, 1]
        lifted = np.clip(height / (LIFTED * intent.physique.limb_lengths[foot]), 0.0, 1.0)
        shares[:, column] = (1.0 - lifted) ** 2 * intent.places[foot].weights
    return shares
