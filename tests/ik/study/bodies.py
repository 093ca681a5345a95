"""The bodies of the study: the zoo, creatures nobody drew, and real rigs where they are there."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import mummer as mm
from mummer.character import Character, Pose
from mummer.errors import MummerError
from mummer.ik.rigid_body import rigid_body
from tests.conftest import find_data

CREATURES = 400
RIG_ENDINGS = (".glb", ".gltf", ".vrm", ".fbx", ".bvh", ".sk")


def body_names(which: str = "all", creatures: int = CREATURES) -> list[str]:
    """Names that `body_named` knows; ``which`` is ``all``, ``zoo``, ``creatures``, ``rigs``, or one name."""
    lists = {
        "zoo": lambda: list(mm.zoo.names()),
        "creatures": lambda: [f"creature:{seed}" for seed in range(creatures)],
        "rigs": rig_names,
    }
    if which == "all":
        return [name for make in lists.values() for name in make()]
    return lists[which]() if which in lists else [which]


def rig_names() -> list[str]:
    """The real rigs by their path below ``characters``; none where there are no real files."""
    data = find_data()
    if data is None:
        return []
    folder = data / "characters"
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in RIG_ENDINGS)
    return [f"rig:{file.relative_to(folder).as_posix()}" for file in files]


@lru_cache(maxsize=64)
def body_named(name: str) -> Character | None:
    """The body, or None for a rig that no solver can take because its joints are scaled unevenly at rest."""
    kind, _, rest = name.partition(":")
    if kind == "creature":
        return mm.zoo.random_creature(int(rest))
    if kind != "rig":
        return mm.zoo.body(name)
    data = find_data()
    assert data is not None, "real files are not here"
    try:
        character = mm.load(data / "characters" / rest)
        rigid_body(character)
    except MummerError:
        return None
    try:
        rigid_body(character).offsets_of(character.default_pose)
    except MummerError:  # a default pose that scales joints unevenly; the rest pose does not
        return replace(character, default_pose=Pose.rest(character.skeleton))
    return character
