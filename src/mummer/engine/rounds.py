"""A gait that goes on for ever: whole rounds of it, so that a clip can be played again and again."""

from __future__ import annotations

import math

import numpy as np

from mummer.character import Character
from mummer.clip import Clip, Loop
from mummer.clip.analysis import find_cycle
from mummer.engine.legs import GRAVITY
from mummer.errors import InputError
from mummer.general.physique import physique_of

ENOUGH = 18.0
"""How long a body must go for its rounds to be seen, in roots of (its longest side / gravity)."""
SURE = 0.6
"""How alike poses a round apart must be for the motion to count as one that repeats."""


def long_enough(character: Character) -> float:
    """Seconds in which a gait of the body, whatever its size, goes round often enough to be steady."""
    return ENOUGH * math.sqrt(float(np.max(physique_of(character).size)) / GRAVITY)


def whole_rounds(clip: Clip, at_least: float = 0.0) -> Clip | None:
    """The fewest whole rounds of a steady motion that last ``at_least`` seconds; their end flows into their start.

    Args:
        clip: several rounds, such as ``perform(body, "walk", duration=6, ends="moving")``.
        at_least: seconds; one round if 0.

    Returns:
        A clip, or None if the motion does not repeat itself.
    """
    try:
        cycle = find_cycle(clip, longest=0.5 * clip.duration)
    except InputError:
        return None
    if cycle.confidence < SURE:
        return None
    return Loop(cycle.cut(clip), max(1, math.ceil(at_least / cycle.period - 1e-6)))
