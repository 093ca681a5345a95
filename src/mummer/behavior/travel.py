"""How long a way takes: the engine's law of going somewhere, for a point, ahead of time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.performer import Performer
from mummer.engine.scalars import follow
from mummer.engine.walk import BRAKING, READINESS

AHEAD = 0.5
"""Seconds of way ahead that somebody on a path makes for."""
SLOW = 0.1
"""Metres a second below which somebody has stopped."""
STEP = 1.0 / 60.0
LONGEST = 60.0
"""Seconds after which nobody looks any further ahead."""
SLOWEST, FASTEST = 0.2, 3.0
"""Speeds, in the one that was asked for, at which a way may be gone to be there at another time."""
WAITS = 1.04
"""How much longer a body takes than a point at most, since it waits for its feet; read off walks of the zoo."""
STARTS = 2.0
"""Seconds that starting and stopping take, where a way is too long to be looked at step by step."""


@dataclass(frozen=True)
class Traveller:
    """Somebody about to go.

    Attributes:
        place: (2,) where it is, metres.
        velocity: (2,) how it goes now.
        readiness: how fast velocities are taken up, as `follow` takes it.
        braking: metres a second that it slows down to, for each metre that is left.
        near: metres from the end of its way at which it is there.
    """

    place: FloatArray
    velocity: FloatArray
    readiness: float
    braking: float
    near: float

    @classmethod
    def of(cls, performer: Performer, near: float) -> Traveller:
        """A performer as it goes now."""
        actor, unit = performer.actor, float(performer.actor.troupe.body.legs.unit)
        return cls(np.array(actor.place), np.array(actor.velocity), READINESS / unit, BRAKING / unit, near)

    def seconds(self, path: FloatArray, speed: float) -> float:
        """How long it goes along (N, 2) places until it stands at the last."""
        far = float(np.linalg.norm(np.diff(np.concatenate([[self.place], path]), axis=0), axis=1).sum())
        if far / speed > LONGEST:
            return WAITS * far / speed + STARTS
        x, z = self.place.tolist()
        (vx, vz), ax, az, time, goal = self.velocity.tolist(), 0.0, 0.0, 0.0, 0
        places = path.tolist()
        while time < 2.0 * LONGEST:
            dx, dz = places[goal][0] - x, places[goal][1] - z
            left = (dx * dx + dz * dz) ** 0.5
            if goal < len(places) - 1 and left < AHEAD * speed:
                goal += 1
                continue
            last = goal == len(places) - 1
            if last and left < self.near and (vx * vx + vz * vz) ** 0.5 < SLOW:
                break
            wanted = (min(speed, self.braking * left) if last else speed) / max(left, 1e-9)
            new_x, ax = follow(vx, ax, wanted * dx, self.readiness, STEP)
            new_z, az = follow(vz, az, wanted * dz, self.readiness, STEP)
            x, z = x + 0.5 * (vx + new_x) * STEP, z + 0.5 * (vz + new_z) * STEP
            vx, vz, time = new_x, new_z, time + STEP
        return WAITS * time

    def speed_for(self, path: FloatArray, seconds: float, usual: float) -> float:
        """The speed at which a way takes so many seconds, as near to it as speeds around the usual one come."""
        slow, fast = SLOWEST * usual, FASTEST * usual
        for _ in range(12):
            middle = 0.5 * (slow + fast)
            slow, fast = (middle, fast) if self.seconds(path, middle) > seconds else (slow, middle)
        return fast
