"""Where the floor of a motion is: what the feet stand on, as the motion itself tells."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.character.derive import rest_positions
from mummer.clip.analysis.feet import Foot, known_feet
from mummer.clip.analysis.tracks import places_of
from mummer.clip.clip import Clip
from mummer.clip.standing import up_of
from mummer.measure.watched import Watched

LOW = 0.08
"""The share of all moments at which some foot is lower than the floor: noise, and toes that drag."""
NEAR = 0.3
"""How far from the world's zero, or from the ground of the rest pose, a floor may be believed, in leg lengths."""


def rest_heights(body: Character, joints: list[int]) -> FloatArray:
    """(n,) how high joints are above the ground at rest, metres; never below it."""
    ground = 0.0 if body.anatomy is None else body.anatomy.ground
    return np.maximum(rest_positions(body.skeleton)[joints] @ up_of(body) - ground, 0.0)


def sole_parts(body: Character, foot: Foot) -> list[int]:
    """The joints of a foot that can be said to stand: not those that are above its ankle at rest."""
    heights = rest_heights(body, list(foot.parts))
    return [joint for joint, height in zip(foot.parts, heights, strict=True) if height <= heights[0] * (1 + 1e-9)]


def floor_of(clip: Clip, *, watched: Watched | None = None, body: Character | None = None) -> float:
    """The height along ``up`` of the floor that the motion happens on, metres.

    The lowest that feet come, less how high the same joints are above the ground at rest, gives the floor: also for
    files whose rest pose hangs about the origin, and for walks on the spot. A motion whose feet stay far from both the
    world's zero and the ground of its rest pose says nothing; then it is the nearer of the two that the body is above.

    Args:
        clip: any clip.
        watched: the same clip already sampled, to spare the work.
        body: the clip's body with an anatomy, where its own has none.
    """
    body = clip.body if body is None else body
    ground = 0.0 if body.anatomy is None else body.anatomy.ground
    feet = known_feet(body)
    if not feet:
        return ground
    joints = [joint for foot in feet for joint in sole_parts(body, foot)]
    places = places_of(clip, joints, clip.times(30.0)) if watched is None else watched.places[:, joints]
    leg = float(np.mean([foot.leg for foot in feet]))
    # (T,) how far the lowest part of any foot is above where it would be on a ground at zero.
    lowest = np.min(places @ up_of(body) - rest_heights(body, joints), axis=1)
    found = float(np.quantile(lowest, LOW))
    if min(abs(found), abs(found - ground)) <= NEAR * leg:
        return found
    return ground if abs(ground) <= NEAR * leg else 0.0
