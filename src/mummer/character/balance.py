"""Where the mass of a posed body is: its centre, its inertia, and an estimate where no mass is known."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.character import Character
from mummer.character.kinematics import world_matrices
from mummer.character.mass import WATER, Mass, inertia_of
from mummer.character.mass_from_capsules import mass_from_capsules
from mummer.character.mass_from_meshes import mass_from_meshes
from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton
from mummer.character.solids import outer
from mummer.errors import InputError
from mummer.kept import kept
from mummer.math import transform
from mummer.report import Report, ReportBuilder


def estimate_mass(character: Character, *, density: float = WATER) -> tuple[Mass, Report]:
    """The mass of any body: from its surface where it has one, else from its joints; and what was guessed."""
    if any(len(mesh.triangles) for mesh in character.meshes):
        return mass_from_meshes(character, density=density)
    report = ReportBuilder()
    report.add("guessed", f"{character.name!r} has no surface; its mass is that of capsules between its joints")
    return mass_from_capsules(character.skeleton, density=density), report.build()


def center_of_mass(mass: Mass, skeleton: Skeleton, pose: Pose) -> FloatArray:
    """(..., 3) the centre of mass of the whole body in the world, in metres.

    Raises:
        InputError: if the body has no mass, or mass and skeleton have different joints.
    """
    centers, _ = _world_masses(mass, skeleton, pose)
    return np.asarray(np.einsum("j,...jk->...k", mass.masses / mass.total, centers))


def inertia(mass: Mass, skeleton: Skeleton, pose: Pose) -> FloatArray:
    """(..., 3, 3) the tensor of inertia of the whole body about its centre of mass, in the world, kg m²."""
    centers, seconds = _world_masses(mass, skeleton, pose)
    middle = np.einsum("j,...jk->...k", mass.masses / mass.total, centers)
    away = outer(centers - middle[..., None, :])
    return inertia_of(np.sum(seconds + mass.masses[:, None, None] * away, axis=-3))


def _world_masses(mass: Mass, skeleton: Skeleton, pose: Pose) -> tuple[FloatArray, FloatArray]:
    """(..., J, 3) the centres and (..., J, 3, 3) the second moments of all joints in the world."""
    if len(mass.masses) != len(skeleton):
        raise InputError(f"mass is for {len(mass.masses)} joints; skeleton {skeleton.name!r} has {len(skeleton)}")
    if not mass.total > 0:
        raise InputError(f"skeleton {skeleton.name!r} has no mass; its centre of mass is nowhere")
    world_from_joint = world_matrices(skeleton, pose)
    turn = world_from_joint[..., :3]
    centers = transform.apply_to_points(world_from_joint, mass.centers)
    return centers, turn @ mass.second_moments @ np.swapaxes(turn, -1, -2)


@kept
def mass_of(character: Character) -> Mass:
    """The mass of a body in the frames of its joints; estimated where nothing is known, alike where nothing weighs."""
    mass = character.mass if character.mass is not None else estimate_mass(character)[0]
    count = len(character.skeleton)
    return mass if mass.total > 0 else Mass(np.ones(count), np.zeros((count, 3)), np.zeros((count, 3, 3)))
