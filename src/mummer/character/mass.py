"""Mass: how heavy each part of a body is, where its centre lies, and how the mass is spread about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError

if TYPE_CHECKING:
    from mummer.character.character import Character
    from mummer.character.skeleton import Skeleton

WATER = 1000.0
"""Kilograms a cubic metre: what bodies are made of, nearly enough."""


@dataclass(frozen=True, eq=False)
class Mass:
    """The mass that each joint carries.

    Lengths are in the units of the joint's own frame: metres, unless joints are scaled.

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
        size = np.abs(self.second_moments).max(initial=0)
        if np.any(np.abs(self.second_moments - np.swapaxes(self.second_moments, 1, 2)) > 1e-9 * size):
            raise InputError("a second moment is not symmetric")
        if count and np.linalg.eigvalsh(self.second_moments).min() < -1e-9 * size:
            raise InputError("a second moment is negative in some direction")

    def __repr__(self) -> str:
        return f"Mass({self.masses.sum():.3g} kg, {len(self.masses)} joints)"

    @classmethod
    def from_meshes(cls, character: Character, *, density: float = WATER) -> Mass:
        """The mass of the volume within the character's surface, shared out by skin weight.

        Parts whose surface encloses no sensible volume are taken as capsules; `estimate_mass` says which.

        Args:
            character: a body with meshes.
            density: kilograms a cubic metre.
        """
        from mummer.character.mass_from_meshes import mass_from_meshes

        return mass_from_meshes(character, density=density)[0]

    @classmethod
    def from_capsules(cls, skeleton: Skeleton, radii: npt.ArrayLike | None = None, *, density: float = WATER) -> Mass:
        """The mass of a body whose joints are joined by capsules.

        Args:
            skeleton: the body.
            radii: (J,) metres, the radius of the capsules that lead from each joint to its children; guessed from
                lengths if not given.
            density: kilograms a cubic metre.
        """
        from mummer.character.mass_from_capsules import mass_from_capsules

        return mass_from_capsules(skeleton, radii, density=density)

    @property
    def total(self) -> float:
        """Kilograms of the whole body."""
        return float(self.masses.sum())

    @property
    def inertias(self) -> FloatArray:
        """(J, 3, 3) tensors of inertia about each centre, in the joint's own frame, kg m²."""
        return inertia_of(self.second_moments)


def inertia_of(second_moments: FloatArray) -> FloatArray:
    """(..., 3, 3) the tensors of inertia that belong to second moments (..., 3, 3), both in kg m²."""
    trace = np.trace(second_moments, axis1=-2, axis2=-1)
    return np.asarray(trace[..., None, None] * np.eye(3) - second_moments)
