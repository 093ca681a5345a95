"""The body plan: which branches are legs, arms, wings and fins, where the tail is, and what kind of body that makes."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.choose import legs_among, limbs_among
from mummer.recognition.facing import Facing, find_facing
from mummer.recognition.head import find_head
from mummer.recognition.kinds import kind_of, upper_kind, upright_of
from mummer.recognition.limbs import Branch, find_branches, middle_joints, toe_way
from mummer.recognition.reading import Reading
from mummer.recognition.segments import Segments, segment, segment_legs
from mummer.recognition.shape import Shape
from mummer.recognition.symmetry import Symmetry
from mummer.recognition.tail import find_tails
from mummer.recognition.trunk import Trunk, find_trunk

PLACES = ("shoulder", "upper", "lower", "end", "toes")


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
        seen: the body before anything was set aside.
    """

    shape: Shape
    symmetry: Symmetry
    kind: str
    trunk: Trunk
    members: tuple[Member, ...]
    small: tuple[Branch, ...]
    tails: tuple[tuple[int, ...], ...]
    facing: Facing
    seen: Shape

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
    legs = legs_among(shape, middle, branches, readings)
    rest = [branch for branch in branches if branch not in legs]
    limbs = limbs_among(shape, rest, legs, readings)
    small = [branch for branch in rest if branch not in limbs]
    head, chance, line_chance = find_head(shape, middle, legs, limbs, small, readings, symmetry.normal)
    heads = [] if head >= 0 else _paired_heads(shape, [*limbs, *small])
    # What hangs from the head, or from beyond it, is no arm.
    beyond = set(shape.below(head)) if head >= 0 else set()
    grown = [limb for limb in limbs if limb.attach in beyond and (legs or not _is_wing(limb, readings))]
    small = [branch for branch in [*small, *grown] if branch not in heads]
    limbs = [branch for branch in limbs if branch not in grown and branch not in heads]
    legs = _front_to_back(shape, legs, head)
    trunk = find_trunk(shape, middle, head, legs[-1:], [*legs[:-1], *limbs, *heads], readings, chance, line_chance)
    tails = find_tails(shape, middle, trunk, legs, readings)
    ahead = _ahead(shape, legs, head)
    standing = segment_legs(shape, legs, symmetry, readings, ahead)
    members = [Member("leg", leg, places) for leg, places in zip(legs, standing, strict=True)]
    if len(legs) > 2:
        members = _alike(members)
    uppers = [(branch, segment(shape, branch, symmetry, readings, "arm", ahead)) for branch in limbs]
    stands = [(member.branch, member.places) for member in members]
    fore = [*limbs, *heads, *small] if head < 0 else []
    facing = find_facing(shape, symmetry.normal, trunk, stands, uppers, tails[0] if tails else (), fore, readings)
    if head < 0 or len(legs) > 2:
        members.sort(key=lambda member: -float(_spot(shape, member.branch) @ facing.front))
    upright = upright_of(shape, trunk)
    for branch, places in uppers:
        what = upper_kind(shape, branch, legs, upright, tails, trunk, facing, readings)
        again = what == "wing"
        members.append(
            Member(what, branch, segment(shape, branch, symmetry, readings, what, ahead) if again else places)
        )
    members += [Member("neck", branch, Segments(upper=branch.root)) for branch in heads]
    kind = kind_of(shape, [member.kind for member in members], trunk, tails, upright)
    return Plan(shape, symmetry, kind, trunk, tuple(members), tuple(small), tuple(tails), facing, shape)


def _is_wing(branch: Branch, readings: Sequence[Reading]) -> bool:
    """Whether its names say so: of what is nearly all head, as bees of toy rigs are, the wings hang from the head."""
    return any("wing" in readings[joint].meanings for joint in branch.chain)


def _alike(members: list[Member]) -> list[Member]:
    """Many legs, those that have as many joints as most with their places as most of them have them.

    One pair of a spider's is no different from the others, however it stands.
    """
    rows = [_rows(member) for member in members]
    usual, count = Counter(rows).most_common(1)[0]
    if 2 * count <= len(members):
        return members
    size = max(len(member.branch.chain) for member, row in zip(members, rows, strict=True) if row == usual)
    return [
        member
        if row == usual or len(member.branch.chain) != size
        else dataclasses.replace(member, places=_at_rows(member, usual))
        for member, row in zip(members, rows, strict=True)
    ]


def _rows(member: Member) -> tuple[int, ...]:
    """Where along its chain each place of a limb is; -1 for one that is missing."""
    found = [getattr(member.places, place) for place in PLACES]
    return tuple(member.branch.chain.index(joint) if joint in member.branch.chain else -1 for joint in found)


def _at_rows(member: Member, rows: Sequence[int]) -> Segments:
    joints = [member.branch.chain[row] if row >= 0 else -1 for row in rows]
    return dataclasses.replace(member.places, **dict(zip(PLACES, joints, strict=True)))


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


def _ahead(shape: Shape, legs: Sequence[Branch], head: int) -> FloatArray:
    """(3,) where a body seems to look before its limbs are known: from its legs to its head, and as two legs' toes."""
    toes = toe_way(shape, legs) if len(legs) == 1 or head < 0 else np.zeros(3)
    line = shape.positions[head] - np.mean([_spot(shape, leg) for leg in legs] or [shape.positions[head]], axis=0)
    level = line - (line @ shape.up) * shape.up
    found = toes + (level / (0.2 * shape.tall) if head >= 0 else 0.0)
    return np.asarray(found / max(float(np.linalg.norm(found)), 1.0))


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
