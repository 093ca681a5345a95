"""Small arithmetic that the stages of the engine share: numbers, vectors and rotations of one actor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.ik.limits import hold_joint
from mummer.kernels.linking import apart
from mummer.kernels.vectors import about, minus, plus, scaled, unit_rotation

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.state import Actors
    from mummer.kernels.scalars import Four, Three


def follow(value: float, rate: float, wanted: float, omega: float, seconds: float) -> tuple[float, float]:
    """A value and its rate a moment later, drawn to what is wanted as fast as it goes without swinging over."""
    decay = math.exp(-omega * seconds)
    away = value - wanted
    pull = rate + omega * away
    return wanted + (away + pull * seconds) * decay, (rate - omega * pull * seconds) * decay


def wrapped(angle: float) -> float:
    """Radians between minus and plus half a circle."""
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))


def eased(share: float) -> float:
    """From 0 to 1 without a kink."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def ramp(value: float, soft: float) -> float:
    """A number where it is above ``soft``, 0 where it is below minus that, and a parabola between."""
    if value >= soft:
        return value
    return max(value + soft, 0.0) ** 2 / (4.0 * soft)


def rotation_by(x: float, y: float, z: float) -> Four:
    """The turn about a vector by its length in radians."""
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-9:
        return 0.5 * x, 0.5 * y, 0.5 * z, 1.0
    return about((x / angle, y / angle, z / angle), angle)


def rotation_vector(turn: Four) -> Three:
    """The vector about which a rotation turns, by its length in radians, the short way."""
    x, y, z, w = turn if turn[3] >= 0.0 else (-turn[0], -turn[1], -turn[2], -turn[3])
    sine = math.sqrt(x * x + y * y + z * z)
    share = 2.0 if sine < 1e-9 else 2.0 * math.atan2(sine, w) / sine
    return share * x, share * y, share * z


def mixed(first: Four, second: Four, share: float) -> Four:
    """From one rotation to another by the short way."""
    sign = 1.0
    if first[0] * second[0] + first[1] * second[1] + first[2] * second[2] + first[3] * second[3] < 0.0:
        sign = -1.0
    keep = 1.0 - share
    return unit_rotation((
        keep * first[0] + share * sign * second[0], keep * first[1] + share * sign * second[1],
        keep * first[2] + share * sign * second[2], keep * first[3] + share * sign * second[3],
    ))  # fmt: skip


def between(start: Three, end: Three, share: float) -> Three:
    """From one place to another."""
    return plus(start, scaled(minus(end, start), share))


def vector(rows: FloatArray, row: int) -> Three:
    """A row as a vector."""
    return rows[row, 0], rows[row, 1], rows[row, 2]


def place_of(actor: int, joint: int, actors: Actors) -> Three:
    """Where a joint is in the world."""
    return actors.places[actor, joint, 0], actors.places[actor, joint, 1], actors.places[actor, joint, 2]


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
