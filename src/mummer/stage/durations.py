"""How long groups of a body take for their ways: speed limits, and what was learned from recordings or corrections.

A duration is learned in logarithms, which makes it a power of distance and speed:

    log seconds = c₀ + c₁ log(distance + ε) + c₂ log(speed + ε)                        where there is no prototype
    log(seconds / prototype's) = s₀ + s₁ log(distance / prototype's)                   where there is one

the second being the thesis's S(ratio), the first its R(distance), which learned here that a body that already moves
takes less time. Both are averaged where both are known. What is learned of one group counts for it alone from `ENOUGH`
examples on, and for all others in any case; left and right are one.
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError

ALL = "*"
"""What is known of groups in general."""
EPSILON = 0.03
"""Reaches, and reaches a second, below which nothing moves to the eye."""
ENOUGH = 40
"""Examples from which on a group has a rule of its own."""
RIDGE = 1e-2
"""How much a coefficient of one costs, in squared errors of the logarithm."""


@dataclass(frozen=True)
class Example:
    """One way of one group, as it was recorded or corrected by hand.

    Attributes:
        group: its name.
        distance, speed: in reaches, and reaches a second; see `mummer.stage.timing.Leap`.
        seconds: how long it took.
        prototype: reaches and seconds of the prototype; zeros if there is none.
    """

    group: str
    distance: float
    speed: float
    seconds: float
    prototype: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Durations:
    """What is known of durations.

    Attributes:
        ways: by group, c₀ c₁ c₂.
        scales: s₀ s₁.
        limits: by group, reaches a second that its mass can be moved at most.
    """

    ways: Mapping[str, tuple[float, float, float]]
    scales: tuple[float, float]
    limits: Mapping[str, float]

    def __post_init__(self) -> None:
        for what in ("ways", "limits"):
            if ALL not in getattr(self, what):
                raise InputError(f"{what} of durations say nothing of groups in general; expected an entry {ALL!r}")

    def limit(self, group: str) -> float:
        """Reaches a second that the group's mass can be moved at most."""
        return self.limits.get(kind_of(group), self.limits[ALL])

    def seconds(
        self, group: str, distance: float, speed: float, prototype: float = 0.0, prototype_seconds: float = 0.0
    ) -> float:
        """How long a group takes; see `Example` for what is given."""
        way = np.array(self.ways.get(kind_of(group), self.ways[ALL]))
        found = float(way @ _features(distance, speed))
        if prototype > 0 and prototype_seconds > 0:
            scale = self.scales[0] + self.scales[1] * math.log((distance + EPSILON) / (prototype + EPSILON))
            found = 0.5 * (found + math.log(prototype_seconds) + scale)
        return math.exp(found)

    def corrected(self, examples: Iterable[Example], share: float = 1.0) -> Durations:
        """These durations after what a person has corrected: all rules are moved by the mean miss, times ``share``."""
        listed = list(examples)
        misses = [
            math.log(each.seconds / self.seconds(each.group, each.distance, each.speed, *each.prototype))
            for each in listed
        ]
        if not misses:
            return self
        return dataclasses.replace(self.taking(math.exp(share * float(np.mean(misses)))), limits=self.limits)

    def taking(self, factor: float) -> Durations:
        """The durations of somebody who takes ``factor`` times as long, and cannot be as much faster either.

        Example:
            >>> slow = shipped().taking(2.0)
            >>> round(slow.seconds("arm", 0.5, 1.0) / shipped().seconds("arm", 0.5, 1.0), 9)
            2.0
        """
        by = math.log(factor)
        ways = {name: (way[0] + by, way[1], way[2]) for name, way in self.ways.items()}
        limits = {name: limit / factor for name, limit in self.limits.items()}
        return Durations(ways, (self.scales[0] + by, self.scales[1]), limits)


def learn(examples: Iterable[Example], limits: Mapping[str, float]) -> Durations:
    """The durations that fit examples best.

    Args:
        examples: from recordings, or corrections.
        limits: see `Durations`.

    Raises:
        InputError: if there is none.
    """
    listed = [each for each in examples if each.seconds > 0]
    if not listed:
        raise InputError("durations are learned from examples; expected at least one")
    ways = {ALL: _fitted(listed)}
    for group in sorted({kind_of(each.group) for each in listed}):
        own = [each for each in listed if kind_of(each.group) == group]
        if len(own) >= ENOUGH:
            ways[group] = _fitted(own)
    told = [each for each in listed if min(each.prototype) > 0]
    scales = (0.0, 0.0)
    if told:
        rows = np.array([[1, math.log((e.distance + EPSILON) / (e.prototype[0] + EPSILON))] for e in told])
        fit = _least_squares(rows, np.log([each.seconds / each.prototype[1] for each in told]))
        scales = (float(fit[0]), float(fit[1]))
    return Durations(ways, scales, dict(limits))


def kind_of(group: str) -> str:
    """What a group is, on whichever side and in whichever row: ``leg`` for ``hind_left_leg`` and ``leg_2_right``."""
    words = [word for word in group.split("_") if word not in ("left", "right") and not word.isdigit()]
    return words[-1] if words else group


@cache
def shipped() -> Durations:
    """The durations that ship: learned from recordings of people by ``python -m tests.stage.transitions``."""
    told = tomllib.loads(files("mummer.stage").joinpath("library/durations.toml").read_text(encoding="utf-8"))
    ways = {name: (way[0], way[1], way[2]) for name, way in told["ways"].items()}
    return Durations(ways, (told["scales"][0], told["scales"][1]), told["limits"])


def text_of(durations: Durations) -> str:
    """The durations as the text of a file that `shipped` reads."""
    lines = ["version = 1", f"scales = [{', '.join(f'{each:.4f}' for each in durations.scales)}]", "", "[ways]"]
    lines += [f'"{name}" = [{", ".join(f"{each:.4f}" for each in way)}]' for name, way in durations.ways.items()]
    lines += ["", "[limits]", *(f'"{name}" = {limit:.3f}' for name, limit in durations.limits.items())]
    return "\n".join(lines) + "\n"


def _features(distance: float, speed: float) -> FloatArray:
    return np.array([1.0, math.log(distance + EPSILON), math.log(speed + EPSILON)])


def _fitted(examples: list[Example]) -> tuple[float, float, float]:
    rows = np.stack([_features(each.distance, each.speed) for each in examples])
    found = _least_squares(rows, np.log([each.seconds for each in examples]))
    return float(found[0]), float(found[1]), float(found[2])


def _least_squares(rows: FloatArray, values: FloatArray) -> FloatArray:
    """The coefficients, pulled a little towards zero but for the first."""
    pull = np.diag([0.0, *[RIDGE * len(rows)] * (rows.shape[1] - 1)])
    return np.asarray(np.linalg.solve(rows.T @ rows + pull, rows.T @ values))
