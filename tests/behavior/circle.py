"""Agents on a circle, each on its way to the other side: all arrive, and nobody runs into anybody.

python -m tests.behavior.circle [COUNT] [--actors]

As discs that go exactly as fast as they are told, and, with --actors, as bodies of the zoo that walk. Prints how near
centres came in radii (2 is touching), over all steps, how many arrived, and what a step costs.
"""
# ruff: noqa: T201

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.steering import Steering
from mummer.engine import Crowd

RADIUS = 0.3


@dataclass(frozen=True)
class Crossing:
    """What was seen.

    Attributes:
        nearest: how near two centres came, metres.
        arrived: how many.
        seconds: until the last did.
        cost: of a step of steering, seconds.
    """

    nearest: float
    arrived: int
    seconds: float
    cost: float


def ring(count: int, radius: float) -> FloatArray:
    """(N, 2) places on a circle."""
    angles = 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def nearest_of(places: FloatArray) -> float:
    """How near two of them are, by looking at all pairs."""
    away = np.linalg.norm(places[:, None] - places[None], axis=-1)
    return float(away[np.triu_indices(len(places), 1)].min())


def discs(count: int, size: float, most: float = 240.0, step: float = 1 / 20) -> Crossing:
    """Discs that go exactly as fast as they are told."""
    places, goals = ring(count, size), -ring(count, size)
    velocities = np.zeros_like(places)
    steering = Steering(np.full(count, RADIUS), np.full(count, 1.3))
    for number in range(count):
        steering.go_to(number, goals[number])
    nearest, spent, steps = np.inf, 0.0, 0
    while steps * step < most and not steering.has_arrived(places).all():
        before = time.perf_counter()
        velocities = steering.velocities(places, velocities, step)
        spent += time.perf_counter() - before
        places = places + step * velocities
        nearest, steps = min(nearest, nearest_of(places)), steps + 1
    return Crossing(nearest, int(steering.has_arrived(places).sum()), steps * step, spent / max(steps, 1))


def walkers(count: int, size: float, most: float = 240.0, step: float = 1 / 30) -> Crossing:
    """Adults that walk."""
    places = ring(count, size)
    headings = np.arctan2(-places[:, 0], -places[:, 1])
    crowd = Crowd(["zoo:adult"] * count, places.tolist(), headings.tolist())
    steering = Steering.of(crowd.actors, RADIUS)
    for number in range(count):
        steering.go_to(number, -places[number])
    nearest, spent, steps = np.inf, 0.0, 0
    now = places
    while steps * step < most and not steering.has_arrived(now).all():
        before = time.perf_counter()
        steering.steer(crowd.actors, step)
        spent += time.perf_counter() - before
        crowd.step(step)
        now = np.array([actor.place for actor in crowd])
        nearest, steps = min(nearest, nearest_of(now)), steps + 1
    return Crossing(nearest, int(steering.has_arrived(now).sum()), steps * step, spent / max(steps, 1))


def main(arguments: list[str]) -> None:
    """Print what was seen."""
    count = int(next((each for each in arguments if each.isdigit()), 200))
    run = walkers if "--actors" in arguments else discs
    seen = run(count, max(4.0, 0.16 * count))
    print(f"{count} {run.__name__}: centres never nearer than {seen.nearest:.3f} m, {seen.nearest / RADIUS:.2f} radii; "
          f"{seen.arrived} arrived within {seen.seconds:.0f} s, {1e3 * seen.cost:.2f} ms a step")  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
