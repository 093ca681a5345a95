"""Reads Acclaim motions (.amc): for each frame a line a bone, of the numbers that its skeleton (.asf) lists for it."""

from __future__ import annotations

import io
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, Recording, Source
from mummer.errors import FileError, InputError, LimitError, MalformedFileError
from mummer.io import text
from mummer.io.asf import ROOT
from mummer.io.beside import skeleton_of
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.io.parts.sampled import curve_of
from mummer.math import euler, quaternion
from mummer.report import ReportBuilder

FRAME_RATE = 120.0
"""Frames a second of the CMU recordings, where nearly all files come from; the format states none."""
_FRAME = re.compile(r"\d+")


def read(
    data: bytes,
    path: Path | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    *,
    skeleton: str | Path | Character | None = None,
    metres_per_unit: float | None = None,
    frame_rate: float | None = None,
) -> Character:
    """The motion of an .amc file on its skeleton.

    A bone turns by its numbers between its axes at rest; the root is moved and turned in the world.

    Args:
        data: the content of the file.
        path: where it came from, for messages, names and to find its skeleton.
        limits: how much it may ask for.
        skeleton: what its .asf file gives, or the path of one; looked for beside the motion if None.
        metres_per_unit: how long a unit of both is; guessed from the size of the body if None.
        frame_rate: frames a second, which the format does not state; 120 if None.

    Raises:
        FileError: if the motion cannot be known, or its skeleton is not found or is no .asf file.
    """
    if frame_rate is not None and not 1e-3 <= frame_rate <= 1e6:
        raise InputError(f"frame_rate is {frame_rate}; expected frames a second, for instance 120")
    report = ReportBuilder()
    columns, radians = _parse(text.decode(text.normalized(data, path)), path, limits)
    body = skeleton_of(skeleton, ".asf", list(columns), path, limits, report, metres_per_unit)
    source = body.source
    if source is None or "motion" not in source.details:
        raise FileError(path, f"needs the .asf file that it was made with; {body.name!r} is something else")
    angle = source.details["radians_per_angle"] if radians is None else radians
    unit = metres_per_unit or source.metres_per_unit
    if frame_rate is None:
        report.add(
            "guessed", f"{FRAME_RATE:g} frames a second, which the format does not state; frame_rate= says otherwise"
        )
    recording = _recording(columns, body, angle, unit, frame_rate or FRAME_RATE, path, report)
    kept = Source("amc", path, metres_per_unit=unit, frame_rate=recording.frame_rate, details=source.details)
    return body.replace(recordings=(recording,), source=kept, report=report.build())


@dataclass
class _Rows:
    """The numbers of one bone, frame after frame in little memory."""

    width: int
    values: array[float] = field(default_factory=lambda: array("d"))

    @property
    def frames(self) -> int:
        return len(self.values) // self.width


def _parse(content: str, path: Path | None, limits: ReadLimits) -> tuple[dict[str, FloatArray], float | None]:
    """For each bone its (T, n) numbers, and radians in a unit of angle if the file says so."""
    bones: dict[str, _Rows] = {}
    frames, radians, count = 0, None, 0
    for number, raw in enumerate(io.StringIO(content), start=1):
        words = text.without_comment(raw).split()
        if not words:
            continue
        if words[0].startswith(":"):
            radians = {":degrees": np.pi / 180, ":radians": 1.0}.get(words[0].lower(), radians)
        elif len(words) == 1 and _FRAME.fullmatch(words[0]):
            _require_whole(bones, frames, path, number)
            frames += 1
        elif frames == 0:
            what = f"{words[0][:40]!r} stands before the number of a frame"
            raise MalformedFileError(path, what, place=f"line {number}")
        else:
            values = _numbers(words, path, number)
            count += len(values)
            if count > limits.values or len(bones) > limits.joints:
                raise LimitError(path, f"has more than {limits.values:,} numbers or {limits.joints:,} bones")
            _add(bones, words[0], values, frames, path, number)
    _require_whole(bones, frames, path, 1 + content.count("\n"))
    if not bones:
        raise MalformedFileError(path, "has no frame; expected its number on a line, then a line for each bone")
    return {name: np.frombuffer(bone.values).reshape(-1, bone.width) for name, bone in bones.items()}, radians


def _numbers(words: list[str], path: Path | None, line: int) -> list[float]:
    values = [text.parse_number(word) for word in words[1:]]
    found = [value for value in values if value is not None and abs(value) < 1e12]
    if not values or len(found) < len(values):
        raise MalformedFileError(path, f"expected finite numbers after {words[0][:40]!r}", place=f"line {line}")
    return found


def _add(bones: dict[str, _Rows], name: str, values: list[float], frames: int, path: Path | None, line: int) -> None:
    known = bones.setdefault(name, _Rows(len(values))) if frames == 1 else bones.get(name)
    if known is None or known.frames != frames - 1:
        raise MalformedFileError(path, f"{name[:40]!r} is new here, or stands twice in a frame", place=f"line {line}")
    if known.width != len(values):
        what = f"{name[:40]!r} has {len(values)} numbers; it had {known.width} before"
        raise MalformedFileError(path, what, place=f"line {line}")
    known.values.extend(values)


def _require_whole(bones: dict[str, _Rows], frames: int, path: Path | None, line: int) -> None:
    short = next((name for name, bone in bones.items() if bone.frames != frames), None)
    if short is not None:
        raise MalformedFileError(path, f"frame {frames} says nothing of {short[:40]!r}", place=f"line {line}")


def _recording(
    columns: dict[str, FloatArray],
    body: Character,
    angle: float,
    unit: float,
    rate: float,
    path: Path | None,
    report: ReportBuilder,
) -> Recording:
    assert body.source is not None
    skeleton, orders = body.skeleton, body.source.details["motion"]
    turned: dict[int, FloatArray] = {}
    moved: dict[int, FloatArray] = {}
    for bone, values in columns.items():
        if bone not in skeleton or bone not in orders:
            report.add("ignored", f"the skeleton has no bone {bone[:40]!r}; its numbers are left out")
            continue
        order = orders[bone]
        if len(order) != values.shape[1]:
            what = f"{bone!r} has {values.shape[1]} numbers, but its skeleton lists {' '.join(order) or 'none'}"
            raise MalformedFileError(path, what)
        joint = skeleton.index(bone)
        axes = [place for place, name in enumerate(order) if name in ("rx", "ry", "rz")]
        if axes:
            # Acclaim turns about fixed axes, in the order given.
            turn = euler.from_euler(values[:, axes] * angle, "".join(order[place][1] for place in axes))
            turned[joint] = quaternion.multiply(skeleton.rest_rotations[joint], turn)
        if bone == ROOT:
            moved[joint] = _places(order, values) * unit
        elif len(axes) < len(order):
            report.add("ignored", "bones that move or grow are only turned")
    times = np.arange(len(next(iter(columns.values())))) / rate
    curves = [*curve_of("rotation", turned, times), *curve_of("translation", moved, times)]
    base = Pose.rest(skeleton).replace(translations=skeleton.rest_translations)
    return Recording(path.stem if path else "motion", tuple(curves), base, rate)


def _places(order: Sequence[str], values: FloatArray) -> FloatArray:
    columns = [values[:, order.index(name)] if name in order else np.zeros(len(values)) for name in ("tx", "ty", "tz")]
    return np.stack(columns, axis=1)
