"""Animation channels: which property of which node follows which keys, checked and decoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.errors import MalformedFileError
from mummer.io.gltf import accessors
from mummer.io.gltf.compression import Undecodable
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading

PATHS = {"translation": ("translation", "VEC3"), "rotation": ("rotation", "VEC4"), "scale": ("scale", "VEC3"),
         "weights": ("morph", "SCALAR")}  # fmt: skip
INTERPOLATIONS = {"STEP": "step", "LINEAR": "linear", "CUBICSPLINE": "cubic"}


@dataclass(frozen=True, eq=False)
class Channel:
    """One property of one node over time.

    Attributes:
        animation: which animation it is part of.
        node: the node it moves.
        path: ``translation``, ``rotation``, ``scale`` or ``morph``.
        interpolation: ``step``, ``linear`` or ``cubic``.
        source: number of the accessor with the key times; channels with the same one share their times.
        times: (K,) seconds, as stored.
        values: (K or 3K, width) as stored; for ``morph`` (K * M or 3K * M, 1).
        place: where the sampler stands in the document.
    """

    animation: int
    node: int
    path: str
    interpolation: str
    source: int
    times: FloatArray
    values: FloatArray
    place: str


def read_channels(reading: Reading) -> list[list[Channel]]:
    """The usable channels of every animation.

    Raises:
        FileError: if a channel's keys are not there or are not numbers.
    """
    return [_read_animation(reading, index) for index in range(reading.count("animations"))]


def _read_animation(reading: Reading, index: int) -> list[Channel]:
    animation = reading.element("animations", index)
    samplers = animation.items("samplers")
    found: dict[tuple[int, str], Channel] = {}
    for channel in animation.children("channels"):
        target = _target(reading, channel)
        if target is None:
            continue
        sampler = channel.index("sampler", len(samplers), "sampler")
        if sampler is None:
            raise channel.error("names no sampler")
        if target in found:
            reading.report.add("ignored", "animation channels that drive what another channel drives already")
            continue
        try:
            place = f"{animation.place}/samplers/{sampler}"
            found[target] = _read_sampler(reading, Element(samplers[sampler], place, reading.path), index, *target)
        except Undecodable as error:
            reading.report.add("ignored", f"animation keys: {error.place} {error.what}")
    return list(found.values())


def _target(reading: Reading, channel: Element) -> tuple[int, str] | None:
    """The node and property that a channel drives, or None if it drives something else."""
    target: Any = channel.raw.get("target")
    if not isinstance(target, dict):
        raise channel.error("is missing; expected an object", "target")
    path = target.get("path")
    if path not in PATHS:
        what = "KHR_animation_pointer" if path == "pointer" else "unknown properties"
        reading.report.add("ignored", f"animation channels that drive {what}")
        return None
    node = target.get("node")
    if node is None:
        reading.report.add("ignored", "animation channels without a node")
        return None
    if type(node) is not int or not 0 <= node < reading.count("nodes"):
        reading.report.add("ignored", "animation channels whose node is not there")
        return None
    return node, path


def _read_sampler(reading: Reading, sampler: Element, animation: int, node: int, path: str) -> Channel:
    kind = sampler.raw.get("interpolation", "LINEAR")
    if not isinstance(kind, str) or kind not in INTERPOLATIONS:
        raise sampler.error(f"is {str(kind)[:40]!r}; expected one of {', '.join(INTERPOLATIONS)}", "interpolation")
    count = reading.count("accessors")
    source, output = sampler.index("input", count, "accessor"), sampler.index("output", count, "accessor")
    if source is None or output is None:
        raise sampler.error("needs both an input and an output")
    name, width = PATHS[path]
    times = accessors.read_floats(reading, source, "SCALAR")[:, 0]
    values = accessors.read_floats(reading, output, width)
    keys = len(times) * (3 if kind == "CUBICSPLINE" else 1)
    if len(values) != keys and (path != "weights" or len(values) % keys):
        raise sampler.error(f"has {len(values)} values for {len(times)} key times ({kind})", "output")
    return Channel(animation, node, name, INTERPOLATIONS[kind], source, times, values, sampler.place)


def checked_times(reading: Reading, channel: Channel) -> tuple[FloatArray, BoolArray | None]:
    """(K,) strictly increasing key times of a channel, and which of its keys they belong to (None: all).

    Raises:
        MalformedFileError: if a time is not a finite number.
    """
    times = channel.times.astype(np.float64)
    if not np.all(np.isfinite(times)):
        raise MalformedFileError(
            reading.path, "holds key times that are not finite numbers", place=f"/accessors/{channel.source}"
        )
    if np.all(times[1:] > times[:-1]):
        return times, None
    latest = np.maximum.accumulate(times)
    keep = np.concatenate([[True], times[1:] > latest[:-1]])
    reading.report.add("repaired", "keys whose times do not increase were dropped", count=int((~keep).sum()))
    return times[keep], keep
