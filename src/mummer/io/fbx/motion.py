"""Animation stacks of an FBX file as recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Curve, Pose, Recording, unique_names
from mummer.errors import MalformedFileError
from mummer.io.fbx.body import Body
from mummer.io.parts.fold_scales import fold_values
from mummer.io.parts.sampled import curves_from_samples
from mummer.math import quaternion
from mummer.report import ReportBuilder


def read_recordings(
    content: dict[str, Any],
    body: Body,
    pose: Pose,
    morph_names: tuple[str, ...],
    morph_of_channel: dict[int, tuple[str, float]],
    path: Path | None,
    report: ReportBuilder,
) -> tuple[Recording, ...]:
    """One recording for each stack in which something moves, its first frame at time zero.

    Raises:
        MalformedFileError: if a transform of the motion is not finite.
    """
    stacks = content["stacks"]
    recordings = []
    for stack, name in zip(stacks, unique_names([one["name"] for one in stacks], blank="motion"), strict=True):
        if not (np.isfinite(stack["local"]).all() and np.isfinite(stack["weights"]).all()):
            raise MalformedFileError(path, "has motion that is not finite", place=f"animation {name!r}")
        times = stack["times"] - stack["times"][0]
        curves = _joint_curves(stack, body, pose, times)
        curves += _morph_curves(stack, pose, morph_names, morph_of_channel, times)
        if curves:
            recordings.append(Recording(name, tuple(curves), pose, float(content["frame_rate"])))
        else:
            report.add("ignored", f"animation {name!r} moves nothing")
    return tuple(recordings)


def _joint_curves(stack: dict[str, Any], body: Body, pose: Pose, times: FloatArray) -> list[Curve]:
    joints = body.joint_of_node[stack["nodes"]]
    known = joints >= 0
    joints, local = joints[known], stack["local"][:, known]
    if not len(joints):
        return []
    moved = fold_values(body.parents, body.factors, "translation", local[..., :3], joints)
    scales = fold_values(body.parents, body.factors, "scale", local[..., 7:], joints)
    standing_scales = np.ones((len(body.parents), 3)) if pose.scales is None else pose.scales
    assert pose.translations is not None
    return [
        *curves_from_samples("rotation", joints, times, quaternion.normalize(local[..., 3:7]), pose.rotations[joints]),
        *curves_from_samples("translation", joints, times, moved, pose.translations[joints]),
        *curves_from_samples("scale", joints, times, scales, standing_scales[joints]),
    ]


def _morph_curves(
    stack: dict[str, Any],
    pose: Pose,
    morph_names: tuple[str, ...],
    morph_of_channel: dict[int, tuple[str, float]],
    times: FloatArray,
) -> list[Curve]:
    if pose.morphs is None:
        return []
    driven: dict[int, FloatArray] = {}
    for column, channel in enumerate(stack["channels"].tolist()):
        if channel in morph_of_channel:
            name, full = morph_of_channel[channel]
            driven[morph_names.index(name)] = stack["weights"][:, column] / full
    if not driven:
        return []
    targets = np.array(list(driven))
    values = np.stack(list(driven.values()), axis=1)[..., None]
    return curves_from_samples("morph", targets, times, values, pose.morphs[targets, None])
