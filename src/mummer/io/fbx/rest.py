"""The rest pose of an FBX body: as its nodes stand, except where the skins say that they were bound otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.io.fbx.joints import usable_skin
from mummer.math import transform
from mummer.report import ReportBuilder

PLACE_TOLERANCE = 5e-5
"""How far a joint may stand from where it was bound, as a part of the body's size, and still count as at rest."""
TURN_TOLERANCE = 5e-4
"""How far its axes may differ, as a part of their length."""
SHEARED = 1e-3
Transforms = tuple[FloatArray, FloatArray, FloatArray]


def rest_from_binds(
    parents: IntArray, pose: Transforms, meshes: list[dict[str, Any]], joint_of_node: IntArray, report: ReportBuilder
) -> tuple[Transforms, FloatArray]:
    """How the body rests, and (J, 3, 4) where the nodes put its joints in the world.

    A skin knows where each of its joints was when it was bound. If that puts the mesh in one and the same place for
    all of them as the nodes stand, nothing is to be done. If most joints agree on a place, the others rest where the
    skin says. If they do not, the nodes hold some other pose, and all rest where the skin was bound.
    """
    local = transform.compose(*pose)
    world = world_from_local(parents, local)
    size = float(np.linalg.norm(np.ptp(world[:, :, 3], axis=0))) or 1.0
    bound = _bound_worlds(world, meshes, joint_of_node, size, report)
    if not bound:
        return pose, world
    rest = local.copy()
    rest_world = world.copy()
    changed = []
    for joint, parent in enumerate(parents.tolist()):
        above = rest_world[parent] if parent >= 0 else transform.compose(np.zeros(3), [0, 0, 0, 1.0])
        if joint in bound and _determinants(above[None])[0]:
            stands = transform.multiply(above, local[joint])
            if not _same(stands[None], bound[joint], size)[0]:
                rest[joint] = transform.multiply(transform.inverse(above), bound[joint])
                changed.append(joint)
        rest_world[joint] = transform.multiply(above, rest[joint])
    return _replaced(pose, rest, changed, report), world


def world_from_local(parents: IntArray, local: FloatArray) -> FloatArray:
    """(J, 3, 4) world_from_joint of joints sorted parent first, from their (J, 3, 4) parent_from_joint."""
    world = local.copy()
    for joint, parent in enumerate(parents.tolist()):
        if parent >= 0:
            world[joint] = transform.multiply(world[parent], local[joint])
    return world


def _bound_worlds(
    world: FloatArray, meshes: list[dict[str, Any]], joint_of_node: IntArray, size: float, report: ReportBuilder
) -> dict[int, FloatArray]:
    """World placements at rest of joints whose skins disagree with how the nodes stand."""
    bound: dict[int, FloatArray] = {}
    skins = [skin for skin in map(usable_skin, meshes) if skin is not None]
    for skin in sorted(skins, key=lambda one: -len(one["bones"])):
        named = skin["bones"] > 0
        joints, joint_from_mesh = joint_of_node[skin["bones"][named]], skin["bone_from_geometry"][named]
        usable = np.isfinite(joint_from_mesh).all(axis=(1, 2)) & (_determinants(joint_from_mesh) != 0)
        joints, joint_from_mesh = joints[usable], joint_from_mesh[usable]
        if not len(joints):
            continue
        placed = transform.multiply(world[joints], joint_from_mesh)
        agreed = _agreed_place(placed, size)
        if agreed is not None and _same(placed, agreed, size).all():
            continue
        worlds = skin["world_from_bone"][named][usable] if agreed is None else _unplaced(agreed, joint_from_mesh)
        for joint, matrix in zip(joints.tolist(), worlds, strict=True):
            if joint in bound and not _same(matrix[None], bound[joint], size)[0]:
                report.add("unusual", "skins that share joints were bound in different poses; the largest decides")
            bound.setdefault(joint, matrix)
    return {
        joint: matrix for joint, matrix in bound.items() if np.isfinite(matrix).all() and _determinants(matrix[None])[0]
    }


def _agreed_place(placed: FloatArray, size: float) -> FloatArray | None:
    """The place (3, 4) of the mesh that more than half of the joints agree on, if there is one."""
    for candidate in placed[np.linspace(0, len(placed) - 1, min(len(placed), 32)).astype(int)]:
        same = _same(placed, candidate, size)
        if same.sum() * 2 > len(placed):
            return np.asarray(candidate)
    return None


def _unplaced(world_from_mesh: FloatArray, joint_from_mesh: FloatArray) -> FloatArray:
    return transform.multiply(world_from_mesh, transform.inverse(joint_from_mesh))


def _same(matrices: FloatArray, one: FloatArray, size: float) -> BoolArray:
    """(N,) whether placements (N, 3, 4) agree with one (3, 4) or N others in place and axes."""
    length = np.linalg.norm(one[..., :3], axis=(-2, -1))
    turned = np.linalg.norm(matrices[..., :3] - one[..., :3], axis=(-2, -1)) <= TURN_TOLERANCE * np.maximum(
        length, 1e-30
    )
    moved = np.linalg.norm(matrices[..., 3] - one[..., 3], axis=-1) <= PLACE_TOLERANCE * size
    return np.asarray(turned & moved)


def _determinants(matrices: FloatArray) -> FloatArray:
    """(N,) how much each (3, 4) matrix swells volumes; exactly zero where it cannot be undone."""
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.linalg.det(matrices[..., :3])
    return np.where(np.isfinite(values) & (np.abs(values) > 1e-30), values, 0.0)


def _replaced(pose: Transforms, rest: FloatArray, changed: list[int], report: ReportBuilder) -> Transforms:
    if not changed:
        return pose
    report.add(
        "unusual", "joints stand elsewhere than where their skin was bound; they rest as bound", count=len(changed)
    )
    translations, rotations, scales = (part.copy() for part in pose)
    moved, turned, scaled, shear = transform.decompose(rest[changed])
    translations[changed], rotations[changed], scales[changed] = moved, turned, scaled
    if np.any(shear > SHEARED):
        report.add("repaired", "binds that are sheared were made plain", count=int(np.sum(shear > SHEARED)))
    return translations, rotations, scales
