"""Reads SmartBody motions (.skm): channels by joint name, then key times with their values."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character, Mark, Pose, Recording, Source
from mummer.errors import FileError, LimitError, MalformedFileError
from mummer.io import number_block, text
from mummer.io.beside import skeleton_of
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.io.parts.sampled import curve_of
from mummer.io.sk import stated_unit
from mummer.math import euler, quaternion
from mummer.report import ReportBuilder

WIDTHS = {"XPos": 1, "YPos": 1, "ZPos": 1, "XRot": 1, "YRot": 1, "ZRot": 1, "Quat": 3, "Swing": 2, "Twist": 1}
"""Every kind of channel, and how many numbers a frame holds for it.

Positions are added to the joint's offset. ``Quat`` is a rotation vector: the axis, as long as the angle in radians.
``Swing`` is the x and y of such a vector, followed by ``Twist`` about z; twists and Euler angles are in degrees.
"""

_KINDS = {kind.lower(): kind for kind in WIDTHS} | {f"{axis}{long}": f"{axis.upper()}{short}" for axis in "xyz"
          for long, short in (("position", "Pos"), ("rotation", "Rot"))}  # fmt: skip
_HEAD = re.compile(rb"^[ \t]*channels[ \t]+(\S+)", re.MULTILINE | re.IGNORECASE)
_FRAMES = re.compile(rb"^[ \t]*frames[ \t]+(\S+)", re.MULTILINE | re.IGNORECASE)
_NAME = re.compile(rb'^[ \t]*name[ \t]+"?([^"\r\n]*)', re.MULTILINE | re.IGNORECASE)
_AFTER_FRAMES = re.compile(rb"^[ \t]*(?!kt\b)[A-Za-z_]", re.MULTILINE)
_MARK = re.compile(rb"^[ \t]*([A-Za-z_]\w*)[ \t]+time:[ \t]*(\S+)", re.MULTILINE)
_LARGEST = 1e12


@dataclass(frozen=True, eq=False)
class Motion:
    """What a .skm file says.

    Attributes:
        name: of the motion, or an empty string.
        channels: pairs of joint name and kind, see `WIDTHS`.
        times: (T,) seconds, increasing.
        values: (T, C) in the order of the channels.
        unit: metres in a unit of length if the file says so.
        marks: named moments in seconds: ready, stroke, relax ...
    """

    name: str
    channels: tuple[tuple[str, str], ...]
    times: FloatArray
    values: FloatArray
    unit: float | None
    marks: dict[str, float] = field(default_factory=dict)

    def by_joint(self) -> dict[str, dict[str, FloatArray]]:
        """For each joint, for each kind of channel, its (T, width) values."""
        found: dict[str, dict[str, FloatArray]] = {}
        start = 0
        for joint, kind in self.channels:
            found.setdefault(joint, {})[kind] = self.values[:, start : start + WIDTHS[kind]]
            start += WIDTHS[kind]
        return found


def read(
    data: bytes,
    path: Path | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    *,
    skeleton: str | Path | Character | None = None,
    metres_per_unit: float | None = None,
) -> Character:
    """The motion of a .skm file on a skeleton.

    Args:
        data: the content of the file.
        path: where it came from, for messages and names.
        limits: how much it may ask for.
        skeleton: a character, or the file of one, whose joints have the names of the channels; looked for beside the
            motion if None.
        metres_per_unit: how long a unit is; as the file or else the skeleton says if None, else guessed.

    Returns:
        The character of the skeleton with this recording only.

    Raises:
        FileError: if the motion cannot be known, or its skeleton is not found or cannot be read.
        InputError: if ``skeleton`` is neither a character nor a path.
    """
    report = ReportBuilder()
    motion = _parse(text.normalized(data, path), path, limits, report)
    joints = list(dict.fromkeys(joint for joint, _ in motion.channels))
    body = skeleton_of(skeleton, ".sk", joints, path, limits, report)
    unit = metres_per_unit or motion.unit or _guessed_unit(body, motion, report)
    recording = _recording(motion, body, unit, path, report)
    rate = recording.frame_rate
    details = {"marks": motion.marks, "channels": motion.channels}
    source = Source("skm", path, metres_per_unit=unit, frame_rate=rate, details=details)
    return body.replace(recordings=(recording,), source=source, report=report.build())


def _parse(data: bytes, path: Path | None, limits: ReadLimits, report: ReportBuilder) -> Motion:
    head, frames = _HEAD.search(data), _FRAMES.search(data)
    if head is None or frames is None or frames.start() < head.end():
        missing = "channels" if head is None else "frames"
        raise MalformedFileError(path, f"has no line '{missing}' and a count; expected a SmartBody motion")
    channels = _read_channels(data, head, frames.start(), path, limits)
    after = _AFTER_FRAMES.search(data, frames.end())
    block = data[frames.end() : after.start() if after else len(data)]
    line = 1 + data.count(b"\n", 0, frames.end())
    plain = block.replace(b"kt", b"  ").replace(b"fr", b"  ")
    numbers = number_block.parse(plain, path, first_line=line, most=limits.values).values
    width = 1 + sum(WIDTHS[kind] for _, kind in channels)
    if len(numbers) % width:
        raise _misfit(plain, width, path, line)
    rows = numbers.reshape(-1, width)
    if np.any(np.abs(rows) > _LARGEST):
        raise MalformedFileError(path, f"holds the number {np.abs(rows).max():g}; expected none beyond {_LARGEST:g}")
    if text.parse_number(frames[1].decode("latin-1")) != len(rows):
        stated = frames[1].decode("latin-1")[:20]
        report.add("repaired", f"says {stated} frames but holds {len(rows)}; what is there is used")
    kept = _increasing(rows[:, 0])
    if not np.all(kept):
        report.add("repaired", "frames whose time does not increase are left out", count=int(np.sum(~kept)))
    name = _NAME.search(data, 0, head.start())
    return Motion(
        text.decode(name[1]).strip() if name else "",
        channels,
        rows[kept, 0],
        rows[kept, 1:],
        stated_unit(text.decode(data[:4096])),
        _marks(data[after.start() :] if after else b""),
    )


def _read_channels(
    data: bytes, head: re.Match[bytes], end: int, path: Path | None, limits: ReadLimits
) -> tuple[tuple[str, str], ...]:
    line = 1 + data.count(b"\n", 0, head.end())
    stated = text.parse_number(head[1].decode("latin-1"))
    found: list[tuple[str, str]] = []
    for offset, raw in enumerate(text.decode(data[head.end() : end]).split("\n")):
        words = text.without_comment(raw).split()
        if not words:
            continue
        kind = _KINDS.get(words[-1].lower())
        if kind is None or len(words) < 2:
            expected = "expected a joint and one of " + ", ".join(WIDTHS)
            raise MalformedFileError(
                path, f"channel {' '.join(words)[:60]!r}; {expected}", place=f"line {line + offset}"
            )
        found.append((" ".join(words[:-1]), kind))
        if len(found) > 9 * limits.joints:
            raise LimitError(path, f"has more than {9 * limits.joints:,} channels")
    if stated != len(found):
        said = head[1].decode("latin-1")[:20]
        raise MalformedFileError(path, f"says {said} channels but names {len(found)}", place=f"line {line}")
    if not found:
        raise MalformedFileError(path, "has no channel, so that no joint is known", place=f"line {line}")
    return tuple(found)


def _misfit(block: bytes, width: int, path: Path | None, line: int) -> FileError:
    lines = number_block.line_counts(block, first_line=line)
    place, count = next((entry for entry in lines if entry[1] != width), lines[-1])
    what = f"a frame holds {count - 1} numbers, but the channels need {width - 1}"
    return MalformedFileError(path, what, place=f"line {place}")


def _increasing(times: FloatArray) -> BoolArray:
    """(T,) whether each time is later than all before it."""
    before = np.concatenate([[-np.inf], np.maximum.accumulate(times)[:-1]]) if len(times) else times
    return times > before


def _marks(data: bytes) -> dict[str, float]:
    found = ((match[1].decode(), text.parse_number(match[2].decode("latin-1"))) for match in _MARK.finditer(data))
    return {name: value for name, value in found if value is not None}


def _guessed_unit(body: Character, motion: Motion, report: ReportBuilder) -> float:
    """The skeleton's unit if it is SmartBody's too, else whichever makes the root stay within some metres."""
    if body.source is not None and body.source.format == "sk":
        return body.source.metres_per_unit
    root = motion.by_joint()[motion.channels[0][0]]
    places = [np.abs(values) for kind, values in root.items() if kind.endswith("Pos") and values.size]
    unit = 1.0 if not places or max(float(np.median(place)) for place in places) < 5 else 0.01
    report.add("guessed", f"lengths are in {'metres' if unit == 1 else 'centimetres'}")
    return unit


def _recording(motion: Motion, body: Character, unit: float, path: Path | None, report: ReportBuilder) -> Recording:
    skeleton = body.skeleton
    name = motion.name or (path.stem if path else "motion")
    base = Pose.rest(skeleton).replace(translations=skeleton.rest_translations)
    turned: dict[int, FloatArray] = {}
    moved: dict[int, FloatArray] = {}
    details: dict[str, Any] = body.source.details if body.source is not None and body.source.format == "sk" else {}
    for joint_name, kinds in motion.by_joint().items():
        if joint_name not in skeleton:
            report.add("ignored", f"the skeleton has no joint {joint_name!r}; its channels are left out")
            continue
        joint = skeleton.index(joint_name)
        rotation = _rotation(kinds, details.get("euler_orders", {}).get(joint_name, "XYZ"))
        if rotation is not None:
            post = np.array(details.get("post_rotations", {}).get(joint_name, (0.0, 0.0, 0.0, 1.0)))
            turned[joint] = _between(skeleton.rest_rotations[joint], rotation, post)
        places = [kinds.get(f"{axis}Pos") for axis in "XYZ"]
        if any(place is not None for place in places):
            columns = [np.zeros(len(motion.times)) if place is None else place[:, 0] for place in places]
            moved[joint] = skeleton.rest_translations[joint] + np.stack(columns, axis=-1) * unit
    if not len(motion.times):
        report.add("unusual", "there are no frames")
        return Recording(name, (), base)
    curves = [*curve_of("rotation", turned, motion.times), *curve_of("translation", moved, motion.times)]
    first, last = float(motion.times[0]), float(motion.times[-1])
    marks = [Mark(time, moment).within(first, last) for moment, time in motion.marks.items()]
    kept = tuple(sorted(mark for mark in marks if mark is not None))
    if len(kept) < len(marks):
        report.add("ignored", "marks before the first or after the last frame", count=len(marks) - len(kept))
    return Recording(name, tuple(curves), base, _frame_rate(motion.times), marks=kept)


def _rotation(kinds: dict[str, FloatArray], order: str) -> FloatArray | None:
    """(T, 4) the moving rotation that a joint's channels give, or None if they give none."""
    if "Quat" in kinds:
        return quaternion.exp(kinds["Quat"])
    if "Swing" in kinds or "Twist" in kinds:
        frames = len(next(iter(kinds.values())))
        swing, twist = kinds.get("Swing", np.zeros((frames, 2))), kinds.get("Twist", np.zeros((frames, 1)))
        flat = np.concatenate([swing, np.zeros((frames, 1))], axis=1)
        return quaternion.multiply(quaternion.exp(flat), euler.from_euler_degrees(twist, "Z"))
    turns = [euler.from_euler_degrees(kinds[f"{axis}Rot"], axis) for axis in order if f"{axis}Rot" in kinds]
    return functools.reduce(quaternion.multiply, turns) if turns else None


def _between(rest: FloatArray, rotation: FloatArray, post: FloatArray) -> FloatArray:
    """(T, 4) rest is pre * post; the moving rotation goes between the two."""
    pre = quaternion.multiply(rest, quaternion.conjugate(post))
    return quaternion.normalize(quaternion.multiply(quaternion.multiply(pre, rotation), post))


def _frame_rate(times: FloatArray) -> float | None:
    """Frames a second if there are several, a whole number where the digits mean one."""
    if len(times) < 2:
        return None
    rate = 1 / float(np.median(np.diff(times)))
    return float(round(rate)) if abs(rate - round(rate)) < 1e-3 * rate else rate
