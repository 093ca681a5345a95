"""Eyes that are alive: they jump away and back, as those of people do who listen, talk or think.

The figures are those of S. P. Lee, J. B. Badler and N. I. Badler, "Eyes Alive", ACM Transactions on Graphics 21 (2002),
measured at 30 frames a second. Thinking was not measured there; it looks away for longer, and up or to the side.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mummer.behavior.behavior import Behavior
from mummer.behavior.needs import need
from mummer.behavior.performer import Performer
from mummer.errors import InputError, UnknownNameError

FRAME = 1.0 / 30.0
"""Seconds of a frame of the measurements."""
MEAN_SIZE = 6.9
"""Degrees: how many jumps are of a size falls by a factor e with each so many."""
DIRECTIONS = (15.54, 6.46, 17.69, 7.44, 16.80, 7.89, 20.38, 7.79)
"""Per cent of jumps that go right, right and up, up, ... each an eighth of a circle."""
UPWARD = (16.0, 13.0, 26.0, 13.0, 16.0, 4.0, 8.0, 4.0)
"""The same of who thinks."""
SHORTEST, BY_SIZE = 0.025, 0.0024
"""Seconds that a jump takes, and more for each degree of it."""


class Mode(NamedTuple):
    """How eyes jump.

    Attributes:
        stay, away: mean and standard deviation of seconds that they stay on what is looked at, and away from it.
        largest: degrees.
        directions: per cent of jumps, see `DIRECTIONS`.
    """

    stay: tuple[float, float]
    away: tuple[float, float]
    largest: float
    directions: tuple[float, ...] = DIRECTIONS


MODES = {
    "talking": Mode((93.9 * FRAME, 94.9 * FRAME), (27.8 * FRAME, 24.0 * FRAME), 27.5),
    "listening": Mode((237.5 * FRAME, 47.1 * FRAME), (13.0 * FRAME, 7.1 * FRAME), 22.7),
    "thinking": Mode((40.0 * FRAME, 30.0 * FRAME), (60.0 * FRAME, 40.0 * FRAME), 27.5, UPWARD),
}
"""How eyes jump, by what their owner does."""


class Saccades(Behavior):
    """Lets eyes jump until it is stopped."""

    kind = "eyes"
    channels = frozenset({"eyes"})

    def __init__(self, mode: Mode, seed: int, duration: float) -> None:
        super().__init__({"end": duration})
        self.mode, self.random = mode, np.random.default_rng(seed)
        self.goal = self.origin = (0.0, 0.0)
        self.leaves, self.arrives = 0.0, 0.0
        self.next = self._interval(mode.stay)

    def _interval(self, wanted: tuple[float, float]) -> float:
        """Seconds, of a distribution that has the mean and the deviation and no values below zero."""
        mean, deviation = wanted
        return float(self.random.gamma((mean / deviation) ** 2, deviation**2 / mean))

    def _jump(self, now: float) -> None:
        """Go away, or come back."""
        self.origin, self.leaves = self.goal, now
        if self.goal != (0.0, 0.0):
            self.goal, waits = (0.0, 0.0), self.mode.stay
        else:
            spread = 1.0 - math.exp(-self.mode.largest / MEAN_SIZE)
            size = math.radians(-MEAN_SIZE * math.log(1.0 - spread * self.random.random()))
            shares = np.array(self.mode.directions) / sum(self.mode.directions)
            way = math.pi / 4.0 * (self.random.choice(8, p=shares) + self.random.uniform(-0.5, 0.5))
            self.goal, waits = (-size * math.cos(way), size * math.sin(way)), self.mode.away
        way_to_go = math.hypot(self.goal[0] - self.origin[0], self.goal[1] - self.origin[1])
        self.arrives = now + SHORTEST + BY_SIZE * math.degrees(way_to_go)
        self.next = max(self.arrives, now + self._interval(waits))

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        while time >= self.next:
            self._jump(self.next)
        share = min((time - self.leaves) / max(self.arrives - self.leaves, 1e-6), 1.0)
        # Of all that starts and ends at rest this jerks least; velocities of saccades look like it.
        part = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        glance = performer.gaze.glance
        performer.gaze.glance = (
            glance[0] + self.origin[0] + part * (self.goal[0] - self.origin[0]),
            glance[1] + self.origin[1] + part * (self.goal[1] - self.origin[1]),
        )


def make_eyes(performer: Performer, *, mode: str = "listening", seed: int = 0, duration: float = math.inf) -> Saccades:
    """Let eyes jump about what is looked at.

    Args:
        performer: who.
        mode: what it does meanwhile: ``listening``, ``talking`` or ``thinking``.
        seed: of chance.
        duration: seconds; until it is stopped by default.
    """
    morphs = [driver.morph for driver in performer.face.map.drivers.get("eye_look_out_left", ())]
    if not any(head.eyes for head in performer.sight.heads) and not any(morph is not None for morph in morphs):
        need(performer, "eye", "eyes")
    if mode not in MODES:
        raise UnknownNameError("eyes", "mode", mode, MODES)
    if not duration > 0.0:
        raise InputError(f"eyes last {duration} s; expected a positive number")
    return Saccades(MODES[mode], int(seed), float(duration))
