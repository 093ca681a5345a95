"""Dependent parameters: where an action is done that comes after others, and who gives way when a person says it.

An action begins where the one before has left its actor. One that is to be done elsewhere all the same either has its
actor go there in between, or hands its place back to what comes before, which then ends there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mummer.clip.analysis.feet import known_feet
from mummer.general.gait import style_names as gait_names
from mummer.general.physique import physique_of
from mummer.model.model import COMMON
from mummer.model.onward import goes_on
from mummer.model.style import load_style
from mummer.stage.actions import model_of
from mummer.stage.line import Line
from mummer.stage.play import Doing, Play
from mummer.stage.sketched import is_directed
from mummer.stage.stepper import FAR

PLACE, FACING = COMMON
STRIDE = 0.5
"""Body heights that who has no feet comes nearer within a transition."""


def handed_back(play: Play) -> Play:
    """The play with places of actions that arrive by what comes ``before`` handed back to that, and to its actors.

    Who goes somewhere goes there instead; who stays where it is hands it on; who begins the play begins there.
    """
    for doing in play.doings:
        said = {each.name: doing.values[each.name] for each in COMMON if each.name in doing.values}
        if doing.arrive != "before" or not said:
            continue
        earlier = [each for each in play.doings if each.actor == doing.actor and not each.over]
        for each in reversed(earlier[: [one.name for one in earlier].index(doing.name)]):
            if _goes(each, play):
                # Where it faces when it has come is told by the way; the rest is stepped.
                values = {name: value for name, value in each.values.items() if name != "path"}
                values |= {"to": said[PLACE.name]} if PLACE.name in said else {}
                play = _with(play, replace(each, values=values))
                break
            play = _with(play, replace(each, values={**each.values, **said}))
        else:
            play = _begun_at(play, doing.actor, said)
    return play


def goes_on_into(play: Play, line: Line, doing: Doing) -> list[Doing]:
    """An action and those into which its actor goes on without a halt: a walk, and the run that comes right after it.

    Who turns by more than a right angle, or waits for something, halts. So does whoever is directed: how they come to
    rest is theirs to say.
    """
    found, here = [doing], line.position
    waiting = [each for each in line.waiting if not each.over]
    for each in waiting[waiting.index(doing) + 1 :] if doing in waiting else []:
        last = found[-1]
        ways = [_way_of(play, line, one) for one in (last, each)]
        since = ("", last.name, *(f"{last.name}.{key}" for key in ("halt", "end")))
        if None in ways or last.model == each.model or each.after not in since or each.at is not None or each.together:
            break
        before, after = (np.asarray(way, np.float64) for way in ways)
        ahead = before[-1] - (before[-2] if len(before) > 1 else here)
        if float((ahead * (after[0] - before[-1]))[[0, 2]].sum()) < 0:
            break
        found, here = [*found, each], before[-1]
    return found


def _way_of(play: Play, line: Line, doing: Doing) -> list[Any] | None:
    """The places that a plain walk or run leads through; None for what is anything else."""
    model, style = model_of(doing.model, play.folder)
    said = (doing.hold, doing.pauses, doing.tweaks, doing.transition, doing.handling, doing.without, doing.groups)
    if any(said) or is_directed(line.part, doing) or {PLACE.name, FACING.name} & set(doing.values):
        return None
    chosen = doing.style or line.part.styles.get(doing.model, "")
    if style is not None or model.deform != "travel" or not goes_on(model, load_style(chosen or None, model)):
        return None
    way = doing.values.get("path", [doing.values["to"]] if "to" in doing.values else [])
    return None if not len(way) or isinstance(way, str) or any(isinstance(each, str) for each in way) else list(way)


def _goes(doing: Doing, play: Play) -> bool:
    model, _ = model_of(doing.model, play.folder)
    return "to" in doing.values or model.deform == "travel" or doing.model in gait_names()


def _with(play: Play, changed: Doing) -> Play:
    return replace(play, doings=tuple(changed if each.name == changed.name else each for each in play.doings))


def _begun_at(play: Play, actor: str, said: Mapping[str, Any]) -> Play:
    """The play with an actor where the first of its actions is done; a name on stage is somewhere else later."""
    with play.at(f"actor {actor!r}"):
        own: dict[str, Any] = {}
        if PLACE.name in said:
            place = np.asarray(PLACE.read(said[PLACE.name]), np.float64)
            own["at"] = (float(place[0]), float(place[2]))
        if FACING.name in said:
            turn = np.asarray(FACING.read(said[FACING.name]), np.float64)
            own["heading"] = math.degrees(2 * math.atan2(float(turn[1]), float(turn[3])))
    return replace(play, actors=tuple(replace(each, **own) if each.name == actor else each for each in play.actors))


def way_to(line: Line, doing: Doing, place: object) -> Doing | None:
    """A way to where an action is done, if its actor has done something and that is further away than a step."""
    if line.last is None or PLACE.name not in doing.values:
        return None
    there = np.asarray(place, np.float64)
    legs = [foot.leg for foot in known_feet(line.body)]
    step = FAR * max(legs) if legs else STRIDE * physique_of(line.body).height
    if float(np.linalg.norm((there - line.position)[[0, 2]])) <= step:
        return None
    return Doing(f"{doing.name} way", doing.actor, "walk", values={"to": tuple(there.tolist())}, after=doing.after)
