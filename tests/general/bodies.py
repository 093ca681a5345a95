"""Bodies that general animation is tested on: the zoo, random creatures, and real rigs where they are."""

from __future__ import annotations

from functools import cache

import mummer as mm
from mummer.general import Physique, physique_of
from tests.conftest import find_data

RIGS = (
    "khronos/Fox.glb", "quaternius/Spider.glb", "quaternius/Manta_ray.glb",
)  # fmt: skip
ZOO = ("adult", "bird", "crab", "snake", "spider", "two_headed")
CREATURES = 12


@cache
def physique(name: str) -> Physique:
    """The physique of a body by its name: of the zoo, ``random 3``, or the path of a shared rig.

    All but one are bare: capsules around joints are made in no time, and obey the same laws.
    """
    if name.startswith("random "):
        return physique_of(mm.zoo.random_creature(int(name.split()[1])).replace(meshes=()))
    if "/" in name:
        folder = find_data()
        assert folder is not None
        character = mm.load(folder / "characters" / name)
        return physique_of(character.replace(anatomy=mm.recognize(character), meshes=()))
    body = mm.zoo.body(name)
    return physique_of(body if name == "adult" else body.replace(meshes=()))


def stance(body: mm.Character) -> mm.Pose:
    """How a body stands that nobody asks anything of."""
    return mm.Actor(body).pose


def all_names() -> list[str]:
    """The names of all bodies that are here."""
    names = [*ZOO, *(f"random {seed}" for seed in range(CREATURES))]
    folder = find_data()
    if folder is not None:
        names += [rig for rig in RIGS if (folder / "characters" / rig).is_file()]
    return names
