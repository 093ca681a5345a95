"""Tension: how stiff the joints of a body are held, by part and over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_point import joint_of
from mummer.physics.figure import Figure
from mummer.physics.muscle import LEAST_TENSION, MOST_TENSION
from mummer.script.plan import Plan

Curve: TypeAlias = float | Sequence[tuple[float, float]]
"""A number, or (seconds, number) points that are joined by straight lines."""
TensionLike: TypeAlias = Curve | Mapping[str, Curve]
"""One for the whole body, or one for each part: a limb, a group, a role or a joint; later ones over earlier ones."""
USUAL, LOOSE = 0.3, 0.2
"""Tension of joints that nothing is said of, and of those that swing by themselves: tails, ears."""
LOOKS = 30.0
"""Times a second at which the tension of a plan is looked at."""


@dataclass(frozen=True, eq=False)
class Tension:
    """Curves of tension.

    Attributes:
        usual: (n,) of parts that no curve speaks of.
        curves: for each curve the parts (k,), its seconds and its values.
        planned: seconds (K,), and (K, n) how many times as tense as usual a plan has parts that no curve speaks of.
    """

    usual: FloatArray
    curves: tuple[tuple[IntArray, FloatArray, FloatArray], ...]
    planned: tuple[FloatArray, FloatArray] | None = None

    def at(self, time: float) -> FloatArray:
        """(n,) at one time in seconds."""
        tension = self.usual.copy()
        if self.planned is not None:
            times, factors = self.planned
            tension *= factors[min(int(np.searchsorted(times, time)), len(times) - 1)]
        for rows, times, values in self.curves:
            tension[rows] = np.interp(time, times, values)
        return tension


def tension_of(figure: Figure, body: Character, given: TensionLike | None) -> Tension:
    """The curves that ``given`` says, for the parts of a figure.

    Args:
        figure: of the body.
        body: the body as it came, whose parts are named.
        given: see `TensionLike`; None for what is usual.

    Raises:
        InputError: if a number is no tension, or a part is not known.
    """
    usual = np.where(figure.soft, LOOSE, USUAL)
    if given is None:
        return Tension(usual, ())
    if not isinstance(given, Mapping):
        times, values = _curve("tension", given)
        return Tension(usual, ((np.arange(len(figure)), times, values),))
    curves = []
    for part, curve in given.items():
        rows = rows_of(figure, body, part)
        curves.append((rows, *_curve(f"tension of {part!r}", curve)))
    return Tension(usual, tuple(curves))


def planned_tension(figure: Figure, plan: Plan) -> tuple[FloatArray, FloatArray] | None:
    """Seconds (K,), and (K, n) how many times as tense as usual a plan has parts; None if it is usual."""
    times = np.arange(max(2, round(plan.duration * LOOKS) + 1)) / LOOKS
    joints = figure.joints if figure.whole is None else figure.whole.order[figure.joints]
    found = plan.tension(times)[:, joints]
    return None if np.allclose(found, 1.0) else (times, found)


def rows_of(figure: Figure, body: Character, part: str) -> IntArray:
    """(k,) the simulated parts that a limb, a group, a role or a joint is, as one would say.

    Raises:
        UnknownNameError: with the closest names there are.
    """
    anatomy = body.anatomy
    limbs = {limb.name: limb.joints for limb in anatomy.limbs} if anatomy is not None else {}
    groups = dict(anatomy.groups) if anatomy is not None else {}
    roles = dict(anatomy.roles) if anatomy is not None else {}
    if part in limbs or part in groups:
        joints = list(limbs[part] if part in limbs else groups[part])
    elif part in roles or part in body.skeleton:
        joints = [joint_of(body, part)]
    else:
        raise UnknownNameError(repr(body.name), "part", part, [*limbs, *groups, *roles, *body.skeleton.names])
    if figure.whole is not None:
        place = np.argsort(figure.whole.order)
        joints = [int(place[joint]) for joint in joints]
    return np.unique(figure.holder[joints])


def _curve(what: str, given: Curve) -> tuple[FloatArray, FloatArray]:
    try:
        points = np.asarray([(0.0, given)] if isinstance(given, (int, float)) else list(given), np.float64)
    except (TypeError, ValueError):
        points = np.zeros((0, 0))
    if points.ndim != 2 or points.shape[1:] != (2,) or not np.isfinite(points).all():
        raise InputError(f"{what} is {given!r}; expected a number, or points (seconds, number)")
    if np.any(points[:, 1] < 0):
        raise InputError(f"{what} is {points[:, 1].min():g}; expected 0 for slack to 1 for stiff")
    if np.any(np.diff(points[:, 0]) < 0):
        raise InputError(f"{what} goes back in time; expected seconds that rise")
    return points[:, 0], np.clip(points[:, 1], LEAST_TENSION, MOST_TENSION)
