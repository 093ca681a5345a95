"""Which branches of a body are legs, and which are long enough to be other limbs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.recognition.limbs import LOW, Branch
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape

UPRIGHT = 0.85
"""A trunk of which this part leads up stands on two legs, however low its arms reach."""

NO_LIMB = {
    "antenna", "hair", "cloth", "prop", "breast", "ear", "eye", "eyelid", "brow", "lip", "horn", "feather", "control",
}  # fmt: skip
"""Meanings of names that no limb has."""


def legs_among(shape: Shape, middle: set[int], branches: Sequence[Branch], readings: Sequence[Reading]) -> list[Branch]:
    """Pairs that reach from the body down to the ground."""
    found = []
    for branch in branches:
        if not branch.other or branch.attach < 0 or _words(branch, readings) & (NO_LIMB | {"fin", "wing"}):
            continue
        if _leg_votes(branch, readings) <= 0 and plumes(shape, branch, above=_ankle(shape, branch)) > 1:
            continue
        off = (branch.low - shape.ground) / shape.tall
        leggy = _leg_votes(branch, readings)
        if len(branch.chain) < 3 and leggy <= 0 and _lies_low(shape, middle):
            continue
        if off < 0.13 + 0.08 * leggy and branch.base - branch.low > 0.3 * (branch.base - shape.ground):
            found.append(branch)
    tallest = max((branch.base - branch.low for branch in found), default=0.0)
    longest = max((branch.length + branch.base - branch.low for branch in found), default=0.0)
    found = [
        branch
        for branch in found
        if branch.base - branch.low > 0.3 * tallest and branch.length + branch.base - branch.low > 0.3 * longest
    ]
    return [branch for branch in found if not _are_long_arms(shape, branch, found, readings)]


def _are_long_arms(shape: Shape, branch: Branch, legs: Sequence[Branch], readings: Sequence[Reading]) -> bool:
    """Whether a pair that reaches the ground starts straight above another one: arms that hang down that far."""
    if len(legs) != 2 or _leg_votes(branch, readings) > 0:
        return False
    lower = legs[0] if branch is legs[1] else legs[1]
    start, other = (shape.positions[[each.root, each.other[0]]].mean(axis=0) for each in (branch, lower))
    rise = float((start - other) @ shape.up)
    return rise > UPRIGHT * float(np.linalg.norm(start - other)) and rise > 0.15 * shape.tall


def _lies_low(shape: Shape, middle: set[int]) -> bool:
    """Whether the trunk itself is about as low as the lowest limb, as that of a fish is."""
    trunk = [joint for joint in middle if shape.surface.share[joint] > 0]
    lowest = min((float(shape.lows[joint]) for joint in trunk), default=np.inf)
    return lowest - shape.ground < 0.15 * shape.tall


def _leg_votes(branch: Branch, readings: Sequence[Reading]) -> float:
    """How much the names of a chain speak for a leg (1) or against one (-1)."""
    score = 0.0
    for joint in branch.chain:
        score += max(0.0, readings[joint].vote("upper_leg", "lower_leg", "foot", "toes"))
        score -= "wing" in readings[joint].meanings or "fin" in readings[joint].meanings
    return float(np.clip(score / 2, -1, 1))


def _words(branch: Branch, readings: Sequence[Reading]) -> set[str]:
    """Meanings that the first two joints of a branch share; what carries skin is no control, however it is called."""
    heads = [readings[joint].meanings for joint in branch.chain[:2]]
    return set(frozenset.intersection(*heads)) - ({"control"} if branch.share > 0 else set())


def limbs_among(
    shape: Shape, branches: Sequence[Branch], legs: Sequence[Branch], readings: Sequence[Reading]
) -> list[Branch]:
    """Pairs that are long enough to be arms, wings or fins."""
    scale = max((leg.length for leg in legs), default=0.0) or 0.35 * shape.size
    found = []
    for branch in branches:
        if not branch.other or branch.attach < 0 or _words(branch, readings) & NO_LIMB:
            continue
        named = any(readings[joint].vote("upper_arm", "forearm", "hand") > 0.5 for joint in branch.chain)
        named |= any(readings[joint].meanings & {"wing", "fin"} for joint in branch.chain)
        leads = branch.length > 0.3 * scale and _reach(shape, branch) > 0.2 * scale
        if leads or (named and branch.length > 0.1 * scale) or _carries_limb(shape, branch):
            found.append(branch)
    return [
        branch
        for branch in found
        if not _is_outgrown(shape, branch, [*found, *legs[: len(legs) if len(legs) > 1 else 0]])
    ]


def _reach(shape: Shape, branch: Branch) -> float:
    """Metres from the start of a branch to the furthest of its joints: little for chains that go round a face."""
    return max(shape.distance(branch.root, joint) for joint in branch.chain)


def _is_outgrown(shape: Shape, branch: Branch, limbs: Sequence[Branch]) -> bool:
    """Whether a branch leaves the middle beyond a limb that is clearly longer: an ear or a horn, not an arm."""
    above = set(shape.ancestors(branch.attach))
    return any(limb.attach in above and _reach(shape, branch) < 0.6 * limb.length for limb in limbs)


def _carries_limb(shape: Shape, branch: Branch) -> bool:
    """Whether a short chain carries so much of the surface of a body of few joints that it must be a limb."""
    return branch.share > 0.04 and len(branch.chain) <= 2 and len(shape.order) < 15


def _ankle(shape: Shape, branch: Branch) -> float:
    """The height below which a pair that stands has its feet, and what branches off is toes."""
    return shape.ground + LOW * (branch.base - shape.ground)


def plumes(shape: Shape, branch: Branch, *, above: float = -np.inf) -> int:
    """How many joints along a chain carry a branch of some length beside it, as the bones of a wing carry feathers."""
    return sum(
        any(shape.reaches[child] > 0.04 * branch.length for child in shape.children[joint] if child not in branch.chain)
        for joint in branch.chain[1:-1]
        if len(shape.children[joint]) < 4 and shape.heights[joint] > above
    )
