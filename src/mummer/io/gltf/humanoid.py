"""The human bones of VRM: their names, how they hang together, and which joints of a body they are."""

from __future__ import annotations

from collections.abc import Mapping

from mummer.character import Character
from mummer.errors import InputError

_FINGERS = {
    f"{side}{finger.capitalize()}{part}": f"{side}_{finger}_{number}"
    for side in ("left", "right")
    for finger in ("thumb", "index", "middle", "ring", "little")
    for number, part in enumerate(
        ("Metacarpal", "Proximal", "Distal") if finger == "thumb" else ("Proximal", "Intermediate", "Distal"), 1
    )
}
_LIMBS = {"Shoulder": "shoulder", "UpperArm": "upper_arm", "LowerArm": "forearm", "Hand": "hand",
          "UpperLeg": "upper_leg", "LowerLeg": "lower_leg", "Foot": "foot", "Toes": "toes"}  # fmt: skip
ROLES: Mapping[str, str] = {
    **{name: name for name in ("hips", "spine", "chest", "neck", "head", "jaw")},
    **{f"{side}{part}": f"{side}_{role}" for side in ("left", "right") for part, role in _LIMBS.items()},
    **_FINGERS,
    "leftEye": "left_eye",
    "rightEye": "right_eye",
}
"""The bones of VRM and the roles of joints that they are; parents before children."""
REQUIRED = ("hips", "spine", "head", *(f"{side}{part}" for side in ("left", "right")
            for part in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")))  # fmt: skip
_THUMBS = {f"{side}Thumb{old}": f"{side}Thumb{new}" for side in ("left", "right")
           for old, new in (("Proximal", "Metacarpal"), ("Intermediate", "Proximal"))}  # fmt: skip
"""What VRM 0.x calls the bones of thumbs, and what 1.0 does."""
_TRUNK = ("neck", "upperChest", "chest", "spine", "hips")


def _above() -> dict[str, tuple[str, ...]]:
    """The bones that each may hang from, nearest first."""
    found = {bone: _TRUNK[_TRUNK.index(bone) + 1 :] for bone in _TRUNK} | {"head": _TRUNK, "jaw": ("head",)}
    for side in ("left", "right"):
        arm, leg = ([f"{side}{part}" for part in _LIMBS][place] for place in (slice(4), slice(4, 8)))
        for chain, top in ((arm, _TRUNK[1:]), (leg, _TRUNK[-1:])):
            found |= {bone: (*reversed(chain[:place]), *top) for place, bone in enumerate(chain)}
        for finger in ("Thumb", "Index", "Middle", "Ring", "Little"):
            chain = [bone for bone in _FINGERS if bone.startswith(f"{side}{finger}")]
            found |= {bone: (*reversed(chain[:place]), f"{side}Hand") for place, bone in enumerate(chain)}
        found[f"{side}Eye"] = ("head",)
    return found


ORDER = ("hips", "spine", "chest", "upperChest", *(bone for bone in ROLES if bone not in ("hips", "spine", "chest")))
"""All bones, parents before children."""
ABOVE: Mapping[str, tuple[str, ...]] = _above()
"""Of each bone those that it may hang from, nearest first."""


def human_bones(character: Character) -> dict[str, int]:
    """The joint of each VRM bone that a body has: as its file says, else by its anatomy.

    Raises:
        InputError: if a bone is missing that every VRM has.
    """
    details = {} if character.source is None else character.source.details
    told = details.get("vrm", {})
    found: dict[str, int] = dict(told.get("humanoid", {}))
    if str(told.get("version", "")).startswith("0"):
        found = {_THUMBS.get(bone, bone): joint for bone, joint in found.items()}
    if not found and character.anatomy is not None:
        roles = character.anatomy.roles
        found = {bone: roles[role] for bone, role in ROLES.items() if role in roles}
    missing = [bone for bone in REQUIRED if bone not in found]
    if missing:
        raise InputError(
            f"{character.name!r} cannot be written as VRM animation, which is for humans: it has no {missing[0]}"
        )
    return {bone: found[bone] for bone in ORDER if bone in found}


def bone_above(bone: str, bones: Mapping[str, int]) -> str | None:
    """The bone that another hangs from, of those that a body has; None for the hips."""
    return next((above for above in ABOVE[bone] if above in bones), None)
