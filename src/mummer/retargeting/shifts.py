"""Shifts: what is added over time to where the scaled source would put the body and its feet.

A foot follows the source's foot, scaled: p(t) = scale · q(t) + shift(t). The shift is constant while the foot stands,
so that it slides no more than the source's does; in flight it goes over from the one to the next.
"""

from __future__ import annotations

from dataclasses import dataclass

from mummer.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Shifts:
    """Shifts at even steps of time, straight in between.

    Attributes:
        start: seconds of the first.
        rate: how many a second.
        values: (N, FIRST_LEG + A_LEG L) metres and radians, see `mummer.retargeting.columns`.
    """

    start: float
    rate: float
    values: FloatArray
