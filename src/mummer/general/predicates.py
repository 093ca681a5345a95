"""What a branch may ask of a body."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from mummer.character import CAPABILITIES
from mummer.errors import InputError, closest_names
from mummer.general.context import select
from mummer.general.context_limbs import walk_limb
from mummer.general.physique import Physique

UPRIGHT = np.cos(np.radians(40))
"""A spine is upright if it rises at less than forty degrees from straight up."""
FLOATING = 0.02
"""A body floats if all of it is farther above the ground than this part of its height."""
LONG_NECK = 0.12
"""A neck is long if the head is farther from the body than this part of the body's longest side."""
REACHING = 0.85
"""A hand reaches a head that is nearer to its shoulder than this part of its arm's length."""
LEGS_TO_SPARE = 6
"""Who has so many feet gestures with legs, which are seen, rather than with feelers."""
SPRAWLING = 0.7
"""Legs sprawl if their feet stand farther out from the hips than this part of how far they are below them."""


def fits(physique: Physique, needs: Mapping[str, bool | int]) -> bool:
    """Whether a body has all that is needed: True has, False has not, a number has at least so many."""
    return all(_fits(physique, name, needed) for name, needed in needs.items())


def require_predicate(name: str) -> None:
    """Raise unless a branch may ask for ``name``.

    Raises:
        InputError: with the closest name there is.
    """
    known = (*CAPABILITIES, *_PREDICATES)
    if name not in known and not name.startswith(("limb:", "role:")):
        near = closest_names(name, known)
        hint = f"; closest: {near[0]!r}" if near else ""
        raise InputError(f"a branch needs {name!r}, which is neither a capability nor a known question{hint}")


def _fits(physique: Physique, name: str, needed: bool | int) -> bool:
    if name in _PREDICATES:
        return _PREDICATES[name](physique) == bool(needed)
    count = len(select(physique, name))
    return (count > 0) == needed if isinstance(needed, bool) else count >= needed


def _upright_spine(physique: Physique) -> bool:
    """Whether the way from the root to the end of the spine, or to the head, goes upwards."""
    spine = list(physique.spine)
    ends = list(select(physique, "head")) or spine[-1:]
    ways = physique.positions[ends] - physique.positions[physique.root]
    far = ways[np.argmax(np.linalg.norm(ways, axis=1))]
    return bool(far[1] >= UPRIGHT * max(float(np.linalg.norm(far)), 1e-12))


def _floats(physique: Physique) -> bool:
    """Whether a body is off the ground, or lives by fins or wings alone."""
    able = physique.anatomy.capabilities
    afloat = (able.get("fin") or able.get("wing")) and not able.get("foot")
    return bool(afloat) or bool(physique.corners[0, 1] > FLOATING * physique.size[1])


def _long_neck(physique: Physique) -> bool:
    heads = select(physique, "head")
    return bool(heads) and bool(physique.limb_lengths[list(heads)].max() > LONG_NECK * physique.height)


def _standing_grasper(physique: Physique) -> bool:
    """Whether a hand is a foot too."""
    return bool(set(select(physique, "grasper")) & set(select(physique, "foot")))


def _sprawling(physique: Physique) -> bool:
    """Whether legs go sideways rather than down, as those of lizards and spiders do: half of them at least."""
    feet = select(physique, "foot")
    ways = physique.positions[list(feet)] - physique.positions[[_hip(physique, foot) for foot in feet]]
    outs = np.hypot(ways[:, 0], ways[:, 2]) > SPRAWLING * np.maximum(-ways[:, 1], 0.0)
    return bool(feet) and bool(np.mean(outs) >= 0.5)


def _hands(physique: Physique) -> bool:
    """Whether a body has hands to gesture with: feelers without elbows are none on a body with legs to spare."""
    hands = select(physique, "grasper")
    elbows = any(walk_limb(physique, [hand], "parent") != walk_limb(physique, [hand], "shoulder") for hand in hands)
    return elbows or (bool(hands) and len(select(physique, "foot")) < LEGS_TO_SPARE)


def _hands_reach_head(physique: Physique) -> bool:
    """Whether every hand can touch the head, or the mouth, that is nearest to it."""
    hands, faces = select(physique, "grasper"), [*select(physique, "head"), *select(physique, "mouth")]
    return _hands(physique) and bool(faces) and all(_reaches(physique, hand, faces) for hand in hands)


def _reaches(physique: Physique, hand: int, faces: list[int]) -> bool:
    shoulder = walk_limb(physique, [hand], "shoulder")[0]
    length = float(physique.limb_lengths[hand] - physique.limb_lengths[shoulder])
    away = np.linalg.norm(physique.positions[faces] - physique.positions[shoulder], axis=1)
    return bool(away.min() <= REACHING * length)


def _hip(physique: Physique, foot: int) -> int:
    return walk_limb(physique, [foot], "shoulder")[0]


_PREDICATES: dict[str, Callable[[Physique], bool]] = {
    "upright_spine": _upright_spine,
    "floats": _floats,
    "long_neck": _long_neck,
    "standing_grasper": _standing_grasper,
    "sprawling": _sprawling,
    "hands": _hands,
    "hands_reach_head": _hands_reach_head,
}
