"""How high the joints of a neck lie above the shoulders: what tells necks, heads and crowns apart without a surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.recognition.limbs import Branch
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape

LADDER = 0.12
"""How much the heights of the joints of a neck weigh on a body without a surface, beside other signs of a head."""


@dataclass(frozen=True)
class Sight:
    """What the search for a head looks at."""

    shape: Shape
    middle: set[int]
    legs: Sequence[Branch]
    arms: Sequence[Branch]
    small: Sequence[Branch]
    readings: Sequence[Reading]
    origin: int


def is_upright(sight: Sight) -> bool:
    """Whether the body stands on two legs with arms well above them."""
    if len(sight.legs) != 1 or not sight.arms:
        return False
    shape = sight.shape
    hips = shape.positions[[sight.legs[0].root, *sight.legs[0].other[:1]]].mean(axis=0)
    shoulders = np.mean([shape.positions[[arm.root, *arm.other[:1]]].mean(axis=0) for arm in sight.arms], axis=0)
    line = shoulders - hips
    return float(line @ shape.up) > 0.6 * float(np.linalg.norm(line))


def _shoulders(sight: Sight) -> float:
    """How high the arms start, in metres: their second joint after a collar bone, their first if it hangs from that."""
    heights = sight.shape.heights
    found = []
    for arm in sight.arms:
        first, second = (float(heights[arm.chain[spot]]) for spot in (0, min(1, len(arm.chain) - 1)))
        found.append(second if first - second < 0.1 * sight.shape.tall else first)
    return max(found)


def _torso(sight: Sight) -> float:
    """Metres from where the legs start up to where the arms do; never zero."""
    return max(_shoulders(sight) - sight.legs[0].base, 0.1 * sight.shape.tall)


def rising(sight: Sight, beyond: Sequence[int]) -> list[int]:
    """The joints of a line up to where it stops rising, well above the shoulders: what follows is a face."""
    shape = sight.shape
    enough = _shoulders(sight) + 0.08 * _torso(sight)
    for place in range(1, len(beyond)):
        step = shape.positions[beyond[place]] - shape.positions[beyond[place - 1]]
        level = float(step @ shape.up) < 0.2 * float(np.linalg.norm(step))
        if level and shape.heights[beyond[place - 1]] > enough:
            return list(beyond[:place])
    return list(beyond)


def low_necks(sight: Sight, candidates: Sequence[int]) -> int:
    """How many joints of a neck lie below the shoulders, on an upright body without a surface."""
    if sight.shape.surface.exists or not is_upright(sight):
        return 0
    least = _shoulders(sight) - 0.1 * _torso(sight)
    heights = [float(sight.shape.heights[joint]) for joint in candidates[:-1]]
    return next((place for place, height in enumerate(heights) if height > least), max(0, len(heights) - 1))


def proportion(sight: Sight, candidates: Sequence[int], place: int) -> float:
    """On an upright body heads start a ninth of the shoulders' height above them; necks less, crowns a quarter.

    Where no surface tells more, all joints of the line are looked at: necks, then the head, then at most a crown.
    """
    shape = sight.shape
    if not is_upright(sight):
        return 0.0
    shoulders = _shoulders(sight)
    heights = [float(shape.heights[joint]) - shoulders for joint in candidates]
    if shape.surface.exists:
        above = heights[place] / max(shoulders - shape.ground, 1e-9)
        return -min(0.6, 0.25 * ((above - 0.11) / 0.08) ** 2)
    torso = _torso(sight)
    # Big heads have long necks: the same ladder, larger.
    sizes = [torso * scale for scale in (1.0, 1.4, 2.0)]
    costs = [_ladder([height / size for height in heights], place) + 3.0 * number for number, size in enumerate(sizes)]
    return -LADDER * (min(costs) + (3.0 if _is_crown(shape, candidates, place) else 0.0))


def _is_crown(shape: Shape, candidates: Sequence[int], place: int) -> bool:
    """Whether a joint ends a neck of several after a step much longer than the one before: the head lies below it."""
    if place < 2 or place + 1 < len(candidates):
        return False
    return shape.bones[candidates[place]] > 1.6 * shape.bones[candidates[place - 1]]


def _ladder(heights: Sequence[float], place: int) -> float:
    """What speaks against the head at one of several heights above the shoulders, in lengths of the trunk."""
    cost = min(5.0, ((heights[place] - 0.3) / 0.13) ** 2)
    for number, height in enumerate(heights[:place]):
        cost += min(4.0, (max(0.0, height - 0.15 - 0.1 * number) / 0.12) ** 2)
    for number, height in enumerate(heights[place + 1 :]):
        cost += min(4.0, (max(0.0, 0.5 - height) / 0.12) ** 2) + 2.0 * (number > 0)
    return cost
