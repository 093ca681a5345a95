"""The hot loop in which parts make way for others and for the ground: a few smooth steps, the same for every frame."""

from __future__ import annotations

from mummer.general.asking_limbs import ask, turn_all
from mummer.general.capsule_scalars import end_of, ground_height, put_capsules, put_moved
from mummer.general.parting import SPARED, beyond, find_ways, gather_pairs, hope_of, leave_parts
from mummer.ik.analytic.vectors import dot
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Floats4, Output3, Output4, Parents
from mummer.kernels.fk_rigid import place_joint, pose_frame
from mummer.kernels.kernel import kernel

ENOUGH = 1.5e-3
"""Part of the body's size: parts that overlap by no more than this beyond what may be are left."""
WORTH = 0.3
"""What does not come out of the ground by this part of its depth in a step loses hope."""
SHORT_ON_GROUND = 0.02
"""Levers shorter than this part of the body bring little against the ground."""
MARGIN = 0.08
"""Part of the body's size: pairs farther apart than this before anything makes way are not looked at again."""


@kernel(on_cuda=False)
def make_way(
    frame: int,
    parents: Parents,
    offsets: Floats3,
    roots: Floats2,
    table: Floats2,
    limbs: Parents,
    necks: Parents,
    is_end: Parents,
    bases: Parents,
    middles: Parents,
    tips: Parents,
    willing: Floats1,
    supple: Floats1,
    hinges: Floats2,
    planted: Floats2,
    joints: Parents,
    ends: Floats3,
    radii: Floats2,
    gathers: Parents,
    first: Parents,
    second: Parents,
    trims: Floats3,
    gives: Floats2,
    rest_sides: Floats2,
    bundles: Parents,
    groups: Parents,
    ground: Floats2,
    deepest: Floats1,
    measures: Floats1,
    most: Count,
    turned_by: Output3,
    where: Output3,
    turn: Output3,
    placed: Output4,
    around: Output3,
    balls: Output3,
    room: Output3,
    touching: Output3,
    votes: Output3,
    sunken: Output3,
) -> None:
    """One item is one frame. ``turned_by`` (T, J, 4) holds the local rotations and takes the result.

    Args:
        frame: which.
        parents: (J,).
        offsets: (1, J, 3) local translations.
        roots: (T, 3).
        table: of `joint_table`.
        limbs: see `Ways`, as for all of the next.
        necks: (J,).
        is_end: (J,).
        bases: (L,).
        middles: (L,).
        tips: (L,).
        willing: (J,).
        supple: (J,).
        hinges: (J, 3).
        planted: (L, 2).
        joints: (C,) that carry the capsules.
        ends: (C, 2, 3).
        radii: (C, 2).
        gathers: (C,) the group of each capsule; groups are numbered from zero.
        first: (P,) one capsule of each pair.
        second: (P,) the other.
        trims: (P, 2, 2).
        gives: (P, 3) see `Contacts`.
        rest_sides: (P, 3) unit, from the second to the first at rest, in the frame of the root.
        bundles: (P,) the pair of limbs, or of a limb and a piece of the trunk, that each pair is of.
        groups: (4 G,) of each pair of groups: both, the first of their pairs, and the one after the last.
        ground: (T, 6) a place of the ground and the unit direction up.
        deepest: (C,) metres that capsules may be below the ground.
        measures: (3,) the size of the body, the root joint, and metres that parts may be pressed into the ground.
        most: steps.
        turned_by: the local rotations, which change.
        where: (T, J, 3) room for places of joints.
        turn: (T, J, 4) room for their rotations.
        placed: (T, C, 2, 3) room for capsules.
        around: (T, C, 4) room for the balls around them.
        balls: (T, M, 4) room for the balls around groups of them.
        room: (T, J, 4) room for what is asked of joints.
        touching: (T, N, 13) room for what is known of pairs that come near.
        votes: (T, B, 4) room for the way out of each pair of limbs, and for how deep they are in each other.
        sunken: (T, 2 C, 3) room for how deep each end of a capsule was in the ground at most and how deep last,
            metres, and for how much hope there is to come out.
    """
    for bundle in range(votes.shape[1]):
        for part in range(4):
            votes[frame, bundle, part] = 0.0
    for row in range(sunken.shape[1]):
        sunken[frame, row, 0] = sunken[frame, row, 1] = 0.0
        sunken[frame, row, 2] = 1.0
    pose_frame(frame, parents, turned_by, offsets, roots, where, turn)
    put_capsules(frame, joints, ends, radii, gathers, where, turn, placed, around, balls)
    count = gather_pairs(frame, first, second, gives, groups, MARGIN * measures[0], around, balls, touching)
    for joint in range(parents.shape[0]):
        room[frame, joint, 3] = 1.0
    for step in range(most):
        if step > 0:
            pose_moved(frame, parents, offsets, room, turned_by, where, turn)
            put_moved(frame, joints, ends, where, turn, room, placed, around)
        find_ways(
            frame, count, joints, first, second, trims, radii, gives, rest_sides, bundles, int(measures[1]), turn,
            placed, around, room, touching, votes,
        )  # fmt: skip
        for joint in range(parents.shape[0]):
            for part in range(4):
                room[frame, joint, part] = 0.0
        found = leave_ground(
            frame, parents, limbs, is_end, bases, middles, tips, supple, hinges, planted, joints, radii, ground,
            deepest, measures, where, turn, placed, around, room, sunken,
        )  # fmt: skip
        found = max(found, leave_parts(
            frame, count, parents, limbs, necks, is_end, bases, middles, tips, willing, hinges, planted, joints, first,
            second, gives, bundles, ground, measures, where, turn, touching, votes, room,
        ))  # fmt: skip
        # The less is left to do the less is done, and then nothing: no step comes or goes at once.
        share = min(found / (ENOUGH * measures[0]) - 1.0, 1.0)
        if share <= 0.0:
            return
        for joint in range(parents.shape[0]):
            for part in range(3):
                room[frame, joint, part] *= share
        turn_all(frame, parents, table, limbs, necks, bases, tips, room, turned_by, turn)


