"""From a body plan to roles: what each joint is called, in the words that all bodies share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import UnknownNameError
from mummer.recognition.digits import NAMES as DIGITS
from mummer.recognition.plan import Member, Plan
from mummer.recognition.shape import Shape
from mummer.recognition.tidy import NEAR, is_end

ARM = {"shoulder": "shoulder", "upper": "upper_arm", "lower": "forearm", "end": "hand"}
LEG = {"upper": "upper_leg", "lower": "lower_leg", "end": "foot", "toes": "toes"}
BEAST = {"shoulder": "shoulder", "upper": "upper", "lower": "lower", "end": "foot", "toes": "toes"}
WING = {"shoulder": "wing_shoulder", "upper": "wing_upper", "lower": "wing_lower", "end": "wing_hand"}

SIDES = ("left", "right")
ROLES = (
    "hips", "spine", "chest", "neck", "head", "jaw", "tail",
    *(f"{side}_{part}" for side in SIDES
      for part in (*ARM.values(), *LEG.values(), "eye", "ear", "antenna", "fin", "wing", *WING.values())),
    *(f"{end}_{side}_{part}" for end in ("front", "middle", "hind") for side in SIDES for part in BEAST.values()),
    *(f"{side}_{digit}_{number}" for side in SIDES for digit in DIGITS for number in (1, 2, 3)),
)  # fmt: skip
"""What a joint can be, but for limbs beyond the first of their kind, whose roles end in a number."""
_MANY = re.compile(r"leg_\d+_(left|right)_(upper|lower|foot|toes)|(.+?)_\d+")


def check_role(role: str) -> None:
    """Raises `UnknownNameError` for what is no role, with the roles that are spelled most like it."""
    numbered = _MANY.fullmatch(role)
    if role in ROLES or (numbered and (numbered[3] is None or numbered[3] in ROLES or f"{numbered[3]}_1" in ROLES)):
        return
    raise UnknownNameError("an anatomy", "role", role, ROLES)


@dataclass(frozen=True)
class Sided:
    """One side of a limb pair.

    Attributes:
        name: of the limb, for instance ``front_left_leg``.
        kind: ``leg``, ``arm`` ...
        side: ``left`` or ``right``.
        rank: 0 for the foremost of its kind and side.
        chain: its joints.
        places: place (``upper`` ...) to joint.
        roles: role to joint.
        chance: how likely its places are right, see `Segments`.
    """

    name: str
    kind: str
    side: str
    rank: int
    chain: tuple[int, ...]
    places: dict[str, int]
    roles: dict[str, int]
    chance: float


def sided_limbs(plan: Plan) -> list[Sided]:
    """Both sides of every limb pair, named."""
    found: list[Sided] = []
    for kind in dict.fromkeys(member.kind for member in plan.members):
        members = plan.of(kind)
        for rank, member in enumerate(members):
            found.extend(_sides(plan, member, rank, len(members)))
    return found


def _sides(plan: Plan, member: Member, rank: int, count: int) -> Iterator[Sided]:
    first, second = member.branch.chain, member.branch.other
    places = {
        place: getattr(member.places, place)
        for place in ("shoulder", "upper", "lower", "end", "toes")
        if getattr(member.places, place) >= 0
    }
    for chain, side in zip((first, second), _names_of_sides(plan, first, second), strict=True):
        if not chain:
            continue
        own = {place: chain[first.index(joint)] for place, joint in places.items() if first.index(joint) < len(chain)}
        if member.kind == "leg" and ("end" not in own or is_end(plan.shape, own["end"])):
            own |= _borrowed_foot(plan.shape, chain)
        name, roles = _named(plan, member.kind, side, rank, count, own)
        yield Sided(name, member.kind, side, rank, chain, own, roles, member.places.chance)


def _borrowed_foot(shape: Shape, chain: Sequence[int]) -> dict[str, int]:
    """The joint that steers the foot of a leg that has none of its own: a control at the place where the leg ends."""
    tip = chain[-1]
    near = [
        joint
        for joint in range(shape.count)
        if not shape.alive[joint]
        and shape.parents[joint] not in chain
        and shape.distance(joint, tip) < NEAR * shape.size
    ]
    near = [joint for joint in near if shape.parents[joint] not in near]
    return {"end": near[0]} if near else {}


def _names_of_sides(plan: Plan, first: Sequence[int], second: Sequence[int]) -> tuple[str, str]:
    """Which of two partner chains is the left one, by where they are."""
    left = _left(plan)
    one = float((plan.shape.positions[list(first)] @ left).mean())
    other = float((plan.shape.positions[list(second)] @ left).mean()) if second else _middle(plan.shape, left)
    return ("left", "right") if one >= other else ("right", "left")


def _left(plan: Plan) -> FloatArray:
    return np.asarray(np.cross(plan.shape.up, plan.facing.front))


def _middle(shape: Shape, left: FloatArray) -> float:
    return float((shape.positions[list(shape.order)] @ left).mean())


def _named(
    plan: Plan, kind: str, side: str, rank: int, count: int, places: dict[str, int]
) -> tuple[str, dict[str, int]]:
    """The name of one limb and the roles of its joints."""
    if kind == "leg":
        return _named_leg(side, rank, count, places)
    if kind == "wing":
        return _named_wing(plan, side, rank, places)
    if kind == "neck":
        return f"{side}_head_and_neck", {}
    if kind == "fin":
        number = "" if rank == 0 else f"_{rank + 1}"
        return f"{side}_fin{number}", {f"{side}_fin{number}": places["upper"]}
    number = "" if rank == 0 else f"_{rank + 1}"
    roles = {f"{side}_{role}{number}": places[place] for place, role in ARM.items() if place in places}
    return f"{side}_arm{number}", roles


def _named_leg(side: str, rank: int, count: int, places: dict[str, int]) -> tuple[str, dict[str, int]]:
    if count == 1:
        return f"{side}_leg", {f"{side}_{role}": places[place] for place, role in LEG.items() if place in places}
    if count <= 3:
        end = ("front", "hind")[rank] if count == 2 else ("front", "middle", "hind")[rank]
        beast = {place: role for place, role in BEAST.items() if place != "shoulder" or end == "front"}
        roles = {f"{end}_{side}_{role}": places[place] for place, role in beast.items() if place in places}
        return f"{end}_{side}_leg", roles
    name = f"leg_{rank + 1}_{side}"
    return name, {
        f"{name}_{role}": places[place] for place, role in BEAST.items() if place in places and place != "shoulder"
    }


def _named_wing(plan: Plan, side: str, rank: int, places: dict[str, int]) -> tuple[str, dict[str, int]]:
    number = "" if rank == 0 else f"_{rank + 1}"
    roles = {f"{side}_{role}{number}": places[place] for place, role in WING.items() if place in places}
    if len(plan.of("leg")) != 1 or len(places) == 1:
        roles[f"{side}_wing{number}"] = places["upper"]
    if len(places) == 1:
        roles = {f"{side}_wing{number}": places["upper"]}
    return f"{side}_wing{number}", roles


def trunk_roles(plan: Plan) -> dict[str, int]:
    """The roles of the middle line."""
    trunk = plan.trunk
    named = {"hips": trunk.hips, "spine": trunk.spine, "chest": trunk.chest, "neck": trunk.neck, "head": trunk.head}
    roles = {role: joint for role, joint in named.items() if joint >= 0}
    if plan.tails:
        roles["tail"] = plan.tails[0][0]
    return roles
