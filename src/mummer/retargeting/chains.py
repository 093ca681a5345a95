"""Chains of joints that bend as one: spine, neck, tail, fingers; shared out by length where counts differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.retargeting.build import Build

SHARED_KINDS = ("tail", "finger", "antenna", "fin", "ear", "abdomen")
"""Limbs whose joints have no roles of their own, so that lengths alone say which is which."""


@dataclass(frozen=True)
class Pair:
    """Where one joint of the target takes its turns from.

    Attributes:
        first: joint of the source.
        second: another joint of the source, where the turn lies between those of two.
        share: 0 to 1, how far from the first to the second.
    """

    first: int
    second: int
    share: float


@dataclass(frozen=True, eq=False)
class Chain:
    """Joints that follow one another.

    Attributes:
        joints: from the base to the last.
        end: (3,) where the last segment ends at rest, metres.
    """

    joints: tuple[int, ...]
    end: FloatArray


def chains_of(body: Build) -> dict[str, Chain]:
    """The chains of a body by name: ``trunk`` from above the hips to the chest, ``neck`` up to the head, and limbs."""
    roles, skeleton, places = body.anatomy.roles, body.skeleton, body.places
    found: dict[str, Chain] = {}
    top = roles.get("chest", roles.get("spine"))
    if top is not None and body.fork in skeleton.ancestors(top):
        above = next((roles[role] for role in ("neck", "head") if role in roles), None)
        joints = skeleton.chain(body.fork, top)[1:]
        found["trunk"] = Chain(joints, places[above] if above is not None else _beyond(body, joints))
    if "neck" in roles and "head" in roles and roles["neck"] in skeleton.ancestors(roles["head"]):
        found["neck"] = Chain(skeleton.chain(roles["neck"], roles["head"])[:-1], places[roles["head"]])
    for limb in body.anatomy.limbs:
        if limb.kind in SHARED_KINDS:
            found[limb.name] = Chain(limb.joints, _beyond(body, limb.joints))
    return found


def share_out(source: Chain, target: Chain, source_places: FloatArray, target_places: FloatArray) -> dict[int, Pair]:
    """For each joint of the target's chain, where it takes its turns from.

    Chains of the same count follow one another joint by joint. Else each segment of the target turns as the source does
    at the same share of the way, between the middles of the source's segments.
    """
    if len(source.joints) == len(target.joints):
        return {theirs: Pair(mine, mine, 0.0) for mine, theirs in zip(source.joints, target.joints, strict=True)}
    along, reached = _middles(source, source_places), _middles(target, target_places)
    found = {}
    for joint, share in zip(target.joints, reached, strict=True):
        after = int(np.searchsorted(along, share))
        before = max(after - 1, 0)
        after = min(after, len(along) - 1)
        span = along[after] - along[before]
        part = float(np.clip((share - along[before]) / span, 0.0, 1.0)) if span > 1e-9 else 0.0
        found[joint] = Pair(source.joints[before], source.joints[after], part)
    return found


def _middles(chain: Chain, places: FloatArray) -> FloatArray:
    """(n,) how far along the chain the middle of each segment is, 0 at its base and 1 at its end."""
    steps = np.linalg.norm(np.diff(np.vstack([places[list(chain.joints)], chain.end]), axis=0), axis=1)
    total = float(steps.sum())
    if total < 1e-9:
        return (np.arange(len(steps)) + 0.5) / len(steps)
    return (np.cumsum(steps) - 0.5 * steps) / total


def _beyond(body: Build, joints: tuple[int, ...]) -> FloatArray:
    """(3,) where a chain ends: at the child of its last joint, or as far on as its last segment is long."""
    last = joints[-1]
    below = body.skeleton.children[last]
    if below:
        return body.places[list(below)].mean(axis=0)
    return 2 * body.places[last] - body.places[joints[-2]] if len(joints) > 1 else body.places[last]
