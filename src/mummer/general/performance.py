"""A performance: a clip of a body that does what its drivers want."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character
from mummer.clip import Clip, Frames, Mark
from mummer.clip.following import followed, followers_of
from mummer.general.animated import Animated
from mummer.general.clearance import above_ground
from mummer.general.deforms import deform_frames
from mummer.general.intent import Driver, Intent, Posed, at_rest
from mummer.general.keeping_out import keep_out, with_room
from mummer.general.knots import knots_between
from mummer.general.physique import Physique, physique_of
from mummer.general.rehearsal import Bent, Rehearsal, raise_body, rehearse
from mummer.general.solving import solve_intent
from mummer.ik.world_state import WorldState
from mummer.report import Report


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
        title: what is played, by name.
    """

    character: Character
    drivers: tuple[Driver, ...] = field(metadata={"told": False})
    begins: float = field(metadata={"told": False})
    ends: float = field(metadata={"told": False})
    root_follow: float = 0.0
    events: tuple[Mark, ...] = ()
    report: Report = field(default_factory=Report, metadata={"told": False})
    title: str = ""

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

    @cached_property
    def name(self) -> str:
        """What is played."""
        return self.title or "clip"

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

    @cached_property
    def rehearsal(self) -> Rehearsal:
        """The whole performance at even moments, which is made once, at the first frame."""
        return rehearse(self.physique, knots_between(self.begins, self.ends), self._bent)

    def intent(self, times: FloatArray) -> Intent:
        """What is wanted at ``times`` (T,), in the world, as far as the body leaves room for it.

        The root is lifted where the body would sink into the ground, and the places of parts are moved as far as these
        make way.
        """
        times = np.asarray(times, np.float64)
        wanted, after, _ = self._bent(times, self.rehearsal.lift_at(times))
        raise_body(wanted, after, self.rehearsal.rise_at(times))
        return with_room(wanted, self._posed(wanted), after)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return followed(self.rehearsal.at(times), self.character, self._followers)

    @cached_property
    def _followers(self) -> dict[int, int]:
        return followers_of(self.character)

    def _bent(self, times: FloatArray, lift: FloatArray) -> Bent:
        """See `Bend`."""
        wanted = self._wanted(replace(at_rest(self.physique, times), lift=lift))
        frames = self._posed(wanted)
        return Bent(wanted, frames, keep_out(wanted, frames))

    def _posed(self, intent: Intent) -> Frames:
        """The poses that do what is wanted, whatever is in the way."""
        frames = solve_intent(intent, root_follow=self.root_follow)
        deform_frames(intent, frames)
        return frames

    def _wanted(self, start: Intent) -> Intent:
        """What is wanted, from a start at rest."""
        if any(driver.needs_posed for driver in self.drivers):
            rough = solve_intent(self._driven(start), root_follow=self.root_follow)
            state = WorldState(self.character, rough.to_pose())
            start = replace(start, posed=Posed(state.positions, state.rotations))
        return above_ground(self._driven(start))

    def _driven(self, intent: Intent) -> Intent:
        for driver in self.drivers:
            intent = driver.drive(intent)
        return intent
