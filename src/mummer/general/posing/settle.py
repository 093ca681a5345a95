"""Damped steps that bring the tip of a chain of any number of joints nearer to its place, within limits."""

from __future__ import annotations

from mummer.character.limits import HINGE
from mummer.general.posing.columns import ABOVE, BEFORE, SPOT
from mummer.general.posing.turns import eased, held, limited, solved3, turned_on
from mummer.ik.analytic.joint_table import AXIS, KIND
from mummer.ik.analytic.segments import offset_of, rotation_of, seen_from, write_rotation
from mummer.ik.analytic.vectors import back, cross, dot, minus, part_of, plus, scaled, size, times, turned
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output3, Parents
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three

# A step goes no farther than this part of the chain's length.
LONGEST_STEP = 0.35
# A step that brings the tip nearer by less than this part of what it missed is taken back, the more the less it does.
GAIN = 0.02
# A joint that turns alone turns by no more than this, radians, and less where it hardly moves the tip: squares of the
# chain's length.
LARGEST_TURN, STILL = 0.4, 0.01


@apart
def settle(
    frame: int, first: int, count: int, tip: int, members: Parents, weights: Floats1, parents: Parents,
    table: Floats2, offsets: Floats3, roots: Floats2, target: Three, point: Three, oriented: bool, wanted: Four,
    length: float, near: float, damping: float, steps: int, sweeps: int, rotations: Output3, scratch: Output3,
) -> Three:  # fmt: skip
    """Turn the joints of a chain so that a point of its tip comes to ``target``; what is left of the way, metres.

    Args:
        frame: which row of the arrays of frames.
        first: where the chain's joints begin in ``members``.
        count: how many they are; they hang on one another, and the tip on the last.
        tip: the joint that is placed.
        members: joints.
        weights: how readily each turns.
        parents: (J,)
        table: of `joint_table`.
        offsets: (1, J, 3) from parents to joints, metres.
        roots: (T, 3) where joint 0 is.
        target: metres, in the world.
        point: in the tip's frame, metres.
        oriented: whether the tip shall be turned to ``wanted``.
        wanted: world_from_joint.
        length: of the chain, metres.
        near: metres that count as met.
        damping: beside the mean square of what the joints of the chain move its tip by.
        steps: how many at most.
        sweeps: how often after that each joint turns alone to where it helps, where limits hold others back; none for
            necks, which may take steps that do not help at once.
        rotations: (T, J, 4) parent_from_joint.
        scratch: (T, S, SCRATCH).
    """
    base = members[first] if count > 0 else tip
    place, above = seen_from(frame, base, -1, parents, offsets, roots, rotations)
    left, missed = (0.0, 0.0, 0.0), 0.0
    for step in range(steps + 1):
        end = walked(frame, first, count, tip, members, offsets, roots, place, above, oriented, wanted, point, table,
                     rotations, scratch)  # fmt: skip
        left = minus(target, end)
        share = 1.0 if step == 0 or sweeps == 0 else min(max((missed - size(left)) / (GAIN * missed), 0.0), 1.0)
        if share < 1.0:
            taken_back(frame, first, count, members, table, share * share * (3.0 - 2.0 * share), rotations, scratch)
            end = walked(frame, first, count, tip, members, offsets, roots, place, above, oriented, wanted, point,
                         table, rotations, scratch)  # fmt: skip
            left = minus(target, end)
            if share == 0.0:
                break
        missed = size(left)
        if step == steps or count == 0 or size(left) < near:
            break
        pulled(
            frame,
            first,
            count,
            members,
            weights,
            table,
            end,
            limited(left, LONGEST_STEP * length),
            damping,
            rotations,
            scratch,
        )
    if sweeps > 0 and count > 0 and size(left) > near:
        for _ in range(sweeps):
            for up in range(count):
                turned_alone(frame, first, count - 1 - up, members, weights, table, target, minus(target, left), length,
                             rotations, scratch)  # fmt: skip
                end = walked(frame, first, count, tip, members, offsets, roots, place, above, oriented, wanted, point,
                             table, rotations, scratch)  # fmt: skip
                left = minus(target, end)
    return left


def walked(
    frame: int, first: int, count: int, tip: int, members: Parents, offsets: Floats3, roots: Floats2, place: Three,
    above: Four, oriented: bool, wanted: Four, point: Three, table: Floats2, rotations: Output3, scratch: Output3,
) -> Three:  # fmt: skip
    """Where the point of the tip is; the places of the chain's joints are noted, and the tip is turned."""
    for place_in_chain in range(count):
        joint = members[first + place_in_chain]
        for part in range(3):
            scratch[frame, place_in_chain, SPOT + part] = place[part]
        for part in range(4):
            scratch[frame, place_in_chain, ABOVE + part] = above[part]
        above = times(above, rotation_of(frame, joint, rotations))
        below = members[first + place_in_chain + 1] if place_in_chain + 1 < count else tip
        place = plus(place, turned(above, offset_of(frame, below, offsets, roots)))
    if oriented:
        write_rotation(frame, tip, held(tip, table, eased(tip, table, times(back(above), wanted))), rotations)
    return plus(place, turned(times(above, rotation_of(frame, tip, rotations)), point))


