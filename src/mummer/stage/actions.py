"""Actions of a play: made by models, or by a general animation or gait where no model has that name; then tweaked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.clip.standing import Standing
from mummer.errors import UnknownNameError
from mummer.general.animation import animation_names
from mummer.general.gait import style_names as gait_names
from mummer.ik.body_point import joint_of
from mummer.ik.point_goals import Place
from mummer.ik.solve import solve
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.model.act import act
from mummer.model.action import Action
from mummer.model.key_times import KeyTimes
from mummer.model.model import COMMON, Model, load_model, model_names
from mummer.model.parameter import Parameter
from mummer.model.performed import origin_of
from mummer.model.style import BaseMotion, Style
from mummer.stage.play import Tweak

WHOLE = {"entry": "start", "exit": "end"}
"""Where to enter and leave what is seen as a whole: a way somewhere, or an animation whose key times nobody said."""
STAYS = 0.05
"""Leg lengths by which feet may be elsewhere after an action that stays in its place."""
APART = 1e-3
"""Seconds that keys of a warp are apart at least."""


def model_of(name: str, folder: Path) -> tuple[Model, Style | None]:
    """The model of that name, or one made of the general animation or gait of that name.

    Raises:
        UnknownNameError: with the closest of all.
    """
    if name.endswith(".toml"):
        return load_model(folder / name), None
    if name in model_names():
        return load_model(name), None
    if name not in (*animation_names(), *gait_names()):
        raise UnknownNameError(
            "mummer", "model", name, sorted({*model_names(), *animation_names(), *gait_names()})
        )  # fmt: skip
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


def made(
    body: Character, model: Model, style: str | Style | None, values: Mapping[str, Any], tweaks: Sequence[Tweak]
) -> Action:
    """The action with its tweaks in it and its invariants met, every frame worked out."""
    action = act(body, model, style=style, **values)
    for tweak in tweaks:
        action = replace(action, rough=tweaked(action.rough, action.key_times, tweak))
    return action


def tweaked(clip: Clip, key_times: KeyTimes, tweak: Tweak) -> SpaceWarp:
    """A clip bent by a tweak, which is felt from the key time before it to the one after."""
    canonical = float(key_times.names.index(tweak.at)) if tweak.at in key_times.names else None
    if canonical is None:
        if isinstance(tweak.at, str):
            raise UnknownNameError("this action", "key time", tweak.at, key_times.names)
        canonical = float(tweak.at)
    time = float(np.clip(key_times.seconds(canonical), clip.start, clip.end))
    before, after = (float(key_times.seconds(each)) for each in (np.ceil(canonical) - 1, np.floor(canonical) + 1))
    joint = joint_of(clip.body, tweak.part)
    if tweak.turn is not None:
        turn = quaternion.exp(np.radians(np.asarray(tweak.turn, np.float64)))
        key = SpaceWarpKey.turn(time, clip.body.skeleton.names[joint], turn)
    else:
        place = WorldState(clip.body, clip.sample([time])).positions[0, joint] + np.asarray(tweak.move)
        goals = [Place(tweak.part, place), *_feet(clip, joint, time)]
        key = SpaceWarpKey.pose(time, solve(clip.body, goals, clip.at(time), solver="mass_weighted").pose)
    keys = [SpaceWarpKey.nothing(before)] if before < time - APART else []
    keys += [key] + ([SpaceWarpKey.nothing(after)] if after > time + APART else [])
    return SpaceWarp(clip, tuple(keys), tangents="broken")


def _feet(clip: Clip, joint: int, time: float) -> list[Place]:
    """Feet stay where they are while another part is moved."""
    state = WorldState(clip.body, clip.sample([time]))
    heels = [foot.heel for foot in known_feet(clip.body) if foot.heel != joint]
    return [Place(clip.body.skeleton.names[heel], state.positions[0, heel]) for heel in heels]


def moment(action: Action, which: str) -> float:
    """Seconds at which an action is entered or left: as its transition says, or at its achieve or release."""
    names = action.key_times.names
    usual = {"entry": "achieve", "exit": "follow_through" if "follow_through" in names else "release"}[which]
    whole = action.values.has("to") or action.values.has("path") or usual not in names
    name = str(action.transition.get(which) or (WHOLE[which] if whole else usual))
    return action.key_times[name if name in names else WHOLE[which]]


def placed_after(action: Action, body: Character) -> tuple[FloatArray, float]:
    """Where the actor stands after an action and where it faces: (3,) metres, and radians to the left."""
    clip, standing = action.rough, Standing.of(body)
    ends = clip.frames(np.array([clip.start, clip.end]))
    feet = known_feet(body)
    turn = np.asarray(action.values["orientation"], np.float64)
    here = np.asarray(action.values["position"], np.float64)
    if feet:
        state = WorldState(body, clip.sample([clip.start, clip.end]))
        ways = [np.linalg.norm(np.diff(state.positions[:, foot.heel], axis=0)) / foot.leg for foot in feet]
        if max(ways) < STAYS:
            return here, 2.0 * float(np.arctan2(turn[1], turn[3]))
    places, headings = standing.places(ends)
    at_rest, _ = standing.places(_rest(body))
    offset = standing.level(origin_of(body) - at_rest[0])
    found = places[1] + quaternion.rotate(standing.turn(headings[1]), offset)
    return np.array([found[0], here[1], found[2]]), float(headings[1])


def _rest(body: Character) -> Any:
    from mummer.clip.frames import Frames

    return Frames.of_pose(body.default_pose, 1)
