"""A face never stands still: it blinks at the rates that people do, and brows, lids and lips drift."""

from __future__ import annotations

import math

import numpy as np

from mummer.math.steps import smooth_step

RESTING, TALKING = 17.0, 26.0
"""Blinks a minute of somebody at rest and of somebody who talks: means of 150 people, Bentivoglio et al. 1997."""
SPREAD = 0.55
"""Deviation of the logarithm of the time from blink to blink, which is skewed: many are short, a few long."""
SOONEST, LATEST = 0.6, 20.0
"""Seconds from blink to blink."""
CLOSING, CLOSED, OPENING = 0.09, 0.03, 0.2
"""Seconds in which lids close, stay and open: VanderWerf et al. 2003 have 92 ms down and 242 ms up."""
DRIFTS: dict[str, float] = {
    "brow_inner_up": 0.05, "brow_outer_up_left": 0.04, "brow_outer_up_right": 0.04, "eye_squint_left": 0.06,
    "eye_squint_right": 0.06, "mouth_smile_left": 0.05, "mouth_smile_right": 0.05, "mouth_press_left": 0.04,
    "mouth_press_right": 0.04,
}  # fmt: skip
"""How far each drifts at most."""
SLOW, QUICK = 0.07, 0.45
"""Hz between which the drift moves."""
WAVES = 3


class Life:
    """What a face does by itself; the same for the same seed.

    Attributes:
        time: seconds.
        blinks: when the last blink began, and when the next one does.
    """

    def __init__(self, seed: int = 0) -> None:
        self.time = 0.0
        self._chance = np.random.default_rng(seed)
        self._hertz = self._chance.uniform(SLOW, QUICK, (len(DRIFTS), WAVES))
        self._phases = self._chance.uniform(0.0, 2 * math.pi, (len(DRIFTS), WAVES))
        self.blinks = (-10.0, self._chance.uniform(0.3, 60.0 / RESTING))
        self._speed = self._chance.uniform(0.85, 1.2)

    def step(self, seconds: float, *, talking: bool = False) -> dict[str, float]:
        """What the face shows so many seconds later, expression to amount."""
        self.time += seconds
        if self.time >= self.blinks[1]:
            self.blinks = (self.blinks[1], self.blinks[1] + self._wait(TALKING if talking else RESTING))
            self._speed = float(self._chance.uniform(0.85, 1.2))
        lids = self.lids(self.time)
        shown = {"eye_blink_left": lids, "eye_blink_right": lids}
        # Starts from nothing, so that a face that wakes does not jump.
        awake = float(smooth_step(self.time))
        waves = np.sin(2 * math.pi * self._hertz * self.time + self._phases).mean(axis=1)
        for (name, most), wave in zip(DRIFTS.items(), waves.tolist(), strict=True):
            shown[name] = awake * most * max(0.0, 0.5 + wave)
        return shown

    def _wait(self, rate: float) -> float:
        """Seconds to the next blink, at a mean rate a minute."""
        middle = math.log(60.0 / rate) - 0.5 * SPREAD * SPREAD
        return float(np.clip(self._chance.lognormal(middle, SPREAD), SOONEST, LATEST))

    def lids(self, time: float) -> float:
        """How far lids are closed by the blink that was last begun."""
        since = (time - self.blinks[0]) * self._speed
        if since < CLOSING:
            return float(smooth_step(since / CLOSING))
        return 1.0 - float(smooth_step((since - CLOSING - CLOSED) / OPENING))
