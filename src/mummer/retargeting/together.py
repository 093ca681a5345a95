"""Hands kept where they touch: on one another, on the head, on the body, where they do in the source."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Curve, Pose, world_positions
from mummer.clip.analysis.tracks import WIDEST
from mummer.clip.sampled import Sampled
from mummer.errors import InputError
from mummer.math.steps import smooth_step
from mummer.measure.watched import places_at
from mummer.retargeting.build import Build
from mummer.retargeting.onto import Onto

NEAR, FAR = 0.28, 0.55
"""A hand is taken to touch what is nearer than this, and not to touch what is farther, in arm lengths of the source."""
TURNS = 3
EASE = 0.06
"""Seconds over which a hand is led to what it touches."""


@dataclass(frozen=True)
class Together:
    """Two parts that stay together: a hand, and what it touches.

    Attributes:
        hand: a role, the part that is moved.
        other: a role; if it is a hand too, both are moved.
    """

    hand: str
    other: str


def kept_together(made: Sampled, onto: Onto, pair: Together) -> Sampled:
    """The retargeted motion with a hand led to what it touches in the source, by bending its arm.

    Args:
        made: the motion, baked.
        onto: how it was made.
        pair: what stays together.

    Raises:
        InputError: if one of the bodies has no such part, or the hand has no arm.
    """
    from mummer.ik import Place, solve

    transfer = onto.transfer
    mine, theirs = _joints(transfer.source, pair), _joints(transfer.target, pair)
    times = made.recording.curves[0].times
    source = places_at(onto.clip, times)
    arms = _arm_length(transfer.source, pair.hand), _arm_length(transfer.target, pair.hand)
    weight = _touching(source, mine, arms[0], times)
    if not weight.any():
        return made
    wanted = arms[1] / arms[0] * (source[:, mine[0]] - source[:, mine[1]])
    poses = made.sample(times)
    is_both = pair.other.endswith("_hand")
    natural = world_positions(made.body.skeleton, poses)
    between = weight * wanted + (1.0 - weight) * (natural[:, theirs[0]] - natural[:, theirs[1]])
    # What one hand could not reach is left to the other in the next turn.
    for _ in range(TURNS):
        places = world_positions(made.body.skeleton, poses)
        away = between - (places[:, theirs[0]] - places[:, theirs[1]])
        share = 0.5 if is_both else 1.0
        goals = [Place(pair.hand, at=places[:, theirs[0]] + share * away)]
        if is_both:
            goals.append(Place(pair.other, at=places[:, theirs[1]] - share * away))
        for goal in goals:
            poses = solve(made.body, goal, poses, solver="two_bone", root="fixed").pose
    return _with_rotations(made, poses)


def _joints(body: Build, pair: Together) -> tuple[int, int]:
    return body.anatomy.joint(pair.hand), body.anatomy.joint(pair.other)


def _arm_length(body: Build, hand: str) -> float:
    chain = [hand.replace("hand", part) for part in ("upper_arm", "forearm", "hand")]
    missing = [role for role in chain if role not in body.anatomy.roles]
    if missing or not hand.endswith("_hand"):
        raise InputError(f"{hand!r} of {body.character.name!r} cannot be kept in touch: it has no arm to bend")
    joints = [body.anatomy.roles[role] for role in chain]
    return float(np.linalg.norm(np.diff(body.places[joints], axis=0), axis=1).sum())


def _touching(places: FloatArray, joints: tuple[int, int], arm: float, times: FloatArray) -> FloatArray:
    """(T, 1) 1 where two joints of the source are near one another, down to 0 where they are not, smooth in time."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

    apart = np.linalg.norm(places[:, joints[0]] - places[:, joints[1]], axis=1) / arm
    share = smooth_step((FAR - apart) / (FAR - NEAR))
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    width = min(EASE / step, WIDEST * len(times))
    # Widened before it is smoothed, so that it is whole all the time that they touch.
    wide = maximum_filter1d(share, 2 * round(3.0 * width) + 1, mode="nearest")
    return np.clip(gaussian_filter1d(wide, width, mode="nearest", truncate=3.0), 0.0, 1.0)[:, None]


def _with_rotations(made: Sampled, poses: Pose) -> Sampled:
    """The same recording with other rotations."""
    curves = tuple(
        Curve("rotation", curve.targets, curve.times, poses.rotations[:, curve.targets])
        if curve.path == "rotation"
        else curve
        for curve in made.recording.curves
    )
    return dataclasses.replace(made, recording=dataclasses.replace(made.recording, curves=curves))
