"""The base of operators on one clip that keep its times."""

from __future__ import annotations

from dataclasses import dataclass

from mummer.character import Character
from mummer.clip.clip import Clip


@dataclass(frozen=True, eq=False, repr=False)
class Operated(Clip):
    """A clip made of one other, for the same body over the same interval.

    Attributes:
        clip: the operand.
    """

    clip: Clip

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.clip.body

    @property
    def start(self) -> float:
        """Seconds at which the clip begins."""
        return self.clip.start

    @property
    def end(self) -> float:
        """Seconds at which the clip ends."""
        return self.clip.end
