"""Looks at a character: chooses pose and up, tidies, finds the mirror plane and makes the plan."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.recognition.plan import Member, Plan, make_plan
from mummer.recognition.reading import Reading
from mummer.recognition.reference import is_one_way, other_poses, rest_of
from mummer.recognition.shape import Shape
from mummer.recognition.surface import read_surface
from mummer.recognition.symmetry import find_symmetry
from mummer.recognition.tidy import tidy

MANY_JOINTS = 300
"""Bodies of more joints are looked at in fewer poses and stand along Y, to keep the time in bounds."""

OTHER_UPS = ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))
"""Where the top of a body may be that does not stand along Y."""

SURE = 0.9
"""A front this likely shows that a body stands as it is seen."""

CLEAR = 0.8
"""A rest pose that mirrors itself this well needs no other pose beside it."""

ASKEW = 0.5
"""A rest pose that mirrors itself worse gives way to any other that does better: some files write lengths so."""

SIDEWAYS = 0.8
"""Part of the length of a trunk by which it may run from one side of a body to the other."""


_CALLED = {"leg": ("upper_leg", "lower_leg", "foot", "toes"), "arm": ("shoulder", "upper_arm", "forearm", "hand")}


def look(character: Character, readings: Sequence[Reading]) -> tuple[Plan, FloatArray]:
    """The plan of a body, and (J, 3, 4) world_from_joint of the pose in which it was found.

    Args:
        character: the body.
        readings: what the names of its joints say; silent readings to go by shape alone.
    """
    rest = rest_of(character)
    parents = tuple(character.skeleton.parents.tolist())
    plan, pose = plan_in(character, rest, readings), rest
    is_none = is_one_way(rest[:, :, 3], parents) or _is_askew(plan)
    if not is_none and (plan.symmetry.quality > CLEAR or worth(plan) > 1.6):
        return plan, rest
    best = -np.inf if is_none else worth(plan) + 2 * plan.symmetry.quality
    for world_from_joint in other_poses(character, most=6 if len(parents) < MANY_JOINTS else 1):
        if is_one_way(world_from_joint[:, :, 3], parents):
            continue
        other = plan_in(character, world_from_joint, readings)
        if is_none and _is_askew(other):
            continue
        score = worth(other) + 2 * other.symmetry.quality
        if score > best + 0.05:
            plan, pose, best = other, world_from_joint, score
    return plan, pose


def _is_askew(plan: Plan) -> bool:
    """Whether a body hardly mirrors itself, or its trunk runs from side to side."""
    if plan.symmetry.quality < ASKEW or plan.trunk.hips < 0 or len(plan.trunk.path) < 2:
        return plan.symmetry.quality < ASKEW
    line = plan.shape.positions[plan.trunk.path[-1]] - plan.shape.positions[plan.trunk.hips]
    return abs(float(line @ plan.symmetry.normal)) > SIDEWAYS * float(np.linalg.norm(line))


def plan_in(character: Character, world_from_joint: FloatArray, readings: Sequence[Reading]) -> Plan:
    """The plan of a body in one pose; up is Y unless another axis makes far more of a body of it."""
    shape = as_shape(character, world_from_joint, np.array([0.0, 1.0, 0.0]))
    plan = _plan(shape, readings)
    if _convinces(plan) and min(_calls(plan, readings), default=0.0) > -0.2:
        return plan
    best = _standing_worth(plan, readings) + _doubtless(plan)
    for up in OTHER_UPS if len(character.skeleton) < MANY_JOINTS else ():
        other = _plan(dataclasses.replace(shape, up=np.array(up)), readings)
        score = _standing_worth(other, readings)
        if other.of("leg") and score > best:
            plan, best = other, score
    return plan


def plan_by_shape(plan: Plan, readings: Sequence[Reading]) -> Plan:
    """The plan of the same body in the same pose with other readings; its up stays."""
    return _plan(plan.seen, readings)


def _doubtless(plan: Plan) -> float:
    """How much more of a body another up has to make: much for one that floats upright, little for one that is flat."""
    if plan.shape.tall < 0.4 * plan.shape.size:
        return 0.2
    return 3.0 if not plan.of("leg") and plan.symmetry.quality > 0.85 else 1.0


def _convinces(plan: Plan) -> bool:
    """Whether a body surely stands as it is seen: on legs, both sides alike, a head, and a front or straight legs."""
    legs = plan.of("leg")
    if plan.symmetry.quality > 0.85 and (len(legs) > 2 or (len(legs) == 2 and plan.facing.shape > SURE)):
        return True
    if not legs or not _has_head(plan) or plan.shape.tall < 0.4 * plan.shape.size or plan.symmetry.quality < 0.85:
        return False
    if plan.facing.shape > SURE:
        return True
    leg = plan.shape.positions[[legs[0].branch.root, _foot(legs[0])]]
    drop = float((leg[0] - leg[1]) @ plan.shape.up)
    return drop > 0.8 * float(np.linalg.norm(leg[0] - leg[1])) and drop > 0.2 * plan.shape.tall


def _has_head(plan: Plan) -> bool:
    return plan.trunk.head >= 0 or bool(plan.of("neck"))


def _foot(leg: Member) -> int:
    return leg.places.end if leg.places.end >= 0 else leg.branch.chain[-1]


def _standing_worth(plan: Plan, readings: Sequence[Reading]) -> float:
    """How much of a body a plan makes that stands along its up: as `worth`, with its mirror, its front and its head."""
    front = 4 * plan.facing.shape - 2 + max(0.0, plan.facing.names) + (2.4 if _convinces(plan) else 0.0)
    score = worth(plan) + 4 * plan.symmetry.quality + 0.5 * min(front, 5.0) + 2 * _called_right(plan, readings)
    return score + (0.6 if _has_head(plan) else 0.0)


def _called_right(plan: Plan, readings: Sequence[Reading]) -> float:
    """How far names call legs legs and arms arms: up to 1 for each pair of limbs, as much below 0 for the contrary."""
    return sum(_calls(plan, readings))


def _calls(plan: Plan, readings: Sequence[Reading]) -> list[float]:
    """For each pair of legs or arms, how far names call it that: 1 to -1.

    Words for arms are used for the front legs of what stands high on four, so they do not speak against those.
    """
    legs, is_flat = plan.of("leg"), plan.shape.tall < 0.4 * plan.shape.size
    found = []
    for member in plan.members:
        if member.kind in _CALLED:
            votes = [readings[joint].vote(*_CALLED[member.kind]) for joint in member.branch.chain]
            is_front = len(legs) == 2 and member is legs[0]
            found.append(max(float(np.mean(votes)), 0.0 if is_front and not is_flat else -1.0))
    return found


def _plan(shape: Shape, readings: Sequence[Reading]) -> Plan:
    tidied = tidy(shape, readings)
    plan = make_plan(tidied, find_symmetry(tidied, readings), readings)
    return dataclasses.replace(plan, seen=shape)


def as_shape(character: Character, world_from_joint: FloatArray, up: FloatArray) -> Shape:
    """A character in one pose as the recogniser sees it, before anything is set aside."""
    skeleton = character.skeleton
    details = character.source.details if character.source is not None else {}
    sites = set(details.get("end_sites", ()))
    return Shape(
        np.ascontiguousarray(world_from_joint[:, :, 3]),
        tuple(skeleton.parents.tolist()),
        (True,) * len(skeleton),
        read_surface(character, world_from_joint),
        tuple(name in sites and not skeleton.children[joint] for joint, name in enumerate(skeleton.names)),
        up,
    )


def worth(plan: Plan) -> float:
    """How much of a body a plan makes: complete limbs, a head, a good mirror."""
    score = plan.symmetry.quality
    for member in plan.members:
        whole = min(member.places.upper, member.places.lower, member.places.end) >= 0
        if member.kind == "leg":
            score += (1.2 if whole else 0.4) - 0.3 * (1 - member.places.chance)
            drop = float(plan.shape.heights[member.branch.root] - plan.shape.heights[member.branch.chain[-1]])
            score += 0.8 * drop / max(member.branch.length, 1e-9)
        else:
            score += 0.5 if whole else 0.1
    return score + (0.4 if plan.trunk.head >= 0 else 0.0)
