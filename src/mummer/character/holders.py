"""Joints that hang from elsewhere than their limb, as feet that are handles of a rig hang from its root."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from mummer.arrays import FloatArray
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


def holders_of_girdles(skeleton: Skeleton, anatomy: Anatomy) -> dict[int, int]:
    """For arms, wings and legs that hang from a neck the end of the spine: only what hangs from heads turns so."""
    spine, heads = anatomy.capabilities.get("spine", ()), anatomy.capabilities.get("head", ())
    necks = {joint for limb in anatomy.limbs if limb.kind == "neck" for joint in limb.joints} - set(heads)
    tops = [limb.joints[0] for limb in anatomy.limbs if limb.kind in ("arm", "wing", "leg")]
    return {top: spine[-1] for top in tops if spine and int(skeleton.parents[top]) in necks}


TALL, TOGETHER = 0.2, 1.0 / 3.0
"""How high a foot is, in heights of its leg, that stands on its toes; how near to each other these begin, in lengths of
the foot."""


def holders_of_toes(skeleton: Skeleton, anatomy: Anatomy, places: FloatArray) -> dict[int, int]:
    """For further toes of feet that stand on them, as birds do, the first toe of the same foot: all stand as one.

    Args:
        skeleton: of the body.
        anatomy: what its parts are.
        places: (J, 3) joints at rest, metres.
    """
    found: dict[int, int] = {}
    heights, known = places @ anatomy.up - anatomy.ground, set(anatomy.roles.values())
    legs = [(limb.joints[0], foot) for limb in anatomy.limbs if limb.kind == "leg" for foot in limb.joints]
    for hip, foot in legs:
        toes = sorted(skeleton.children[foot], key=lambda toe: toe not in known)
        if foot not in anatomy.capabilities.get("foot", ()) or len(toes) < 2:
            continue
        first, length = toes[0], float(np.linalg.norm(places[toes[0]] - places[foot]))
        near = np.linalg.norm(places[toes] - places[first], axis=1).max() < TOGETHER * length
        if near and heights[foot] > TALL * heights[hip]:
            found |= dict.fromkeys(toes[1:], first)
    return found
