"""Clearance: how far what is in another part of the body is moved to be out of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.scalars import ramp, vector
from mummer.engine.solids import Solids
from mummer.ik.volume.capsule import Capsule, at_share, nearest_shares, thickness
from mummer.kernels.vectors import dot, minus, plus, scaled, size, turned

if TYPE_CHECKING:
    from mummer.kernels.scalars import Four, Three

SOFT = 0.01
"""How softly targets come to the ground and to skin, in lengths of the limb."""
PARTING = 0.5
"""How far from the axis of a capsule, on the side away from a limb, targets part to either side of it; parts of its
radius."""
ROUNDS = 3
"""How often a hand is moved out of all that it is in."""


def placed(capsule: int, place: Three, turn: Four, low: float, high: float, solids: Solids) -> Capsule:
    """A capsule whose joint is somewhere, from where to where it counts."""
    start = plus(place, turned(turn, vector(solids.ends[capsule], 0)))
    way = minus(plus(place, turned(turn, vector(solids.ends[capsule], 1))), start)
    radius = solids.radii[capsule, 0]
    return Capsule(start, way, radius, solids.radii[capsule, 1] - radius, low, high)


def apart_from(mine: Capsule, theirs: Capsule, shoulder: Three, give: float, soft: float) -> tuple[Three, Three]:
    """How far a capsule is moved out of another one, and where it meets it."""
    s, t = nearest_shares(mine, theirs)
    spot, on_axis, radius = at_share(mine, s), at_share(theirs, t), thickness(mine, s) + thickness(theirs, t) - give
    aside = minus(shoulder, on_axis)
    aside = minus(aside, scaled(theirs.way, dot(aside, theirs.way) / max(dot(theirs.way, theirs.way), 1e-12)))
    aside = scaled(aside, 1.0 / max(size(aside), radius, 1e-9))
    return way_out(minus(spot, on_axis), aside, radius, soft), spot


def way_out(away: Three, aside: Three, radius: float, soft: float) -> Three:
    """How far a point is moved that should be ``radius`` from an axis, nearly; smooth but where sides part.

    Args:
        away: from the axis to the point.
        aside: the side to which it is moved rather, unit or zero.
        radius: metres that it should be away.
        soft: metres over which it begins, and that are left.
    """
    far = size(away)
    if far >= radius:
        return 0.0, 0.0, 0.0
    along = plus(away, scaled(aside, PARTING * radius))
    length = size(along)
    if length < 1e-9:
        return 0.0, 0.0, 0.0
    out = scaled(along, 1.0 / length)
    level = dot(away, out)
    step = math.sqrt(max(level * level + radius * radius - far * far, 0.0)) - level
    return scaled(out, ramp(step - soft, soft))
