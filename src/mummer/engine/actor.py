"""Actors: bodies that are told what to do while they do it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.clip import Mark
from mummer.clip.recorded import recorded
from mummer.clip.sampled import Sampled
from mummer.engine.ground import Ground, Heights
from mummer.engine.recording import take
from mummer.engine.state import BY_STICK, ENDING, SCORE, TARGETS, TEMPO, TO_PLACE, WHEN
from mummer.engine.troupe import Troupe
from mummer.errors import InputError
from mummer.general.animation import Animation
from mummer.general.gait.style import StyleLike
from mummer.io.subjects import BodyLike
from mummer.report import ReportBuilder

Place = Sequence[float]
RATE = 60.0
"""Frames a second of what is recorded."""


@dataclass(eq=False)
class Play:
    """An animation that an actor plays.

    Attributes:
        actor: who.
        name: of the animation.
        slot: where the actor keeps it.
        number: of the score; another one there means that this play is over.
    """

    actor: Actor
    name: str
    slot: int
    number: int

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or given way to another."""
        return self._row[SCORE] != self.number

    @property
    def time(self) -> float:
        """Seconds into the animation; may be set at any moment."""
        return float(self._row[WHEN])

    @time.setter
    def time(self, seconds: float) -> None:
        if not self.is_over:
            self._row[WHEN] = _finite([seconds], 1, "the time of a play")[0]

    @property
    def tempo(self) -> float:
        """How fast it is played, 1 as it was made; may be set at any moment."""
        return float(self._row[TEMPO])

    @tempo.setter
    def tempo(self, tempo: float) -> None:
        if not self.is_over:
            self._row[TEMPO] = _finite([tempo], 1, "the tempo")[0]

    @property
    def target(self) -> FloatArray:
        """(3,) the place in the world that it is toward; may be set at any moment."""
        return np.array(self._row[TARGETS : TARGETS + 3])

    @target.setter
    def target(self, place: Place) -> None:
        if not self.is_over:
            self._row[TARGETS : TARGETS + 3] = _three(place, "the target")

    def stop(self) -> None:
        """Let it fade."""
        if not self.is_over:
            self._row[ENDING] = 1.0

    @property
    def _row(self) -> FloatArray:
        return self.actor.troupe.actors.plays[self.actor.index, self.slot]


