"""Skins: which nodes carry a mesh, and where each stood when the mesh was bound to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.io import guard
from mummer.io.gltf import accessors
from mummer.io.gltf.compression import UndecodableError
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.tree import Tree, with_descendants

MOST_SKINS = 4096
REST_SKIN = "rest"
"""The mark, in a skin's ``extras.mummer``, of a skin whose binds are the rest pose in the world, written by us."""


@dataclass(frozen=True)
class SkinBinding:
    """One skin of a document.

    Attributes:
        nodes: the B nodes that carry it.
        joint_from_mesh: (B, 3, 4) inverse bind matrices.
        shown_by: the first node that shows a mesh with this skin, or None.
        has_binds: whether the file gives them; where it does not they are identities and say nothing about rest.
        states_rest: whether mesh space is the world, as in files of ours that hold rest and default pose apart.
    """

    nodes: tuple[int, ...]
    joint_from_mesh: FloatArray
    shown_by: int | None
    has_binds: bool
    states_rest: bool = False


def read_skins(reading: Reading, tree: Tree) -> list[SkinBinding]:
    """All skins of the document.

    Raises:
        FileError: if a skin has no joints, points at nodes that are not there, or has binds that are no numbers.
    """
    guard.require_at_most(reading.path, reading.count("skins"), MOST_SKINS, "skins")
    shown_by: dict[int, int] = {}
    for index, node in enumerate(reading.elements("nodes")):
        number = node.index("skin", reading.count("skins"), "skin")
        if number is not None:
            shown_by.setdefault(number, index)
    found = [
        _read_skin(reading, element, shown_by.get(index)) for index, element in enumerate(reading.elements("skins"))
    ]
    for index, (element, skin) in enumerate(zip(reading.elements("skins"), found, strict=True)):
        top = element.raw.get("skeleton")
        known = type(top) is int and 0 <= top < len(tree.parents)
        if top is not None and not (known and set(skin.nodes) <= with_descendants(tree, {top})):
            reading.report.add("repaired", "skins that name a skeleton which is not above their joints")
            reading.mended.fields["skins", index, "skeleton"] = None
    return found


def _read_skin(reading: Reading, element: Element, shown_by: int | None) -> SkinBinding:
    nodes = tuple(element.indices("joints", reading.count("nodes"), "node"))
    if not nodes:
        raise element.error("is empty; expected at least one joint", "joints")
    index = element.index("inverseBindMatrices", reading.count("accessors"), "accessor")
    extras = element.raw.get("extras")
    states_rest = isinstance(extras, dict) and extras.get("mummer") == REST_SKIN
    identities = np.tile(np.eye(3, 4), (len(nodes), 1, 1))
    if index is None:
        return SkinBinding(nodes, identities, shown_by, has_binds=False)
    try:
        columns = accessors.read_floats(reading, index, "MAT4")
    except UndecodableError as error:
        reading.report.add("ignored", f"inverse bind matrices: {error.place} {error.what}")
        return SkinBinding(nodes, identities, shown_by, has_binds=False)
    if len(columns) < len(nodes):
        raise element.error(f"has {len(columns)} matrices for {len(nodes)} joints", "inverseBindMatrices")
    matrices = columns[: len(nodes)].reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
    if not np.all(np.isfinite(matrices)):
        raise element.error("holds values that are not finite numbers", "inverseBindMatrices")
    if np.any(np.abs(matrices[:, 3] - (0, 0, 0, 1)) > 1e-5):
        reading.report.add("ignored", "inverse bind matrices with a last row other than (0, 0, 0, 1)")
    has_binds = not np.allclose(matrices, np.eye(4), rtol=0, atol=1e-6)
    return SkinBinding(nodes, matrices[:, :3], shown_by, has_binds, states_rest)
