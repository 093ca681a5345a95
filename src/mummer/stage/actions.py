"""Actions of a play: made by models, or by a general animation or gait where no model has that name; then tweaked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.clip.analysis.feet import known_feet
from mummer.clip.hold import Still
from mummer.errors import UnknownNameError
from mummer.general.animation import animation_names
from mummer.general.gait import style_names as gait_names
from mummer.ik.world_state import WorldState
from mummer.model.action import Action
from mummer.model.key_times import KeyTimes, increasing
from mummer.model.model import COMMON, Model, load_model, model_names
from mummer.model.parameter import Parameter
from mummer.model.performed import stands
from mummer.model.retimed import retimed
from mummer.model.style import BaseMotion, Style
from mummer.model.tweak import APART, Tweak, canonical_of, moved_footfall, tweaked
from mummer.script import load_script, script_names
from mummer.stage.cue import Cue, Retiming, halted, needs_of
from mummer.stage.play import Doing, Pause
from mummer.stage.sketched import is_script, script_model

WHOLE = {"entry": "start", "exit": "end"}
"""Where to enter and leave what is seen as a whole: a way somewhere, or an animation whose key times nobody said."""
AGAIN = ("exit", "entry")
"""What the two canonical times of ``again`` are."""
STAYS = 0.05
"""Leg lengths by which feet may be elsewhere after an action that stays in its place."""


def model_of(name: str, folder: Path) -> tuple[Model, Style | None]:
    """The model of that name, or one made of the general animation, gait or script of that name.

    Raises:
        UnknownNameError: with the closest of all.
    """
    if name.endswith(".toml"):
        return load_model(folder / name), None
    if is_script(name):
        load_script(folder / name if (folder / name).is_file() else name)
        return script_model(name)
    return _of_library(name)


@lru_cache(maxsize=256)
def _of_library(name: str) -> tuple[Model, Style | None]:
    if name in model_names():
        return load_model(name), None
    if name not in (*animation_names(), *gait_names()):
        known = {*model_names(), *animation_names(), *gait_names(), *script_names()}
        raise UnknownNameError("mummer", "model", name, sorted(known))
    return _performed(name)


@lru_cache(maxsize=256)
def _performed(name: str) -> tuple[Model, Style]:
    goes = name in gait_names()
    own = (
        (Parameter("to", "position", "where to go", excludes=("path",)), Parameter("path", "trajectory", "which way"))
        if goes
        else (Parameter("target", "position", "what it is done to"),)
    )
    tempo = Parameter("tempo", "scalar", "how fast", default=1.0, least=0.25, most=4.0)
    model = Model(name, parameters=(*COMMON, *own, tempo), transition=WHOLE)
    return model, Style("performed", name, motions=(BaseMotion(name, perform=name),))


def corrected(action: Action, doing: Doing) -> Action:
    """The action with its pauses and tweaks in it; time is corrected first, so that tweaks are where they belong."""
    for tweak in doing.tweaks:
        if tweak.later is not None:
            action = _later(action, tweak.at, tweak.later)
    for pause in doing.pauses:
        action = _paused(action, pause)
    for tweak in doing.tweaks:
        if tweak.later is None:
            action = _bent(action, tweak)
    return action


def _bent(action: Action, tweak: Tweak) -> Action:
    """A part turned or moved; of a foot that stands then, its whole footfall."""
    goals = moved_footfall(action.body, action.invariants, action.key_times, tweak)
    if goals is not None:
        return replace(action, invariants=goals)
    return replace(action, rough=tweaked(action.rough, action.key_times, tweak))


def _paused(action: Action, pause: Pause) -> Action:
    canonical, rough = canonical_of(action.key_times, pause.at), action.rough
    at = float(np.clip(action.key_times.seconds(canonical), rough.start, rough.end - APART))
    return _retimed(action, halted(rough, at, pause.seconds), action.key_times.paused(canonical, pause.seconds))


def _later(action: Action, at: float | str, seconds: float) -> Action:
    """One moment of an action so many seconds later, as far as the key times beside it let it be."""
    times, canonical = action.key_times, canonical_of(action.key_times, at)
    before, here, after = (
        float(times.seconds(c)) for c in (np.ceil(canonical) - 1, canonical, np.floor(canonical) + 1)
    )
    there = float(np.clip(here + seconds, before + APART, max(after - APART, before + APART)))
    pairs = increasing((before, here, after), (before, there, after))
    ends = [(end, end) for end in (action.rough.start, action.rough.end)]
    old, new = np.array(sorted({ends[0], *pairs, ends[1]})).T
    shift = Retiming(
        tuple(zip(old.tolist(), new.tolist(), strict=True)),
        lambda moments: np.asarray(np.interp(moments, old, new)),
        lambda moments: np.asarray(np.interp(moments, new, old)),
    )
    return _retimed(action, shift, replace(times, times=tuple(shift.forward(np.array(times.times)).tolist())))


def _retimed(action: Action, by: Retiming, key_times: KeyTimes) -> Action:
    goals = tuple(retimed(goal, by.forward, by.back) for goal in action.invariants)
    steps = [mark.moved(*by.forward(np.array([mark.time, mark.until])).tolist()) for mark in action.footsteps]
    rough = action.rough.warped(*by.pairs)
    return replace(action, rough=rough, key_times=key_times, invariants=goals, footsteps=tuple(steps))


def moment(action: Action, which: str, again: bool = False) -> float:
    """Seconds at which an action is entered or left: as its transition says, or at its achieve or release.

    Args:
        action: which.
        which: ``entry`` or ``exit``.
        again: whether the same is done before or after it: who hops on does not stand up in between.
    """
    names, said = action.key_times.names, action.transition
    if again and "again" in said:
        return float(action.key_times.seconds(canonical_of(action.key_times, said["again"][AGAIN.index(which)])))
    usual = {"entry": "achieve", "exit": "follow_through" if "follow_through" in names else "release"}[which]
    whole = action.values.has("to") or action.values.has("path") or usual not in names
    name = str(said.get(which) or (WHOLE[which] if whole else usual))
    return action.key_times[name if name in names else WHOLE[which]]


def kept_pose(action: Action, pose: Pose, groups: Mapping[str, float | str]) -> Action:
    """An action done while the body keeps a pose as far as it lets it: each group moves by how important it is."""
    cue = Cue.of(action, needs_of(action, groups))
    held = cue.held(Still(action.body, pose, 1.0), 0.0)
    return replace(action, rough=held.clip)


def placed_after(action: Action, body: Character) -> tuple[FloatArray, float]:
    """Where the actor stands after an action and where it faces: (3,) metres, and radians to the left."""
    clip, feet = action.rough, known_feet(body)
    turn = np.asarray(action.values["orientation"], np.float64)
    here = np.asarray(action.values["position"], np.float64)
    if feet:
        state = WorldState(body, clip.sample([clip.start, clip.end]))
        ways = [np.linalg.norm(np.diff(state.positions[:, foot.heel], axis=0)) / foot.leg for foot in feet]
        if max(ways) < STAYS:
            return here, 2.0 * float(np.arctan2(turn[1], turn[3]))
    found, heading = stands(clip, clip.end, body)
    return np.array([found[0], here[1], found[2]]), float(np.radians(heading))
