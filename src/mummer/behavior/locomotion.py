"""Locomotion: to a place, along a path, around what stands about, sideways, by stick; turning on the spot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.behavior import Behavior
from mummer.behavior.navigation import Navigation
from mummer.behavior.performer import Performer
from mummer.behavior.travel import AHEAD, Traveller
from mummer.engine.scalars import wrapped
from mummer.errors import InputError, UnknownNameError

MANNERS = {"walk": 1.0, "stroll": 0.7, "jog": 1.7, "run": 2.4, "strafe": 0.7}
"""Ways to go, and how fast each is, in speeds that are easy for the body."""
ARRIVED = 0.1
"""Metres from its goal, or parts of a tenth of a body's height for larger ones, at which somebody is there."""
STUCK = 3.0
"""Seconds without getting on after which somebody gives up."""
TURNING = 2.0
"""Radians a second at which a turn is expected to go."""
FACED = math.radians(4.0)
MOST = 1000
"""Places of a path at most."""


class Locomotion(Behavior):
    """Goes along a path and stops at its end."""

    kind = "locomotion"
    channels = frozenset({"locomotion"})

    def __init__(
        self, performer: Performer, path: FloatArray, *, speed: float, facing: float | None, sideways: bool, target: Any
    ) -> None:
        self.path, self.speed, self.facing, self.sideways, self.target = path, speed, facing, sideways, target
        self.near = max(ARRIVED, 0.1 * performer.physique.height * ARRIVED)
        self._traveller = Traveller.of(performer, self.near)
        self._turns = 0.0 if facing is None else abs(wrapped(facing - _last_heading(performer, path))) / TURNING
        super().__init__({"end": self._traveller.seconds(path, speed) + self._turns})
        self._next, self._best, self._since = 0, math.inf, 0.0
        self._over = self._stops = False

    def retimed(self, syncs: Any) -> Behavior:
        """See `Behavior.retimed`: another end is another speed, as far as the body goes that fast."""
        made = super().retimed(syncs)
        assert isinstance(made, Locomotion)
        if abs(made.duration - self.duration) > 1e-3:
            made.speed = self._traveller.speed_for(self.path, made.duration - self._turns, self.speed)
        made.path = self.path.copy()
        return made

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        actor, place = performer.actor, performer.actor.place
        if self.target is not None:
            x, _, z = performer.where(self.target)
            self.path[-1] = x, z
        while self._next < len(self.path) - 1 and np.linalg.norm(self.path[self._next] - place) < AHEAD * self.speed:
            self._next += 1
        aim, last = self.path[self._next], self._next == len(self.path) - 1
        far = float(np.linalg.norm(aim - place))
        left = far + float(np.linalg.norm(np.diff(self.path[self._next :], axis=0), axis=1).sum())
        if left < self._best - 0.02:
            self._best, self._since = left, time
        if not last or self.sideways:
            speed = min(self.speed, self._traveller.braking * far) if last else self.speed
            x, z = speed * (aim - place) / max(far, 1e-9)
            actor.go((float(x), float(z)), heading=actor.heading if self.sideways else None)
        elif not self._stops:
            actor.go_to((float(aim[0]), float(aim[1])), pace=self.speed)
        if left < 3.0 * self.near and self.facing is not None:
            actor.face(self.facing)
        slow = float(np.linalg.norm(actor.velocity)) < 0.1
        faced = self.facing is None or abs(wrapped(actor.heading - self.facing)) < FACED
        self._over = (left < self.near and slow and faced) or time - self._since > STUCK

    def is_over(self, performer: Performer, time: float) -> bool:  # noqa: ARG002
        """See `Behavior.is_over`."""
        return self._over

    def finish(self, performer: Performer) -> None:
        """Stand."""
        performer.actor.go((0.0, 0.0), heading=performer.actor.heading if self.facing is None else self.facing)


def _last_heading(performer: Performer, path: FloatArray) -> float:
    """The heading in which somebody comes to the end of a path."""
    x, z = path[-1] - (path[-2] if len(path) > 1 else performer.actor.place)
    return math.atan2(float(x), float(z)) if math.hypot(float(x), float(z)) > ARRIVED else performer.actor.heading


class Turn(Behavior):
    """Turns on the spot."""

    kind = "turn"
    channels = frozenset({"locomotion"})

    def __init__(self, performer: Performer, heading: float) -> None:
        self.heading = heading
        super().__init__({"end": 0.3 + abs(wrapped(heading - performer.actor.heading)) / TURNING})
        self._over = False

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        performer.actor.face(self.heading)
        away = abs(wrapped(performer.actor.heading - self.heading))
        self._over = away < FACED or time > 4.0 * self.duration + 2.0

    def is_over(self, performer: Performer, time: float) -> bool:  # noqa: ARG002
        """See `Behavior.is_over`."""
        return self._over


