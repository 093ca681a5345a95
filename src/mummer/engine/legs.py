"""Legs and how they step: where feet are at home, in which order they go, and a gait style by speed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character.limits import HINGE
from mummer.engine.limbs import LOOSE
from mummer.engine.tables import integers
from mummer.general.gait.backbone import lies_on_belly
from mummer.general.gait.groups import leg_groups
from mummer.general.gait.legs import Leg, legs_of
from mummer.general.gait.pattern import order_of, triggers
from mummer.general.gait.style import Style, StyleLike, make_style
from mummer.general.gait.style_text import PARAMETERS
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Number, Parents
from mummer.math import quaternion

SPEEDS = 31
"""Relative speeds at which a style is tabulated, from 0 to FASTEST."""
FASTEST = 2.4
FLIGHTS = 65
"""Moments at which the way of a foot through the air is tabulated."""
GRAVITY = 9.81
COLUMN = {name: place for place, name in enumerate(PARAMETERS)}
"""Where the parameters of a style are in a row of `Legs.style`."""


class Legs(NamedTuple):
    """The L legs that a body walks on, hindmost first.

    Attributes:
        limb: (L,) number of the limb.
        home: (L, 3) where the foot bears on the ground at rest.
        ankle: (L, 3) from there to the foot joint; zero for a loose one.
        hip: (L, 3) where the joint is that swings the leg.
        heel, toe: (L, 3) from the bearing point to what a foot turns about as it lands, and as it leaves.
        across: (L, 3) the level axis over which a foot rolls: that of its toes, which may point outward.
        wide: (L,) metres from the bearing point to either side of the sole.
        first_toe, toe_number: (L,) where its toes are in ``toes``: joints that stay flat while the heel rises.
        side: (L,) 1 left, -1 right, 0 in the middle.
        reach: (L,) metres from hip to there that are comfortable at most.
        room: (L,) metres that the foot goes from home to any side with ease.
        narrows: (L,) how much of the narrowing that a style asks for it takes, 0 to 1.
        loose: (L,) 1 for a foot that its leg turns, as hooves and claws, 0 for one that keeps flat.
        rolls: (L,) how much a foot rolls on over its heel and off over its toes, 0 to 1.
        rate: (L,) cycles for each cycle of the main legs.
        toes: joints.
        offsets: (SPEEDS, L) parts of a cycle by which each lands later than the clock.
        style: (SPEEDS, parameters) see `COLUMN`; angles in radians.
        own: (L, SPEEDS, parameters) the same of each leg.
        flight: (FLIGHTS, 4) the way of a foot through the air: ahead, up, heel, toe.
        length: metres from hip to ground, on the mean.
        easy: metres a second at which the body goes with ease.
        turning: radians a second that the body turns at most.
        unit: seconds that are natural to such legs: the root of (length / gravity).
        quick: seconds in which such a body is as quick as it ever is: animations take as long on large bodies as on a
            man, so that these are no slower.
    """

    limb: Parents
    home: Floats2
    ankle: Floats2
    hip: Floats2
    heel: Floats2
    toe: Floats2
    across: Floats2
    wide: Floats1
    first_toe: Parents
    toe_number: Parents
    side: Floats1
    reach: Floats1
    room: Floats1
    narrows: Floats1
    loose: Floats1
    rolls: Floats1
    rate: Floats1
    toes: Parents
    offsets: Floats2
    style: Floats2
    own: Floats3
    flight: Floats2
    length: Number
    easy: Number
    turning: Number
    unit: Number
    quick: Number


MADE = 0.3
"""The unit of time of a man, seconds: animations were made for him."""
REACH = 0.995
"""How much of a leg's full length is used: one that is quite straight looks broken and snaps when it bends."""
ROLLED = 0.95
"""How much of the sole, from heel to toe, a foot that rolls adds to how far it goes."""


