"""Whereabouts: names of things and people in the values of an action, as places at a moment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, world_positions
from mummer.general.physique import physique_of
from mummer.ik.body_point import joint_of
from mummer.model.performed import origin_of
from mummer.stage.actions import model_of
from mummer.stage.line import Line
from mummer.stage.play import Doing
from mummer.stage.prop_path import Held
from mummer.stage.scene import Scene

SHORT = 0.3
"""Body heights that somebody who goes to a thing stops short of it; whose mouth is further ahead, as far as that."""


def standing_of(line: Line) -> dict[str, Any]:
    """Where somebody stands and faces, as parameters of every model."""
    return {"position": tuple(line.position.tolist()), "orientation": math.degrees(line.heading)}


def values_at(scene: Scene, line: Line, doing: Doing, time: float) -> dict[str, Any]:
    """The values of an action with names of props and parts replaced by where these are at ``time``."""
    values, side = standing_of(line), _hand(scene, line, doing)
    if side and model_of(doing.model, scene.play.folder)[0].has("hand"):
        values["hand"] = side
    return values | {name: place_of(scene, line, name, value, time) for name, value in doing.values.items()}


def _hand(scene: Scene, line: Line, doing: Doing) -> str:
    """The side of the hand that is used: of the one that holds what the action lets go of, else the actor's own."""
    assert line.body.anatomy is not None
    roles = {joint: role for role, joint in line.body.anatomy.roles.items()}
    for what, name in doing.handling.items():
        held = scene.paths[name].last
        if what != "takes" and isinstance(held, Held) and held.actor == line.part.name:
            above = (held.joint, *line.body.skeleton.ancestors(held.joint))
            words = {word for joint in above for word in roles.get(joint, "").split("_")}
            return next((side for side in ("left", "right") if side in words), line.part.hand)
    return line.part.hand


def place_of(scene: Scene, line: Line, name: str, value: Any, time: float) -> Any:
    """A value where it is that of a name on stage, else as it is.

    Args:
        scene: who and what is there.
        line: who asks.
        name: of the parameter; who goes ``to`` a thing stops in front of it.
        value: what the play says.
        time: seconds.
    """
    if not isinstance(value, str) or name in ("style", "hand"):
        return value
    if value in scene.props:
        place = scene.path(value).at([time])[0][0]
        room = scene.props[value].radius
    elif value.partition(".")[0] in scene.lines:
        who, _, part = value.partition(".")
        other = scene.lines[who]
        pose = other.seen.at(float(np.clip(time, other.seen.start, other.seen.end)))
        place, room = world_positions(other.body.skeleton, pose)[joint_of(other.body, part or "hips")], 0.0
    else:
        return value
    if name == "to":
        return _beside(line, place, room)
    return tuple((place + room * _towards(line, place)).tolist())


def _towards(line: Line, place: FloatArray) -> FloatArray:
    """(3,) unit, from a place to the upper body of an actor."""
    chest = line.position + np.array([0.0, 0.7 * physique_of(line.body).height, 0.0])
    return np.asarray((chest - place) / max(float(np.linalg.norm(chest - place)), 1e-9))


def _beside(line: Line, place: FloatArray, room: float) -> tuple[float, ...]:
    """Where to stop in front of a thing."""
    way = (place - line.position) * np.array([1.0, 0.0, 1.0])
    length = float(np.linalg.norm(way))
    stop = max(length - room - max(_ahead(line.body), SHORT * physique_of(line.body).height), 0.0)
    return tuple((line.position + way * (stop / max(length, 1e-9))).tolist())


def _ahead(body: Character) -> float:
    """Metres from where a body stands to its foremost joint at rest: toes, or the mouth of who goes on four legs."""
    front = np.array([0.0, 0.0, 1.0]) if body.anatomy is None else np.asarray(body.anatomy.front)
    return float(((world_positions(body.skeleton, body.default_pose) - origin_of(body)) @ front).max())
