"""Bodies and motions for the tests: real files with their hand-checked joint maps, and bodies of the zoo."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

import mummer as mm
from mummer.character import Anatomy, Character, Limb
from mummer.character.derive import bounds_of, groups_from_limbs, limb_length, mirror_by_position, rest_positions

SIDES = ("left", "right")
CHAINS = {
    "leg": ("{side}_upper_leg", "{side}_lower_leg", "{side}_foot", "{side}_toes"),
    "arm": ("{side}_shoulder", "{side}_upper_arm", "{side}_forearm", "{side}_hand"),
    "front_leg": ("front_{side}_shoulder", "front_{side}_upper", "front_{side}_lower", "front_{side}_foot"),
    "hind_leg": ("hind_{side}_upper", "hind_{side}_lower", "hind_{side}_foot", "hind_{side}_toes"),
}


def mapped(character: Character, mapping: dict[str, str | None], kind: str) -> Character:
    """The character with the anatomy that a joint map says it has."""
    skeleton = character.skeleton
    roles = {role: skeleton.index(name) for role, name in mapping.items() if name is not None}
    places = rest_positions(skeleton)
    up = np.array([0.0, 1.0, 0.0])
    across = np.sum(
        [places[roles[r]] - places[roles[r.replace("left", "right")]] for r in roles if "left" in r], axis=0
    )
    front = np.cross(across - (across @ up) * up, up)
    front /= np.linalg.norm(front)
    limbs = tuple(_limbs(skeleton, roles))
    bounds = bounds_of(character)
    feet = tuple(joint for role, joint in roles.items() if role.endswith("_foot"))
    capabilities = {"foot": feet, "root": (0,)}
    anatomy = Anatomy(
        kind, roles, capabilities, limbs, groups_from_limbs(skeleton, limbs),
        mirror_by_position(skeleton, front, up), front, up, float(bounds[0, 1]), bounds,
    )  # fmt: skip
    return character.replace(anatomy=anatomy)


def _limbs(skeleton, roles):
    for kind, names in CHAINS.items():
        for side in SIDES:
            joints = [roles[n.format(side=side)] for n in names if n.format(side=side) in roles]
            attached = [joint for joint in joints if joint == joints[0] or joints[0] in skeleton.ancestors(joint)]
            if len(attached) > 1:
                chain = skeleton.chain(attached[0], attached[-1])
                name = kind.replace("leg", f"{side}_leg") if "_" in kind else f"{side}_{kind}"
                yield Limb(name, kind.split("_")[-1], side, 0, chain, limb_length(skeleton, chain))


@cache
def real(data: Path, path: str, mapping: str | None = None) -> Character:
    """A shared file with its map; ``mapping`` names the map of another file with the same joints."""
    character = mm.load(data / path)
    name = mapping or "__".join(Path(path).with_suffix("").parts[-2:])
    entry = json.loads((data / "mappings" / f"{name}.json").read_text())
    return mapped(character, entry["mapping"], entry["kind"])
