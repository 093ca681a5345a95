"""Loads: what is lifted or thrown makes who does it slower, the heavier it is."""

from __future__ import annotations

import math

from mummer.character import Character
from mummer.character.balance import mass_of
from mummer.ik.body_point import Part, joint_of
from mummer.model.values import Values


def laden(body: Character, tip: Part | None, values: Values) -> tuple[Values, float]:
    """Values whose ``mass`` a body can bear, no more than its own, and how many times as long it takes to move it.

    The same work moves the limb that acts and what it holds, whose speed goes with the root of their mass.

    Args:
        body: who.
        tip: the part that acts; all of the body if None.
        values: of an action.
    """
    mass = values["mass"] if values.has("mass") else 0.0
    assert isinstance(mass, float)
    own = mass_of(body)
    if not mass > 0.0 or not own.total > 0.0:
        return values, 1.0
    if mass > own.total:
        values, mass = values.clipped("mass", own.total), own.total
    groups = () if body.anatomy is None else body.anatomy.groups.values()
    acting = own.total
    if tip is not None:
        joint = joint_of(body, tip)
        acting = next((float(own.masses[list(joints)].sum()) for joints in groups if joint in joints), own.total)
    return values, math.sqrt(1.0 + mass / acting) if acting > 0.0 else 1.0
