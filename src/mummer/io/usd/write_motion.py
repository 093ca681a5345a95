"""Recordings as SkelAnimations."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Recording
from mummer.io.usd.names import identifiers
from mummer.io.usd.write_skeleton import WrittenSkeletons
from mummer.report import ReportBuilder

SMOOTH_RATE = 60.0
SEEN = 1e-5
"""Rounding of scales that is worth telling."""
JUMP = 1e-4
"""Seconds that a step takes: USD has one interpolation for a whole stage, and ours is linear."""


def write_recordings(
    stage: Any, scope: Any, character: Character, skeletons: WrittenSkeletons, rate: float, report: ReportBuilder
) -> None:
    """Every recording under ``scope``, seconds times ``rate`` as time codes; the Skeletons play the first."""
    from pxr import UsdGeom, UsdSkel

    if not character.recordings:
        return
    UsdGeom.Scope.Define(stage, scope)
    names = identifiers(recording.name for recording in character.recordings)
    for recording, name in zip(character.recordings, names, strict=True):
        _write_recording(stage, scope.AppendChild(name), recording, character, skeletons.tokens, rate, report)
    for prim in skeletons.prims:
        binding = UsdSkel.BindingAPI.Apply(prim.GetPrim())
        binding.CreateAnimationSourceRel().SetTargets([scope.AppendChild(names[0])])
    stage.SetStartTimeCode(min(recording.start for recording in character.recordings) * rate)
    stage.SetEndTimeCode(max(recording.end for recording in character.recordings) * rate)


def key_times(recording: Recording, path: str, report: ReportBuilder) -> FloatArray:
    """(K,) seconds at which linear keys say what the curves of one path say; empty if none drives it."""
    parts: list[FloatArray] = [np.zeros(0)]
    for curve in recording.curves:
        if curve.path != path:
            continue
        parts.append(curve.times)
        if curve.interpolation == "cubic":
            report.add("unusual", "cubic curves were written as linear ones of many keys")
            step = 1.0 / (recording.frame_rate or SMOOTH_RATE)
            parts.append(np.arange(curve.times[0], curve.times[-1], step))
        elif curve.interpolation == "step":
            report.add("unusual", "steps were written as very fast changes")
            jumps = curve.times[1:]
            parts.append(jumps - np.minimum(JUMP, np.diff(curve.times) / 2))
    return np.unique(np.concatenate(parts))


def _write_recording(
    stage: Any,
    path: Any,
    recording: Recording,
    character: Character,
    tokens: list[str],
    rate: float,
    report: ReportBuilder,
) -> None:
    from pxr import Sdf, UsdSkel

    animation = UsdSkel.Animation.Define(stage, path)
    prim = animation.GetPrim()
    prim.SetDisplayName(recording.name)
    if recording.frame_rate:
        prim.SetCustomDataByKey("mummer:frameRate", float(recording.frame_rate))
    animation.CreateJointsAttr(tokens)
    written = {
        "translation": [animation.CreateTranslationsAttr()],
        "rotation": [animation.CreateRotationsAttr()],
        "scale": [animation.CreateScalesAttr()],
    }
    rounding = _scale_rounding(recording, character)
    if rounding > 0:
        # The schema's scales are halves; the exact ones stand beside them.
        if rounding > SEEN:
            report.add("unusual", "scales of joints are rounded to eleven bits, as UsdSkel holds them")
        written["scale"].append(prim.CreateAttribute("mummer:scales", Sdf.ValueTypeNames.Float3Array, True))
    if character.morph_names:
        animation.CreateBlendShapesAttr(list(character.morph_names))
        written["morph"] = [animation.CreateBlendShapeWeightsAttr()]
    for kind, attributes in written.items():
        _write_samples(recording, character, kind, attributes, key_times(recording, kind, report), rate)


def _scale_rounding(recording: Recording, character: Character) -> float:
    """How much a scale changes at most when it is made a half."""
    scales = recording.base.full_scales(character.skeleton)
    driven = [curve.values for curve in recording.curves if curve.path == "scale"]
    return max(float(np.abs(values.astype(np.float16) - values).max(initial=0)) for values in (scales, *driven))


def _write_samples(
    recording: Recording, character: Character, kind: str, attributes: list[Any], times: FloatArray, rate: float
) -> None:
    poses = recording.sample(times if len(times) else [recording.start])
    skeleton, count = character.skeleton, len(character.morph_names)
    rows: FloatArray
    if kind == "rotation":
        rows = poses.rotations
    elif kind == "translation":
        rows = poses.full_translations(skeleton)
    elif kind == "scale":
        rows = np.asarray(poses.full_scales(skeleton))
    else:
        rows = np.zeros((len(poses.rotations), count)) if poses.morphs is None else poses.morphs
    for attribute in attributes:
        for place, row in enumerate(rows):
            value = _value(attribute.GetTypeName().type.typeName, row)
            if len(times):
                attribute.Set(value, float(times[place]) * rate)
            else:
                attribute.Set(value)


def _value(kind: str, row: FloatArray) -> Any:
    from pxr import Vt

    if "Half" in kind or "Vec3h" in kind:
        return Vt.Vec3hArray.FromNumpy(np.ascontiguousarray(row, np.float16))
    plain = np.ascontiguousarray(row, np.float32)
    if "Quat" in kind:
        return Vt.QuatfArray.FromNumpy(plain)
    return Vt.Vec3fArray.FromNumpy(plain) if "Vec3" in kind else Vt.FloatArray.FromNumpy(plain)
