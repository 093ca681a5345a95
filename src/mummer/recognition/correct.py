"""What a person says, carried through: the limbs follow, and the other side is taken to be alike."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from mummer.character import Skeleton
from mummer.recognition.roles import Sided

_SIDE = re.compile(r"(?<![a-z])(left|right)(?![a-z])")


def mirrored_corrections(corrections: Mapping[str, int], partner: Sequence[int]) -> dict[str, int]:
    """Roles of the other side that follow from corrected ones: each for the partner of the joint that was named.

    Args:
        corrections: role to joint, as a person has said.
        partner: J mirror partners; a joint that has none is its own.
    """
    taken = set(corrections.values())
    found = {}
    for role, joint in corrections.items():
        other = _SIDE.sub(lambda side: "right" if side.group() == "left" else "left", role)
        if other != role and other not in corrections and partner[joint] != joint and partner[joint] not in taken:
            found[other] = partner[joint]
    return found


def corrected_limb(limb: Sided, roles: Mapping[str, int], skeleton: Skeleton) -> Sided:
    """A limb whose places are where ``roles`` put them, lengthened or led elsewhere if they lie outside its chain."""
    places, own, chain = dict(limb.places), dict(limb.roles), limb.chain
    for role in limb.roles.keys() & roles.keys():
        place = next(place for place, joint in limb.places.items() if joint == limb.roles[role])
        places[place] = own[role] = roles[role]
        if roles[role] not in chain and chain[0] in skeleton.ancestors(roles[role]):
            chain = tuple(skeleton.chain(chain[0], roles[role]))
    kept = {place: joint for place, joint in places.items() if joint in chain or joint in roles.values()}
    return dataclasses.replace(limb, places=kept, roles=own, chain=chain)
