"""The judges of the grid: one file each. They share nothing with what makes the motions that they judge."""

from mummer.grid.judge import (
    buckling,
    frozen,
    hover,
    kept,
    limits,
    penetration,
    pops,
    reach,
    sink,
    slip,
    support,
    touch,
    twist,
)
from mummer.grid.judge.judge import Judge, Score, Seen
from mummer.grid.judge.scene import Scene, scene_of

JUDGES: tuple[Judge, ...] = tuple(
    module.JUDGE
    for module in (
        reach, kept, frozen, slip, sink, hover, penetration, pops, limits, twist, buckling, touch, support,
    )
)  # fmt: skip
"""Every judge, in the order that the page shows them."""

__all__ = ["JUDGES", "Judge", "Scene", "Score", "Seen", "scene_of"]
