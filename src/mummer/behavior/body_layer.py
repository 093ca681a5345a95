"""The layer of the whole body: poses that it is brought to while its feet stay, and small bends of single joints."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.posed import Posed
from mummer.engine.scalars import follow
from mummer.general.physique import Physique
from mummer.ik.limb_joints import find_limb
from mummer.ik.limbs import Limbs, make_limbs
from mummer.ik.rigid_body import rigid_body
from mummer.kept import kept
from mummer.kernels.scalars import Four, Three
from mummer.math import interpolate

COMES_BACK = 6.0
"""How fast, as `follow` takes it, a body that nothing is wanted of goes back."""


@dataclass(frozen=True, eq=False)
class PoseWish:
    """A pose that the body is brought to.

    Attributes:
        rotations: (J, 4) parent_from_joint.
        shift: (3,) metres from where the actor has its root.
        weight: 0 to 1.
        root: (3,) metres, where the root is in the world, in place of a shift.
        steps: whether feet go where the pose has them; else they stay where they stand.
    """

    rotations: FloatArray
    shift: FloatArray
    weight: float
    root: FloatArray | None = None
    steps: bool = False


@kept
def legs_of(physique: Physique) -> Limbs | None:
    """The legs that stand, ready to be placed."""
    body = rigid_body(physique.character)
    feet = [joint for joint in physique.anatomy.capabilities.get("foot", ()) if find_limb(body, joint) is not None]
    return make_limbs(physique.character, feet) if feet else None


class BodyLayer:
    """Brings the body to poses and bends joints.

    Attributes:
        pose: what is wanted in this step; forgotten after it.
        bends: joint to rotation in left, up and front of the body by which it is turned on in this step; forgotten
            after it.
        shift: metres that the whole body is moved in this step, feet staying; forgotten after it.
    """

    def __init__(self, physique: Physique) -> None:
        self.physique, self._legs = physique, legs_of(physique)
        self.pose: PoseWish | None = None
        self.bends: dict[int, Four] = {}
        self.shift: Three = (0.0, 0.0, 0.0)
        self._last: PoseWish | None = None
        self._weight = [0.0, 0.0]

    def apply(self, posed: Posed, seconds: float) -> None:
        """Blend in the pose, bend joints, and put feet back where they stood; see `Layer`."""
        wish = self.pose
        if wish is not None:
            self._last, self._weight = wish, [wish.weight, 0.0]
        elif self._last is not None:
            self._weight[:] = follow(self._weight[0], self._weight[1], 0.0, COMES_BACK, seconds)
            wish = replace(self._last, weight=self._weight[0])
            if self._weight[0] < 1e-4:
                self._last = wish = None
        if wish is not None or any(self.shift):
            self._blend(wish, posed)
        for joint, bend in self.bends.items():
            posed.turn(joint, bend)
        self.pose, self.bends, self.shift = None, {}, (0.0, 0.0, 0.0)

    def _blend(self, wish: PoseWish | None, posed: Posed) -> None:
        legs = None if wish is not None and wish.steps else self._legs
        places, turns = posed.world
        if legs is not None:
            feet = [limb.tip for limb in legs.joints]
            stood, faced = places[feet].copy(), turns[feet].copy()
        move = np.array(self.shift)
        if wish is not None:
            posed.rotations[:] = interpolate.nlerp(posed.rotations, wish.rotations, wish.weight)
            move = move + wish.weight * (wish.shift if wish.root is None else wish.root - posed.root)
        posed.move((float(move[0]), float(move[1]), float(move[2])))
        if legs is not None:
            held, _ = legs.place(posed.rotations[None], posed.root[None], stood[None], turns=faced[None])
            posed.rotations[:] = held[0]
        posed.changed()
