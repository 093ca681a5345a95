"""How much of a body that stands is down: lowered, or turned over, as animations ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mummer.engine.scalars import eased

if TYPE_CHECKING:
    from mummer.engine.legs import Legs
    from mummer.engine.state import Goals

# Leg lengths that a root is lowered from which on a body goes more slowly, and not at all; the same of how much it is
# turned over, one less the cosine.
STOOPS, SITS, TIPS, LIES = 0.2, 0.45, 0.15, 0.5


def is_down(actor: int, legs: Legs, goals: Goals) -> float:
    """How much a root is turned over or lowered, 0 to 1, as animations ask: too much to go anywhere."""
    low = eased((-goals.root[actor, 1] / legs.length - STOOPS) / (SITS - STOOPS))
    return max(low, turned_over(actor, goals))


def turned_over(actor: int, goals: Goals) -> float:
    """How much a root is turned over, 0 to 1, as animations ask."""
    x, z = goals.root[actor, 3], goals.root[actor, 5]
    return eased((2.0 * (x * x + z * z) - TIPS) / (LIES - TIPS))
