"""Animations become recordings: channels that share key times, property and interpolation become one curve."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Curve, Pose, Recording, unique_names
from mummer.errors import MalformedFileError
from mummer.io.gltf.channels import Channel, checked_times
from mummer.io.gltf.joints import Joints
from mummer.io.gltf.marks import read_marks
from mummer.io.gltf.morphs import MorphNode
from mummer.io.gltf.reading import Reading
from mummer.math import quaternion

Times = dict[int, tuple[FloatArray, BoolArray | None]]


def build_recordings(
    reading: Reading,
    animations: list[list[Channel]],
    joints: Joints,
    morph_nodes: dict[int, MorphNode],
    morph_names: tuple[str, ...],
    base: Pose,
) -> tuple[Recording, ...]:
    """One recording for each animation of the document, in its order, names made unique.

    Args:
        reading: the reading this is part of.
        animations: the channels of each.
        joints: the joints.
        morph_nodes: the shapes of each node.
        morph_names: all shapes of the character, in the order of a pose's morph weights.
        base: what the nodes hold when nothing moves them.

    Raises:
        MalformedFileError: if a key is not a finite number, or a rotation is zero.
    """
    names = unique_names([reading.element("animations", i).name() for i in range(len(animations))], blank="animation")
    places = {name: place for place, name in enumerate(morph_names)}
    times: Times = {}
    recordings = []
    for place, (name, channels) in enumerate(zip(names, animations, strict=True)):
        curves = [_joint_curve(reading, group, joints, times) for group in _grouped(channels, joints)]
        curves += _morph_curves(reading, channels, morph_nodes, places, times)
        marks = read_marks(reading.entries("animations")[place], reading.report)
        recordings.append(Recording(name, tuple(curves), base, marks=marks))
    return tuple(recordings)


def _grouped(channels: Iterable[Channel], joints: Joints) -> list[list[Channel]]:
    groups: dict[tuple[str, int, str], list[Channel]] = {}
    for channel in channels:
        if channel.path != "morph" and channel.node in joints.by_node:
            groups.setdefault((channel.path, channel.source, channel.interpolation), []).append(channel)
    return list(groups.values())


def _joint_curve(reading: Reading, group: list[Channel], joints: Joints, times: Times) -> Curve:
    first = group[0]
    targets = np.array([joints.by_node[channel.node] for channel in group], np.int32)
    # float64 before the check, so that the length of a rotation keeps its digits.
    values = np.stack([channel.values for channel in group], axis=1).astype(np.float64)
    _require_finite(reading, group, values)
    return _curve(reading, first, targets, values, _times(reading, first, times))


def _times(reading: Reading, channel: Channel, times: Times) -> tuple[FloatArray, BoolArray | None]:
    if channel.source not in times:
        stamps, keep = checked_times(reading, channel)
        stamps.flags.writeable = False
        times[channel.source] = (stamps, keep)
    return times[channel.source]


def _curve(
    reading: Reading, first: Channel, targets: IntArray, values: FloatArray, times: tuple[FloatArray, BoolArray | None]
) -> Curve:
    """A curve from the values (K or 3K, n, D) as the file has them."""
    stamps, keep = times
    before = after = None
    if first.interpolation == "cubic":
        triples = values.reshape(len(values) // 3, 3, *values.shape[1:])
        before, values, after = triples[:, 0], triples[:, 1], triples[:, 2]
    if keep is not None:
        values = values[keep]
        before, after = (None, None) if before is None or after is None else (before[keep], after[keep])
    if first.path == "rotation":
        values = _unit(reading, first, values)
    values.flags.writeable = False
    return Curve(first.path, targets, stamps, values, first.interpolation, before, after)  # type: ignore[arg-type]


def _unit(reading: Reading, channel: Channel, rotations: FloatArray) -> FloatArray:
    squares = np.einsum("...i,...i->...", rotations, rotations)
    if squares.min() < 1e-12:
        raise MalformedFileError(reading.path, "holds a rotation of length zero", place=f"{channel.place}/output")
    off = int(np.count_nonzero(np.abs(squares - 1) > 2e-3))
    if off:
        reading.mended.animations.add(channel.animation)
        reading.report.add("repaired", "rotation keys were brought to unit length", count=off)
    return quaternion.normalize(rotations)


def _require_finite(reading: Reading, group: list[Channel], values: FloatArray) -> None:
    if not np.isfinite(values.sum()) and not np.all(np.isfinite(values)):
        bad = next(channel for channel in group if not np.all(np.isfinite(channel.values)))
        raise MalformedFileError(reading.path, "holds values that are not finite numbers", place=f"{bad.place}/output")


def _morph_curves(
    reading: Reading,
    channels: Iterable[Channel],
    morph_nodes: dict[int, MorphNode],
    places: dict[str, int],
    times: Times,
) -> list[Curve]:
    curves: list[Curve] = []
    driven: set[str] = set()
    for channel in channels:
        if channel.path != "morph":
            continue
        node = morph_nodes.get(channel.node)
        count = 0 if node is None else len(node.names)
        keys = len(channel.times) * (3 if channel.interpolation == "cubic" else 1)
        if node is None or len(channel.values) != keys * count:
            reading.report.add("ignored", "morph animation that does not fit the morph targets of its node")
            continue
        values = channel.values.reshape(keys, count, 1).astype(np.float64)
        _require_finite(reading, [channel], values)
        # Nodes that share a name move alike: the first of them speaks for all.
        new = [slot for slot, name in enumerate(node.names) if name in places and name not in driven]
        driven.update(node.names)
        if new:
            targets = np.array([places[node.names[slot]] for slot in new], np.int32)
            curves.append(_curve(reading, channel, targets, values[:, new], _times(reading, channel, times)))
    return curves
