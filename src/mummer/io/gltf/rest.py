"""The rest pose: nodes may hold the body in mid-action, while the inverse binds hold how it stood when it was bound."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.io.gltf.joints import Joints
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.skins import SkinBinding
from mummer.io.gltf.transforms import SHEAR_TOLERANCE, Transforms, world_from_nodes
from mummer.io.gltf.tree import Tree
from mummer.math import transform

PLACE_TOLERANCE = 1e-4
"""How far a joint may stand from where it was bound, as a part of the body's size, and still count as at rest."""
TURN_TOLERANCE = 1e-3
"""How far its axes may differ, as a part of their length."""


def rest_transforms(
    reading: Reading, tree: Tree, joints: Joints, skins: list[SkinBinding], placed: Transforms
) -> Transforms:
    """parent_from_joint at rest: from the inverse binds where they show another pose than the nodes, else the nodes'.

    A mesh bound at rest has one mesh space for all joints of its skin: ``world_from_joint @ joint_from_mesh`` is the
    same for all of them. Joints for which it is not have been moved since; the binds tell where from.

    Args:
        reading: the reading this is part of.
        tree: how the nodes hang together.
        joints: the joints.
        skins: all skins.
        placed: parent_from_node of every node.
    """
    posed = placed.of(joints.nodes)
    world_from_node = world_from_nodes(reading, tree, placed)
    posed_world = world_from_node[list(joints.nodes)]
    bound_world, known = _bound_places(reading, joints, skins, world_from_node)
    moved = known & ~_same_places(bound_world, posed_world)
    if not moved.any():
        return posed
    message = "joints stand elsewhere than where their mesh was bound; rest is where it was bound"
    reading.report.add("unusual", message, count=int(moved.sum()))
    return _relative(reading, joints, posed, np.where(moved[:, None, None], bound_world, posed_world), known)


def _bound_places(
    reading: Reading, joints: Joints, skins: list[SkinBinding], world_from_node: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """(J, 3, 4) world_from_joint when bound, and (J,) for which joints the skins tell it. Large skins speak first."""
    bound = world_from_node[list(joints.nodes)]
    known = np.zeros(len(joints.nodes), bool)
    telling = [skin for skin in skins if skin.has_binds]
    for skin in sorted(telling, key=lambda skin: (not skin.states_rest, -len(skin.nodes))):
        carriers = np.array([joints.by_node[node] for node in skin.nodes])
        solid = np.abs(np.linalg.det(skin.joint_from_mesh[:, :, :3])) > 1e-12
        if not solid.all():
            reading.report.add("ignored", "inverse bind matrices that flatten space", count=int((~solid).sum()))
        carriers, binds = carriers[solid], skin.joint_from_mesh[solid]
        if len(carriers) == 0:
            continue
        shown = np.eye(3, 4) if skin.shown_by is None else world_from_node[skin.shown_by]
        world_from_mesh = np.eye(3, 4) if skin.states_rest else _mesh_space(bound, known, carriers, binds, shown)
        new = ~known[carriers]
        bound[carriers[new]] = transform.multiply(world_from_mesh, transform.inverse(binds[new]))
        known[carriers] = True
    return bound, known


def _mesh_space(
    bound: FloatArray, known: BoolArray, carriers: IntArray, binds: FloatArray, shown: FloatArray
) -> FloatArray:
    """(3, 4) world_from_mesh when bound.

    It is what most joints of a skin agree on. Where they do not agree, exporters give two hints: they bind where the
    node ``shown`` that shows the mesh stands, or in the world itself. A hint counts if it has the size that the joints
    have; else the joint nearest the root decides.
    """
    decided = known[carriers]
    if decided.any():
        carriers, binds = carriers[decided], binds[decided]
    candidates = transform.multiply(bound[carriers], binds)
    middle = np.median(candidates, axis=0)
    agreeing = _same_places(candidates, np.broadcast_to(middle, candidates.shape), size=_extent(bound[carriers]))
    # Joints are sorted parent first, so the smallest index is the nearest to a root.
    if agreeing.sum() * 2 > len(candidates):
        return candidates[np.argmin(np.where(agreeing, carriers, np.iinfo(np.int64).max))]
    nearest = candidates[np.argmin(carriers)]
    if decided.any():
        return nearest
    return next((hint for hint in (shown, np.eye(3, 4)) if _same_size(hint, nearest)), nearest)


def _same_size(first: FloatArray, second: FloatArray) -> bool:
    volumes = np.abs(np.linalg.det(np.stack([first, second])[:, :, :3]))
    return bool(np.abs(volumes[0] - volumes[1]) <= 0.01 * volumes[1])


def _same_places(first: FloatArray, second: FloatArray, *, size: float | None = None) -> BoolArray:
    """(...) whether pairs of world transforms (..., 3, 4) agree in place and axes."""
    extent = _extent(second) if size is None else size
    apart = np.linalg.norm(first[..., 3] - second[..., 3], axis=-1)
    length = np.linalg.norm(second[..., :3], axis=(-2, -1))
    turned = np.linalg.norm(first[..., :3] - second[..., :3], axis=(-2, -1))
    return np.asarray((apart <= PLACE_TOLERANCE * extent) & (turned <= TURN_TOLERANCE * np.maximum(length, 1e-12)))


def _extent(world: FloatArray) -> float:
    spread = float(np.linalg.norm(np.ptp(world[:, :, 3], axis=0)))
    return spread or 1.0


def _relative(reading: Reading, joints: Joints, posed: Transforms, target: FloatArray, known: BoolArray) -> Transforms:
    """parent_from_joint that brings known joints to ``target`` in the world; the others keep theirs."""
    local, world = posed.matrices(), np.empty_like(target)
    changed = np.zeros(len(local), bool)
    for joint, parent in enumerate(joints.parents.tolist()):
        above = np.eye(3, 4) if parent < 0 else world[parent]
        world[joint] = transform.multiply(above, local[joint])
        if known[joint] and not np.allclose(world[joint], target[joint], rtol=1e-6, atol=1e-9):
            if np.abs(np.linalg.det(above[:, :3])) < 1e-12:
                continue
            local[joint] = transform.multiply(transform.inverse(above), target[joint])
            world[joint], changed[joint] = target[joint], True
    translations, rotations, scales, residual = transform.decompose(local[changed])
    # Binds are stored in single precision: a scale that differs from one by less is one.
    scales = np.where(np.abs(scales - 1) < 1e-5, 1.0, scales)
    sheared = int(np.count_nonzero(residual > SHEAR_TOLERANCE))
    if sheared:
        reading.report.add("ignored", "shear in the rest pose that the inverse binds hold", count=sheared)
    result = Transforms(posed.translations.copy(), posed.rotations.copy(), posed.scales.copy())
    result.translations[changed], result.rotations[changed], result.scales[changed] = translations, rotations, scales
    return result
