"""Random commands for live actors, and what is seen of them, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import mummer as mm
from mummer.character import Character, Pose
from mummer.clip import Clip, Sampled
from mummer.clip.recorded import recorded
from mummer.engine.ground import level_ground
from mummer.errors import InputError
from mummer.general import animation_names

RATE = 60.0
TILTING = 1.0
"""Seconds that a floor takes to tilt: it carries those who stand on it."""


@dataclass(frozen=True)
class Seen:
    """What was seen of an actor, T frames.

    Attributes:
        character: who.
        poses: T of them.
        grounds: (T, 3) the plane below: height at the origin, and how much it rises a metre along x and z.
        said: what was said, and at which frame.
    """

    character: Character
    poses: Pose
    grounds: np.ndarray
    said: list[tuple[int, str]]

    @property
    def clip(self) -> Clip:
        """The same as a clip."""
        every, times = np.arange(len(self.character.skeleton)), np.arange(len(self.grounds)) / RATE
        return Sampled(self.character, recorded(times, self.poses, every, rate=RATE, name="seen"))


@dataclass
class Floor:
    """A floor that tilts about where somebody stands, smoothly."""

    plane: np.ndarray = field(default_factory=lambda: np.zeros(3))
    start: np.ndarray = field(default_factory=lambda: np.zeros(3))
    end: np.ndarray = field(default_factory=lambda: np.zeros(3))
    gone: float = 1.0

    def tilt(self, place: np.ndarray, slope: np.ndarray) -> None:
        """Begin to tilt to a slope; the floor stays as high as it is at a place."""
        height = self.plane @ [1.0, *place]
        self.start, self.gone = self.plane, 0.0
        self.end = np.array([height - slope @ place, *slope])

    def step(self) -> np.ndarray:
        """A moment later."""
        self.gone = min(self.gone + 1.0 / (TILTING * RATE), 1.0)
        share = self.gone**3 * (10 - 15 * self.gone + 6 * self.gone**2)
        self.plane = self.start + share * (self.end - self.start)
        return self.plane


def watch(actor: mm.Actor, seconds: float, rng: np.random.Generator | None = None) -> Seen:
    """Step an actor; with ``rng``, something is said to it at random moments."""
    poses, grounds, said = [], [], []
    soon, floor = 20, Floor()
    for frame in range(round(seconds * RATE)):
        if rng is not None and frame >= soon:
            soon = frame + int(rng.uniform(20, 120))
            said.append((frame, say(actor, rng, floor)))
        plane = floor.step()
        if rng is not None:
            actor.troupe.ground = level_ground(plane[0], (plane[1], plane[2]))
        poses.append(actor.step(1 / RATE))
        grounds.append(plane)
    return Seen(actor.character, Pose.stack(poses), np.array(grounds), said)


def say(actor: mm.Actor, rng: np.random.Generator, floor: Floor) -> str:
    """Say something at random: go, stop, turn about, look, play, move the target, tilt the ground."""
    what = int(rng.integers(9))
    easy = actor.troupe.easy_speed
    if what == 0:
        actor.stop()
        return "stop"
    if what in (1, 2):
        speed, heading = easy * rng.uniform(0.3, 1.5), rng.uniform(-np.pi, np.pi)
        actor.go(speed=speed, heading=heading)
        return f"go at {speed:.2f} m/s to {heading:.1f}"
    if what == 3:
        actor.go(-actor.velocity)
        return "turn about"
    if what == 4:
        actor.look_at(rng.normal(size=3) * 3 if rng.random() < 0.8 else None)
        return "look"
    if what == 5:
        floor.tilt(actor.place, rng.normal(size=2) * 0.03)
        return "tilt"
    if what == 6:
        actor.go_to(actor.place + rng.normal(size=2) * 3)
        return "go to"
    name = str(rng.choice(animation_names()))
    try:
        play = actor.play(name)
        if rng.random() < 0.3:
            play.target = play.target + rng.normal(size=3) * 0.3 * actor.troupe.body.frame.height
    except InputError:
        return "not for this body"
    return f"play {name}"


def body_named(name: str) -> Character:
    """``zoo`` bodies by name, random creatures by number."""
    return mm.zoo.random_creature(int(name)) if name.isdigit() else mm.zoo.body(name)
