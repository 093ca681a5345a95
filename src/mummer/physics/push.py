"""Pushes: what hits a body, said in a few words, such as ``1.2s:chest:left:40``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError, UnknownNameError

DIRECTIONS = ("left", "right", "forward", "back", "up", "down")
LASTING = 0.1
"""Seconds that a push lasts."""
MOST = 1e7


@dataclass(frozen=True)
class Push:
    """A push at some moment.

    Attributes:
        time: seconds at which it begins.
        part: a role or a joint.
        direction: where it pushes to, as the body itself would say: ``left``, ``right``, ``forward``, ``back``, ``up``,
            ``down``; or (x, y, z) in the world.
        impulse: newton seconds.
        seconds: how long it lasts.
    """

    time: float
    part: str
    direction: str | tuple[float, float, float]
    impulse: float
    seconds: float = LASTING

    def __post_init__(self) -> None:
        for what, low, high in (("time", 0.0, 1e5), ("impulse", -MOST, MOST), ("seconds", 1e-3, 60.0)):
            value = getattr(self, what)
            if not isinstance(value, (int, float)) or not low <= value <= high:
                raise InputError(f"{what} of a push is {value!r}; expected a number from {low:g} to {high:g}")
        if isinstance(self.direction, str):
            if self.direction not in DIRECTIONS:
                raise UnknownNameError("a push", "direction", self.direction, DIRECTIONS)
            return
        vector = np.asarray(self.direction, np.float64)
        if vector.shape != (3,) or not np.isfinite(vector).all() or not np.linalg.norm(vector) > 0:
            raise InputError(f"direction of a push is {self.direction!r}; expected a word or three numbers")

    def toward(self, front: FloatArray, up: FloatArray) -> FloatArray:
        """(3,) unit, in the world, for a body that faces ``front``."""
        if not isinstance(self.direction, str):
            vector = np.asarray(self.direction, np.float64)
            return np.asarray(vector / np.linalg.norm(vector))
        left = np.cross(up, front)
        words = dict(zip(DIRECTIONS, (left, -left, front, -front, up, -up), strict=True))
        return words[self.direction]


def parse_push(text: str) -> Push:
    """A push from its text: ``TIME:PART:DIRECTION:IMPULSE``, or ``...:SECONDS`` after it.

    Raises:
        InputError: with what was expected.

    Example:
        >>> parse_push("1.2s:chest:left:40")
        Push(time=1.2, part='chest', direction='left', impulse=40.0, seconds=0.1)
    """
    fields = text.split(":")
    if len(fields) not in (4, 5):
        raise InputError(f"push {text!r}: expected TIME:PART:DIRECTION:IMPULSE, as in 1.2s:chest:left:40")
    where = f"push {text!r}"
    direction: str | tuple[float, float, float] = fields[2].strip()
    if "," in fields[2]:
        x, y, z = numbers(fields[2], 3, where)
        direction = (x, y, z)
    seconds = number(fields[4], where) if len(fields) == 5 else LASTING
    return Push(number(fields[0], where), fields[1].strip(), direction, number(fields[3], where), seconds)


def number(text: str, where: str) -> float:
    """A finite number, with or without its unit."""
    bare = text.strip().removesuffix("Ns").removesuffix("kg").removesuffix("s").removesuffix("m")
    try:
        found = float(bare)
    except ValueError:
        found = float("nan")
    if not np.isfinite(found):
        raise InputError(f"{where}: {text!r} is no number")
    return found


def numbers(text: str, count: int, where: str) -> list[float]:
    """So many finite numbers with commas between them."""
    found = [number(each, where) for each in text.split(",")]
    if len(found) != count:
        raise InputError(f"{where}: {text!r} has {len(found)} numbers; expected {count}")
    return found
