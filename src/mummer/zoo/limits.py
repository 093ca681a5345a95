"""How far the joints of a body turn, by the kind of part they are in."""

from __future__ import annotations

from math import atan2

from mummer.character import Free, JointLimit, Limits
from mummer.character.limit_presets import BALLS, HINGES, PIVOTS, preset_limit
from mummer.errors import UnknownNameError
from mummer.zoo.geometry import cross, dot, length, minus, unit
from mummer.zoo.plan import ChainPlan, Plan
from mummer.zoo.recipe import Vector

OF_FEET = ("ankle", "ankle_hinge", "toe")
"""Which way a leg folds says nothing of these: they turn as the foot lies, up first."""
OF_KIND: dict[str, tuple[str, ...]] = {
    "spine": ("spine",),
    "neck": ("neck",),
    "head": ("head",),
    "tail": ("tail",),
    "fin": ("fin",),
    "antenna": ("antenna",),
    "jaw": ("jaw",),
    "ear": ("ear",),
    "horn": ("antenna",),
    "toe": ("toe",),
    "finger": ("knuckle", "finger"),
    "wing": ("wing", "elbow", "wrist", "finger"),
    "arm": ("shoulder", "elbow", "wrist", "finger"),
    "leg": ("hip", "knee", "ankle", "toe"),
}
"""Presets from the base outwards; the last one is repeated."""


def make_limits(plan: Plan) -> Limits:
    """The limits of every joint.

    Raises:
        UnknownNameError: if a recipe names a preset that does not exist.
    """
    found: dict[int, JointLimit] = {}
    for entry in plan.chains:
        presets = entry.chain.limits or _presets(entry)
        for place, joint in enumerate(entry.joints):
            found[joint] = _limit(plan, entry, place, presets[min(place, len(presets) - 1)])
    for eye in plan.recipe.eye:
        found[plan.index[eye.joint]] = preset_limit("eye", (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), 0.0)
    root = plan.chains[0].joints[0]
    found[root] = Free()
    return Limits.from_joints(len(plan.names), found)


def _presets(entry: ChainPlan) -> tuple[str, ...]:
    kind = entry.chain.kind
    presets = OF_KIND.get(kind, ("spine",))
    named_blade = entry.chain.joints[0].endswith("shoulder")
    return ("shoulder_blade", *presets) if kind in ("arm", "leg", "wing") and named_blade else presets


def _limit(plan: Plan, entry: ChainPlan, place: int, preset: str) -> JointLimit:
    of_foot = entry.chain.kind == "leg" and preset in OF_FEET
    along, axis = entry.directions[place], fold_axis(plan, entry, place, heeds_bend=not of_foot)
    if preset in (*HINGES, *PIVOTS, *BALLS):
        return preset_limit(preset, along, axis, _rest_fold(plan, entry, place, axis))
    if preset == "free":
        return Free()
    choices = [*HINGES, *PIVOTS, *BALLS, "free"]
    raise UnknownNameError(f"recipe {plan.recipe.name!r}, chain {entry.chain.name!r}", "limit", preset, choices)


def fold_axis(plan: Plan, entry: ChainPlan, place: int, *, heeds_bend: bool = True) -> Vector:
    """The unit axis square to a joint's piece, about which a positive turn folds the chain.

    The recipe's ``bend`` decides, if it is heeded; else for a jaw its ``across``; else the way the chain is bent at
    rest there; else forward.
    """
    along = entry.directions[place]
    bend = entry.chain.bend if heeds_bend else None
    if bend is None and entry.chain.kind == "jaw":
        # A jaw turns about the line across the face, as it does when its surface is made.
        return unit(entry.chain.across)
    if bend is None:
        before = _direction_before(plan, entry, place)
        across = cross(before, along)
        # However sharply it is bent: the way that it goes may be square to the way that it came, or lead back.
        if length(across) > 0.12:
            return unit(across)
        bend = (0.0, 0.0, 1.0)
    axis = cross(along, bend)
    if length(axis) < 0.1 * max(length(bend), 1e-9):
        axis = cross(along, (0.0, 1.0, 0.0) if abs(along[1]) < 0.9 else (0.0, 0.0, 1.0))
    return unit(axis)


def _direction_before(plan: Plan, entry: ChainPlan, place: int) -> Vector:
    if place > 0:
        return entry.directions[place - 1]
    if entry.parent < 0:
        return entry.directions[0]
    return unit(minus(entry.points[0].tolist(), plan.positions[entry.parent].tolist()))


def _rest_fold(plan: Plan, entry: ChainPlan, place: int, axis: Vector) -> float:
    """Radians by which the joint is folded at rest already, about its axis."""
    before, along = _direction_before(plan, entry, place), entry.directions[place]
    return atan2(dot(cross(before, along), axis), dot(before, along))
