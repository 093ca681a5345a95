"""Blend: one clip flowing into another over the time that they overlap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.mixing import ease, mix_into
from mummer.clip.pieces import put_together
from mummer.clip.pivot import pivot_to
from mummer.clip.standing import Standing
from mummer.clip.weights import require_same_body
from mummer.errors import InputError, UnknownNameError

Align = Literal["none", "ground"]


@dataclass(frozen=True, eq=False, repr=False)
class Blend(Clip):
    """The first clip, then the second, which starts ``overlap`` seconds before the end of the first.

    Meanwhile a curve leads from the one to the other. A joint that only one of them defines follows that one for as
    long as it runs.

    Attributes:
        first, second: clips of one body.
        overlap: seconds, at most the shorter duration.
        align: ``ground`` turns and moves the second over the ground so that in the middle of the overlap both stand in
            the same place and face the same way; ``none`` takes it as it is.
        slopes: of the Hermite curve from 0 to 1 at its ends: (0, 0) leaves and arrives gently, (1, 1) is a line.
    """

    first: Clip
    second: Clip
    overlap: float
    align: Align = "none"
    slopes: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        require_same_body(self.first.body, self.second.body, "a blend")
        object.__setattr__(self, "slopes", (float(self.slopes[0]), float(self.slopes[1])))
        shorter = min(self.first.duration, self.second.duration)
        if not 0 <= self.overlap <= shorter + 1e-9:
            raise InputError(f"clips cannot overlap by {self.overlap:g} s; the shorter lasts {shorter:g} s")
        if self.align not in ("none", "ground"):
            raise UnknownNameError("Blend", "align", self.align, ["none", "ground"])

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.first.body

    @property
    def start(self) -> float:
        """The start of the first clip."""
        return self.first.start

    @property
    def end(self) -> float:
        """When the second clip has come to its end."""
        return self.entry + self.second.duration

    @property
    def entry(self) -> float:
        """Seconds at which the second clip starts."""
        return self.first.end - self.overlap

    @property
    def delay(self) -> float:
        """What is added to the second clip's own times."""
        return self.entry - self.second.start

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of both, those of the second at its new times."""
        later = [mark.moved(mark.time + self.delay, mark.until + self.delay) for mark in self.second.marks]
        return tuple(sorted([*self.first.marks, *later]))

    @cached_property
    def placed(self) -> Clip:
        """The second clip in its own times, put where it is played."""
        if self.align == "none":
            return self.second
        middle = self.first.end - 0.5 * self.overlap
        places, headings = Standing.of(self.body).places(self.first.frames(np.array([middle])))
        return pivot_to(self.second, places[0], float(headings[0]), time=middle - self.delay)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        before, after = times < self.entry, times > self.first.end
        if not self.overlap > 0:
            after = ~before
        pieces = [(before, self.first.frames), (after, self._later), (~(before | after), self._meanwhile)]
        return put_together(times, pieces, self.body)

    def _later(self, times: FloatArray) -> Frames:
        return self.placed.frames(np.clip(times - self.delay, self.second.start, self.second.end))

    def _meanwhile(self, times: FloatArray) -> Frames:
        made, other = self.first.frames(times), self._later(times)
        share = ease((times - self.entry) / self.overlap, self.slopes)
        both, only_second = self._deciding
        mix_into(made, other, share, both, self.body)
        if only_second.any():
            mix_into(made, other, np.ones(len(share)), only_second, self.body)
        return made

    @cached_property
    def _deciding(self) -> tuple[FloatArray, FloatArray]:
        """(J,) ones for the joints that both clips define, and for those that the second alone does."""
        first, second = self.first.defined, self.second.defined
        return locked(first & second), locked(second & ~first)