def legs_table(physique: Physique, numbers: Mapping[int, int], lengths: FloatArray, style: StyleLike) -> Legs:
    """The legs of a body, of those limbs that have a number; ``lengths`` are how long these are folded at all."""
    legs = [leg for leg in legs_of(physique) if leg.foot in numbers]
    reaches = [_reach(leg, float(lengths[numbers[leg.foot]])) for leg in legs]
    reached = list(zip(legs, reaches, strict=True))
    made, speeds = make_style(style), np.linspace(0.0, FASTEST, SPEEDS)
    given = made.parameters(speeds)
    order = order_of(legs, leg_groups(legs)) if legs else None
    length = float(np.mean([leg.length for leg in legs])) if legs else _as_if(physique)
    moments = np.linspace(0, len(made.flight) - 1, FLIGHTS).round().astype(int)
    offsets = np.zeros((SPEEDS, 0)) if order is None else triggers(order, made, speeds)
    # The first leg may be spared: the others come to relieve it.
    offsets[:, 1:] -= given["weak_shift"][:, None]
    own = [_own(made, speeds, leg == legs[0] and len(legs) > 1, _places(leg, legs)) for leg in legs]
    return Legs(
        locked(np.array([numbers[leg.foot] for leg in legs], np.int64), np.int64),
        _rows([leg.contact for leg in legs]),
        _rows([_placed(physique, leg) for leg in legs]),
        _rows([leg.hip_place for leg in legs]),
        _rows([_heel(physique, leg) for leg in legs]),
        _rows([_ball(physique, leg) for leg in legs]),
        _rows([_across(physique, leg) for leg in legs]),
        locked(np.array([leg.sole[2] for leg in legs], np.float64)),
        integers(np.cumsum([0, *(len(leg.toes) for leg in legs)])[:-1]),
        integers([len(leg.toes) for leg in legs]),
        locked(np.array([leg.side for leg in legs], np.float64)),
        locked(np.array(reaches, np.float64)),
        locked(np.array([_room(physique, leg, reach) for leg, reach in reached], np.float64)),
        locked(np.array([_narrows(physique, leg, reach) for leg, reach in reached], np.float64)),
        locked(np.array([float(leg.tilts > LOOSE) for leg in legs], np.float64)),
        locked(np.array([_rolls(physique, leg) for leg in legs], np.float64)),
        locked(np.ones(0) if order is None else np.array(order.rates, np.float64)),
        integers([toe for leg in legs for toe in leg.toes]),
        locked(np.ascontiguousarray(offsets)),
        locked(np.stack([given[name] for name in PARAMETERS], axis=1)),
        locked(np.array(own).reshape(-1, SPEEDS, len(PARAMETERS))),
        locked(np.ascontiguousarray(made.flight[moments])),
        length,
        _easy(physique, reached, [] if order is None else list(order.rates), length),
        _turning(legs, length),
        float(np.sqrt(length / GRAVITY)),
        min(float(np.sqrt(length / GRAVITY)), MADE),
    )


RANKED = 0.25
"""Leg lengths before or behind the middle of all feet from which on a leg is one of the front or hind legs."""


def _places(leg: Leg, legs: list[Leg]) -> frozenset[str]:
    """The groups that a leg is one of, see `LegRows.which`."""
    middle = 0.5 * (min(one.contact[2] for one in legs) + max(one.contact[2] for one in legs))
    ahead = (leg.contact[2] - middle) / leg.length
    rank = "front" if ahead > RANKED else "hind" if ahead < -RANKED else "middle"
    return frozenset({rank, {1: "left", -1: "right"}.get(leg.side, "")})


def _own(style: Style, speeds: FloatArray, is_weak: bool, places: frozenset[str]) -> FloatArray:
    """(SPEEDS, parameters) of one leg: of its groups, and spared if it is the one that is weak."""
    given = style.parameters(speeds, places)
    if is_weak:
        given["duty"] = given["duty"] + given["weak_duty"]
        given["lift"] = given["lift"] * (1.0 - given["weak_lift"])
    else:
        given["weak_dip"] = 0.0 * given["weak_dip"]
    return np.stack([given[name] for name in PARAMETERS], axis=1)


FASTEST_TURN, FASTEST_FOOT = 0.9, 0.55
"""Radians in a unit of time that bodies turn at most, and the relative speed that feet have at most as they do."""


EASY, CRAWLING, ROOMY = 0.42, 0.2, 1.7
"""Relative speeds at which bodies go with ease, on legs or in the air, and on their bellies; and how often in a unit of
time legs go over the room of their feet, which does not hurry them."""


def _easy(physique: Physique, legs: list[tuple[Leg, float]], rates: list[float], length: float) -> float:
    """Metres a second: whose legs have little room goes no faster than these keep up with."""
    unit = float(np.sqrt(length / GRAVITY))
    room = [rate * _room(physique, leg, reach) for rate, (leg, reach) in zip(rates, legs, strict=True)]
    usual = (CRAWLING if not legs and lies_on_belly(physique) else EASY) * length / unit
    return min([usual, *(ROOMY * each / unit for each in room)])


def _turning(legs: list[Leg], length: float) -> float:
    """Radians a second: the farther feet are from where the body turns about, the slower."""
    unit = float(np.sqrt(length / GRAVITY))
    far = max((float(np.hypot(*leg.contact[[0, 2]])) for leg in legs), default=0.0)
    return min(FASTEST_TURN / unit, FASTEST_FOOT * length / unit / max(far, 1e-9))


def _as_if(physique: Physique) -> float:
    """Metres that a body without legs goes by."""
    return 0.5 * physique.height


def _placed(physique: Physique, leg: Leg) -> FloatArray:
    """(3,) from where a foot bears to what of it is placed: its joint, or itself."""
    return np.zeros(3) if leg.tilts > LOOSE else physique.positions[leg.foot] - leg.contact


