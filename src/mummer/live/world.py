"""A world of characters that goes on in time: told by messages, it answers with frames, feedback and sound."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mummer.behavior import Performer, make
from mummer.bml.block import SyncRef
from mummer.bml.company import Company
from mummer.bml.feedback import Feedback
from mummer.bml.realizer import Realizer
from mummer.bml.schedule import Phase, Timed, schedule
from mummer.errors import InputError, MummerError
from mummer.io.subjects import BodyLike
from mummer.live import protocol
from mummer.live.protocol import Message

RATE = 60.0
"""Steps a second."""
MOST_THINGS = 1_000
MOST_RUNNING = 50
"""Behaviours that one character does at once."""
MOST_BLOCKS = 2_000
"""Blocks that are under way or wait at once."""
LEAD, PIECE = 0.5, 0.2
"""Seconds that sound is sent ahead, and of one piece of it."""


@dataclass(frozen=True)
class Beat:
    """What a step brought.

    Attributes:
        number: of the step.
        time: seconds on the clock.
        frame: all poses, as bytes; see `mummer.live.protocol`.
        feedback: on blocks.
        sounds: as bytes.
    """

    number: int
    time: float
    frame: bytes
    feedback: tuple[Feedback, ...] = ()
    sounds: tuple[bytes, ...] = ()


class World:
    """Characters that live, and what there is around them.

    Attributes:
        company: who is there.
        realizer: of BML.
        number: of the last step.

    Example:
        >>> world = World({"ann": "zoo:adult"})
        >>> reports = world.tell_bml('<bml id="b"><head id="nod" lexeme="NOD"/></bml>')
        >>> beat = world.step(1 / 60)
        >>> len(beat.frame) > 100
        True
    """

    def __init__(self, characters: Mapping[str, BodyLike], *, things: Mapping[str, Any] | None = None) -> None:
        """A world.

        Args:
            characters: bodies by name, who stand in a row.
            things: places by name, metres.
        """
        self.company = Company.of(characters, None if things is None else dict(things))
        performers = self.company.performers
        self.realizer = Realizer(self.company)
        self.numbers = {name: number for number, name in enumerate(performers)}
        self.number = 0
        _warm_up()
        self._heard = dict.fromkeys(performers, 0)
        self._voiced: list[_Voice] = []
        self._spoken = 0

    @property
    def time(self) -> float:
        """Seconds on its clock."""
        return self.realizer.clock

    def who(self, name: str) -> Performer:
        """Somebody; the first if nobody is named."""
        return self.company.performers[self.company.find(name)]

    def tell_bml(self, text: str | bytes) -> list[Feedback]:
        """Blocks come in.

        Raises:
            MummerError: if it is no BML at all.
        """
        if len(self.realizer.blocks) >= MOST_BLOCKS:
            raise InputError(f"{MOST_BLOCKS} blocks wait already; try again later")
        return self.realizer.submit(text)

    def tell(self, message: Message) -> list[Feedback]:
        """A message comes in.

        Raises:
            MummerError: in one line, if it asks for what cannot be.
        """
        if isinstance(message, protocol.Bml):
            return self.tell_bml(message.text)
        if isinstance(message, protocol.Thing):
            self._put(message)
        elif isinstance(message, protocol.Stop):
            return self._stop(message)
        elif not isinstance(message, protocol.Ping):
            self._direct(self.who(message.character), message)
        return []

    def _put(self, message: protocol.Thing) -> None:
        world = self.company.world
        if message.name in self.company.performers:
            raise InputError(f"{message.name!r} is a character, not a thing")
        if message.at is None:
            world.pop(message.name, None)
        elif len(world) >= MOST_THINGS and message.name not in world:
            raise InputError(f"there are {MOST_THINGS} things already")
        else:
            world[message.name] = self.who("").where(message.at)

    def _stop(self, message: protocol.Stop) -> list[Feedback]:
        if message.block:
            return self.realizer.interrupt(message.block)
        reports: list[Feedback] = []
        name = self.company.find(message.character)
        for block in self.realizer.blocks_of(name):
            reports += self.realizer.interrupt(block)
        performer = self.company.performers[name]
        performer.stop()
        performer.actor.stop()
        return reports

    def _direct(self, performer: Performer, message: Message) -> None:
        actor = performer.actor
        if isinstance(message, protocol.Go):
            if message.to is not None:
                actor.go_to(message.to, pace=message.speed)
            elif message.velocity is not None or message.speed is not None:
                actor.go(message.velocity, speed=message.speed, heading=message.heading)
            elif message.heading is not None:
                actor.face(message.heading)
            else:
                raise InputError("go expected to, velocity, speed or heading")
        elif isinstance(message, protocol.Play):
            actor.play(_plain(message.animation), target=message.target)
        elif isinstance(message, protocol.Look):
            if message.at is None:
                actor.look_at(None)
            else:
                self._start(performer, "gaze_shift", {"target": message.at})
        elif isinstance(message, protocol.Do):
            self._start(performer, message.kind, message.attributes)

    @staticmethod
    def _start(performer: Performer, kind: str, attributes: Mapping[str, Any]) -> None:
        if len(performer.running) >= MOST_RUNNING:
            raise InputError(f"{MOST_RUNNING} behaviours run already; try again later")
        for name, value in attributes.items():
            if not isinstance(value, (str, int, float, bool, list, tuple)) or (name in FILES):
                raise InputError(f"{kind} cannot be given {name!r} from afar")
        performer.start(make(kind, performer, **attributes))

    def step(self, seconds: float) -> Beat:
        """Let time pass; what has come of it."""
        feedback = tuple(self.realizer.step(seconds))
        self.number += 1
        poses = {self.numbers[name]: frame.pose for name, frame in self.company.frames.items()}
        frame = protocol.pack_poses(self.number, self.time, poses)
        return Beat(self.number, self.time, frame, feedback, tuple(self._voices()))

    def _voices(self) -> list[bytes]:
        """What is heard in the next moments and was not sent yet: who is cut off is not heard on."""
        made: list[bytes] = []
        for name, performer in self.company.performers.items():
            for place in range(self._heard[name], len(performer.sounds)):
                self._voiced.append(_Voice(name, place, len(self._voiced) + self._spoken))
            self._heard[name] = len(performer.sounds)
        for voice in self._voiced:
            performer = self.company.performers[voice.name]
            sound = performer.sounds[voice.place]
            until = min(len(sound.samples), math.ceil((performer.time + LEAD - sound.start) * sound.rate))
            if until - voice.sent >= min(sound.rate * PIECE, len(sound.samples) - voice.sent) > 0:
                piece = sound.samples[voice.sent : until]
                start = sound.start + self.time - performer.time
                number = self.numbers[voice.name]
                made.append(protocol.pack_sound(number, voice.number, start, piece, sound.rate, before=voice.sent))
                voice.sent = until
            if performer.time > sound.start + len(sound.samples) / sound.rate + 1.0:
                performer.sounds[voice.place] = sound._replace(samples=sound.samples[:0].copy())
                voice.over = True
        self._spoken += sum(voice.over for voice in self._voiced)
        self._voiced = [voice for voice in self._voiced if not voice.over]
        return made


@dataclass
class _Voice:
    """A sound that is being sent: whose, which of theirs, its number, and how many samples went out."""

    name: str
    place: int
    number: int
    sent: int = 0
    over: bool = False


def _warm_up() -> None:
    """Let the scheduler load what it needs now, not when the first block comes in."""
    phases = (Phase(0.5), Phase(0.5))
    asked = {"end": SyncRef("b", "ready")}
    schedule([Timed(name, ("start", "ready", "end"), phases, asked if name == "a" else {}) for name in "ab"])


FILES = ("audio", "times", "utterance")
"""Attributes that name files of the machine; nobody from afar may."""


def _plain(name: str) -> str:
    """The name of an animation of the library, never of a file."""
    if any(letter in name for letter in "/\\.:~") or len(name) > 100:
        raise InputError(f"{name[:40]!r} is no animation of the library")
    return name


def is_refusal(error: Exception) -> bool:
    """Whether an error is about what was asked, not about us."""
    return isinstance(error, (MummerError, TypeError, ValueError, KeyError, OverflowError))
