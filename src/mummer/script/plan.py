"""The plan: what every degree of freedom does when, from which a motion is made: the base representation."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray
from mummer.report import Report
from mummer.script.dofs import Dofs
from mummer.script.source import Source

Envelope = tuple[float, float, float, float]
EASE: Envelope = (0.0, 1.0, 1.0, 0.0)
"""Anticipation, slowness at leaving and at arriving, overshoot; all nought is a way at one speed."""
SPACERS = "spacers"


@dataclass(slots=True)
class Element:
    """Brings one degree of freedom somewhere and holds it there: a transition element.

    Attributes:
        action, cycle, pose: what it comes from: number of the action in the plan, and of cycle and pose from 1.
        turn: which pose of the plan's sequence of the action it belongs to, repetitions counted.
        start, duration, hold: seconds: when it begins, takes to its value, and stays there.
        value: where it goes: radians, or metres; see `Dofs`.
        curve: the way there, see `envelope`.
        gain: how much of what was recorded beside that way is kept.
        tension: 1 as usual, more for stiff, less for loose.
        shake: radians, and times a second, of a tremor on top.
        window: seconds of the recording: from, reached, left.
        offset: seconds after its pose that it begins.
        fixed: whether it carries the body and so keeps time and manner with all others that do.
        tags: what properties leave for the planner: ``scale``, ``at``, ``beat`` ...
    """

    action: int
    cycle: int
    pose: int
    turn: int
    start: float = 0.0
    duration: float = 0.5
    hold: float = 0.0
    value: float = 0.0
    curve: Envelope = EASE
    gain: float = 1.0
    tension: float = 1.0
    shake: tuple[float, float] = (0.0, 0.0)
    window: tuple[float, float, float] | None = None
    offset: float = 0.0
    fixed: bool = False
    tags: dict[str, float] = field(default_factory=dict)

    @property
    def end(self) -> float:
        """Seconds at which it lets go."""
        return self.start + self.duration + self.hold


@dataclass(frozen=True, eq=False)
class Stage:
    """The plan as it was after one step of its making."""

    name: str
    tracks: dict[str, list[Element]]

    @property
    def duration(self) -> float:
        """Seconds until the last element ends."""
        return max((track[-1].end for track in self.tracks.values() if track), default=0.0)


@dataclass(frozen=True, eq=False)
class Plan:
    """Tracks of elements, one for each degree of freedom and signal, and how they came to be.

    Attributes:
        dofs: of the body.
        actions: names of the actions, and the recordings that some were read from.
        tracks: elements by degree of freedom, earliest first, none overlapping another. What begins with `posture` is
            how the body is held beneath all that moves.
        history: every stage, from the empty one to this.
        report: what could not be done.
    """

    dofs: Dofs
    actions: tuple[tuple[str, Source | None], ...]
    tracks: dict[str, list[Element]]
    history: tuple[Stage, ...] = ()
    report: Report = field(default_factory=Report)

    @property
    def duration(self) -> float:
        """Seconds until the last element ends."""
        return max((track[-1].end for track in self.tracks.values() if track), default=0.0)

    def of_action(self, name: str) -> Iterator[tuple[str, Element]]:
        """The elements that an action has made, with their tracks."""
        for dof, track in self.tracks.items():
            for element in track:
                if self.actions[element.action][0] == name:
                    yield dof, element

    def moments(self, action: int) -> tuple[FloatArray, FloatArray]:
        """Seconds of the recording that an action was read from, (K,), and those at which they are played, (K,)."""
        # What carries the body keeps time; others may be late.
        tracks = sorted(self.tracks.values(), key=lambda track: not track[0].fixed if track else True)
        mine = next((found for track in tracks if (found := [
            e for e in track if e.action == action and e.window is not None])), [])  # fmt: skip
        played = [moment for e in mine for moment in (e.start, e.start + e.duration, e.end)]
        return np.array([moment for e in mine for moment in e.window or ()]), np.array(played)

    def tension(self, times: FloatArray) -> FloatArray:
        """(T, J) how stiff each joint is held, 1 as usual."""
        found = np.ones((len(times), len(self.dofs.names)))
        for dof, track in self.tracks.items():
            if dof not in self.dofs.columns:
                continue
            joint = self.dofs.columns[dof][0]
            for element in track:
                now = (times >= element.start) & (times <= element.end)
                found[now, joint] = element.tension
        return found


def copied(tracks: dict[str, list[Element]]) -> dict[str, list[Element]]:
    """The same elements once more, to be changed."""
    return {dof: [copy.copy(element) for element in track] for dof, track in tracks.items()}


def envelope(curve: Envelope, u: FloatArray) -> FloatArray:
    """(T,) the share of the way that is done after the share ``u`` of the time, by the four numbers of a curve.

    From 0 to 1. ``curve`` says how far it first goes back, how slow it leaves and arrives (1 from standing, 0 at one
    speed, -1 at twice that), and how far it goes past.
    """
    back, leaving, arriving, past = curve
    first, last = 1.0 - leaving, 1.0 - arriving
    cubic = u * (first + u * (3.0 - 2.0 * first - last + u * (first + last - 2.0)))
    # Both go smoothly from nought to nought, and are largest, 1, at a fifth of the time and at four fifths.
    bump = 12.207 * u * (1.0 - u) ** 4
    mirror = 12.207 * (1.0 - u) * u**4
    return np.asarray(cubic - back * bump + past * mirror)
