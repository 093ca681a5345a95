"""A rehearsal: a performance worked out once from start to end, to learn where the body would sink or jump.

What is wanted at one moment says how a body is bent then, but not that it is bent quite differently a moment later:
where a part must choose a side, or the ground takes hold of it at once. So all of a clip is worked out at even steps;
sudden changes are spread over the frames around them, and the root is lifted out of the ground in time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip import Frames
from mummer.general.between_knots import frames_between
from mummer.general.calming import calm, calm_height
from mummer.general.feet import standing_feet
from mummer.general.intent import UP, Intent
from mummer.general.knots import on_knots
from mummer.general.physique import Physique
from mummer.kernels import quaternions

SUNK = (5e-4, 5e-3)
"""Parts of its longest side: a body that sinks by more than the first is lifted and bent anew; and again if it then
still sinks by more than the second."""


class Bent(NamedTuple):
    """What is wanted at T moments, the poses that do it, and (T,) metres by which the body is still sunk then."""

    wanted: Intent
    frames: Frames
    sunk: FloatArray


Bend = Callable[[FloatArray, FloatArray], Bent]
"""Bends the body at (T,) seconds with its root lifted by (T,) metres."""


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """A performance at even moments.

    Attributes:
        knots: (K,) seconds.
        frames: the K poses.
        lift: (K,) metres by which the root is lifted out of the ground before legs are bent.
        rise: (K,) metres by which all of the body, feet and all, is lifted after that.
    """

    knots: FloatArray
    frames: Frames
    lift: FloatArray
    rise: FloatArray

    def lift_at(self, times: FloatArray) -> FloatArray:
        """(T,) metres by which the root is lifted at ``times`` (T,)."""
        return np.interp(times, self.knots, self.lift)

    def rise_at(self, times: FloatArray) -> FloatArray:
        """(T,) metres by which all of the body is lifted at ``times`` (T,)."""
        return np.interp(times, self.knots, self.rise)

    def at(self, times: FloatArray) -> Frames:
        """The poses at ``times`` (T,), on knots or between them."""
        rows = on_knots(self.knots, times)
        return frames_between(self.knots, self.frames, times) if rows is None else self.frames.select(rows)


def rehearse(physique: Physique, knots: FloatArray, bend: Bend) -> Rehearsal:
    """Work out a performance at ``knots`` (K,)."""
    lift: FloatArray = np.zeros(len(knots))
    rise: FloatArray = np.zeros(len(knots))
    wanted, frames, sunk = bend(knots, lift)
    # Without lift somebody keeps the body off the ground already, step by step.
    if wanted.lift is not None:
        # Without feet to keep on the ground there is nothing to bend anew.
        for too_deep in SUNK if standing_feet(physique) else ():
            if not np.any(sunk > too_deep * physique.height):
                break
            lift = _lifted(physique, knots, lift, sunk, too_deep, bend, frames)
        # What bending cannot do is done by lifting all of the body.
        rise = calm_height(sunk, physique.height)
        raise_body(wanted, frames, rise)
    feet = {foot: wanted.places[foot].offset for foot, _ in standing_feet(physique) if foot in wanted.places}
    calm(physique, frames, feet)
    return Rehearsal(knots, frames, lift, rise)


def raise_body(wanted: Intent, frames: Frames, rise: FloatArray) -> None:
    """Lift all of the body by (T,) metres, in place."""
    frames.root += quaternions.rotate(wanted.stage_rotations, UP) * rise[:, None]


def _lifted(
    physique: Physique,
    knots: FloatArray,
    lift: FloatArray,
    sunk: FloatArray,
    too_deep: float,
    bend: Bend,
    frames: Frames,
) -> FloatArray:
    """(K,) how far the root is lifted where it must be; poses and depths are changed in place where that changes."""
    higher = calm_height(lift + np.where(sunk > too_deep * physique.height, sunk, 0.0), physique.height)
    rows = np.flatnonzero(higher != lift)
    _, some, sunk[rows] = bend(knots[rows], higher[rows])
    frames.put(rows, some, physique.character)
    return higher
