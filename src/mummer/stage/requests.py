"""Requests: what lies over a jump asks of what the play leaves free of it, how far and how high it goes.

A layer does not drive the root of its actor. It asks the action below to bring the root where it could do what it is
about. All requests together are a least-squares problem in the free parameters; one is changed the less willingly the
nearer it is to the end of its range. What the play says is never changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.model.model import Model

HALF = 0.5
"""Part of the way at which a jump is highest, and a layer is done."""
FURTHEST = 1.2
"""Body heights that somebody jumps at most for the sake of a layer; people jump about as far from a stand."""
EASY = 0.8
"""Part of a range within which a parameter is changed willingly."""
RELUCTANT = 0.25
"""Parts of a range that are left undone for the sake of not being at its very end."""


@dataclass(frozen=True)
class Granted:
    """What of the requests can be met.

    Attributes:
        way: (3,) metres over the ground from where the actor stands to where it shall go.
        rise: metres that its root shall rise.
    """

    way: FloatArray
    rise: float


def granted(model: Model, requests: Sequence[FloatArray], free: Sequence[str], height: float) -> Granted:
    """The way and the rise that come nearest to all requests.

    Args:
        model: of the action below.
        requests: (3,) metres each by which the root shall be elsewhere than where the actor stands.
        free: which of ``to`` and ``apex`` may be changed.
        height: of the body, metres.

    Example:
        >>> from mummer.model import load_model
        >>> asked = [np.array([0.2, 0.3, 0.0]), np.array([0.0, 0.2, 0.0])]
        >>> found = granted(load_model("jump"), asked, ["to", "apex"], 1.7)
        >>> found.way.round(3).tolist(), round(found.rise, 3)
        ([0.2, 0.0, 0.0], 0.3)
    """
    from scipy.optimize import least_squares

    wanted, furthest = np.array(requests), FURTHEST * height
    highest = model.parameter("apex").most * height
    start = np.array([*(wanted[:, [0, 2]].mean(axis=0) / HALF), max(wanted[:, 1].max(), 0.0)])
    open_ones = np.array(["to" in free, "to" in free, "apex" in free])

    def left(changed: FloatArray) -> FloatArray:
        x, z, rise = np.where(open_ones, changed, 0.0)
        level = HALF * np.array([x, z]) - wanted[:, [0, 2]]
        # Who is higher than it need be was at that height before and will be after.
        short = np.maximum(wanted[:, 1] - rise, 0.0)
        unwilling = [reluctance(float(np.hypot(x, z)), furthest), reluctance(rise, highest)]
        return np.concatenate([level.ravel(), short, unwilling])

    x, z, rise = np.where(open_ones, least_squares(left, start).x, 0.0)
    nearer = min(1.0, furthest / max(float(np.hypot(x, z)), 1e-9))
    return Granted(nearer * np.array([x, 0.0, z]), float(np.clip(rise, 0.0, highest)))


def reluctance(value: float, most: float) -> float:
    """How unwillingly a parameter has a value: nothing well within its range, and more and more towards its end.

    Example:
        >>> reluctance(0.5, 1.0), reluctance(1.0, 1.0), reluctance(1.2, 1.0)
        (0.0, 0.25, 1.0)
    """
    return 0.0 if not most > 0 else most * RELUCTANT * max(0.0, (value / most - EASY) / (1 - EASY)) ** 2
