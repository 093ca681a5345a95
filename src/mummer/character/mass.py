"""Mass: how heavy each part of a body is, where its centre lies, and how the mass is spread about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError


@dataclass(frozen=True, eq=False)
class Mass:
    """The mass that each joint carries.

    Attributes:
        masses: (J,) kilograms, zero for a joint that carries nothing.
        centers: (J, 3) centre of mass in the joint's own frame, metres.
        second_moments: (J, 3, 3) ∫ (r - c)(r - c)ᵀ dm about that centre, in the joint's own frame, kg m².
    """

    masses: FloatArray
    centers: FloatArray
    second_moments: FloatArray

    def __post_init__(self) -> None:
        count = len(self.masses)
        for name, shape in (("masses", (count,)), ("centers", (count, 3)), ("second_moments", (count, 3, 3))):
            array = locked(getattr(self, name))
            if array.shape != shape or not np.all(np.isfinite(array)):
                raise InputError(f"{name} of a mass must be finite numbers of shape {shape}, not {array.shape}")
            object.__setattr__(self, name, array)
        if np.any(self.masses < 0):
            raise InputError("a mass is negative")

    @property
    def total(self) -> float:
        """Kilograms of the whole body."""
        return float(self.masses.sum())
