"""The kernel of the numerical solvers: one item is one problem of the batch."""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.ik.numeric.arguments import (
    Body,
    Entries,
    IntOutput1,
    Ints1,
    Ints2,
    Masses,
    Scales,
    Stance,
    Work,
    World,
)
from mummer.ik.numeric.descending import cost_of_misses, descend, look, speaks_of_mass
from mummer.ik.numeric.joint_angles import read_joint
from mummer.ik.numeric.metric import diagonal_metric, gather_mass
from mummer.ik.numeric.misses import miss_size
from mummer.ik.numeric.posing import place_joints
from mummer.ik.numeric.slopes import write_slopes
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output2, Output3
from mummer.kernels.kernel import kernel


def new_stance(count: int) -> Stance:
    """Room for a stance of ``count`` joints."""
    return Stance(np.zeros((count, 4)), np.zeros((count, 3)), np.zeros((count, 3)))


def new_work(joints: int, dofs: int, rows: int, entries: int) -> Work:
    """Room for the numbers of one step."""
    return Work(
        np.zeros((dofs, rows)), np.zeros((dofs, rows)), np.zeros((rows, rows)),
        np.zeros(rows), np.zeros(rows), np.zeros(rows), np.zeros(rows), np.zeros(rows), np.ones(rows, np.int64),
        np.ones(dofs), np.zeros(dofs), np.zeros(dofs), np.zeros(dofs), np.zeros(dofs), np.zeros(dofs),
        np.zeros(dofs, np.int64), np.zeros(dofs), np.zeros((joints, 2)), np.zeros((3, 6)), np.zeros((joints, 10)),
        np.zeros(3), np.zeros(entries),
    )  # fmt: skip


def lay_out_rows(full: IntArray, weights: FloatArray, row: IntArray, rows: IntArray) -> int:
    """Fill in where the rows of each entry that holds begin, and how many it has; the number of all rows."""
    total = 0
    for entry in range(full.shape[0]):
        row[entry] = total
        rows[entry] = full[entry] if weights[entry] > 0.0 else 0
        total += rows[entry]
    return total


def read_stance(body: Body, given: FloatArray, offsets: FloatArray, root: FloatArray, stance: Stance) -> None:
    """Take over a pose, held in its limits."""
    for joint in range(body.parents.shape[0]):
        read_joint(body, joint, given, stance)
        for axis in range(3):
            stance.offsets[joint, axis] = offsets[joint, axis]
    for axis in range(3):
        stance.offsets[0, axis] = root[axis]


def set_strengths(entries: Entries, work: Work, height: float, stiffness: float) -> None:
    """Fill in what each hard entry may pull with: far more than any other need of the body."""
    soft = 0.0
    for entry in range(entries.kinds.shape[0]):
        if entries.rows[entry] != 0 and entries.hard[entry] == 0:
            soft += entries.weights[entry] * miss_size(entries, entry, work.miss)
    for entry in range(entries.kinds.shape[0]):
        if entries.rows[entry] == 0:
            continue
        ease = 0.0
        for row in range(entries.row[entry], entries.row[entry] + entries.rows[entry]):
            for dof in range(work.metric.shape[0]):
                ease += work.slopes[dof, row] * work.slopes[dof, row] / work.metric[dof]
        ease = max(ease / entries.rows[entry], 1e-12)
        far = max(miss_size(entries, entry, work.miss), height)
        work.strength[entry] = 1e3 * far / ease + 1e2 * stiffness * (height + soft)


@kernel(on_cuda=False)
def solve_problems(
    item: int,
    parents: Ints1,
    limit_kinds: Ints1,
    rest: Floats2,
    axes: Floats2,
    second_axes: Floats2,
    third_axes: Floats2,
    ranges: Floats2,
    second_ranges: Floats2,
    used: Ints1,
    first: Ints1,
    travel: Ints1,
    owner: Ints1,
    masses: Floats1,
    centers: Floats2,
    seconds: Floats3,
    entry_kinds: Ints1,
    joints: Ints1,
    others: Ints1,
    hard: Ints1,
    points: Floats2,
    other_points: Floats2,
    entry_axes: Floats2,
    full_rows: Ints1,
    targets: Floats3,
    weights: Floats2,
    start_rotations: Floats3,
    start_offsets: Floats3,
    start_root: Floats2,
    home_rotations: Floats3,
    home_offsets: Floats3,
    home_root: Floats2,
    pulls: Floats1,
    settings: Floats1,
    most: Ints1,
    rotations: Output3,
    roots: Output3,
    steps: IntOutput1,
) -> None:
    """Bend one body; ``rotations`` (B, J, 4) and ``roots`` (B, J, 3) take the answer, ``steps`` (B,) the work done."""
    body = Body(
        parents, limit_kinds, rest, axes, second_axes, third_axes, ranges, second_ranges, used, first, travel, owner
    )
    count, entry_count = parents.shape[0], entry_kinds.shape[0]
    row, rows = np.zeros(entry_count, np.int64), np.zeros(entry_count, np.int64)
    total = lay_out_rows(full_rows, weights[item], row, rows)
    height, radian, near, still, stiffness, restitution = (
        settings[0], settings[1], settings[2], settings[3], settings[4], settings[5],
    )  # fmt: skip
    entries = Entries(
        entry_kinds, joints, others, hard, points, other_points, entry_axes, targets[item], weights[item], row, rows, radian
    )
    mass, scales = Masses(masses, centers, seconds), Scales(near, still, stiffness)
    stance, home, saved = new_stance(count), new_stance(count), new_stance(count)
    world = World(np.zeros((count, 3)), np.zeros((count, 4)), np.zeros((count, 3, 3)))
    work = new_work(count, owner.shape[0], total, entry_count)
    source = item if home_offsets.shape[0] > 1 else 0
    read_stance(body, home_rotations[item], home_offsets[source], home_root[item], home)
    place_joints(body, home, world, np.arange(count))
    gather_mass(body, mass, world, work.carried)
    diagonal_metric(body, world, work.carried, pulls, restitution, work.metric)
    source = item if start_offsets.shape[0] > 1 else 0
    read_stance(body, start_rotations[item], start_offsets[source], start_root[item], stance)
    place_joints(body, stance, world, np.arange(count))
    look(entries, body, mass, stance, world, work, speaks_of_mass(entries))
    work.miss[:] = work.ahead
    write_slopes(entries, body, world, work.carried, work.lever, work.slopes)
    set_strengths(entries, work, height, stiffness)
    steps[item] = descend(entries, body, mass, home, stance, saved, world, work, scales, most[0])
    for joint in range(count):
        for part in range(4):
            rotations[item, joint, part] = stance.local[joint, part]
        for part in range(3):
            roots[item, joint, part] = stance.offsets[joint, part]
