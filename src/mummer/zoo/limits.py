"""How far the joints of a body turn, by the kind of part they are in."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Ball, Free, Hinge, JointLimit, Limits, Pivot
from mummer.errors import UnknownNameError
from mummer.zoo.geometry import unit, vector
from mummer.zoo.plan import ChainPlan, Plan, bone_directions

HINGES = {
    "elbow": (-3.0, 148.0),
    "knee": (-3.0, 145.0),
    "ankle_hinge": (-40.0, 50.0),
    "toe": (-35.0, 60.0),
    "finger": (-6.0, 100.0),
    "jaw": (-2.0, 42.0),
    "ear": (-30.0, 30.0),
}
"""Degrees from straight (elbow, knee, finger: fold) or from rest (the others)."""
FOLDS = ("elbow", "knee", "finger")
PIVOTS = {
    "wrist": ((-70.0, 80.0), (-25.0, 35.0)),
    "ankle": ((-45.0, 30.0), (-25.0, 25.0)),
    "knuckle": ((-20.0, 90.0), (-18.0, 18.0)),
    "eye": ((-35.0, 35.0), (-45.0, 45.0)),
}
"""Degrees about the hinge axis, and about the axis across it."""
BALLS = {
    "spine": (25.0, 20.0, 20.0),
    "neck": (45.0, 35.0, 45.0),
    "head": (40.0, 35.0, 60.0),
    "shoulder_blade": (18.0, 25.0, 15.0),
    "shoulder": (105.0, 105.0, 90.0),
    "hip": (100.0, 55.0, 45.0),
    "tail": (40.0, 40.0, 20.0),
    "wing": (80.0, 70.0, 50.0),
    "thumb": (35.0, 40.0, 25.0),
    "fin": (50.0, 50.0, 30.0),
    "antenna": (50.0, 50.0, 20.0),
}
"""Degrees of swing about the fold axis and about the axis across it, and of twist each way."""
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
        found[plan.index[eye.joint]] = _pivot((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), PIVOTS["eye"])
    root = plan.chains[0].joints[0]
    found[root] = Free()
    return Limits.from_joints(len(plan.names), found)


def _presets(entry: ChainPlan) -> tuple[str, ...]:
    kind = entry.chain.kind
    presets = OF_KIND.get(kind, ("spine",))
    named_blade = entry.chain.joints[0].endswith("shoulder")
    return ("shoulder_blade", *presets) if kind in ("arm", "leg", "wing") and named_blade else presets


def _limit(plan: Plan, entry: ChainPlan, place: int, preset: str) -> JointLimit:
    along = bone_directions(entry)[place]
    axis = fold_axis(plan, entry, place)
    if preset in HINGES:
        low, high = np.radians(HINGES[preset])
        bent = _rest_fold(plan, entry, place, axis) if preset in FOLDS else 0.0
        return Hinge(vector(axis), min(low - bent, 0.0), max(high - bent, 0.0))
    if preset in PIVOTS:
        return _pivot(vector(axis), vector(np.cross(along, axis)), PIVOTS[preset])
    if preset in BALLS:
        first, second, twist = np.radians(BALLS[preset])
        return Ball(vector(along), (float(first), float(second)), -float(twist), float(twist), vector(axis))
    if preset == "free":
        return Free()
    choices = [*HINGES, *PIVOTS, *BALLS, "free"]
    raise UnknownNameError(f"recipe {plan.recipe.name!r}, chain {entry.chain.name!r}", "limit", preset, choices)


def _pivot(
    axis: tuple[float, float, float],
    second: tuple[float, float, float],
    ranges: tuple[tuple[float, float], tuple[float, float]],
) -> Pivot:
    (low, high), (second_low, second_high) = np.radians(ranges).tolist()
    return Pivot(axis, low, high, second, second_low, second_high)


def fold_axis(plan: Plan, entry: ChainPlan, place: int) -> FloatArray:
    """(3,) unit axis square to a joint's piece, about which a positive turn folds the chain.

    The recipe's ``bend`` decides; else the way the chain is bent at rest there; else forward.
    """
    along = bone_directions(entry)[place]
    bend = entry.chain.bend
    if bend is None:
        before = _direction_before(plan, entry, place)
        rest = along - (along @ before) * before
        bend = vector(rest) if np.linalg.norm(rest) > 0.12 else (0.0, 0.0, 1.0)
    axis = np.cross(along, np.asarray(bend))
    if np.linalg.norm(axis) < 0.1:
        axis = np.cross(along, [0.0, 1.0, 0.0] if abs(along[1]) < 0.9 else [0.0, 0.0, 1.0])
    return unit(axis)


def _direction_before(plan: Plan, entry: ChainPlan, place: int) -> FloatArray:
    if place > 0:
        return bone_directions(entry)[place - 1]
    if entry.parent < 0:
        return bone_directions(entry)[0]
    return unit(entry.points[0] - plan.positions[entry.parent])


def _rest_fold(plan: Plan, entry: ChainPlan, place: int, axis: FloatArray) -> float:
    """Radians by which the joint is folded at rest already, about its axis."""
    before, along = _direction_before(plan, entry, place), bone_directions(entry)[place]
    return float(np.arctan2(np.cross(before, along) @ axis, before @ along))
