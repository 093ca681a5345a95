"""Gaze: look at something or somebody, beside it, or away from it."""

from __future__ import annotations

import math
from typing import Any

from mummer.behavior.behavior import Behavior
from mummer.behavior.gaze_layer import Look
from mummer.behavior.needs import need
from mummer.behavior.performer import Performer
from mummer.errors import InputError, UnknownNameError

INFLUENCES: dict[str, tuple[str, ...]] = {
    "eyes": (),
    "head": ("head",),
    "neck": ("head",),
    "shoulder": ("head", "chest"),
    "waist": ("head", "chest", "waist"),
    "whole": ("head", "chest", "waist"),
}
"""How much of the body takes part in a look."""
DIRECTIONS = {
    "right": (-1.0, 0.0), "left": (1.0, 0.0), "up": (0.0, 1.0), "down": (0.0, -1.0),
    "upright": (-1.0, 1.0), "upleft": (1.0, 1.0), "downright": (-1.0, -1.0), "downleft": (1.0, -1.0),
    "polar": (0.0, 0.0),
}  # fmt: skip
"""Names of the ways beside a target, as the body itself would say: to its left, and up."""
READY, HOLD, BACK = 0.5, 1.0, 0.4
"""Seconds until a look is there, that it lasts, and that going back takes, where nothing else is said."""
SETTLES = 7.0
"""A head that is drawn with this divided by some seconds is there after them, within a hundredth."""
AVERTED = 25.0
"""Degrees by which a gaze is averted where nothing else is said."""


class Gaze(Behavior):
    """Looks at something for a while; a shift of gaze goes on looking when it has ended."""

    kind = "gaze"
    channels = frozenset({"gaze"})

    def __init__(self, target: Any, influence: str, offset: tuple[float, float], syncs: dict[str, float]) -> None:
        super().__init__(syncs)
        self.target, self.influence, self.offset = target, influence, offset
        self.stays = "relax" not in syncs
        if influence == "whole":
            self.channels = frozenset({"gaze", "locomotion"})

    def look(self, performer: Performer) -> Look:
        """What is looked at now."""
        ready = self.syncs["end" if self.stays else "ready"]
        omega = min(SETTLES / max(ready, 1e-3), 60.0)
        return Look(performer.where(self.target), INFLUENCES[self.influence], omega, self.offset)

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """See `Behavior.step`."""
        if not self.stays and time >= self.syncs["relax"]:
            return
        performer.gaze.look = look = self.look(performer)
        if self.influence == "whole":
            place = performer.actor.place
            performer.actor.face(math.atan2(look.place[0] - place[0], look.place[2] - place[1]))

    def finish(self, performer: Performer) -> None:
        """Go on looking where a shift went."""
        if self.stays:
            performer.gaze.habit = self.look(performer)


def make_gaze(
    performer: Performer,
    *,
    target: Any,
    influence: str = "head",
    offset_angle: float = 0.0,
    offset_direction: str = "right",
    averted: bool = False,
    speed: float = 1.0,
    hold: float = HOLD,
) -> Gaze:
    """Look at something for a while.

    Args:
        performer: who.
        target: a place (3,), a name of the world, somebody, or a function that says where it is now; it may move.
        influence: how much of the body takes part: ``eyes``, ``head``, ``shoulder``, ``waist`` or ``whole``.
        offset_angle: degrees beside the target.
        offset_direction: where, see `DIRECTIONS`.
        averted: whether it looks away from the target: beside it by an angle, down and to the side if none is given.
        speed: how fast, 1 as usual.
        hold: seconds on the target.
    """
    offset = _checked(performer, target, influence, offset_angle, offset_direction, averted=averted, speed=speed)
    ready = READY / speed
    return Gaze(target, influence, offset, {"ready": ready, "relax": ready + hold, "end": ready + hold + BACK})


def make_gaze_shift(
    performer: Performer,
    *,
    target: Any,
    influence: str = "head",
    offset_angle: float = 0.0,
    offset_direction: str = "right",
    averted: bool = False,
    speed: float = 1.0,
) -> Gaze:
    """Look at something from now on; see `make_gaze`."""
    offset = _checked(performer, target, influence, offset_angle, offset_direction, averted=averted, speed=speed)
    return Gaze(target, influence, offset, {"end": READY / speed})


def _checked(
    performer: Performer, target: Any, influence: str, angle: float, direction: str, *, averted: bool, speed: float
) -> tuple[float, float]:
    """Radians beside the target, to the left and up."""
    if not performer.sight.heads:
        need(performer, "head", "gaze")
    performer.where(target)
    if influence not in INFLUENCES:
        raise UnknownNameError("gaze", "influence", influence, INFLUENCES)
    if direction not in DIRECTIONS:
        raise UnknownNameError("gaze", "offset direction", direction, DIRECTIONS)
    if not (math.isfinite(angle) and 0.01 <= speed <= 100.0):
        raise InputError(f"gaze has an offset of {angle}° and speed {speed}; expected finite numbers, speed above 0.01")
    if averted and not angle:
        angle, direction = AVERTED, "downright" if direction == "right" else direction
    x, y = DIRECTIONS[direction]
    length = math.hypot(x, y) or 1.0
    return math.radians(angle) * x / length, math.radians(angle) * y / length
