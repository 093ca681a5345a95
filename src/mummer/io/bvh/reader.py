"""Reads BVH: from what the file says to a character in our axes and units, with every guess in its report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import locked
from mummer.character import Character, Curve, Pose, Recording, Skeleton, Source, unique_names
from mummer.errors import LimitError
from mummer.io.axes import AxisChange
from mummer.io.bvh import channels
from mummer.io.bvh.conventions import Conventions, check_options, find_conventions, placed
from mummer.io.bvh.document import Document
from mummer.io.bvh.guess import PositionMeaning
from mummer.io.bvh.parse import parse, without_ends
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.report import ReportBuilder

RECORDING_NAME = "motion"
_COMMON_RATE_TOLERANCE = 1e-4


def read(
    data: bytes,
    path: Path | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    *,
    up: str | None = None,
    metres_per_unit: float | None = None,
    positions: PositionMeaning | None = None,
    end_sites: bool = True,
) -> Character:
    """The skeleton and the motion of a BVH file.

    Args:
        data: the content of the file.
        path: where it came from, for messages and names.
        limits: how much it may ask for.
        up: the axis of the file that points up, for instance ``+Z``; guessed if None.
        metres_per_unit: how long a unit of the file is; guessed if None.
        positions: whether position channels ``replace`` the OFFSET or ``add`` to it; guessed if None.
        end_sites: whether End Sites become joints, named after their parent with ``_end``.

    Returns:
        A character without meshes, with one recording if the file has frames.

    Raises:
        FileError: if the hierarchy or the motion cannot be known.
        InputError: if an option is none of its choices.
    """
    check_options(up=up, metres_per_unit=metres_per_unit, positions=positions)
    report = ReportBuilder()
    document = without_ends(parse(data, path, limits, report), only_empty=end_sites)
    _require_room(document, path, limits)
    names = _joint_names(document, report)
    conventions = find_conventions(document, names, report, up=up, metres_per_unit=metres_per_unit, positions=positions)
    axes = AxisChange(conventions.up)
    title = path.stem if path else "bvh"
    offsets = axes.vectors(document.offsets) * conventions.metres_per_unit
    skeleton = Skeleton(names, np.array(document.parents), offsets, name=title)
    recordings = (recording_of(document, skeleton, conventions),) if len(document.values) else ()
    return Character(
        title,
        skeleton,
        recordings=recordings,
        source=_source(document, names, conventions, path),
        report=report.build(),
    )


def _require_room(document: Document, path: Path | None, limits: ReadLimits) -> None:
    """Raise if the rotations, four numbers each, would be more than allowed."""
    turning = sum(bool(node.rotation_order) for node in document.nodes)
    if len(document.values) * turning * 4 > limits.values:
        asked = f"has {len(document.values):,} frames of {turning:,} turning joints"
        raise LimitError(path, f"{asked}; the limit is {limits.values:,} numbers, four for each")


def _joint_names(document: Document, report: ReportBuilder) -> tuple[str, ...]:
    given = [node.name for node in document.nodes if not node.is_end]
    unique = unique_names(given)
    renamed = sum(old != new for old, new in zip(given, unique, strict=True))
    if renamed:
        report.add("repaired", "joints had no name, or that of another, and were renamed", count=renamed)
    taken, names, others = set(unique), list[str](), iter(unique)
    counts: dict[int, int] = {}
    for node in document.nodes:
        name = "" if node.is_end else next(others)
        while not name or (node.is_end and name in taken):
            number = counts[node.parent] = counts.get(node.parent, 0) + 1
            name = f"{names[node.parent]}_end{number if number > 1 else ''}"
        taken.add(name)
        names.append(name)
    return tuple(names)


def recording_of(document: Document, skeleton: Skeleton, conventions: Conventions) -> Recording:
    """The frames of a document as a recording of its skeleton, in our axes and units."""
    axes, offsets = AxisChange(conventions.up), document.offsets
    times = np.arange(len(document.values)) * document.frame_time
    curves = []
    turned, turns = channels.rotations(document)
    if len(turned):
        curves.append(Curve("rotation", turned, times, locked(axes.rotations(turns), copy=False)))
    movers, values = channels.vectors(document, "position")
    if len(movers):
        is_root = (np.array(document.parents)[movers] < 0)[:, None]
        meanings = (conventions.root_positions, conventions.joint_positions)
        at_root, at_joint = (placed(offsets[movers], values, meaning) for meaning in meanings)
        moved = np.where(is_root, at_root, at_joint)
        curves.append(Curve("translation", movers, times, axes.vectors(moved) * conventions.metres_per_unit))
    scaled, scales = channels.vectors(document, "scale")
    if np.any(np.nan_to_num(scales, nan=1.0) != 1):
        curves.append(Curve("scale", scaled, times, axes.sizes(np.nan_to_num(scales, nan=1.0))))
    base = Pose.rest(skeleton)
    if np.any(movers > 0):
        base = base.replace(translations=skeleton.rest_translations)
    if any(curve.path == "scale" for curve in curves):
        base = base.replace(scales=skeleton.rest_scales)
    return Recording(RECORDING_NAME, tuple(curves), base, _frame_rate(document.frame_time))


def _frame_rate(frame_time: float) -> float:
    """Frames a second; a whole number where the file's few digits mean one."""
    rate = 1 / frame_time
    return float(round(rate)) if abs(rate - round(rate)) < _COMMON_RATE_TOLERANCE * rate else rate


def _source(document: Document, names: tuple[str, ...], conventions: Conventions, path: Path | None) -> Source:
    details: dict[str, Any] = {
        "channels": {name: node.channels for name, node in zip(names, document.nodes, strict=True)},
        "end_sites": tuple(name for name, node in zip(names, document.nodes, strict=True) if node.is_end),
        "root_positions": conventions.root_positions,
        "joint_positions": conventions.joint_positions,
    }
    return Source(
        "bvh",
        path,
        up=conventions.up,
        metres_per_unit=conventions.metres_per_unit,
        frame_rate=_frame_rate(document.frame_time) if len(document.values) else None,
        details=details,
    )