class Stick(Behavior):
    """Goes as a stick says, until it is stopped; write to its velocity and heading at any time.

    Attributes:
        velocity: metres a second, to the left and ahead of where the body faces, or in the world.
        heading: radians to face; where it goes if None.
        own: whether velocities are as the body sees them.
    """

    kind = "stick"
    channels = frozenset({"locomotion"})

    def __init__(self, velocity: tuple[float, float], heading: float | None, *, own: bool, duration: float) -> None:
        super().__init__({"end": duration})
        self.velocity, self.heading, self.own = velocity, heading, own

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        x, z = self.velocity
        if self.own:
            sine, cosine = math.sin(performer.actor.heading), math.cos(performer.actor.heading)
            x, z = cosine * x + sine * z, -sine * x + cosine * z
        performer.actor.go((x, z), heading=self.heading)

    def finish(self, performer: Performer) -> None:
        """Stand."""
        performer.actor.go((0.0, 0.0), heading=performer.actor.heading)


def make_locomotion(
    performer: Performer,
    *,
    target: Any = None,
    path: Sequence[Sequence[float]] | None = None,
    manner: str = "walk",
    speed: float | None = None,
    facing: float | None = None,
    around: Navigation | None = None,
) -> Locomotion:
    """Go somewhere.

    Args:
        performer: who.
        target: where to: x and z, x, y and z, a name of the world, or somebody, who is followed.
        path: places to go by, x and z each, in place of a target or before it.
        manner: one of `MANNERS`.
        speed: metres a second; by the manner if None.
        facing: radians from +Z to +X to face at the end.
        around: what stands in the way.
    """
    if manner not in MANNERS:
        raise UnknownNameError("locomotion", "manner", manner, MANNERS)
    fast = MANNERS[manner] * performer.actor.troupe.easy_speed if speed is None else float(speed)
    if not 1e-3 < fast < 100.0:
        raise InputError(f"locomotion has a speed of {fast} m/s; expected a positive number below 100")
    places = np.asarray([] if path is None else path, np.float64).reshape(-1, 2)
    if target is None and not len(places):
        raise InputError("locomotion needs 'target' or 'path'")
    if len(places) > MOST or not np.isfinite(places).all():
        raise InputError(f"a path has {len(places)} places; expected {MOST} finite ones at most")
    moving = None
    if target is not None:
        goal, moving = _goal(performer, target)
        places = np.concatenate([places, goal[None]])
    if around is not None:
        stops = np.concatenate([[performer.actor.place], places])
        ways = [around.path(start, end)[1:] for start, end in pairwise(stops)]
        places = np.concatenate(ways)
    return Locomotion(performer, places, speed=fast, facing=facing, sideways=manner == "strafe", target=moving)


def _goal(performer: Performer, target: Any) -> tuple[FloatArray, Any]:
    """(2,) where to go, and what moves meanwhile, or None."""
    if not isinstance(target, (str, Performer)) and not callable(target) and np.shape(target) == (2,):
        goal = np.asarray(target, np.float64)
        if not np.isfinite(goal).all():
            raise InputError(f"the place is {target}; expected finite numbers")
        return goal, None
    x, _, z = performer.where(target)
    is_fixed = not isinstance(target, (str, Performer)) and not callable(target)
    return np.array([x, z]), None if is_fixed else target


def make_turn(performer: Performer, *, heading: float | None = None, target: Any = None) -> Turn:
    """Turn to a heading, radians from +Z to +X, or to something."""
    if (heading is None) == (target is None):
        raise InputError("turn needs 'heading' or 'target', and one of them only")
    if target is not None:
        goal, _ = _goal(performer, target)
        away = goal - performer.actor.place
        heading = math.atan2(float(away[0]), float(away[1]))
    assert heading is not None
    if not math.isfinite(heading):
        raise InputError(f"the heading is {heading}; expected a finite number of radians")
    return Turn(performer, float(heading))


def make_stick(
    performer: Performer,  # noqa: ARG001
    *,
    velocity: Sequence[float],
    heading: float | None = None,
    own: bool = True,
    duration: float = math.inf,
) -> Stick:
    """Go as a stick says; see `Stick`."""
    x, z = (float(number) for number in velocity)
    if not (math.isfinite(x) and math.isfinite(z) and duration > 0.0):
        raise InputError(f"a stick says {x, z} m/s for {duration} s; expected finite numbers and a positive time")
    return Stick((x, z), heading, own=own, duration=float(duration))
