"""Placing hands and feet in closed form: the quick way to do what is wanted, where limbs alone can."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.context_limbs import chain_to
from mummer.general.intent import Intent
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.general.variants import side_of
from mummer.ik import BodyPoint
from mummer.ik.analytic.limb_joints import LimbJoints, find_limb
from mummer.ik.analytic.limbs import Limbs, make_limbs
from mummer.ik.analytic.place_limb import ASKED, HAS_PLACE, HAS_POLE, HAS_TURN, PLACE, POLE, TURN
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion

SOFTNESS = 0.005
"""Over this last part of its reach a limb follows less and less."""
ELBOW = np.array([0.55, -0.75, -0.35])
"""Where the elbows of arms go that are far from rest: outwards, down and back."""
NEAR, FAR = 0.1, 0.6
"""Parts of a limb's length: nearer to rest than the first, elbows are as at rest; beyond the second, as above."""


@dataclass(frozen=True, eq=False)
class Arm:
    """A limb whose elbow goes where elbows go.

    Attributes:
        base: (3,) where the limb begins, at rest in character space.
        rest: (3,) unit, where the elbow points at rest.
        bent: (3,) unit, where it points when the limb is far from rest.
        length: metres.
    """

    base: FloatArray
    rest: FloatArray
    bent: FloatArray
    length: float


@dataclass(frozen=True, eq=False)
class LimbSet:
    """The limbs that end in some joints.

    Attributes:
        tips: the joints that they end in.
        limbs: ready to be placed; None if there are none.
        arms: for each limb how its elbow goes, or None.
        stubs: joints of limbs too short to bend, which can only point, each with the joint that turns it.
        others: joints that have no limb of their own, or share one.
    """

    tips: tuple[int, ...]
    limbs: Limbs | None
    arms: tuple[Arm | None, ...]
    stubs: tuple[tuple[int, int], ...]
    others: tuple[int, ...]

    def place(self, intent: Intent, rotations: FloatArray, roots: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(T, J, 4) rotations with the limbs where they should be, and (T,) metres by which they miss what is exact.

        Args:
            intent: what is wanted.
            rotations: (T, J, 4) parent_from_joint.
            roots: (T, 3) where the first joint is.
        """
        if self.limbs is None:
            return rotations, np.zeros(len(roots))
        placed, misses = self.limbs.run(rotations, roots, self._asked(intent), softness=SOFTNESS)
        exact = [row for row, tip in enumerate(self.tips) if tip in intent.exact]
        return placed, misses[:, exact].max(axis=1, initial=0.0)

    def _asked(self, intent: Intent) -> FloatArray:
        asked = np.zeros((len(intent), len(self.tips), ASKED))
        for row, (tip, arm) in enumerate(zip(self.tips, self.arms, strict=True)):
            carried, turned = intent.carried(tip)
            track = intent.places[tip]
            if track.offset is not None:
                carried = carried + quaternion.rotate(turned, track.offset)
            places = track.at(carried)
            asked[:, row, PLACE:HAS_PLACE], asked[:, row, HAS_PLACE] = places, 1.0
            if tip in intent.turns:
                asked[:, row, TURN:HAS_TURN] = intent.turns[tip].at(turned)
                asked[:, row, HAS_TURN] = 1.0
            if arm is not None:
                asked[:, row, POLE:HAS_POLE] = _pole(intent, tip, arm, np.linalg.norm(places - carried, axis=1))
                asked[:, row, HAS_POLE] = 1.0
        return asked


def limb_set(physique: Physique, intent: Intent) -> LimbSet:
    """The limbs of the joints that have a place to be."""
    points = []
    for joint, track in intent.places.items():
        if joint != physique.root:
            points.append((joint, None if track.offset is None else tuple(track.offset.tolist())))
    return _limb_set(physique, tuple(points))


@kept
def _limb_set(physique: Physique, points: tuple[tuple[int, tuple[float, ...] | None], ...]) -> LimbSet:
    body = rigid_body(physique.character)
    found = {joint: find_limb(body, joint) for joint, _ in points}
    single = [
        (joint, offset)
        for joint, offset in points
        if _is_single(physique, joint, found[joint], [limb for other, limb in found.items() if other != joint])
    ]
    tips = tuple(joint for joint, _ in single)
    stubs = tuple((joint, base) for joint, _ in points if joint not in tips and (base := _stub(physique, joint)) >= 0)
    short = {joint for joint, _ in stubs}
    others = tuple(joint for joint, _ in points if joint not in tips and joint not in short)
    if not single:
        return LimbSet((), None, (), stubs, others)
    parts = [joint if offset is None else BodyPoint(joint, offset) for joint, offset in single]  # type: ignore[arg-type]
    return LimbSet(
        tips,
        make_limbs(physique.character, parts),
        tuple(_arm(physique, tip, found[tip]) for tip in tips),
        stubs,
        others,
    )


def _is_single(physique: Physique, tip: int, limb: LimbJoints | None, others: Iterable[LimbJoints | None]) -> bool:
    """Whether a joint has a limb that is off the spine and its alone."""
    if limb is None or limb.base in physique.spine or tip in physique.spine or limb.base == physique.root:
        return False
    able = physique.anatomy.capabilities
    if any(tip in able.get(kind, ()) for kind in ("head", "mouth", "jaw", "eye", "ear")):
        return False
    own = {limb.base, limb.middle, limb.tip}
    return not any(other is not None and own & {other.base, other.middle, other.tip} for other in others)


def _stub(physique: Physique, tip: int) -> int:
    """The joint that turns a limb of one bone, off the spine and alone; -1 for any other part."""
    chain = chain_to(physique, tip)
    if len(chain) != 3:
        return -1
    able = physique.anatomy.capabilities
    if any(tip in able.get(kind, ()) for kind in ("head", "mouth", "jaw", "eye", "ear")):
        return -1
    return chain[1]


def _arm(physique: Physique, tip: int, limb: LimbJoints | None) -> Arm | None:
    """How the elbow of a limb that ends in a hand goes; None for legs."""
    if limb is None or tip not in physique.anatomy.capabilities.get("grasper", ()):
        return None
    base, middle, end = physique.positions[[limb.base, limb.middle, limb.tip]]
    along = end - base
    out = middle - base - along * ((middle - base) @ along) / max(float(along @ along), 1e-12)
    bent = ELBOW * [side_of(physique, tip) or 1, 1, 1]
    length = float(np.linalg.norm(middle - base) + np.linalg.norm(end - middle))
    if np.linalg.norm(out) < 0.02 * length:
        out = bent - along * (bent @ along) / max(float(along @ along), 1e-12)
    size = float(np.linalg.norm(out))
    if size < 1e-9:
        return None
    return Arm(base, out / size, bent / float(np.linalg.norm(bent)), length)


def _pole(intent: Intent, tip: int, arm: Arm, away: FloatArray) -> FloatArray:
    """(T, 3) a place that the elbow points to, for a hand that is ``away`` (T,) metres from rest."""
    origin, turned = intent.carrier(tip)
    share = np.clip((away / arm.length - NEAR) / (FAR - NEAR), 0.0, 1.0)[:, None]
    share = share * share * (3 - 2 * share)
    way = arm.rest * (1 - share) + arm.bent * share
    return np.asarray(origin + quaternion.rotate(turned, arm.base + 3 * arm.length * way))
