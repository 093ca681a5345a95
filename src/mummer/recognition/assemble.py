"""From a plan to an anatomy: roles with evidence, limbs, groups, capabilities, mirror partners, front, up, ground."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Anatomy, Character, Limb, Skeleton
from mummer.character.anatomy import Evidence
from mummer.character.derive import ground_of, groups_from_limbs, limb_length, mirror_by_position
from mummer.recognition.by_name import LIMBS
from mummer.recognition.correct import corrected_limb, mirrored_corrections
from mummer.recognition.digits import find_digits, name_digits
from mummer.recognition.evidence import weigh
from mummer.recognition.grips import find_grips
from mummer.recognition.head_parts import Part, find_parts
from mummer.recognition.plan import Plan
from mummer.recognition.reading import Reading
from mummer.recognition.roles import Sided, sided_limbs, trunk_roles
from mummer.recognition.surface import rest_bounds
from mummer.recognition.tidy import NEAR
from mummer.recognition.trunk import Trunk

PERSON = "a person has said so"
"""The reason of a role that was set by hand."""

EVEN = 0.5
"""How likely a role is that no choice among candidates gave."""

_PLACES = {
    "hips": "is what the legs hang from",
    "spine": "is the first joint above the hips",
    "chest": "is the last joint below neck and shoulders",
    "neck": "is the first joint above the chest",
    "head": "is where the skull begins at the end of the middle line",
    "tail": "leads away from the head",
    "shoulder": "leads from the trunk to the limb",
    "upper": "starts the limb",
    "lower": "bends the limb in its middle",
    "end": "ends the limb",
    "toes": "is what the foot rolls over",
}


@dataclasses.dataclass(frozen=True, eq=False)
class Found:
    """The parts of a body, before they are written down as an anatomy.

    Attributes:
        plan: the body plan.
        limbs: both sides of every limb pair.
        parts: eyes, ears, jaw.
        digits: hand or foot role to its digits by name.
        roles: role to joint.
        chances: role to how likely the choice was that gave it, and to what its place is.
        by_name_alone: whether the shape showed no body, so that names alone gave the roles.
    """

    plan: Plan
    limbs: tuple[Sided, ...]
    parts: tuple[Part, ...]
    digits: Mapping[str, Mapping[str, tuple[int, ...]]]
    roles: Mapping[str, int]
    chances: Mapping[str, tuple[float, str]]
    by_name_alone: bool = False


def find_all(plan: Plan, readings: Sequence[Reading]) -> Found:
    """Every part of a body whose plan is known."""
    limbs = sided_limbs(plan)
    parts = find_parts(plan, readings)
    roles = trunk_roles(plan)
    if plan.kind == "unknown":
        # What looks like nothing has the parts that its names speak of, and no others.
        roles = {role: joint for role, joint in roles.items() if readings[joint].vote(role) > 0.5}
    chances = {role: (plan.trunk.head_chance if role == "head" else EVEN, _PLACES[role]) for role in roles}
    digits: dict[str, dict[str, tuple[int, ...]]] = {}
    for limb in limbs:
        for role, joint in limb.roles.items():
            place = next(place for place, spot in limb.places.items() if spot == joint)
            roles.setdefault(role, joint)
            chances.setdefault(role, (limb.chance, _PLACES[place]))
        if limb.kind == "arm" and "end" in limb.places:
            hand = limb.places["end"]
            named = name_digits(plan.shape, hand, find_digits(plan.shape, hand, readings), readings)
            digits[limb.name] = named
            for name, chain in named.items():
                for number, joint in enumerate(chain, start=1):
                    roles.setdefault(f"{limb.side}_{name}_{number}", joint)
                    chances.setdefault(f"{limb.side}_{name}_{number}", (EVEN, "is in the row of the digits"))
    for part in parts:
        roles.setdefault(part.role, part.chain[0])
        chances.setdefault(part.role, (EVEN, "is placed on the head as one would be"))
    return Found(plan, tuple(limbs), tuple(parts), digits, roles, chances)


def named_instead(found: Found, named: Mapping[str, int], skeleton: Skeleton, *, flat: bool) -> Found:
    """What was found, or what names alone say where they give a whole human and the shape shows few of its limbs.

    Args:
        found: by names and shape.
        named: the roles that names alone give; empty if they give no whole human.
        skeleton: the body.
        flat: whether the pose that was looked at is no pose of a body.
    """
    shape, known = found.plan.shape, set(found.roles.values())
    missing = [
        joint
        for role, joint in named.items()
        if role.startswith(("left_", "right_"))
        and not any(shape.distance(joint, other) < NEAR * shape.size for other in known)
    ]
    if not named or (len(missing) < 4 and not flat):
        return found
    trunk_of = {role: joint for role, joint in trunk_roles(found.plan).items() if joint not in named.values()}
    named = {**({} if flat else trunk_of), **named}
    limbs = []
    for side in ("left", "right"):
        for kind, parts in LIMBS.items():
            joints = [named[f"{side}_{part}"] for part in parts]
            chain = skeleton.chain(joints[0], joints[-1])
            places = dict(zip(("upper", "lower", "end"), joints, strict=True))
            roles = {f"{side}_{part}": joint for part, joint in zip(parts, joints, strict=True)}
            limbs.append(Sided(f"{side}_{kind}", kind, side, 0, chain, places, roles, 0.0))
    hips, spine, chest, neck, head = (named.get(role, -1) for role in ("hips", "spine", "chest", "neck", "head"))
    path = skeleton.chain(hips, head) if _stands_above(skeleton, hips, head) else (max(hips, 0),)
    trunk = Trunk(max(hips, 0), spine, chest, neck, head, tuple(path))
    plan = dataclasses.replace(found.plan, kind="humanoid", trunk=trunk, members=(), small=(), tails=())
    chances = dict.fromkeys(named, (EVEN, "shows nothing"))
    return Found(plan, tuple(limbs), (), {}, dict(named), chances, by_name_alone=True)


def _stands_above(skeleton: Skeleton, one: int, other: int) -> bool:
    return one >= 0 and other >= 0 and one in skeleton.ancestors(other)


def write_anatomy(
    character: Character,
    found: Found,
    by_shape: Mapping[str, int],
    readings: Sequence[Reading],
    rest: FloatArray,
    rest_from_pose: FloatArray,
    corrections: Mapping[str, int],
) -> Anatomy:
    """The anatomy of a body.

    Args:
        character: the body.
        found: its parts.
        by_shape: the roles that shape alone gives.
        readings: what the names say.
        rest: (J, 3, 4) world_from_joint at rest.
        rest_from_pose: (3, 3) the rotation from the pose in which the parts were found to the rest pose.
        corrections: roles that a person has set.
    """
    skeleton, plan = character.skeleton, found.plan
    alike = mirrored_corrections(corrections, plan.symmetry.partner)
    said = alike | dict(corrections)
    roles = {role: joint for role, joint in found.roles.items() if joint not in said.values()} | said
    limbs = tuple(corrected_limb(limb, said, skeleton) for limb in found.limbs)
    found = dataclasses.replace(found, limbs=limbs)
    front, up = _squared(rest_from_pose @ plan.facing.front, rest_from_pose @ plan.shape.up)
    chains = _limbs(skeleton, found)
    groups = groups_from_limbs(skeleton, chains, roles.get("hips"))
    bounds = rest_bounds(character, rest, roles.values())
    evidence = {
        role: weigh(role, joint, skeleton.names[joint], readings[joint], by_shape, plan.facing, *found.chances[role])
        for role, joint in roles.items()
        if role in found.chances
    }
    if found.by_name_alone:
        alone = "its name says so, and the shape shows no body that could confirm it"
        evidence = {role: Evidence(0.5, alone) for role in roles}
    evidence |= {role: Evidence(0.75, "mirrors what a person has said of the other side") for role in alike}
    evidence |= {role: Evidence(1.0, PERSON) for role in corrections}
    return Anatomy(
        plan.kind,
        roles,
        _capabilities(found, roles),
        chains,
        {"head" if name in ("head_and_neck", "neck") else name: joints for name, joints in groups.items()},
        _mirror(skeleton, plan, front, up),
        front,
        up,
        ground_of(bounds, up),
        bounds,
        evidence,
        find_grips(found.limbs, found.digits, rest, front, up),
    )


def _squared(front: FloatArray, up: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Both directions of unit length and at right angles, axes where they are next to axes."""
    up = up / np.linalg.norm(up)
    front = front - (front @ up) * up
    front = front / np.linalg.norm(front)
    clean = [np.where(np.abs(vector) < 1e-9, 0.0, vector) for vector in (front, up)]
    return clean[0], clean[1]


