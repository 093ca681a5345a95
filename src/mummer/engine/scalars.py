"""Small arithmetic that the stages of the engine share: numbers, vectors and rotations of one actor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.ik.limits import hold_joint
from mummer.kernels import vectors
from mummer.kernels.linking import apart
from mummer.kernels.scalars import PI
from mummer.kernels.vectors import exponential, minus, plus, scaled

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.state import Actors
    from mummer.kernels.scalars import Four, Three


eased, mixed, rotation_vector = vectors.smooth_step, vectors.mixed, vectors.logarithm


def follow(value: float, rate: float, wanted: float, omega: float, seconds: float) -> tuple[float, float]:
    """A value and its rate a moment later, drawn to what is wanted as fast as it goes without swinging over."""
    decay = math.exp(-omega * seconds)
    away = value - wanted
    pull = rate + omega * away
    return wanted + (away + pull * seconds) * decay, (rate - omega * pull * seconds) * decay


def wrapped(angle: float) -> float:
    """Radians between minus and plus half a circle."""
    return angle - 2.0 * PI * math.floor((angle + PI) / (2.0 * PI))


def ramp(value: float, soft: float) -> float:
    """A number where it is above ``soft``, 0 where it is below minus that, and a parabola between."""
    if value >= soft:
        return value
    return max(value + soft, 0.0) ** 2 / (4.0 * soft)


def rotation_by(x: float, y: float, z: float) -> Four:
    """The turn about a vector by its length in radians."""
    return exponential((x, y, z))


def between(start: Three, end: Three, share: float) -> Three:
    """From one place to another."""
    return plus(start, scaled(minus(end, start), share))


def vector(rows: FloatArray, row: int) -> Three:
    """A row as a vector."""
    return rows[row, 0], rows[row, 1], rows[row, 2]


def place_of(actor: int, joint: int, actors: Actors) -> Three:
    """Where a joint is in the world."""
    return actors.places[actor, joint, 0], actors.places[actor, joint, 1], actors.places[actor, joint, 2]


def three_of(actor: int, row: int, column: int, state: FloatArray) -> Three:
    """Three columns of what is kept of an actor, from one on."""
    return state[actor, row, column], state[actor, row, column + 1], state[actor, row, column + 2]


def write_three(actor: int, row: int, column: int, values: Three, state: FloatArray) -> None:
    """Keep a vector in three columns, from one on."""
    for part in range(3):
        state[actor, row, column + part] = values[part]


def bend_of(actor: int, joint: int, bends: FloatArray) -> Four:
    """A joint's bend, or turn."""
    return bends[actor, joint, 0], bends[actor, joint, 1], bends[actor, joint, 2], bends[actor, joint, 3]


def write_bend(actor: int, joint: int, bend: Four, bends: FloatArray) -> None:
    """Give a joint a bend, or a turn."""
    for part in range(4):
        bends[actor, joint, part] = bend[part]


@apart
def held(joint: int, limits: FloatArray, bend: Four) -> Four:
    """A bend held in the limits of its joint."""
    return hold_joint(joint, limits, bend)
