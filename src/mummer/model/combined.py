"""Combinations: several models as one, each over those before it, with the parameters and invariants of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from mummer.character import Character
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.composite import Composite
from mummer.clip.hold import Still
from mummer.clip.mix import Mix
from mummer.general.physique import physique_of
from mummer.ik.body_point import joint_of
from mummer.ik.constraints import Constrained
from mummer.ik.goal import Goal
from mummer.ik.moving import Moving
from mummer.ik.point_goals import Place
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.model.act import act, placed
from mummer.model.action import RATE, Action, name_of
from mummer.model.deform import goals_of
from mummer.model.key_times import KeyTimes
from mummer.model.model import Layer, Model
from mummer.model.needs import goes, needs_by_group
from mummer.model.parameter import Beyond
from mummer.model.performed import stands
from mummer.model.retimed import delayed
from mummer.model.style import Style, load_style, style_names
from mummer.model.tweak import tweaked
from mummer.model.values import Values, settle
from mummer.report import ReportBuilder

FADE = 0.3
"""Seconds in which a layer takes over and gives way."""
NO_TIME = 1e-6

Layers: TypeAlias = "Sequence[tuple[Layer, Action]]"


def combined(
    body: Character, model: Model, style: Style, values: Mapping[str, Any], *, beyond: Beyond = "clip",
    without: Sequence[str] = (),
) -> Action:  # fmt: skip
    """A body does all layers of a combination; see `mummer.model.act.act`.

    Each group of the body is driven by the layer that needs it most, of two that need it as much by the later one.

    Args:
        body: who.
        model: made of layers.
        style: every layer that has a style of that name is done in it.
        values: of the parameters of the combination.
        beyond: what is done about values that are not legal.
        without: names of invariants to leave out.
    """
    asked = settle(model, style, values, physique_of(body).height, ignore=beyond == "ignore")
    asked, _ = placed(body, model, asked)
    made: dict[str, Action] = {}
    for layer in model.layers:
        given, begin = given_to(layer, asked), 0.0
        if layer.together:
            name, _, moment = layer.together.partition(".")
            lead, begin = made[model.layers[0].name].rough, made[name].key_times[moment]
            if goes(lead):
                when = min(max(begin, lead.start), lead.end)
                given["position"], given["orientation"] = stands(lead, when, body)
        action = act(body, layer.model, style=style_of(layer, style), beyond=beyond, without=without, **given)
        made[layer.name] = _later(action, begin - action.key_times[layer.key]) if layer.together else action
    low = min(action.rough.start for action in made.values())
    return _laid(model, style, asked, [(layer, _later(made[layer.name], -low)) for layer in model.layers])


def style_of(layer: Layer, style: Style) -> Style:
    """How a layer is done where the combination is done in a style."""
    return load_style(layer.style or (style.name if style.name in style_names(layer.model) else None), layer.model)


def given_to(layer: Layer, values: Values) -> dict[str, Any]:
    """What a layer is told of what was said of the combination; what nobody said it knows itself."""
    told: dict[str, Any] = dict(layer.values)
    for parameter in layer.model.parameters:
        name = layer.outward(parameter.name)
        if name and values.has(name) and values.settings[name].source in ("given", "style", "start"):
            setting = values.settings[name]
            told[parameter.name] = setting.value if setting.asked is None else setting.asked
    return told


def _later(action: Action, by: float) -> Action:
    """An action so many seconds later."""
    return replace(
        action, rough=action.rough.shifted(by), key_times=action.key_times.shifted(by), made=None,
        invariants=tuple(delayed(goal, by) for goal in action.invariants),
        footsteps=tuple(mark.moved(mark.time + by, mark.until + by) for mark in action.footsteps),
        flight=action.flight and replace(action.flight, time=action.flight.time + by),
    )  # fmt: skip


def _laid(model: Model, style: Style, asked: Values, layers: Layers) -> Action:
    """Actions over one another as one: key times are those of the first, from when anything to when all is done."""
    first, report = layers[0][1], ReportBuilder()
    begin = min(action.rough.start for _, action in layers)
    end = max(action.rough.end for _, action in layers)
    holders = _holders(layers)
    clip, settings = _during(first.rough, begin, end), dict(asked.settings)
    for number, (layer, action) in enumerate(layers):
        driven = [name for name, each in holders.items() if each == number]
        clip = _over(clip, layer, action, driven) if number else clip
        for each in action.told:
            report.add(each.kind, _as_told(layer, each.message), count=each.count)
        made = {layer.outward(name): each for name, each in action.values.settings.items() if layer.outward(name)}
        settings |= {name: each for name, each in made.items() if name not in settings or each.asked is not None}
    goals = _kept(layers, holders, report)
    times = first.key_times
    last = max(end - sum(seconds for _, seconds in times.pauses), times.times[-1])
    times = KeyTimes(times.names, (begin, *times.times[1:-1], last), times.pauses)
    values = Values(settings)
    for tweak in style.tweaks:
        clip = tweaked(clip, times, tweak)
    goals += [goal for _, goal in goals_of(clip, style.goals, values, times, first.tip)]
    for layer, action in layers:
        goals += _going_with(layer.to, action, Constrained(clip, tuple(goals))) if layer.to else []
    heel = next((foot.heel for foot in known_feet(clip.body)), 0)
    walker = layers[holders[_group_of(clip, heel)]][1]
    return Action(
        model.name, style.name, clip, times, tuple(goals), walker.footsteps, values,
        {f"{layer.name} {name}": weight for layer, action in layers for name, weight in action.weights.items()},
        {**model.transition, **style.transition}, next((each.flight for _, each in layers if each.flight), None),
        report.build(), next((each.tip for _, each in layers if each.tip is not None), None),
    )  # fmt: skip


def _as_told(layer: Layer, message: str) -> str:
    """What a layer tells, in the words of the combination."""
    name, equals, rest = message.partition(" = ")
    outward = layer.outward(name) if equals and layer.model.has(name) else ""
    return f"{outward} = {rest}" if outward else f"{layer.name}: {message}"


def _holders(layers: Layers) -> dict[str, int]:
    """By group the number of the layer that drives it."""
    held = dict.fromkeys(layers[0][1].rough.anatomy.groups, (0, -1.0))
    for number, (layer, action) in enumerate(layers):
        for name, (need, about) in needs_by_group(action).items():
            said = layer.groups.get(name, need)
            if not isinstance(said, str) and (said > held[name][1] or (about and said == held[name][1])):
                held[name] = number, said
    return {name: number for name, (number, _) in held.items()}


def _over(below: Clip, layer: Layer, action: Action, groups: Sequence[str]) -> Clip:
    """A layer over those before it, in the groups that it drives, and its changes in those to which it adds."""
    added = {name: 1.0 for name, how in layer.groups.items() if how == "add" and name in below.anatomy.groups}
    made = Mix(below, action.rough, dict.fromkeys(groups, 1.0), fade=FADE) if groups else below
    return Mix(made, action.rough, added, "difference", fade=FADE) if added else made


def _kept(layers: Layers, holders: Mapping[str, int], report: ReportBuilder) -> list[Goal]:
    """The invariants of all layers, but for those about groups that others drive."""
    goals: list[Goal] = []
    for number, (layer, action) in enumerate(layers):
        for goal in action.invariants:
            about = [_group_of(action.rough, joint_of(action.body, part)) for part in goal.points]
            if not about or number in [holders[name] for name in about]:
                goals.append(goal)
                continue
            other, other_action = layers[holders[about[0]]]
            named = name_of(goal, action.body)
            # Feet that stand do so in all layers.
            if goal.is_hard and named not in [name_of(each, action.body) for each in other_action.invariants]:
                report.add("refused", f"{layer.name} does without {named}: {other.name} needs its {about[0]}")
    return goals


def _group_of(clip: Clip, joint: int) -> str:
    return next(name for name, joints in clip.anatomy.groups.items() if joint in joints)


def _going_with(role: str, action: Action, whole: Clip) -> list[Goal]:
    """What acts in a layer goes with another part as it does where the layer is alone, from its achieve to release.

    Feet go where they stand, and a part does not go with itself.
    """
    roles = whole.anatomy.roles
    if action.tip is None or role not in roles or not {"achieve", "release"} <= set(action.key_times.names):
        return []
    joint, skeleton = joint_of(whole.body, action.tip), whole.body.skeleton
    if {joint, *skeleton.ancestors(joint)} & {roles[role], *(foot.heel for foot in known_feet(whole.body))}:
        return []
    begin, end = action.key_times["achieve"], action.key_times["release"]
    times = np.linspace(begin, end, max(2, round((end - begin) * RATE) + 1))
    alone, together = (WorldState(whole.body, clip.sample(times)) for clip in (action.clip, whole))
    (here, turn), (there, turned) = ((each.positions[:, roles[role]], each.rotations[:, roles[role]])
                                     for each in (alone, together))  # fmt: skip
    away = quaternion.rotate(quaternion.conjugate(turn), alone.point(action.tip) - here)
    return [Place(action.tip, Moving(times, there + quaternion.rotate(turned, away)), interval=(begin, end))]


def _during(clip: Clip, begin: float, end: float) -> Clip:
    """A clip that is there from ``begin`` to ``end``: before its start and after its end it stays as it is then."""
    made = Composite(clip.body).with_segment(clip)
    for time, low, high in ((clip.start, begin, clip.start), (clip.end, clip.end, end)):
        if high - low > NO_TIME:
            made = made.with_segment(Still(clip.body, clip.at(time), high - low).shifted(low))
    return made
