"""Joints that hang from elsewhere than their limb, as feet that are handles of a rig hang from its root."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mummer.character.anatomy import Anatomy
from mummer.character.limb import Limb
from mummer.character.skeleton import Skeleton

HOLDERS: Mapping[str, tuple[str, ...]] = {
    "lower": ("upper",),
    "lower_leg": ("upper_leg",),
    "forearm": ("upper_arm", "upper"),
    "foot": ("lower", "lower_leg"),
    "hand": ("forearm", "lower"),
    "toes": ("foot", "lower", "lower_leg"),
}
"""Of the end of a role, the ends of those that hold it, best first; down along limbs."""
_ROLE = re.compile(rf"(.*)_({'|'.join(HOLDERS)})")


def find_holders(skeleton: Skeleton, anatomy: Anatomy) -> dict[int, int]:
    """For each joint that hangs from elsewhere the joint that it belongs to, by the roles of both, holders first.

    A holder is neither above nor below its joint. Where the limb goes on below the joint with the holder's role, its
    last joint there is the holder.
    """
    found: dict[int, int] = {}
    matches = [match for role in anatomy.roles if (match := _ROLE.fullmatch(role))]
    for match in sorted(matches, key=lambda match: list(HOLDERS).index(match[2])):
        joint = anatomy.roles[match[0]]
        names = (f"{match[1]}_{end}" for end in HOLDERS[match[2]])
        named = next((anatomy.roles[name] for name in names if anatomy.roles.get(name, joint) != joint), joint)
        holder = _last_below(skeleton, anatomy.limbs, named)
        if holder != joint and holder not in skeleton.ancestors(joint) and joint not in skeleton.ancestors(holder):
            found[joint] = holder
    return found


def _last_below(skeleton: Skeleton, limbs: Iterable[Limb], holder: int) -> int:
    """The last joint of the holder's limb that still hangs from it."""
    limb = next((limb.joints for limb in limbs if holder in limb.joints), ())
    return max((joint for joint in limb if holder in skeleton.ancestors(joint)), key=limb.index, default=holder)
