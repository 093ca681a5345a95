"""What general animation needs to know of a body, measured once: the body at rest in a space of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Anatomy, Character, Pose
from mummer.errors import InputError
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.math import quaternion

FLATTEST = 0.05
"""No side of a body counts as shorter than this part of its longest."""

SMALLEST = 1e-9
"""Metres that every side of a body has at least, so that what is measured in it is a number."""


@dataclass(frozen=True, eq=False)
class Physique:
    """A body at rest, in character space: +X to its left, +Y up, +Z ahead, the origin on the ground below its root.

    Attributes:
        character: the body.
        anatomy: what its parts are.
        origin: (3,) the origin of character space in the world at rest.
        axes: (4,) world_from_character at rest.
        root: the joint that carries the body.
        positions: (J, 3) joints at rest, in character space, metres.
        rotations: (J, 4) character_from_joint at rest.
        corners: (2, 3) the lowest and highest corner of the body at rest, in character space.
        size: (3,) its extent to the side, upwards and ahead, metres.
        height: metres that one length of the body means where one number must do: the longest side.
        limb_bases: (J,) for each joint the spine joint that its limb hangs on; a spine joint is its own.
        limb_lengths: (J,) metres along the bones from that spine joint; for the spine itself, of the whole spine.
    """

    character: Character
    anatomy: Anatomy
    origin: FloatArray
    axes: FloatArray
    root: int
    positions: FloatArray
    rotations: FloatArray
    corners: FloatArray
    size: FloatArray
    height: float
    limb_bases: IntArray
    limb_lengths: FloatArray

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def spine(self) -> tuple[int, ...]:
        """The joints of the spine, root first."""
        return self.anatomy.capabilities.get("spine", ()) or (self.root,)


@kept
def physique_of(character: Character) -> Physique:
    """The physique of a body whose anatomy is known.

    Raises:
        InputError: if it is not.
    """
    anatomy = character.anatomy
    if anatomy is None:
        raise InputError(f"the anatomy of {character.name!r} is not known; recognise it or give it a sidecar file")
    rest = WorldState(character, Pose.rest(character.skeleton))
    root = (*anatomy.capabilities.get("root", ()), 0)[0]
    axes = quaternion.from_matrix(np.stack([anatomy.left, anatomy.up, anatomy.front], axis=1))
    below = rest.positions[0, root]
    origin = below + (anatomy.ground - below @ anatomy.up) * anatomy.up
    positions = quaternion.rotate(quaternion.conjugate(axes), rest.positions[0] - origin)
    corners = _corners(anatomy, origin, axes, positions)
    size = np.maximum(corners[1] - corners[0], max(FLATTEST * np.max(corners[1] - corners[0]), SMALLEST))
    bases, lengths = _limbs(character, anatomy, positions, root)
    return Physique(
        character, anatomy, locked(origin), locked(axes), root, locked(positions),
        locked(quaternion.multiply(quaternion.conjugate(axes), rest.rotations[0])), locked(corners), locked(size),
        float(np.max(size)), bases, lengths,
    )  # fmt: skip


def _corners(anatomy: Anatomy, origin: FloatArray, axes: FloatArray, positions: FloatArray) -> FloatArray:
    """(2, 3) the bounds of the anatomy in character space, of the joints where it has none."""
    grid = np.stack(np.meshgrid(*anatomy.bounds.T, indexing="ij"), axis=-1).reshape(-1, 3)
    points = quaternion.rotate(quaternion.conjugate(axes), grid - origin)
    if not np.ptp(points, axis=0).max() > 0:
        points = positions
    return np.stack([points.min(axis=0), points.max(axis=0)])


def _limbs(character: Character, anatomy: Anatomy, positions: FloatArray, root: int) -> tuple[IntArray, FloatArray]:
    """(J,) the spine joint that each joint hangs on, and (J,) metres along the bones to it."""
    parents = rigid_body(character).parents
    spine = set(anatomy.capabilities.get("spine", ())) | {root}
    bases, lengths = np.arange(len(positions), dtype=np.int32), np.zeros(len(positions))
    for joint, parent in enumerate(parents):
        if joint in spine or parent < 0:
            continue
        bases[joint] = bases[parent]
        lengths[joint] = lengths[parent] + np.linalg.norm(positions[joint] - positions[parent])
    inside = [joint for joint in spine if parents[joint] >= 0]
    whole = sum(float(np.linalg.norm(positions[joint] - positions[parents[joint]])) for joint in inside)
    least = FLATTEST * float(np.ptp(positions, axis=0).max(initial=1e-9))
    on_spine = [joint for joint in range(len(positions)) if bases[joint] == joint]
    lengths[on_spine] = whole
    return locked(bases, np.int32), locked(np.maximum(lengths, max(least, 1e-9)))
