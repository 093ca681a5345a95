"""What is asked of every solution: numbers, limits, lengths, goals, and no jump when a goal moves a little."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Pose, violations
from mummer.ik import Solution, Solver, WorldState, solve
from mummer.ik.pose_distance import root_mean_square_displacement
from mummer.math import quaternion
from tests.ik.study.problems import STEP, Batch

PAST_LIMIT = 1e-6
CHANGED = 1e-6


@dataclass(frozen=True, eq=False)
class Verdict:
    """What was measured on the B problems of a batch.

    Attributes:
        finite: (B,) whether all numbers of the pose are finite and its rotations unit.
        past_limit: (B,) radians past a limit, the worst joint.
        stretched: (B,) the largest change of a joint's distance from its parent, as a share of it.
        root_moved: (B,) heights or radians that a root moved that was to stay.
        missed: (B,) the worst error of a goal, in heights or radians.
        met: (B,) whether all goals are met to a thousandth.
        jump: (B,) metres of mass displacement for each metre that goals were moved.
        seconds: of one solve of the batch.
    """

    finite: BoolArray
    past_limit: FloatArray
    stretched: FloatArray
    root_moved: FloatArray
    missed: FloatArray
    met: BoolArray
    jump: FloatArray
    seconds: float


def judge(batch: Batch, solver: str | Solver) -> Verdict:
    """Solve a batch, solve it again with all goals moved a little, and measure."""
    found = solve(batch.character, batch.goals, batch.start, solver=solver, root=batch.root)
    # The second solve is timed: the first may have had to compile.
    start = time.perf_counter()
    again = solve(batch.character, batch.moved, batch.start, solver=solver, root=batch.root)
    seconds = time.perf_counter() - start
    state, other = WorldState(batch.character, found.pose), WorldState(batch.character, again.pose)
    height = state.body.height
    missed = _missed(found, height)
    return Verdict(
        finite=_finite(found.pose) & _finite(again.pose),
        past_limit=violations(state.body.limits, state.body.skeleton, found.pose).max(axis=-1),
        stretched=_stretched(state, WorldState(batch.character, batch.start)),
        root_moved=_root_moved(batch, found.pose, height),
        missed=missed.max(axis=1),
        met=found.met.all(axis=1),
        jump=root_mean_square_displacement(state, other) / (STEP * height),
        seconds=seconds,
    )


def _finite(pose: Pose) -> BoolArray:
    arrays = (pose.rotations, pose.root_translation, pose.translations, pose.scales)
    given = [values.reshape(len(pose), -1) for values in arrays if values is not None]
    numbers = np.all([np.isfinite(values).all(axis=1) for values in given], axis=0)
    unit = np.abs(np.linalg.norm(pose.rotations, axis=-1) - 1).max(axis=1) < 1e-9
    return np.asarray(numbers & unit)


def _stretched(state: WorldState, start: WorldState) -> FloatArray:
    # Further roots have no length: where they stand is theirs to choose, as it is the first one's.
    hangs = state.body.parents >= 0
    lengths, were = (np.linalg.norm(each.body.offsets_of(each.pose)[:, hangs], axis=-1) for each in (state, start))
    if not lengths.shape[1]:
        return np.zeros(len(state))
    changed = np.abs(lengths - were) / np.maximum(were, 1e-6 * state.body.height)
    return np.broadcast_to(changed.max(axis=1), len(state))


def _root_moved(batch: Batch, pose: Pose, height: float) -> FloatArray:
    assert pose.root_translation is not None
    assert batch.start.root_translation is not None
    moved = np.zeros(len(pose))
    if batch.root != "free":
        moved = np.linalg.norm(pose.root_translation - batch.start.root_translation, axis=1) / height
    if batch.root == "fixed":
        turned = quaternion.angle_between(pose.rotations[:, 0], batch.start.rotations[:, 0])
        moved = np.maximum(moved, turned)
    return moved


def _missed(found: Solution, height: float) -> FloatArray:
    units = np.array([height if goal.UNIT == "m" else 1.0 for goal in found.goals])
    return np.asarray(found.errors / units)
