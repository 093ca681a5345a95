"""Transition: a clip that glues two others together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character
from mummer.character.balance import mass_of
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.displacement import carried_by, own_displacement, reach_of
from mummer.clip.frames import Frames
from mummer.clip.mixing import ease, mix_into
from mummer.clip.moment import Moment
from mummer.clip.transition_curves import Bridge, Departure
from mummer.clip.weights import joints_of, require_same_body
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion

Method = Literal["blend", "warp", "hermite", "best"]
METHODS = ("blend", "warp", "hermite", "best")
BLINK = 1e-3
"""Seconds over which a difference of speeds is looked at."""


@dataclass(frozen=True, eq=False, repr=False)
class Transition(Clip):
    """The motion between the moment when one clip is left and the moment when another is entered.

    It runs from ``exit`` for ``seconds``, in the time of the first clip. Its pose and, but for ``blend`` where
    the clips run out, its velocity are those of the first clip at the start and those of the second at the end.

    What happens in between is up to the method. ``blend`` fades from how the first goes on to how the second leads in.
    ``warp`` plays what leads in to the second, bent so that it starts where and as the first was left: its style stays.
    ``hermite`` goes along one cubic for each joint. ``best`` chooses for each body group: ``warp`` where little of its
    mass is displaced, else ``hermite``. Where the second clip has less than ``seconds`` before ``entry``, what is there
    is slowed.

    A joint that only one of the clips defines follows that one.

    Attributes:
        first, second: clips of one body, standing where they shall be played.
        exit: seconds, when the first is left.
        entry: seconds, in the time of the second, when it is entered.
        seconds: how long it takes.
        method: for all groups but those in ``groups``.
        groups: other methods for some body groups, by name.
        threshold: for ``best``, how far the mass that a group moves may be displaced, as a share of the group's reach.
            A change of speed counts as the way that would take as much acceleration.
    """

    first: Clip
    second: Clip
    exit: float
    entry: float
    seconds: float
    method: Method = "best"
    groups: Mapping[str, Method] = field(default_factory=dict)
    threshold: float = 0.1

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", dict(self.groups))
        require_same_body(self.first.body, self.second.body, "a transition")
        for clip, time, what in ((self.first, self.exit, "left"), (self.second, self.entry, "entered")):
            if not clip.start - 1e-9 <= time <= clip.end + 1e-9:
                raise InputError(
                    f"a clip cannot be {what} at {time:g} s: it runs from {clip.start:g} to {clip.end:g} s"
                )
        if not 0 < self.seconds < np.inf:
            raise InputError(f"a transition cannot take {self.seconds:g} s; expected more than zero")
        if not self.threshold >= 0:
            raise InputError(f"groups cannot be displaced by {self.threshold:g} of their reach; expected zero or more")
        for method in (self.method, *self.groups.values()):
            if method not in METHODS:
                raise UnknownNameError("Transition", "method", method, METHODS)
        joints_of(self.body, self.groups)

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.first.body

    @property
    def start(self) -> float:
        """When the first clip is left."""
        return float(self.exit)

    @property
    def end(self) -> float:
        """When the second clip is entered, in the time of the first."""
        return float(self.exit + self.seconds)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What is marked in the part of the second that is played to lead in, and of the first that is blended out."""
        found = []
        if self._masks["blend"].any():
            found += [mark.within(self.start, self.end) for mark in self.first.marks]
        if self._pace > 0 and (self._masks["blend"].any() or self._masks["warp"].any()):
            begin = self.entry - self._pace * self.seconds
            for mark in self.second.marks:
                ends = [self.start + (time - begin) / self._pace for time in (mark.time, mark.until)]
                found.append(mark.moved(ends[0], ends[1]).within(self.start, self.end))
        return tuple(sorted(mark for mark in found if mark is not None))

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        masks, part = self._masks, np.clip((times - self.start) / self.seconds, 0.0, 1.0)
        is_played = masks["blend"].any() or masks["warp"].any() or masks["second"].any()
        made = self._lead(times) if is_played else self._arriving.pose.select(np.zeros(len(times), np.int64))
        for moment in (self._leaving, self._arriving):
            made.widen(moment.pose, self.body)
        if masks["warp"].any():
            self._departure.apply(made, part)
        if masks["blend"].any() or masks["first"].any():
            rest = self.first.frames(np.clip(times, self.first.start, self.first.end))
            mix_into(made, rest, ease(1.0 - part), masks["blend"].astype(float), self.body)
            mix_into(made, rest, np.ones(len(times)), masks["first"].astype(float), self.body)
        if masks["hermite"].any():
            self._bridge.apply(made, part)
        return made

    # What leads in to the second clip ---------------------------------------------------------------------------------

    @property
    def _pace(self) -> float:
        """How fast the second clip's lead-in is played: 1, or less where there is less of it than needed."""
        return float(np.clip((self.entry - self.second.start) / self.seconds, 0.0, 1.0))

    def _lead(self, times: FloatArray) -> Frames:
        passed = self.entry - self._pace * (self.end - times)
        return self.second.frames(np.clip(passed, self.second.start, self.second.end))

    # The moments to be met ------------------------------------------------------------------------------------------

    @cached_property
    def _leaving(self) -> Moment:
        return Moment.of(self.first, self.exit)

    @cached_property
    def _arriving(self) -> Moment:
        return Moment.of(self.second, self.entry)

    @cached_property
    def _led_from(self) -> Moment:
        return Moment.of(self.second, self.entry - self._pace * self.seconds).slowed(self._pace)

    @cached_property
    def _led_to(self) -> Moment:
        return Moment.of(self.second, self.entry).slowed(self._pace)

    @cached_property
    def _departure(self) -> Departure:
        return Departure.between(
            self._leaving, self._led_from, self._led_to, self._arriving, self._masks["warp"], self.body, self.seconds
        )

    @cached_property
    def _bridge(self) -> Bridge:
        return Bridge.between(self._leaving, self._arriving, self._masks["hermite"], self.body, self.seconds)

    # Who does what --------------------------------------------------------------------------------------------------

    @cached_property
    def _masks(self) -> dict[str, BoolArray]:
        """(J,) the joints of each method, and those that follow the first or the second clip alone."""
        first, second = self.first.defined, self.second.defined
        masks = {name: np.zeros(len(first), bool) for name in ("blend", "warp", "hermite")}
        for joints, method in self._groups():
            shared = joints & first & second
            masks[self._chosen(shared) if method == "best" else method] |= shared
        return {**masks, "first": first & ~second, "second": second & ~first}

    def _groups(self) -> list[tuple[BoolArray, Method]]:
        """The joints of each body group and its method; without an anatomy the body is one group."""
        anatomy = self.body.anatomy
        if anatomy is None:
            return [(np.ones(len(self.body.skeleton), bool), self.method)]
        return [(joints_of(self.body, (name,)), self.groups.get(name, self.method)) for name in anatomy.groups]

    def _chosen(self, joints: BoolArray) -> Method:
        """Whether a group must bend by little of its reach, as mass displacement, to lead in as the second does.

        To take up a speed v within the given time t needs an acceleration of up to 4 v / t, and to make up for a
        distance d one of 6 d / t²: the first counts like two thirds of v t.
        """
        moved = np.flatnonzero(joints).tolist()
        if not moved or not mass_of(self.body).masses[carried_by(self.body, moved)].sum() > 0:
            return "hermite"
        leads = self._led_from.pose.to_pose()
        bend = own_displacement(self.body, self._leaving.pose.to_pose(), leads, moved)
        turns = quaternion.exp(BLINK * (self._leaving.spins - self._led_from.spins))
        steps = BLINK * (self._leaving.rates["root"] - self._led_from.rates["root"])
        faster = leads.replace(rotations=quaternion.multiply(turns, leads.rotations))
        if leads.translations is None:
            faster = faster.replace(root_translation=self._led_from.pose.root + steps)
        bend = bend + own_displacement(self.body, leads, faster, moved) * (2.0 / 3.0) * self.seconds / BLINK
        return "warp" if bend[0] < self.threshold * reach_of(self.body, moved) else "hermite"
