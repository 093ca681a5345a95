"""A performance: a clip of a body that does what its drivers want."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character
from mummer.clip import Clip, Frames, Mark
from mummer.general.animated import Animated
from mummer.general.clearance import Lifts, lifts_needed, with_parts_lifted
from mummer.general.deforms import deform_frames
from mummer.general.intent import Driver, Intent, Posed, at_rest
from mummer.general.physique import Physique, physique_of
from mummer.general.solving import solve_intent
from mummer.ik.world_state import WorldState
from mummer.report import Report

LIFTS = 2
"""How often a body that sinks into the ground is lifted and bent anew."""
UNSEEN = 5e-4
"""A body that sinks by less than this part of its longest side needs no lift."""


@dataclass(frozen=True, eq=False, repr=False)
class Performance(Clip):
    """A body that does what drivers want: gaits and animations, later ones over earlier ones.

    Attributes:
        character: the body.
        drivers: what wants.
        begins, ends: seconds.
        root_follow: how readily the root comes along when parts reach for something, 0 to 1.
        events: named moments.
        report: what was guessed or left out.
    """

    character: Character
    drivers: tuple[Driver, ...]
    begins: float
    ends: float
    root_follow: float = 0.0
    events: tuple[Mark, ...] = ()
    report: Report = field(default_factory=Report)

    @property
    def body(self) -> Character:
        """See `Clip.body`."""
        return self.character

    @property
    def start(self) -> float:
        """See `Clip.start`."""
        return self.begins

    @property
    def end(self) -> float:
        """See `Clip.end`."""
        return self.ends

    @property
    def variants(self) -> tuple[str, ...]:
        """Of each animation the parts that were chosen to play it, or nothing."""
        return tuple(driver.variant.name for driver in self.drivers if isinstance(driver, Animated))

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """See `Clip.marks`."""
        return tuple(sorted(self.events))

    @cached_property
    def defined(self) -> BoolArray:
        """See `Clip.defined`."""
        return locked(np.ones(len(self.character.skeleton), bool), bool)

    @property
    def physique(self) -> Physique:
        """The body as general animation sees it."""
        return physique_of(self.character)

    def intent(self, times: FloatArray) -> Intent:
        """What is wanted at ``times`` (T,), in the world."""
        return self._solved(np.asarray(times, np.float64))[0]

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        intent, frames = self._solved(times)
        deform_frames(intent, frames)
        return frames

    def _solved(self, times: FloatArray) -> tuple[Intent, Frames]:
        """What is wanted and the poses that do it, the root lifted where the body would sink into the ground."""
        intent, frames = self._bent(at_rest(self.physique, times))
        lifts = Lifts(np.zeros(len(times)))
        for _ in range(LIFTS):
            more = lifts_needed(intent, frames)
            if more.largest <= UNSEEN * self.physique.height:
                break
            lifts = lifts + more
            intent, frames = self._bent(replace(at_rest(self.physique, times), lift=lifts.root), lifts)
        return intent, frames

    def _bent(self, start: Intent, lifts: Lifts | None = None) -> tuple[Intent, Frames]:
        """What is wanted, from a start at rest, and the poses that do it."""
        if any(driver.needs_posed for driver in self.drivers):
            rough = solve_intent(self._driven(start), root_follow=self.root_follow)
            state = WorldState(self.character, rough.to_pose())
            start = replace(start, posed=Posed(state.positions, state.rotations))
        intent = self._driven(start)
        if lifts is not None and lifts.parts:
            intent = with_parts_lifted(intent, lifts)
        return intent, solve_intent(intent, root_follow=self.root_follow)

    def _driven(self, intent: Intent) -> Intent:
        for driver in self.drivers:
            intent = driver.drive(intent)
        return intent
