"""Reads SmartBody skeletons (.sk): joints with offsets, rotations before and after the moving one, and channels."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Skeleton, Source, unique_names
from mummer.errors import LimitError
from mummer.io import text, units
from mummer.io.body import Body, chain_positions
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.io.text import Words
from mummer.math import quaternion
from mummer.report import ReportBuilder

_UNITS = re.compile(r"#.*\bUnits:\s*([A-Za-z]+)")
_IGNORED = ("visgeo", "colgeo", "modelmat", "modelrot", "align")


@dataclass
class _Joint:
    name: str
    parent: int
    line: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    pre_rotation: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))
    post_rotation: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))
    euler: str = "XYZ"
    channels: list[str] = field(default_factory=list)


@dataclass
class _Reading:
    words: Words
    path: Path | None
    limits: ReadLimits
    report: ReportBuilder
    name: str = ""
    scale: float = 1.0
    is_over: bool = False
    joints: list[_Joint] = field(default_factory=list)
    stack: list[int] = field(default_factory=list)


def read(
    data: bytes,
    path: Path | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    *,
    metres_per_unit: float | None = None,
) -> Character:
    """The skeleton in a .sk file.

    Args:
        data: the content of the file.
        path: where it came from, for messages and names.
        limits: how much it may ask for.
        metres_per_unit: how long a unit is; as a comment of the file says if None, else guessed.

    Returns:
        A character without meshes and recordings. A joint's rest rotation is the product of its rotations before and
        after the moving one; those after it are in ``source.details``, for motions to be laid between them.

    Raises:
        FileError: if the hierarchy cannot be known.
    """
    content = text.decode(text.normalized(data, path))
    report = ReportBuilder()
    reading = _parse(content, path, limits, report)
    names = unique_names(joint.name for joint in reading.joints)
    renamed = sum(new != joint.name for new, joint in zip(names, reading.joints, strict=True))
    if renamed:
        report.add("repaired", "joints had no name, or that of another, and were renamed", count=renamed)
    parents = np.array([joint.parent for joint in reading.joints])
    offsets = np.array([joint.offset for joint in reading.joints]) * reading.scale
    rotations = np.array([quaternion.multiply(joint.pre_rotation, joint.post_rotation) for joint in reading.joints])
    unit = metres_per_unit or stated_unit(content) or _guessed_unit(names, parents, offsets, rotations, report)
    title = reading.name or (path.stem if path else "sk")
    skeleton = Skeleton(names, parents, offsets * unit, rotations, name=title)
    source = Source("sk", path, metres_per_unit=unit, details=_details(names, reading.joints))
    return Character(title, skeleton, source=source, report=report.build())


def stated_unit(content: str) -> float | None:
    """Metres in a unit as a comment near the start of a .sk or .skm file says, or None."""
    found = _UNITS.search(content[:4096])
    return units.named_length(found[1]) if found else None


def _details(names: tuple[str, ...], joints: list[_Joint]) -> dict[str, object]:
    named = list(zip(names, joints, strict=True))
    return {
        "post_rotations": {
            name: tuple(joint.post_rotation.tolist()) for name, joint in named if joint.post_rotation[3] != 1
        },
        "euler_orders": {name: joint.euler for name, joint in named if joint.euler != "XYZ"},
        "channels": {name: tuple(joint.channels) for name, joint in named},
    }


def _guessed_unit(
    names: tuple[str, ...], parents: IntArray, offsets: FloatArray, rotations: FloatArray, report: ReportBuilder
) -> float:
    return units.guess_unit(Body(names, parents, chain_positions(parents, rotations[None], offsets[None])), report)


def _parse(content: str, path: Path | None, limits: ReadLimits, report: ReportBuilder) -> _Reading:
    reading = _Reading(Words(content, path), path, limits, report)
    words = reading.words
    while words.peek() is not None and not reading.is_over:
        _read_statement(reading)
    if reading.stack:
        open_joint = reading.joints[reading.stack[-1]]
        raise words.error(f"joint {open_joint.name!r}, opened on line {open_joint.line}, is never closed by '}}'")
    if not reading.joints:
        raise words.error("there is no joint; expected 'root' and a name")
    return reading


def _read_statement(reading: _Reading) -> None:
    keyword = reading.words.take("a joint").lower()
    if keyword in ("root", "joint"):
        _open_joint(reading)
    elif keyword == "}":
        if not reading.stack:
            raise reading.words.error("'}' closes nothing")
        reading.stack.pop()
    elif reading.stack:
        _read_property(reading, keyword, reading.joints[reading.stack[-1]])
    elif keyword in ("set_name", "name"):
        reading.name = " ".join(reading.words.rest_of_line()).strip('"')
    elif keyword == "set_scale":
        reading.scale = reading.words.number("the scale")
    elif keyword == "end":
        reading.is_over = True
    elif keyword != "skeleton":
        reading.words.rest_of_line(until="}")
        reading.report.add("ignored", f"{keyword[:40]!r} is not understood")


def _open_joint(reading: _Reading) -> None:
    words = reading.words
    line = words.line
    name = " ".join(words.rest_of_line(until="{"))
    if words.take("'{'") != "{":
        raise words.error(f"joint {name!r} is not followed by '{{'")
    reading.joints.append(_Joint(name, reading.stack[-1] if reading.stack else -1, line))
    reading.stack.append(len(reading.joints) - 1)
    if len(reading.joints) > reading.limits.joints:
        raise LimitError(reading.path, f"has more than {reading.limits.joints:,} joints", place=f"line {line}")
    if len(reading.stack) > reading.limits.depth:
        raise LimitError(reading.path, f"nests joints deeper than {reading.limits.depth:,}", place=f"line {line}")


def _read_property(reading: _Reading, keyword: str, joint: _Joint) -> None:
    words = reading.words
    if keyword in ("offset", "center"):
        joint.offset = (words.number("x of an offset"), words.number("y of an offset"), words.number("z of an offset"))
    elif keyword in ("prerot", "framerot"):
        joint.pre_rotation = quaternion.multiply(joint.pre_rotation, _read_rotation(words))
    elif keyword == "postrot":
        joint.post_rotation = quaternion.multiply(joint.post_rotation, _read_rotation(words))
    elif keyword == "euler":
        joint.euler = words.take("an Euler order").upper()
    elif keyword == "channel":
        _read_channel(reading, joint)
    else:
        words.rest_of_line(until="}")
        known = "is left out" if keyword in _IGNORED else "is not understood"
        reading.report.add("ignored", f"{keyword[:40]!r} of a joint {known}")


def _read_rotation(words: Words) -> FloatArray:
    """(4,) from ``axis x y z ang degrees``."""
    if words.take("'axis'").lower() != "axis":
        raise words.error("a rotation must be written as: axis x y z ang degrees")
    axis = np.array([words.number(f"{name} of an axis") for name in "xyz"])
    if words.take("'ang'").lower() not in ("ang", "angle"):
        raise words.error("a rotation must be written as: axis x y z ang degrees")
    angle = np.deg2rad(words.number("an angle"))
    length = float(np.linalg.norm(axis))
    return quaternion.from_axis_angle(axis / length, angle) if length > 0 else quaternion.IDENTITY.copy()


def _read_channel(reading: _Reading, joint: _Joint) -> None:
    rest = reading.words.rest_of_line(until="}")
    if not rest:
        raise reading.words.error(f"a channel of joint {joint.name!r} has no type; expected XPos, Quat ...")
    joint.channels.append(rest[0])
    if len(rest) > 1 and text.parse_number(rest[1]) not in (None, 0.0):
        reading.report.add("ignored", "channels have values at rest that are not zero")
