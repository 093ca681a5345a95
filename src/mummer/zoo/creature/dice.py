"""Throws of the dice: a thin layer over numpy's generator that reads well in the parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Choice = TypeVar("Choice")


class Dice:
    """A stream of random choices, the same on every machine for the same seed.

    Args:
        seed: a whole number from zero up.
    """

    def __init__(self, seed: int) -> None:
        # One block of numbers drawn at once: single draws cost ten times as much.
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._block: list[float] = []

    def part(self) -> float:
        """A number from 0 up to 1."""
        if not self._block:
            self._block = self._generator.random(256).tolist()
        return self._block.pop()

    def between(self, low: float, high: float) -> float:
        """A number between two others."""
        return low + (high - low) * self.part()

    def whole(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + min(int(self.part() * (high - low + 1)), high - low)

    def chance(self, probability: float) -> bool:
        """Whether something that happens this often happens now."""
        return self.part() < probability

    def pick(self, choices: Sequence[tuple[Choice, float]]) -> Choice:
        """One of several choices, each with its weight."""
        left = self.part() * sum(weight for _, weight in choices)
        for choice, weight in choices:
            left -= weight
            if left < 0:
                return choice
        return choices[-1][0]
