"""The line of joints from the tip of the tail to the head, for bodies that move by bending it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.general.physique import Physique
from mummer.kept import kept

LOW = 0.04
"""A body lies on the ground if its lowest point is nearer to it than this part of its longest side."""


@dataclass(frozen=True, eq=False)
class Backbone:
    """Joints in a row, at rest in character space.

    Attributes:
        joints: (K,) from the tip of the tail to the head.
        root: which of them the root is.
        places: (K, 3) metres.
        bones: (K - 1,) metres from each to the next.
    """

    joints: IntArray
    root: int
    places: FloatArray
    bones: FloatArray

    @property
    def length(self) -> float:
        """Metres from end to end."""
        return float(self.bones.sum())


@kept
def backbone_of(physique: Physique) -> Backbone:
    """The backbone of a body: up the tail to the root, and along the spine to the foremost head."""
    anatomy = physique.anatomy
    heads = anatomy.capabilities.get("head", ()) or (physique.spine[-1],)
    front = _to_root(physique, max(heads, key=lambda joint: (physique.positions[joint, 2], -joint)))
    tails = [limb.tip for limb in anatomy.limbs if limb.kind == "tail"]
    behind = _to_root(physique, max(tails, key=lambda tip: len(_to_root(physique, tip)))) if tails else (physique.root,)
    joints = np.array([*behind, *front[::-1][1:]])
    places = physique.positions[joints]
    return Backbone(
        locked(joints, np.int64), len(behind) - 1, locked(places),
        locked(np.linalg.norm(np.diff(places, axis=0), axis=1)),
    )  # fmt: skip


def lies_on_belly(physique: Physique) -> bool:
    """Whether a body lies on the ground at rest, along it; what has fins and no feet lies in water, on nothing."""
    if physique.anatomy.capabilities.get("fin") and not physique.anatomy.capabilities.get("foot"):
        return False
    line = backbone_of(physique).places
    level = np.ptp(line[:, 2]) > np.ptp(line[:, 1])
    return bool(physique.corners[0, 1] < LOW * physique.height and level and len(line) > 2)


def _to_root(physique: Physique, joint: int) -> tuple[int, ...]:
    """The joints from ``joint`` up to the root."""
    parents = physique.character.skeleton.parents
    found = [int(joint)]
    while found[-1] != physique.root and parents[found[-1]] >= 0:
        found.append(int(parents[found[-1]]))
    return tuple(found)
