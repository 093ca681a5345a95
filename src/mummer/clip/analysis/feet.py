"""Feet: which joints of a body touch the ground, and how long the legs above them are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from mummer.character import Character, Skeleton, first_branch
from mummer.character.derive import rest_positions
from mummer.clip.sides import other_side
from mummer.errors import InputError


@dataclass(frozen=True)
class Foot:
    """One foot.

    Attributes:
        name: what marks call it: its role where the body has an anatomy, else the name it was given.
        heel: the joint above the heel, the ankle of a human.
        toes: the joints below it, down to the tips; empty for a foot that is a single point.
        leg: metres from the hip to the heel.
    """

    name: str
    heel: int
    toes: tuple[int, ...]
    leg: float

    @property
    def parts(self) -> tuple[int, ...]:
        """Heel and toes."""
        return (self.heel, *self.toes)


_KEPT = "_known_feet"
Feet = Sequence[str] | Mapping[str, str]
"""Joint names, or joint names by the names that marks shall use: ``{"left_foot": "LeftFoot"}``."""


def feet_of(body: Character, feet: Feet | None = None) -> tuple[Foot, ...]:
    """The feet of ``body``.

    Args:
        body: any body.
        feet: joints that are feet; what hangs below each are its toes. By default those of the anatomy.

    Raises:
        InputError: if nobody says which joints are feet.
        UnknownNameError: if there is no such joint.
    """
    if feet is not None:
        return _found(body, feet)
    # Those of the anatomy never change, and every measure asks for them.
    known = body.__dict__.get(_KEPT)
    if known is None:
        known = body.__dict__[_KEPT] = _found(body, None)
    return cast(tuple[Foot, ...], known)


def known_feet(body: Character) -> tuple[Foot, ...]:
    """The feet of the body; none where it has none or nobody knows them."""
    try:
        return feet_of(body)
    except InputError:
        return ()


def _found(body: Character, feet: Feet | None) -> tuple[Foot, ...]:
    skeleton = body.skeleton
    if feet is not None:
        named = dict(feet) if isinstance(feet, Mapping) else {name: name for name in feet}
        found = {name: skeleton.index(joint) for name, joint in named.items()}
    elif body.anatomy is not None and body.anatomy.capabilities.get("foot"):
        roles = {joint: role for role, joint in body.anatomy.roles.items()}
        joints = body.anatomy.capabilities["foot"]
        found = {roles.get(joint, skeleton.names[joint]): joint for joint in joints}
    else:
        raise InputError(f"which joints of {body.name!r} are feet is not known; name them, or give it an anatomy")
    if not found:
        raise InputError(f"{body.name!r} has no feet to look at")
    return tuple(_foot(body, name, joint) for name, joint in found.items())


def alike(feet: Sequence[Foot]) -> tuple[tuple[int, ...], ...]:
    """The places in ``feet`` of those that stand alike: a foot and the one on the other side of the body."""
    groups: dict[str, list[int]] = {}
    for place, foot in enumerate(feet):
        key = min(foot.name, other_side(foot.name))
        groups.setdefault(key, []).append(place)
    same = [group for group in groups.values() if len({len(feet[place].toes) for place in group}) == 1]
    apart = [[place] for group in groups.values() if group not in same for place in group]
    return tuple(tuple(group) for group in [*same, *apart])


def _foot(body: Character, name: str, joint: int) -> Foot:
    skeleton = body.skeleton
    toes = tuple(below for below in skeleton.descendants(joint) if below != joint)
    return Foot(name, joint, toes, _leg_length(skeleton, joint))


def _leg_length(skeleton: Skeleton, joint: int) -> float:
    """Along the joints up to where the body branches; for feet that hang from a root of their own, the hips' height."""
    places, hips = rest_positions(skeleton), first_branch(skeleton)
    chain = [joint]
    while (parent := int(skeleton.parents[chain[-1]])) >= 0 and parent != hips:
        chain.append(parent)
    along = float(np.linalg.norm(np.diff(places[chain], axis=0), axis=1).sum())
    straight = float(np.linalg.norm(places[hips] - places[joint]))
    size = float(np.ptp(places, axis=0).max())
    length = max(along, 0.5 * straight) if hips in skeleton.ancestors(joint) else straight
    return length if length > 1e-3 * size else max(0.5 * size, 1e-9)
