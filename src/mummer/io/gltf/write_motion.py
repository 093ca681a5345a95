"""Recordings become animations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Curve, Pose, Recording, Skeleton
from mummer.io.gltf.builder import Builder
from mummer.io.gltf.fields import Json
from mummer.io.gltf.marks import labelled
from mummer.report import ReportBuilder

KINDS = {"rotation": "VEC4", "translation": "VEC3", "scale": "VEC3", "weights": "SCALAR"}
MODES = {"step": "STEP", "linear": "LINEAR", "cubic": "CUBICSPLINE"}


@dataclass(frozen=True)
class Stage:
    """Where recordings are written to.

    Attributes:
        skeleton: the body they move.
        nodes: the node of each joint.
        pose: what the nodes hold when nothing moves them.
        morph_names: all morphs of the character, in the order of a pose's weights.
        morph_nodes: the morph names of each node that has some.
        report: where findings go.
    """

    skeleton: Skeleton
    nodes: tuple[int, ...]
    pose: Pose
    morph_names: tuple[str, ...]
    morph_nodes: dict[int, tuple[str, ...]]
    report: ReportBuilder


@dataclass
class Tracks:
    """The channels of one animation, gathered before they are written."""

    targets: list[tuple[int, str]] = field(default_factory=list)
    samplers: list[tuple[int, int, str]] = field(default_factory=list)
    arrays: list[tuple[npt.NDArray[Any], str, bool]] = field(default_factory=list)
    inputs: dict[bytes, int] = field(default_factory=dict)

    def add(self, node: int, path: str, times: FloatArray, values: FloatArray, interpolation: str) -> None:
        """One channel; ``values`` are as the file holds them."""
        stamps = times.astype(np.float32)
        key = stamps.tobytes()
        if key not in self.inputs:
            self.inputs[key] = len(self.arrays)
            self.arrays.append((stamps, "SCALAR", True))
        self.samplers.append((self.inputs[key], len(self.arrays), MODES[interpolation]))
        self.arrays.append((values, KINDS[path], False))
        self.targets.append((node, path))

    def animation(self, builder: Builder) -> Json:
        """The animation of all channels; their data goes to ``builder``."""
        accessors = builder.add_arrays(self.arrays)
        return {
            "channels": [
                {"sampler": place, "target": {"node": node, "path": path}}
                for place, (node, path) in enumerate(self.targets)
            ],
            "samplers": [
                {"input": accessors[source], "interpolation": mode, "output": accessors[output]}
                for source, output, mode in self.samplers
            ],
        }


def write_animation(builder: Builder, recording: Recording, stage: Stage) -> Json:
    """The animation of one recording; its data goes to ``builder``."""
    tracks = Tracks()
    for curve in _completed(recording, stage):
        times, keep = _distinct_times(curve.times, stage.report)
        for place, joint in enumerate(curve.targets.tolist()):
            values = _stored(curve, place)[keep].reshape(-1, curve.values.shape[2])
            tracks.add(stage.nodes[joint], curve.path, times, values, curve.interpolation)
    _add_weights(tracks, recording, stage)
    if not tracks.targets:
        still = recording.base.rotations[:1]
        tracks.add(stage.nodes[0], "rotation", np.array([recording.start]), still, "step")
    return labelled(tracks.animation(builder), recording)


def _stored(curve: Curve, place: int) -> FloatArray:
    """(K, 1 or 3, D) the keys of one target of a curve, with their tangents if it is cubic."""
    if curve.interpolation != "cubic":
        return curve.values[:, None, place]
    assert curve.in_tangents is not None
    assert curve.out_tangents is not None
    return np.stack([curve.in_tangents[:, place], curve.values[:, place], curve.out_tangents[:, place]], axis=1)


def _distinct_times(times: FloatArray, report: ReportBuilder) -> tuple[FloatArray, BoolArray]:
    """Key times that still increase in single precision, and which keys those are."""
    stamps = times.astype(np.float32)
    keep = np.concatenate([[True], stamps[1:] > stamps[:-1]])
    if not keep.all():
        report.add("ignored", "keys too close in time for single precision", count=int((~keep).sum()))
    return stamps[keep].astype(np.float64), keep


def _completed(recording: Recording, stage: Stage) -> list[Curve]:
    """The joint curves, and single keys where the recording's base differs from what the nodes hold.

    What no channel drives keeps its node's value in a file, but the base's value in a recording.
    """
    curves = [curve for curve in recording.curves if curve.path != "morph" and len(curve.targets)]
    base, pose, skeleton = recording.base, stage.pose, stage.skeleton
    if base is pose:
        return curves
    pairs = {
        "rotation": (base.rotations, pose.rotations),
        "translation": (base.full_translations(skeleton), pose.full_translations(skeleton)),
        "scale": (base.full_scales(skeleton), pose.full_scales(skeleton)),
    }
    start = np.array([recording.start])
    for path, (wanted, held) in pairs.items():
        differs = np.abs(wanted - held).max(axis=1) > 1e-7
        for curve in curves:
            if curve.path == path:
                differs[curve.targets] = False
        if differs.any():
            curves.append(Curve(path, np.flatnonzero(differs), start, wanted[None, differs], "step"))  # type: ignore[arg-type]
    return curves


def _add_weights(tracks: Tracks, recording: Recording, stage: Stage) -> None:
    """One channel for each node with morphs that the recording moves: a file keys all weights of a node together."""
    count = len(stage.morph_names)
    curves = [curve for curve in recording.curves if curve.path == "morph" and len(curve.targets)]
    base, held = _weights(recording.base, count), _weights(stage.pose, count)
    driven = {target for curve in curves for target in curve.targets.tolist()}
    moved = driven | set(np.flatnonzero(np.abs(base - held) > 1e-7).tolist())
    if not moved:
        return
    times, values, interpolation = _merged(curves, base, recording.start, stage.report)
    stamps, keep = _distinct_times(times, stage.report)
    places = {name: place for place, name in enumerate(stage.morph_names)}
    for node, names in stage.morph_nodes.items():
        wanted = [places[name] for name in names if name in places]
        if len(wanted) == len(names) and moved & set(wanted):
            tracks.add(node, "weights", stamps, values[keep][:, :, wanted].reshape(-1), interpolation)


def _weights(pose: Pose, count: int) -> FloatArray:
    return np.zeros(count) if pose.morphs is None else pose.morphs


def _merged(
    curves: list[Curve], base: FloatArray, start: float, report: ReportBuilder
) -> tuple[FloatArray, FloatArray, str]:
    """Key times (K,), values (K, 1 or 3, M) of all morph weights, and how to go from key to key.

    All nodes get the same keys, so that shapes which share a name are seen to move alike.
    """
    if not curves:
        return np.array([start]), base[None, None], "step"
    first = curves[0]
    alike = all(
        np.array_equal(curve.times, first.times) and curve.interpolation == first.interpolation for curve in curves
    )
    if not alike:
        report.add("guessed", "morph curves with different key times were sampled at all of them")
    times = first.times if alike else np.unique(np.concatenate([curve.times for curve in curves]))
    interpolation = first.interpolation if alike else "linear"
    parts = 3 if interpolation == "cubic" else 1
    values = np.zeros((len(times), parts, len(base)))
    values[:, parts // 2] = base
    for curve in curves:
        for place, morph in enumerate(curve.targets.tolist()):
            keys = _stored(curve, place) if alike else curve.sample(times)[:, None, place]
            values[:, :, morph] = keys[..., 0]
    return times, values, interpolation
