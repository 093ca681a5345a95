"""Place the tip of a limb: the hip-knee-ankle problem solved in closed form, for one frame, in a kernel.

The knee bends until the limb is as long as the target is far; the hip then swings it onto the target, keeping the
plane that the limb bends in, or turning it towards a pole. Joint limits are met by holding the hip in its own and
aiming what is left again, a few times over, which is continuous where both steps are.
"""

from __future__ import annotations

from mummer.character.limits import HINGE
from mummer.ik.analytic.hold import hinge_angle, hold_joint
from mummer.ik.analytic.joint_table import KIND, REST
from mummer.ik.analytic.knee import bend_axis
from mummer.ik.analytic.reach import Knee, Reach, reach
from mummer.ik.analytic.segments import Segments, rotation_of, segments_of, write_rotation
from mummer.ik.analytic.vectors import back, minus, plus, size, times, turned
from mummer.kernels.arguments import Floats2, Floats3, Output2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four, Three

# The columns of a limb: three joints, whether each may turn, the point of the tip that is placed, and the axis in the
# base's frame that a straight middle joint bends about.
JOINTS, MAY_TURN, POINT, PREFERRED, LIMB = 0, 3, 6, 9, 12
# The columns of what is asked of it: a place, a rotation of the tip and a pole, each followed by one if there is one.
PLACE, HAS_PLACE, TURN, HAS_TURN, POLE, HAS_POLE, ASKED = 0, 3, 4, 8, 9, 12, 13
# The columns of how to do it: `soft_length`, metres that count as met, and how often limits are tried.
SOFTNESS, NEAR, SWEEPS, SETTINGS = 0, 1, 2, 3
# How often the tip's rotation, once held in its limits, is allowed to move the ankle.
TIP_ROUNDS = 4


def place_limb(
    frame: int, limb: int, parents: Parents, table: Floats2, offsets: Floats3, roots: Floats2, limbs: Floats2,
    asked: Floats3, settings: Floats2, rotations: Output3,
) -> float:  # fmt: skip
    """Turn the joints of one limb so that its tip is where it is asked to be; metres that it misses by.

    Args:
        frame: which row of the arrays of frames.
        limb: which limb.
        parents: (J,)
        table: (J, WIDTH) of `joint_table`.
        offsets: (1, J, 3) or (B, J, 3) from parents to joints, metres.
        roots: (B, 3) where joint 0 is.
        limbs: (F, LIMB) see the columns above.
        asked: (B, F, ASKED) see the columns above.
        settings: (1, SETTINGS) see the columns above.
        rotations: (B, J, 4) parent_from_joint; those of the limb's joints are changed.
    """
    base, middle, tip = int(limbs[limb, JOINTS]), int(limbs[limb, JOINTS + 1]), int(limbs[limb, JOINTS + 2])
    segments = segments_of(frame, base, middle, tip, parents, offsets, roots, rotations)
    point, preferred = vector(limbs, limb, POINT), vector(limbs, limb, PREFERRED)
    target, pole = asked_vector(asked, frame, limb, PLACE), asked_vector(asked, frame, limb, POLE)
    wanted = (asked[frame, limb, 4], asked[frame, limb, 5], asked[frame, limb, 6], asked[frame, limb, 7])
    tip_turns = limbs[limb, MAY_TURN + 2] > 0.0
    oriented = tip_turns and asked[frame, limb, HAS_TURN] > 0.0
    hip_start, knee_start = rotation_of(frame, base, rotations), rotation_of(frame, middle, rotations)
    zero, angle_start = knee_zero(middle, table, knee_start)
    hip_turn, knee_turn, tip_turn = hip_start, knee_start, rotation_of(frame, tip, rotations)
    world_from_tip, missed = wanted, 0.0
    for _ in range(TIP_ROUNDS):
        # With its rotation given, the tip is placed by its joint; else joint and point are one rigid segment.
        lower, aimed = segments.ankle, minus(target, turned(world_from_tip, point))
        if not oriented:
            lower = plus(lower, turned(times(segments.middle_from_above, tip_turn), point))
            aimed = target
        axis = bend_axis(middle, table, segments.knee, lower, times(segments.base_from_above, zero), preferred)
        hip_turn, knee_turn = reach(
            base, middle, table, segments, lower, Knee(zero, axis, angle_start), hip_start, aimed, pole,
            asked[frame, limb, HAS_POLE] > 0.0, limbs[limb, MAY_TURN] > 0.0, limbs[limb, MAY_TURN + 1] > 0.0,
            Reach(settings[0, SOFTNESS], settings[0, NEAR], int(settings[0, SWEEPS])),
        )  # fmt: skip
        world_from_above = above_tip(segments, hip_turn, knee_turn)
        asked_turn = times(back(world_from_above), wanted) if oriented else tip_turn
        held = hold_joint(tip, table, asked_turn) if tip_turns else tip_turn
        moved = turned(times(world_from_above, held), point)
        expected = turned(world_from_tip, point) if oriented else turned(times(world_from_above, tip_turn), point)
        tip_turn, world_from_tip = held, times(world_from_above, held)
        missed = size(minus(plus(tip_of(segments, hip_turn, knee_turn), moved), target))
        if size(minus(moved, expected)) < 0.1 * settings[0, NEAR]:
            break
    write_rotation(frame, base, hip_turn, rotations)
    write_rotation(frame, middle, knee_turn, rotations)
    write_rotation(frame, tip, tip_turn, rotations)
    return missed


def knee_zero(middle: int, table: Floats2, rotation: Four) -> tuple[Four, float]:
    """The knee's rotation at angle zero, rest for a hinge and else as it is now, and its angle now."""
    if int(table[middle, KIND]) != HINGE:
        return rotation, 0.0
    rest = (table[middle, REST], table[middle, REST + 1], table[middle, REST + 2], table[middle, REST + 3])
    return rest, hinge_angle(middle, table, rotation)


def above_tip(segments: Segments, hip_turn: Four, knee_turn: Four) -> Four:
    """The rotation in the world of the tip's parent."""
    world_from_base = times(segments.world_from_above, hip_turn)
    world_from_middle = times(world_from_base, times(segments.base_from_above, knee_turn))
    return times(world_from_middle, segments.middle_from_above)


def tip_of(segments: Segments, hip_turn: Four, knee_turn: Four) -> Three:
    """Where the tip's joint is in the world."""
    from_knee = turned(times(segments.base_from_above, knee_turn), segments.ankle)
    from_hip = plus(segments.knee, from_knee)
    return plus(segments.hip, turned(times(segments.world_from_above, hip_turn), from_hip))


def vector(rows: Floats2, row: int, column: int) -> Three:
    """Three numbers of a row."""
    return rows[row, column], rows[row, column + 1], rows[row, column + 2]


def asked_vector(asked: Floats3, frame: int, limb: int, column: int) -> Three:
    """Three numbers of what is asked."""
    return asked[frame, limb, column], asked[frame, limb, column + 1], asked[frame, limb, column + 2]


@kernel
def place_limbs(
    frame: int, parents: Parents, table: Floats2, offsets: Floats3, roots: Floats2, limbs: Floats2, asked: Floats3,
    settings: Floats2, rotations: Output3, misses: Output2,
) -> None:  # fmt: skip
    """One item is one frame: every limb in turn, see `place_limb`; what is not asked for stays."""
    for limb in range(limbs.shape[0]):
        misses[frame, limb] = 0.0
        if asked[frame, limb, HAS_PLACE] > 0.0:
            misses[frame, limb] = place_limb(
                frame, limb, parents, table, offsets, roots, limbs, asked, settings, rotations
            )
