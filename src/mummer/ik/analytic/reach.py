"""See `mummer.ik.reach`."""

from __future__ import annotations

from mummer.ik.reach import held_bend
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import about, plus, turned

__all__ = ["end_of", "held_bend"]


def end_of(upper: Three, base_from_zero: Four, axis: Three, angle: float, lower: Three) -> Three:
    """Where the ankle is, in the hip's frame, with the knee at ``angle``."""
    return plus(upper, turned(base_from_zero, turned(about(axis, angle), lower)))
