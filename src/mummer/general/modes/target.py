"""What a movement is toward: another part of the body, or something outside it, moment by moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.general.context import Context, select
from mummer.general.modes.surface import Surface, part_volume
from mummer.general.physique import Physique
from mummer.ik.world_state import WorldState


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


def rest_target(physique: Physique, joint: int, toward: Context, *, surface: bool = False) -> Target | None:
    """The part of the body at rest that ``toward`` means for ``joint``, in character space.

    Of several parts it is the one nearest to the joint at rest, never the joint itself, and the first of those equally
    near.

    Args:
        physique: the body.
        joint: the joint that will move.
        toward: what is meant.
        surface: whether the surface of the part is needed.

    Returns:
        The target, or None if this body has no such part, or it is outside the body.
    """
    part = None if toward.target is not None else nearest_part(physique, joint, toward)
    if part is None:
        return None
    at = physique.positions[part][None]
    if not surface:
        return Target(at)
    return Target(at, part_volume(physique.character, part).placed(physique.positions[None], physique.rotations[None]))


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
