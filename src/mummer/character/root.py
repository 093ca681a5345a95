"""A synthetic root on the ground: one joint below the hips that carries where a body stands and where it faces."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.anatomy import Anatomy
from mummer.character.character import Character
from mummer.character.derive import bounds_of, first_branch, ground_of, rest_positions
from mummer.character.root_indices import shifted_anatomy, shifted_limits, shifted_mass, shifted_mesh
from mummer.character.root_motion import GroundFrame, recording_with_root, recording_without_root
from mummer.character.root_pose import pose_with_root, pose_without_root, without_rest_translations
from mummer.character.skeleton import Skeleton
from mummer.character.source import Source
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion, rigid
from mummer.math.rigid import Rigid

Extract = Literal["travel", "none"]
EXTRACTS = ("travel", "none")


def with_ground_root(character: Character, *, extract: Extract = "travel", name: str = "root") -> Character:
    """The same body with a new joint 0 on the ground below its hips, facing where the body faces.

    Every joint is where it was in the world; all indices move up by one.

    Args:
        character: any body. Its anatomy, where known, says where hips, ground and front are; otherwise the joint
            where the body first branches, the lowest point at rest, and +Z.
        extract: ``travel`` moves the way over the ground and the turns about the vertical out of the hips into the new
            root in every recording; ``none`` leaves the new root at rest.
        name: of the new joint; ``ground_root`` where that is taken, then ``ground_root#2`` and so on.

    Raises:
        UnknownNameError: if there is no such ``extract``.
    """
    if extract not in EXTRACTS:
        raise UnknownNameError("with_ground_root", "extract", extract, EXTRACTS)
    skeleton, frame = character.skeleton, _ground_frame(character)
    grown = _skeleton_with_root(skeleton, frame.world_from_root, name)
    return character.replace(
        skeleton=grown,
        meshes=tuple(shifted_mesh(mesh, +1) for mesh in character.meshes),
        recordings=tuple(
            recording_with_root(recording, skeleton, frame, travels=extract == "travel")
            for recording in character.recordings
        ),
        default_pose=pose_with_root(character.default_pose, skeleton, frame.world_from_root),
        anatomy=character.anatomy and shifted_anatomy(character.anatomy, +1),
        limits=character.limits and shifted_limits(character.limits, +1),
        mass=character.mass and shifted_mass(character.mass, +1),
        source=_own_source(character.source),
    )


def without_ground_root(character: Character) -> Character:
    """The same body without its joint 0, which must be a root like that of `with_ground_root`; undoes it.

    Every other joint is where it was in the world, at every key of every recording; all indices move down by one.

    Raises:
        InputError: if joint 0 is not the only root, has nothing below it, carries surface or mass, or is scaled.
    """
    _require_ground_root(character)
    skeleton = character.skeleton
    bare = _skeleton_without_root(skeleton)
    return character.replace(
        skeleton=bare,
        meshes=tuple(shifted_mesh(mesh, -1) for mesh in character.meshes),
        recordings=tuple(recording_without_root(recording, skeleton) for recording in character.recordings),
        default_pose=without_rest_translations(pose_without_root(character.default_pose, skeleton), bare),
        anatomy=character.anatomy and shifted_anatomy(character.anatomy, -1),
        limits=character.limits and shifted_limits(character.limits, -1),
        mass=character.mass and shifted_mass(character.mass, -1),
        source=_own_source(character.source),
    )


def _ground_frame(character: Character) -> GroundFrame:
    anatomy: Anatomy | None = character.anatomy
    if anatomy is None:
        up, front = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
        hips, ground = first_branch(character.skeleton), ground_of(bounds_of(character), up)
    else:
        up, front, ground = anatomy.up, anatomy.front, anatomy.ground
        hips = anatomy.roles.get("hips", first_branch(character.skeleton))
    place = rest_positions(character.skeleton)[hips]
    below = place + (ground - place @ up) * up
    return GroundFrame(hips, up, ground, (below, quaternion.look_rotation(front, up)))


def _skeleton_with_root(skeleton: Skeleton, world_from_root: Rigid, name: str) -> Skeleton:
    translations, rotations = skeleton.rest_translations.copy(), skeleton.rest_rotations.copy()
    roots = list(skeleton.roots)
    root_from_world = rigid.inverse(*world_from_root)
    translations[roots], rotations[roots] = rigid.multiply(*root_from_world, translations[roots], rotations[roots])
    return Skeleton(
        (_free_name(skeleton, name), *skeleton.names),
        np.concatenate([[-1], skeleton.parents + 1]),
        np.concatenate([world_from_root[0][None], translations]),
        np.concatenate([world_from_root[1][None], rotations]),
        np.concatenate([np.ones((1, 3)), skeleton.rest_scales]),
        name=skeleton.name,
    )


def _skeleton_without_root(skeleton: Skeleton) -> Skeleton:
    translations, rotations = skeleton.rest_translations.copy(), skeleton.rest_rotations.copy()
    below = list(skeleton.children[0])
    translations[below], rotations[below] = rigid.multiply(
        translations[0], rotations[0], translations[below], rotations[below]
    )
    return Skeleton(
        skeleton.names[1:],
        skeleton.parents[1:] - 1,
        translations[1:],
        rotations[1:],
        skeleton.rest_scales[1:],
        name=skeleton.name,
    )


def _require_ground_root(character: Character) -> None:
    skeleton = character.skeleton
    name = f"joint {skeleton.names[0]!r} of {character.name!r}"
    if skeleton.roots != (0,) or not skeleton.children[0]:
        raise InputError(f"{name} is not a single root with joints below it; there is no ground root to take away")
    if not _is_one(skeleton.rest_scales[0]) or not _is_one(character.default_pose.full_scales(skeleton)[0]):
        raise InputError(f"{name} is scaled; a ground root is not")
    if character.mass is not None and character.mass.masses[0] > 0:
        raise InputError(f"{name} has mass; a ground root has none")
    for mesh in character.meshes:
        carried = mesh.skin.weights[mesh.skin.joints[mesh.skin.indices] == 0]
        if np.any(carried > 0):
            raise InputError(f"{name} carries mesh {mesh.name!r}; a ground root carries none")


def _is_one(scale: FloatArray) -> bool:
    return bool(np.all(scale == 1.0))


def _free_name(skeleton: Skeleton, name: str) -> str:
    number, candidate = 1, name
    while candidate in skeleton:
        candidate = "ground_root" if number == 1 else f"ground_root#{number}"
        number += 1
    return candidate


def _own_source(source: Source | None) -> Source | None:
    """The source without the file's own document, which no longer describes this skeleton."""
    return source and dataclasses.replace(source, document=None)
