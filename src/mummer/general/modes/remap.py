"""A channel gets another mode: its keys change so that the body in hand moves as before."""

from __future__ import annotations

from typing import Protocol

from mummer.arrays import FloatArray


class Map(Protocol):
    """A map between generalised values and those of one joint: of positions or of rotations."""

    def specialize(self, general: FloatArray) -> FloatArray:
        """Values of the joint from generalised ones."""
        ...

    def generalize(self, values: FloatArray) -> FloatArray:
        """Generalised values from those of the joint."""
        ...


def remap_keys(values: FloatArray, old: Map, new: Map) -> FloatArray:
    """(K, 3) generalised values that mean under the map ``new`` what ``values`` mean under ``old``.

    Args:
        values: (K, 3) generalised values of keys.
        old: the map of the joint in hand under the mode that the keys were made with. Where the map depends on the
            moment, it is made for the K moments of the keys.
        new: the map under the mode that they shall have.
    """
    return new.generalize(old.specialize(values))
