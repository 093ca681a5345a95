"""Steering: where each of many goes now, along its path, around what stands about and past one another."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.behavior.avoidance import avoid
from mummer.behavior.navigation import Navigation
from mummer.engine import Actor
from mummer.errors import InputError

ARRIVED = 0.15
"""Metres from its goal at which somebody is there."""
TURNS_IN = 0.4
"""Metres from a corner of its path at which somebody goes on to the next."""
SLOWS_DOWN = 0.6
"""Seconds before its goal from which on somebody slows down."""
ASIDE, MORE_ASIDE = 0.1, 1.2
"""Radians that somebody in a crowd goes beside the straight way, always on the same side; and how far by chance, to
either side, when it is held up: those who meet head on do not stand and wait for each other."""
YIELDS = 2.0
"""How much, in wanted speeds, somebody who is held up steps back now and then."""
CHANCE = 0.7
"""Seconds in which chance forgets."""
HELD_UP = 1.0
"""Seconds in which somebody notices that it does not get on."""
SPARE = 0.04
"""Metres that are kept between two."""
INERTIA = 0.15
"""Metres more that are kept from others by bodies, which do not go at once as they are told."""
LOOKS_AHEAD = 2.5
"""Seconds."""


class Steering:
    """Steers N agents.

    Attributes:
        radii: (N,) metres around each that nobody else should be in.
        fastest: (N,) metres a second.
        navigation: what stands about; None for nothing.
        paths: of each the places that it still goes to, the last one its goal; empty for one that stands.
    """

    def __init__(self, radii: FloatArray, speeds: FloatArray, navigation: Navigation | None = None) -> None:
        self.radii, self.speeds = np.asarray(radii, np.float64), np.asarray(speeds, np.float64)
        self.navigation = navigation
        self._told: FloatArray = np.zeros((len(self.radii), 2))
        self.paths: list[list[FloatArray]] = [[] for _ in self.radii]
        self.goals = np.full((len(self.radii), 2), np.nan)
        self._held_up, self._chance = np.zeros(len(self.radii)), np.zeros(len(self.radii))
        self._dice = np.random.default_rng(0)

    @classmethod
    def of(cls, actors: Sequence[Actor], radius: float, navigation: Navigation | None = None) -> Steering:
        """Steering for actors that go as fast as is easy for them."""
        speeds = np.array([actor.troupe.easy_speed for actor in actors])
        return cls(np.full(len(actors), radius + INERTIA), speeds, navigation)

    def go_to(self, agent: int, place: Sequence[float] | FloatArray, start: FloatArray | None = None) -> None:
        """Let an agent go somewhere, x and z; with what stands about, from ``start``.

        Raises:
            InputError: if it cannot get there.
        """
        goal = np.asarray(place, np.float64)
        if goal.shape != (2,) or not np.isfinite(goal).all():
            raise InputError(f"a goal is {place}; expected x and z")
        self.goals[agent] = goal
        if self.navigation is None or start is None:
            self.paths[agent] = [goal]
        else:
            self.paths[agent] = list(self.navigation.path(start, goal)[1:])

    def has_arrived(self, places: FloatArray) -> BoolArray:
        """(N,) who is where it was sent, of places (N, 2)."""
        away = np.linalg.norm(places - self.goals, axis=1)
        return np.asarray(np.isnan(away) | (away < ARRIVED))

    def wanted(self, places: FloatArray) -> FloatArray:
        """(N, 2) velocities that each would like to have if it were alone."""
        found = np.zeros_like(places)
        for agent, path in enumerate(self.paths):
            while len(path) > 1 and np.linalg.norm(path[0] - places[agent]) < TURNS_IN:
                path.pop(0)
            if path:
                away = path[0] - places[agent]
                far = float(np.linalg.norm(away))
                slow = min(1.0, far / (SLOWS_DOWN * self.speeds[agent])) if len(path) == 1 else 1.0
                found[agent] = self.speeds[agent] * slow * away / max(far, 1e-9)
        return found

    def velocities(self, places: FloatArray, velocities: FloatArray, seconds: float) -> FloatArray:
        """(N, 2) velocities that each should have now."""
        wanted = self.wanted(places)
        speeds = np.linalg.norm(wanted, axis=1)
        progress = np.vecdot(velocities, wanted) / np.maximum(speeds**2, 1e-9)
        now = np.where(speeds > 0.1, np.clip(1.0 - progress, 0.0, 1.0), 0.0)
        self._held_up += (now - self._held_up) * (1.0 - math.exp(-seconds / HELD_UP))
        is_far = np.linalg.norm(places - self.goals, axis=1) > 4.0 * ARRIVED
        forgets = 1.0 - math.exp(-seconds / CHANCE)
        self._chance += forgets * -self._chance + math.sqrt(2.0 * forgets) * self._dice.normal(size=len(places))
        aside = ASIDE + MORE_ASIDE * self._held_up * np.clip(self._chance, -1.0, 1.0)
        # A ring of people who press inward holds like an arch until some of them step back.
        wanted *= (1.0 - YIELDS * self._held_up * np.clip(np.abs(self._chance) - 1.0, 0.0, 1.0))[:, None]
        angle = np.where(is_far & (len(places) > 1), aside, 0.0)
        sine, cosine = np.sin(angle), np.cos(angle)
        wanted = np.column_stack([
            cosine * wanted[:, 0] - sine * wanted[:, 1], sine * wanted[:, 0] + cosine * wanted[:, 1],
        ])  # fmt: skip
        walls = None if self.navigation is None else self.navigation.nearest_walls(places)
        return avoid(
            places, velocities, wanted, self.radii + 0.5 * SPARE, fastest=self.speeds, seconds=seconds,
            horizon=LOOKS_AHEAD, walls=walls,
        )  # fmt: skip

    def steer(self, actors: Sequence[Actor], seconds: float) -> None:
        """Tell actors where to go now; before each step of theirs."""
        places = np.array([actor.place for actor in actors])
        # What bodies were told counts, not how far they have come with it: they are late anyhow.
        chosen = self._told = self.velocities(places, self._told, seconds)
        for actor, (x, z) in zip(actors, chosen.tolist(), strict=True):
            speed = math.hypot(x, z)
            actor.go((x, z), heading=math.atan2(x, z) if speed > 0.15 else actor.heading)
