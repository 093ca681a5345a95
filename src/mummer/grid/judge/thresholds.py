"""What each judge lets pass, and where the figure comes from.

``python -m tests.grid.limits`` measures recordings that nobody here made, on the bodies they were made for, and prints
the percentiles that the reasons speak of.
"""

from __future__ import annotations

from typing import NamedTuple


class Threshold(NamedTuple):
    """The most that passes.

    Attributes:
        most: in the unit of the judge.
        reason: why.
    """

    most: float
    reason: str


REACH = Threshold(
    10.0,
    "Judgement: a tenth of an arm is a hand's breadth, so that what is held or touched still looks held or touched.",
)
KEPT = Threshold(60.0, "Judgement: a wave or a nod is still read when half of it shows.")
FROZEN = Threshold(85.0, "Judgement: a part that shows less than about a seventh of its movement reads as stuck.")
SLIP = Threshold(
    0.2,
    "Stricter than recordings, half of which stay below 0.42: what gaits are asked to keep to, for a man 10 cm/s.",
)
SINK = Threshold(2.5, "The 90th percentile of 180 recordings is 2.4.")
HOVER = Threshold(1.0, "Of 68 recordings with skin all stay below, of 173 in all 90 %.")
PENETRATION = Threshold(0.75, "Of 178 recordings 90 % stay below; shins that cross each other altogether reach 0.81.")
POPS = Threshold(5.0, "The 90th percentile of 72 recordings with skin is 4.9; for a man 9 cm in one frame.")
LIMITS = Threshold(
    5.0, "Judgement: limits of bodies are told to about five degrees. No knee in any recording bends backwards."
)
TWIST = Threshold(
    1.0, "Of 67 recordings with skin 99 % stay below; of 175, most of them captured on bare skeletons, 82 %."
)
BUCKLING = Threshold(0.75, "The 95th percentile of 155 recordings is 0.75.")
TOUCH = Threshold(1.5, "Judgement: the width of a finger on a man, about as far apart as vertices of a hand are.")
SUPPORT = Threshold(10.0, "Of 67 recordings with skin 70 % stay below, of 172 in all 58 %.")
