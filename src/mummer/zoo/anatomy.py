"""The anatomy of a planned body: it need not be recognised, since the recipe says what everything is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Limb
from mummer.character.derive import WAIST, split_off, waist_of
from mummer.character.limb import Side
from mummer.errors import UnknownNameError
from mummer.zoo.arguments import IntegerArray
from mummer.zoo.geometry import length, minus
from mummer.zoo.plan import ChainPlan, Plan
from mummer.zoo.sides import swap_sides

PAIRED = (
    "shoulder", "upper_arm", "forearm", "hand", "upper_leg", "lower_leg", "foot", "toes", "eye", "ear",
    "wing", "wing_shoulder", "wing_upper", "wing_lower", "wing_hand",
)  # fmt: skip
ROLE = re.compile(
    "hips|spine|chest|neck|head|jaw|tail"
    f"|(left|right)_({'|'.join(PAIRED)})"
    "|(front|middle|hind)_(left|right)_(shoulder|upper|lower|foot|toes)"
    "|(left|right)_(thumb|index|middle|ring|little)_[123]"
)
"""Joint names that are roles by themselves."""
SMALL = ("finger", "toe", "jaw", "ear", "horn", "eye", "antenna")
"""Kinds whose joints belong to the group of the part they sit on."""
GROUP_OF_KIND = {"spine": "torso", "neck": "head", "head": "head"}
TIP_CAN = {"arm": "grasper", "leg": "foot"}
ALL_CAN = {"spine": "spine", "fin": "fin", "antenna": "antenna", "ear": "ear", "finger": "digit", "toe": "digit"}
FIRST_CAN = {"head": "head", "tail": "tail", "wing": "wing", "jaw": "jaw"}


def make_anatomy(plan: Plan, bounds: FloatArray) -> Anatomy:
    """The anatomy of a planned body.

    Args:
        plan: the body.
        bounds: (2, 3) of its surface at rest.
    """
    limbs = _limbs(plan)
    return Anatomy(
        plan.recipe.kind,
        {name: joint for joint, name in enumerate(plan.names) if ROLE.fullmatch(name)},
        _capabilities(plan),
        limbs,
        _groups(plan, limbs),
        mirror_partners(plan.names),
        bounds=bounds,
    )


def mirror_partners(names: Sequence[str]) -> IntegerArray:
    """(J,) the joint of the same name on the other side; a joint without one is its own."""
    index = {name: joint for joint, name in enumerate(names)}
    return np.array([index.get(swap_sides(name), joint) for joint, name in enumerate(names)])


def side_of(name: str) -> Side:
    """The side that a part is on, by the first side its name says."""
    word = re.search(r"(?<![a-z])(left|right)(?![a-z])", name)
    return "center" if word is None else "left" if word[1] == "left" else "right"


def _capabilities(plan: Plan) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {"root": [0]}
    for entry in plan.chains:
        for capability, joints in _chain_can(plan, entry).items():
            found.setdefault(capability, []).extend(joints)
    if plan.recipe.eye:
        found.setdefault("eye", []).extend(plan.index[eye.joint] for eye in plan.recipe.eye)
    if "jaw" in found and "mouth" not in found:
        found["mouth"] = list(found["jaw"])
    return {capability: tuple(dict.fromkeys(joints)) for capability, joints in found.items()}


def _chain_can(plan: Plan, entry: ChainPlan) -> dict[str, list[int]]:
    chain = entry.chain
    if chain.can is not None:
        return {capability: [_named(plan, entry, name) for name in names] for capability, names in chain.can.items()}
    if chain.kind in TIP_CAN:
        feet = [joint for joint in entry.joints if plan.names[joint].endswith(("foot", "hand"))]
        return {TIP_CAN[chain.kind]: feet or [entry.joints[-1]]}
    if chain.kind in ALL_CAN:
        return {ALL_CAN[chain.kind]: list(entry.joints)}
    if chain.kind in FIRST_CAN:
        return {FIRST_CAN[chain.kind]: [entry.joints[0]]}
    return {}


def _named(plan: Plan, entry: ChainPlan, name: str) -> int:
    if name not in entry.chain.joints:
        where = f"recipe {plan.recipe.name!r}, chain {entry.chain.name!r}"
        raise UnknownNameError(where, "joint", name, entry.chain.joints)
    return plan.index[name]


def _limbs(plan: Plan) -> tuple[Limb, ...]:
    limbs = []
    for entry in plan.chains:
        if entry.chain.kind in ("spine", "jaw"):
            continue
        name, kind = entry.chain.name, entry.chain.kind
        joints, points = list(entry.joints), list(entry.points)
        if kind == "head":
            # A head ends its neck: together they are the limb that leads from the spine to the face.
            above = plan.chains[plan.chain_of[entry.parent]] if entry.parent >= 0 else None
            if above is not None and above.chain.kind == "neck" and above.joints[-1] == entry.parent:
                joints, points = [*above.joints, *joints], [*above.points[:-1], *points]
            name, kind = f"{name}_and_neck" if len(joints) > len(entry.joints) else name, "neck"
        elif kind == "neck" and _ends_in_head(plan, entry):
            continue
        far = sum(length(minus(there.tolist(), here.tolist())) for here, there in pairwise(points))
        limbs.append((name, kind, side_of(name), tuple(joints), far))
    behind = [-float(plan.positions[limb[3][0], 2]) for limb in limbs]
    return tuple(
        Limb(name, kind, side, _rank(limbs, behind, place), joints, far)
        for place, (name, kind, side, joints, far) in enumerate(limbs)
    )


def _ends_in_head(plan: Plan, entry: ChainPlan) -> bool:
    return any(other.chain.kind == "head" and other.parent == entry.joints[-1] for other in plan.chains)


def _rank(limbs: list[tuple[str, str, Side, tuple[int, ...], float]], behind: list[float], place: int) -> int:
    """How many limbs of the same kind and side start further to the front."""
    mine = limbs[place][1:3]
    return sum(
        other[1:3] == mine and (behind[number], number) < (behind[place], place) for number, other in enumerate(limbs)
    )


def _groups(plan: Plan, limbs: tuple[Limb, ...]) -> dict[str, tuple[int, ...]]:
    group_of: dict[int, str] = {}
    for entry in plan.chains:
        chain = entry.chain
        group = chain.group or GROUP_OF_KIND.get(chain.kind, "")
        if not group:
            group = group_of[entry.parent] if chain.kind in SMALL and entry.parent >= 0 else chain.name
        group_of |= dict.fromkeys(entry.joints, group)
    for eye in plan.recipe.eye:
        group_of[plan.index[eye.joint]] = group_of[plan.index[eye.parent]]
    groups: dict[str, list[int]] = {}
    for joint in range(len(plan.names)):
        groups.setdefault(group_of[joint], []).append(joint)
    waist = waist_of(plan.parents, [limb.joints for limb in limbs], plan.index.get("hips", 0))
    return split_off(groups, WAIST, waist)
