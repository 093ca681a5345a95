"""The body plan: which branches are legs, arms, wings and fins, where the tail is, and what kind of body that makes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognize.facing import Facing, find_facing
from mummer.recognize.head import find_head
from mummer.recognize.limbs import Branch, find_branches, middle_joints
from mummer.recognize.names import Reading
from mummer.recognize.segments import Segments, fan_of, segment, segment_wing
from mummer.recognize.shape import Shape
from mummer.recognize.symmetry import Symmetry
from mummer.recognize.tail import find_tails
from mummer.recognize.trunk import Trunk, find_trunk

_NO_LIMB = {
    "antenna",
    "hair",
    "cloth",
    "prop",
    "breast",
    "ear",
    "eye",
    "eyelid",
    "brow",
    "lip",
    "horn",
    "feather",
    "control",
}


@dataclass(frozen=True)
class Member:
    """One limb pair of a plan: its branch, what it is, and its places.

    Attributes:
        kind: ``leg``, ``arm``, ``wing``, ``fin``, ``antenna`` ...
        branch: its joints.
        places: where it bends, on the branch's first side.
    """

    kind: str
    branch: Branch
    places: Segments


@dataclass(frozen=True, eq=False)
class Plan:
    """What was found out about one body.

    Attributes:
        shape: the body.
        symmetry: its mirror plane.
        kind: ``humanoid``, ``quadruped`` ...
        trunk: its middle line.
        members: limb pairs; those of a kind from front to back.
        small: branches that are no limbs.
        tails: chains of the middle line that are tails, the first from the hips.
        facing: where it looks.
    """

    shape: Shape
    symmetry: Symmetry
    kind: str
    trunk: Trunk
    members: tuple[Member, ...]
    small: tuple[Branch, ...]
    tails: tuple[tuple[int, ...], ...]
    facing: Facing

    def of(self, kind: str) -> list[Member]:
        """The limb pairs of one kind, from front to back."""
        return [member for member in self.members if member.kind == kind]


def make_plan(shape: Shape, symmetry: Symmetry, readings: Sequence[Reading]) -> Plan:
    """The plan of a body whose mirror plane is known.

    Args:
        shape: the body.
        symmetry: its mirror plane and partners.
        readings: what the names of its joints say; silent readings to go by shape alone.
    """
    middle = middle_joints(shape, symmetry)
    branches = find_branches(shape, symmetry, middle)
    legs = _legs(shape, middle, branches, readings)
    rest = [branch for branch in branches if branch not in legs]
    limbs = _limbs(shape, rest, legs, readings)
    small = [branch for branch in rest if branch not in limbs]
    head, margin = find_head(shape, middle, legs, limbs, small, readings)
    heads = [] if head >= 0 else _paired_heads(shape, [*limbs, *small])
    # What hangs from the head, or from beyond it, is no arm.
    beyond = set(shape.below(head)) if head >= 0 else set()
    small = [branch for branch in [*small, *[limb for limb in limbs if limb.attach in beyond]] if branch not in heads]
    limbs = [branch for branch in limbs if branch.attach not in beyond and branch not in heads]
    legs = _front_to_back(shape, legs, head)
    trunk = find_trunk(shape, middle, head, legs[-1:], [*legs[:-1], *limbs, *heads], readings, margin)
    tails = find_tails(shape, middle, trunk, legs, readings)
    members = [Member("leg", leg, _leg_places(shape, leg, legs, symmetry, readings)) for leg in legs]
    uppers = [(branch, _places(shape, branch, symmetry, readings, leg=False)) for branch in limbs]
    stands = [(member.branch, member.places) for member in members]
    ahead = [*limbs, *heads, *small] if head < 0 else []
    facing = find_facing(shape, symmetry.normal, trunk, stands, uppers, tails[0] if tails else (), ahead, readings)
    if head < 0 or len(legs) > 2:
        members.sort(key=lambda member: -float(_spot(shape, member.branch) @ facing.front))
    upright = _upright(shape, trunk)
    for branch, places in uppers:
        what = _upper_kind(shape, branch, legs, upright, tails, trunk, facing, readings)
        members.append(Member(what, branch, segment_wing(shape, branch.chain, readings) if what == "wing" else places))
    members += [Member("neck", branch, Segments(upper=branch.root, cost=0.5)) for branch in heads]
    kind = _kind(shape, members, trunk, tails, upright)
    return Plan(shape, symmetry, kind, trunk, tuple(members), tuple(small), tuple(tails), facing)


def _spot(shape: Shape, branch: Branch) -> FloatArray:
    """(3,) the middle of a branch and its partner."""
    return np.asarray(shape.positions[[*branch.chain, *branch.other]].mean(axis=0))


def _paired_heads(shape: Shape, branches: Sequence[Branch]) -> list[Branch]:
    """Pairs of necks of a body whose middle line ends without a head: they rise, and things hang from their ends."""
    found = []
    for branch in branches:
        if not branch.other or branch.attach < 0 or branch.length < 0.05 * shape.size:
            continue
        step = shape.subtree_centers[branch.root] - shape.positions[branch.attach]
        rises = float(step @ shape.up) > 0.5 * float(np.linalg.norm(step))
        bears = max(len(shape.children[joint]) for joint in branch.chain) > 1
        if rises and bears:
            found.append(branch)
    return found[:1]


def _leg_places(
    shape: Shape, leg: Branch, legs: Sequence[Branch], symmetry: Symmetry, readings: Sequence[Reading]
) -> Segments:
    """The places of one of several pairs of legs, given from front to back."""
    front = len(legs) == 2 and leg is legs[0]
    return _places(shape, leg, symmetry, readings, leg=True, front=front, sprawled=len(legs) > 2)


def _places(
    shape: Shape,
    branch: Branch,
    symmetry: Symmetry,
    readings: Sequence[Reading],
    *,
    leg: bool,
    front: bool = False,
    sprawled: bool = False,
) -> Segments:
    """The places of the side that is bent more clearly; they are given for the first side."""
    first = segment(shape, branch.chain, symmetry, readings, leg=leg, front=front, sprawled=sprawled)
    if not branch.other or len(branch.other) != len(branch.chain):
        return first
    second = segment(shape, branch.other, symmetry, readings, leg=leg, front=front, sprawled=sprawled)
    if first.cost <= second.cost + 0.02:
        return first
    across = dict(zip(branch.other, branch.chain, strict=True))
    places = {place: across.get(getattr(second, place), -1) for place in ("shoulder", "upper", "lower", "end", "toes")}
    return dataclasses.replace(second, **places)


def _legs(shape: Shape, middle: set[int], branches: Sequence[Branch], readings: Sequence[Reading]) -> list[Branch]:
    """Pairs that reach from the body down to the ground."""
    found = []
    for branch in branches:
        if not branch.other or branch.attach < 0 or _words(branch, readings) & (_NO_LIMB | {"fin", "wing"}):
            continue
        if _plumes(shape, branch) > 1 and _leg_votes(branch, readings) <= 0:
            continue
        off = (branch.low - shape.ground) / shape.tall
        leggy = _leg_votes(branch, readings)
        if len(branch.chain) < 3 and leggy <= 0 and _lies_low(shape, middle):
            continue
        if off < 0.13 + 0.08 * leggy and branch.base - branch.low > 0.3 * (branch.base - shape.ground):
            found.append(branch)
    tallest = max((branch.base - branch.low for branch in found), default=0.0)
    longest = max((branch.length + branch.base - branch.low for branch in found), default=0.0)
    return [
        branch
        for branch in found
        if branch.base - branch.low > 0.3 * tallest and branch.length + branch.base - branch.low > 0.3 * longest
    ]


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
    """Meanings that the first two joints of a branch share."""
    heads = [readings[joint].meanings for joint in branch.chain[:2]]
    return set(frozenset.intersection(*heads)) if heads else set()


def _limbs(
    shape: Shape, branches: Sequence[Branch], legs: Sequence[Branch], readings: Sequence[Reading]
) -> list[Branch]:
    """Pairs that are long enough to be arms, wings or fins."""
    scale = max((leg.length for leg in legs), default=0.0) or 0.35 * shape.size
    found = []
    for branch in branches:
        if not branch.other or branch.attach < 0 or _words(branch, readings) & _NO_LIMB:
            continue
        named = any(readings[joint].vote("upper_arm", "forearm", "hand") > 0.5 for joint in branch.chain)
        named |= any(readings[joint].meanings & {"wing", "fin"} for joint in branch.chain)
        if branch.length > 0.3 * scale or (named and branch.length > 0.1 * scale) or _carries_limb(shape, branch):
            found.append(branch)
    return [
        branch
        for branch in found
        if not _is_outgrown(shape, branch, [*found, *legs[: len(legs) if len(legs) > 1 else 0]])
    ]


def _is_outgrown(shape: Shape, branch: Branch, limbs: Sequence[Branch]) -> bool:
    """Whether a branch leaves the middle beyond a limb that is clearly longer: an ear or a horn, not an arm."""
    above = set(shape.ancestors(branch.attach))
    return any(limb.attach in above and branch.length < 0.6 * limb.length for limb in limbs)


def _carries_limb(shape: Shape, branch: Branch) -> bool:
    """Whether a short chain carries so much of the surface of a body of few joints that it must be a limb."""
    return branch.share > 0.04 and len(branch.chain) <= 2 and len(shape.order) < 15


def _front_to_back(shape: Shape, legs: Sequence[Branch], head: int) -> list[Branch]:
    """Legs by how near they are to the head, the nearest first."""
    if head < 0 or len(legs) < 2:
        return list(legs)
    places = np.array([shape.positions[[*leg.chain, *leg.other]].mean(axis=0) for leg in legs])
    flat = places - np.outer(places @ shape.up, shape.up)
    spot = shape.positions[head] - (shape.positions[head] @ shape.up) * shape.up
    line = spot - flat.mean(axis=0)
    order = np.argsort(-(flat @ line), kind="stable")
    return [legs[place] for place in order]


def _upright(shape: Shape, trunk: Trunk) -> float:
    """How upright the trunk is: 1 straight up, 0 along the ground."""
    top = next((joint for joint in (trunk.neck, trunk.chest, trunk.head) if joint >= 0 and joint != trunk.hips), -1)
    if top < 0:
        return 1.0
    line = shape.positions[top] - shape.positions[trunk.hips]
    length = float(np.linalg.norm(line))
    return float(line @ shape.up) / length if length > 1e-9 else 1.0


def _upper_kind(
    shape: Shape,
    branch: Branch,
    legs: Sequence[Branch],
    upright: float,
    tails: Sequence[Sequence[int]],
    trunk: Trunk,
    facing: Facing,
    readings: Sequence[Reading],
) -> str:
    """What a pair of limbs is that does not stand on the ground."""
    leg_pairs = len(legs)
    front = legs[0] if leg_pairs == 2 else None
    wingness = _wing_signs(shape, branch, facing.front)
    wingness += 0.6 * sum("wing" in readings[joint].meanings for joint in branch.chain)
    # Words for arms are used for the front limbs of anything.
    wingness -= 0.15 * any(readings[joint].vote("upper_arm", "forearm", "hand") > 0.5 for joint in branch.chain)
    if any("fin" in readings[joint].meanings for joint in branch.chain):
        return "fin"
    if leg_pairs == 0 and upright < 0.5 and wingness < 2.0:
        return "fin" if len(branch.chain) < 5 else "arm"
    if leg_pairs == 1 and upright < 0.62:
        wingness += 0.7 if _tail_length(shape, tails) < 0.8 * _trunk_length(shape, trunk) else -0.6
    if front is not None:
        # What leaves the back of a body on four legs no further ahead than its front legs do is a pair of wings.
        inward = branch.attach == front.attach or branch.attach in shape.ancestors(front.attach)
        wingness += 1.3 if inward else 0.0
    return "wing" if wingness > 0.5 else "arm"


def _wing_signs(shape: Shape, branch: Branch, front: FloatArray) -> float:
    """What speaks for a wing: it rises and leads back, carries feathers along its length, and is very long."""
    start, tip = shape.positions[branch.chain[0]], shape.positions[branch.chain[-1]]
    line = (tip - start) / max(branch.length, 1e-9)
    score = 0.9 * max(0.0, float(line @ shape.up) - 0.2) + 0.6 * max(0.0, -float(line @ front) - 0.2)
    plumes = _plumes(shape, branch)
    score += 0.35 * max(0, plumes - 1)
    score += 0.5 * max(0.0, branch.length / (0.45 * shape.tall) - 2.0)
    return score - (1.0 if fan_of(shape, branch.chain) >= 0 and plumes < 3 else 0.0)


def _plumes(shape: Shape, branch: Branch) -> int:
    """How many joints along a chain carry a branch of some length beside it, as the bones of a wing carry feathers."""
    return sum(
        any(shape.reaches[child] > 0.04 * branch.length for child in shape.children[joint] if child not in branch.chain)
        for joint in branch.chain[1:-1]
        if len(shape.children[joint]) < 4
    )


def _tail_length(shape: Shape, tails: Sequence[Sequence[int]]) -> float:
    return max((shape.reaches[tail[0]] for tail in tails), default=0.0)


def _trunk_length(shape: Shape, trunk: Trunk) -> float:
    return sum(shape.distance(one, other) for one, other in zip(trunk.path, trunk.path[1:], strict=False))


def _kind(shape: Shape, members: Sequence[Member], trunk: Trunk, tails: Sequence[Sequence[int]], upright: float) -> str:
    """The name of the kind of body that has these limbs."""
    kinds = [member.kind for member in members]
    legs = kinds.count("leg")
    if legs == 0:
        return _legless_kind(shape, kinds, trunk, tails)
    if legs == 1:
        return _biped_kind(shape, kinds, tails, trunk, upright)
    if legs == 2:
        return "centaur" if "arm" in kinds else "quadruped"
    return {3: "insect", 4: "arachnid"}.get(legs, "many-legged")


def _biped_kind(
    shape: Shape, kinds: Sequence[str], tails: Sequence[Sequence[int]], trunk: Trunk, upright: float
) -> str:
    if "wing" in kinds:
        if "arm" in kinds:
            return "humanoid"
        return "bird" if upright < 0.7 else "winged biped"
    if upright < 0.6 and _tail_length(shape, tails) > 0.5 * _trunk_length(shape, trunk):
        return "theropod"
    return "humanoid" if "arm" in kinds or upright > 0.6 else "biped"


def _legless_kind(shape: Shape, kinds: Sequence[str], trunk: Trunk, tails: Sequence[Sequence[int]]) -> str:
    if "wing" in kinds:
        return "flying"
    if "arm" in kinds:
        return "floating"
    if "fin" in kinds:
        return "fish"
    longest = max((len(shape.longest_chain(root)) for root in shape.roots), default=0)
    line = len(trunk.path) + max((len(tail) for tail in tails), default=0)
    return "snake" if max(line, longest) >= 8 and max(line, longest) > 0.5 * len(shape.order) else "unknown"
