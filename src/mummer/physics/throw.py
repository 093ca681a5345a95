"""Throws: a thing that flies so that it hits a part of a body at some moment, said as ``1.2s:ball:chest:front:8``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.clip.clip import Clip
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from mummer.physics.figure import Figure
from mummer.physics.push import number
from mummer.physics.tension import rows_of
from mummer.physics.thing import SHAPES, Thing
from mummer.physics.world import GRAVITY
from mummer.zoo.things import DENSITY

SIDES = ("front", "back", "left", "right", "above")
FLIGHT = 0.8
"""Seconds that a thing flies at most before it hits."""
SIZE = 0.13
"""Lengths of the body that a thing is across if nothing is said: a football."""


@dataclass(frozen=True)
class Throw:
    """A thing thrown at a part of a body, or dropped on it.

    Attributes:
        time: seconds at which it hits, if the body is where it is planned then.
        shape: ``ball`` or ``cube``.
        part: a role or a joint.
        side: where it comes from, as the body would say: ``front``, ``back``, ``left``, ``right`` or ``above``.
        speed: metres a second at which it hits; 0 from above for one that is dropped.
        size: metres across; an eighth of the body if None.
        mass: kilograms; as light wood if None.
    """

    time: float
    shape: str = "ball"
    part: str = "chest"
    side: str = "front"
    speed: float = 6.0
    size: float | None = None
    mass: float | None = None

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise UnknownNameError("a throw", "shape", self.shape, SHAPES)
        if self.side not in SIDES:
            raise UnknownNameError("a throw", "side", self.side, SIDES)
        for what, low, high in (("time", 0.0, 1e5), ("speed", 0.0, 300.0), ("size", 1e-4, 1e3), ("mass", 1e-6, 1e9)):
            value = getattr(self, what)
            if value is not None and not low <= value <= high:
                raise InputError(f"{what} of a throw is {value!r}; expected a number from {low:g} to {high:g}")

    def thing(self, figure: Figure, clip: Clip, name: str, level: float) -> Thing:
        """The thing at the place from which it is let go of, never below the ground at ``level``."""
        row = int(rows_of(figure, clip.body, self.part)[0])
        positions, rotations = figure.world(clip.sample([clip.start + self.time]))
        joint = int(figure.joints[row])
        target = positions[0, joint] + quaternion.rotate(rotations[0, joint], figure.centers[row])
        front = figure.facing(rotations[0, figure.joints[0]])
        left = np.cross(figure.up, front)
        comes_from = dict(zip(SIDES, (front, -front, left, -left, figure.up), strict=True))[self.side]
        size = SIZE * figure.size if self.size is None else self.size
        mass = DENSITY * size**3 * (np.pi / 6 if self.shape == "ball" else 1.0) if self.mass is None else self.mass
        flight = min(FLIGHT, self.time)
        fast = max(self.speed, GRAVITY * flight) if self.side == "above" else self.speed
        velocity, fall = -fast * comes_from, GRAVITY * figure.up
        place = target - velocity * flight - 0.5 * fall * flight**2
        place = place + max(size / 2 + level - float(place @ figure.up), 0.0) * figure.up
        return Thing(name, self.shape, size, mass, self.time - flight, place, velocity + fall * flight)


def parse_throw(text: str) -> Throw:
    """A throw from its text: ``TIME:SHAPE:PART:SIDE:SPEED``, then ``:SIZE`` and ``:MASS`` if one likes.

    Raises:
        InputError: with what was expected.

    Example:
        >>> parse_throw("1.2s:ball:chest:front:8").speed
        8.0
    """
    fields, where = text.split(":"), f"throw {text!r}"
    if not 5 <= len(fields) <= 7:
        raise InputError(f"{where}: expected TIME:SHAPE:PART:SIDE:SPEED, as in 1.2s:ball:chest:front:8")
    more = [number(each, where) for each in fields[5:]]
    size, mass = (*more, None, None)[:2]
    shape, part, side = (each.strip() for each in fields[1:4])
    return Throw(number(fields[0], where), shape, part, side, number(fields[4], where), size, mass)
