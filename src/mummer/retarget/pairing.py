"""Which joint of one body does what a joint of another does: by roles, by limbs, and in between by lengths."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Limb, Skeleton
from mummer.retarget.build import Build
from mummer.retarget.roles import kin_of

ABOVE_EVERYTHING = ("hips",)


@dataclass(frozen=True)
class Pair:
    """Where one joint of the target takes its turns from.

    Attributes:
        first: joint of the source.
        second: the next joint of the source towards the tip, where the turn lies between those of two.
        share: 0 to 1, how far from the first to the second.
    """

    first: int
    second: int
    share: float


def pair_joints(source: Build, target: Build) -> dict[int, Pair]:
    """For each joint of the target that has a counterpart, where it takes its turns from.

    Joints with the same role are counterparts, and so are the ends of limbs that correspond. Between two counterparts
    that follow one another in both bodies, joints are shared out by how far along the way they are, so that spines,
    necks, tails and fingers of different counts bend alike. What has no counterpart is left out.
    """
    anchors = _anchors(source, target)
    pairs = {theirs: Pair(mine, mine, 0.0) for theirs, mine in anchors.items()}
    for joint in anchors:
        above = next((each for each in target.skeleton.ancestors(joint) if each in anchors), None)
        if above is not None:
            pairs.update(_between(source, target, above, joint, anchors))
    return pairs


def _anchors(source: Build, target: Build) -> dict[int, int]:
    """Joints of the target to the joints of the source that are the same thing."""
    found: dict[int, int] = {target.hips: source.hips}
    taken = {source.hips}

    def add(theirs: int, mine: int) -> None:
        if theirs not in found and mine not in taken:
            found[theirs] = mine
            taken.add(mine)

    for role, joint in target.anatomy.roles.items():
        for name in kin_of(role, source.anatomy, target.anatomy):
            if name in source.anatomy.roles:
                add(joint, source.anatomy.roles[name])
                break
    for theirs, mine in _limb_pairs(source.anatomy, target.anatomy):
        for one, other in _limb_anchors(mine.joints, theirs.joints):
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


def _between(source: Build, target: Build, above: int, joint: int, anchors: dict[int, int]) -> dict[int, Pair]:
    """The joints of the target between two anchors, shared out over the way of the source between the same two."""
    inner = target.skeleton.chain(above, joint)
    if len(inner) < 3 or anchors[above] not in source.skeleton.ancestors(anchors[joint]):
        return {}
    way = source.skeleton.chain(anchors[above], anchors[joint])
    along, reached = _shares(source.places, way), _shares(target.places, inner)
    found = {}
    for place in range(1, len(inner) - 1):
        # Nothing between the source's own two joints turns; what lies there turns with the upper one.
        if len(way) == 2 and not _is_trunk(source.anatomy, way):
            continue
        share = reached[place]
        before = int(np.clip(np.searchsorted(along, share, side="right") - 1, 0, len(way) - 2))
        span = along[before + 1] - along[before]
        part = float(np.clip((share - along[before]) / span, 0.0, 1.0)) if span > 1e-9 else 0.0
        found[inner[place]] = Pair(way[before], way[before + 1], part)
    return found


def _is_trunk(anatomy: Anatomy, way: tuple[int, ...]) -> bool:
    """Whether the way runs along the middle of the body, where one joint of the source stands for several."""
    middle = {anatomy.roles[role] for role in ("hips", "spine", "chest", "neck", "head") if role in anatomy.roles}
    center = {joint for limb in anatomy.limbs if limb.side == "center" for joint in limb.joints}
    return way[-1] in middle or way[-1] in center


def _shares(places: FloatArray, chain: tuple[int, ...]) -> FloatArray:
    """(n,) how far along the chain each joint is, 0 at its start and 1 at its end."""
    steps = np.linalg.norm(np.diff(places[list(chain)], axis=0), axis=1)
    total = float(steps.sum())
    if total < 1e-9:
        return np.linspace(0.0, 1.0, len(chain))
    return np.concatenate([[0.0], np.cumsum(steps)]) / total
