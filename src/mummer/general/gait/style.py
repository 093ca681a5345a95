"""Gait styles ready for use: parameters as functions of speed, with layers mixed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError
from mummer.general.gait.style_text import PARAMETERS, UNSAID, StyleText, read_style
from mummer.math import splines

StyleLike: TypeAlias = "str | StyleText | Sequence[str | tuple[str, float]] | Style"
SAMPLES = 257
"""Moments at which the way of a foot through the air is kept."""


@dataclass(frozen=True, eq=False)
class Style:
    """How a body walks at any speed.

    Attributes:
        name: of its parts, joined by plus signs.
        layers: the texts and their weights, the base first.
        flight: (SAMPLES, 4) the way of a foot through the air at even moments: ahead, up, heel, toe.
    """

    name: str
    layers: tuple[tuple[StyleText, float], ...]
    flight: FloatArray

    def parameters(self, speeds: FloatArray, places: frozenset[str] = frozenset()) -> dict[str, FloatArray]:
        """All parameters at relative ``speeds`` (N,), each (N,); angles in radians.

        Args:
            speeds: relative to the leg.
            places: the groups of legs (see `LegRows.which`) whose own parameters are meant; those of the body if none.
        """
        found = {}
        for name in PARAMETERS:
            values = np.full(len(speeds), UNSAID.get(name, 0.0))
            for text, weight in self.layers:
                for said in (text.at, *(group.at for group in text.legs if group.which in places)):
                    rows = [(row.speed, value) for row in said if (value := getattr(row, name)) is not None]
                    if rows:
                        at, given = np.array(rows).T
                        values = (1 - weight) * values + weight * np.interp(speeds, at, given)
            found[name] = np.radians(values) if name in DEGREES else values
        return found

    def triggers(self, feet: int, ranks: int, speeds: FloatArray) -> FloatArray:
        """(N, 3) side, lag and middle (see `Pattern`) of a group of so many feet in so many ranks, at speeds (N,)."""
        found = _derived(ranks, speeds)
        for text, weight in self.layers:
            rows = next((pattern.rows for pattern in text.pattern if pattern.feet == feet), None)
            if rows is not None:
                at = np.array(rows)
                given = np.stack([np.interp(speeds, at[:, 0], column) for column in at[:, 1:].T], axis=1)
                found = (1 - weight) * found + weight * given
        return found


DEGREES = frozenset({"roll", "yaw", "twist", "lean", "strike", "push", "tiptoe", "arms", "gather", "nod"})


def make_style(style: StyleLike) -> Style:
    """A style by name, of a file, or of several names with weights: ``["walk", ("limp", 0.7)]``.

    Raises:
        UnknownNameError: with the closest styles there are.
        InputError: if a weight is not between 0 and 1, or what should be changed is not there.
    """
    if isinstance(style, Style):
        return style
    parts: Sequence[str | StyleText | tuple[str, float]] = [style] if isinstance(style, (str, StyleText)) else style
    layers = [_layer(part) for part in parts]
    if not layers or layers[0][0].layer:
        # A manner of walking, alone, is a manner of the walk.
        layers = [(read_style("walk"), 1.0), *layers]
    layers[0] = (layers[0][0], 1.0)
    flight = np.zeros((SAMPLES, 4))
    for text, weight in layers:
        if text.path:
            flight = (1 - weight) * flight + weight * _flight(text)
    return Style("+".join(text.name for text, _ in layers), tuple(layers), locked(flight))


def _layer(part: str | StyleText | tuple[str, float]) -> tuple[StyleText, float]:
    if isinstance(part, StyleText):
        return part, 1.0
    name, weight = (part, 1.0) if isinstance(part, str) else part
    if not 0 <= weight <= 1:
        raise InputError(f"gait style {name!r} has weight {weight:g}; expected 0 to 1")
    return read_style(name), float(weight)


def _flight(text: StyleText) -> FloatArray:
    # Held before and after, so that it begins and ends without speed.
    rows = np.array(
        [[text.path[0][0] - 1.0, *text.path[0][1:]], *text.path, [text.path[-1][0] + 1.0, *text.path[-1][1:]]]
    )
    return np.asarray(splines.monotone_cubic(rows[:, 0], rows[:, 1:], np.linspace(0.0, 1.0, SAMPLES)))


def _derived(ranks: int, speeds: FloatArray) -> FloatArray:
    """Waves for any number of legs: from behind to the front one after another when slow, every other one when fast."""
    slow = 1.0 / max(ranks, 2)
    share = np.clip((speeds - 0.2) / 0.3, 0.0, 1.0)
    lag = (1 - share) * slow + share * 0.5
    return np.stack([np.full(len(speeds), 0.5), lag, np.full(len(speeds), 0.25)], axis=1)


Parameters: TypeAlias = Mapping[str, FloatArray]
