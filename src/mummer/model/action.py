"""Action: one thing that a body does, as a clip, and all that is known of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.annotated import Annotated
from mummer.clip.clip import Clip
from mummer.ik.body_point import Part, as_point, joint_of
from mummer.ik.constraints import Constrained
from mummer.ik.goal import Goal
from mummer.ik.world_state import WorldState
from mummer.model.key_times import KeyTimes
from mummer.model.throwing import Flight
from mummer.model.values import Values
from mummer.report import Report, ReportBuilder

RATE = 60.0
"""Frames a second at which goals are looked at."""
MET = 1e-3
"""Metres within which a goal is met."""
TURNED = math.radians(0.5)
"""Radians within which a goal about a direction is met."""


@dataclass(frozen=True, eq=False)
class Action:
    """What `act` gives.

    Attributes:
        model, style: names.
        rough: the motion, which meets its goals at its key times; what a stage joins and layers.
        key_times: seconds of ``rough`` by name.
        invariants: goals with intervals that must survive whatever is done to the motion.
        footsteps: when heels and toes stand, as marks.
        values: of all parameters, as they are used.
        weights: of the base motions by name.
        transition: what the model and the style say about how to come into it.
        flight: the way of what is thrown, or None.
        told: what was guessed, clipped or missed while it was made.
        tip: the part that acts, or None.
        made: ``rough`` constrained to ``invariants``, where that is known already.
    """

    model: str
    style: str
    rough: Clip
    key_times: KeyTimes
    invariants: tuple[Goal, ...] = ()
    footsteps: tuple[Mark, ...] = ()
    values: Values = field(default_factory=lambda: Values({}))
    weights: Mapping[str, float] = field(default_factory=dict)
    transition: Mapping[str, Any] = field(default_factory=dict)
    flight: Flight | None = None
    told: Report = field(default_factory=Report)
    tip: Part | None = None
    made: Constrained | None = field(default=None, repr=False)

    @property
    def body(self) -> Character:
        """Who does it."""
        return self.rough.body

    @cached_property
    def clip(self) -> Clip:
        """The motion with every invariant met, its key times and footsteps marked; ready to be saved."""
        made: Clip = Constrained(self.rough, self.invariants) if self.invariants else self.rough
        if self.made is not None and self.made.clip is self.rough and self.made.goals is self.invariants:
            made = self.made
        low, high = made.start, made.end
        marks = [Mark(min(max(time, low), high), name) for name, time in self.key_times]
        return Annotated(made, tuple(filter(None, (mark.within(low, high) for mark in (*marks, *self.footsteps)))))

    @cached_property
    def misses(self) -> tuple[float, ...]:
        """By how much each invariant is missed at worst, metres or radians; in the order of ``invariants``."""
        return misses_of(self.invariants, self.clip)

    @cached_property
    def report(self) -> Report:
        """What was guessed, clipped, and missed."""
        return self.report_of(self.misses)

    def report_of(self, misses: Sequence[float]) -> Report:
        """The same where invariants are missed by ``misses`` in what became of the motion."""
        report = ReportBuilder()
        report.add_all(self.told)
        for goal, miss in zip(self.invariants, misses, strict=True):
            if goal.is_hard and miss > (MET if goal.UNIT == "m" else TURNED):
                said = f"{miss * 1000:.1f} mm" if goal.UNIT == "m" else f"{np.degrees(miss):.1f} degrees"
                report.add("missed", f"{name_of(goal, self.body)} is missed by {said}")
        return report.build()

    def facts(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "model": self.model, "style": self.style, "body": self.body.name, "duration": self.clip.duration,
            "parameters": self.values.facts(), "weights": dict(self.weights), "key_times": dict(self.key_times),
            "footsteps": [{"name": mark.name, "from": mark.time, "to": mark.until} for mark in self.footsteps],
            "invariants": [
                {"name": name_of(goal, self.body), "during": goal.interval, "miss": miss, "unit": goal.UNIT}
                for goal, miss in zip(self.invariants, self.misses, strict=True)
            ],
            "flight": None if self.flight is None else dataclasses.asdict(self.flight),
            "findings": [{"kind": each.kind, "message": each.message} for each in self.report],
        }  # fmt: skip


def misses_of(goals: Sequence[Goal], clip: Clip) -> tuple[float, ...]:
    """By how much a clip misses each of ``goals`` at worst while it holds, metres or radians."""
    times = clip.times(RATE)
    state, found = WorldState(clip.body, clip.sample(times)), []
    for goal in goals:
        active = goal.active(len(times), times)
        found.append(float(np.max(np.where(active, goal.error(state, times), 0.0), initial=0.0)))
    return tuple(found)


def name_of(goal: Goal, body: Character) -> str:
    """What an invariant is called: its type, and the part and point that it is about."""
    words = [type(goal).__name__.lower()]
    roles = {} if body.anatomy is None else {joint: role for role, joint in body.anatomy.roles.items()}
    for point in goal.points:
        joint = joint_of(body, point)
        off = any(as_point(point).offset)
        words.append(roles.get(joint, body.skeleton.names[joint]) + ("+" if off else ""))
    return " ".join(words)