def pulled(
    frame: int, first: int, count: int, members: Parents, weights: Floats1, table: Floats2, end: Three, way: Three,
    damping: float, rotations: Output3, scratch: Output3,
) -> None:  # fmt: skip
    """Turn every joint of a chain a little so that its end, all together, goes along ``way``: least squares, damped."""
    xx, yy, zz, xy, xz, yz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for number in range(count):
        joint, weight = members[first + number], weights[first + number]
        arm = minus(end, spot_of(frame, number, scratch))
        if int(table[joint, KIND]) == HINGE:
            moved = cross(hinge_axis(frame, joint, number, table, rotations, scratch), arm)
            xx, yy, zz = (
                xx + weight * moved[0] * moved[0],
                yy + weight * moved[1] * moved[1],
                zz + weight * moved[2] * moved[2],
            )
            xy, xz, yz = (
                xy + weight * moved[0] * moved[1],
                xz + weight * moved[0] * moved[2],
                yz + weight * moved[1] * moved[2],
            )
        else:
            square = dot(arm, arm)
            xx, yy, zz = (
                xx + weight * (square - arm[0] * arm[0]),
                yy + weight * (square - arm[1] * arm[1]),
                zz + weight * (square - arm[2] * arm[2]),
            )
            xy, xz, yz = xy - weight * arm[0] * arm[1], xz - weight * arm[0] * arm[2], yz - weight * arm[1] * arm[2]
    damping = damping * (xx + yy + zz) / 3.0 + 1e-12
    force = solved3(xx + damping, yy + damping, zz + damping, xy, xz, yz, way)
    for number in range(count):
        joint, weight = members[first + number], weights[first + number]
        for part in range(4):
            scratch[frame, number, BEFORE + part] = rotations[frame, joint, part]
        if weight == 0.0:
            continue
        turn = scaled(cross(minus(end, spot_of(frame, number, scratch)), force), weight)
        if int(table[joint, KIND]) == HINGE:
            axis = hinge_axis(frame, joint, number, table, rotations, scratch)
            turn = scaled(axis, dot(turn, axis))
        above = above_of(frame, number, scratch)
        turned_joint = turned_on(above, rotation_of(frame, joint, rotations), turn)
        write_rotation(frame, joint, held(joint, table, turned_joint), rotations)


def turned_alone(
    frame: int, first: int, number: int, members: Parents, weights: Floats1, table: Floats2, target: Three, end: Three,
    length: float, rotations: Output3, scratch: Output3,
) -> None:  # fmt: skip
    """Turn one joint of a chain so that its end comes nearer to the target."""
    joint = members[first + number]
    if weights[first + number] == 0.0:
        return
    arm, left = minus(end, spot_of(frame, number, scratch)), minus(target, end)
    if int(table[joint, KIND]) == HINGE:
        axis = hinge_axis(frame, joint, number, table, rotations, scratch)
        moved = cross(axis, arm)
        turn = scaled(axis, dot(moved, left) / (dot(moved, moved) + STILL * length * length))
    else:
        turn = scaled(cross(arm, left), 1.0 / (dot(arm, arm) + STILL * length * length))
    turned_joint = turned_on(above_of(frame, number, scratch), rotation_of(frame, joint, rotations),
                             limited(turn, LARGEST_TURN))  # fmt: skip
    write_rotation(frame, joint, held(joint, table, turned_joint), rotations)


def taken_back(
    frame: int, first: int, count: int, members: Parents, table: Floats2, share: float, rotations: Output3,
    scratch: Floats3,
) -> None:  # fmt: skip
    """Leave a share of the last step: what limits made of it did not help."""
    for number in range(count):
        joint = members[first + number]
        now = rotation_of(frame, joint, rotations)
        before = (
            scratch[frame, number, BEFORE], scratch[frame, number, BEFORE + 1], scratch[frame, number, BEFORE + 2],
            scratch[frame, number, BEFORE + 3],
        )  # fmt: skip
        between = times(before, part_of(times(back(before), now), share))
        write_rotation(frame, joint, held(joint, table, between), rotations)


def hinge_axis(frame: int, joint: int, number: int, table: Floats2, rotations: Floats3, scratch: Floats3) -> Three:
    """Unit, in the world: what a hinge turns about."""
    axis = (table[joint, AXIS], table[joint, AXIS + 1], table[joint, AXIS + 2])
    return turned(times(above_of(frame, number, scratch), rotation_of(frame, joint, rotations)), axis)


def spot_of(frame: int, number: int, scratch: Floats3) -> Three:
    """Where a joint of the chain is."""
    return scratch[frame, number, 0], scratch[frame, number, 1], scratch[frame, number, 2]


def above_of(frame: int, number: int, scratch: Floats3) -> Four:
    """The rotation of its parent."""
    return (
        scratch[frame, number, ABOVE], scratch[frame, number, ABOVE + 1], scratch[frame, number, ABOVE + 2],
        scratch[frame, number, ABOVE + 3],
    )  # fmt: skip
