"""The hot loop that finds the frames in which anything touches: a look that most frames need alone."""

from __future__ import annotations

import math

from mummer.general.capsule_scalars import end_of, ground_height, near, nearest, put_capsules
from mummer.ik.analytic.vectors import dot, minus, size
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Floats4, Output1, Output3, Output4, Parents
from mummer.kernels.fk_rigid import pose_frame
from mummer.kernels.kernel import kernel


@kernel(on_cuda=False)
def find_contacts(
    frame: int,
    parents: Parents,
    offsets: Floats3,
    roots: Floats2,
    rotations: Floats3,
    limbs: Parents,
    joints: Parents,
    ends: Floats3,
    radii: Floats2,
    gathers: Parents,
    first: Parents,
    second: Parents,
    trims: Floats3,
    gives: Floats2,
    groups: Parents,
    ground: Floats2,
    deepest: Floats1,
    lifts: Floats1,
    stirs: Floats1,
    where: Output3,
    turn: Output3,
    placed: Output4,
    around: Output3,
    balls: Output3,
    sunk: Output1,
    touches: Output1,
) -> None:
    """One item is one frame: whether anything of it must make way, and how deep the rest is in the ground.

    Args:
        frame: which.
        parents: see `make_way`, as for all that is not named here.
        offsets: (1, J, 3).
        roots: (T, 3).
        rotations: (T, J, 4) parent_from_joint.
        limbs: (J,).
        joints: (C,).
        ends: (C, 2, 3).
        radii: (C, 2).
        gathers: (C,).
        first: (P,).
        second: (P,).
        trims: (P, 2, 2).
        gives: (P, 3).
        groups: (4 G,).
        ground: (T, 6).
        deepest: (C,).
        lifts: (C,) one for what lifts the whole body, else zero.
        stirs: (1,) metres in the ground from which on a part makes way.
        where: (T, J, 3) to work in.
        turn: (T, J, 4).
        placed: (T, C, 2, 3).
        around: (T, C, 4).
        balls: (T, M, 4).
        sunk: (T,) takes metres that the deepest of what lifts the body is in the ground; negative above it.
        touches: (T,) takes one where something must make way, else zero.
    """
    pose_frame(frame, parents, rotations, offsets, roots, where, turn)
    put_capsules(frame, joints, ends, radii, gathers, where, turn, placed, around, balls)
    up, floor, found = (ground[frame, 3], ground[frame, 4], ground[frame, 5]), ground_height(frame, ground), 0.0
    sunk[frame] = -math.inf
    for capsule in range(joints.shape[0]):
        low = min(
            dot(end_of(frame, capsule, 0, placed), up) - radii[capsule, 0],
            dot(end_of(frame, capsule, 1, placed), up) - radii[capsule, 1],
        )
        depth = floor - low - deepest[capsule]
        if lifts[capsule] > 0.0:
            sunk[frame] = max(sunk[frame], depth)
        if depth > stirs[0] and limbs[joints[capsule]] >= 0:
            found = 1.0
    touches[frame] = found
    if found == 0.0 and any_overlap(frame, radii, first, second, trims, gives, groups, placed, around, balls):
        touches[frame] = 1.0


def any_overlap(
    frame: int, radii: Floats2, first: Parents, second: Parents, trims: Floats3, gives: Floats2, groups: Parents,
    placed: Floats4, around: Floats3, balls: Floats3,
) -> bool:  # fmt: skip
    """Whether any pair overlaps so deep that it makes way."""
    for group in range(groups.shape[0] // 4):
        if not near(frame, groups[4 * group], groups[4 * group + 1], balls, 0.0):
            continue
        for pair in range(groups[4 * group + 2], groups[4 * group + 3]):
            a, b = first[pair], second[pair]
            least = gives[pair, 0] + gives[pair, 2]
            if near(frame, a, b, around, least):
                point, other, thick = nearest(frame, pair, a, b, least, trims, radii, placed)
                if thick - size(minus(point, other)) > least:
                    return True
    return False
