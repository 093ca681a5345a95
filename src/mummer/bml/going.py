"""What blocks may ask for and bodies do by themselves: go somewhere, wait."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mummer.behavior import Behavior, Performer
from mummer.general import load_animation
from mummer.general.animation import Animation

NEAR, SLOW = 0.15, 0.08
"""Metres from a place, and metres a second, at which somebody has arrived."""
BEGINS, ENDS = 0.5, 0.6
"""Seconds that starting and stopping take beside the way itself."""
PATIENCE = 3.0
"""How many times longer than expected a way may take before it is given up."""
PACES = {"walk": 1.0, "jog": 1.7, "run": 2.6, "stroll": 0.7, "sneak": 0.5}
"""How fast manners of going are beside what suits the body."""


class Pause(Behavior):
    """Nothing, for a while: what waits and events are."""

    kind = "wait"

    def step(self, performer: Performer, time: float, seconds: float) -> None:
        """See `Behavior.step`."""


class Going(Behavior):
    """Goes to one place after another; it knows that it is there when it is."""

    kind = "locomotion"
    channels = frozenset({"locomotion"})

    def __init__(self, performer: Performer, places: Sequence[Any], pace: float) -> None:
        self.places, self.pace = list(places), pace
        here, length = np.array(performer.actor.place), 0.0
        for place in self.places:
            there = _on_ground(performer, place)
            length += float(np.linalg.norm(there - here))
            here = there
        self.expected = length / max(pace, 1e-3) + BEGINS + ENDS
        super().__init__({"end": self.expected})

    def begin(self, performer: Performer) -> None:
        """Set out."""
        self._go(performer)

    def _go(self, performer: Performer) -> None:
        if self.places:
            x, z = _on_ground(performer, self.places[0])
            performer.actor.go_to((float(x), float(z)), pace=self.pace)

    def _is_there(self, performer: Performer) -> bool:
        away = np.linalg.norm(_on_ground(performer, self.places[0]) - performer.actor.place)
        still = len(self.places) > 1 or float(np.linalg.norm(performer.actor.velocity)) < SLOW
        return bool(away < NEAR * (1.0 if len(self.places) == 1 else 3.0)) and still

    def step(self, performer: Performer, time: float, seconds: float) -> None:  # noqa: ARG002
        """Turn to the next place when one is reached; follow those that move."""
        while len(self.places) > 1 and self._is_there(performer):
            self.places.pop(0)
        self._go(performer)

    def is_over(self, performer: Performer, time: float) -> bool:
        """Whether it is there, or has tried long enough."""
        if time < min(self.syncs["end"], BEGINS):
            return False
        return self._is_there(performer) or time > PATIENCE * max(self.syncs["end"], self.expected) + 1.0

    def finish(self, performer: Performer) -> None:
        """Stand."""
        performer.actor.go((0.0, 0.0))


def _on_ground(performer: Performer, place: Any) -> Any:
    x, _, z = performer.where(place)
    return np.array([x, z])


def animation_named(name: str) -> Animation:
    """An animation of the library, never of a file.

    Raises:
        UnknownNameError: with the nearest.
    """
    from mummer.errors import UnknownNameError
    from mummer.general import animation_names

    if name not in animation_names():
        raise UnknownNameError("the library", "animation", name, animation_names())
    return load_animation(name)
