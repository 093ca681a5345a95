"""Performers as the cast of a realiser: elements of BML become behaviours of bodies."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from mummer.behavior import Behavior, Frame, Performer, Running
from mummer.bml.block import Element
from mummer.bml.feedback import Warned
from mummer.bml.own_making import MAKERS
from mummer.bml.realizer import Prepared
from mummer.bml.syncs import own_times, standard_times
from mummer.character import Character, Pose, world_positions
from mummer.clip.recorded import recorded
from mummer.clip.sampled import Sampled
from mummer.errors import InputError, MummerError, UnknownNameError
from mummer.io.subjects import BodyLike, as_character
from mummer.model.style import style_from_text
from mummer.toml_text import read_toml_text

EXCLUSIVE = frozenset({"gaze", "speech", "locomotion", "posture", "left_arm", "right_arm"})
"""What two behaviours cannot hold at once; heads and faces add up."""
APART = 1.5
"""Metres between performers that nobody has put anywhere."""
ROOM = 0.3
"""Metres between bodies that are large."""
SCENERY: dict[str, tuple[float, float, float]] = {
    "camera": (0.0, 1.5, 3.0), "user": (0.0, 1.6, 2.0), "table": (0.0, 0.8, 1.0), "ball": (0.3, 1.0, 0.6),
    "bluebox": (1.0, 1.2, 2.0), "redbox": (-1.0, 1.2, 2.0), "greenbox": (0.0, 1.6, 2.0), "yellowbox": (0.5, 0.6, 1.5),
}  # fmt: skip
"""Things that blocks may speak of where nobody says what there is, metres."""


def _size(body: Character) -> float:
    """How wide or long a body is at rest, metres, whichever is more."""
    places = world_positions(body.skeleton, body.default_pose)[:, [0, 2]]
    return float(np.ptp(places, axis=0).max())


class Acting:
    """What does an element: behaviours that start together.

    Attributes:
        element: of BML.
        behaviors: as they were made.
        running: as they run.
    """

    def __init__(self, element: Element, behaviors: Sequence[Behavior]) -> None:
        self.element, self.behaviors = element, tuple(behaviors)
        self.running: list[Running] = []


class Company:
    """Performers by name, who do what blocks ask for.

    Attributes:
        performers: by name.
        world: things by name, shared by all.
        frames: what each looked like after the last step.
        faults: who had to give up what, and why, of late.
    """

    def __init__(self, performers: Mapping[str, Performer], world: dict[str, Any] | None = None) -> None:
        """A company.

        Args:
            performers: by name; at least one.
            world: things by name; `SCENERY` if None. Performers are added under their names.
        """
        if not performers:
            raise InputError("a company has nobody in it; expected a performer")
        self.performers = dict(performers)
        self.world: dict[str, Any] = dict(SCENERY) if world is None else world
        for name, performer in self.performers.items():
            self.world.setdefault(name, performer)
            performer.world = self.world
        self.frames: dict[str, Frame] = {}
        self.faults: deque[tuple[str, str]] = deque(maxlen=100)
        self._lasting: dict[tuple[str, str], Running] = {}

    @classmethod
    def of(cls, bodies: Mapping[str, BodyLike], world: dict[str, Any] | None = None) -> Company:
        """A company of bodies that stand in a row, `APART` metres or more from one another, as they have room."""
        characters = {name: as_character(body, asker="a company") for name, body in bodies.items()}
        sizes = [0.5 * _size(body) for body in characters.values()]
        apart = [0.0, *(max(APART, before + after + ROOM) for before, after in pairwise(sizes))]
        places = np.cumsum(apart) - 0.5 * sum(apart)
        performers = {
            name: Performer(body, at=(float(x), 0.0))
            for x, (name, body) in zip(places, characters.items(), strict=True)
        }
        return cls(performers, world)

    def take_sets(self, paths: Sequence[Path]) -> None:
        """Let everybody have styles of motion models, of files, that blocks may name."""
        for path in paths:
            style = style_from_text(read_toml_text(path, "a style"), path)
            for performer in self.performers.values():
                performer.sets[style.name] = style

    @property
    def first(self) -> Pose:
        """The pose of the first of them."""
        return next(iter(self.performers.values())).pose

    def recorded(self, poses: Sequence[Pose], rate: float, *, name: str = "performance") -> Sampled:
        """Poses of the first of them, ``rate`` a second, as a clip."""
        character = next(iter(self.performers.values())).character
        joints, times = np.arange(len(character.skeleton)), np.arange(len(poses)) / rate
        return Sampled(character, recorded(times, Pose.stack(list(poses)), joints, rate=rate, name=name))

    def find(self, character: str) -> str:
        """The name of who is meant: the first, if nobody is named; see `Cast`."""
        if not character:
            return next(iter(self.performers))
        if character in self.performers:
            return character
        if len(self.performers) == 1:  # a block written for somebody else
            return next(iter(self.performers))
        raise UnknownNameError("the company", "character", character, self.performers)

    def prepare(self, who: str, element: Element) -> Prepared:
        """A behaviour of somebody; see `Cast`."""
        maker = MAKERS.get(element.kind)
        if maker is None:
            raise InputError(f"{element.kind} is not to be had here")
        told: list[Warned] = []

        def tell(type_: str, text: str) -> None:
            told.append(Warned(type_, text, element.id))

        behaviors = maker(self.performers[who], element, tell)
        channels = frozenset[str]().union(*(each.channels for each in behaviors)) & EXCLUSIVE
        times = standard_times(element.kind, behaviors[0].syncs)
        return Prepared(times, channels, Acting(element, behaviors), tuple(told))

    def begin(self, who: str, prepared: Prepared, times: Mapping[str, float], delay: float) -> None:
        """Start behaviours; see `Cast`."""
        performer, acting = self.performers[who], prepared.acting
        for behavior in acting.behaviors:
            wanted = own_times(acting.element.kind, behavior.syncs, times)
            if not math.isfinite(behavior.syncs["end"]) and "end" in acting.element.times:
                wanted["end"] = times["end"]
            running = performer.start(behavior.retimed(wanted), at=performer.time + delay)
            acting.running.append(running)
            self._outlast(who, running)

    def _outlast(self, who: str, running: Running) -> None:
        """What was to last gives way to what comes after it."""
        for channel in running.behavior.channels:
            before = self._lasting.pop((who, channel), None)
            if before is not None and before is not running:
                self.performers[who].stop(before)
            if not math.isfinite(running.behavior.duration):
                self._lasting[who, channel] = running

    def end(self, who: str, prepared: Prepared) -> None:
        """Break behaviours off; see `Cast`."""
        for running in prepared.acting.running:
            if not running.is_over:
                self.performers[who].stop(running)

    def unfinished(self, who: str, prepared: Prepared, delay: float) -> bool:
        """Whether behaviours need more time than was thought; see `Cast`."""
        performer = self.performers[who]
        return any(
            running.state == "running" and math.isfinite(running.behavior.duration)
            and not running.behavior.is_over(performer, performer.time + delay - running.start)
            for running in prepared.acting.running
        )  # fmt: skip

    def step(self, seconds: float) -> None:
        """Let all of them step."""
        for name, performer in self.performers.items():
            try:
                self.frames[name] = performer.step(seconds)
            except MummerError as error:  # what it was asked for turned out not to be possible
                performer.stop()
                self.faults.append((name, str(error)))
