"""Damped steps that bring the tip of a chain of any number of joints nearer to its place, within limits."""

from __future__ import annotations

from mummer.character.limits import HINGE
from mummer.general.posing.columns import ABOVE, SPOT
from mummer.general.posing.turns import eased, held, limited, solved3, turned_on
from mummer.ik.analytic.joint_table import AXIS, KIND
from mummer.ik.analytic.segments import offset_of, rotation_of, seen_from, write_rotation
from mummer.ik.analytic.vectors import back, cross, dot, minus, plus, scaled, size, times, turned
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output3, Parents
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three

# A step goes no farther than this part of the chain's length.
LONGEST_STEP = 0.35


@apart
def settle(
    frame: int, first: int, count: int, tip: int, members: Parents, weights: Floats1, parents: Parents,
    table: Floats2, offsets: Floats3, roots: Floats2, target: Three, point: Three, oriented: bool, wanted: Four,
    length: float, near: float, damping: float, steps: int, rotations: Output3, scratch: Output3,
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
        rotations: (T, J, 4) parent_from_joint.
        scratch: (T, S, SCRATCH).
    """
    base = members[first] if count > 0 else tip
    place, above = seen_from(frame, base, -1, parents, offsets, roots, rotations)
    left = (0.0, 0.0, 0.0)
    for step in range(steps + 1):
        end = walked(frame, first, count, tip, members, offsets, roots, place, above, oriented, wanted, point, table,
                     rotations, scratch)  # fmt: skip
        left = minus(target, end)
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
        if weight == 0.0:
            continue
        turn = scaled(cross(minus(end, spot_of(frame, number, scratch)), force), weight)
        if int(table[joint, KIND]) == HINGE:
            axis = hinge_axis(frame, joint, number, table, rotations, scratch)
            turn = scaled(axis, dot(turn, axis))
        above = above_of(frame, number, scratch)
        turned_joint = turned_on(above, rotation_of(frame, joint, rotations), turn)
        write_rotation(frame, joint, held(joint, table, turned_joint), rotations)


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
