"""Loop: a cycle whose end flows into its start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.cycles import Cyclic
from mummer.clip.frames import Frames
from mummer.clip.seam import Seam, find_seam, shares
from mummer.clip.standing import root_places
from mummer.clip.turning import displace
from mummer.errors import InputError
from mummer.math import quaternion


@dataclass(frozen=True, eq=False, repr=False)
class Loop(Cyclic):
    """The clip ``count`` times, bent so that pose and velocity go on across the seam.

    Half of the gap between the last and the first pose is taken at the start of a cycle and half at its end, with a
    straight line in between; the difference of velocities is taken back by a Hermite curve within ``spread`` seconds
    of the seam. The moment of the seam is one moment: first and last pose are not both shown. The way over the ground
    and the heading go on from cycle to cycle; with ``travel`` or ``turn`` off they, too, return to where they began.

    Attributes:
        spread: seconds on either side of the seam within which velocities are made to agree; at most half a cycle.
    """

    spread: float = 0.3

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.spread < np.inf:
            raise InputError(f"velocities cannot be brought together within {self.spread:g} s; expected more than 0")

    @cached_property
    def _seam(self) -> Seam:
        return find_seam(self.clip, self._standing, *self.step)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        cycle, inner = self.locate(times)
        made = self.clip.frames(inner)
        self._bend(made, inner - self.clip.start)
        self.carry_on(made, cycle)
        return made

    def _bend(self, made: Frames, passed: FloatArray) -> None:
        """Correct frames of one cycle, ``passed`` seconds (T,) after its start, in place."""
        seam, duration = self._seam, self.clip.duration
        due = shares(passed, duration, min(self.spread, 0.5 * duration))
        if len(seam.targets):
            nowhere = np.zeros(len(due), np.int64)
            displace(made.rotations, nowhere, due, seam.vectors, seam.targets, inside=True)
        heading = self._standing.turn(self.step[1] * passed / duration)
        change = seam.roots.at(due)
        for place, root in enumerate(root_places(made, self.body)):
            root += quaternion.rotate(heading, change[:, place])
        if seam.translations is not None and made.translations is not None:
            made.translations += seam.translations.at(due)
        if seam.scales is not None and made.scales is not None:
            made.scales += seam.scales.at(due)
        if seam.morphs is not None and made.morphs is not None:
            made.morphs += seam.morphs.at(due)
