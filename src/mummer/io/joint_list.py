"""Reads skeletons written as a list of joints in JSON: a plain list, or the character of a physics simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Skeleton, Source, unique_names
from mummer.errors import LimitError, MalformedFileError
from mummer.io import units
from mummer.io.axes import AxisChange
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.math import euler


class _Joint(msgspec.Struct):
    """A joint of a plain list: where it is in the world."""

    name: str
    parent: int
    position: tuple[float, float, float]


class _List(msgspec.Struct):
    """A plain list of joints."""

    joints: list[_Joint]
    up: str = "Y"
    units: str = "metre"


class _Attached(msgspec.Struct, rename={"name": "Name", "parent": "Parent", "x": "AttachX", "y": "AttachY",
                                        "z": "AttachZ", "turn_x": "AttachThetaX", "turn_y": "AttachThetaY",
                                        "turn_z": "AttachThetaZ"}):  # fmt: skip
    """A joint of a simulated character: where it is attached to its parent."""

    name: str
    parent: int
    x: float
    y: float
    z: float
    turn_x: float = 0.0
    turn_y: float = 0.0
    turn_z: float = 0.0


class _Joints(msgspec.Struct, rename={"joints": "Joints"}):
    joints: list[_Attached]


class _Simulated(msgspec.Struct, rename={"skeleton": "Skeleton"}):
    """A character of a physics simulation; only its joints are read."""

    skeleton: _Joints


def read(data: bytes, path: Path | None = None, limits: ReadLimits = DEFAULT_LIMITS) -> Character:
    """The skeleton in a list of joints.

    A plain list is ``{"joints": [{"name", "parent", "position"}], "up": "Y" or "Z", "units": "metre"}`` with positions
    in the world. A simulated character is ``{"Skeleton": {"Joints": [{"Name", "Parent", "AttachX" ...}]}}``.

    Args:
        data: the content of the file.
        path: where it came from, for messages and names.
        limits: how much it may ask for.

    Raises:
        FileError: naming the field that is wrong.
    """
    simulated = b'"Skeleton"' in data[:4096]
    try:
        entry: Any = msgspec.json.decode(data, type=_Simulated if simulated else _List)
    except msgspec.MsgspecError as error:
        raise MalformedFileError(path, f"is no list of joints: {error}") from None
    joints = entry.skeleton.joints if simulated else entry.joints
    if len(joints) > limits.joints:
        raise LimitError(path, f"has {len(joints)} joints; at most {limits.joints} are read")
    _require_parents(joints, path)
    names = unique_names(joint.name for joint in joints)
    title = path.stem if path else "joints"
    offsets, turns, up, unit = _attached(joints) if simulated else _placed(entry, path)
    skeleton, _ = Skeleton.sorted(names, [joint.parent for joint in joints], offsets, turns, name=title)
    return Character(title, skeleton, source=Source("joints", path, up=up, metres_per_unit=unit))


def _require_parents(joints: list[Any], path: Path | None) -> None:
    if not joints:
        raise MalformedFileError(path, "has no joints; expected at least one")
    for number, joint in enumerate(joints):
        if not -1 <= joint.parent < len(joints):
            what = f"is {joint.parent}; expected -1 or a joint from 0 to {len(joints) - 1}"
            raise MalformedFileError(path, what, place=f"joints[{number}].parent")


def _placed(entry: _List, path: Path | None) -> tuple[FloatArray, None, str, float]:
    """Offsets from world positions, in our axes and units."""
    unit = units.named_length(entry.units)
    if unit is None:
        raise MalformedFileError(path, f"is {entry.units!r}; expected metre or centimetre", place="units")
    up = entry.up if entry.up.startswith(("+", "-")) else f"+{entry.up.upper()}"
    positions = AxisChange(up).vectors(np.array([joint.position for joint in entry.joints], np.float64)) * unit
    parents = [joint.parent for joint in entry.joints]
    offsets = [positions[joint] - (positions[parent] if parent >= 0 else 0.0) for joint, parent in enumerate(parents)]
    return np.array(offsets), None, up, unit


def _attached(joints: list[_Attached]) -> tuple[FloatArray, FloatArray, str, float]:
    offsets = np.array([[joint.x, joint.y, joint.z] for joint in joints])
    angles = np.array([[joint.turn_x, joint.turn_y, joint.turn_z] for joint in joints])
    return offsets, np.asarray(euler.from_euler(angles, "xyz")), "+Y", 1.0
