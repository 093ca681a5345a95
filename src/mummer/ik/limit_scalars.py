"""Joint limits for one joint at a time: the arithmetic of `mummer.character.clamp` on plain numbers."""

from __future__ import annotations

import math

from mummer.character.limit_angles import FADE, WHOLE_CIRCLE_SLACK
from mummer.kernels.linking import apart

NEWTON_STEPS = 12
TWO_PI = 2.0 * math.pi


def is_whole(low: float, high: float) -> bool:
    """Whether a range of radians leaves nothing out."""
    return high - low >= 2.0 * (math.pi - WHOLE_CIRCLE_SLACK)


def held_on_circle(angle: float, low: float, high: float) -> float:
    """``angle`` held between ``low`` and ``high`` on the circle, as `limit_angles.hold_on_circle` does."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    offset = angle - middle
    offset -= TWO_PI * math.floor((offset + math.pi) / TWO_PI)
    if abs(offset) <= half or is_whole(low, high):
        return middle + offset
    gap = max(math.pi - half, WHOLE_CIRCLE_SLACK)
    from_opposite = min(max(2.0 * (math.pi - abs(offset)) / gap, 0.0), 1.0)
    return middle + math.copysign(half * from_opposite, offset)


def faded(angle: float, low: float, high: float, amount: float) -> float:
    """``angle`` drawn to the angle of its range nearest to rest as ``amount`` goes from 1 to 0."""
    if is_whole(low, high):
        return angle
    calm = min(max(0.0, low), high)
    return calm + amount * (angle - calm)


def fading(known: float, farthest_swing: float) -> float:
    """How far to trust a twist: 1 normally, 0 where a swing by half a circle hides it."""
    start = min(FADE, 0.999 * math.cos(0.5 * min(farthest_swing, math.pi)))
    return min(known / start, 1.0) if start > 1e-9 else 1.0


def twist_about(along: float, w: float) -> float:
    """Radians of the twist of a quaternion with the part ``along`` the axis and the scalar part ``w``."""
    if w < 0:
        along, w = -along, -w
    if math.hypot(along, w) < 8.0 * 2.220446049250313e-16:
        return 0.0
    return 2.0 * math.atan2(along, w)


@apart
def nearest_in_ellipse(x: float, y: float, a: float, b: float) -> tuple[float, float]:
    """The point of the ellipse with half-axes ``a`` and ``b`` nearest to (x, y); the point itself if inside."""
    a, b = max(a, 1e-12), max(b, 1e-12)
    if (x / a) * (x / a) + (y / b) * (y / b) <= 1.0:
        return x, y
    px, py, aa, bb = abs(x), abs(y), a * a, b * b
    t = max(a * px - aa, b * py - bb, 0.0)
    for _ in range(NEWTON_STEPS):
        first, second = a * px / (t + aa), b * py / (t + bb)
        first, second = first * first, second * second
        excess, slope = first + second - 1.0, 2.0 * (first / (t + aa) + second / (t + bb))
        if excess <= 1e-15 or slope <= 0.0:
            break
        t += excess / slope
    nx, ny = aa * px / (t + aa), bb * py / (t + bb)
    # Rounding must not leave the point outside.
    over = math.sqrt((nx / a) * (nx / a) + (ny / b) * (ny / b))
    if over > 1.0:
        nx, ny = nx / over, ny / over
    return math.copysign(nx, x), math.copysign(ny, y)
