"""Which nodes of an FBX scene are joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import BoolArray, IntArray
from mummer.io.fbx.nodes import Nodes
from mummer.io.parts.sampled import STILL


def choose_joints(nodes: Nodes, meshes: list[dict[str, Any]], stacks: list[dict[str, Any]]) -> IntArray:
    """(J,) the nodes that are joints, in the file's order.

    Bones, whatever carries a skin and all below it, whatever moves, and nodes with a rigid mesh, with everything
    above them; not cameras, lights, or nodes that only hold a skinned mesh. If that leaves none: every node.
    """
    skinned = skinned_nodes(nodes, meshes)
    wanted = np.array([kind == "bone" for kind in nodes.kinds])
    wanted |= _below(nodes, _carriers(nodes, meshes))
    wanted |= _moving(nodes, stacks)
    wanted |= (nodes.meshes >= 0) & ~skinned
    wanted &= ~skinned & np.array([kind not in ("camera", "light") for kind in nodes.kinds])
    wanted[0] = False
    if not wanted.any():
        wanted[1:] = True
    return np.flatnonzero(_above(nodes, wanted))


def skinned_nodes(nodes: Nodes, meshes: list[dict[str, Any]]) -> BoolArray:
    """(N,) whether each node's mesh is carried by a skin, wherever the node itself is."""
    has_skin = np.array([usable_skin(mesh) is not None for mesh in meshes] + [False])
    return np.asarray(has_skin[nodes.meshes])


def usable_skin(mesh: dict[str, Any]) -> dict[str, Any] | None:
    """The skin that carries a mesh: the first whose clusters name a bone."""
    return next((skin for skin in mesh["skins"] if (skin["bones"] > 0).any()), None)


def _carriers(nodes: Nodes, meshes: list[dict[str, Any]]) -> BoolArray:
    carries = np.zeros(len(nodes), bool)
    for mesh in meshes:
        skin = usable_skin(mesh)
        if skin is not None:
            carries[skin["bones"][skin["bones"] > 0]] = True
    return carries


def _moving(nodes: Nodes, stacks: list[dict[str, Any]]) -> BoolArray:
    moves = np.zeros(len(nodes), bool)
    for stack in stacks:
        if stack["local"].size:
            moves[stack["nodes"][np.ptp(stack["local"], axis=0).max(axis=-1) > STILL]] = True
    return moves


def _below(nodes: Nodes, chosen: BoolArray) -> BoolArray:
    # Nodes are sorted parent before child.
    below = chosen.copy()
    for node, parent in enumerate(nodes.parents.tolist()):
        if parent >= 0 and below[parent]:
            below[node] = True
    return below


def _above(nodes: Nodes, chosen: BoolArray) -> BoolArray:
    above = chosen.copy()
    for node in range(len(nodes) - 1, 0, -1):
        if above[node]:
            above[nodes.parents[node]] = True
    above[0] = False
    return above
