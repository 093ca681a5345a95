"""The way of a prop: it lies, is held from a moment on, or flies and comes to lie, until something else happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import Character, world_transforms
from mummer.clip.clip import Clip
from mummer.clip.mixing import ease
from mummer.clip.trajectory import GRAVITY
from mummer.ik.body_point import joint_of
from mummer.math import quaternion, rigid
from mummer.math.rigid import Rigid

UP = np.array([0.0, 1.0, 0.0])
SETTLE = 0.25
"""Seconds in which a thing that has come down lies flat."""
STEP = 1 / 240
"""Seconds between moments at which a flight is asked whether it has met the floor, and over which speed is taken."""
LONGEST = 30.0
"""Seconds after which what flies is taken to be gone."""


class Phase(Protocol):
    """What happens to a prop for a while."""

    def at(self, times: FloatArray) -> Rigid:
        """(T, 3) metres and (T, 4) turns in the world."""


@dataclass(frozen=True, eq=False)
class Lying:
    """It stays where it is."""

    pose: Rigid

    def at(self, times: FloatArray) -> Rigid:
        """See `Phase`."""
        return np.tile(self.pose[0], (len(times), 1)), np.tile(self.pose[1], (len(times), 1))


@dataclass(frozen=True, eq=False)
class Held:
    """It moves with a joint of somebody, as far off it as it was when it was taken."""

    clip: Clip
    joint: int
    joint_from_prop: Rigid
    actor: str = ""

    def by(self, clips: Mapping[str, Clip]) -> Held:
        """The same with what its holder does in ``clips``, by the holder's name."""
        return replace(self, clip=clips.get(self.actor, self.clip))

    def at(self, times: FloatArray) -> Rigid:
        """See `Phase`."""
        places, turns = world_transforms(self.clip.body.skeleton, self.clip.sample(times))
        return rigid.multiply(places[:, self.joint], turns[:, self.joint], *self.joint_from_prop)


@dataclass(frozen=True, eq=False)
class Shared:
    """It is held by somebody, and by a second hand that turns it about the first.

    Attributes:
        held: by the first alone.
        grip: from times to where the second hand is, (T, 3) metres and (T, 4) turns.
        points: (2, 3) metres of the prop, where both hold it.
    """

    held: Held
    grip: Callable[[FloatArray], Rigid]
    points: FloatArray

    def by(self, clips: Mapping[str, Clip]) -> Shared:
        """See `Held.by`."""
        return replace(self, held=self.held.by(clips))

    def at(self, times: FloatArray) -> Rigid:
        """See `Phase`."""
        places, turns = self.held.at(times)
        first, second = (places + quaternion.rotate(turns, point) for point in self.points)
        turn = quaternion.between_vectors(second - first, self.grip(times)[0] - first)
        return first + quaternion.rotate(turn, places - first), quaternion.multiply(turn, turns)


@dataclass(frozen=True, eq=False)
class Gliding:
    """It goes to a place by itself, as a thing on strings would."""

    begin: float
    pose: Rigid
    to: FloatArray
    seconds: float

    def at(self, times: FloatArray) -> Rigid:
        """See `Phase`."""
        part = ease((times - self.begin) / max(self.seconds, 1e-6))[:, None]
        return self.pose[0] + part * (self.to - self.pose[0]), np.tile(self.pose[1], (len(times), 1))


