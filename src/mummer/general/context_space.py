"""Where joints lie on a body: zones, and the outermost of several."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.general.physique import Physique

Extent = Literal["front_most", "back_most", "left_most", "right_most", "top_most", "bottom_most"]
ZONES = {
    "left": (0, 1), "middle": (0, 0), "right": (0, -1),
    "top": (1, 1), "midway": (1, 0), "bottom": (1, -1),
    "front": (2, 1), "center": (2, 0), "back": (2, -1),
}  # fmt: skip
"""Axis of character space, and side of it, of each zone."""
EXTENTS: dict[str, tuple[int, int]] = {
    "front_most": (2, 1), "back_most": (2, -1),
    "left_most": (0, 1), "right_most": (0, -1),
    "top_most": (1, 1), "bottom_most": (1, -1),
}  # fmt: skip
BETWEEN = 0.1
"""The zone between two sides reaches this part of the way from the middle to either end ..."""
BETWEEN_AT_LEAST = 0.04
"""... and this part of the body's longest side, so that a flat body has both feet in front and behind."""
SAME = 1e-6
"""Joints are equally far out if they differ by less than this part of the body's longest side."""


def in_zones(physique: Physique, joints: list[int], zones: tuple[str, ...], whole: list[int] | None) -> list[int]:
    """Those of ``joints`` that lie in all zones: of the body, or of the joints ``whole``."""
    kept = np.ones(len(joints), np.bool_)
    for zone in zones:
        axis, side = ZONES[zone]
        kept &= _fits(_offsets(physique, joints, axis, whole), side)
    return [joint for joint, keep in zip(joints, kept.tolist(), strict=True) if keep]


def outermost(physique: Physique, joints: list[int], extent: Extent) -> list[int]:
    """The one of ``joints`` that lies farthest that way, the first in joint order of several; none of none."""
    if not joints:
        return []
    axis, side = EXTENTS[extent]
    places = side * physique.positions[joints, axis]
    return [joints[int(np.flatnonzero(places >= places.max() - SAME * physique.height)[0])]]


def _offsets(physique: Physique, joints: list[int], axis: int, whole: list[int] | None) -> FloatArray:
    """(n,) how far joints lie from the middle, 1 at the ends."""
    places = physique.positions[joints, axis]
    if whole is not None:
        ends = physique.positions[whole, axis]
        low, high = (ends.min(), ends.max()) if len(ends) else (0.0, 0.0)
        return (places - (low + high) / 2) / max((high - low) / 2, SAME * physique.height / BETWEEN)
    if axis == 0:
        return _sides(physique, joints)
    return (places - physique.corners[:, axis].mean()) / _half(physique, axis)


def _half(physique: Physique, axis: int) -> float:
    """Metres that count as half of the body: at least so many that the zone between the sides is not too narrow."""
    return max(float(physique.size[axis]) / 2, BETWEEN_AT_LEAST / BETWEEN * physique.height)


def _sides(physique: Physique, joints: list[int]) -> FloatArray:
    """The same across the body. Joints that have a partner are on a side, however near they are to the middle."""
    places = physique.positions[joints, 0]
    partners = physique.anatomy.mirror[joints]
    apart = places - physique.positions[partners, 0]
    is_paired = (partners != np.asarray(joints)) & (np.abs(apart) > SAME * physique.height)
    return np.where(is_paired, np.sign(apart), places / _half(physique, 0))


def _fits(offsets: FloatArray, side: int) -> BoolArray:
    if side == 0:
        return np.abs(offsets) <= BETWEEN
    return side * offsets >= -BETWEEN
