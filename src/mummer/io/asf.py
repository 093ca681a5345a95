"""Reads Acclaim skeletons (.asf): bones with a direction and a length, hung together by a list of names.

Their motions (.amc) are read by `mummer.io.amc`, to which ``source.details`` tells the order of each bone's numbers.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Skeleton, Source, unique_names
from mummer.errors import LimitError, MalformedFileError
from mummer.io import text, units
from mummer.io.body import Body, chain_positions
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.math import euler, quaternion
from mummer.report import ReportBuilder

ROOT = "root"
END = "_end"
_LARGEST = 1e12


@dataclass
class _Bone:
    """One bone: it starts where its parent ends, and leads ``direction`` times ``length`` on."""

    name: str
    line: int
    direction: FloatArray = field(default_factory=lambda: np.zeros(3))
    length: float = 0.0
    axis: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))
    motion: tuple[str, ...] = ()


@dataclass
class _Document:
    path: Path | None
    title: str = ""
    angle: float = np.pi / 180
    root_motion: tuple[str, ...] = ("tx", "ty", "tz", "rx", "ry", "rz")
    bones: dict[str, _Bone] = field(default_factory=dict)
    children: dict[str, list[str]] = field(default_factory=dict)


def read(
    data: bytes,
    path: Path | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    *,
    metres_per_unit: float | None = None,
) -> Character:
    """The skeleton in an .asf file; every bone is the joint at which it starts, and last bones get an end joint.

    Args:
        data: the content of the file.
        path: where it came from, for messages and names.
        limits: how much it may ask for.
        metres_per_unit: how long a unit is; guessed if None.

    Raises:
        FileError: if the hierarchy cannot be known.
    """
    document = _parse(text.decode(text.normalized(data, path)), path, limits)
    report = ReportBuilder()
    names, parents, starts, turns = _joints(document)
    local = np.array([_relative(turns, parents, joint) for joint in range(len(names))])
    offsets = np.array(
        [
            starts[joint] if parent < 0 else _turned_back(turns[parent], starts[joint] - starts[parent])
            for joint, parent in enumerate(parents)
        ]
    )
    above = np.array(parents)
    body = Body(names, above, chain_positions(above, local[None], offsets[None]))
    unit = metres_per_unit or units.guess_unit(body, report)
    title = document.title or (path.stem if path else "asf")
    skeleton = Skeleton(names, above, offsets * unit, local, name=title)
    ends = tuple(name for name in names if name.endswith(END) and name.removesuffix(END) in document.bones)
    motion = {ROOT: document.root_motion} | {name: bone.motion for name, bone in document.bones.items()}
    details = {"end_sites": ends, "motion": motion, "radians_per_angle": document.angle}
    source = Source("asf", path, metres_per_unit=unit, details=details)
    return Character(title, skeleton, source=source, report=report.build())


def _joints(document: _Document) -> tuple[tuple[str, ...], list[int], list[FloatArray], list[FloatArray]]:
    """Names, parents, world starts and world rotations of the joints, parents first."""
    names, parents = [ROOT], [-1]
    starts: list[FloatArray] = [np.zeros(3)]
    turns: list[FloatArray] = [np.array([0.0, 0.0, 0.0, 1.0])]
    tips = {ROOT: np.zeros(3)}
    for place, name in _in_order(document):
        bone = document.bones[name]
        tips[name] = tips[names[place]] + bone.direction * bone.length
        names.append(name)
        parents.append(place)
        starts.append(tips[names[place]])
        turns.append(bone.axis)
    for place in range(1, len(names)):
        if not document.children.get(names[place]):
            names.append(names[place] + END)
            parents.append(place)
            starts.append(tips[names[place]])
            turns.append(turns[place])
    return unique_names(names), parents, starts, turns


def _in_order(document: _Document) -> list[tuple[int, str]]:
    """(place of the parent, bone) for every bone that hangs from the root, parents first."""
    found: list[tuple[int, str]] = []
    places = {ROOT: 0}
    pending = [ROOT]
    for parent in pending:
        for child in document.children.get(parent, []):
            if child in places:
                raise MalformedFileError(document.path, f"bone {child!r} hangs from two bones", place=":hierarchy")
            if child not in document.bones:
                raise MalformedFileError(document.path, f"bone {child!r} is not in :bonedata", place=":hierarchy")
            places[child] = len(places)
            found.append((places[parent], child))
            pending.append(child)
    return found


def _relative(turns: list[FloatArray], parents: list[int], joint: int) -> FloatArray:
    parent = parents[joint]
    if parent < 0:
        return turns[joint]
    return np.asarray(quaternion.multiply(quaternion.conjugate(turns[parent]), turns[joint]))


def _turned_back(turn: FloatArray, vector: FloatArray) -> FloatArray:
    return np.asarray(quaternion.rotate(quaternion.conjugate(turn), vector))


def _parse(content: str, path: Path | None, limits: ReadLimits) -> _Document:
    """The sections of a file that matter here; what limits say is left out."""
    document, section, bone = _Document(path), "", None
    for number, raw in enumerate(io.StringIO(content), start=1):
        words = text.without_comment(raw).split()
        if not words:
            continue
        if words[0].startswith(":"):
            section, bone = words[0].lower(), None
            document.title = " ".join(words[1:]) if section == ":name" else document.title
        elif section == ":units" and words[0].lower() == "angle":
            document.angle = 1.0 if words[-1].lower().startswith("rad") else np.pi / 180
        elif section == ":root" and words[0].lower() == "order":
            document.root_motion = tuple(word.lower() for word in words[1:])
        elif section == ":bonedata":
            bone = _bone_line(document, bone, words, number)
            if len(document.bones) > limits.joints:
                raise LimitError(path, f"has more than {limits.joints} bones", place=f"line {number}")
        elif section == ":hierarchy" and words[0].lower() not in ("begin", "end"):
            document.children.setdefault(words[0], []).extend(words[1:])
    if not document.bones or ROOT not in document.children:
        raise MalformedFileError(path, "has no bones under a root; expected :bonedata and :hierarchy")
    return document


def _bone_line(document: _Document, bone: _Bone | None, words: list[str], number: int) -> _Bone | None:
    keyword = words[0].lower()
    if keyword == "name" and len(words) > 1:
        bone = _Bone(words[1], number)
        document.bones[bone.name] = bone
    elif bone is not None and keyword == "direction":
        bone.direction = _numbers(document, words[1:4], 3, number)
        norm = float(np.linalg.norm(bone.direction))
        bone.direction = bone.direction / norm if norm > 0 else bone.direction
    elif bone is not None and keyword == "length":
        bone.length = float(_numbers(document, words[1:2], 1, number)[0])
    elif bone is not None and keyword == "dof":
        bone.motion = tuple(word.lower() for word in words[1:])
    elif bone is not None and keyword == "axis":
        angles = _numbers(document, words[1:4], 3, number) * document.angle
        order = words[4].lower() if len(words) > 4 else "xyz"
        if sorted(order) != ["x", "y", "z"]:
            raise MalformedFileError(document.path, f"{order!r} is no order of axes", place=f"line {number}")
        # Acclaim turns about fixed axes, in the order given.
        bone.axis = np.asarray(euler.from_euler(angles, order))
    return bone


def _numbers(document: _Document, words: list[str], count: int, line: int) -> FloatArray:
    values = [text.parse_number(word) for word in words]
    found = [value for value in values if value is not None and abs(value) < _LARGEST]
    if len(found) != count:
        what = f"expected {count} finite numbers, none beyond {_LARGEST:g}"
        raise MalformedFileError(document.path, what, place=f"line {line}")
    return np.array(found, np.float64)
