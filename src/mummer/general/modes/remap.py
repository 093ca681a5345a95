"""A channel gets another mode: its keys change so that the body in hand moves as before."""

from __future__ import annotations

from typing import Protocol

from mummer.arrays import FloatArray

STEP = 1e-3
"""Seconds, or whatever slopes are counted in, over which differences are taken."""


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


def remap_slopes(values: FloatArray, slopes: FloatArray, old: Map, new: Map) -> FloatArray:
    """(K, 3) slopes of curves at keys that mean under ``new`` what ``slopes`` mean under ``old``.

    Where both maps only stretch, turn and shift, the whole curve through remapped keys and slopes means what it meant;
    else it does so at the keys, in place and in speed.

    Args:
        values: (K, 3) generalised values of keys.
        slopes: (K, 3) how fast they change there, per second or per any other unit.
        old: see `remap_keys`.
        new: see `remap_keys`.
    """
    wide, narrow = (_slope(values, slopes * step, old, new) / step for step in (2 * STEP, STEP))
    return (4 * narrow - wide) / 3


def _slope(values: FloatArray, change: FloatArray, old: Map, new: Map) -> FloatArray:
    """The change of remapped values with a small change of the values, by differences to both sides."""
    return (remap_keys(values + change, old, new) - remap_keys(values - change, old, new)) / 2
