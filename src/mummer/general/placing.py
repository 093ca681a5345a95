"""Placing hands, feet and mouths: what is wanted of them is handed to the kernel of poses."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip import Frames
from mummer.general.intent import Intent
from mummer.general.posing.columns import (
    ASKED,
    CARRIER,
    HAS_TURN,
    PLACE,
    SCRATCH,
    SETTINGS,
    TURN,
    WEIGHT,
)
from mummer.general.posing.plan import Plan, plan_of
from mummer.general.posing.pose_frames import pose_frames
from mummer.ik.analytic.joint_table import joint_table
from mummer.ik.rigid_body import rigid_body
from mummer.kernels import quaternions
from mummer.kernels.place import CPU

SOFTNESS = 0.005
"""Over this last part of its reach a limb follows less and less."""
NEAR = 1e-6
"""What counts as met: this part of the body's height."""
CLOSE, MISSED = 0.002, 0.012
"""Parts of the body's height: a limb that misses by less than the first needs no help, by more than the second all."""
ROOT_STIFFNESS, ROOT_RANGE = 0.05, 0.15
"""How unwilling the root is to come along, and the part of the body's height from which on it gets more so."""
LEANS = 4
"""How often the core leans to where limbs miss."""
FRAMES_A_PIECE = 64


def place_parts(intent: Intent, frames: Frames, *, root_follow: float = 0.0) -> Frames:
    """The same poses with the parts that have a place to be as near to it as the body can.

    Args:
        intent: what is wanted at T moments.
        frames: root and spine as they should be.
        root_follow: how readily the root comes along to help, 0 to 1.
    """
    physique = intent.physique
    points = tuple(
        (joint, None if track.offset is None else tuple(track.offset.tolist()))
        for joint, track in intent.places.items()
        if joint != physique.root
    )
    if not points:
        return frames
    plan = plan_of(physique, points, intent.exact & {joint for joint, _ in points}, root_follow)
    body = rigid_body(physique.character)
    count, unknowns = len(intent), 3 + 3 * len(plan.leaning)
    rotations, roots = np.array(frames.rotations, order="C"), np.array(frames.root, order="C")
    CPU.run(
        pose_frames, count, CPU.array(body.parents, np.int64), joint_table(body), CPU.array(body.offsets[None], float),
        plan.chains, plan.members, plan.weights, plan.curls, plan.leaning, plan.stiffness, plan.carries,
        _asked(intent, plan), _settings(body.height), CPU.array(frames.rotations, float), rotations, roots,
        np.empty((count, len(plan.tips), 9)), np.empty((count, 3)), np.empty((count, unknowns + 1, unknowns + 1)),
        np.empty((count, plan.rows, SCRATCH)), grain=FRAMES_A_PIECE,
    )  # fmt: skip
    return Frames(rotations, roots)


def _settings(height: float) -> FloatArray:
    values = [SOFTNESS, NEAR * height, CLOSE * height, MISSED * height, ROOT_STIFFNESS, LEANS, ROOT_RANGE * height]
    assert len(values) == SETTINGS
    return np.array([values])


def _asked(intent: Intent, plan: Plan) -> FloatArray:
    """(T, N, ASKED) see `columns`."""
    asked = np.zeros((len(intent), len(plan.tips), ASKED))
    for row, tip in enumerate(plan.tips):
        track = intent.places[tip]
        carried, turned = intent.carried(tip)
        if track.offset is not None:
            carried = carried + quaternions.rotate(turned, track.offset)
        asked[:, row, PLACE:WEIGHT] = track.at(carried)
        asked[:, row, WEIGHT] = track.weights
        if tip in intent.turns:
            asked[:, row, TURN:HAS_TURN], asked[:, row, HAS_TURN] = intent.turns[tip].at(turned), 1.0
        asked[:, row, CARRIER:ASKED] = intent.carrier(tip)[1]
    return asked
