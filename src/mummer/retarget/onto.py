"""Onto: a motion of one body on another, as a clip operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.marks import Mark
from mummer.math import quaternion
from mummer.measure.floor import floor_of
from mummer.retarget.build import build_of, recognized
from mummer.retarget.shifts import Shifts
from mummer.retarget.stance import Survey, about_up, planted_feet, stance_shifts
from mummer.retarget.terrain import Ground
from mummer.retarget.transfer import Transfer, make_transfer

RATE = 60.0
"""Times a second at which the way of the feet is worked out before the first frame is played."""


@dataclass(frozen=True, eq=False, repr=False)
class Onto(Clip):
    """The clip on another body.

    What is constant is worked out once, when the first frame is asked for; each frame then costs two products of
    rotations a joint, and a few more for each foot. Blend first, and put the result onto the other body once.

    Attributes:
        clip: the motion.
        character: who is to do it.
        feet: whether feet are kept where they stand; else legs point as the source's do.
        groups: groups of the character that take part; all if none is named. The others stay at rest and are not
            `defined`, so that the result can be laid over another motion.
        floor: height in metres of the floor that the character stands on.
        ground: for uneven ground, the height in metres as a function of x and z.
    """

    clip: Clip
    character: Character
    feet: bool = True
    groups: tuple[str, ...] = ()
    floor: float = 0.0
    ground: Callable[[FloatArray, FloatArray], FloatArray] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", tuple(self.groups))

    @cached_property
    def body(self) -> Character:
        """The character, recognised."""
        return recognized(self.character)

    @property
    def start(self) -> float:
        """Seconds at which the clip begins."""
        return self.clip.start

    @property
    def end(self) -> float:
        """Seconds at which the clip ends."""
        return self.clip.end

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) the joints of the groups that take part."""
        return locked(np.ones(len(self.body.skeleton), bool), bool)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Those of the motion."""
        return self.clip.marks

    @cached_property
    def transfer(self) -> Transfer:
        """What is the same for every frame."""
        return make_transfer(build_of(self.clip.body), build_of(self.body))

    @cached_property
    def shifts(self) -> Shifts:
        """What is added to where the body and its feet are, over time."""
        times = self.clip.times(RATE)
        rate = (len(times) - 1) / max(self.duration, 1e-9) if len(times) > 1 else RATE
        return Shifts(self.start, rate, stance_shifts(self._survey(times), self.ground and Ground(self.ground)))

    def _survey(self, times: FloatArray) -> Survey:
        transfer = self.transfer
        frames = self.clip.frames(times)
        floor = floor_of(self.clip)
        up = transfer.target.anatomy.up
        base = (self.floor - transfer.scale * floor) * up
        shifts = np.zeros((len(times), 3 + 3 * len(transfer.legs)))
        shifts[:, :3] = base
        posed = transfer.poses(frames, shifts, feet=False)
        hips = transfer.source.hips
        rest = quaternion.multiply(transfer.target_from_source, transfer.source.turns[hips])
        turned = quaternion.multiply(posed.source_turns[:, hips], quaternion.conjugate(rest))
        planted = planted_feet(self.clip, transfer, times, None)
        return Survey(transfer, times, posed, floor, base, about_up(turned, up), planted)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        posed = self.transfer.poses(self.clip.frames(times), self.shifts.at(times), feet=self.feet)
        return Frames(posed.rotations, posed.roots)
