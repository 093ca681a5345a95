"""Everything that names joints by index, moved along when a joint 0 is added or taken away."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mummer.arrays import IntArray
from mummer.character.anatomy import Anatomy
from mummer.character.limits import Limits
from mummer.character.mass import Mass
from mummer.character.mesh import Mesh

ROLE = "root"
"""The role of the new joint, where no other joint has it."""


def shifted_mesh(mesh: Mesh, step: int) -> Mesh:
    """The mesh bound to the same joints, whose indices moved by ``step``, +1 or -1."""
    joints = mesh.skin.joints + step
    # A joint 0 that goes away may be bound without weight: anything may stand in for it.
    skin = dataclasses.replace(mesh.skin, joints=np.maximum(joints, 0))
    return dataclasses.replace(mesh, skin=skin)


def shifted_limits(limits: Limits, step: int) -> Limits:
    """The limits of the same joints, with a free joint 0 before them or without their joint 0."""
    free = Limits.from_joints(1, {})
    names = ("kinds", "axes", "second_axes", "ranges", "second_ranges")
    return Limits(**{name: _shifted_rows(getattr(limits, name), getattr(free, name), step) for name in names})


def shifted_mass(mass: Mass, step: int) -> Mass:
    """The mass of the same joints, with a joint 0 without mass before them or without their joint 0."""
    nothing = Mass(np.zeros(1), np.zeros((1, 3)), np.zeros((1, 3, 3)))
    names = ("masses", "centers", "second_moments")
    return Mass(**{name: _shifted_rows(getattr(mass, name), getattr(nothing, name), step) for name in names})


def shifted_anatomy(anatomy: Anatomy, step: int) -> Anatomy:
    """The anatomy of the same joints; a new joint 0 joins the group of the one that was first, and gets a role."""

    def shift(joints: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(joint + step for joint in joints if joint + step >= 0)

    roles = {role: joint + step for role, joint in anatomy.roles.items() if joint + step >= 0}
    groups = {name: shift(joints) for name, joints in anatomy.groups.items()}
    capabilities = {name: shift(joints) for name, joints in anatomy.capabilities.items()}
    if step > 0:
        roles.setdefault(ROLE, 0)
        groups = {name: ((0, *joints) if 1 in joints else joints) for name, joints in groups.items()}
        mirror: IntArray = np.concatenate([[0], anatomy.mirror + 1])
    else:
        mirror = anatomy.mirror[1:] - 1
    return dataclasses.replace(
        anatomy,
        roles=roles,
        groups=groups,
        capabilities=capabilities,
        mirror=mirror,
        limbs=tuple(dataclasses.replace(limb, joints=shift(limb.joints)) for limb in anatomy.limbs),
        sockets=tuple(dataclasses.replace(socket, joint=socket.joint + step) for socket in anatomy.sockets),
    )


def _shifted_rows(rows: Any, first: Any, step: int) -> Any:
    return np.concatenate([first, rows]) if step > 0 else rows[1:]
