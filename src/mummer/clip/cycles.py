"""What repetition and looping share: which cycle a moment is in, marks of every cycle, and the way carried on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.standing import Standing, move_body, wrapped
from mummer.errors import InputError
from mummer.math import quaternion


@dataclass(frozen=True, eq=False, repr=False)
class Cyclic(Clip):
    """A clip done several times, from its start on.

    Attributes:
        clip: one cycle.
        count: how often, 1 or more.
        travel: whether each cycle starts where the one before ended on the ground.
        turn: whether each cycle starts facing where the one before ended facing.
    """

    clip: Clip
    count: int
    travel: bool = True
    turn: bool = True

    def __post_init__(self) -> None:
        if self.count != int(self.count) or self.count < 1:
            raise InputError(f"a clip cannot be done {self.count!r} times; expected a whole number from 1")
        object.__setattr__(self, "count", int(self.count))
        if not self.clip.duration > 0:
            raise InputError("a clip of no duration cannot be repeated; hold it instead")

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.clip.body

    @property
    def start(self) -> float:
        """The start of the first cycle."""
        return self.clip.start

    @property
    def end(self) -> float:
        """The end of the last cycle."""
        return self.clip.start + self.count * self.clip.duration

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The operand's marks in every cycle."""
        shifts = [cycle * self.clip.duration for cycle in range(self.count)]
        return tuple(
            sorted(mark.moved(mark.time + shift, mark.until + shift) for shift in shifts for mark in self.clip.marks)
        )

    def locate(self, times: FloatArray) -> tuple[IntArray, FloatArray]:
        """(T,) the cycle of each time, and the operand's time."""
        passed = (times - self.start) / self.clip.duration
        cycle = np.clip(np.floor(passed), 0, self.count - 1).astype(np.int64)
        return cycle, np.clip(times - cycle * self.clip.duration, self.clip.start, self.clip.end)

    @cached_property
    def _standing(self) -> Standing:
        return Standing.of(self.body)

    @cached_property
    def step(self) -> tuple[FloatArray, float]:
        """The ground motion from one cycle to the next: turn by the angle about up at the origin, then move by (3,)."""
        ends = self.clip.frames(np.array([self.clip.start, self.clip.end]))
        places, headings = self._standing.places(ends)
        angle = float(wrapped(headings[1] - headings[0])) if self.turn else 0.0
        if not self.travel:
            # Turn on the spot: the place where the cycle started stays.
            places[1] = places[0]
        moved = self._standing.level(places[1] - quaternion.rotate(self._standing.turn(angle), places[0]))
        return moved, angle

    @cached_property
    def _steps(self) -> tuple[FloatArray, FloatArray]:
        """(count, 3) and (count, 4) the ground motion that brings the first cycle to each: turn, then move."""
        moved, angle = self.step
        turns = self._standing.turn(angle * np.arange(self.count))
        pieces = quaternion.rotate(turns, moved)
        return np.cumsum(pieces, axis=0) - pieces, turns

    def carry_on(self, made: Frames, cycle: IntArray) -> None:
        """Move frames of the first cycle to where their own cycle happens, in place."""
        if not cycle.any():
            return
        moved, turns = self._steps
        move_body(made, self.body, moved[cycle], turns[cycle] if self.step[1] else None)
