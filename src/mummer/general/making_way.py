"""Which parts of a body make way when they would go through others or into the ground, and how."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.general.context_limbs import chain_to
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.ik.analytic.limb_joints import find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume.willing import hinge_axes

STAYS = ("neck", "abdomen")
"""Limbs that count as trunk: others make way for them."""
GIRDLE = 0.2
"""How willingly the first joint of an arm of four turns, beside the others: it is a collar bone."""
BUSY = 0.15
"""How willingly a neck turns away whose head, or what is on it, has a place to be."""
PLANTED, LIFTED = 0.04, 0.2
"""Parts of a leg's length: a foot lower than the first above its place at rest stays where it is; higher than the
second it makes way as a hand does."""


@dataclass(frozen=True, eq=False)
class Ways:
    """How joints and limbs may turn to make way.

    A limb whose tip is placed keeps the turn of its tip: it swings about the line from base to tip, and as far as the
    tip may move it turns at its base and its middle. All others turn at every joint.

    Attributes:
        limbs: (J,) the limb that each joint is of, -1 for the trunk.
        necks: (J,) likewise the neck, with its head and all on it: these make way for the rest of the trunk alone.
        is_end: (J,) one for the tip of a placed limb and what hangs on it, else zero.
        bases, middles, tips: (L,) joints of each limb; -1 for middle and tip of one that is not placed.
        willing: (J,) how willingly joints of limbs that are not placed turn away from other parts.
        supple: (J,) how willingly joints turn up from the ground.
        hinges: (J, 3) the axis of joints that turn about one only, in their own frame, else zero.
        planted: (L, 2) metres above the ground from which on the tip may move, and over which it comes to move freely.
    """

    limbs: IntArray
    necks: IntArray
    is_end: IntArray
    bases: IntArray
    middles: IntArray
    tips: IntArray
    willing: FloatArray
    supple: FloatArray
    hinges: FloatArray
    planted: FloatArray


@kept
def ways_of(physique: Physique, placed: tuple[int, ...]) -> Ways:
    """How a body makes way while the joints ``placed`` have a place to be."""
    limbs, bases = _limbs(physique)
    necks, bases = _necks(physique, limbs, bases)
    count = len(bases)
    middles, tips = np.full(count, -1), np.full(count, -1)
    planted = np.tile([-np.inf, 1.0], (count, 1))
    for tip in sorted(placed):
        limb = int(limbs[tip])
        bend = _bend(physique, tip)
        if limb < 0 or tips[limb] >= 0 or bend is None:
            continue
        bases[limb], middles[limb] = bend
        tips[limb] = tip
        if tip in physique.anatomy.capabilities.get("foot", ()):
            length = physique.limb_lengths[tip]
            planted[limb] = physique.positions[tip, 1] + PLANTED * length, (LIFTED - PLANTED) * length
    is_end = np.zeros(len(physique), bool)
    parents = physique.character.skeleton.parents
    for joint, parent in enumerate(parents):
        is_end[joint] = joint in tips or (parent >= 0 and is_end[parent])
    willing, supple = _willing(physique, limbs, tips, is_end)
    busy = {int(necks[joint]) for joint in placed}
    for joint in _turning(physique):
        if necks[joint] >= 0:
            willing[joint] = BUSY if necks[joint] in busy else 1.0
    return Ways(
        locked(limbs, np.int64), locked(necks, np.int64), locked(is_end, np.int64), locked(bases, np.int64),
        locked(middles, np.int64), locked(tips, np.int64), locked(willing), locked(supple),
        locked(hinge_axes(physique.character)), locked(planted),
    )  # fmt: skip


@kept
def _limbs(physique: Physique) -> tuple[IntArray, IntArray]:
    """(J,) the limb of each joint, -1 for the trunk, and (L,) the first joint of each limb."""
    parents = physique.character.skeleton.parents
    trunk = {physique.root, *physique.spine, *physique.anatomy.capabilities.get("head", ())}
    found = np.full(len(physique), -1)
    bases: list[int] = []
    kinds = {joint: limb.kind for limb in physique.anatomy.limbs for joint in limb.joints}
    for joint, parent in enumerate(parents):
        if joint in trunk or kinds.get(joint) in STAYS:
            continue
        if parent >= 0 and found[parent] >= 0:
            found[joint] = found[parent]
        elif joint in kinds:
            found[joint] = len(bases)
            bases.append(joint)
    return found, np.array(bases, np.int64)


def _necks(physique: Physique, limbs: IntArray, bases: IntArray) -> tuple[IntArray, IntArray]:
    """(J,) the neck of each joint, -1 for all others, and (L,) the first joint of each limb and of each neck."""
    found, every = np.full(len(physique), -1), bases.tolist()
    starts = _turning(physique)
    for joint, parent in enumerate(physique.character.skeleton.parents):
        if limbs[joint] >= 0:
            continue
        if parent >= 0 and found[parent] >= 0:
            found[joint] = found[parent]
        elif joint in starts:
            found[joint] = len(every)
            every.append(joint)
    return found, np.array(every, np.int64)


def _turning(physique: Physique) -> set[int]:
    """The joints of necks, and the heads, that are not of the spine."""
    heads = set(physique.anatomy.capabilities.get("head", ()))
    heads |= {joint for limb in physique.anatomy.limbs if limb.kind == "neck" for joint in limb.joints}
    return heads - {physique.root, *physique.spine}


def _bend(physique: Physique, tip: int) -> tuple[int, int] | None:
    """The base and the middle of the limb that ends in ``tip``; None if it is too short to bend."""
    chain = chain_to(physique, tip)
    if len(chain) < 4:
        return None
    limb = find_limb(rigid_body(physique.character), tip)
    if limb is not None and limb.base in chain[1:]:
        return limb.base, limb.middle
    return chain[1], chain[len(chain) // 2]


def _willing(physique: Physique, limbs: IntArray, tips: IntArray, is_end: BoolArray) -> tuple[FloatArray, FloatArray]:
    """(J,) how willingly joints turn away from other parts, and (J,) up from the ground."""
    is_free = np.array([limb >= 0 and tips[limb] < 0 for limb in limbs], bool)
    digits = list(physique.anatomy.capabilities.get("digit", ()))
    fingers = {joint for limb in physique.anatomy.limbs if limb.kind in ("finger", "toe") for joint in limb.joints}
    willing = is_free.astype(np.float64)
    # A hand moves as the arm moves it: its fingers alone would bend out of the way.
    willing[[*digits, *fingers]] = 0.0
    for limb in physique.anatomy.limbs:
        if limb.kind == "arm" and len(limb.joints) > 3:
            willing[limb.joints[0]] *= GIRDLE
    return willing, np.where(is_end, 1.0, is_free)
