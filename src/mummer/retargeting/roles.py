"""Roles that stand for one another across kinds of bodies: the arm of a man is the foreleg of a dog."""

from __future__ import annotations

from mummer.character import Anatomy

# The parts of limbs as two-legged bodies call them, and as four-legged ones do.
_ARM = (("shoulder", "shoulder"), ("upper_arm", "upper"), ("forearm", "lower"), ("hand", "foot"))
_LEG = (("upper_leg", "upper"), ("lower_leg", "lower"), ("foot", "foot"), ("toes", "toes"))
_SIDES = ("left", "right")


def _kin() -> dict[str, tuple[str, ...]]:
    pairs: list[tuple[str, str]] = []
    for side in _SIDES:
        pairs += [(f"{side}_{man}", f"front_{side}_{beast}") for man, beast in _ARM]
        pairs += [(f"{side}_{man}", f"hind_{side}_{beast}") for man, beast in _LEG]
        pairs += [(f"{side}_upper_arm", f"{side}_wing_1"), (f"{side}_hand", f"{side}_wing_tip")]
    table: dict[str, tuple[str, ...]] = {}
    for one, other in pairs:
        table[one] = (*table.get(one, ()), other)
        table[other] = (*table.get(other, ()), one)
    return table


KIN = _kin()
"""For each role, the roles that do the same on bodies of another kind."""
WITHIN = {"spine": ("chest",), "chest": ("spine",)}
"""Roles that stand in for one that the other body lacks."""


def kin_of(role: str, source: Anatomy, target: Anatomy) -> tuple[str, ...]:
    """The roles of the source that ``role`` of the target may take its turns from, best first."""
    found = (role, *KIN.get(role, ()))
    missing = WITHIN.get(role, ())
    return (*found, *(name for name in missing if name not in target.roles and name in source.roles))


def is_across(first: Anatomy, second: Anatomy) -> bool:
    """Whether two bodies are built differently: one walks on two legs and the other does not, or not on as many."""
    return _plan(first) != _plan(second)


def is_upright(anatomy: Anatomy) -> bool:
    """Whether a body stands on two legs, so that its spine may be laid along another's."""
    return _plan(anatomy) == "upright"


def _plan(anatomy: Anatomy) -> str:
    if "left_upper_leg" in anatomy.roles or "right_upper_leg" in anatomy.roles:
        return "upright"
    if "hind_left_upper" in anatomy.roles or "hind_right_upper" in anatomy.roles:
        return "four-legged"
    return anatomy.kind
