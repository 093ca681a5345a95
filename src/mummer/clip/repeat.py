"""Repeat: a clip again and again, as it is."""

from __future__ import annotations

from dataclasses import dataclass

from mummer.arrays import FloatArray
from mummer.clip.cycles import Cyclic
from mummer.clip.frames import Frames


@dataclass(frozen=True, eq=False, repr=False)
class Repeat(Cyclic):
    """The clip ``count`` times one after the other, unchanged: if its ends do not meet, it jumps.

    By default each time starts where the one before ended, on the ground and in heading; with ``travel`` and ``turn``
    off each starts where the first did. `Loop` makes the ends meet.
    """

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        cycle, inner = self.locate(times)
        made = self.clip.frames(inner)
        if self.travel or self.turn:
            self.carry_on(made, cycle)
        return made
