"""Bodies of the grid: ``zoo:NAME``, ``random:SEED`` or a file, with an anatomy in any case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from mummer.character import Character
from mummer.errors import InputError
from mummer.io.built_in import RANDOM_PREFIX as RANDOM
from mummer.io.built_in import ZOO_PREFIX as ZOO


@lru_cache(maxsize=4)
def load_body(spec: str) -> Character:
    """The body that ``spec`` names, recognised where its file does not say what its parts are, and put together.

    Raises:
        MummerError: in one line, if there is no such thing.
    """
    from mummer.character.whole import whole_of
    from mummer.io import load
    from mummer.recognition import recognized

    character = recognized(load(spec))
    whole = whole_of(character)
    return character if whole is None else whole.character


def all_bodies(chosen: Iterable[str] = (), *, random: int = 0, seed: int = 1) -> tuple[str, ...]:
    """The bodies of a grid, each once, in a fixed order.

    Args:
        chosen: bodies as `load_body` takes them, names of the zoo, folders of files; ``zoo`` for all of the zoo.
            Nothing means all of the zoo.
        random: how many random creatures to add.
        seed: of the first of them; the others follow.

    Raises:
        MummerError: if one of them does not exist.
    """
    if random < 0 or seed < 0:
        raise InputError(f"random is {random} and seed {seed}; expected whole numbers from zero up")
    found: list[str] = []
    for word in chosen or (() if random and not chosen else ("zoo",)):
        found += _expand(word)
    found += [f"{RANDOM}{number}" for number in range(seed, seed + random)]
    return tuple(dict.fromkeys(found))


def _expand(word: str) -> list[str]:
    from mummer import zoo
    from mummer.errors import UnknownNameError

    if word == "zoo":
        return [ZOO + name for name in zoo.names()]
    if word.removeprefix(ZOO) in zoo.names():
        return [ZOO + word.removeprefix(ZOO)]
    if word.startswith(RANDOM) and re.fullmatch(r"\d+", word.removeprefix(RANDOM)):
        return [word]
    path = Path(word)
    if path.is_dir():
        return [str(file) for file in sorted(path.iterdir()) if file.suffix.lower() in FILES]
    if path.is_file():
        return [str(path)]
    raise UnknownNameError("the grid", "body", word, ["zoo", *zoo.names()])


FILES = (".glb", ".gltf", ".vrm", ".fbx", ".usd", ".usda", ".usdc", ".usdz")
"""What counts as a body in a folder."""


def title_of(spec: str) -> str:
    """What the page calls a body."""
    if spec.startswith(ZOO):
        return spec.removeprefix(ZOO)
    return spec.replace(RANDOM, "random ") if spec.startswith(RANDOM) else Path(spec).stem
