"""Recording: an actor stepped through time, every pose kept. Afterwards it is a clip like any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip import Frames
from mummer.clip.following import followed, followers_of
from mummer.engine.state import CLOCK

if TYPE_CHECKING:
    from mummer.engine.troupe import Troupe

Direct = Callable[[int], None]
"""Says what is wanted, before the frame of that number is made."""


class Taken(NamedTuple):
    """What was recorded of T frames.

    Attributes:
        frames: the poses.
        misses: (T, M) metres by which each limb, and what reaches, misses where an animation wants it.
        places: (T, M, 4) where that is, and how much it is wanted there, 0 to 1.
        exact: (T, M) 1 for what is to touch something.
        grips: (T, M) 1 where it is the palm of a hand that is wanted there, see `Goals.grips`.
    """

    frames: Frames
    misses: FloatArray
    places: FloatArray
    exact: FloatArray
    grips: FloatArray


def take(
    troupe: Troupe,
    actor: int,
    count: int,
    seconds: float,
    direct: Direct | None = None,
    *,
    more: int = 0,
    still: int = 0,
) -> Taken:
    """How an actor is now, and the next ``count`` frames, ``seconds`` apart; (count + 1) of all.

    Args:
        troupe: whose actor.
        actor: which.
        count: frames.
        seconds: from frame to frame.
        direct: says what is wanted of each frame.
        more: frames for which it is waited, at most, until all feet stand.
        still: frames for which they must have stood.
    """
    kept: list[tuple[FloatArray, ...]] = []
    stood = 0
    for frame in range(count + 1 + more):
        if frame:
            if direct is not None:
                direct(frame)
            troupe.step(seconds)
        poses, goals = troupe.poses, troupe.goals
        rows = (poses.rotations, poses.roots, goals.morphs, poses.misses, goals.places, goals.exact, goals.grips)
        kept.append(tuple(row[actor].copy() for row in rows))
        stood = stood + 1 if troupe.actors.gait[actor, CLOCK] < 0.0 else 0
        if frame >= count and stood >= still:
            break
    rotations, roots, morphs, misses, places, exact, grips = (np.stack(rows) for rows in zip(*kept, strict=True))
    frames = Frames(rotations, roots, morphs=morphs if morphs.shape[1] else None)
    if troupe.whole is not None:
        pose = troupe.whole.taken_apart(frames.to_pose())
        frames = Frames(pose.rotations.copy(), roots, pose.full_translations(troupe.character.skeleton).copy(),
                        morphs=frames.morphs)  # fmt: skip
    return Taken(followed(frames, troupe.character, followers_of(troupe.character)), misses, places, exact, grips)
