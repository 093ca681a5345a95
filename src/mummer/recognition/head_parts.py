"""Eyes, ears, jaw and feelers: the small parts of a head, by name where names tell, else by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.limbs import Branch
from mummer.recognition.plan import Plan
from mummer.recognition.reading import Reading
from mummer.recognition.tidy import is_end

MOST_FACE_PAIRS = 4
"""A face with more pairs than this is an animator's face: only names can tell which of them are the eyes."""


@dataclass(frozen=True)
class Part:
    """A small part of a head.

    Attributes:
        role: ``left_eye``, ``jaw`` ...
        kind: ``eye``, ``ear``, ``jaw``, ``antenna``.
        chain: its joints.
        by_name: whether its name says so.
    """

    role: str
    kind: str
    chain: tuple[int, ...]
    by_name: bool


def find_parts(plan: Plan, readings: Sequence[Reading]) -> list[Part]:
    """The small parts of the head of a body."""
    named = _named(plan, readings)
    kinds = {part.kind for part in named}
    placed = [part for part in _placed(plan, readings) if part.kind not in kinds]
    return [*named, *placed]


def _below_head(plan: Plan) -> list[int]:
    return plan.shape.below(plan.trunk.head)[1:] if plan.trunk.head >= 0 else list(plan.shape.order)


def _side(plan: Plan, joint: int) -> str:
    left = np.cross(plan.shape.up, plan.facing.front)
    across = float(plan.shape.subtree_centers[joint] @ left)
    middle = float(plan.shape.positions[plan.trunk.head] @ left) if plan.trunk.head >= 0 else 0.0
    if abs(across - middle) < 0.002 * plan.shape.size:
        return ""
    return "left" if across > middle else "right"


def _named(plan: Plan, readings: Sequence[Reading]) -> list[Part]:
    """Parts whose names say what they are: the first joint of each."""
    found: dict[str, Part] = {}
    taken: set[int] = set()
    for joint in _below_head(plan):
        words = readings[joint].meanings
        kind = _kind_by_name(words)
        if not kind or plan.shape.parents[joint] in taken or (readings[joint].helper and kind != "antenna"):
            if plan.shape.parents[joint] in taken:
                taken.add(joint)
            continue
        side = _side(plan, joint)
        role = f"{side}_{kind}" if side else kind
        if kind != "jaw" and not side:
            continue
        taken.add(joint)
        if role not in found and not (kind == "jaw" and side):
            chain = tuple(each for each in plan.shape.longest_chain(joint) if not is_end(plan.shape, each)) or (joint,)
            found[role] = Part(role, kind, chain, True)
    return list(found.values())


def _kind_by_name(words: frozenset[str]) -> str:
    if words & {"eyelid", "brow", "lip", "hair", "tongue", "teeth"}:
        return ""
    for kind in ("eye", "ear", "antenna", "jaw"):
        if kind in words:
            return kind
    return "jaw" if "mouth" in words and "lower" in words else ""


def _placed(plan: Plan, readings: Sequence[Reading]) -> list[Part]:
    """Parts told by their places: eyes ahead, ears and feelers long, the jaw low and in the middle."""
    below = {plan.trunk.head, *_below_head(plan)} if plan.trunk.head >= 0 else set()
    pairs = [branch for branch in plan.small if branch.attach in below and branch.other]
    pairs = [pair for pair in pairs if not readings[pair.root].speaks]
    if (not pairs and not below) or len(pairs) > MOST_FACE_PAIRS:
        return []
    found = _jaw(plan, readings, below)
    head = plan.shape.positions[plan.trunk.head]
    ranked = sorted(pairs, key=lambda pair: -float(_spot(plan, pair, head) @ plan.facing.front))
    for pair in ranked:
        kind = _kind_by_place(plan, pair, _spot(plan, pair, head))
        for chain in (pair.chain, pair.other):
            role = f"{_side(plan, chain[0])}_{kind}"
            if kind and not role.startswith("_") and all(part.role != role for part in found):
                found.append(Part(role, kind, chain, False))
    return found


def _spot(plan: Plan, pair: Branch, head: FloatArray) -> FloatArray:
    return np.asarray(plan.shape.positions[pair.root] - head)


def _kind_by_place(plan: Plan, pair: Branch, spot: FloatArray) -> str:
    if pair.length < 0.03 * plan.shape.size:
        return "eye" if float(spot @ plan.facing.front) > 0 else ""
    rises = float((plan.shape.positions[pair.chain[-1]] - plan.shape.positions[pair.root]) @ plan.shape.up)
    return "ear" if rises > 0 or len(pair.chain) < 3 else ""


def _jaw(plan: Plan, readings: Sequence[Reading], below: set[int]) -> list[Part]:
    """The lowest thing in the middle of the face that lies ahead of the head joint."""
    shape, head = plan.shape, plan.trunk.head
    ahead = [
        child
        for child in shape.children[head]
        if plan.symmetry.partner[child] == child and child in below and not readings[child].speaks
        if float((shape.positions[child] - shape.positions[head]) @ plan.facing.front) > 0 and not is_end(shape, child)
    ]
    if not ahead:
        return []
    lowest = min(ahead, key=lambda child: float(shape.subtree_centers[child] @ shape.up))
    if float(shape.subtree_centers[lowest] @ shape.up) > float(shape.positions[head] @ shape.up) + 0.03 * shape.size:
        return []
    return [Part("jaw", "jaw", (lowest,), False)]
