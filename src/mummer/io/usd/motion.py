"""SkelAnimations as recordings."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Curve, Pose, Recording, unique_names
from mummer.character.recording import WIDTHS, CurvePath
from mummer.errors import MalformedFileError
from mummer.io.parts.fold_scales import fold_values
from mummer.io.parts.sampled import curves_from_samples
from mummer.io.usd.body import Body
from mummer.io.usd.skeletons import RawSkeleton
from mummer.math import quaternion, transform
from mummer.report import ReportBuilder

PATHS: tuple[CurvePath, ...] = ("translation", "rotation", "scale")


def read_recordings(
    content: dict[str, Any],
    body: Body,
    pose: Pose,
    morph_names: tuple[str, ...],
    path: Path | None,
    report: ReportBuilder,
) -> tuple[Recording, ...]:
    """One recording for each SkelAnimation.

    An animation belongs to the Skeletons that play it; one that nobody plays, to the first that has its joints.
    """
    animations = content["animations"]
    names = unique_names([animation["name"] for animation in animations], blank="motion")
    recordings = []
    for animation, name in zip(animations, names, strict=True):
        curves = []
        for skeleton in _players(animation, body):
            curves += _joint_curves(animation, skeleton, content, body, pose, path)
        curves += _morph_curves(animation, content, pose, morph_names, path)
        curves += _held(animation, curves, content, pose)
        rate = animation["frame_rate"] or content["rate"]
        recordings.append(Recording(name, tuple(curves), _scaled(pose, curves), rate))
    if any(animation["joints"] and not _players(animation, body) for animation in animations):
        report.add("ignored", "animations of joints that no Skeleton has")
    return tuple(recordings)


def _scaled(pose: Pose, curves: list[Curve]) -> Pose:
    """The pose with scales of all joints, if curves scale some and it has none."""
    if pose.scales is not None or all(curve.path != "scale" for curve in curves):
        return pose
    return dataclasses.replace(pose, scales=np.ones((pose.joint_count, 3)))


def _players(animation: dict[str, Any], body: Body) -> list[RawSkeleton]:
    """The Skeletons whose joints an animation moves, each place in the body once."""
    found = [one for one in body.skeletons.values() if one.source == animation["path"]]
    if not found:
        driven = set(animation["joints"])
        found = [one for one in body.skeletons.values() if driven & set(one.tokens)][:1]
    return list({one.first: one for one in found}.values())


def _joint_curves(
    animation: dict[str, Any],
    skeleton: RawSkeleton,
    content: dict[str, Any],
    body: Body,
    pose: Pose,
    path: Path | None,
) -> list[Curve]:
    known = {token: joint for joint, token in enumerate(skeleton.tokens)}
    columns = np.array([place for place, token in enumerate(animation["joints"]) if token in known], np.int64)
    if not len(columns):
        return []
    local = np.array([known[animation["joints"][column]] for column in columns])
    joints = skeleton.first + local
    roots = skeleton.parents[local] < 0
    curves: list[Curve] = []
    for name in PATHS:
        table = _table(animation, name, path)
        if table is not None:
            times, values = table
            values = np.array(values[:, columns])
            values[:, roots] = _placed(name, values[:, roots], skeleton)
            final = fold_values(body.parents, body.factors, name, values, joints)
            curves += curves_from_samples(name, joints, times / content["rate"], final, _base(name, joints, pose))
    return curves


def _placed(name: CurvePath, values: FloatArray, skeleton: RawSkeleton) -> FloatArray:
    """Values (T, n, D) of root joints, placed in our world as their Skeleton stands there."""
    moved, turned, scaled, _ = transform.decompose(skeleton.world)
    if name == "translation":
        return quaternion.rotate(turned, values * scaled) + moved
    return quaternion.multiply(turned, values) if name == "rotation" else np.asarray(values * scaled)


def _base(name: str, joints: IntArray, pose: Pose) -> FloatArray:
    assert pose.translations is not None
    if name == "rotation":
        return np.asarray(pose.rotations[joints])
    if name == "translation":
        return np.asarray(pose.translations[joints])
    return np.ones((len(joints), 3)) if pose.scales is None else np.asarray(pose.scales[joints])


def _table(animation: dict[str, Any], name: CurvePath, path: Path | None) -> tuple[FloatArray, FloatArray] | None:
    """(T,) time codes and (T, n, D) values of one property of an animation."""
    samples = animation[name]
    if samples is None:
        return None
    place = f"animation {animation['name']!r}"
    count = len(animation["morphs"] if name == "morph" else animation["joints"])
    if any(row is None or len(row) != count for row in samples["rows"]):
        raise MalformedFileError(path, f"has a {name} sample that is not for its {count} targets", place=place)
    values = np.stack(samples["rows"]).astype(np.float64).reshape(len(samples["rows"]), count, WIDTHS[name])
    if not (np.isfinite(values).all() and np.isfinite(samples["times"]).all()):
        raise MalformedFileError(path, "has motion that is not finite", place=place)
    return samples["times"], quaternion.normalize(values) if name == "rotation" else values


def _morph_curves(
    animation: dict[str, Any], content: dict[str, Any], pose: Pose, morph_names: tuple[str, ...], path: Path | None
) -> list[Curve]:
    table = _table(animation, "morph", path)
    columns = [place for place, name in enumerate(animation["morphs"]) if name in morph_names]
    if table is None or not columns or pose.morphs is None:
        return []
    targets = np.array([morph_names.index(animation["morphs"][column]) for column in columns])
    times, values = table
    return curves_from_samples(
        "morph", targets, times / content["rate"], values[:, columns], pose.morphs[targets, None]
    )


def _held(animation: dict[str, Any], curves: list[Curve], content: dict[str, Any], pose: Pose) -> list[Curve]:
    """A curve that keeps nothing but the time, where a motion's samples stand still from first to last."""
    stamps = [animation[name]["times"] for name in PATHS if animation[name] is not None and animation[name]["moves"]]
    if not stamps or any(len(curve.times) > 1 for curve in curves):
        return []
    times = np.unique([min(one[0] for one in stamps), max(one[-1] for one in stamps)]) / content["rate"]
    driven = any(curve.path == "rotation" and 0 in curve.targets for curve in curves)
    if driven or len(times) < 2:
        return []
    return [Curve("rotation", np.array([0]), times, np.repeat(pose.rotations[None, :1], 2, axis=0))]
