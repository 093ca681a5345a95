"""Which leg of one body follows which of another, whatever the number of either: by roles, else by side and place."""

from __future__ import annotations

import numpy as np

from mummer.math import quaternion
from mummer.retargeting.build import Build
from mummer.retargeting.chains import Pair
from mummer.retargeting.leg import Leg
from mummer.retargeting.leg_table import LegPair
from mummer.retargeting.roles import is_across, is_upright, kin_of

SPRAWL = 0.6
"""Radians between the ways that two legs go from hip to foot, from which on one of them sprawls."""


def pair_legs(source: Build, target: Build, pairs: dict[int, Pair]) -> tuple[LegPair, ...]:
    """Legs of the target with the leg of the source that each follows; joints of those that have none yet are paired.

    Such legs are paired by side, and by place from behind to the front. Where the target has more of them, it goes
    through the source's again, each time through those of the other side: so neighbours step in turn, and forelegs of
    a dog follow a man's legs crosswise. Where it has fewer, some are passed over.
    """
    found, rows = [], _rows(source)
    upright = is_upright(source.anatomy) and is_upright(target.anatomy)
    for side, legs in _rows(target).items():
        for rank, leg in enumerate(legs):
            mine = _named_alike(pairs, source, target, leg, same_count=len(legs) == len(rows[side]))
            if mine is not None and (upright or _stand_alike(source, target, mine, leg)):
                found.append(LegPair(mine, leg))
            elif source.legs:
                mine = mine or _by_place(rows, side, rank, len(legs))
                found.append(_following(pairs, source, target, mine, leg))
    _leave_arms_alone(pairs, source, target, found)
    return tuple(found)


def _named_alike(pairs: dict[int, Pair], source: Build, target: Build, leg: Leg, *, same_count: bool) -> Leg | None:
    """The leg of the source whose joints those of ``leg`` are paired with, by roles or among as many others."""
    if not all(joint in pairs for joint in (leg.upper, leg.lower, leg.foot)):
        return None
    mine = next((each for each in source.legs if each.foot == pairs[leg.foot].first), None)
    roles = [role for role, joint in target.anatomy.roles.items() if joint == leg.foot]
    names = {name for role in roles for name in kin_of(role, source.anatomy, target.anatomy)}
    return mine if same_count or names & source.anatomy.roles.keys() else None


def _leave_arms_alone(pairs: dict[int, Pair], source: Build, target: Build, legs: list[LegPair]) -> None:
    """Unpair arms from legs of the source that legs of the target follow: those of a crab do not walk."""
    walking = {joint for each in legs for joint in source.skeleton.descendants(each.source.upper)}
    own = {joint for each in legs for joint in target.skeleton.descendants(each.target.upper)}
    own |= {joint for each in legs for joint in target.skeleton.descendants(each.target.foot)}
    for joint in [joint for joint, pair in pairs.items() if pair.first in walking and joint not in own]:
        del pairs[joint]


def _by_place(rows: dict[bool, list[Leg]], side: bool, rank: int, count: int) -> Leg:
    """The leg of the source for the one that is the so-manieth of ``count`` on its side, counted from behind."""
    same, other = rows[side] or rows[not side], rows[not side] or rows[side]
    if count <= len(same):
        return same[round(rank * (len(same) - 1) / max(count - 1, 1))]
    again, place = divmod(rank, len(same))
    row = other if again % 2 else same
    return row[min(place, len(row) - 1)]


def _rows(body: Build) -> dict[bool, list[Leg]]:
    """Legs of the right and of the left (True) of a body, each from behind to the front."""
    rows: dict[bool, list[Leg]] = {False: [], True: []}
    middle = body.places[body.girdle].mean(axis=0)
    for leg in sorted(
        body.legs, key=lambda leg: float(body.places[[leg.upper, leg.foot]].mean(axis=0) @ body.anatomy.front)
    ):
        rows[bool((body.places[leg.upper] - middle) @ body.anatomy.left > 0)].append(leg)
    return rows


def _following(pairs: dict[int, Pair], source: Build, target: Build, mine: Leg, leg: Leg) -> LegPair:
    """Pair the joints of two legs, and only these of the target's; where one of them sprawls, with the hips."""
    for joint in target.skeleton.descendants(leg.upper):
        pairs.pop(joint, None)
    by_foot = not _stand_alike(source, target, mine, leg)
    others = (source.hips,) * 3 if by_foot else (mine.upper, mine.lower, mine.foot)
    for first, joint in zip(others, (leg.upper, leg.lower, leg.foot), strict=True):
        pairs[joint] = Pair(first, first, 0.0)
    return LegPair(mine, leg, by_foot)


def _stand_alike(source: Build, target: Build, mine: Leg, leg: Leg) -> bool:
    """Whether legs of bodies of one kind go the same way from hip to foot at rest, so that one bends as the other."""
    ways = [
        quaternion.rotate(quaternion.conjugate(body.world_from_body), body.places[one.foot] - body.places[one.upper])
        for body, one in ((source, mine), (target, leg))
    ]
    between = float(np.arctan2(np.linalg.norm(np.cross(ways[0], ways[1])), ways[0] @ ways[1]))
    return between < SPRAWL and not is_across(source.anatomy, target.anatomy)
