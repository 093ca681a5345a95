"""What a position map knows of the joint it is for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.context_limbs import swing_length, walk_limb
from mummer.general.modes.mode import Scale
from mummer.general.modes.surface import Surface, part_volume
from mummer.general.modes.target import Target
from mummer.general.physique import Physique
from mummer.kernels import quaternions

FLIP = np.array([-1.0, 1.0, 1.0])
NOWHERE = Target(np.zeros((1, 3)))


@dataclass(frozen=True, eq=False)
class Site:
    """One joint of one body at rest, in character space or mirrored across its middle plane.

    Attributes:
        rest: (3,) where the joint is.
        base: (3,) where its limb swings from, or the spine joint is that it hangs on if it swings by itself.
        size: (3,) the extent of the body.
        height: metres, its longest side.
        limb_length: metres along the bones from there.
        target: what the movement is toward.
        thickness: metres from the joint to the skin of its own part, where that matters.
    """

    rest: FloatArray
    base: FloatArray
    size: FloatArray
    height: float
    limb_length: float
    target: Target = NOWHERE
    thickness: float = 0.0

    def scales(self, scale: Scale) -> FloatArray:
        """(3,) metres that 1 means along each axis."""
        return self.size if scale == "size" else np.full(3, self.uniform(scale))

    def uniform(self, scale: Scale) -> float:
        """Metres that 1 means where all axes must be alike."""
        return {"none": 1.0, "size": self.height, "limb": self.limb_length}[scale]

    def mirrored(self) -> Site:
        """The same across the middle plane."""
        surface: Surface | None = self.target.surface
        target = Target(self.target.positions * FLIP, None if surface is None else surface.mirrored())
        return Site(
            self.rest * FLIP, self.base * FLIP, self.size, self.height, self.limb_length, target, self.thickness
        )


def site_of(physique: Physique, joint: int, target: Target | None, offset: FloatArray | None = None) -> Site:
    """What a map must know of ``joint``, or of the point (3,) ``offset`` metres from it, in its own frame."""
    touches = target is not None and target.surface is not None
    away = np.zeros(3) if offset is None else quaternions.rotate(physique.rotations[joint], offset)
    shoulder = walk_limb(physique, [joint], "shoulder")[0]
    base = physique.limb_bases[joint] if shoulder == joint else shoulder
    return Site(
        physique.positions[joint] + away, physique.positions[base], physique.size,
        physique.height, swing_length(physique, joint) + float(np.linalg.norm(away)), target or NOWHERE,
        part_volume(physique.character, joint).thickness if touches else 0.0,
    )  # fmt: skip