class Actor:
    """One body that steps in time: each pose depends on what was, and on what is wanted now.

    Everything may change at any moment: what is played, where its targets are, where to go and look, and the ground.

    Attributes:
        troupe: the actors of its body.
        index: which of them it is.
        events: names of what happened in the last step.

    Example:
        >>> import mummer as mm
        >>> fox = mm.Actor("zoo:dog")
        >>> fox.go(speed=0.8)
        >>> fox.look_at((2.0, 0.5, 3.0))
        >>> for _ in range(60):
        ...     pose = fox.step(1 / 60)
        >>> bool(fox.place[1] > 0.2)
        True
    """

    def __init__(
        self,
        character: BodyLike,
        *,
        at: Place | None = None,
        heading: float | None = None,
        style: StyleLike = "walk",
        ground: Ground | Heights | float | None = None,
    ) -> None:
        """An actor that stands at rest.

        Args:
            character: who; see `BodyLike`. Its parts are recognised if nobody knows them.
            at: x and z in metres; where the character stands by itself if None.
            heading: radians from +Z to +X; as the character faces by itself if None.
            style: of its gait.
            ground: its height, or its height as a function of x and z, or a `Ground`.
        """
        self._join(Troupe.of(character, [at], [heading], style=style, ground=ground), 0)

    @classmethod
    def of_troupe(cls, troupe: Troupe, index: int) -> Actor:
        """One of the actors of a troupe."""
        made = cls.__new__(cls)
        made._join(troupe, index)
        return made

    def _join(self, troupe: Troupe, index: int) -> None:
        self.troupe, self.index = troupe, index
        self.events: tuple[str, ...] = ()

    def __repr__(self) -> str:
        x, z = self.place
        return f"<Actor {self.character.name!r} at x {x:.2f}, z {z:.2f} m>"

    @property
    def character(self) -> Character:
        """Who it is."""
        return self.troupe.character

    @property
    def place(self) -> FloatArray:
        """(2,) x and z of where it stands, metres."""
        return np.array(self.troupe.actors.stage[self.index, :2])

    @property
    def heading(self) -> float:
        """Radians from +Z to +X."""
        return float(self.troupe.actors.stage[self.index, 2])

    @property
    def velocity(self) -> FloatArray:
        """(2,) metres a second along x and z."""
        return np.array(self.troupe.actors.motion[self.index, :2])

    def go(self, velocity: Place | None = None, *, speed: float | None = None, heading: float | None = None) -> None:
        """Go on at a velocity, as a stick would say, until something else is said.

        Args:
            velocity: metres a second along x and z.
            speed: metres a second ahead, in place of a velocity; where ``heading`` is if that is given.
            heading: radians from +Z to +X to face; where it goes if None.
        """
        if (velocity is None) == (speed is None):
            raise InputError("go() expected a velocity or a speed, and one of them only")
        if speed is not None:
            facing = self.heading if heading is None else float(heading)
            velocity = (speed * math.sin(facing), speed * math.cos(facing))
        assert velocity is not None
        x, z = _finite(velocity, 2, "the velocity")
        wishes = self.troupe.wishes
        wishes.velocities[self.index] = x, z
        wishes.places[self.index, 3] = BY_STICK
        if heading is not None:
            wishes.headings[self.index] = _finite([heading], 1, "the heading")[0]
        elif x or z:
            wishes.headings[self.index] = math.atan2(x, z)

    def go_to(self, place: Place, *, pace: float | None = None) -> None:
        """Go to a place and stop there.

        Args:
            place: x and z, or x, y and z, metres.
            pace: metres a second; what suits the body if None.
        """
        numbers = _finite(place, len(tuple(place)), "the place")
        if len(numbers) not in (2, 3):
            raise InputError(f"a place has {len(numbers)} numbers; expected x and z, or x, y and z")
        fast = self.troupe.easy_speed if pace is None else _finite([pace], 1, "the pace")[0]
        self.troupe.wishes.places[self.index] = numbers[0], numbers[-1], fast, TO_PLACE

    def face(self, heading: float) -> None:
        """Turn to a heading, radians from +Z to +X."""
        self.troupe.wishes.headings[self.index] = _finite([heading], 1, "the heading")[0]

    def look_at(self, place: Place | None) -> None:
        """Look at a place in the world, (3,) metres, or at nothing in particular."""
        row = self.troupe.wishes.looks[self.index]
        if place is None:
            row[3] = 0.0
        else:
            row[:3], row[3] = _three(place, "what is looked at"), 1.0

    def play(
        self,
        animation: str | Path | Animation,
        *,
        target: Place | None = None,
        variant: str | None = None,
        speed: float = 1.0,
        layer: bool = False,
    ) -> Play:
        """Play an animation, from now on.

        Args:
            animation: a name of the library, a file, or an animation.
            target: (3,) metres: the place in the world that it is toward; one that suits the body if None.
            variant: which way to play, by the joints that do: ``left_hand``.
            speed: how fast, 1 as it was made.
            layer: whether what is played already goes on; else it gives way.

        Raises:
            InputError: if the animation is not for this body.
        """
        known = {} if target is None else {"": _three(target, "the target")}
        driver, places = self.troupe.bound(animation, self.index, known, variant, ReportBuilder())
        score = self.troupe.score(driver)
        if not layer:
            self.troupe.actors.plays[self.index, :, ENDING] = 1.0
        slot = self.troupe.play(self.index, score, places, speed)
        return Play(self, driver.bound.animation.name, slot, score)

    def stop(self) -> None:
        """Stand, and let everything that is played fade."""
        wishes = self.troupe.wishes
        wishes.velocities[self.index], wishes.places[self.index, 3] = BY_STICK, 0.0
        self.troupe.actors.plays[self.index, :, ENDING] = 1.0

    def step(self, seconds: float) -> Pose:
        """The pose so many seconds later; of an actor in a crowd, step the crowd instead."""
        if len(self.troupe) > 1:
            raise InputError("this actor is one of a crowd; step the crowd")
        before = self.troupe.actors.plays[self.index].copy()
        self.troupe.step(_finite([seconds], 1, "the step")[0])
        self.events = self.troupe.events(self.index, before)
        return self.pose

    @property
    def pose(self) -> Pose:
        """How the body is now."""
        return self.troupe.pose(self.index)

    @property
    def misses(self) -> dict[str, float]:
        """Metres by which parts miss where they should be, by role or name; those that are wanted somewhere."""
        return self.troupe.misses(self.index)

    def record(self, seconds: float, *, rate: float = RATE, name: str = "performance") -> Sampled:
        """What it does in the next seconds, as a clip; see `record`."""
        return record(self, seconds, rate=rate, name=name)


def record(actor: Actor, seconds: float, *, rate: float = RATE, name: str = "performance") -> Sampled:
    """Step an actor for some seconds and keep every pose: a clip, with what happened as its marks."""
    troupe, index = actor.troupe, actor.index
    marks: list[Mark] = []
    before = troupe.actors.plays[index].copy()

    def happened(frame: int) -> None:
        marks.extend(Mark((frame - 1) / rate, event) for event in troupe.events(index, before))
        before[:] = troupe.actors.plays[index]

    count = max(1, round(seconds * rate))
    taken = take(troupe, index, count, 1.0 / rate, happened)
    happened(count + 1)
    joints, times = np.arange(len(actor.character.skeleton)), np.arange(count + 1) / rate
    recording = recorded(times, taken.frames.to_pose(), joints, rate=rate, name=name, marks=tuple(marks))
    return Sampled(actor.character, recording)


def _three(place: Iterable[float], what: str) -> tuple[float, ...]:
    return _finite(place, 3, what)


def _finite(numbers: Iterable[float], count: int, what: str) -> tuple[float, ...]:
    found = tuple(float(number) for number in numbers)
    if len(found) != count or not all(math.isfinite(number) for number in found):
        raise InputError(f"{what} is {found}; expected {count} finite number{'s' if count > 1 else ''}")
    return found
