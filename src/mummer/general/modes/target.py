"""What a movement is toward: another part of the body, or something outside it, moment by moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.errors import UnknownNameError
from mummer.general.context import Context, select
from mummer.general.intent import Intent, at_rest
from mummer.general.modes.surface import Surface, part_volume
from mummer.general.physique import Physique
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions


@dataclass(frozen=True, eq=False)
class Target:
    """Something to move toward, at T moments or the same at all (T = 1).

    In character space where a map uses it; in the world where it is given from outside.

    Attributes:
        positions: (T, 3) where it is, metres.
        surface: the surface of the part that it is, where somebody asked for it and there is one.
    """

    positions: FloatArray
    surface: Surface | None = None


def target_of(
    intent: Intent,
    joint: int,
    toward: Context,
    outside: Mapping[str, Target] | None = None,
    *,
    surface: bool = False,
) -> Target | None:
    """What ``toward`` means for ``joint`` at the moments of ``intent``, in character space.

    Of several parts it is the one nearest to the joint at rest, never the joint itself, and the first of those equally
    near. A part is where the intent has it posed, or carried along unbent if nothing is posed yet.

    Args:
        intent: what is wanted, and where the body stands.
        joint: the joint that will move.
        toward: what is meant.
        outside: what is there outside the body, in the world, by the names that contexts use (``""`` for plain
            ``target``).
        surface: whether the surface of the part is needed.

    Returns:
        The target, or None if this body has no such part.

    Raises:
        UnknownNameError: if it is an outside target that was not given.
    """
    if toward.target is not None:
        return _seen(intent, toward.target, outside or {})
    part = nearest_part(intent.physique, joint, toward)
    if part is None:
        return None
    if not surface:
        places = intent.carried(part)[0] if intent.posed is None else intent.posed.positions[:, part]
        return Target(intent.to_character(places))
    positions, rotations = _all_joints(intent)
    shape = part_volume(intent.physique.character, part).placed(positions, rotations)
    at = intent.to_character(positions[:, part])
    return Target(at, shape.seen_from(intent.stage_positions, intent.stage_rotations))


def rest_target(physique: Physique, joint: int, toward: Context, *, surface: bool = False) -> Target | None:
    """The same for the body at rest, one moment; None also for what is outside."""
    if toward.target is not None:
        return None
    return target_of(at_rest(physique, np.zeros(1)), joint, toward, surface=surface)


def part_target(character: Character, pose: Pose, joint: int) -> Target:
    """A part of some body, posed at (T,) moments, as a target in the world, with its surface: another's back.

    Directions on its surface are those of its own character space at rest.
    """
    state = WorldState(character, pose)
    surface = part_volume(character, joint).placed(state.positions, state.rotations)
    return Target(state.positions[:, joint], surface)


def nearest_part(physique: Physique, joint: int, toward: Context) -> int | None:
    """The joint that a context means for another one: the nearest at rest, never that one itself."""
    found = [part for part in select(physique, toward) if part != joint]
    if not found:
        return None
    far = np.linalg.norm(physique.positions[found] - physique.positions[joint], axis=1)
    return found[int(np.flatnonzero(far <= far.min() + 1e-6 * physique.height)[0])]


def _seen(intent: Intent, name: str, outside: Mapping[str, Target]) -> Target:
    if name not in outside:
        raise UnknownNameError("this performance", "target", name, outside)
    given = outside[name]
    at = intent.to_character(np.broadcast_to(given.positions, (len(intent), 3)))
    if given.surface is None:
        return Target(at)
    return Target(at, given.surface.seen_from(intent.stage_positions, intent.stage_rotations))


def _all_joints(intent: Intent) -> tuple[FloatArray, FloatArray]:
    """(T, J, 3) and (T, J, 4) all joints in the world: posed, or the whole body carried by its root."""
    if intent.posed is not None:
        return intent.posed.positions, intent.posed.rotations
    physique = intent.physique
    turn = quaternions.multiply(intent.root_rotations, quaternions.conjugate(physique.rotations[physique.root]))[
        :, None
    ]
    offsets = physique.positions - physique.positions[physique.root]
    positions = intent.root_positions[:, None] + quaternions.rotate(turn, offsets)
    return positions, quaternions.multiply(turn, physique.rotations)
