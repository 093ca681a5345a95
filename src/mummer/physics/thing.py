"""Things: balls and cubes that are held, thrown and dropped, and fly, hit, bounce and roll."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.math.rigid import Rigid
from mummer.zoo.things import ball, box

SHAPES = ("ball", "cube")
Held = Callable[[float], Rigid | None]
"""Where a thing is held at some second, (3,) metres and (4,) in the world; None while it is free."""


@dataclass(frozen=True, eq=False)
class Thing:
    """A rigid thing that is let go of at some moment.

    Attributes:
        name: what to call it.
        shape: ``ball`` or ``cube``.
        size: metres across.
        mass: kilograms.
        released: seconds at which it begins to move; until then it stays where it is.
        place: (3,) metres, its middle until then.
        velocity: (3,) metres a second, from then on.
        spin: (3,) radians a second.
        held: in place of the four before: what holds it when; what lets go of it gives it the speed that it has then.
    """

    name: str
    shape: str
    size: float
    mass: float
    released: float = 0.0
    place: FloatArray = field(default_factory=lambda: np.zeros(3))
    velocity: FloatArray = field(default_factory=lambda: np.zeros(3))
    spin: FloatArray = field(default_factory=lambda: np.zeros(3))
    held: Held | None = None

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise InputError(f"thing {self.name!r} is a {self.shape!r}; expected one of {', '.join(SHAPES)}")
        for what, low, high in (("size", 1e-4, 1e3), ("mass", 1e-6, 1e9), ("released", 0.0, 1e5)):
            value = float(getattr(self, what))
            if not low <= value <= high:
                raise InputError(f"{what} of thing {self.name!r} is {value:g}; expected {low:g} to {high:g}")
        for what, most in (("place", 1e5), ("velocity", 300.0), ("spin", 300.0)):
            vector = np.asarray(getattr(self, what), np.float64)
            if vector.shape != (3,) or not np.all(np.abs(vector) <= most):
                raise InputError(f"{what} of thing {self.name!r} is {vector}; expected three numbers within {most:g}")
            object.__setattr__(self, what, vector)

    def hold(self, time: float) -> Rigid | None:
        """Where it is held at a second, or None."""
        if self.held is not None:
            return self.held(time)
        return (self.place, quaternion.IDENTITY) if time < self.released else None

    def speed(self, time: float, step: float) -> tuple[FloatArray, FloatArray]:
        """(3,) and (3,) metres and radians a second at which it is let go of at a second."""
        before = None if self.held is None else self.held(time - 2.0 * step)
        last = None if self.held is None else self.held(time - step)
        if before is None or last is None:
            return self.velocity, self.spin
        spin = quaternion.log(quaternion.multiply(last[1], quaternion.conjugate(before[1]))) / step
        return (last[0] - before[0]) / step, spin

    @property
    def body(self) -> Character:
        """The thing as a body of one joint."""
        if self.shape == "ball":
            return ball(self.size / 2, name=self.name)
        return box([self.size] * 3, name=self.name)
