"""Onto: a motion of one body on another, as a clip operator."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Character, Pose
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.rates import rate_of
from mummer.errors import InputError
from mummer.kernels.threads import share_out
from mummer.recognition import recognized
from mummer.report import Report
from mummer.retargeting.build import build_of
from mummer.retargeting.carry import Carried, carried_by
from mummer.retargeting.hocks import floor_below
from mummer.retargeting.live import Live
from mummer.retargeting.parts import joints_of_groups, resting_source
from mummer.retargeting.shifts import Shifts
from mummer.retargeting.shortfalls import unmoved
from mummer.retargeting.stance import Floors, level_shifts, stance_shifts
from mummer.retargeting.survey import survey_of
from mummer.retargeting.terrain import Ground
from mummer.retargeting.transfer import Transfer, transfer_of

PIECE = 256
"""Frames that are made at one go: what goes from step to step stays near the core."""
LEAST, MOST = 60.0, 120.0
"""Times a second at which the way of the feet is worked out before the first frame is played: as the motion has."""


class Taking(TypedDict, total=False):
    """How a body takes a motion over; see `Onto`."""

    feet: bool
    groups: str | Sequence[str]
    floor: float | None
    ground: Callable[[FloatArray, FloatArray], FloatArray] | None


@dataclass(frozen=True, eq=False, repr=False)
class Onto(Clip):
    """The clip on another body.

    What is constant is worked out once, when the first frame is asked for; each frame then costs two products of
    rotations a joint, and a few more for each foot. Blend first, and put the result onto the other body once.

    Attributes:
        clip: the motion.
        character: who is to do it; recognised if nobody knows its anatomy yet.
        feet: whether feet are kept where they stand; else legs point as the source's do.
        groups: groups of the character that take part, ``upper body`` or ``lower body``; all if none is named. The
            others stay at rest and are not `defined`, so that the result can be laid over another motion.
        floor: height in metres of the floor that the character is put on; that on which it stands at rest if None.
        ground: for uneven ground, the height in metres as a function of x and z.
    """

    clip: Clip
    character: Character
    feet: bool = True
    groups: str | Sequence[str] = ()
    floor: float | None = None
    ground: Callable[[FloatArray, FloatArray], FloatArray] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", (self.groups,) if isinstance(self.groups, str) else tuple(self.groups))
        if self.floor is not None and not np.isfinite(self.floor):
            raise InputError(f"the floor is at {self.floor}; expected a height in metres")
        if self.groups:
            _ = self.defined

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
        return locked(joints_of_groups(build_of(self.body), self.groups), bool)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Those of the motion."""
        return self.clip.marks

    @cached_property
    def report(self) -> Report:
        """That of the motion, and the limbs that it has nothing for."""
        return Report((*self.clip.report, *unmoved(self.transfer)))

    @cached_property
    def transfer(self) -> Transfer:
        """What is the same for every frame."""
        return transfer_of(build_of(self.clip.body, self.clip), build_of(self.body))

    @cached_property
    def floors(self) -> Floors:
        """The floor of the motion, and the one that the body is put on."""
        own = self.transfer.target.floor if self.floor is None else self.floor
        return Floors(floor_below(self.clip, self.transfer.source), own)

    @cached_property
    def shifts(self) -> Shifts:
        """What is added to where the body and its feet are, over time."""
        floors = self.floors
        if not self._plants and self.ground is None:
            return Shifts(self.start, 1.0, level_shifts(self.transfer, floors))
        wanted = min(max(rate_of(self.clip) or LEAST, LEAST), MOST)
        times = self.clip.times(wanted)
        rate = (len(times) - 1) / self.duration if self.duration > 0 else wanted
        survey = survey_of(self.clip, self.transfer, times)
        return Shifts(self.start, rate, stance_shifts(survey, floors, self.ground and Ground(self.ground)))

    @cached_property
    def _carried(self) -> Carried:
        return carried_by(self.transfer)

    @cached_property
    def _plants(self) -> bool:
        """Whether feet are kept in place: only where the whole leg and what it hangs from take part."""
        return self.feet and bool(self.defined[[self.transfer.target.hips]].all())

    @cached_property
    def _resting(self) -> IntArray | None:
        return None if self.defined.all() else resting_source(self.transfer, self.defined)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        rotations, roots = np.empty((len(times), len(self.body.skeleton), 4)), np.empty((len(times), 3))
        # The first piece does the set-up, before several threads would ask for it at once.
        made = self._piece(times[:PIECE], rotations[:PIECE], roots[:PIECE])
        return made if len(times) <= PIECE else self._pieces(made, times, rotations, roots)

    def _pieces(self, first: Frames, times: FloatArray, rotations: FloatArray, roots: FloatArray) -> Frames:
        """All frames, of which the first piece is there."""
        made, gathering = Frames(rotations, roots), threading.Lock()
        made.put_others(slice(PIECE), first, self.body)

        def fill(begin: int, end: int) -> None:
            for start in range(PIECE + begin, PIECE + end, PIECE):
                rows = slice(start, min(start + PIECE, PIECE + end))
                piece = self._piece(times[rows], rotations[rows], roots[rows])
                with gathering:
                    made.put_others(rows, piece, self.body)

        share_out(fill, len(times) - PIECE, PIECE, ())
        return made

    def _piece(self, times: FloatArray, rotations: FloatArray, roots: FloatArray) -> Frames:
        """Some frames, few enough to stay in a core's own memory from one step to the next."""
        given = self.clip.frames(times)
        if self._resting is not None:
            given.rotations[:, self._resting] = self.transfer.source.skeleton.rest_rotations[self._resting]
        self.transfer.frames(times, given, self.shifts, rotations, roots, feet=self._plants)
        made = Frames(rotations, roots)
        self._carried.complete(made, given)
        if self._resting is not None:
            self._rest_others(made)
        return made

    def _rest_others(self, made: Frames) -> None:
        skeleton, others = self.body.skeleton, np.flatnonzero(~self.defined)
        made.rotations[:, others] = skeleton.rest_rotations[others]
        if not self.defined[self.transfer.target.hips]:
            made.root[:] = skeleton.rest_translations[0]
            made.translations = None
        if made.scales is not None:
            made.scales[:, others] = skeleton.rest_scales[others]

    def at(self, time: float) -> Pose:
        """The pose at one time in seconds; a way of its own, for those who play frame by frame."""
        if not -np.inf < time < np.inf:
            raise InputError("a clip was asked for a time that is not a finite number")
        live = self._live
        return super().at(time) if live is None else live.at(time)

    @cached_property
    def _live(self) -> Live | None:
        """The short way for single frames, where there is nothing to carry over but rotations and scales."""
        plain = self._resting is None and not self._carried.glued and not len(self._carried.morphs)
        if not plain or self.transfer.target.carrier != 0:
            return None
        return Live(self.clip, self._carried, self.shifts, feet=self._plants)
