"""Shapes: how a body is held, in few lines of text, for any body.

spine bend 0.5       # radians, shared by all joints of the part
knees bend 0.1       # how far the hips come down, in their height above the ground
balance ahead 0.03   # how far the hips are moved over the feet, in the same measure
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from pathlib import Path

from mummer.errors import FileError, MummerError
from mummer.script.dofs import AXES, SIGNALS, Dofs, split_name
from mummer.script.property import Property
from mummer.script.sketch import LIBRARY
from mummer.script.words import Line, lines_of, number_of, read_text

SHAPES = LIBRARY / "shapes"
MOST = 3.2
HANGING = "hanging"
"""What the tracks begin with that say how limbs are held while they do nothing else."""


@dataclasses.dataclass(frozen=True)
class Shape:
    """A set of values: what is said of parts of a body, in order, and whether of limbs that hang alone."""

    name: str
    values: tuple[tuple[str, float, bool], ...]

    def on(self, dofs: Dofs) -> dict[str, float]:
        """The values of the degrees of freedom of a body; parts that it has not got are left out."""
        found: dict[str, float] = {}
        for dof, value, hanging in self.values:
            for name in dofs.tracks(dof):
                track = f"{HANGING} {name}" if hanging else name
                found[track] = found.get(track, 0.0) + value * shared(dofs, dof)
        return found


def shared(dofs: Dofs, dof: str) -> float:
    """What each joint has of a value that is said of a whole row of joints; all of it if it is said of one."""
    part = split_name(dof)[0]
    return 1.0 / max(len(dofs.joints(part)), 1) if _is_chain(part) else 1.0


def _is_chain(part: str) -> bool:
    return part in ("spine", "neck", "tail") or part.removeprefix("left_").removeprefix("right_") in ("wing", "antenna")


def load_shape(path: Path) -> Shape:
    """The shape that a file holds.

    Raises:
        FileError: with line and column if it is malformed.
    """
    return _shape(read_text(path, "a shape"), path)


@lru_cache(maxsize=256)
def _shape(text: str, path: Path) -> Shape:
    values: list[tuple[str, float, bool]] = []
    for line in lines_of(text, path):
        if len(line.words) not in (3, 4):
            line.fail("expected a part, an axis and a number, as in spine bend 0.5", line.words[0])
        part, axis, said = line.words[:3]
        if len(line.words) == 4 and line.words[3].text != HANGING:
            line.fail(f"got {line.words[3].text!r}; expected {HANGING}, or nothing", line.words[3])
        if axis.text not in AXES and f"{part.text} {axis.text}" not in SIGNALS:
            line.fail(f"{axis.text!r} is no axis; expected bend, sway or twist", axis)
        number = number_of(said.text, {})
        if number is None or not abs(number) <= MOST:
            line.fail(f"got {said.text!r}; expected radians from {-MOST} to {MOST}", said)
        values.append((f"{part.text} {axis.text}", number, len(line.words) == 4))
    return Shape(path.stem, tuple(values))


def resolved(line: Line, value: Property) -> Property:
    """A property with the shape that it speaks of, read from beside the text or from the library."""
    if not hasattr(value, "file"):
        return value
    beside = (line.path.parent if line.path else Path()) / str(value.file)
    path = beside if beside.is_file() else SHAPES / str(value.file)
    if not path.is_file():
        near = ", ".join(sorted(each.name for each in SHAPES.glob("*.shp")))
        line.fail(f"there is no shape {value.file!r}; there are {near}", line.words[-1])
    try:
        return dataclasses.replace(value, shape=load_shape(path))  # type: ignore[call-arg]
    except FileError:
        raise
    except (MummerError, ValueError) as error:
        line.fail(str(error), line.words[-1])
