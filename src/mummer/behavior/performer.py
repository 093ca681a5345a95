"""The performer: an actor of the live engine, and the layers over it: trunk, arms, gaze, head, eyes, face."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from mummer.arrays import FloatArray
from mummer.behavior.behavior import Behavior
from mummer.behavior.body_layer import BodyLayer
from mummer.behavior.face_layer import FaceLayer
from mummer.behavior.gaze_layer import GazeLayer
from mummer.behavior.hand_layer import HandLayer
from mummer.behavior.posed import Posed
from mummer.behavior.sight import Sight, sight_of
from mummer.character import Character, Pose
from mummer.clip import Mark
from mummer.clip.recorded import recorded
from mummer.clip.sampled import Sampled
from mummer.engine import Actor
from mummer.engine.actor import RATE
from mummer.errors import InputError, UnknownNameError
from mummer.general.physique import Physique, physique_of
from mummer.io.subjects import BodyLike
from mummer.kernels.scalars import Three
from mummer.model.style import Style


class Event(NamedTuple):
    """What happened.

    Attributes:
        time: of the performer, seconds.
        name: a sync point of a behaviour, or what the engine tells.
        running: the behaviour, or None for what the engine tells.
    """

    time: float
    name: str
    running: Running | None = None


class Sound(NamedTuple):
    """What a performer sounds like from a moment on.

    Attributes:
        start: of the performer, seconds.
        samples: (N,) from -1 to 1.
        rate: samples a second.
    """

    start: float
    samples: FloatArray
    rate: int


@dataclass(frozen=True, eq=False)
class Frame:
    """A performer at one moment.

    Attributes:
        time: seconds.
        pose: all joints, and the weights of morphs.
        events: what happened since the last frame, each once, in order.
    """

    time: float
    pose: Pose
    events: tuple[Event, ...] = ()


@dataclass(eq=False)
class Running:
    """A behaviour that was given to a performer.

    Attributes:
        behavior: which.
        start: time of the performer at which it starts.
        told: sync points that have been told.
        state: ``waiting``, ``running``, ``over`` or ``stopped``.
    """

    behavior: Behavior
    start: float
    told: set[str] = field(default_factory=set)
    state: str = "waiting"

    @property
    def is_over(self) -> bool:
        """Whether it has ended or was stopped."""
        return self.state in ("over", "stopped")


class Layer(Protocol):
    """Bends a pose a little further; says how by methods of its own, which hold for one step."""

    def apply(self, posed: Posed, seconds: float) -> None:
        """Bend the pose by what was wanted since the last step, and forget that."""


class Performer:
    """A body that does things: an actor, and what it looks at, gestures, says and shows over that.

    Attributes:
        actor: who walks and plays.
        world: things and people by name: places (3,), performers, actors, `Thing`s, or functions that say where
            they are now.
        time: seconds since it came into being.
        running: behaviours that wait or run.
        layers: what bends the pose of the actor further, in this order; others may be added.
        sounds: what it sounds like.
        styles: models to the styles in which it does them, in place of the library's first; sets of recordings are
            such styles. They may be others at any moment.
        sets: styles by name that it may be told to take up.

    Example:
        >>> import mummer as mm
        >>> from mummer import behavior
        >>> who = behavior.Performer("zoo:adult")
        >>> nod = who.start(behavior.make("head", who, lexeme="nod", repetition=2))
        >>> clip = who.record(2.0)
        >>> clip.marks[-1].name
        'end'
    """

    def __init__(self, body: BodyLike | Actor, *, world: Mapping[str, Any] | None = None, **options: Any) -> None:
        """A performer that stands at rest.

        Args:
            body: who: an actor, or what an `Actor` is made of.
            world: see `Performer.world`; kept as it is, so that performers can share one.
            options: of the actor: ``at``, ``heading``, ``style``, ``ground``.
        """
        self.actor = body if isinstance(body, Actor) else Actor(body, **options)
        self.world: Mapping[str, Any] = {} if world is None else world
        self.time = 0.0
        self.running: list[Running] = []
        self.sounds: list[Sound] = []
        self.styles: dict[str, Style] = {}
        self.sets: dict[str, Style] = {}
        self.face = FaceLayer(self.body)
        self.gaze = GazeLayer(self.sight, self.face)
        self.trunk = BodyLayer(self.physique)
        self.hands = HandLayer(self.physique)
        self.layers: dict[str, Layer] = {
            "body": self.trunk, "gaze": self.gaze, "hands": self.hands, "face": self.face,
        }  # fmt: skip
        self._posed = self.acted()

    def __repr__(self) -> str:
        return f"<Performer {self.character.name!r} at {self.time:.2f} s, {len(self.running)} behaviours>"

    @property
    def character(self) -> Character:
        """Who it is."""
        return self.actor.character

    @property
    def body(self) -> Character:
        """The character as layers see it: put together where parts of it hang elsewhere."""
        return self.actor.troupe.moved

    @property
    def physique(self) -> Physique:
        """What is known of the body at rest."""
        return physique_of(self.body)

    @cached_property
    def sight(self) -> Sight:
        """Its heads and eyes, and what carries them."""
        return sight_of(self.physique)

    @property
    def posed(self) -> Posed:
        """How the body was at the last step, in joints of `body`."""
        return self._posed

    def start(self, behavior: Behavior, at: float | None = None) -> Running:
        """Let a behaviour start now, or when ``time`` is ``at``.

        Raises:
            InputError: if it has been started before.
        """
        if any(running.behavior is behavior for running in self.running):
            raise InputError(f"this {behavior.kind or 'behaviour'} has been started already; make another one")
        running = Running(behavior, self.time if at is None else float(at))
        self.running.append(running)
        return running

    def stop(self, running: Running | None = None) -> None:
        """Let a behaviour go, or all of them; the body goes on from where it is without a jump."""
        for each in [running] if running is not None else list(self.running):
            if each.state == "running":
                each.behavior.finish(self)
            if not each.is_over:
                each.state = "stopped"
        self.running = [each for each in self.running if not each.is_over]

    def step(self, seconds: float) -> Frame:
        """The next frame, so many seconds later."""
        before = self.time
        self.time = now = before + float(seconds)
        events: list[Event] = []
        for running in list(self.running):
            if running.start <= now and not running.is_over:
                self._run(running, now, seconds, events)
        self.running = [each for each in self.running if not each.is_over]
        self.actor.step(seconds)
        events += [Event(now, name) for name in self.actor.events]
        posed = self._posed = self.acted()
        for layer in self.layers.values():
            layer.apply(posed, seconds)
        return Frame(now, self.pose, tuple(sorted(events, key=lambda event: event.time)))

    def _run(self, running: Running, now: float, seconds: float, events: list[Event]) -> None:
        """Step one behaviour, and tell the sync points that it has passed, each once."""
        behavior, time = running.behavior, now - running.start
        if running.state == "waiting":
            running.state = "running"
            behavior.begin(self)
        behavior.step(self, time, seconds)
        if running.is_over:
            return
        is_over = behavior.is_over(self, time)
        for name, moment in behavior.syncs.items():
            if name in running.told or not (is_over or (moment <= time + 1e-9 and name != "end")):
                continue
            running.told.add(name)
            events.append(Event(running.start + min(moment, time), name, running))
        if is_over:
            running.state = "over"
            behavior.finish(self)

    def acted(self) -> Posed:
        """The pose of the actor alone, to be bent further."""
        troupe, index = self.actor.troupe, self.actor.index
        poses, morphs = troupe.poses, troupe.goals.morphs[index]
        return Posed(self.body, poses.rotations[index].copy(), poses.roots[index].copy(), np.array(morphs, np.float64))

    @property
    def pose(self) -> Pose:
        """How the body is now."""
        pose, whole = self._posed.to_pose(), self.actor.troupe.whole
        return pose if whole is None else whole.taken_apart(pose)

    def where(self, thing: Any) -> Three:
        """Where something is now, metres: see `Performer.world`; of somebody, where its eyes are.

        Raises:
            InputError: if it is none of these, with the names that are known.
        """
        if isinstance(thing, str):
            if thing not in self.world:
                raise UnknownNameError("the world", "thing or person", thing, self.world)
            thing = self.world[thing]
        if isinstance(thing, Performer):
            return thing.sight.eye_point(thing.posed)
        if isinstance(thing, Actor):
            physique = physique_of(thing.troupe.moved)
            joint = (*physique.anatomy.capabilities.get("head", ()), physique.root)[0]
            x, y, z = thing.troupe.actors.places[thing.index, joint].tolist()
            return x, y, z
        if callable(thing):
            thing = thing()
        try:
            x, y, z = (float(number) for number in thing)
        except (TypeError, ValueError):
            raise InputError(f"{thing!r} is no place; expected x, y and z in metres, a name or somebody") from None
        if not np.isfinite([x, y, z]).all():
            raise InputError(f"the place is {x, y, z}; expected finite numbers")
        return x, y, z

    def record(self, seconds: float, *, rate: float = RATE, name: str = "performance") -> Sampled:
        """What it does in the next seconds, as a clip, with what happens as its marks."""
        poses, marks = [self.pose], []
        for number in range(1, max(1, round(seconds * rate)) + 1):
            frame = self.step(1.0 / rate)
            poses.append(frame.pose)
            marks += [Mark((number - 1) / rate, event.name) for event in frame.events]
        joints, times = np.arange(len(self.character.skeleton)), np.arange(len(poses)) / rate
        recording = recorded(times, Pose.stack(poses), joints, rate=rate, name=name, marks=tuple(marks))
        return Sampled(self.character, recording)
