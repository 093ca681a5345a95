"""Writes BVH: any skeleton and recording, so that every joint is where it was in every frame."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mummer import atomic
from mummer.arrays import IntArray
from mummer.character import Character, Recording, Source
from mummer.errors import UnknownNameError
from mummer.io.bvh.bake import Baked, world_aligned
from mummer.io.bvh.compose import compose, in_file_axes
from mummer.io.bvh.conventions import Conventions, check_options, find_conventions, spread
from mummer.io.bvh.format import format_document, safe_names
from mummer.io.bvh.frames import choose_frames
from mummer.io.bvh.layout import Layout, Wishes, lay_out
from mummer.io.marks import write_beside
from mummer.io.units import unit_name
from mummer.math import euler
from mummer.report import Report, ReportBuilder

_UNITS = (0.01, 1.0, 0.001)


def write(
    character: Character,
    path: Path | str,
    *,
    recording: str | Recording | None = None,
    frame_rate: float | None = None,
    metres_per_unit: float | None = None,
    up: str | None = None,
    order: str = "ZXY",
) -> Report:
    """Write the skeleton of a character and one of its recordings.

    A character that came from BVH is given the axes, units, channels and End Sites of its file. Another is written
    in centimetres with +Y up, as most programs expect (in other units if centimetres would be misread). Marks of the
    recording go into a file beside it, see `mummer.io.marks`.

    Args:
        character: what to write; without a recording, one frame of its rest pose is written.
        path: where to.
        recording: which recording, or its name; the first if None.
        frame_rate: frames a second to sample at; those of the recording if None.
        metres_per_unit: how long a unit of the file shall be.
        up: the axis of the file that shall point up, for instance ``+Z``.
        order: the order of rotation channels where the source says none: three axes, for instance ``ZXY``.

    Returns:
        What the format could not hold, which axes and units were written among it.

    Raises:
        InputError: if an option is none of its choices.
        FileError: if the file cannot be written.
    """
    report = ReportBuilder()
    check_options(up=up, metres_per_unit=metres_per_unit)
    if len(order) != 3 or order not in euler.ORDERS or not order.isupper():
        raise UnknownNameError("BVH", "rotation order of three axes", order, ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"))
    skeleton = character.skeleton
    frames = choose_frames(character, recording, frame_rate, report)
    baked = world_aligned(skeleton, frames.poses)
    wishes = Wishes.of(character.source)
    names = safe_names(skeleton.names, keep_spaces=wishes.end_sites is not None)
    layout = lay_out(skeleton, baked, wishes, order)
    _report_losses(character, baked, names, report)
    candidates = list(_candidates(character, up, metres_per_unit))
    conventions, baked = _readable(names, skeleton.parents, baked, layout, candidates, report)
    _report_conventions(conventions, character.source, report)
    document = compose(
        names, skeleton.parents, in_file_axes(baked, conventions), layout, conventions, frame_time=frames.frame_time
    )
    atomic.write_text(path, format_document(document))
    write_beside(path, frames.marks)
    return report.build()


def _report_losses(character: Character, baked: Baked, names: tuple[str, ...], report: ReportBuilder) -> None:
    if character.meshes:
        report.add("ignored", "meshes are left out", count=len(character.meshes))
    if baked.lost_scales:
        report.add("ignored", "scales of joints are left out; their positions are kept")
    renamed = sum(old != new for old, new in zip(character.skeleton.names, names, strict=True))
    if renamed:
        report.add("repaired", "joints have names that BVH cannot hold and were renamed", count=renamed)


def _report_conventions(conventions: Conventions, source: Source | None, report: ReportBuilder) -> None:
    """BVH states neither unit nor axes, and Blender takes every unit for a metre; one that stays as it was is known."""
    unit = conventions.metres_per_unit
    if source is not None and source.format == "bvh" and (source.metres_per_unit, source.up) == (unit, conventions.up):
        return
    hint = "" if unit == 1 else f"; in Blender, import with scale {unit:g}"
    report.add("unusual", f"BVH does not state its unit: lengths are in {unit_name(unit)}, {conventions.up} up{hint}")


def _candidates(character: Character, up: str | None, metres_per_unit: float | None) -> Iterator[Conventions]:
    """The conventions that may be used, best first."""
    source = character.source if character.source is not None and character.source.format == "bvh" else None
    details = source.details if source else {}
    if metres_per_unit is not None:
        units: tuple[float, ...] = (metres_per_unit,)
    else:
        units = (source.metres_per_unit,) if source else _UNITS
    chosen_up = up or (source.up if source else "+Y")
    first_root, first_joint = details.get("root_positions", "replace"), details.get("joint_positions", "replace")
    others = {"replace": "add", "add": "replace"}
    for unit, root, joint in itertools.product(
        units, (first_root, others[first_root]), (first_joint, others[first_joint])
    ):
        yield Conventions(chosen_up, unit, root, joint)


def _readable(
    names: tuple[str, ...],
    parents: IntArray,
    baked: Baked,
    layout: Layout,
    candidates: list[Conventions],
    report: ReportBuilder,
) -> tuple[Conventions, Baked]:
    """The first of the conventions that a reader who must guess will guess, and the body to write with it.

    The format states neither axes nor units nor what position channels mean, so the guess is tried on the frames that
    a reader looks at. If only the root's OFFSET misleads, it is left out, which moves the rest pose but no frame.
    """
    for tried in (baked, *_unrooted(parents, baked, layout)):
        for conventions in candidates:
            if _is_guessed(names, parents, tried, layout, conventions):
                if tried is not baked:
                    report.add("ignored", "the rest position of the root is left out; with it, frames would be misread")
                return conventions, tried
    first = candidates[0]
    told = f"metres_per_unit={first.metres_per_unit:g}, up={first.up!r}, positions={first.root_positions!r}"
    report.add("unusual", f"the file does not tell its axes and units clearly; read it with {told}")
    return first, baked


def _unrooted(parents: IntArray, baked: Baked, layout: Layout) -> Iterator[Baked]:
    """The body with roots at the origin at rest, if channels say where the roots are in every frame."""
    roots = np.flatnonzero(parents < 0)
    if all(sum(name.endswith("position") for name in layout.channels[root]) == 3 for root in roots):
        yield dataclasses.replace(baked, offsets=np.where((parents < 0)[:, None], 0.0, baked.offsets))


def _is_guessed(
    names: tuple[str, ...], parents: IntArray, baked: Baked, layout: Layout, conventions: Conventions
) -> bool:
    sample = dataclasses.replace(baked, rotations=spread(baked.rotations), translations=spread(baked.translations))
    document = compose(names, parents, in_file_axes(sample, conventions), layout, conventions)
    guessed = find_conventions(document, tuple(node.name for node in document.nodes), ReportBuilder())
    is_same_unit = abs(guessed.metres_per_unit - conventions.metres_per_unit) < 1e-9
    return is_same_unit and dataclasses.replace(guessed, metres_per_unit=conventions.metres_per_unit) == conventions
