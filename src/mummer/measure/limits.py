"""Joint limits: how far joints turn beyond what the body allows."""

from __future__ import annotations

import numpy as np

from mummer.character import violations
from mummer.character.limits import FREE
from mummer.clip.clip import Clip
from mummer.measure.door import of_motions
from mummer.measure.measure import Measure
from mummer.measure.watched import RATE


@of_motions
def limit_violations(clip: Clip, *, rate: float = RATE) -> Measure:
    """How far joints are beyond their limits, in degrees on average over the joints that have limits.

    The worst is the farthest that any joint goes at any moment; nan for a body without limits.
    """
    limits = clip.body.limits
    if limits is None:
        return Measure("limit_violations", float("nan"), "°", 0.5, 3.0)
    found = violations(limits, clip.body.skeleton, clip.sample(clip.times(rate)))
    beyond = np.degrees(found[:, limits.kinds != FREE])
    if not beyond.size:
        return Measure("limit_violations", 0.0, "°", 0.5, 3.0)
    return Measure("limit_violations", float(beyond.mean()), "°", 0.5, 3.0, worst=float(beyond.max()))
