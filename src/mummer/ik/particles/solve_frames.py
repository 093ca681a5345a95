"""The kernel: spine, limbs and corrections for one body after another, from one source for CPU threads and CUDA."""

from __future__ import annotations

from mummer.ik.particles import limb_phase, spine_phase
from mummer.ik.particles.correct import correct
from mummer.ik.particles.limb_phase import aim_limbs, relax_lengths, turn_to_particles
from mummer.ik.particles.place_joints import place_joints
from mummer.ik.particles.settings import ONE
from mummer.ik.particles.settle import settle
from mummer.ik.particles.spine_phase import (
    hold_lengths,
    keep_lengths,
    pull_by_limbs,
    turn_inner,
    turn_particles,
)
from mummer.ik.particles.storage import Ints1, put_quaternion, put_vector, quaternion, quaternion_of, vector
from mummer.ik.particles.turning import after, undone
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Output1, Output3
from mummer.kernels.kernel import kernel

SPINE_ITERATIONS = spine_phase.ITERATIONS


@kernel
def solve_frames(
    lane: int,
    frames: Count,
    lanes: Count,
    steps: Count,
    parents: Ints1,
    offsets: Floats2,
    rest_positions: Floats2,
    rest_rotations: Floats2,
    rest_local: Floats2,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    freedom: Floats1,
    is_spine: Ints1,
    turn_tasks: Ints1,
    kinds: Ints1,
    joints: Ints1,
    points: Floats2,
    aim_axes: Floats2,
    weights: Floats1,
    masked: Ints1,
    below_starts: Ints1,
    below: Ints1,
    spine_joints: Ints1,
    spine_parents: Ints1,
    spine_lengths: Floats2,
    tangents: Floats2,
    next_starts: Ints1,
    nexts: Ints1,
    curves: Floats2,
    inner_starts: Ints1,
    inner: Ints1,
    inner_times: Floats1,
    inner_offsets: Floats2,
    limb_particles: Ints1,
    limb_pins: Ints1,
    limb_attach: Floats2,
    limb_lengths: Floats2,
    rest: Floats2,
    particle_parents: Ints1,
    particle_lengths: Floats1,
    loose: Floats1,
    order: Ints1,
    roots: Ints1,
    before: Ints1,
    spines: Ints1,
    aims: Floats2,
    poles: Floats2,
    bends: Floats2,
    reaches: Floats1,
    member_starts: Ints1,
    members: Ints1,
    profiles: Floats1,
    end_starts: Ints1,
    ends: Ints1,
    limb_joints: Ints1,
    joint_aims: Ints1,
    kid_starts: Ints1,
    kids: Ints1,
    cross_firsts: Ints1,
    cross_seconds: Ints1,
    cross_lengths: Floats1,
    settings: Floats1,
    targets: Floats3,
    pin_places: Floats3,
    masks: Floats3,
    found: Output3,
    stretched: Output3,
    taken: Output1,
    lengths: Output3,
    local: Output3,
    positions: Output3,
    rotations: Output3,
    wanted: Output3,
    spine: Output3,
    places: Output3,
    aim_turns: Output3,
    tips: Output3,
    rows: Output3,
    axes: Output3,
    blocked: Output3,
    turns: Output3,
    columns: Output3,
    matrix: Output3,
) -> None:
    """One item is one lane, which does its share of the frames in its own scratch memory."""
    one = settings[ONE]
    for frame in range(frames * lane // lanes, frames * (lane + 1) // lanes):
        for k in range(spine_joints.shape[0]):
            put_vector(spine, lane, k, vector(rest_positions, spine_joints[k]))
        for _ in range(SPINE_ITERATIONS):
            pull_by_limbs(
                lane, frame, spine_joints, spine_parents, limb_particles, limb_pins, limb_attach, limb_lengths,
                rest_positions, pin_places, settings, spine,
            )  # fmt: skip
            keep_lengths(lane, spine_parents, spine_lengths, settings, spine)
        hold_lengths(lane, spine_parents, spine_lengths, spine)
        turn_particles(
            lane, frame, spine_joints, spine_parents, next_starts, nexts, tangents, rest_rotations, turn_tasks,
            targets, weights, settings, spine, wanted,
        )  # fmt: skip
        turn_inner(
            lane, spine_joints, spine_parents, spine_lengths, curves, inner_starts, inner, inner_times,
            inner_offsets, rest_positions, settings, spine, wanted,
        )  # fmt: skip
        for joint in range(parents.shape[0]):
            lengths[lane, joint, 0] = one
            put_quaternion(local, lane, joint, quaternion(rest_local, joint))
        put_vector(positions, lane, 0, vector(rest_positions, 0))
        put_quaternion(rotations, lane, 0, quaternion(rest_rotations, 0))
        # The spine's joints first, then the limbs': the same steps, so that they are compiled once.
        for phase in range(2):
            if phase > 0:
                place_joints(
                    lane, parents, offsets, rest_positions, rest_rotations, lengths, local, positions, rotations
                )
                aim_limbs(
                    lane, frame, rest, roots, before, spines, aims, poles, bends, reaches, member_starts, members,
                    profiles, end_starts, ends, rest_rotations, pin_places, settings, positions, rotations, places,
                    aim_turns, lengths,
                )  # fmt: skip
                relax_lengths(
                    lane, particle_parents, particle_lengths, loose, order, cross_firsts, cross_seconds,
                    cross_lengths, settings, lengths, places,
                )  # fmt: skip
            for joint in range(1, parents.shape[0]):
                if (phase > 0) == (is_spine[joint] > 0):
                    continue
                turn = quaternion_of(wanted, lane, joint)
                if phase > 0:
                    parent = parents[joint]
                    turn = after(quaternion_of(rotations, lane, parent), undone(quaternion(rest_rotations, parent)))
                    if kid_starts[joint] < kid_starts[joint + 1]:
                        carried = quaternion_of(aim_turns, lane, joint_aims[joint])
                        turn = turn_to_particles(
                            lane, joint, carried, rest, kid_starts, kids, settings, places
                        )
                    if turn_tasks[joint] >= 0:
                        turn = after(
                            quaternion_of(targets, frame, turn_tasks[joint]), undone(quaternion(rest_rotations, joint))
                        )
                settle(
                    lane, joint, turn, parents, offsets, rest_rotations, rest_local, limit_kinds, limits, limit_rest,
                    freedom, one, lengths, local, positions, rotations,
                )  # fmt: skip
        count = correct(
            lane, frame, steps, parents, offsets, rest_positions, rest_rotations, limit_kinds, limits, limit_rest,
            freedom, kinds, joints, points, aim_axes, targets, weights, masked, masks, below_starts, below, settings,
            lengths, local, positions, rotations, tips, rows, axes, blocked, turns, columns, matrix,
        )  # fmt: skip
        taken[frame] = count
        for joint in range(parents.shape[0]):
            put_quaternion(found, frame, joint, quaternion_of(local, lane, joint))
            stretched[frame, joint, 0] = lengths[lane, joint, 0]
