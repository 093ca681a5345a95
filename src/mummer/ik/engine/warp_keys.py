"""Space-warp keys where goals switch on and off: a motion bent through the poses that meet them there, and no more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.clip.clip import Clip
from mummer.clip.space_warp import SpaceWarp
from mummer.clip.warp_key import SpaceWarpKey
from mummer.errors import InputError
from mummer.ik.engine.constrained import Constrained, Method
from mummer.ik.engine.tracks import span_of
from mummer.ik.goal import Goal


def through_goals(clip: Clip, goals: Sequence[Goal], *, solver: Method = "auto") -> SpaceWarp:
    """The clip bent smoothly so that it meets goals at the moments where they begin and end to hold.

    Between these moments the whole motion is carried along and goals are met only roughly; laid under `Constrained`
    without easing this is the classic way to meet them everywhere. `Constrained` by itself is smoother.

    Args:
        clip: any clip.
        goals: with their intervals.
        solver: see `Constrained`.

    Raises:
        InputError: if no goal begins or ends within the clip.
    """
    moments = sorted({moment for goal in goals for moment in span_of(clip, goal)})
    if not moments:
        raise InputError("no goals, so nothing to bend the motion through")
    poses = Constrained(clip, tuple(goals), ease=0.0, solver=solver).sample(moments)
    keys = [SpaceWarpKey.pose(moment, poses[place]) for place, moment in enumerate(np.asarray(moments).tolist())]
    return SpaceWarp(clip, tuple(keys), rate=120.0)
