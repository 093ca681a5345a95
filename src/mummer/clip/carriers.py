"""Which joints carry a body about: read off its own recordings, else off how its rig is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Recording, first_branch, rest_positions, with_ground_root, world_matrices
from mummer.character.derive import size_of
from mummer.clip.standing import up_of
from mummer.errors import InputError, UnknownNameError

Choice = Literal["auto", "hips", "root"]
CHOICES: tuple[Choice, ...] = ("auto", "hips", "root")
MOVES, TRAVELS = 0.005, 0.25
"""Parts of the body's size by which a joint moves in a recording, and by which a recording goes somewhere."""
NEAR = 0.01
"""The part of the body's size within which two joints rest in one place."""
TOUCHES = 1e-4
"""The weight from which a joint draws a vertex along."""
LOW = 0.2
"""The part of the hips' height up to which a joint counts as on the ground."""


@dataclass(frozen=True)
class Carriers:
    """The joints that carry a body about.

    Attributes:
        body: carries how high the body is and how it sways, and where it goes unless ``ground`` does.
        ground: a joint above it that carries where the body goes and faces, or None.
    """

    body: int
    ground: int | None = None


def carriers_of(character: Character, choice: Choice = "auto") -> Carriers:
    """The joints that carry a body about.

    Args:
        character: its recordings say which joint moves it. Where it has none, a bone on the ground below the hips
            carries where it goes, as in game rigs; else the hips carry everything, as in rigs from Mixamo.
        choice: ``auto``; ``hips`` for everything on the hips; ``root`` for the way over the ground on a joint above.
            A joint above that carries skin goes along whatever is chosen.

    Raises:
        UnknownNameError: if there is no such choice.
        InputError: if the way is to go on a root, and no joint is above the hips; see `with_carrier`.
    """
    if choice not in CHOICES:
        raise UnknownNameError("travel", "choice", choice, CHOICES)
    chain = _chain(character)
    seen = _seen(character, chain)
    if seen is None:
        seen = Carriers(chain[-1]) if _is_vrm(character) else _conventional(character, chain)
    above = chain[: chain.index(seen.body)]
    skinned = _skinned(character, above)
    if skinned is not None:
        return Carriers(seen.body, skinned)
    if choice == "hips":
        return Carriers(seen.body)
    if choice == "auto" or seen.ground is not None:
        return seen
    if not above:
        raise InputError(f"no joint of {character.name!r} is above its hips, so that travel can go on no root")
    low = _on_ground(character, above)
    return Carriers(seen.body, above[0] if low is None else low)


def with_carrier(character: Character, choice: Choice) -> Character:
    """The character, with a new root on the ground where travel is to go on a root and there is none."""
    if choice != "root" or len(_chain(character)) > 1:
        return character
    return with_ground_root(character, extract="none")


def _chain(character: Character) -> tuple[int, ...]:
    """The joints from a root down to the hips."""
    hips = first_branch(character.skeleton)
    if character.anatomy is not None:
        hips = character.anatomy.roles.get("hips", hips)
    return (*reversed(character.skeleton.ancestors(hips)), hips)


def _skinned(character: Character, joints: tuple[int, ...]) -> int | None:
    """The first of some joints that carries skin, which must go along if it is not to be drawn out, or None."""
    carried: set[int] = set()
    for mesh in character.meshes:
        carried.update(np.unique(mesh.skin.joints[mesh.skin.indices[mesh.skin.weights > TOUCHES]]).tolist())
    return next((joint for joint in joints if joint in carried), None)


def _seen(character: Character, chain: tuple[int, ...]) -> Carriers | None:
    """What the recordings say: the joint that moves in most of them; and the one above it that goes, if one does."""
    world = _worlds(character, chain)
    spans = [span for recording in character.recordings if (span := _spans(recording, chain, world)) is not None]
    if not spans:
        return None
    far = np.array(spans)
    size = size_of(rest_positions(character.skeleton)) or 1.0
    moves = np.linalg.norm(far, axis=2) > MOVES * size
    if not moves.any():
        return None
    # Of joints that move equally often the one that is driven equally often, and of those the lowest in the tree.
    counts = moves.sum(axis=0) * (1 + len(far)) + np.isfinite(far[:, :, 0]).sum(axis=0)
    body = len(chain) - 1 - int(np.argmax(counts[::-1]))
    far, up = np.nan_to_num(far), up_of(character)
    level = np.linalg.norm(far - (far @ up)[..., None] * up, axis=2)
    going = level[level.max(axis=1) > TRAVELS * size]
    leading = np.argmax(going, axis=1)
    above = [place for place in range(body) if len(going) and np.mean(leading == place) > 0.5]
    return Carriers(chain[body], chain[above[0]] if above else None)


def _spans(recording: Recording, chain: tuple[int, ...], world: FloatArray) -> FloatArray | None:
    """(n, 3) how far each joint of the chain goes, in the world; no number where its translation is not driven."""
    found = np.full((len(chain), 3), np.nan)
    for curve in recording.curves:
        if curve.path != "translation":
            continue
        for place, joint in enumerate(curve.targets.tolist()):
            if joint in chain:
                keys = curve.values[:, place] @ world[chain.index(joint)].T
                found[chain.index(joint)] = np.ptp(keys, axis=0)
    return found if np.isfinite(found).any() else None


def _worlds(character: Character, chain: tuple[int, ...]) -> FloatArray:
    """(n, 3, 3) turns and scales translations of each joint of the chain into the world, as the body stands."""
    world = world_matrices(character.skeleton, character.default_pose)
    parents = character.skeleton.parents
    return np.stack([np.eye(3) if parents[joint] < 0 else world[parents[joint], :, :3] for joint in chain])


def _conventional(character: Character, chain: tuple[int, ...]) -> Carriers:
    """What rigs without recordings suggest, by the joints that belong to the skeleton which carries the surface.

    A joint above the hips that rests on the ground carries the way over it, as in game engines; one that rests where
    the hips do carries everything, as the centre of mass of a Biped does.
    """
    skins = {int(joint) for mesh in character.meshes for joint in mesh.skin.joints}
    bones = [joint for joint in chain[:-1] if not skins or joint in skins]
    places = rest_positions(character.skeleton)
    apart = np.linalg.norm(places[bones] - places[chain[-1]], axis=1)
    same = [joint for joint, far in zip(bones, apart, strict=True) if far < NEAR * (size_of(places) or 1.0)]
    return Carriers(same[0] if same else chain[-1], _on_ground(character, bones))


def _on_ground(character: Character, joints: list[int] | tuple[int, ...]) -> int | None:
    up, places = up_of(character), rest_positions(character.skeleton)
    anatomy = character.anatomy
    ground = float((places @ up).min()) if anatomy is None else anatomy.ground
    hips = float(places[_chain(character)[-1]] @ up) - ground
    low = [joint for joint in joints if float(places[joint] @ up) - ground < LOW * hips]
    return low[-1] if low else None


def _is_vrm(character: Character) -> bool:
    return character.source is not None and "vrm" in character.source.details
