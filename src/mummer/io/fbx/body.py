"""The joints of an FBX body: which they are, how they rest, how they stand, and the scale taken out of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import unique_names
from mummer.errors import MalformedFileError
from mummer.io.fbx.joints import choose_joints
from mummer.io.fbx.nodes import Nodes
from mummer.io.fbx.rest import rest_from_binds
from mummer.io.parts.fold_scales import fold_values, scale_factors
from mummer.report import ReportBuilder

Transforms = tuple[FloatArray, FloatArray, FloatArray]
"""Translations (J, 3), rotations (J, 4) and scales (J, 3) of parent_from_joint."""


@dataclass(frozen=True, eq=False)
class Body:
    """What the nodes come to.

    Attributes:
        names: J unique names.
        nodes: (J,) the node behind each joint.
        joint_of_node: (N,) the joint that each node is, or -1.
        parents: (J,) parent joints, -1 for roots.
        rest: transforms at rest, factors taken out.
        pose: transforms as the nodes stand, factors taken out.
        factors: (J,) the uniform scale that was taken out of each joint.
        world_from_joint: (J, 3, 4) as the nodes stand, before anything was taken out.
    """

    names: tuple[str, ...]
    nodes: IntArray
    joint_of_node: IntArray
    parents: IntArray
    rest: Transforms
    pose: Transforms
    factors: FloatArray
    world_from_joint: FloatArray


def build_body(
    nodes: Nodes, meshes: list[dict[str, Any]], stacks: list[dict[str, Any]], path: Path | None, report: ReportBuilder
) -> Body:
    """The body that the nodes, skins and motions of a file show.

    Raises:
        MalformedFileError: if there is no node at all, or nodes hang from later ones.
    """
    if len(nodes) < 2:
        raise MalformedFileError(path, "holds no node that could be a joint")
    if np.any(nodes.parents[1:] >= np.arange(1, len(nodes))) or np.any(nodes.parents[1:] < 0):
        raise MalformedFileError(path, "has nodes that are not sorted into a tree")
    chosen = choose_joints(nodes, meshes, stacks)
    joint_of_node = np.full(len(nodes), -1)
    joint_of_node[chosen] = np.arange(len(chosen))
    parents = joint_of_node[nodes.parents[chosen]]
    pose: Transforms = (nodes.translations[chosen], nodes.rotations[chosen], nodes.scales[chosen])
    rest, world = rest_from_binds(parents, pose, meshes, joint_of_node, report)
    factors = scale_factors(parents, rest[2])
    _report_scales(factors, report)
    return Body(
        unique_names([nodes.names[node] for node in chosen]),
        chosen,
        joint_of_node,
        parents,
        _folded(parents, factors, rest),
        _folded(parents, factors, pose),
        factors,
        world,
    )


def _folded(parents: IntArray, factors: FloatArray, transforms: Transforms) -> Transforms:
    translations, rotations, scales = transforms
    moved = fold_values(parents, factors, "translation", translations)
    return moved, rotations, fold_values(parents, factors, "scale", scales)


def _report_scales(factors: FloatArray, report: ReportBuilder) -> None:
    scaled = factors[factors != 1]
    if scaled.size:
        report.add("unusual", f"joints scaled by {scaled[0]:.6g} had the scale folded into what they carry")
