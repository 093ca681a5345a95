"""Annotated: a clip with more marks on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mummer.arrays import FloatArray
from mummer.character.marks import Mark
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Annotated(Operated):
    """The same motion with marks added to those that it has.

    Attributes:
        annotations: named moments and stretches, in the clip's own time and within its interval.

    Example:
        ``Annotated(throw, (Mark(0.8, "release"),))``
    """

    annotations: tuple[Mark, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "annotations", tuple(self.annotations))
        for mark in self.annotations:
            if not self.start - 1e-9 <= mark.time <= mark.until <= self.end + 1e-9:
                raise InputError(
                    f"mark {mark.name!r} from {mark.time:g} to {mark.until:g} s lies outside the clip, "
                    f"which runs from {self.start:g} to {self.end:g} s"
                )

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return self.clip.frames(times)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The operand's marks and the new ones."""
        return tuple(sorted({*self.clip.marks, *self.annotations}))