def _ball(physique: Physique, leg: Leg) -> FloatArray:
    """(3,) from where a foot bears to what it turns about as its heel rises: its toes, so that these stay."""
    if not leg.toes:
        return leg.tip
    origin = physique.positions[leg.foot] - leg.ankle
    left, up, ahead = np.median(physique.positions[list(leg.toes)], axis=0) - origin
    return np.array([left if _rolls(physique, leg) > 0.0 else 0.0, up, ahead])


def _heel(physique: Physique, leg: Leg) -> FloatArray:
    """(3,) from where a foot bears to what it turns about as it lands: the rear end of its sole, below its ankle."""
    return np.array([leg.ankle[0] if _rolls(physique, leg) > 0.0 else 0.0, 0.0, leg.sole[0]])


FANNED, IN_LINE = 0.94, 1.0
"""Cosines between the axes of toes and the axis over which feet roll, up to which none rolls, and from which on it does
fully."""
OUTWARD = 0.8
"""The cosine by which that axis is off the side of the body at most."""


def _toe_axes(physique: Physique, leg: Leg) -> FloatArray:
    """(n, 3) about what the toes of a foot bend, all to the left."""
    limits = rigid_body(physique.character).limits
    bent = [toe for toe in leg.toes if limits.kinds[toe] == HINGE]
    axes = quaternion.rotate(physique.rotations[bent], limits.axes[bent]).reshape(-1, 3)
    return np.where(axes[:, :1] < 0.0, -axes, axes)


def _across(physique: Physique, leg: Leg) -> FloatArray:
    """See `Legs.across`: to the left where there are no toes, or these point elsewhere."""
    left, _, ahead = _toe_axes(physique, leg).sum(axis=0)
    far = float(np.hypot(left, ahead))
    return np.array([left, 0.0, ahead]) / far if far > 0.0 and left >= OUTWARD * far else np.array([1.0, 0.0, 0.0])


def _rolls(physique: Physique, leg: Leg) -> float:
    """See `Legs.rolls`: toes that spread like a fan, or point elsewhere, would slide if their foot rolled over them."""
    axis = _across(physique, leg)
    least = float((_toe_axes(physique, leg) @ axis).min(initial=1.0))
    left, _, ahead = _placed(physique, leg)
    left, ahead = left * axis[0] + ahead * axis[2], ahead * axis[0] - left * axis[2]
    astray = float(np.hypot(left, max(ahead, 0.0))) / max(0.5 * float(leg.tip[2] - leg.heel[2]), 1e-9)
    share = min((least - FANNED) / (IN_LINE - FANNED), 1.0 - astray)
    return 0.0 if leg.tilts > LOOSE else float(np.clip(share, 0.0, 1.0))


def _reach(leg: Leg, length: float) -> float:
    """Metres from hip to what is placed, as far as it goes: as bones would let it, and as its limb is ever folded."""
    return REACH * min(leg.farthest(leg.tilts > LOOSE), length)


LOWERED = 0.94
"""How high hips are while feet are as far from home as they go, beside at rest."""
LEAST_ROOM, MOST_ROOM = 0.14, 0.5
"""Between which parts of a leg's length the ease of a foot is, whatever the leg looks like; one that rolls on
goes farther by its sole."""


SWINGS = 0.6
"""The tangent of the angle by which a leg swings to any side at most: a folded one has its foot near its hip."""


def _room(physique: Physique, leg: Leg, reach: float) -> float:
    """Metres: as far as the leg reaches with hips a little lower, from where its foot is at home."""
    left, up, ahead = leg.hip_place - leg.contact - _placed(physique, leg)
    room = float(np.sqrt(max(reach**2 - (LOWERED * up) ** 2, 0.0)) - np.hypot(left, ahead))
    over = ROLLED * float(leg.tip[2] - leg.heel[2])
    most = min(MOST_ROOM * leg.length, SWINGS * float(np.linalg.norm((left, up, ahead))))
    return float(np.clip(room + over, LEAST_ROOM * leg.length, most + _rolls(physique, leg) * over))


FOLDED, UNFOLDED = 0.3, 0.5
"""Parts of its reach that a leg is long at rest up to which its foot is never brought below its hip, and from which on
it may be altogether."""


def _narrows(physique: Physique, leg: Leg, reach: float) -> float:
    """See `Legs.narrows`: a leg that rests folded has no room to fold on."""
    long = float(np.linalg.norm(leg.hip_place - leg.contact - _placed(physique, leg))) / reach
    return float(np.clip((long - FOLDED) / (UNFOLDED - FOLDED), 0.0, 1.0))


def _rows(rows: list[FloatArray]) -> FloatArray:
    return locked(np.array(rows, np.float64).reshape(-1, 3))
