"""Skins of USD meshes: which joints of the body carry which point."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.errors import MalformedFileError
from mummer.io.parts.fold_scales import fold_binds
from mummer.io.parts.influences import gather_influences, normalized
from mummer.io.usd.body import Body
from mummer.math import transform
from mummer.report import ReportBuilder


@dataclass(frozen=True, eq=False)
class Binding:
    """How the points of one mesh are carried.

    Attributes:
        joints: (B,) joints of the body.
        joint_from_mesh: (B, 3, 4).
        indices, weights: (P, K) of every point.
        mirrors: whether the mesh is shown mirrored, so that its triangles turn the other way.
    """

    joints: IntArray
    joint_from_mesh: FloatArray
    indices: IntArray
    weights: FloatArray
    mirrors: bool


def read_binding(raw: dict[str, Any], index: int, body: Body, path: Path | None, report: ReportBuilder) -> Binding:
    """What carries a mesh: the joints that its skin names, or a joint of its own.

    Raises:
        MalformedFileError: if the skin names joints or points that do not exist.
    """
    count = len(raw["points"])
    identity = transform.compose(np.zeros(3), [0.0, 0.0, 0.0, 1.0])
    if index in body.loose:
        joints = np.array([body.loose[index]])
        return _binding(joints, identity[None], np.zeros((count, 1), int), np.ones((count, 1)), identity, body)
    skin, place = raw["skin"], f"mesh {raw['name']!r}"
    skeleton = body.skeletons[skin["skeleton"]]
    known = {token: joint for joint, token in enumerate(skeleton.tokens)}
    missing = [token for token in skin["joints"] if token not in known]
    if missing:
        raise MalformedFileError(path, f"is bound to {missing[0]!r}, which is no joint of its Skeleton", place=place)
    local = np.array([known[token] for token in skin["joints"]] if skin["joints"] else range(len(skeleton.tokens)))
    placed = identity if skin["placed"] is None else np.reshape(skin["placed"], (4, 4)).T[:3]
    if not np.isfinite(placed).all():
        raise MalformedFileError(path, "has a bind transform that is not finite", place=place)
    indices, weights = _rows(skin, count, len(local), path, place, report)
    joint_from_mesh = transform.multiply(transform.inverse(skeleton.binds[local]), placed)
    return _binding(skeleton.first + local, joint_from_mesh, indices, weights, placed, body)


def _rows(
    skin: dict[str, Any], count: int, joints: int, path: Path | None, place: str, report: ReportBuilder
) -> tuple[IntArray, FloatArray]:
    width = max(int(skin["width"]), 1)
    indices, weights = skin["indices"], skin["weights"].astype(np.float64)
    expected = width if skin["spread"] == "constant" else width * count
    if len(indices) != len(weights) or len(indices) != expected:
        raise MalformedFileError(
            path, f"has {len(indices)} joint indices and {len(weights)} weights; expected {expected}", place=place
        )
    if len(indices) and not 0 <= indices.min() <= indices.max() < joints:
        raise MalformedFileError(path, f"has a joint index outside its {joints} joints", place=place)
    rows = (count if skin["spread"] != "constant" else 1, width)
    indices, weights = indices.reshape(rows), weights.reshape(rows)
    if width > 8 or not np.isfinite(weights).all() or np.any(weights < 0):
        vertices = np.repeat(np.arange(rows[0]), width)
        indices, weights = gather_influences(vertices, indices.reshape(-1), weights.reshape(-1), rows[0], report)
    else:
        weights = normalized(weights, report)
    return np.broadcast_to(indices, (count, indices.shape[1])), np.broadcast_to(weights, (count, weights.shape[1]))


def _binding(
    joints: IntArray,
    joint_from_mesh: FloatArray,
    indices: IntArray,
    weights: FloatArray,
    world_from_mesh: FloatArray,
    body: Body,
) -> Binding:
    mirrors = bool(np.linalg.det(world_from_mesh[:, :3]) < 0)
    return Binding(joints, fold_binds(body.factors[joints], joint_from_mesh), indices, weights, mirrors)
