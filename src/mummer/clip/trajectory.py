"""Trajectory: a body in the air, whose centre of mass flies as it must."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Mass, estimate_mass, world_matrices
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.standing import move_body, up_of
from mummer.errors import InputError

GRAVITY = 9.80665
"""Metres a second squared."""
BLINK = 0.05
"""Part of a flight over which speeds before and after it are told."""


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Operated):
    """The clip with its body moved, between two moments, so that the centre of mass follows a parabola.

    The parabola meets the clip's own centre of mass at both moments. How long the flight lasts is the clip's affair:
    `flight_time` says how long it should be, and a time warp makes it so.

    Attributes:
        takeoff, landing: seconds within the clip.
        apex: metres that the centre of mass rises above where it takes off; then gravity is whatever fits.
        gravity: metres a second squared, downwards.
        gathers: seconds before the takeoff and after the landing in which the body takes up and loses the speed that it
            flies with; it draws back a little first, and gives way after. Where they are 0 its speed may jump.
    """

    takeoff: float
    landing: float
    apex: float | None = None
    gravity: float = GRAVITY
    gathers: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        low, high = self.clip.start, self.clip.end
        if not low - 1e-9 <= self.takeoff < self.landing <= high + 1e-9:
            raise InputError(
                f"cannot fly from {self.takeoff:g} to {self.landing:g} s: the clip runs from {low:g} to {high:g} s"
            )
        if not 0 <= self.gravity < math.inf:
            raise InputError(f"gravity of {self.gravity:g} m/s² makes no sense; expected zero or more")
        if not all(0 <= seconds < math.inf for seconds in self.gathers):
            raise InputError(f"a body cannot gather itself for {self.gathers} s; expected zero or more")
        if self.apex is not None:
            require_apex(self.apex, self.rise)

    @cached_property
    def _mass(self) -> Mass:
        return self.body.mass if self.body.mass is not None else estimate_mass(self.body)[0]

    def centers(self, times: FloatArray) -> FloatArray:
        """(T, 3) where the operand's centre of mass is, in metres."""
        return self._centers(self.clip.frames(np.clip(times, self.clip.start, self.clip.end)))

    def _centers(self, frames: Frames) -> FloatArray:
        matrices = world_matrices(self.body.skeleton, frames.to_pose())
        return np.asarray(matrices.reshape(len(frames), -1) @ self._shares)

    @cached_property
    def _shares(self) -> FloatArray:
        """(J * 12, 3) what every entry of the joints' matrices adds to the centre of mass."""
        mass = self._mass
        if not mass.total > 0:
            raise InputError(f"{self.body.name!r} has no mass; its centre of mass is nowhere")
        local = np.concatenate([mass.centers, np.ones((len(mass.centers), 1))], axis=1)
        shares = np.einsum("j,jb,ac->jabc", mass.masses / mass.total, local, np.eye(3))
        return shares.reshape(-1, 3)

    @cached_property
    def _ends(self) -> FloatArray:
        """(2, 3) the centre of mass at takeoff and landing."""
        return self.centers(np.array([self.takeoff, self.landing]))

    @property
    def rise(self) -> float:
        """Metres by which the landing is higher than the takeoff."""
        return float((self._ends[1] - self._ends[0]) @ up_of(self.body))

    @cached_property
    def pull(self) -> float:
        """Metres a second squared: the gravity asked for, or the one that leads through the apex."""
        if self.apex is None:
            return self.gravity
        seconds = self.landing - self.takeoff
        return 2 * (math.sqrt(self.apex) + math.sqrt(max(self.apex - self.rise, 0.0))) ** 2 / seconds**2

    def path(self, times: FloatArray) -> FloatArray:
        """(T, 3) the parabola in metres at ``times`` (T,)."""
        seconds = self.landing - self.takeoff
        passed = (times - self.takeoff)[:, None]
        straight = self._ends[0] + (self._ends[1] - self._ends[0]) * passed / seconds
        return np.asarray(straight + 0.5 * self.pull * passed * (seconds - passed) * up_of(self.body))

    @cached_property
    def _gains(self) -> FloatArray:
        """(2, 3) metres a second by which the flight is faster than the clip just before takeoff and after landing."""
        step = BLINK * (self.landing - self.takeoff)
        early, late = max(self.takeoff - step, self.clip.start), min(self.landing + step, self.clip.end)
        centers = self.centers(np.array([early, self.takeoff, self.landing, late]))
        own = np.diff(centers, axis=0)[::2] / np.maximum([self.takeoff - early, late - self.landing], 1e-6)[:, None]
        flown = self.path(np.array([self.takeoff, self.takeoff + step, self.landing - step, self.landing]))
        return np.asarray(np.diff(flown, axis=0)[::2] / step - own)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made, moved = self.clip.frames(times), np.zeros((len(times), 3))
        flying = (times > self.takeoff) & (times < self.landing)
        if flying.any():
            moved[flying] = np.subtract(self.path(times[flying]), self._centers(made.select(flying)))
        for which, away in enumerate((times - self.takeoff, times - self.landing)):
            seconds, way = self.gathers[which], (-1.0, 1.0)[which]
            near = (way * away >= 0.0) & (way * away < seconds)
            if near.any():
                # A cubic that begins and ends in place, and has the speed there.
                moved[near] = (away[near] * (1.0 - np.abs(away[near]) / seconds) ** 2)[:, None] * self._gains[which]
        if moved.any():
            move_body(made, self.body, moved)
        return made


def flight_time(apex: float, *, rise: float = 0.0, gravity: float = GRAVITY) -> float:
    """Seconds that a body is in the air.

    Args:
        apex: metres that its centre of mass rises above where it takes off.
        rise: metres by which the centre of mass at landing is higher than at takeoff.
        gravity: metres a second squared.

    Raises:
        InputError: if the landing is higher than the apex.

    Example:
        >>> round(flight_time(0.5), 3)
        0.639
    """
    require_apex(apex, rise)
    if not gravity > 0:
        raise InputError(f"without gravity ({gravity:g} m/s²) a flight does not end")
    return math.sqrt(2 * apex / gravity) + math.sqrt(2 * max(apex - rise, 0.0) / gravity)


def require_apex(apex: float, rise: float) -> None:
    """Raise unless a flight can reach ``apex`` and land ``rise`` metres above its takeoff.

    Raises:
        InputError: with the least apex.
    """
    least = max(rise, 0.0)
    if not least - 1e-12 <= apex < math.inf:
        raise InputError(f"a flight cannot have its apex {apex:g} m above the takeoff; expected {least:g} m or more")
