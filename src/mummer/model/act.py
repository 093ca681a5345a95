"""Act: one call from a body, a model and values to an action."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip.clip import Clip
from mummer.clip.pivot import Pivot
from mummer.clip.trajectory import Trajectory
from mummer.engine.troupe import known_body
from mummer.errors import InputError, UnknownNameError
from mummer.general.physique import physique_of
from mummer.ik.body_point import Part
from mummer.ik.handles import handle
from mummer.io.subjects import BodyLike, as_character
from mummer.math import quaternion
from mummer.model.action import Action
from mummer.model.deform import Stands, bend, goals_of, standing_reach
from mummer.model.jumping import arrived, jumped, pressed
from mummer.model.load import laden
from mummer.model.model import Model, load_model
from mummer.model.parameter import Beyond
from mummer.model.performed import Rough, origin_of, performed
from mummer.model.style import Style, load_style
from mummer.model.throwing import thrown, turned
from mummer.model.timing import dilated, paced, quickest_of, repeated
from mummer.model.tweak import tweaked
from mummer.model.values import Setting, Values, settle
from mummer.report import ReportBuilder

BEYOND: tuple[Beyond, ...] = ("clip", "ignore", "add")
SHORTEST = 0.02
"""Seconds that a goal is held at least, where it is held at all."""
AHEAD = (0.0, 0.0, 0.0, 1.0)


def act(
    body: BodyLike,
    model: str | Path | Model,
    *,
    style: str | Path | Style | None = None,
    beyond: Beyond = "clip",
    without: Sequence[str] = (),
    **values: Any,
) -> Action:
    """A body does an action.

    Args:
        body: a path, ``zoo:NAME``, a character or a clip of one; recognised if nobody knows its anatomy yet.
        model: which action: the name of a model of the library, a file, or a model.
        style: how: the name of one of its styles, a file, or a style; its first one if None.
        beyond: what is done about values that are not legal: ``clip`` takes the nearest legal ones and
            says so; ``ignore`` does what can be done; ``add`` goes there or jumps first, and clips what is left.
        without: names of invariants to leave out, as `Action.facts` tells them.
        values: of the model's parameters, by name.

    Returns:
        The action: ``action.clip`` is the motion, ``action.report`` says what was clipped, guessed or missed.

    Raises:
        UnknownNameError: if there is no such model, style or parameter.
        InputError: if a value cannot be read.

    Example:
        >>> import mummer as mm
        >>> action = mm.act("zoo:adult", "reach", target=(0.3, 1.2, 0.4))
        >>> max(action.misses) < 1e-3
        True
    """
    if beyond not in BEYOND:
        raise UnknownNameError("act()", "way with illegal values", beyond, BEYOND)
    known = load_model(model)
    chosen = load_style(style, known)
    character = known_body(as_character(body, asker="act()"))
    if known.layers:
        from mummer.model.combined import combined

        return combined(character, known, chosen, values, beyond=beyond, without=without)
    if beyond == "add":
        from mummer.model.adding import added

        return added(character, known, chosen, values, without)
    asked = settle(known, chosen, values, physique_of(character).height, ignore=beyond == "ignore")
    asked, placing = placed(character, known, asked)
    rough = _rough(character, known, chosen, placing.into(known, asked))
    if beyond == "clip" and chosen.is_performed:
        nearer = standing_reach(rough.clip, known.goals, placing.into(known, asked), rough.key_times, rough.tip)
        for name, place in nearer.items():
            asked = asked.clipped(name, placing.abroad(place))
        rough = _rough(character, known, chosen, placing.into(known, asked)) if nearer else rough
    return finished(rough, known, asked, placing, style=chosen, clips=beyond == "clip", without=without)


def finished(
    rough: Rough, model: Model, values: Values, placing: Placing, *, style: Style | None = None, clips: bool = True,
    without: Sequence[str] = (),
) -> Action:  # fmt: skip
    """A rough motion put where the actor stands and bent to its goals.

    Args:
        rough: in the actor's own frame.
        model: whose goals.
        values: as the caller gave them, in the world.
        placing: where the actor stands.
        style: how it is done.
        clips: whether places out of reach are brought within it.
        without: invariants to leave out.
    """
    clip, key_times, footsteps = placing.outward(rough.clip), rough.key_times, rough.footsteps
    tip = rough.tip if not values.has("by") else _point(rough.clip.body, values["by"])
    for name, value in rough.values.items():
        if model.has(name) and model.parameter(name).kind != "position":
            values = values.with_default(name, value, "motions")
        elif model.has(name):
            values = values.with_default(name, placing.abroad(value), "motions")
    report, flight = ReportBuilder(), None
    for each in rough.told:
        # What is missed of a place is told below, once the motion is bent to it.
        if each.kind != "missed" or not any(rule.kind == "place" for rule in model.goals):
            report.add(each.kind, each.message, count=each.count)
    times = 1
    if model.repeat and values.has(model.repeat):
        times = _count(values[model.repeat])
        own = None if style is None else style.defaults.get(model.repeat)
        own = model.parameter(model.repeat).default if own is None else own
        clip, key_times, footsteps = repeated(clip, key_times, footsteps, times, _count(own or 1.0))
    if values.has("duration") and {"achieve", "release"} <= set(key_times.names):
        seconds, begin, end = values["duration"], key_times["achieve"], key_times["release"]
        assert isinstance(seconds, float)
        if clips and seconds < (shortest := (end - begin) / quickest_of(clip, begin, end)):
            values, seconds = values.clipped("duration", shortest), shortest
        if end - begin > SHORTEST:
            clip, key_times, footsteps = dilated(clip, key_times, footsteps, begin, end, max(seconds, SHORTEST))
    values, slower = laden(clip.body, tip, values)
    if slower > 1 and model.deform == "goals" and {"achieve", "release", "settle"} <= set(key_times.names):
        begin, end, settled = (key_times[name] for name in ("achieve", "release", "settle"))
        stretches = [(begin, end, max(end - begin, SHORTEST)), (end, settled, slower * max(settled - end, SHORTEST))]
        clip, key_times, footsteps = paced(clip, key_times, footsteps, stretches)
    stood, held = None, None
    if model.deform == "jump":
        is_recorded = bool(rough.values)
        made, values = jumped(clip, key_times, footsteps, values, is_recorded=is_recorded, clips=clips)
        clip, key_times, footsteps = made
        stood = replace(clip, gathers=(0.0, 0.0)) if isinstance(clip, Trajectory) else clip
        held = None if is_recorded else pressed(stood, footsteps, key_times["takeoff"], key_times["landing"])
    elif model.deform == "travel" and rough.values:
        clip = arrived(clip, key_times, footsteps, values)
    elif model.deform == "throw":
        clip, key_times, footsteps, flight = thrown(clip, key_times, footsteps, tip, values, report)
        stood, clip = clip, clip if flight is None else turned(clip, key_times, values)
    rules = goals_of(clip, (*model.goals, *(() if style is None else style.goals)), values, key_times, tip, times)
    steady = not rough.values and "takeoff" not in rough.key_times.names
    stands = Stands(tuple(footsteps), stood, held)
    footsteps = held or tuple(footsteps)
    bent = bend(clip, rules, values, stands, clips=clips, steady=steady, without=without)
    for name, (wanted, used) in bent.values.clips.items():
        report.add("repaired", f"{name} = {_said(wanted)} is not legal and was clipped to {_said(used)}")
    return Action(
        model.name, "" if style is None else style.name, bent.clip, key_times, bent.invariants, footsteps, bent.values,
        rough.weights, {**model.transition, **({} if style is None else style.transition)}, flight, report.build(),
        tip, bent.made,
    )  # fmt: skip


def _rough(character: Character, model: Model, style: Style, values: Values) -> Rough:
    if style.is_performed:
        rough = performed(character, model, style, values)
    else:
        from mummer.model.recorded import recorded

        rough = recorded(character, model, style, values)
    for tweak in style.tweaks:
        if tweak.part in rough.clip.anatomy.roles or tweak.part in character.skeleton:
            rough = replace(rough, clip=tweaked(rough.clip, rough.key_times, tweak))
    return rough


def _count(value: Any) -> int:
    """How often something is done."""
    return max(round(float(value)), 1)


def _point(body: Character, given: Any) -> Part:
    """The point of a body that acts, as a value says: of a part alone, its handle.

    Raises:
        UnknownNameError: if the body has no such part.
    """
    return handle(body, given) if isinstance(given, str) else given


class Placing:
    """Where an actor stands and faces, against the frame in which base motions are."""

    def __init__(self, origin: FloatArray, position: FloatArray, turn: FloatArray) -> None:
        self.origin, self.position, self.turn = origin, position, turn

    def inward(self, place: Any) -> tuple[float, ...]:
        """A place of the world as seen by who is in the frame of base motions."""
        back = quaternion.rotate(quaternion.conjugate(self.turn), np.asarray(place, np.float64) - self.position)
        return tuple((self.origin + back).tolist())

    def abroad(self, place: Any) -> tuple[float, ...]:
        """A place of the frame of base motions as it is in the world."""
        there = quaternion.rotate(self.turn, np.asarray(place, np.float64) - self.origin)
        return tuple((self.position + there).tolist())

    def into(self, model: Model, values: Values) -> Values:
        """Positions and trajectories in the frame of base motions."""
        moved: dict[str, Setting] = {}
        for name, setting in values.settings.items():
            kind = model.parameter(name).kind
            value: Any = setting.value
            if kind == "position" and name != "position":
                value = self.inward(value)
            elif kind == "trajectory":
                value = tuple(self.inward(place) for place in value)
            moved[name] = replace(setting, value=value)
        return Values(moved)

    def outward(self, clip: Clip) -> Clip:
        """A motion put where the actor stands."""
        if np.allclose(self.turn, AHEAD) and np.allclose(self.origin, self.position):
            return clip
        return Pivot(clip, tuple(self.origin.tolist()), tuple(self.turn.tolist()), tuple(self.position.tolist()))


def placed(character: Character, model: Model, values: Values) -> tuple[Values, Placing]:
    """Values with where the actor stands and faces, and the same as a way to move motions."""
    origin = origin_of(character)
    found = values.with_default("position", tuple(origin.tolist()), "start")
    position = np.asarray(found["position"], np.float64)
    ahead = AHEAD
    if model.deform == "throw" and found.has("target"):
        # Who is free to face anywhere faces what it throws at.
        away = np.asarray(found["target"], np.float64) - position
        front = np.array([0.0, 0.0, 1.0]) if character.anatomy is None else character.anatomy.front
        half = (math.atan2(away[0], away[2]) - math.atan2(front[0], front[2])) / 2
        ahead = (0.0, math.sin(half), 0.0, math.cos(half))
    found = found.with_default("orientation", ahead, "start")
    turn = np.asarray(found["orientation"], np.float64)
    if abs(float(turn[0])) + abs(float(turn[2])) > 1e-6:
        raise InputError("orientation leans; expected a turn about up alone, as in 90")
    return found, Placing(origin, position, turn)


def _said(value: Any) -> str:
    if isinstance(value, tuple) and len(value) == 4:
        return f"{math.degrees(2 * math.atan2(value[1], value[3])):.3g}"
    if isinstance(value, tuple):
        return ",".join(_said(each) for each in value)
    return f"{value:.3g}" if isinstance(value, float) else str(value)
