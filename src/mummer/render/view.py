"""From where a body is looked at, counted from its own front."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.errors import InputError, UnknownNameError

VIEWS: dict[str, tuple[float, float]] = {
    "front": (0.0, 6.0),
    "three_quarter": (-35.0, 12.0),
    "side": (-90.0, 6.0),
    "right": (-90.0, 6.0),
    "left": (90.0, 6.0),
    "back": (180.0, 6.0),
    "three_quarter_back": (-145.0, 12.0),
    "top": (180.0, 90.0),
}
"""Named views: degrees that the camera has gone round the body from its front towards its left, and up."""

ViewLike = str | tuple[float, float]


@dataclass(frozen=True)
class View:
    """A direction to look from.

    Attributes:
        name: what a caption calls it.
        yaw: radians round the body from its front, towards its left.
        pitch: radians above the horizon, -pi/2 to pi/2.
    """

    name: str
    yaw: float
    pitch: float


def find_view(view: ViewLike | View) -> View:
    """The view that a name or a pair of degrees (yaw, pitch) means.

    Raises:
        UnknownNameError: with the closest names there are.
        InputError: for a pair that is no direction.

    Example:
        >>> find_view("three-quarter").name
        'three quarter'
    """
    if isinstance(view, View):
        return view
    if isinstance(view, str):
        name = view.strip().lower().replace("-", "_").replace(" ", "_")
        if name not in VIEWS:
            raise UnknownNameError("mummer.render", "view", view, VIEWS)
        yaw, pitch = VIEWS[name]
        return View(name.replace("_", " "), math.radians(yaw), math.radians(pitch))
    try:
        yaw, pitch = (float(angle) for angle in view)
    except (TypeError, ValueError):
        raise InputError(f"a view is a name or a pair of degrees (yaw, pitch), not {view!r}") from None
    if not (math.isfinite(yaw) and -90 <= pitch <= 90):
        raise InputError(f"view {view!r}: yaw must be finite and pitch between -90 and 90 degrees")
    return View(f"{yaw:g}°, {pitch:g}°", math.radians(yaw), math.radians(pitch))


def views_of(given: Any) -> tuple[View, ...]:
    """One view or several: a name, a pair of degrees, or a sequence of these.

    Raises:
        InputError: if there is none.
    """
    one = isinstance(given, str | View) or (len(given) == 2 and all(isinstance(angle, int | float) for angle in given))
    views = (find_view(given),) if one else tuple(find_view(view) for view in given)
    if not views:
        raise InputError("nothing to show: the list of views is empty")
    return views


def front_of(character: Character) -> FloatArray:
    """(3,) the horizontal unit vector a body faces at rest: its anatomy's front, else what its file states, else +Z."""
    front = np.array([0.0, 0.0, 1.0])
    if character.anatomy is not None:
        front = np.asarray(character.anatomy.front, np.float64)
    elif character.source is not None and character.source.front:
        front = _axis(character.source.front)
    flat = np.array([front[0], 0.0, front[2]])
    length = float(np.linalg.norm(flat))
    return flat / length if length > 1e-6 else np.array([0.0, 0.0, 1.0])


def _axis(text: str) -> FloatArray:
    """``+X``, ``-Z`` ... as a vector; +Z for anything else."""
    vector = np.zeros(3)
    letter = text.strip().upper().lstrip("+-")
    if letter not in ("X", "Y", "Z"):
        return np.array([0.0, 0.0, 1.0])
    vector["XYZ".index(letter)] = -1.0 if text.strip().startswith("-") else 1.0
    return vector


def turned(front: FloatArray, yaw: float) -> FloatArray:
    """(3,) a horizontal vector turned about +Y by ``yaw`` radians."""
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return np.array([cosine * front[0] + sine * front[2], 0.0, cosine * front[2] - sine * front[0]])
