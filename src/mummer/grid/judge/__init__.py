"""The judges of the grid: one file each, with a threshold and the reason for it."""

from mummer.grid.judge import buckling, frozen, goal, kept, limits, penetration, pops, sink, slip, twist
from mummer.grid.judge.judge import Judge, Score, Seen
from mummer.grid.judge.scene import Scene, scene_of

JUDGES: tuple[Judge, ...] = tuple(
    module.JUDGE for module in (goal, kept, frozen, slip, sink, penetration, pops, limits, twist, buckling)
)
"""Every judge, in the order that the page shows them."""

__all__ = ["JUDGES", "Judge", "Scene", "Score", "Seen", "scene_of"]
