"""Real rigs with their hand-checked maps, and the judge of what a recogniser says about them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mummer.character import Anatomy, Character
from mummer.io import load

ESSENTIAL = {
    "humanoid": [
        "hips", "spine", "head",
        *(f"{side}_{part}" for side in ("left", "right")
          for part in ("upper_arm", "forearm", "hand", "upper_leg", "lower_leg", "foot")),
    ],
    "quadruped": [
        "hips", "head",
        *(f"{end}_{side}_{part}" for end in ("front", "hind") for side in ("left", "right")
          for part in ("upper", "lower", "foot")),
    ],
}  # fmt: skip
EITHER = {
    "front_{}_upper": "{}_upper_arm", "front_{}_lower": "{}_forearm", "front_{}_foot": "{}_hand",
    "hind_{}_upper": "{}_upper_leg", "hind_{}_lower": "{}_lower_leg", "hind_{}_foot": "{}_foot",
}  # fmt: skip
"""On bodies between man and beast either word is right."""


@dataclass(frozen=True, eq=False)
class Rig:
    """A body and what its joints are.

    Attributes:
        file: where it came from.
        kind: of body, in the words of its map.
        character: the body.
        joints: role to the joint that has it, every role of the map.
        accepted: role to joints that a careful reader could choose as well.
        plain: whether only the words for its own kind are right.
        sided: whether somebody has checked which side is left.
    """

    file: str
    kind: str
    character: Character
    joints: Mapping[str, int]
    accepted: Mapping[str, frozenset[int]]
    plain: bool
    sided: bool

    @property
    def family(self) -> str:
        """Who made it: rigs of one maker resemble each other."""
        return Path(self.file).parent.name

    @property
    def essential(self) -> list[str]:
        """The roles that have to be right."""
        for kind, roles in ESSENTIAL.items():
            if self.kind.startswith(kind):
                return [role for role in roles if role in self.joints]
        ends = ("_upper", "_lower", "_leg", "_arm", "_forearm", "_foot", "_hand")
        return [role for role in self.joints if role in ("hips", "head") or role.endswith(ends)]

    def placed(self, character: Character, place: Mapping[int, int]) -> Rig:
        """The same roles on another body, whose joints are at ``place``; roles of joints that left are dropped."""
        joints = {role: place[joint] for role, joint in self.joints.items() if joint in place}
        accepted = {
            role: frozenset(place[joint] for joint in joints if joint in place)
            for role, joints in self.accepted.items()
        }
        return dataclasses.replace(self, character=character, joints=joints, accepted=accepted)


def load_rigs(data: Path) -> list[Rig]:
    """Every rig that has a map."""
    return [_load(data, json.loads(path.read_text())) for path in sorted((data / "mappings").glob("*.json"))]


def _load(data: Path, truth: dict[str, Any]) -> Rig:
    character = load(data / truth["file"]).replace(anatomy=None)
    index = character.skeleton.index
    joints = {role: index(name) for role, name in truth["mapping"].items() if name}
    accepted = {role: frozenset(map(index, names)) for role, names in truth.get("accept", {}).items()}
    plain = truth["kind"] in ("humanoid", "quadruped") and "tail" not in joints
    sided = bool(truth.get("sides_verified_by_position", True))
    return Rig(truth["file"], truth["kind"], character, joints, accepted, plain, sided)


def judge(rig: Rig, anatomy: Anatomy) -> tuple[list[str], list[str]]:
    """Essential roles that are wrong, and those of them that are on the other side with a confidence above one half."""
    wrong, swapped = [], []
    for role in rig.essential:
        given = _answer(rig, anatomy, role)
        joint = anatomy.roles[given] if given else None
        if joint == rig.joints[role] or joint in rig.accepted.get(role, ()):
            continue
        wrong.append(role)
        opposite = other_side(role)
        is_other = opposite != role and joint is not None and joint == rig.joints.get(opposite)
        if is_other and rig.sided and anatomy.evidence[str(given)].confidence > 0.5:
            swapped.append(role)
    return wrong, swapped


def _answer(rig: Rig, anatomy: Anatomy, role: str) -> str | None:
    """The word by which an anatomy knows a role, None if it does not."""
    if role in anatomy.roles:
        return role
    for beast, man in () if rig.plain else EITHER.items():
        for side in ("left", "right"):
            words = (beast.format(side), man.format(side))
            if role in words:
                other = words[1 - words.index(role)]
                return other if other in anatomy.roles else None
    return None


def other_side(text: str) -> str:
    """``text`` with left and right exchanged."""
    return text.replace("left", "#").replace("right", "left").replace("#", "right")
