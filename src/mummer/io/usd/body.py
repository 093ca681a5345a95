"""The joints of a USD stage: all Skeletons in one, in our axes and units."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import unique_names
from mummer.errors import MalformedFileError
from mummer.io.parts.fold_scales import fold_values, scale_factors
from mummer.io.usd.skeletons import RawSkeleton, check_skeleton, checked_matrix, joined_skeletons
from mummer.math import transform
from mummer.report import ReportBuilder

Transforms = tuple[FloatArray, FloatArray, FloatArray]
"""Translations (..., J, 3), rotations (..., J, 4) and scales (..., J, 3) of parent_from_joint."""
SHEARED = 1e-4
FROM_UP = {
    "Y": (0.0, 0.0, 0.0, 1.0),
    "Z": (-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)),
    "X": (0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)),
}
"""The rotation that turns each up axis to ours."""


@dataclass(frozen=True, eq=False)
class Body:
    """What the Skeletons, and the meshes that none of them carries, come to.

    Attributes:
        names: J unique names.
        parents: (J,) parent joints, -1 for roots.
        rest: transforms as bound, factors taken out.
        pose: transforms as the file rests, factors taken out.
        factors: (J,) the uniform scale that was taken out of each joint.
        skeletons: the Skeletons by path.
        loose: for each mesh that no Skeleton carries its joint, by the mesh's index.
    """

    names: tuple[str, ...]
    parents: IntArray
    rest: Transforms
    pose: Transforms
    factors: FloatArray
    skeletons: dict[str, RawSkeleton]
    loose: dict[int, int]


def build_body(content: dict[str, Any], path: Path | None, report: ReportBuilder) -> Body:
    """The body that the Skeletons of a stage show.

    Raises:
        MalformedFileError: if there is neither a Skeleton nor a mesh, or a Skeleton contradicts itself.
    """
    unit = content["metres_per_unit"]
    if not (np.isfinite(unit) and unit > 0):
        raise MalformedFileError(path, f"says that a unit is {unit:g} metres; expected more than 0")
    ours = transform.compose(np.zeros(3), FROM_UP.get(content["up"], FROM_UP["Y"]), np.full(3, unit))
    distinct, by_path = joined_skeletons(
        [check_skeleton(raw, ours, path) for raw in content["skeletons"] if raw["joints"]]
    )
    names: list[str] = [name for skeleton in distinct for name in skeleton.names]
    parents = [np.where(one.parents >= 0, one.parents + one.first, -1) for one in distinct]
    rest = [_placed(one.world, one.bind, one.parents, report) for one in distinct]
    pose = [_placed(one.world, one.rest, one.parents, report) for one in distinct]
    factors = [np.full(len(one.names), uniform_scale(one.world)) for one in distinct]
    loose = {}
    for index, mesh in enumerate(content["meshes"]):
        if mesh["skin"] is None or mesh["skin"]["skeleton"] not in by_path:
            loose[index] = len(names)
            names.append(mesh["name"])
            parents.append(np.array([-1]))
            world = checked_matrix(mesh["world"], path, f"mesh {mesh['name']!r}")
            standing = _placed(ours, world[None], parents[-1], report)
            rest.append(standing)
            pose.append(standing)
            factors.append(scale_factors(parents[-1], standing[2]))
    if not names:
        raise MalformedFileError(path, "holds neither a Skeleton with joints nor a mesh")
    return _joined(names, np.concatenate(parents), rest, pose, np.concatenate(factors), by_path, loose)


def _joined(
    names: list[str],
    parents: IntArray,
    rest: list[Transforms],
    pose: list[Transforms],
    factors: FloatArray,
    skeletons: dict[str, RawSkeleton],
    loose: dict[int, int],
) -> Body:
    def join(parts: list[Transforms]) -> Transforms:
        translations, rotations, scales = (np.concatenate(column) for column in zip(*parts, strict=True))
        return translations, rotations, scales

    def fold(transforms: Transforms) -> Transforms:
        translations, rotations, scales = transforms
        moved = fold_values(parents, factors, "translation", translations)
        return moved, rotations, fold_values(parents, factors, "scale", scales)

    return Body(unique_names(names), parents, fold(join(rest)), fold(join(pose)), factors, skeletons, loose)


def uniform_scale(world_from_skeleton: FloatArray) -> float:
    """The factor by which a Skeleton as a whole is scaled, units included: 1 if it differs from axis to axis.

    Only that is taken out of the joints. A scale that the file puts on a joint stays there.
    """
    _, _, scale, _ = transform.decompose(world_from_skeleton)
    return float(scale_factors(np.array([-1]), scale[None])[0])


def _placed(world: FloatArray, local: FloatArray, parents: IntArray, report: ReportBuilder) -> Transforms:
    """Local (J, 3, 4) matrices as transforms, those of roots placed in our world."""
    placed = local.copy()
    placed[parents < 0] = transform.multiply(world, local[parents < 0])
    translations, rotations, scales, shear = transform.decompose(placed)
    if np.any(shear > SHEARED):
        report.add("repaired", "transforms that are sheared were made plain", count=int(np.sum(shear > SHEARED)))
    return translations, rotations, scales
