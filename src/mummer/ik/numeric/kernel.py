"""The kernel of the numerical solvers: one item is one problem of the batch."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.ik.numeric.arguments import (
    AHEAD,
    ASKED,
    HARD,
    LOCAL,
    METRIC,
    MISS,
    OFFSET,
    ROW,
    ROWS,
    STRENGTH,
    WEIGHT,
    Body,
    Goals,
    IntOutput1,
    IntOutput2,
    Work,
)
from mummer.ik.numeric.attempts import come_near, seek, spare_the_impossible
from mummer.ik.numeric.descending import copy_stance, look
from mummer.ik.numeric.joint_angles import read_joint
from mummer.ik.numeric.metric import diagonal_metric, equal_metric, full_metric, gather_mass
from mummer.ik.numeric.misses import miss_size
from mummer.ik.numeric.posing import place_joints, write_columns
from mummer.ik.numeric.slopes import write_slopes
from mummer.ik.numeric.unowned import unowned, unowned_body, unowned_work
from mummer.kernels.arguments import Output1, Output2, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.linking import apart

DIAGONAL, FULL, EQUAL = 0, 1, 2
"""The kinds of metric."""
STRONG = 1e3
"""How much stronger hard entries pull than what draws a body home can ever do."""


@apart
def new_work(joints: int, dofs: int, rows: int, dense: int) -> Work:
    """Room for the numbers of one step."""
    normals = np.zeros((joints, 2))
    normals[:, 0] = 1.0
    return Work(
        np.zeros((dofs, rows)),
        np.zeros((dofs, rows)),
        np.zeros((dofs, 2), np.int64),
        np.zeros((rows, rows)),
        np.zeros((9, rows)),
        np.zeros((10, dofs)),
        np.zeros((2, dense, dense)),
        np.zeros((dense, dense)),
        normals,
        np.zeros((joints, 10)),
        np.zeros((4, 6)),
    )


@apart
def read_stance(body: Body, given: FloatArray, item: int, offsets: FloatArray, stance: FloatArray) -> None:
    """Take over a pose, held in its limits."""
    source = item if offsets.shape[0] > 1 else 0
    for joint in range(body.joints.shape[0]):
        read_joint(body, joint, given, item, stance)
        for axis in range(3):
            stance[joint, OFFSET + axis] = offsets[source, joint, axis]


@apart
def write_answer(body: Body, given: FloatArray, item: int, stance: FloatArray, answers: FloatArray) -> None:
    """Write the rotations, signed as those given, and the offsets of a stance."""
    for joint in range(body.joints.shape[0]):
        side = 0.0
        for part in range(4):
            side += given[item, joint, part] * stance[joint, LOCAL + part]
        for part in range(4):
            answers[item, joint, part] = stance[joint, LOCAL + part] * (-1.0 if side < 0.0 else 1.0)
        for part in range(3):
            answers[item, joint, 4 + part] = stance[joint, OFFSET + part]


@apart
def set_strengths(goals: Goals, work: Work, height: float) -> None:
    """Fill in what each hard entry may pull with: far more than any other need of the body."""
    soft, far, labels = 0.0, height, goals.labels
    for entry in range(labels.shape[0]):
        if labels[entry, ROWS] != 0:
            size = miss_size(goals, entry, work.rows, MISS)
            goals.values[entry, ASKED] = size
            far = max(far, size)
            if labels[entry, HARD] == 0:
                soft += goals.values[entry, WEIGHT] * (size + 0.1 * height)
    for entry in range(labels.shape[0]):
        if labels[entry, ROWS] == 0:
            continue
        ease = 0.0
        for row in range(labels[entry, ROW], labels[entry, ROW] + labels[entry, ROWS]):
            for dof in range(work.dofs.shape[1]):
                ease += work.slopes[dof, row] * work.slopes[dof, row] / work.dofs[METRIC, dof]
        ease = max(ease / labels[entry, ROWS], 1e-12)
        goals.values[entry, STRENGTH] = STRONG * far / ease + 1e2 * goals.stiffness * soft


@apart
def hold_labels(labels: IntArray, values: FloatArray, item: int) -> IntArray:
    """A copy of the labels with the rows of the entries that hold for this problem, one after the other."""
    mine = np.zeros((labels.shape[0], 6), np.int64)
    total = 0
    for entry in range(labels.shape[0]):
        for part in range(6):
            mine[entry, part] = labels[entry, part]
        mine[entry, ROW] = total
        if values[item, entry, WEIGHT] <= 0.0:
            mine[entry, ROWS] = 0
        total += mine[entry, ROWS]
    return mine


@apart
def prepare(
    goals: Goals, body: Body, home: FloatArray, stance: FloatArray, world: FloatArray, pulls: FloatArray, work: Work,
    settings: FloatArray, metric: int, is_home: int,
) -> None:  # fmt: skip
    """Fill in the metric at home, and the strengths of the goals at the start."""
    every = np.arange(body.joints.shape[0])
    place_joints(body, home, world, every)
    write_columns(body, home, world)
    gather_mass(body, world, work.carried)
    if metric == FULL:
        full_metric(body, world, pulls, settings[4], work)
    elif metric == EQUAL:
        equal_metric(body, pulls, settings[0], work)
    else:
        diagonal_metric(body, world, pulls, settings[4], work)
    if is_home == 0:
        place_joints(body, stance, world, every)
        write_columns(body, stance, world)
    look(goals, body, stance, world, work)
    for row in range(work.rows.shape[1]):
        work.rows[MISS, row] = work.rows[AHEAD, row]
    write_slopes(goals, body, world, work)
    set_strengths(goals, work, settings[0])


@kernel(on_cuda=False)
def solve_problems(
    item: int,
    joints: IntOutput2,
    frames: Output2,
    used: IntOutput1,
    owner: IntOutput1,
    moments: Output2,
    labels: IntOutput2,
    values: Output3,
    given: Output3,
    home: Output3,
    offsets: Output3,
    home_offsets: Output3,
    pulls: Output1,
    settings: Output1,
    counts: IntOutput1,
    answers: Output3,
    steps: IntOutput1,
    softened: IntOutput2,
    misses: Output2,
) -> None:
    """Bend one body.

    Args:
        item: which of the B problems.
        joints: (J, 4) see `Body`.
        frames: (J, 17) see `Body`.
        used: (U,) see `Body`.
        owner: (D,) see `Body`.
        moments: (J, 10) see `Body`.
        labels: (N, 6) see `Goals`; ROWS as if all entries held.
        values: (B, N, 16) see `Goals`; those of weight zero do not hold.
        given: (B, J, 4) rotations to begin with.
        home: (B, J, 4) rotations to stay near.
        offsets: (1, J, 3) or (B, J, 3) from parents to joints, at the start.
        home_offsets: the same at home.
        pulls: (J,) how strongly each joint is drawn home.
        settings: height, radian, near, stiffness, restitution, still, settle, damping, stride, blur.
        counts: steps at most, the kind of metric, attempts, steps of each of those, and whether home is the start.
        answers: (B, J, 7) takes rotations and offsets.
        steps: (B,) takes the steps taken.
        softened: (B, N) takes which hard entries gave way to others.
        misses: (B, N) takes how far each entry is missed, metres.
    """
    body, count = unowned_body(Body(joints, frames, used, owner, moments)), joints.shape[0]
    mine = hold_labels(labels, values, item)
    own = np.zeros((labels.shape[0], values.shape[2]))
    total = 0
    for entry in range(labels.shape[0]):
        total += mine[entry, ROWS]
        for part in range(values.shape[2]):
            own[entry, part] = values[item, entry, part]
    goals = Goals(
        unowned(mine), unowned(own), settings[1], settings[2], settings[3], settings[6], settings[7], settings[8],
        settings[9],
    )  # fmt: skip
    owned = new_work(count, owner.shape[0], total, owner.shape[0] if counts[1] == FULL else 0)
    work, still = unowned_work(owned), settings[5]
    stances, places = np.zeros((3, count, 10)), np.zeros((count, 16))
    stance, at_home, saved = unowned(stances[0]), unowned(stances[1]), unowned(stances[2])
    world = unowned(places)
    read_stance(body, home, item, home_offsets, at_home)
    if counts[4] != 0:
        copy_stance(at_home, stance)
    else:
        read_stance(body, given, item, offsets, stance)
    prepare(goals, body, at_home, stance, world, pulls, work, settings, counts[1], counts[4])
    spare_the_impossible(goals, body, stance, world)
    come_near(goals, body, stance, work)
    done = seek(goals, body, at_home, stance, saved, world, work, still, counts)
    # Looking at them here keeps the owned arrays until now.
    steps[item] = done + 0 * (owned.rows.shape[0] + stances.shape[0] + places.shape[0] + own.shape[0])
    for entry in range(labels.shape[0]):
        softened[item, entry] = 1 if mine[entry, HARD] == 2 else 0
        misses[item, entry] = miss_size(goals, entry, work.rows, MISS)
    write_answer(body, given, item, stance, answers)
