"""Skins of an FBX file: what carries a mesh, and how it hangs there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.io.fbx.body import Body
from mummer.io.fbx.joints import usable_skin
from mummer.io.fbx.nodes import Nodes
from mummer.io.parts.fold_scales import fold_binds
from mummer.io.parts.influences import gather_influences
from mummer.math import transform
from mummer.report import ReportBuilder


@dataclass(frozen=True, eq=False)
class Binding:
    """How the control points of one mesh are carried.

    Attributes:
        joints: (B,) joints.
        joint_from_mesh: (B, 3, 4).
        indices, weights: (P, K) of every control point.
        mirrors: whether the mesh is shown mirrored, so that its triangles turn the other way.
    """

    joints: IntArray
    joint_from_mesh: FloatArray
    indices: IntArray
    weights: FloatArray
    mirrors: bool


def read_binding(raw: dict[str, Any], node: int, nodes: Nodes, body: Body, report: ReportBuilder) -> Binding | None:
    """What carries the mesh of ``node``: the joints of its skin, or the node itself; None if it is no joint."""
    if len(raw["skins"]) > 1:
        report.add("ignored", "meshes with several skins are carried by the first", count=len(raw["skins"]) - 1)
    skin = usable_skin(raw)
    if skin is not None:
        return _skinned(raw, skin, body, report)
    joint = int(body.joint_of_node[node])
    if joint < 0:
        return None
    count = len(raw["positions"])
    return _binding(
        np.array([joint]),
        nodes.node_from_geometry[node][None],
        np.zeros((count, 1), np.int32),
        np.ones((count, 1)),
        body,
    )


def _skinned(raw: dict[str, Any], skin: dict[str, Any], body: Body, report: ReportBuilder) -> Binding:
    named = np.flatnonzero((skin["bones"] > 0) & np.isfinite(skin["bone_from_geometry"]).all(axis=(1, 2)))
    if len(named) < len(skin["bones"]):
        report.add("ignored", "skin clusters without a bone", count=len(skin["bones"]) - len(named))
    pairs = [(skin["vertices"][cluster], skin["weights"][cluster]) for cluster in named]
    lengths = [min(len(vertices), len(weights)) for vertices, weights in pairs]
    indices, weights = gather_influences(
        np.concatenate([vertices[:count] for (vertices, _), count in zip(pairs, lengths, strict=True)] or [[]]).astype(
            int
        ),
        np.repeat(np.arange(len(named)), lengths),
        np.concatenate([weights[:count] for (_, weights), count in zip(pairs, lengths, strict=True)] or [[]]),
        len(raw["positions"]),
        report,
    )
    return _binding(body.joint_of_node[skin["bones"][named]], skin["bone_from_geometry"][named], indices, weights, body)


def _binding(
    joints: IntArray, joint_from_mesh: FloatArray, indices: IntArray, weights: FloatArray, body: Body
) -> Binding:
    shown = transform.multiply(body.world_from_joint[joints], joint_from_mesh)
    mirrors = bool(np.median(np.linalg.det(shown[..., :3])) < 0)
    return Binding(joints, fold_binds(body.factors[joints], joint_from_mesh), indices, weights, mirrors)
