"""Which joint of one body does what a joint of another does: by roles, by limbs, and in between by lengths."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mummer.character import Anatomy, Limb, Skeleton
from mummer.math import quaternion
from mummer.retargeting.build import Build
from mummer.retargeting.chains import Chain, Pair, chains_of, share_out
from mummer.retargeting.leg import Leg
from mummer.retargeting.leg_table import LegPair
from mummer.retargeting.roles import is_across, is_upright, kin_of

SPRAWL = 0.6
"""Radians between the ways that two legs go from hip to foot, from which on one of them sprawls."""


def pair_joints(source: Build, target: Build) -> dict[int, Pair]:
    """For each joint of the target that has a counterpart, where it takes its turns from.

    Joints with the same role are counterparts, and so are those of limbs that correspond. Spines, necks, tails and
    fingers of different counts are shared out by length, see `share_out`. What has no counterpart is left out.
    """
    pairs = {theirs: Pair(mine, mine, 0.0) for theirs, mine in _anchors(source, target).items()}
    mine, theirs = chains_of(source), chains_of(target)
    for name, chain in theirs.items():
        if name in mine:
            pairs.update(share_out(mine[name], chain, source.places, target.places))
    for joint in (target.fork, target.seat):
        pairs.setdefault(joint, Pair(source.hips, source.hips, 0.0))
    pairs.update(_several_heads(source, target))
    if "neck" in theirs and theirs["neck"].joints[0] not in pairs:
        pairs.update(_between(source, theirs["neck"].joints))
    for leg in target.legs:
        if leg.is_stiff:
            pairs.pop(leg.ball, None)
    return pairs


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


def _several_heads(source: Build, target: Build) -> dict[int, Pair]:
    """Necks and heads where one of the bodies has several: all of them do what the one does, or it what the first does.

    With as many on both sides they are limbs with names of their own.
    """
    mine, theirs = _heads(source), _heads(target)
    found: dict[int, Pair] = {}
    if not mine or not theirs or (len(mine) == 1) == (len(theirs) == 1):
        return found
    neck, head = Chain(mine[0][:-1], source.places[mine[0][-1]]), mine[0][-1]
    for joints in theirs:
        other = Chain(joints[:-1], target.places[joints[-1]])
        found |= share_out(neck, other, source.places, target.places) | {joints[-1]: Pair(head, head, 0.0)}
    return found


def _heads(body: Build) -> list[tuple[int, ...]]:
    """The chains from each neck to its head."""
    roles, skeleton = body.anatomy.roles, body.skeleton
    if "head" in roles:
        is_whole = "neck" in roles and roles["neck"] in skeleton.ancestors(roles["head"])
        return [skeleton.chain(roles["neck"], roles["head"])] if is_whole else []
    return [limb.joints for limb in body.anatomy.limbs if limb.kind == "neck" and len(limb.joints) > 1]


def _between(source: Build, joints: tuple[int, ...]) -> dict[int, Pair]:
    """A neck that the other body lacks bends a quarter of what its head does from its chest, on average."""
    roles = source.anatomy.roles
    below = roles.get("chest", roles.get("spine"))
    if below is None or "head" not in roles:
        return {}
    return {joint: Pair(below, roles["head"], 0.5 * (k + 0.5) / len(joints)) for k, joint in enumerate(joints)}


def _anchors(source: Build, target: Build) -> dict[int, int]:
    """Joints of the target to the joints of the source that are the same thing."""
    found: dict[int, int] = {target.hips: source.hips}
    taken = {source.hips}

    def add(theirs: int, mine: int) -> None:
        if theirs not in found and mine not in taken:
            found[theirs] = mine
            taken.add(mine)

    mine = source.anatomy.roles
    for role, joint in target.anatomy.roles.items():
        if role in mine:
            add(joint, mine[role])
    for role, joint in target.anatomy.roles.items():
        name = next((each for each in kin_of(role, source.anatomy, target.anatomy) if each in mine), None)
        if name is not None:
            add(joint, mine[name])
    for theirs, ours in _limb_pairs(source.anatomy, target.anatomy):
        for one, other in _limb_anchors(ours.joints, theirs.joints):
            add(other, one)
    return _in_order(found, source.skeleton, target.skeleton)


def _in_order(found: dict[int, int], source: Skeleton, target: Skeleton) -> dict[int, int]:
    """Without counterparts that would turn the order round: what is above in one must not be below in the other."""
    kept: dict[int, int] = {}
    for theirs, mine in found.items():
        above = [kept[each] for each in target.ancestors(theirs) if each in kept]
        if all(mine not in source.ancestors(each) for each in above):
            kept[theirs] = mine
    return kept


def _limb_pairs(source: Anatomy, target: Anatomy) -> Iterable[tuple[Limb, Limb]]:
    """Limbs of the target with the limb of the source that corresponds: by name, else by kind, side and rank."""
    by_name = {limb.name: limb for limb in source.limbs}
    by_place = {(limb.kind, limb.side, limb.rank): limb for limb in reversed(source.limbs)}
    for limb in target.limbs:
        same = by_name.get(limb.name)
        if same is None or same.kind != limb.kind:
            same = by_place.get((limb.kind, limb.side, limb.rank)) if limb.kind not in ("finger", "toe") else None
        if same is not None:
            yield limb, same


def _limb_anchors(mine: tuple[int, ...], theirs: tuple[int, ...]) -> list[tuple[int, int]]:
    if len(mine) == len(theirs):
        return list(zip(mine, theirs, strict=True))
    if len(mine) == 1 or len(theirs) == 1:
        return [(mine[0], theirs[0])]
    return [(mine[0], theirs[0]), (mine[-1], theirs[-1])]
