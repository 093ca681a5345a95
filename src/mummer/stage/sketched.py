"""Who somebody is: actions of a play done as sketches of the actor have it, and scripts as actions of a play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.errors import InputError
from mummer.model.act import finished, placed
from mummer.model.action import Action
from mummer.model.model import COMMON, Model
from mummer.model.performed import Rough, filled, stands_of_performance
from mummer.model.retimed import retimed
from mummer.model.style import BaseMotion, Style
from mummer.model.values import settle
from mummer.report import ReportBuilder
from mummer.script import Rehearsal, load_sketch, script_names
from mummer.script.script_text import ENDING
from mummer.stage.cue import Retiming

if TYPE_CHECKING:
    from mummer.stage.play import Doing, Part

SHORTEST = 1e-6
MISSED = 0.005
"""Metres or radians by which goals may be missed more than they were, for the sake of a posture."""
POSTURES = (1.0, 0.5, 0.0)
"""How much of a posture is tried, one after another."""


def is_script(name: str) -> bool:
    """Whether what somebody does is a script: one that ships, or a file."""
    return name in script_names() or name.endswith(ENDING)


def is_directed(part: Part, doing: Doing) -> bool:
    """Whether a sketch or an edit has a say in what somebody does."""
    return bool(part.sketches or doing.edits)


def directed(take: Rehearsal, part: Part, doing: Doing, folder: Path) -> Rehearsal:
    """A motion as the actor is sketched, with the edits of this action."""
    known = [load_sketch(folder / name if (folder / name).is_file() else name) for name in part.sketches]
    return take.sketch(*known).in_mood(**part.moods).edit(*doing.edits)


def sketched(action: Action, part: Part, doing: Doing, folder: Path) -> Action:
    """The action as its actor does it: key times, goals and steps go with the motion, and places stay.

    An actor is held as a sketch has it as far as that lets the goals be met.
    """
    take = directed(Rehearsal.of_clip(action.rough, doing.model, arrives=True), part, doing, folder)
    enough = max(action.misses, default=0.0) + MISSED
    made: list[Action] = []
    for posture in POSTURES:
        made.append(_as_planned(action, take.held(posture)))
        if max(made[-1].misses, default=0.0) < enough:
            return made[-1]
    return min(made, key=lambda each: max(each.misses))


def _as_planned(action: Action, take: Rehearsal) -> Action:
    pace = _pace(*take.plan.moments(0))
    times, told = action.key_times, ReportBuilder()
    told.add_all(action.told)
    told.add_all(take.plan.report)
    moments = pace.forward(np.array([float(times.seconds(place)) for place in range(len(times.names))]))
    steps = [mark.moved(*pace.forward(np.array([mark.time, mark.until])).tolist()) for mark in action.footsteps]
    return replace(
        action, rough=take.clip, key_times=replace(times, times=tuple(moments.tolist()), pauses=()),
        invariants=tuple(retimed(goal, pace.forward, pace.back) for goal in action.invariants),
        footsteps=tuple(steps), told=told.build(),
    )  # fmt: skip


def _pace(recorded: FloatArray, played: FloatArray) -> Retiming:
    """From seconds of a motion to those at which it is played, and back; a pose that is held is one moment of it."""
    rising = np.maximum.accumulate(recorded + SHORTEST * np.arange(len(recorded)))
    return Retiming(
        tuple(zip(rising.tolist(), played.tolist(), strict=True)),
        lambda moments: np.asarray(np.interp(moments, rising, played)),
        lambda moments: np.asarray(np.interp(moments, played, rising)),
    )


def script_model(name: str) -> tuple[Model, Style]:
    """What may be said of a script in a play: where and how the actor stands."""
    model = Model(name, parameters=COMMON, transition={"entry": "start", "exit": "end"})
    return model, Style("script", name, motions=(BaseMotion(name),))


def scripted(body: Character, part: Part, doing: Doing, folder: Path, **values: Any) -> Action:
    """A script as an action of a play, sketches and edits in its plan.

    Raises:
        InputError: if it says nothing that this body could do.
    """
    model, style = script_model(doing.model)
    beside = folder / doing.model
    take = Rehearsal.of_script(beside if beside.is_file() else doing.model, body)
    clip = directed(take, part, doing, folder).clip
    if not clip.duration > 0.0:
        raise InputError(f"script {doing.model!r} has nothing that {body.name!r} could do")
    asked, placing = placed(body, model, settle(model, style, values, 1.0))
    key_times = filled(model.key_times, {}, clip.start, clip.end)
    rough = Rough(clip, key_times, stands_of_performance(clip), told=clip.report)
    return finished(rough, model, asked, placing, style=style)
