"""The volume of a body: tapered capsules that move with its joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked, require_finite
from mummer.errors import InputError


@dataclass(frozen=True, eq=False)
class Volume:
    """C capsules, each the hull of two balls that may differ in size, each moving with one joint.

    Attributes:
        joints: (C,) the joint that carries each capsule; a joint may carry several, or none.
        ends: (C, 2, 3) the centres of both balls in the joint's own frame, metres.
        radii: (C, 2) metres.
        misfit: (C,) the median distance from the surface that a capsule was fitted to, metres; zero where there was
            no surface.
    """

    joints: IntArray
    ends: FloatArray
    radii: FloatArray
    misfit: FloatArray

    def __post_init__(self) -> None:
        count = len(np.asarray(self.joints))
        object.__setattr__(self, "joints", locked(self.joints, np.int64))
        for name, shape in (("ends", (count, 2, 3)), ("radii", (count, 2)), ("misfit", (count,))):
            values = locked(getattr(self, name))
            if values.shape != shape:
                raise InputError(f"{name} of a volume have shape {values.shape}; expected {shape}")
            require_finite(values, f"{name} of a volume")
            object.__setattr__(self, name, values)
        if np.any(self.radii < 0):
            raise InputError("a radius of a volume is negative")

    def __len__(self) -> int:
        return len(self.joints)

    def of(self, joint: int) -> IntArray:
        """The capsules that ``joint`` carries."""
        return np.flatnonzero(self.joints == joint)

    @property
    def lengths(self) -> FloatArray:
        """(C,) metres between the centres of both balls."""
        return np.asarray(np.linalg.norm(self.ends[:, 1] - self.ends[:, 0], axis=1))

    @property
    def cubic_metres(self) -> FloatArray:
        """(C,) how much each capsule holds, close enough to compare them: a cut cone and the halves of two balls."""
        one, other = self.radii.T
        cone = np.pi / 3 * self.lengths * (one**2 + one * other + other**2)
        return np.asarray(cone + np.pi * 2 / 3 * (one**3 + other**3))
