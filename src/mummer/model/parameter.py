"""Parameters of motion models: seven types of value, how each is read, what is legal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from mummer.arrays import as_floats, as_number
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import BodyPoint
from mummer.math import quaternion

Kind = Literal["position", "orientation", "boolean", "enumeration", "scalar", "handle", "trajectory"]
Value: TypeAlias = "tuple[float, ...] | tuple[tuple[float, ...], ...] | bool | float | str | BodyPoint"
Scale = Literal["none", "height", "speed"]
Beyond = Literal["clip", "ignore", "add"]
"""What is done about a value that is not legal: the nearest legal one is taken, and that said; it is let be; or another
action is added that makes it legal."""
TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True)
class Parameter:
    """One thing about an action that may be chosen.

    Attributes:
        name: what it is called.
        kind: ``position`` (x, y, z metres in the world), ``orientation`` (degrees to the left of ahead, or a quaternion
            xyzw), ``boolean``, ``enumeration``, ``scalar``, ``handle`` (a part of the body, or a point of it) or
            ``trajectory`` (places x, z or x, y, z to go through).
        description: for people.
        default: what it is if nobody, no style and no base motion says.
        choices: of an enumeration.
        least, most: bounds of a scalar.
        scale: ``height`` if default and bounds count in heights of the body; ``speed`` if they are those of a body of
            one metre: speeds go with the root of the height, as legs swing.
        unit: of a scalar, for people: m, s, m/s ...
        edit: the key time whose moment to show while it is edited; empty if none is better than another.
        excludes: parameters that are ignored when this one is given.
        beyond: what is done about values that are not legal.
    """

    name: str
    kind: Kind
    description: str = ""
    default: Value | None = None
    choices: tuple[str, ...] = ()
    least: float = -math.inf
    most: float = math.inf
    scale: Scale = "none"
    unit: str = ""
    edit: str = ""
    excludes: tuple[str, ...] = ()
    beyond: Beyond = "clip"

    def read(self, given: Any) -> Value:
        """A value of this kind from what somebody gave: a value, or text as on the command line.

        Raises:
            InputError: saying what was expected.

        Example:
            >>> Parameter("target", "position").read("0.3,1.2,0.5")
            (0.3, 1.2, 0.5)
        """
        return _READERS[self.kind](self, given)

    def bounded(self, value: Value, height: float) -> Value:
        """The nearest legal value of a scalar, for a body of so many metres; others as they are."""
        if self.kind != "scalar":
            return value
        assert isinstance(value, float)
        return min(max(value, self.least * self.unit_of(height)), self.most * self.unit_of(height))

    def unit_of(self, height: float) -> float:
        """What default and bounds count in, for a body of so many metres."""
        return {"height": height, "speed": math.sqrt(height)}.get(self.scale, 1.0)

    def fault(self, given: Any, expected: str) -> InputError:
        """The error for what cannot be read."""
        return InputError(f"{self.name} = {_said(given)}: expected {expected}")


def _said(given: Any) -> str:
    text = given if isinstance(given, str) else repr(given)
    return text if len(text) < 60 else text[:57] + "..."


def _numbers(parameter: Parameter, given: Any, counts: Sequence[int], expected: str) -> tuple[float, ...]:
    try:
        values = (
            [float(word) for word in given.split(",")] if isinstance(given, str) else as_floats(given, parameter.name)
        )
        array = np.atleast_1d(np.asarray(values, np.float64))
    except (ValueError, TypeError, InputError):
        raise parameter.fault(given, expected) from None
    if array.ndim != 1 or len(array) not in counts or not np.all(np.isfinite(array)):
        raise parameter.fault(given, expected)
    return tuple(array.tolist())


def _position(parameter: Parameter, given: Any) -> Value:
    return _numbers(parameter, given, (3,), "three numbers x, y, z in metres, as in 0.3,1.2,0.5")


def _orientation(parameter: Parameter, given: Any) -> Value:
    found = _numbers(parameter, given, (1, 4), "degrees to the left of ahead, or a quaternion of four numbers")
    if len(found) == 1:
        half = math.radians(found[0]) / 2
        return (0.0, math.sin(half), 0.0, math.cos(half))
    if not np.linalg.norm(found) > 1e-6:
        raise parameter.fault(given, "a quaternion whose length is not zero")
    return tuple(quaternion.normalize(np.array(found)).tolist())


def _boolean(parameter: Parameter, given: Any) -> Value:
    if isinstance(given, (bool, np.bool_)):
        return bool(given)
    word = str(given).lower()
    if word not in TRUE + FALSE:
        raise parameter.fault(given, "true or false")
    return word in TRUE


def _enumeration(parameter: Parameter, given: Any) -> Value:
    if str(given) not in parameter.choices:
        raise UnknownNameError(parameter.name, "choice", str(given), parameter.choices)
    return str(given)


def _scalar(parameter: Parameter, given: Any) -> Value:
    try:
        value = float(given) if isinstance(given, str) else as_number(given, parameter.name)
    except (ValueError, InputError):
        value = math.nan
    if not math.isfinite(value):
        raise parameter.fault(given, f"a number{f' of {parameter.unit}' if parameter.unit else ''}")
    return float(value)


def _handle(parameter: Parameter, given: Any) -> Value:
    if isinstance(given, BodyPoint):
        return given
    if not isinstance(given, str) or not given:
        raise parameter.fault(given, "a part such as left_hand, or a point of it as left_hand@0,0.05,0")
    part, _, offset = given.partition("@")
    if not offset:
        return part
    x, y, z = _numbers(parameter, offset, (3,), "a point of a part as left_hand@0,0.05,0")
    return BodyPoint(part, (x, y, z))


def _trajectory(parameter: Parameter, given: Any) -> Value:
    expected = "two or more places, as in '0,0 0,2 1,3' (x, z) or with three numbers each (x, y, z)"
    rows = given.split() if isinstance(given, str) else given
    try:
        found = [_numbers(parameter, row, (2, 3), expected) for row in rows]
    except TypeError:
        raise parameter.fault(given, expected) from None
    if len(found) < 2 or len({len(row) for row in found}) > 1:
        raise parameter.fault(given, expected)
    return tuple((row[0], 0.0, row[1]) if len(row) == 2 else row for row in found)


_READERS = {
    "position": _position,
    "orientation": _orientation,
    "boolean": _boolean,
    "enumeration": _enumeration,
    "scalar": _scalar,
    "handle": _handle,
    "trajectory": _trajectory,
}
