"""Which nodes are joints of the body, and in what order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import IntArray
from mummer.character import unique_names
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.skins import SkinBinding
from mummer.io.gltf.tree import Tree, with_ancestors, with_descendants


@dataclass(frozen=True)
class Joints:
    """The J nodes that became joints.

    Attributes:
        nodes: (J,) the node of each joint; parents stand before their children.
        parents: (J,) joint index of each joint's parent, -1 for a root.
        names: unique names.
        by_node: joint of each node that is one.
    """

    nodes: tuple[int, ...]
    parents: IntArray
    names: tuple[str, ...]
    by_node: dict[int, int]


def choose_joints(reading: Reading, tree: Tree, skins: list[SkinBinding], moved: set[int]) -> Joints:
    """The joints: what skins name and all below it, what moves, what carries a rigid mesh, and all above those.

    Args:
        reading: the reading this is part of.
        tree: how the nodes hang together.
        skins: all skins.
        moved: nodes that animations or VRM data name.

    Returns:
        The joints, in the order of the file if parents come first there, else depth first. Every node is a joint where
        nothing singles some out.
    """
    skinned = {node for skin in skins for node in skin.nodes}
    rigid, carriers = _mesh_nodes(reading, tree)
    wanted = with_descendants(tree, skinned) | moved | rigid
    kept = with_ancestors(tree, wanted - (carriers - skinned - moved - rigid))
    everything = set(range(len(tree.parents)))
    chosen = (kept or everything) - (tree.added - skinned - moved - rigid)
    nodes = _ordered(tree, chosen or everything)
    by_node = {node: joint for joint, node in enumerate(nodes)}
    parents = np.array([by_node.get(tree.parents[node], -1) for node in nodes], np.int32)
    given = [reading.element("nodes", node).name() for node in nodes]
    names = unique_names([name or f"node{node}" for name, node in zip(given, nodes, strict=True)])
    _report_names(reading, given, names)
    return Joints(tuple(nodes), parents, names, by_node)


def _mesh_nodes(reading: Reading, tree: Tree) -> tuple[set[int], set[int]]:
    """Nodes of a scene whose mesh moves rigidly with them, and nodes whose mesh is carried by a skin."""
    rigid, carriers = set(), set()
    meshes, skins = reading.count("meshes"), reading.count("skins")
    for index, node in enumerate(reading.elements("nodes")):
        mesh = node.index("mesh", meshes, "mesh")
        if mesh is None:
            continue
        if node.index("skin", skins, "skin") is not None and is_skinned(reading, mesh):
            carriers.add(index)
        elif tree.in_scene[index]:
            rigid.add(index)
    return rigid, carriers


def is_skinned(reading: Reading, mesh: int) -> bool:
    """Whether every part of a mesh says which joints carry it."""
    primitives = reading.element("meshes", mesh).children("primitives")
    attributes = [part.optional("attributes") for part in primitives]
    return all(each is not None and "JOINTS_0" in each for each in attributes)


def _ordered(tree: Tree, chosen: set[int]) -> list[int]:
    """The file's own order if it has parents first, so that what we wrote reads back the same; else depth first."""
    if all(tree.parents[node] < node or tree.parents[node] not in chosen for node in chosen):
        return sorted(chosen)
    return [node for node in tree.order if node in chosen]


def _report_names(reading: Reading, given: list[str], names: tuple[str, ...]) -> None:
    blank = sum(not name for name in given)
    repeated = sum(bool(old) and old != new for old, new in zip(given, names, strict=True))
    if blank:
        reading.report.add("guessed", "joints without a name were numbered", count=blank)
    if repeated:
        reading.report.add("repaired", "joints that share a name were numbered", count=repeated)
