"""Bodies that neither stand nor lie: they drift, swim or fly along a path, bob a little, and lean where they go."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.gait.belly import sunk
from mummer.general.gait.clock import GRAVITY
from mummer.general.gait.curves import Curves, smoothed, smoothed_above
from mummer.general.gait.ground import Ground
from mummer.general.gait.path import Path, travel
from mummer.general.gait.ride import heading_rotations
from mummer.general.gait.strokes import stroke_bends, stroke_times
from mummer.general.gait.style import Style
from mummer.general.gait.underway import Underway
from mummer.general.gait.upper import turn_heads
from mummer.general.intent import Intent
from mummer.general.physique import Physique
from mummer.kernels import quaternions

BOB, BOB_RATE = 0.02, 0.35
"""How far a floating body bobs, in heights of it, and cycles in the time that it needs to fall its own height."""
LEAN, BANK = 0.35, 0.6
"""How much of what balance asks for it leans with its speed, and banks in turns."""
CRUISE = 0.4
"""Relative speed from which on tails, fins and wings beat as strongly as they do."""
SETTLING = 5.0


@dataclass(frozen=True, eq=False)
class Float(Underway):
    """A gait without the ground: a `Driver`. Made by `gait`.

    Attributes:
        physique: the body.
        style: its parameters of lean and bounce count.
        way: x, z and heading at even steps.
        ride: height above where it is at rest, metres, (N, 3) leans about left, up and ahead, and what `stroke_times`
            gives, at even steps.
    """

    physique: Physique
    style: Style
    way: Curves
    ride: Curves

    def drive(self, intent: Intent) -> Intent:
        """The body on its way; see `Driver.drive`."""
        times = np.asarray(intent.times, np.float64)
        ways, ride = self.way(times), self.ride(times)
        heading = heading_rotations(ways[:, 2])
        stage = np.stack([ways[:, 0], ride[:, 0], ways[:, 1]], axis=1)
        moved = intent.on_stage(stage, heading)
        turned = quaternions.multiply(heading, quaternions.exp(ride[:, 1:4]))
        rest = self.physique.rotations[self.physique.root]
        turns = {**intent.turns, **turn_heads(self.physique, self.way, times)}
        bends = {**intent.bends, **stroke_bends(self.physique, ride[:, 4:])}
        return replace(moved, root_rotations=quaternions.multiply(turned, rest), turns=turns, bends=bends)


def float_along(physique: Physique, path: Path, style: Style, ground: Ground) -> Float:
    """The way of a body that floats."""
    unit = float(np.sqrt(0.5 * physique.height / GRAVITY))
    settling = SETTLING * unit
    margin = 1.5 * settling
    step = float(np.clip(0.03 * unit, 1 / 480, 1 / 60))
    way = travel(path, start=path.times[0] - margin, end=path.times[-1] + margin, step=step, settling=settling)
    level = smoothed(ground.at(way.values[:, :2]), settling / step)
    # Up from where it is at rest and back, never below: some float with their bellies on the ground.
    bob = BOB * physique.height * (1 - np.cos(2 * np.pi * BOB_RATE * (way.times - way.start) / (2.2 * unit)))
    leans = _leans(way, unit)
    bob += smoothed_above(sunk(physique, range(len(physique)), leans, bob), unit / step)
    strokes = stroke_times(way, unit, CRUISE * float(np.sqrt(GRAVITY * 0.5 * physique.height)))
    rows = np.column_stack([level + bob, leans, strokes])
    return Float(physique, style, way, Curves(way.start, step, rows))


def _leans(way: Curves, unit: float) -> FloatArray:
    """(N, 3) rotation vectors: ahead with speed and its changes, into turns."""
    rates = way.slopes()
    changes = smoothed(np.gradient(rates, way.step, axis=0), unit / way.step)
    sine, cosine = np.sin(way.values[:, 2]), np.cos(way.values[:, 2])
    fast = np.sqrt(GRAVITY) * unit * 3
    pull = rates[:, :2] / fast / np.sqrt(GRAVITY) * LEAN + LEAN * changes[:, :2] / GRAVITY
    left, ahead = pull[:, 0] * cosine - pull[:, 1] * sine, pull[:, 0] * sine + pull[:, 1] * cosine
    turn = BANK * np.arctan(np.hypot(rates[:, 0], rates[:, 1]) * rates[:, 2] / GRAVITY)
    return np.stack([np.arctan(ahead), np.zeros(len(left)), -np.arctan(left) - turn], axis=1)
