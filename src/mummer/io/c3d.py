"""Reads C3D: markers on a body as cameras saw them, each a joint of its own; the extra ``c3d`` brings the library."""

from __future__ import annotations

import dataclasses
import importlib.util
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Curve, Pose, Recording, Skeleton, Source, unique_names
from mummer.errors import MalformedFileError, MissingExtraError
from mummer.io import units
from mummer.io.axes import UP_AXES, AxisChange
from mummer.io.body import Body
from mummer.io.child import read_in_child
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.io.marker_joints import has_person, solve_person
from mummer.report import ReportBuilder

BASE_BYTES = 768 * 2**20
"""Address space of the library with numpy, most of which is never touched."""
SECONDS, BYTES_PER_SECOND = 10.0, 2e6
"""How long a file may take to read, at least and for its size: damaged ones make the library count for ever."""
_SAMPLES, _MOST_LINKED = 64, 512
_FAR = 0.05
"""How much being far apart counts beside moving apart when markers are linked."""


def read(
    data: bytes,
    path: Path | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    *,
    up: str | None = None,
    metres_per_unit: float | None = None,
    markers: bool = False,
) -> Character:
    """The person that a C3D file shows, if its markers are those of a usual set; else the markers as joints.

    Markers lie on the skin: they show where a body was, not how its joints turned. As joints, each hangs from the one
    that it moves along with. Force plates and other analog signals are left out.

    Args:
        data: the content of the file.
        path: where it came from, for messages and names.
        limits: how much it may ask for.
        up: the axis of the file that points up, for instance ``+Z``; as the file says if None, else ``+Z``.
        metres_per_unit: how long a unit is; as the file says if None, else guessed.
        markers: give the markers, whatever set they are.

    Raises:
        MissingExtraError: if the extra ``c3d`` is not installed.
        MalformedFileError: if there is no marker, or the file brings its reader down.
        LimitError: if it asks for more than the limits allow.
    """
    if importlib.util.find_spec("ezc3d") is None:
        raise MissingExtraError("c3d", "reading C3D")
    bounded = dataclasses.replace(limits, seconds=min(limits.seconds, SECONDS + len(data) / BYTES_PER_SECOND))
    content = read_in_child("c3d", data, path, bounded, suffix=".c3d", base_bytes=BASE_BYTES)
    report = ReportBuilder()
    labels, places = _seen(content["labels"], content["places"].astype(np.float64), path, report)
    chosen_up = up or (content["up"] if content["up"] in UP_AXES else "+Z")
    unit = metres_per_unit or units.named_length(content["unit"])
    if unit is None:
        unit = units.guess_unit(Body(labels, np.full(len(labels), -1), places[:: max(1, len(places) // 8)]), report)
    rate = content["rate"] if np.isfinite(content["rate"]) and content["rate"] > 0 else 100.0
    world = AxisChange(chosen_up).vectors(places) * unit
    title = path.stem if path else "c3d"
    if not markers and has_person(labels):
        report.add("guessed", "joints were solved from markers of the usual set; markers=True gives the markers")
        skeleton, recording = solve_person(labels, world, rate, title)
    else:
        what = "these are markers on the skin, not joints: none of them turns, so that they cannot be retargeted"
        report.add("unusual", what)
        skeleton, recording = _marker_body(labels, world, rate, title)
    details = {"markers": labels, "solved": len(skeleton) != len(labels)}
    source = Source("c3d", path, up=chosen_up, metres_per_unit=unit, frame_rate=rate, details=details)
    return Character(title, skeleton, recordings=(recording,), source=source, report=report.build())


def _marker_body(labels: tuple[str, ...], world: FloatArray, rate: float, title: str) -> tuple[Skeleton, Recording]:
    """Every marker (T, M, 3) a joint that moves and never turns."""
    parents, order = linked(world)
    names = unique_names(labels[marker] for marker in order)
    local = world[:, order] - np.where((parents < 0)[:, None], 0.0, world[:, order][:, parents])
    skeleton = Skeleton(names, parents, local[0], name=title)
    curve = Curve("translation", np.arange(len(names)), np.arange(len(local)) / rate, local)
    base = Pose.rest(skeleton).replace(translations=skeleton.rest_translations)
    return skeleton, Recording(title, (curve,), base, rate)


def _seen(
    labels: list[str], places: FloatArray, path: Path | None, report: ReportBuilder
) -> tuple[tuple[str, ...], FloatArray]:
    """Labels without a prefix that all share, and places (T, M, 3) with gaps closed by straight lines."""
    count = places.shape[1]
    named = [*labels, *(f"marker {number + 1}" for number in range(len(labels), count))]
    prefixes = {name.split(":")[0] for name in labels if ":" in name}
    if len(prefixes) == 1 and all(":" in name for name in named):
        named = [name.split(":", 1)[1] for name in named]
    known = np.asarray((np.isfinite(places) & (np.abs(places) < 1e9)).all(axis=-1))
    kept = np.flatnonzero(known.any(axis=0))
    if not len(kept):
        raise MalformedFileError(path, "holds no marker that was ever seen")
    if len(kept) < count:
        report.add("ignored", "markers that were never seen are left out", count=count - len(kept))
    gaps = 0
    frames = np.arange(len(places))
    for marker in kept:
        seen = known[:, marker]
        gaps += int((~seen).sum())
        for axis in range(3) if not seen.all() else ():
            places[:, marker, axis] = np.interp(frames, frames[seen], places[seen, marker, axis])
    if gaps:
        report.add("repaired", "places of markers that were not seen were filled in from before and after", count=gaps)
    return tuple(named[marker] for marker in kept), places[:, kept]


def linked(places: FloatArray) -> tuple[IntArray, IntArray]:
    """Parents (M,) in the order of the answer's second part, which are the markers (M,), parents first.

    The tree of least cost, where a link costs as much as the distance between its markers changes, and a little for
    the distance itself: markers of one bone hold together. The most central marker is the root.

    Args:
        places: (T, M, 3).
    """
    count = places.shape[1]
    if count > _MOST_LINKED:
        return np.full(count, -1), np.arange(count)
    few = places[np.unique(np.linspace(0, len(places) - 1, _SAMPLES).astype(int))]
    distances = np.linalg.norm(few[:, :, None] - few[:, None], axis=-1)
    costs = distances.std(axis=0) + _FAR * distances.mean(axis=0)
    order, parents = [int(distances.mean(axis=0).sum(axis=0).argmin())], [-1]
    cheapest = costs[order[0]].copy()
    nearest = np.zeros(count, int)
    left = np.ones(count, bool)
    left[order[0]] = False
    while left.any():
        marker = int(np.where(left, cheapest, np.inf).argmin())
        parents.append(int(nearest[marker]))
        closer = left & (costs[marker] < cheapest)
        cheapest[closer], nearest[closer] = costs[marker, closer], len(order)
        order.append(marker)
        left[marker] = False
    return np.array(parents), np.array(order)
