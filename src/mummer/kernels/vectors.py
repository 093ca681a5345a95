"""Vectors and rotations as tuples of numbers: the one set of such functions, for kernels and what they call.

They reckon in float64, whatever arrays hold: what is read by `three` and `four` is widened, and rounded when written.
"""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.kernels.scalars import Four, Three

NO_TURN = (0.0, 0.0, 0.0, 1.0)
SMALL = 1e-9
"""Radians below which series stand for quotients of sines."""


def three(rows: FloatArray, row: int, column: int) -> Three:
    """Three numbers of a row, from ``column`` on."""
    return 1.0 * rows[row, column], 1.0 * rows[row, column + 1], 1.0 * rows[row, column + 2]


def four(rows: FloatArray, row: int, column: int) -> Four:
    """Four numbers of a row, from ``column`` on."""
    x, y, z = three(rows, row, column)
    return x, y, z, 1.0 * rows[row, column + 3]


def put_three(rows: FloatArray, row: int, column: int, v: Three) -> None:
    """Write three numbers into a row, from ``column`` on."""
    rows[row, column], rows[row, column + 1], rows[row, column + 2] = v[0], v[1], v[2]


def put_four(rows: FloatArray, row: int, column: int, q: Four) -> None:
    """Write four numbers into a row, from ``column`` on."""
    put_three(rows, row, column, (q[0], q[1], q[2]))
    rows[row, column + 3] = q[3]


def plus(a: Three, b: Three) -> Three:
    """The sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Three, b: Three) -> Three:
    """The difference a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(a: Three, factor: float) -> Three:
    """The vector at ``factor`` times its length."""
    return a[0] * factor, a[1] * factor, a[2] * factor


def dot(a: Three, b: Three) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Three, b: Three) -> Three:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def size(a: Three) -> float:
    """The length."""
    return math.sqrt(dot(a, a))


def direction(a: Three, otherwise: Three) -> Three:
    """``a`` at length one, or ``otherwise`` where it has none."""
    length = size(a)
    if length > 1e-12:
        return a[0] / length, a[1] / length, a[2] / length
    return otherwise


def times(a: Four, b: Four) -> Four:
    """The rotation b followed by the rotation a."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


def back(q: Four) -> Four:
    """The rotation that undoes ``q``."""
    return -q[0], -q[1], -q[2], q[3]


def turned(q: Four, v: Three) -> Three:
    """``v`` turned by the unit quaternion ``q``."""
    x, y, z, w = q
    tx, ty, tz = 2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]), 2.0 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def about(axis: Three, angle: float) -> Four:
    """The turn about a unit ``axis`` by ``angle`` radians."""
    sine = math.sin(0.5 * angle)
    return axis[0] * sine, axis[1] * sine, axis[2] * sine, math.cos(0.5 * angle)


def exponential(v: Three) -> Four:
    """The turn about a vector by its length in radians."""
    angle = size(v)
    factor = math.sin(0.5 * angle) / angle if angle > SMALL else 0.5
    return v[0] * factor, v[1] * factor, v[2] * factor, math.cos(0.5 * angle)


def logarithm(q: Four) -> Three:
    """The vector about which a rotation turns, by its length in radians, the short way."""
    sine, sign = size((q[0], q[1], q[2])), (-1.0 if q[3] < 0.0 else 1.0)
    factor = sign * (2.0 * math.atan2(sine, abs(q[3])) / sine if sine > SMALL else 2.0)
    return q[0] * factor, q[1] * factor, q[2] * factor


def exponential_slope(s: Three, turn: Four, change: Three) -> Three:
    """How fast ``turn``, which is ``exponential(s)``, turns in the outer frame when ``s`` moves by ``change``."""
    square = dot(s, s)
    if square < 1e-6:
        first, second = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        angle, half_sine = math.sqrt(square), size((turn[0], turn[1], turn[2]))
        first, second = 2.0 * half_sine * half_sine / square, (angle - 2.0 * half_sine * turn[3]) / (square * angle)
    c = cross(s, change)
    return plus(change, plus(scaled(c, first), scaled(cross(s, c), second)))


def part_of(q: Four, share: float) -> Four:
    """The turn about the same axis by ``share`` of the angle, the short way."""
    x, y, z, w = q if q[3] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])
    sine = math.sqrt(x * x + y * y + z * z)
    if sine < 1e-12:
        return q
    return about((x / sine, y / sine, z / sine), 2.0 * share * math.atan2(sine, w))


def angle_of(q: Four) -> float:
    """Radians by which a rotation turns, the short way."""
    return 2.0 * math.atan2(size((q[0], q[1], q[2])), abs(q[3]))


def unit_rotation(q: Four) -> Four:
    """``q`` at length one; no turn where it has no length."""
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if length > 1e-12:
        return q[0] / length, q[1] / length, q[2] / length, q[3] / length
    return NO_TURN


def mixed(a: Four, b: Four, share: float) -> Four:
    """Some of the way from ``a`` to ``b`` on the shorter arc, quickly: straight through and back to length one."""
    rest = 1.0 - share
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0:
        share = -share
    return unit_rotation((
        rest * a[0] + share * b[0], rest * a[1] + share * b[1], rest * a[2] + share * b[2], rest * a[3] + share * b[3],
    ))  # fmt: skip


def smooth_step(share: float) -> float:
    """From 0 to 1 as ``share`` does, held before and after, without a kink."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def soft_limit(value: float, start: float, most: float) -> float:
    """``value`` up to ``start``; from there on it nears ``most`` ever more slowly and never passes it."""
    room = most - start
    if value <= start or room <= 0.0:
        return min(value, most)
    return most - room * math.exp((start - value) / room)


def across(a: Three) -> Three:
    """A unit vector at right angles to ``a``, always the same one."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    if x <= y and x <= z:
        found = cross((1.0, 0.0, 0.0), a)
    elif y <= z:
        found = cross((0.0, 1.0, 0.0), a)
    else:
        found = cross((0.0, 0.0, 1.0), a)
    return direction(found, (0.0, 1.0, 0.0))


def shortest(start: Three, end: Three) -> Four:
    """The smallest turn of ``start`` into the direction of ``end``; none where one of them has no length."""
    if size(start) < 1e-12 or size(end) < 1e-12:
        return NO_TURN
    a = direction(start, start)
    b = direction(end, end)
    middle = plus(a, b)
    reach = size(middle)
    # Halfway between the two lies what the half angle turns to; this keeps its digits near opposite directions.
    if reach < 1e-12:
        axis = across(a)
        return axis[0], axis[1], axis[2], 0.0
    halfway = scaled(middle, 1.0 / reach)
    axis = cross(a, halfway)
    return unit_rotation((axis[0], axis[1], axis[2], 0.5 * reach))
