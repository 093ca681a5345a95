"""Which joint of one body does what a joint of another does: by roles, by limbs, and in between by lengths."""

from __future__ import annotations

from collections.abc import Iterable

from mummer.character import Anatomy, Limb, Skeleton
from mummer.retargeting.build import Build
from mummer.retargeting.chains import Chain, Pair, chains_of, share_out
from mummer.retargeting.roles import kin_of


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