@dataclass(frozen=True, eq=False)
class Flying:
    """It flies freely from a moment on; where it meets the floor it comes to lie flat. It does not bounce or roll.

    Attributes:
        begin: seconds.
        pose: where it is then and how it is turned.
        velocity, spin: (3,) metres and radians a second, in the world.
        surface: (N, 3) points of the prop about its joint, of which the lowest meets the floor.
        floor: metres.
        gravity: metres a second squared, downwards.
    """

    begin: float
    pose: Rigid
    velocity: FloatArray
    spin: FloatArray
    surface: FloatArray
    floor: float = 0.0
    gravity: float = GRAVITY

    @cached_property
    def landing(self) -> float:
        """Seconds at which it meets the floor."""
        rise, reach = float(self.velocity[1]), float(np.linalg.norm(self.surface, axis=1).max(initial=0.0))
        high = max(float(self.pose[0][1]) - self.floor, 0.0) + reach
        last = min((rise + math.sqrt(rise * rise + 2 * self.gravity * high)) / self.gravity, LONGEST)
        passed = np.append(np.arange(0.0, last, STEP), last)
        places, turns = self._free(passed)
        low = places[:, 1] + np.array([self._lowest(turn) for turn in turns]) - self.floor
        down = np.flatnonzero(low <= 0)
        if not len(down):
            return self.begin + last
        hit = int(down[0])
        if hit == 0:
            return self.begin
        share = low[hit - 1] / max(low[hit - 1] - low[hit], 1e-12)
        return self.begin + float(passed[hit - 1] + share * (passed[hit] - passed[hit - 1]))

    @property
    def end(self) -> float:
        """Seconds at which it lies still."""
        return self.landing + SETTLE

    def at(self, times: FloatArray) -> Rigid:
        """See `Phase`."""
        places, turns = self._free(np.clip(times, self.begin, self.landing) - self.begin)
        down = np.flatnonzero(times > self.landing)
        if len(down):
            start = turns[down[0]]
            way = quaternion.log(quaternion.multiply(_flat(start), quaternion.conjugate(start)))
            share = np.minimum((times[down] - self.landing) / SETTLE, 1.0)
            turns[down] = quaternion.multiply(quaternion.exp(share[:, None] * way), start)
            places[down, 1] = [self.floor - self._lowest(turn) for turn in turns[down]]
        return places, turns

    def _free(self, passed: FloatArray) -> Rigid:
        rows = passed[:, None]
        places = self.pose[0] + rows * self.velocity - 0.5 * self.gravity * rows**2 * UP
        return places, quaternion.multiply(quaternion.exp(rows * self.spin), self.pose[1])

    def _lowest(self, turn: FloatArray) -> float:
        """The height of its lowest point above its joint, turned so."""
        return float((quaternion.rotate(turn, self.surface) @ UP).min(initial=0.0))


def _flat(turn: FloatArray) -> FloatArray:
    """The nearest rotation in which an axis of the thing points straight up."""
    axes = quaternion.rotate(turn, np.concatenate([np.eye(3), -np.eye(3)]))
    nearest = axes[int(np.argmax(axes @ UP))]
    axis = np.cross(nearest, UP)
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        return turn
    return quaternion.multiply(quaternion.exp(axis / length * math.atan2(length, float(nearest @ UP))), turn)


