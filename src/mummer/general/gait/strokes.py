"""What bodies without ground to push against move by: tails that sweep, fins and wings that beat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limb import Limb
from mummer.general.modes.rotation_map import AXIAL
from mummer.general.physique import Physique
from mummer.kept import kept

SWEEP, LATE = 0.55, 0.9
"""Radians that a tail is bent over its whole length to either side, and by how much its tip is late."""
FINS, WINGS = 0.35, 0.6
"""Radians that fins and wings are raised and lowered, all their joints together."""
BEAT, WING_BEAT = 2.2, 0.9
"""Seconds of one beat of tails and fins, and of wings, in roots of (half the body's height / gravity)."""
IDLE = 0.2
"""How strong strokes are, and half of how fast, of a body that stays where it is."""
FLAT = 2.0
"""Bodies that are wider than high by this factor sweep their tails up and down, as rays and whales do."""


@dataclass(frozen=True, eq=False)
class Stroke:
    """One limb that beats.

    Attributes:
        joints: (n,) from its base to its tip.
        bends: (n, 3) how far each is bent at most, about the body's left, up and ahead, radians.
        late: (n,) radians of a beat by which each is late.
        is_wing: whether it keeps the time of wings.
    """

    joints: tuple[int, ...]
    bends: FloatArray
    late: FloatArray
    is_wing: bool


@kept
def strokes_of(physique: Physique) -> tuple[Stroke, ...]:
    """The limbs that a floating body moves by."""
    wide, high, _ = physique.size
    aside = np.array([1.0, 0.0, 0.0]) if wide > FLAT * high else np.array([0.0, 1.0, 0.0])
    limbs = physique.anatomy.limbs
    swims = any(limb.kind == "fin" for limb in limbs)
    found = [_stroke(limb, SWEEP * aside, growing=True) for limb in limbs if limb.kind == "tail" and swims]
    raised = np.array([0.0, 0.0, 1.0])
    found += [_stroke(limb, FINS * raised, growing=False) for limb in _of_sides(limbs, "fin")]
    found += [_stroke(limb, WINGS * raised, growing=False) for limb in _of_sides(limbs, "wing")]
    return tuple(found)


def _of_sides(limbs: Iterable[Limb], kind: str) -> list[Limb]:
    return [limb for limb in limbs if limb.kind == kind and limb.side != "center"]


def _stroke(limb: Limb, whole: FloatArray, *, growing: bool) -> Stroke:
    """The stroke of a limb that is bent by ``whole`` (3,) all together, most at its tip if ``growing``."""
    count = len(limb.joints)
    shares = np.arange(1, count + 1) if growing else np.ones(count)
    bends = whole * (AXIAL if limb.side == "right" else 1.0) * (shares / shares.sum())[:, None]
    return Stroke(limb.joints, bends, LATE * np.arange(count) / max(count - 1, 1), limb.kind == "wing")
