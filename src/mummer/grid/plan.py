"""Plans: what a run of the grid is to play."""

from __future__ import annotations

import msgspec

from mummer.grid.player import PERFORM
from mummer.grid.verdict import Cell

MANY = 1000
"""So many motions of passed cells are kept for the page at most; failures are always kept."""


class Plan(msgspec.Struct, frozen=True):
    """Animations and bodies.

    Attributes:
        animations: names that the player knows.
        bodies: as `mummer.grid.bodies.load_body` takes them.
        player: what makes the motions, ``module:function``.
    """

    animations: tuple[str, ...]
    bodies: tuple[str, ...]
    player: str = PERFORM

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, body by body, in the order given: that of results too, however they were reached."""
        return tuple(Cell(body, animation) for body in self.bodies for animation in self.animations)

    def keeps(self, place: int) -> tuple[str, ...]:
        """For which verdicts the motion of the cell at ``place`` is kept: all, but of a large grid few that passed."""
        stride = -(-len(self.animations) * len(self.bodies) // MANY)
        return ("passed", "failed") if place % max(1, stride) == 0 else ("failed",)