def _limbs(skeleton: Skeleton, found: Found) -> tuple[Limb, ...]:
    limbs: list[Limb] = []
    for sided in found.limbs:
        last = sided.places.get("toes", sided.places.get("end", sided.chain[-1]))
        stop = sided.chain.index(last) + 1 if last in sided.chain and sided.kind in ("arm", "leg") else len(sided.chain)
        _add(limbs, skeleton, sided.name, sided.kind, sided.side, sided.rank, sided.chain[:stop])
    trunk = found.plan.trunk
    if trunk.head >= 0:
        start = trunk.neck if trunk.neck in trunk.path else trunk.head
        neck = trunk.path[trunk.path.index(start) :] if start in trunk.path else (trunk.head,)
        _add(limbs, skeleton, "head_and_neck" if len(neck) > 1 else "head", "neck", "center", 0, neck)
    for number, tail in enumerate(found.plan.tails):
        _add(limbs, skeleton, "tail" if number == 0 else f"tail_{number + 1}", "tail", "center", number, tail)
    for limb, digits in found.digits.items():
        side = limb.split("_")[0]
        for rank, (name, chain) in enumerate(digits.items()):
            _add(limbs, skeleton, f"{side}_{name}{_numbered(limb)}", "finger", side, rank, chain)
    for part in found.parts:
        if part.kind in ("ear", "antenna"):
            _add(limbs, skeleton, part.role, part.kind, part.role.split("_")[0], 0, part.chain)
    return tuple(limbs)


