"""The way between two rotations, fast: series instead of trigonometry for all but the widest turns."""

from __future__ import annotations

import math

from mummer.kernels.arguments import Floats3, Output3

# Up to this 1 - cos of half the turn between them (91 degrees), and as far beyond the ends as keeps the angles within
# that, the series below are exact to rounding.
WIDE = 0.3


def _square_of_angle(n: int) -> float:
    """The coefficient of g to the n in acos(1 - g)²."""
    return 2 * 2**n / (n * n * math.comb(2 * n, n))


A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16 = (_square_of_angle(n) for n in range(1, 17))
# sin(x) / x in x².
S0, S1, S2, S3, S4, S5, S6, S7, S8 = ((-1) ** n / math.factorial(2 * n + 1) for n in range(9))


def arc_weights(cosine: float, part: float) -> tuple[float, float]:
    """The factors of both ends of a great arc at ``part`` of the way, or beyond, for ends at this cosine, 0 to 1."""
    rest = 1.0 - part
    g = max(1.0 - cosine, 0.0)
    if g < WIDE and g * part * part < WIDE and g * rest * rest < WIDE:
        square = g * angle_by_gap(g)
        scale = 1.0 / sine_by_angle(square)
        return rest * scale * sine_by_angle(rest * rest * square), part * scale * sine_by_angle(part * part * square)
    angle = math.acos(min(cosine, 1.0))
    if angle < 1e-7:
        return rest, part
    scale = 1.0 / math.sin(angle)
    return math.sin(rest * angle) * scale, math.sin(part * angle) * scale


def angle_by_gap(g: float) -> float:
    """acos(1 - g)² / g for ``g`` below 0.3. Terms are paired, so that none has to wait for all the others."""
    g2 = g * g
    g4 = g2 * g2
    first = (A1 + g * A2) + g2 * (A3 + g * A4)
    second = (A5 + g * A6) + g2 * (A7 + g * A8)
    third = (A9 + g * A10) + g2 * (A11 + g * A12)
    fourth = (A13 + g * A14) + g2 * (A15 + g * A16)
    return (first + g4 * second) + g4 * g4 * (third + g4 * fourth)


def sine_by_angle(x: float) -> float:
    """sin(a) / a for the squared angle ``x`` below 0.65."""
    x2 = x * x
    first = (S0 + x * S1) + x2 * (S2 + x * S3)
    second = (S4 + x * S5) + x2 * (S6 + x * S7)
    return first + x2 * x2 * (second + x2 * x2 * S8)


def approach(frame: int, joint: int, part: float, second: Floats3, out: Output3) -> None:
    """Turn one rotation of ``out`` ``part`` of the short way towards that of ``second``."""
    ax, ay, az, aw = out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3]
    bx, by, bz, bw = (
        second[frame, joint, 0], second[frame, joint, 1], second[frame, joint, 2], second[frame, joint, 3],
    )  # fmt: skip
    cosine = ax * bx + ay * by + az * bz + aw * bw
    sign = 1.0
    if cosine < 0.0:
        sign = -1.0
    mine, theirs = arc_weights(cosine * sign, part)
    theirs *= sign
    out[frame, joint, 0] = mine * ax + theirs * bx
    out[frame, joint, 1] = mine * ay + theirs * by
    out[frame, joint, 2] = mine * az + theirs * bz
    out[frame, joint, 3] = mine * aw + theirs * bw
