"""Adding: what is too far or too high for an action is brought within it by another one, a way there or a jump."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip import Composite, Glue
from mummer.clip.transition import Transition
from mummer.general.physique import physique_of
from mummer.ik.world_state import WorldState
from mummer.model.act import AHEAD, Placing, act, finished
from mummer.model.action import Action
from mummer.model.key_times import KeyTimes
from mummer.model.model import Model
from mummer.model.performed import Rough, stands
from mummer.model.retimed import delayed
from mummer.model.style import Style
from mummer.report import ReportBuilder

JOIN = 0.3
"""Seconds from standing after a way to beginning the action."""
ROOM = 0.6
"""Part of what a body reaches over the ground that it goes near, so that it need not stretch."""
HIGHER = 0.02
"""Body heights that a jump rises more than it must."""


def added(
    body: Character, model: Model, style: Style, values: Mapping[str, Any], without: Sequence[str] = ()
) -> Action:
    """The action as asked, with a way to its target before it, or a jump under it, where it needs one.

    Args:
        body: who.
        model: whose ``target`` may be out of reach.
        style: how.
        values: of its parameters.
        without: names of invariants to leave out.
    """
    plain = act(body, model, style=style, without=without, **values)
    if "target" not in plain.values.clips:
        return plain
    asked, used = (np.asarray(place, np.float64) for place in plain.values.clips["target"])
    short = asked - used
    if short[1] > float(np.linalg.norm(short[[0, 2]])):
        return _jumping(body, model, style, plain, asked, short, without)
    return _going(body, model, style, values, plain, asked, used, without)


def _going(
    body: Character, model: Model, style: Style, values: Mapping[str, Any], plain: Action, asked: FloatArray,
    used: FloatArray, without: Sequence[str],
) -> Action:  # fmt: skip
    """It goes to where it reaches the target, and then does the action."""
    here = np.asarray(plain.values["position"], np.float64)
    out = (asked - here) * (1.0, 0.0, 1.0)
    far, reach = float(np.linalg.norm(out)), ROOM * float(np.linalg.norm((used - here) * (1.0, 0.0, 1.0)))
    there = here + out * max(0.0, 1.0 - reach / max(far, 1e-9))
    at: dict[str, Any] = {"position": tuple(here.tolist()), "orientation": plain.values["orientation"]}
    way = act(body, "walk", to=tuple(there.tolist()), **at)
    place, turn = stands(way.rough, way.rough.end, body)
    placed = {"position": (place[0], float(here[1]), place[2]), "orientation": turn}
    later = act(body, model, style=style, without=without, **{**values, **placed})
    return joined(way, later, f"the target is out of reach; it goes there first, {way.clip.duration:.1f} s")


def joined(first: Action, second: Action, said: str) -> Action:
    """Two actions one after the other as one: the key times are those of the second, which starts with the first."""
    begin = first.rough.end
    later = begin + JOIN
    glue = Transition(first.rough, second.rough, begin, second.rough.start, JOIN, "hermite")
    clip = Composite(first.body).with_segment(first.rough)
    clip = clip.with_segment(second.rough, at=later, source=second.rough.start, entrance=Glue(begin, later, glue))
    by = later - second.rough.start
    times = second.key_times.shifted(by)
    times = KeyTimes(times.names, (first.key_times.start, *times.times[1:]), times.pauses)
    goals = (*first.invariants, *(delayed(goal, by) for goal in second.invariants))
    steps = (*first.footsteps, *(mark.moved(mark.time + by, mark.until + by) for mark in second.footsteps))
    flight = second.flight and replace(second.flight, time=second.flight.time + by)
    report = ReportBuilder()
    report.add("repaired", said)
    report.add_all(second.told)
    values = type(second.values)({**second.values.settings, "position": first.values.settings["position"],
                                  "orientation": first.values.settings["orientation"]})  # fmt: skip
    return replace(
        second, rough=clip, key_times=times, invariants=goals, footsteps=steps, values=values, flight=flight,
        transition={**second.transition, "entry": "start"}, told=report.build(),
    )  # fmt: skip


def _jumping(
    body: Character, model: Model, style: Style, plain: Action, asked: FloatArray, short: FloatArray,
    without: Sequence[str],
) -> Action:  # fmt: skip
    """It jumps, and is there when it is highest."""
    here = np.asarray(plain.values["position"], np.float64)
    height = physique_of(body).height
    apex = float(short[1]) + HIGHER * height
    to = here + short * (1.0, 0.0, 1.0)
    at: dict[str, Any] = {"position": tuple(here.tolist()), "orientation": plain.values["orientation"]}
    jump = act(body, "jump", to=tuple(to.tolist()), apex=apex, **at)
    takeoff, landing = jump.key_times["takeoff"], jump.key_times["landing"]
    # Of who lands as high as it took off from; else nearly then.
    highest = 0.5 * (takeoff + landing)
    known = {"start": jump.key_times.start, "achieve": highest, "release": highest}
    known |= {"settle": jump.key_times["settle"], "end": jump.key_times.end}
    names = model.key_times
    if plain.tip is None or any(name not in known for name in names):
        return plain
    report = ReportBuilder()
    report.add("repaired", f"the target is too high; it jumps, {apex:.2f} m")
    rough = Rough(jump.rough, KeyTimes(names, tuple(known[name] for name in names)), jump.footsteps, plain.tip,
                  dict(plain.weights), {}, report.build())  # fmt: skip
    values = type(plain.values)({**plain.values.settings, "target": replace(plain.values.settings["target"],
                                 value=tuple(asked.tolist()), asked=None)})  # fmt: skip
    nowhere = np.zeros(3)
    made = finished(rough, model, values, Placing(nowhere, nowhere, np.asarray(AHEAD)), style=style, without=without)
    tips = WorldState(body, made.clip.sample([highest])).point(plain.tip)[0]
    worse = float(np.linalg.norm(tips - asked)) > float(np.linalg.norm(short))
    return plain if worse else made
