"""How high feet are lifted once it is known how low the hips are: no higher than their legs fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.gait.comfort import Comfort
from mummer.general.gait.feet import Feet
from mummer.general.gait.legs import Leg
from mummer.general.gait.steps import Steps
from mummer.kernels import quaternions

LOWEST = 0.25
"""Part of what a style asks for that feet are lifted at least."""


def lifted_with_ease(
    legs: Sequence[Leg], steps: Steps, times: FloatArray, feet: Feet, away: FloatArray, turned: FloatArray,
    comfort: Comfort,
) -> Steps:  # fmt: skip
    """The same steps, lower where legs would have to fold more than they can.

    Args:
        legs: L legs.
        steps: S steps.
        times: (N,) seconds.
        feet: at these.
        away: (N, L, 3) of `legs_seen`.
        turned: (N, 4) world_from_character of the body.
        comfort: how far legs fold.
    """
    if not len(steps.lifts):
        return steps
    step = steps.locate(times)[0]
    height = feet.contacts[..., 1] - feet.levels
    room = height + room_left(legs, away, turned, comfort)
    least = LOWEST * steps.raises[np.maximum(step, 0)]
    share = np.where(feet.planted | (step < 0), 1.0, np.maximum(room, least) / np.maximum(height, 1e-9))
    found = np.ones(len(steps.lifts))
    np.minimum.at(found, np.maximum(step, 0), share)
    return replace(steps, raises=steps.raises * found)


def room_left(legs: Sequence[Leg], away: FloatArray, turned: FloatArray, comfort: Comfort) -> FloatArray:
    """(N, L) metres by which each leg can still be folded, by lifting its foot or lowering its hip.

    Args:
        legs: L legs.
        away: (N, L, 3) of `legs_seen`.
        turned: (N, 4) world_from_character of the body.
        comfort: how far legs fold.
    """
    # What limits legs are hips, and those lean with the body: who leans ahead has its feet farther ahead of them.
    own, found = quaternions.rotate(quaternions.conjugate(turned)[:, None], away), np.empty(away.shape[:2])
    for index, leg in enumerate(legs):
        rest = leg.hip_place - leg.contact - (0.0 if comfort.loose[index] else leg.ankle)
        ahead = (rest[2] - own[:, index, 2] - comfort.homes[index, 1]) / leg.length
        room = leg.length * comfort.room(index, ahead, rest[0] - own[:, index, 0])
        found[:, index] = own[:, index, 1] - rest[1] + room
    return found