def _numbered(limb: str) -> str:
    last = limb.rsplit("_", 1)[-1]
    return f"_{last}" if last.isdigit() else ""


def _add(
    limbs: list[Limb], skeleton: Skeleton, name: str, kind: str, side: str, rank: int, chain: Sequence[int]
) -> None:
    """One limb more, as far as its joints make a chain in the file too."""
    joints = list(chain[:1])
    for above, below in pairwise(chain):
        if skeleton.parents[below] != above:
            break
        joints.append(below)
    if joints and all(limb.name != name for limb in limbs):
        limbs.append(Limb(name, kind, side, rank, tuple(joints), limb_length(skeleton, joints)))  # type: ignore[arg-type]


def _capabilities(found: Found, roles: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """What the joints can do."""
    trunk = found.plan.trunk
    upto = trunk.path.index(trunk.chest) + 1 if trunk.chest in trunk.path else max(1, len(trunk.path) - 1)
    able: dict[str, list[int]] = {"root": [trunk.hips], "spine": list(trunk.path[:upto])}
    for limb in found.limbs:
        if limb.kind == "neck":
            able.setdefault("head", []).append(_skull_of(found.plan, limb.chain))
            continue
        tip = limb.places.get("end", limb.chain[-1])
        base = limb.places.get("shoulder", limb.places.get("upper", limb.chain[0]))
        kind, joint = {"leg": ("foot", tip), "arm": ("grasper", tip)}.get(limb.kind, (limb.kind, base))
        able.setdefault(kind, []).append(joint)
    if "head" in roles:
        able["head"] = [roles["head"]]
    if "tail" in roles:
        able["tail"] = [roles["tail"]]
    for part in found.parts:
        able.setdefault(part.kind, []).extend(part.chain if part.kind == "antenna" else part.chain[:1])
    if "jaw" in able:
        able["mouth"] = list(able["jaw"])
    elif "head" in able:
        able["mouth"] = list(able["head"])
    able["digit"] = [joint for digits in found.digits.values() for chain in digits.values() for joint in chain]
    return {
        key: tuple(dict.fromkeys(joint for joint in joints if joint >= 0)) for key, joints in able.items() if joints
    }


def _skull_of(plan: Plan, chain: Sequence[int]) -> int:
    """The joint of a neck that several things hang from, as eyes and a jaw do; its tip if there is none."""
    return next((joint for joint in chain if len(plan.shape.children[joint]) > 1), chain[-1])


def _mirror(skeleton: Skeleton, plan: Plan, front: FloatArray, up: FloatArray) -> IntArray:
    """Partners of all joints: those of the plan, and by position for what was set aside."""
    mirror: IntArray = np.array(plan.symmetry.partner, np.int32)
    aside = [joint for joint in range(len(skeleton)) if not plan.shape.alive[joint]]
    if aside:
        by_position = mirror_by_position(skeleton, front, up)
        for joint in aside:
            other = int(by_position[joint])
            if not plan.shape.alive[other]:
                mirror[joint] = other
    return mirror
