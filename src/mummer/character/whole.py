"""Bodies put together: what hangs beside the body, as handles of a rig do, is made to hang from where it belongs.

Feet hang from their legs, legs and arms from the spine, a mouth from its head, and toes that stand as one from the
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character.anatomy import Anatomy
from mummer.character.beside_root import holders_of_loose
from mummer.character.character import Character
from mummer.character.derive import limb_length
from mummer.character.holders import find_holders, holders_of_girdles, holders_of_toes
from mummer.character.kinematics import world_matrices
from mummer.character.mesh import Mesh
from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton
from mummer.kept import kept
from mummer.math import transform

UNEVEN = 1e-3
"""A part that would be scaled by more than this, or unevenly, where it belongs is left where it hangs."""


@dataclass(frozen=True, eq=False)
class Whole:
    """A body put together.

    Attributes:
        given: the body as it came.
        character: the same body at rest, with joints that hang from where they belong, in another order.
        order: (J,) the joint of ``given`` that each joint of ``character`` is.
        loose: joints of ``given`` that hang from elsewhere there.
    """

    given: Character
    character: Character
    order: IntArray
    loose: tuple[int, ...]

    def put_together(self, pose: Pose) -> Pose:
        """The pose, or poses, of the body put together that look as ``pose`` of the body as it came.

        What hangs from elsewhere there is turned as it was, and is where it belongs.
        """
        world = world_matrices(self.given.skeleton, pose)[..., self.order, :, :]
        rotations = np.ascontiguousarray(pose.rotations[..., self.order, :])
        translations = pose.full_translations(self.given.skeleton)[..., self.order, :]
        new, rest = np.argsort(self.order), self.character.skeleton.rest_translations
        for joint in new[list(self.loose)].tolist():
            above, own = world[..., int(self.character.skeleton.parents[joint]), :, :], world[..., joint, :, :]
            rotations[..., joint, :] = transform.decompose(transform.multiply(transform.inverse(above), own))[1]
            translations[..., joint, :] = rest[joint]
        return Pose(rotations, None, translations, morphs=pose.morphs)

    def taken_apart(self, pose: Pose) -> Pose:
        """The pose, or poses, of the body as it came that look as ``pose`` of the body put together."""
        back, parents = np.argsort(self.order), self.given.skeleton.parents
        world = world_matrices(self.character.skeleton, pose)[..., back, :, :]
        rotations = np.ascontiguousarray(pose.rotations[..., back, :])
        translations = pose.full_translations(self.character.skeleton)[..., back, :]
        for joint in self.loose:
            above, own = int(parents[joint]), world[..., joint, :, :]
            local = own if above < 0 else transform.multiply(transform.inverse(world[..., above, :, :]), own)
            translations[..., joint, :], rotations[..., joint, :], *_ = transform.decompose(local)
        return Pose(rotations, None, translations, morphs=pose.morphs)


@kept
def whole_of(character: Character) -> Whole | None:
    """A body put together, or None for one that is whole as it came, or whose parts are not known."""
    if character.anatomy is None:
        return None
    rest = world_matrices(character.skeleton, Pose.rest(character.skeleton))
    handles = find_holders(character.skeleton, character.anatomy)
    loose = holders_of_loose(character, character.anatomy, handles)
    toes = holders_of_toes(character.skeleton, character.anatomy, rest[:, :, 3])
    girdles = holders_of_girdles(character.skeleton, character.anatomy)
    holders = {
        joint: holder
        for joint, holder in (girdles | toes | loose | handles).items()
        if _is_even(transform.multiply(transform.inverse(rest[holder]), rest[joint]), character.skeleton, joint)
    }
    return put_together(character, holders) if holders else None


def _is_even(holder_from_joint: FloatArray, skeleton: Skeleton, joint: int) -> bool:
    """Whether a joint is as large where it belongs as where it hangs."""
    *_, scale, _ = transform.decompose(holder_from_joint)
    return bool(np.all(np.abs(scale / skeleton.rest_scales[joint] - 1.0) < UNEVEN))


def put_together(character: Character, holders: Mapping[int, int]) -> Whole:
    """The body with joints hung from others, where they are: for each joint the one that is to hold it."""
    skeleton, anatomy = character.skeleton, character.anatomy
    assert anatomy is not None
    parents = skeleton.parents.copy()
    parents[list(holders)] = list(holders.values())
    rest = world_matrices(skeleton, Pose.rest(skeleton))
    places, turns = skeleton.rest_translations.copy(), skeleton.rest_rotations.copy()
    for joint, holder in holders.items():
        local = transform.multiply(transform.inverse(rest[holder]), rest[joint])
        places[joint], turns[joint], *_ = transform.decompose(local)
    made, order = Skeleton.sorted(skeleton.names, parents, places, turns, skeleton.rest_scales, name=skeleton.name)
    new = np.argsort(order)
    limits = None if character.limits is None else character.limits.of_joints(order)
    whole = Character(
        character.name, made, tuple(_rebound(mesh, new) for mesh in character.meshes),
        anatomy=_renumbered(anatomy, made, new, order, holders), limits=limits, source=character.source,
        report=character.report,
    )  # fmt: skip
    return Whole(character, whole, locked(order, np.int64), tuple(holders))


def _rebound(mesh: Mesh, new: IntArray) -> Mesh:
    return replace(mesh, skin=replace(mesh.skin, joints=new[mesh.skin.joints]))


def _renumbered(
    anatomy: Anatomy, skeleton: Skeleton, new: IntArray, order: IntArray, holders: Mapping[int, int]
) -> Anatomy:
    """The same anatomy for joints in another order, with limbs that reach to the joints that hang from them now."""

    def those(joints: Iterable[int]) -> tuple[int, ...]:
        return tuple(int(new[joint]) for joint in joints)

    limbs = []
    for limb in anatomy.limbs:
        joints = list(limb.joints)
        while (more := [joint for joint, holder in holders.items() if holder == joints[-1]]) and more[0] not in joints:
            joints.append(more[0])
        limbs.append(replace(limb, joints=those(joints), length=limb_length(skeleton, those(joints))))
    return replace(
        anatomy,
        roles={role: int(new[joint]) for role, joint in anatomy.roles.items()},
        capabilities={name: those(joints) for name, joints in anatomy.capabilities.items()},
        groups={name: those(joints) for name, joints in anatomy.groups.items()},
        limbs=tuple(limbs),
        mirror=new[anatomy.mirror[order]],
        sockets=tuple(replace(socket, joint=int(new[socket.joint])) for socket in anatomy.sockets),
    )
