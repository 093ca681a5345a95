"""Gestures ask hands for no more than their arms can do: what is only shown, not touched, stays within reach."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limits import HINGE
from mummer.general.context_limbs import chain_to, walk_limb
from mummer.general.intent import Intent
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.kernels import quaternions

SOFT, FULL = 0.9, 0.97
"""Shares of an arm's length: up to the first a hand goes where it should, and never beyond the second."""

SLACK = 1.3
"""How much less than all of the way a hand on a hinge points: above one, so that it never has to choose a side."""


def within_reach(intent: Intent, joint: int, places: FloatArray) -> FloatArray:
    """(T, 3) in the world: ``places`` of a hand, drawn in towards its shoulder as far as its arm needs.

    Parts that are no hands stay where they are wanted, and so does a hand that is wanted where it rests.
    """
    arm = _arm(intent.physique, joint)
    if arm is None:
        return places
    shoulder, soft, full = arm
    ways = places - _carried(intent, joint, shoulder)
    away = np.maximum(np.linalg.norm(ways, axis=1), 1e-9 * full)
    wanted = np.where(away > soft, full - (full - soft) * np.exp(-np.maximum(away - soft, 0.0) / (full - soft)), away)
    return np.asarray(places + ways * (wanted / away - 1)[:, None])


def pointing(intent: Intent, joint: int, places: FloatArray) -> tuple[int, FloatArray] | None:
    """The joint that turns a hand on an arm of one bone, and (T, 4) world_from_joint of it that point at ``places``.

    Such a hand can only point; None for any other part.
    """
    hinge = _hinge(intent.physique, joint)
    if hinge is None:
        return None
    physique = intent.physique
    rest = quaternions.rotate(intent.carrier(joint)[1], physique.positions[joint] - physique.positions[hinge])
    ways = places - _carried(intent, joint, hinge)
    # A place at the hinge itself has no direction: near it the hand stays where it rests.
    ways = ways + rest * np.exp(-np.vecdot(ways, ways) / (0.01 * np.vecdot(rest, rest)))[:, None]
    turned = intent.carried(hinge)[1]
    limits = rigid_body(physique.character).limits
    if limits.kinds[hinge] == HINGE:
        return hinge, quaternions.multiply(_about(quaternions.rotate(turned, limits.axes[hinge]), rest, ways), turned)
    return hinge, quaternions.multiply(quaternions.between_vectors(rest, ways), turned)


def _about(axes: FloatArray, rest: FloatArray, ways: FloatArray) -> FloatArray:
    """(T, 4) turns about ``axes`` (T, 3) that bring ``rest`` about half of the way to ``ways``, as far as a hinge can.

    A way along the axis has no nearest turn, and half a turn can be made either way: near those a hinge turns less.
    """
    along = rest - axes * np.vecdot(axes, rest)[:, None]
    ahead, aside = np.vecdot(along, ways), np.vecdot(np.cross(axes, along), ways)
    whole = np.maximum(np.linalg.norm(along, axis=1) * np.linalg.norm(ways, axis=1), 1e-12)
    return quaternions.exp(axes * np.arctan2(aside, ahead + SLACK * whole)[:, None])


def _carried(intent: Intent, joint: int, above: int) -> FloatArray:
    """(T, 3) where a joint of the limb of ``joint`` is if the limb does not bend."""
    origin, turned = intent.carrier(joint)
    return np.asarray(origin + quaternions.rotate(turned, intent.physique.positions[above]))


@kept
def _arm(physique: Physique, joint: int) -> tuple[int, float, float] | None:
    """The shoulder of a hand, and metres up to where it goes freely and at most; None for what is no hand."""
    if joint not in physique.anatomy.capabilities.get("grasper", ()) or len(chain_to(physique, joint)) < 4:
        return None
    shoulder = walk_limb(physique, [joint], "shoulder")[0]
    length = float(physique.limb_lengths[joint] - physique.limb_lengths[shoulder])
    soft = max(SOFT * length, float(np.linalg.norm(physique.positions[joint] - physique.positions[shoulder])))
    return shoulder, soft, max(FULL * length, soft + 0.01 * length)


@kept
def _hinge(physique: Physique, joint: int) -> int | None:
    """The joint that turns a hand on an arm of one bone."""
    chain = chain_to(physique, joint)
    is_hand = joint in physique.anatomy.capabilities.get("grasper", ())
    return chain[1] if is_hand and len(chain) == 3 else None
