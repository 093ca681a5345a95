"""Animation channels: which property of which node follows which keys, checked and decoded."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.errors import MalformedFileError
from mummer.io.gltf import accessors
from mummer.io.gltf.compression import UndecodableError
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading

PATHS = {"translation": ("translation", "VEC3"), "rotation": ("rotation", "VEC4"), "scale": ("scale", "VEC3"),
         "weights": ("morph", "SCALAR")}  # fmt: skip
INTERPOLATIONS = {"STEP": "step", "LINEAR": "linear", "CUBICSPLINE": "cubic"}


class Channel(NamedTuple):
    """One property of one node over time.

    Attributes:
        animation, sampler: which sampler of which animation it follows.
        node: the node it moves.
        path: ``translation``, ``rotation``, ``scale`` or ``morph``.
        interpolation: ``step``, ``linear`` or ``cubic``.
        source: number of the accessor with the key times; channels with the same one share their times.
        times: (K,) seconds, as stored.
        values: (K or 3K, width) as stored; for ``morph`` (K * M or 3K * M, 1).
    """

    animation: int
    sampler: int
    node: int
    path: str
    interpolation: str
    source: int
    times: FloatArray
    values: FloatArray

    @property
    def place(self) -> str:
        """Where the sampler stands in the document."""
        return _address((self.animation, self.sampler))


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
    for place, raw in enumerate(animation.items("channels")):
        target = _target(reading, raw, index, place)
        if target is None:
            continue
        if target in found:
            reading.report.add("ignored", "animation channels that drive what another channel drives already")
            continue
        number = raw.get("sampler")
        if type(number) is not int or not 0 <= number < len(samplers):
            raise animation.error(f"names a sampler that is not there; there are {len(samplers)}", f"channels/{place}")
        try:
            found[target] = _read_sampler(reading, samplers[number], (index, number), *target)
        except UndecodableError as error:
            reading.report.add("ignored", f"animation keys: {error.place} {error.what}")
    return list(found.values())


def _target(reading: Reading, raw: Any, animation: int, place: int) -> tuple[int, str] | None:
    """The node and property that a channel drives, or None if it drives something else."""
    target = raw.get("target") if type(raw) is dict else None
    if type(target) is not dict:
        address = f"/animations/{animation}/channels/{place}/target"
        raise MalformedFileError(reading.path, "is missing; expected an object", place=address)
    node, path = target.get("node"), target.get("path")
    if type(path) is str and path in PATHS and type(node) is int and 0 <= node < reading.count("nodes"):
        return node, path
    if path == "pointer":
        reading.report.add("ignored", "animation channels that drive KHR_animation_pointer")
    elif not isinstance(path, str) or path not in PATHS:
        reading.report.add("ignored", "animation channels that drive unknown properties")
    else:
        reading.report.add("ignored", "animation channels whose node is not there")
    return None


def _read_sampler(reading: Reading, raw: Any, place: tuple[int, int], node: int, path: str) -> Channel:
    try:
        kind = raw.get("interpolation", "LINEAR")
        interpolation = INTERPOLATIONS[kind]
        source, output = raw["input"], raw["output"]
    except (KeyError, TypeError, AttributeError):
        source, output, interpolation = None, None, ""
    count = reading.count("accessors")
    if type(source) is not int or type(output) is not int or not (0 <= source < count and 0 <= output < count):
        raise _wrong_sampler(reading, raw, place)
    name, width = PATHS[path]
    times = reading.times.get(source)
    if times is None:
        times = reading.times[source] = accessors.read_floats(reading, source, "SCALAR")[:, 0]
    values = accessors.read_floats(reading, output, width)
    keys = len(times) * (3 if interpolation == "cubic" else 1)
    if len(values) != keys and (path != "weights" or len(values) % keys):
        what = f"has {len(values)} values for {len(times)} key times ({kind})"
        raise MalformedFileError(reading.path, what, place=f"{_address(place)}/output")
    return Channel(place[0], place[1], node, name, interpolation, source, times, values)


def _address(place: tuple[int, int]) -> str:
    return f"/animations/{place[0]}/samplers/{place[1]}"


def _wrong_sampler(reading: Reading, raw: Any, place: tuple[int, int]) -> MalformedFileError:
    """What exactly is wrong with a sampler that cannot be used."""
    sampler = Element(raw, _address(place), reading.path)
    kind = raw.get("interpolation", "LINEAR")
    if not isinstance(kind, str) or kind not in INTERPOLATIONS:
        return sampler.error(f"is {str(kind)[:40]!r}; expected one of {', '.join(INTERPOLATIONS)}", "interpolation")
    for key in ("input", "output"):
        sampler.index(key, reading.count("accessors"), "accessor")
    return sampler.error("needs an accessor as input and one as output")


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
    reading.mended.animations.add(channel.animation)
    reading.report.add("repaired", "keys whose times do not increase were dropped", count=int((~keep).sum()))
    return times[keep], keep