@dataclass(frozen=True, eq=False)
class PropPath:
    """What happens to one prop, phase after phase.

    Attributes:
        body: the prop.
        phases: each with the second from which on it counts; the first from the beginning.

    Example:
        ``PropPath.lying(ball(), (0, 1, 0.4)).taken(0.5, clip, "right_hand").let_go(2.0)``
    """

    body: Character
    phases: tuple[tuple[float, Phase], ...]

    @classmethod
    def lying(cls, body: Character, place: npt.ArrayLike, turn: npt.ArrayLike = (0, 0, 0, 1)) -> PropPath:
        """Where it is at first: (3,) metres and (4,) turn of its joint."""
        return cls(body, ((0.0, Lying((np.asarray(place, np.float64), quaternion.normalize(turn)))),))

    @property
    def last(self) -> Phase:
        """What happens to it in the end."""
        return self.phases[-1][1]

    @property
    def end(self) -> float:
        """Seconds at which it lies still by itself."""
        ends = [phase.end for _, phase in self.phases if isinstance(phase, Flying)]
        ends += [phase.begin + phase.seconds for _, phase in self.phases if isinstance(phase, Gliding)]
        return max(ends, default=0.0)

    def at(self, times: Sequence[float] | FloatArray) -> Rigid:
        """(T, 3) metres and (T, 4) turns in the world."""
        moments = np.asarray(times, np.float64)
        begins = np.array([begin for begin, _ in self.phases])
        which = np.clip(np.searchsorted(begins, moments, side="right") - 1, 0, len(begins) - 1)
        places, turns = np.empty((len(moments), 3)), np.empty((len(moments), 4))
        for number in np.unique(which):
            rows = which == number
            places[rows], turns[rows] = self.phases[number][1].at(moments[rows])
        return places, turns

    def away(self, time: float, points: FloatArray) -> FloatArray:
        """(N,) metres from points in the world (N, 3) to the box around the thing; zero inside."""
        place, turn = self._pose(time)
        local = quaternion.rotate(quaternion.conjugate(turn), points - place)
        corners = [mesh.positions for mesh in self.body.meshes] or [np.zeros((1, 3))]
        low, high = (
            np.min([each.min(axis=0) for each in corners], axis=0),
            np.max([each.max(axis=0) for each in corners], axis=0),
        )
        return np.asarray(np.linalg.norm(local - np.clip(local, low, high), axis=1))

    def then(self, begin: float, phase: Phase) -> PropPath:
        """With what happens from ``begin`` on, instead of what else would."""
        return PropPath(self.body, (*((time, each) for time, each in self.phases if time < begin), (begin, phase)))

    def taken(self, time: float, clip: Clip, by: str | int, actor: str = "") -> PropPath:
        """Held by a joint (a role, a name or a number) from ``time`` on, without a jump."""
        joint = joint_of(clip.body, by)
        places, turns = world_transforms(clip.body.skeleton, clip.at(time))
        held = rigid.multiply(*rigid.inverse(places[joint], turns[joint]), *self._pose(time))
        return self.then(time, Held(clip, joint, held, actor))

    def by(self, clips: Mapping[str, Clip]) -> PropPath:
        """The same with what its holders do in ``clips``, by their names."""
        held = [(time, each.by(clips) if isinstance(each, Held | Shared) else each) for time, each in self.phases]
        return replace(self, phases=tuple(held))

    def shared(self, begin: float, end: float, grip: Callable[[FloatArray], Rigid]) -> PropPath:
        """Held by a second hand as well between two moments, where somebody holds it then; see `Shared`."""
        phases = [each for each in self.phases if each[0] <= begin]
        held, later = phases[-1][1], [each for each in self.phases if each[0] > begin]
        if not isinstance(held, Held):
            return self
        now = np.array([begin])
        hand = world_transforms(held.clip.body.skeleton, held.clip.sample(now))[0][:, held.joint]
        place, turn = self._pose(begin)
        ends = quaternion.rotate(quaternion.conjugate(turn), np.concatenate([hand, grip(now)[0]]) - place)
        made = PropPath(self.body, (*phases, (begin, Shared(held, grip, ends))))
        if not later or later[0][0] > end:
            made = made.taken(end, held.clip, held.joint, held.actor)
        for time, phase in later:
            if isinstance(phase, Lying):
                made = made.put(time)
            elif isinstance(phase, Flying):
                made = made.let_go(time, velocity=phase.velocity, spin=phase.spin, floor=phase.floor,
                                   gravity=phase.gravity)  # fmt: skip
            else:
                made = PropPath(self.body, (*made.phases, (time, phase)))
        return made

    def put(self, time: float) -> PropPath:
        """Lying where it is from ``time`` on."""
        return self.then(time, Lying(self._pose(time)))

    def moved(self, time: float, to: npt.ArrayLike, seconds: float) -> PropPath:
        """Going to a place (3,) by itself from ``time`` on."""
        return self.then(time, Gliding(time, self._pose(time), np.asarray(to, np.float64), seconds))

    def let_go(
        self, time: float, *, velocity: FloatArray | None = None, spin: FloatArray | None = None, floor: float = 0.0,
        gravity: float = GRAVITY,
    ) -> PropPath:  # fmt: skip
        """Flying from ``time`` on, with a velocity and a spin, or as it is moved and turned then; see `Flying`."""
        places, turns = self.at([time - STEP, time])
        speed = (places[1] - places[0]) / STEP if velocity is None else velocity
        own = quaternion.log(quaternion.multiply(turns[1], quaternion.conjugate(turns[0]))) / STEP
        points = [mesh.positions for mesh in self.body.meshes]
        surface = np.concatenate(points).astype(np.float64) if points else np.zeros((1, 3))
        return self.then(
            time, Flying(time, (places[1], turns[1]), speed, own if spin is None else spin, surface, floor, gravity)
        )

    def dropped(self, time: float, floor: float = 0.0) -> PropPath:
        """Falling straight from ``time`` on."""
        return self.let_go(time, velocity=np.zeros(3), floor=floor)

    def _pose(self, time: float) -> Rigid:
        places, turns = self.at([time])
        return places[0], turns[0]