def pose_moved(
    frame: int, parents: Parents, offsets: Floats3, room: Output3, turned_by: Floats3, where: Output3, turn: Output3
) -> None:
    """Pose the joints of which something was asked, and all that hang on them, and note that these moved too."""
    for joint in range(1, parents.shape[0]):
        parent = parents[joint]
        if room[frame, joint, 3] > 0.0 or (parent >= 0 and room[frame, parent, 3] > 0.0):
            room[frame, joint, 3] = 1.0
            x, y, z = offsets[0, joint, 0], offsets[0, joint, 1], offsets[0, joint, 2]
            place_joint(frame, joint, parent, x, y, z, turned_by, where, turn)


def leave_ground(
    frame: int, parents: Parents, limbs: Parents, is_end: Parents, bases: Parents, middles: Parents, tips: Parents,
    supple: Floats1, hinges: Floats2, planted: Floats2, joints: Parents, radii: Floats2, ground: Floats2,
    deepest: Floats1, measures: Floats1, where: Floats3, turn: Floats3, placed: Floats4, around: Floats3,
    room: Output3, sunken: Output3,
) -> float:  # fmt: skip
    """Ask limbs to leave the ground; the depth, in metres, of the deepest that may make way."""
    up, floor = (ground[frame, 3], ground[frame, 4], ground[frame, 5]), ground_height(frame, ground)
    short, worst = SHORT_ON_GROUND * measures[0], 0.0
    for capsule in range(joints.shape[0]):
        joint = joints[capsule]
        if limbs[joint] < 0:
            continue
        middle = (around[frame, capsule, 0], around[frame, capsule, 1], around[frame, capsule, 2])
        if dot(middle, up) - floor > around[frame, capsule, 3]:
            continue
        # Both ends by themselves: the lower of them may become the other one at any moment.
        for end in range(2):
            point, row = end_of(frame, capsule, end, placed), 2 * capsule + end
            sunk = floor + radii[capsule, end] - dot(point, up) - deepest[capsule]
            if sunk <= 0.0:
                sunken[frame, row, 1] = 0.0
                continue
            sunken[frame, row, 0] = max(sunken[frame, row, 0], sunk)
            sunk = beyond(sunk, sunken[frame, row, 0], measures[2])
            sunk = sunk * hope_of(frame, row, 1, sunk, WORTH, sunken) - SPARED * measures[0]
            if sunk <= 0.0:
                continue
            total = ask(frame, joint, point, up, 0.0, 0.0, 1, parents, limbs, is_end, bases, middles, tips, supple,
                        hinges, planted, ground, where, turn, room)  # fmt: skip
            if total > 0.0:
                worst = max(worst, sunk)
                # What has hardly a lever would spin on the spot.
                scale = sunk * total / (total + short * short) ** 2
                ask(frame, joint, point, up, scale, sunk * sunk, 1, parents, limbs, is_end, bases, middles, tips,
                    supple, hinges, planted, ground, where, turn, room)  # fmt: skip
    return worst
