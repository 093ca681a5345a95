"""Following: what stands on armatures of its own in a file, eyes or clothes, moves with the body that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, first_branch, world_matrices
from mummer.character.copies import copies_in
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.standing import fill_translations
from mummer.math import transform

CARRIES = 0.05
"""The weight in a vertex from which on a joint counts as carrying it."""


@dataclass(frozen=True, eq=False, repr=False)
class Following(Operated):
    """The clip with joints of further armatures where those of the body take them.

    A joint with the name of one of the body does what that one does, as the skeleton of clothes does. The root of an
    armature without such joints keeps its place on the joint of the body that is next to what it carries.
    """

    @cached_property
    def holders(self) -> dict[int, int]:
        """Of each joint that follows, parents first, the joint that it follows."""
        return followers_of(self.body)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return followed(self.clip.frames(times), self.body, self.holders)


def followed(made: Frames, body: Character, holders: dict[int, int]) -> Frames:
    """The frames of a body with joints where those that they follow take them; see `followers_of`."""
    if not holders:
        return made
    fill_translations(made, body)
    assert made.translations is not None
    skeleton = body.skeleton
    rest = world_matrices(skeleton, Pose.rest(skeleton))
    world = np.array(world_matrices(skeleton, made.to_pose()))
    for joint, holder in holders.items():
        above = int(skeleton.parents[joint])
        holder_from_joint = transform.multiply(transform.inverse(rest[holder]), rest[joint])
        wanted = transform.multiply(world[:, holder], holder_from_joint)
        local = wanted if above < 0 else transform.multiply(transform.inverse(world[:, above]), wanted)
        translations, rotations, _, _ = transform.decompose(local)
        made.translations[:, joint], made.rotations[:, joint], world[:, joint] = translations, rotations, wanted
    made.root = made.translations[:, 0]
    return made


def followers_of(body: Character) -> dict[int, int]:
    """The joints of further armatures, parents first, and the joint of the body that each follows."""
    skeleton = body.skeleton
    if len(skeleton.roots) < 2:
        return {}
    hips = first_branch(skeleton) if body.anatomy is None else body.anatomy.roles.get("hips", first_branch(skeleton))
    main = (hips, *skeleton.ancestors(hips))[-1]
    own = sorted({main, *skeleton.descendants(main)})
    found = {joint: twin for joint, twin in copies_in(skeleton).items() if twin in own}
    for root in skeleton.roots:
        if root != main and root not in found:
            found[root] = _nearest(body, sorted({root, *skeleton.descendants(root)}), own)
    return dict(sorted(found.items()))


def _nearest(body: Character, tree: list[int], own: list[int]) -> int:
    """The joint of the body that is next to what an armature carries, or to the armature if that is nothing."""
    rest = world_matrices(body.skeleton, Pose.rest(body.skeleton))
    places = [rest[tree, :, 3]]
    for mesh in body.meshes:
        for slot, joint in enumerate(mesh.skin.joints.tolist()):
            held = np.any((mesh.skin.indices == slot) & (mesh.skin.weights > CARRIES), axis=1)
            if joint in tree and held.any():
                matrix = transform.multiply(rest[joint], mesh.skin.joint_from_mesh[slot])
                places.append(mesh.positions[held] @ matrix[:, :3].T + matrix[:, 3])
    middle = np.concatenate(places[1:] or places).mean(axis=0)
    return own[int(np.argmin(np.linalg.norm(rest[own, :, 3] - middle, axis=1)))]
