"""A character as solvers see it: joints that turn, and lengths that stay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Character, Limits, Mass, Pose, Skeleton, rest_positions, size_of
from mummer.character.balance import mass_of
from mummer.character.derive import scale_above
from mummer.errors import InputError

UNEVEN = 1e-3
"""How far the three factors of a scale may differ before a joint counts as scaled unevenly. Files round to less."""

KEPT = "_rigid_body"
"""Where a character keeps what is made of it here: beside its fields, as cached properties do."""


@dataclass(frozen=True, eq=False)
class RigidBody:
    """The flat arrays that every solver works on. Scales are folded into lengths: all frames are in metres.

    Attributes:
        character: the body.
        parents: (J,) -1 for roots.
        offsets: (J, 3) from each joint's parent to the joint at rest, in the parent's frame, metres.
        rest_rotations: (J, 4) parent_from_joint at rest.
        limits: how far joints turn; free where nothing is known.
        mass: kilograms, centres and second moments in metres; estimated where nothing is known.
        height: metres from the lowest to the highest point at rest; what tolerances are measured by.
    """

    character: Character
    parents: IntArray
    offsets: FloatArray
    rest_rotations: FloatArray
    limits: Limits
    mass: Mass
    height: float

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of the character."""
        return self.character.skeleton

    def offsets_of(self, pose: Pose) -> FloatArray:
        """(1, J, 3) or (B, J, 3) from parents to joints, metres, in the parent's frame; row 0 is not the root's place.

        Args:
            pose: one pose or a batch of shape (B,).

        Raises:
            InputError: if a joint is scaled differently along its axes.
        """
        if pose.translations is None and pose.scales is None:
            return self.offsets[None]
        translations = pose.full_translations(self.skeleton).reshape(-1, len(self.skeleton), 3)
        scales = np.broadcast_to(pose.full_scales(self.skeleton), (*pose.shape, len(self.skeleton), 3))
        above = _even_above(self.skeleton, scales.reshape(-1, len(self.skeleton), 3))
        return np.asarray(translations * above[..., None])


def rigid_body(character: Character) -> RigidBody:
    """``character`` as solvers see it; made once and kept with the character, so that both are forgotten together.

    Raises:
        InputError: if a joint is scaled differently along its axes at rest.
    """
    found: RigidBody | None = vars(character).get(KEPT)
    if found is None:
        found = vars(character)[KEPT] = _make(character)
    return found


def _make(character: Character) -> RigidBody:
    skeleton = character.skeleton
    above = _even_above(skeleton, skeleton.rest_scales[None])[0]
    own = above * skeleton.rest_scales.mean(axis=1)
    mass = mass_of(character)
    height = 0.0 if character.anatomy is None else character.anatomy.height
    return RigidBody(
        character,
        skeleton.parents,
        locked(skeleton.rest_translations * above[:, None]),
        skeleton.rest_rotations,
        character.limits if character.limits is not None else Limits.from_joints(len(skeleton), {}),
        Mass(mass.masses, mass.centers * own[:, None], mass.second_moments * (own**2)[:, None, None]),
        # A body that is a single point still needs a yardstick.
        height or size_of(rest_positions(skeleton)) or 1.0,
    )


def joints_above(parents: IntArray, joints: Iterable[int]) -> IntArray:
    """(n,) the given joints and all above them, parents first; -1 is none."""
    found: set[int] = set()
    for joint in joints:
        while joint >= 0 and joint not in found:
            found.add(int(joint))
            joint = int(parents[joint])
    return np.array(sorted(found), np.int64)


def carries(joint: int, other: int, parents: IntArray) -> bool:
    """Whether ``other`` is ``joint`` or hangs from it."""
    while other > joint:
        other = parents[other]
    return other == joint


def _even_above(skeleton: Skeleton, scales: FloatArray) -> FloatArray:
    """See `scale_above`.

    Raises:
        InputError: if a joint is scaled differently along its axes.
    """
    uneven = np.ptp(scales, axis=-1) > UNEVEN * np.abs(scales).max(axis=-1)
    if np.any(uneven):
        joint = int(np.argmax(uneven.any(axis=0)))
        raise InputError(
            f"joint {skeleton.names[joint]!r} of {skeleton.name!r} is scaled differently along its axes; "
            "solvers need joints scaled alike in all directions"
        )
    return scale_above(skeleton, scales)
