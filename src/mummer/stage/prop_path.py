"""The way of a prop: it lies, is held by a joint from a moment on, or flies, until something else happens to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import world_transforms
from mummer.clip.clip import Clip
from mummer.math import quaternion, rigid
from mummer.math.rigid import Rigid
from mummer.stage.props import GRAVITY


class Spell(Protocol):
    """What happens to a prop for a while."""

    def at(self, times: FloatArray) -> Rigid:
        """(T, 3) metres and (T, 4) turns in the world."""


@dataclass(frozen=True, eq=False)
class Lying:
    """It stays where it is."""

    place: FloatArray
    turn: FloatArray

    def at(self, times: FloatArray) -> Rigid:
        """See `Spell`."""
        return np.tile(self.place, (len(times), 1)), np.tile(self.turn, (len(times), 1))


@dataclass(frozen=True, eq=False)
class Held:
    """It moves with a joint of somebody, as far off it as it was when it was taken."""

    actor: str
    clip: Clip
    joint: int
    joint_from_prop: Rigid

    def at(self, times: FloatArray) -> Rigid:
        """See `Spell`."""
        places, turns = world_transforms(self.clip.body.skeleton, self.clip.sample(times))
        return rigid.multiply(places[:, self.joint], turns[:, self.joint], *self.joint_from_prop)


@dataclass(frozen=True, eq=False)
class Flying:
    """It flies freely from a moment on, and lies where it meets the floor."""

    begin: float
    place: FloatArray
    velocity: FloatArray
    turn: FloatArray
    floor: float

    @property
    def end(self) -> float:
        """Seconds at which it meets the floor."""
        rise, height = float(self.velocity[1]), max(float(self.place[1]) - self.floor, 0.0)
        return self.begin + (rise + math.sqrt(rise * rise + 2 * GRAVITY * height)) / GRAVITY

    def at(self, times: FloatArray) -> Rigid:
        """See `Spell`."""
        passed = (np.clip(times, self.begin, self.end) - self.begin)[:, None]
        places = self.place + passed * self.velocity - 0.5 * GRAVITY * passed**2 * np.array([0.0, 1.0, 0.0])
        return places, np.tile(self.turn, (len(times), 1))


def thrown(begin: float, place: FloatArray, target: FloatArray, apex: float | None) -> tuple[FloatArray, float]:
    """The velocity that brings a thing to a target, and when it is there.

    Args:
        begin: seconds, when it is let go.
        place: (3,) where.
        target: (3,) what it shall hit.
        apex: metres, how high it shall rise; a little above the line between both if None.
    """
    away = float(np.linalg.norm((target - place)[[0, 2]]))
    top = max(float(place[1]), float(target[1])) + (0.05 + 0.1 * away)
    top = top if apex is None else max(apex, float(place[1]), float(target[1]))
    rise = math.sqrt(2 * GRAVITY * max(top - float(place[1]), 0.0))
    seconds = rise / GRAVITY + math.sqrt(2 * max(top - float(target[1]), 0.0) / GRAVITY)
    velocity = (target - place) / max(seconds, 1e-3)
    velocity[1] = rise
    return velocity, begin + seconds


@dataclass(frozen=True, eq=False)
class PropPath:
    """What happens to one prop, spell after spell.

    Attributes:
        spells: each with the second from which on it counts; the first from the beginning.
    """

    spells: tuple[tuple[float, Spell], ...]

    @property
    def last(self) -> Spell:
        """What happens to it in the end."""
        return self.spells[-1][1]

    def at(self, times: Sequence[float] | FloatArray) -> Rigid:
        """(T, 3) metres and (T, 4) turns in the world."""
        moments = np.asarray(times, np.float64)
        begins = np.array([begin for begin, _ in self.spells])
        which = np.clip(np.searchsorted(begins, moments, side="right") - 1, 0, len(begins) - 1)
        places, turns = np.empty((len(moments), 3)), np.empty((len(moments), 4))
        for number in np.unique(which):
            rows = which == number
            places[rows], turns[rows] = self.spells[number][1].at(moments[rows])
        return places, turns

    def then(self, begin: float, spell: Spell) -> PropPath:
        """With what happens from ``begin`` on, instead of what else would."""
        return PropPath((*((time, each) for time, each in self.spells if time < begin), (begin, spell)))

    def taken(self, time: float, actor: str, clip: Clip, joint: int) -> PropPath:
        """Held by a joint from ``time`` on, without a jump."""
        place, turn = (part[0] for part in self.at([time]))
        places, turns = world_transforms(clip.body.skeleton, clip.at(time))
        back = quaternion.conjugate(turns[joint])
        offset = quaternion.rotate(back, place - places[joint]), quaternion.multiply(back, turn)
        return self.then(time, Held(actor, clip, joint, offset))

    def put(self, time: float) -> PropPath:
        """Lying where it is from ``time`` on."""
        place, turn = (part[0] for part in self.at([time]))
        return self.then(time, Lying(place, turn))

    def let_go(self, time: float, floor: float, velocity: FloatArray | None = None) -> PropPath:
        """Flying from ``time`` on; just falling if no velocity is given."""
        place, turn = (part[0] for part in self.at([time]))
        return self.then(time, Flying(time, place, np.zeros(3) if velocity is None else velocity, turn, floor))
