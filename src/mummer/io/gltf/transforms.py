"""Where nodes stand: their own translation, rotation and scale, and their place in the world."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.errors import MalformedFileError
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.tree import Tree
from mummer.math import quaternion, transform

SHEAR_TOLERANCE = 1e-4


@dataclass(frozen=True)
class Transforms:
    """parent_from_joint of J joints, or parent_from_node of all nodes.

    Attributes:
        translations: (J, 3) metres.
        rotations: (J, 4) unit quaternions xyzw.
        scales: (J, 3) factors.
    """

    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray

    def matrices(self) -> FloatArray:
        """(J, 3, 4) parent_from_joint."""
        return transform.compose(self.translations, self.rotations, self.scales)

    def of(self, places: tuple[int, ...]) -> Transforms:
        """The transforms of some of them, in the order given."""
        chosen = list(places)
        return Transforms(self.translations[chosen], self.rotations[chosen], self.scales[chosen])


def read_transforms(reading: Reading) -> Transforms:
    """parent_from_node of every node, in the order of the document.

    Raises:
        FileError: if a value is not a finite number.
    """
    count = reading.count("nodes")
    translations, scales = np.zeros((count, 3)), np.ones((count, 3))
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    matrices: dict[int, list[float]] = {}
    for index, node in enumerate(reading.elements("nodes")):
        if "matrix" in node:
            matrices[index] = node.numbers("matrix", 16)
            continue
        _fill(node, "translation", translations[index])
        _fill(node, "rotation", rotations[index])
        _fill(node, "scale", scales[index])
    if matrices:
        places = list(matrices)
        split = _decomposed(reading, np.array(list(matrices.values())))
        translations[places], rotations[places], scales[places] = split
    return Transforms(translations, _unit(reading, rotations), scales)


def _fill(node: Element, key: str, row: FloatArray) -> None:
    if key in node.raw:
        row[:] = node.numbers(key, len(row))


def _decomposed(reading: Reading, columns: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    matrices = columns.reshape(-1, 4, 4).transpose(0, 2, 1)[:, :3]
    with np.errstate(all="ignore"):
        translations, rotations, scales, residual = transform.decompose(matrices)
    sheared = int(np.count_nonzero(~(residual <= SHEAR_TOLERANCE)))
    if sheared:
        reading.report.add("ignored", "shear in node matrices", count=sheared)
    return translations, rotations, scales


def _unit(reading: Reading, rotations: FloatArray) -> FloatArray:
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(rotations, axis=1)
        units = quaternion.normalize(rotations)
    if not np.all(np.isfinite(units)):
        raise MalformedFileError(reading.path, "has node rotations too large to be rotations", place="/nodes")
    zero = int(np.count_nonzero(lengths == 0))
    if zero:
        reading.report.add("repaired", "node rotations of length zero were taken as no rotation", count=zero)
    for node in np.flatnonzero(np.abs(lengths - 1) > 1e-3).tolist():
        reading.mended.fields["nodes", node, "rotation"] = units[node].tolist()
    off = int(np.count_nonzero(np.abs(lengths - 1) > 1e-3)) - zero
    if off:
        reading.report.add("repaired", "node rotations were brought to unit length", count=off)
    return units


def world_from_joints(path: Path | None, parents: IntArray, parent_from_joint: FloatArray) -> FloatArray:
    """(J, 3, 4) world_from_joint.

    One product for each level of the tree: for a single pose that is as quick as a compiled loop, and reading a file
    must not wait for a compiler to load.

    Raises:
        MalformedFileError: if the body reaches beyond what numbers can hold.
    """
    world = parent_from_joint.copy()
    with np.errstate(all="ignore"):
        for level in _levels(parents)[1:]:
            world[level] = transform.multiply(world[parents[level]], parent_from_joint[level])
    if not np.all(np.isfinite(world)):
        raise MalformedFileError(path, "places joints beyond what numbers can hold", place="/nodes")
    return world


def world_from_nodes(reading: Reading, tree: Tree, transforms: Transforms) -> FloatArray:
    """(N, 3, 4) world_from_node of every node, in the order of the document."""
    order = np.array(tree.order)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    above = np.array(tree.parents)[order]
    parents = np.where(above < 0, -1, place[above])
    world = np.empty((len(order), 3, 4))
    world[order] = world_from_joints(reading.path, parents, transforms.matrices()[order])
    return world


def _levels(parents: IntArray) -> list[IntArray]:
    depths = np.zeros(len(parents), np.int64)
    for joint, parent in enumerate(parents.tolist()):
        if parent >= 0:
            depths[joint] = depths[parent] + 1
    order = np.argsort(depths, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depths[order])) + 1)
