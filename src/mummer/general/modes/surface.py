"""The surface of one part of a body as movement modes see it: capsules around a middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Anatomy, Character, Pose
from mummer.errors import InputError
from mummer.general.modes.ray_exit import exit_distances
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume import volume_of
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.kernels import quaternions
from mummer.math import quaternion

GROWN_ON = ("jaw", "mouth")
"""Parts whose capsules belong to what carries them: a chin is on the head."""


@dataclass(frozen=True, eq=False)
class Surface:
    """The surface of a part at T moments (or one for all), in the world or in character space.

    Attributes:
        centers: (T, 3) its middle, metres.
        turns: (T, 4) how the part is turned from rest: this space from the character space of its body at rest.
        ends: (T, C, 2, 3) centres of both balls of each capsule, metres.
        radii: (C, 2) of both balls, metres.
    """

    centers: FloatArray
    turns: FloatArray
    ends: FloatArray
    radii: FloatArray

    def heights(self, directions: FloatArray) -> FloatArray:
        """(T,) metres from the middle to where rays along (T, 3) unit ``directions`` leave the part; 0 if outside."""
        return exit_distances(self.centers, directions, self.ends, self.radii)

    def mirrored(self) -> Surface:
        """The same across the plane x = 0."""
        flip = np.array([-1.0, 1.0, 1.0])
        turns = self.turns * np.array([1.0, -1.0, -1.0, 1.0])
        return Surface(self.centers * flip, turns, self.ends * flip, self.radii)


@dataclass(frozen=True, eq=False)
class PartVolume:
    """The capsules of a part: (C,) joints that carry them, (C, 2, 3) ends in those joints' frames, (C, 2) radii.

    Attributes:
        joints, ends, radii: see above.
        part: the joint that the part is named after.
        middle: (3,) the middle of the capsules at rest, in the frame of ``part``.
        rest: (4,) the rotation of ``part`` at rest, character_from_joint.
        thickness: metres, the mean radius of the capsules that ``part`` itself carries; zero if it carries none.
    """

    part: int
    joints: IntArray
    ends: FloatArray
    radii: FloatArray
    middle: FloatArray
    rest: FloatArray
    thickness: float

    def placed(self, positions: FloatArray, rotations: FloatArray) -> Surface:
        """The surface where joints are posed at (T, J, 3) and (T, J, 4) world_from_joint."""
        turned = rotations[:, self.joints][:, :, None]
        own = rotations[:, self.part]
        return Surface(
            positions[:, self.part] + quaternions.rotate(own, self.middle),
            quaternions.multiply(own, quaternions.conjugate(self.rest)),
            positions[:, self.joints][:, :, None] + quaternions.rotate(turned, self.ends),
            self.radii,
        )


@kept
def part_volume(character: Character, part: int) -> PartVolume:
    """The volume of the part of a body that ``part`` carries, jaws with the head.

    A joint that has no skin of its own, as those of bodies of many stiff pieces, has what hangs on it and is no part
    itself, else that of the next of the spine, or of what is nearest above it, around where it is nearest to the joint.

    Raises:
        InputError: if the body has no volume at all.
    """
    anatomy, volume = character.anatomy, volume_of(character)
    if not len(volume) or anatomy is None:
        raise InputError(f"{character.name!r} has no volume, or no anatomy, to have a surface")
    rows, is_own = _rows(anatomy, rigid_body(character).parents, volume.joints, part)
    rest = WorldState(character, Pose.rest(character.skeleton))
    joints, ends = volume.joints[rows], volume.ends[rows]
    placed = rest.positions[0, joints][:, None] + quaternions.rotate(rest.rotations[0, joints][:, None], ends)
    around = rest.positions[0, part]
    if is_own:
        around = np.average(placed.mean(axis=1), axis=0, weights=np.maximum(volume.cubic_metres[rows], 1e-12))
    middle = _middle(around, placed, volume.radii[rows])
    world_from_character = quaternion.from_matrix(np.stack([anatomy.left, anatomy.up, anatomy.front], axis=1))
    own = rest.rotations[0, part]
    its = volume.of(part)
    thickness = float(np.average(volume.radii[its].mean(axis=1), weights=volume.cubic_metres[its])) if len(its) else 0.0
    return PartVolume(
        part, joints, ends, volume.radii[rows],
        locked(quaternions.rotate(quaternions.conjugate(own), middle - rest.positions[0, part])),
        locked(quaternions.multiply(quaternions.conjugate(world_from_character), own)), thickness,
    )  # fmt: skip


def _rows(anatomy: Anatomy, parents: IntArray, skinned: IntArray, part: int) -> tuple[IntArray, bool]:
    """Which of the capsules of ``skinned`` joints are the volume of a part, all if none are; whether it is its own."""
    grown = {joint for name in GROWN_ON for joint in anatomy.capabilities.get(name, ())}
    named = {joint for joints in anatomy.capabilities.values() for joint in joints}
    named |= {joint for limb in anatomy.limbs for joint in limb.joints}
    loose = set(range(len(parents))) - named
    spine, carriers = anatomy.capabilities.get("spine", ()), [part]
    carriers += spine[spine.index(part) + 1 :] if part in spine else ()
    above = int(parents[part])
    while above >= 0:
        carriers.append(above)
        above = int(parents[above])
    for carrier in carriers:
        for hanging in (grown, grown | loose):
            rows = np.flatnonzero(np.isin(skinned, _members(parents, carrier, hanging)))
            if len(rows):
                return rows, carrier == part
    return np.arange(len(skinned)), True


def _middle(mean: FloatArray, ends: FloatArray, radii: FloatArray) -> FloatArray:
    """(3,) the middle of (C, 2, 3) capsules, or where that lies outside all of them the nearest place on an axis."""
    distance, share, _ = signed_distance(mean, ends, radii)
    nearest = int(np.argmin(distance))
    if distance[nearest] < 0:
        return mean
    return np.asarray(ends[nearest, 0] + share[nearest] * (ends[nearest, 1] - ends[nearest, 0]))


def _members(parents: IntArray, carrier: int, grown: set[int]) -> list[int]:
    """The joint itself, and those of ``grown`` that hang on it."""
    found = [carrier]
    for joint in range(carrier + 1, len(parents)):
        if joint in grown and int(parents[joint]) in found:
            found.append(joint)
    return found
