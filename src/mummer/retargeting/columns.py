"""The columns of the tables that the inner loops of retargeting read, and the records that hold them."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from mummer.arrays import IntArray
from mummer.kernels.arguments import Argument, Floats1, Floats2, Floats3, Output3, Parents

Table = Annotated[IntArray, Argument("int64", 2)]

# Joints of the target, whole numbers: parent, and the two joints of the source (or -1).
PARENT, FIRST, SECOND, JOINT_INTS = 0, 1, 2, 3
# Joints of the target: first_from_joint, second_from_joint, share, rotation at rest, offset from the parent, and of
# feet of another length how much more they pitch and where they point at rest in their own frame.
RIGHT, OTHER_RIGHT, SHARE, REST, OFFSET, PITCH, AHEAD, JOINT_FLOATS = 0, 4, 8, 9, 13, 16, 17, 20
# The trunk, whole numbers: hips and neck of the source, then the target's joints from its hips to its neck.
TRUNK_HIPS, TRUNK_TOP, TRUNK_FIRST = 0, 1, 2
# Of the whole: target_from_source rotation, scale, up; the start and the rate of the shifts; then of the source's
# pelvis the joint that turns it and the two that legs begin at (or -1), and the line between these in its frame; and
# of the target, from its hips to the first joint of its trunk in the frame of what carries both.
LEFT, SCALE, UP, START, RATE, PELVIS, LINE, FIXED, SETTINGS = 0, 4, 5, 8, 9, 10, 13, 16, 19
# Legs, whole numbers: joints of the target, their parents, the foot of the source, the toes that can bend (or -1).
UPPER, LOWER, FOOT, ABOVE_UPPER, ABOVE_LOWER, ABOVE_FOOT, SOURCE_FOOT, TOES, LEG_INTS = 0, 1, 2, 3, 4, 5, 6, 7, 8
# Legs: ball and heel in the frames of the feet (source's and target's), the axis of the knee in the frame of the hip,
# ankle in the frame of the knee, how far heel or ball must rise to be the one that does not count, how high the
# source's ball is at rest, how much higher the target's is than that scaled, how far above the floor a foot is let go,
# the two tips of the toes in their own frame, how high they are at rest, how deep toes may
# sink, and the axis that they bend about, in their own frame.
BALL_S, HEEL_S, BALL_T, HEEL_T, HINGE, ANKLE, ROLL, BALL_HIGH, BALL_LIFT, NEAR = 0, 3, 6, 9, 12, 15, 18, 19, 20, 21
TIPS, TIPS_REST, SOFT, SIDE, LEG_FLOATS = 22, 28, 30, 31, 34
# Shifts: three numbers of the body, the height of the source's floor, how far the body was raised over uneven ground
# (which feet in flight do not follow), then for each leg three numbers, a lift, the height of the ground under the
# foot, and three rotation vectors: how the ground tilts the sole, what lays sole and toes flat.
FLOOR, RAISED, FIRST_LEG, A_LEG = 3, 4, 5, 14
LIFT, LEVEL, TILT, LAID, TOES_LAID = 3, 4, 5, 8, 11
# A foot is let go between these heights above the floor, counted in the column `NEAR`.
HELD, FREE = 1.0, 4.5


class Source(NamedTuple):
    """Frames of the source.

    Attributes:
        parents: (J,) -1 for roots.
        scales: (J,) of the frames that joints stand in.
        offsets: (1, J, 3) or (T, J, 3) from parents to joints.
        rotations: (T, J, 4) parent_from_joint.
        roots: (T, 3) metres.
    """

    parents: Parents
    scales: Floats1
    offsets: Floats3
    rotations: Floats3
    roots: Floats2


class Tables(NamedTuple):
    """What stays the same from frame to frame; see the columns above.

    Attributes:
        plan, constants: (J, JOINT_INTS) and (J, JOINT_FLOATS) of the target's joints.
        settings: (SETTINGS,) of the whole.
        trunk: the joints between hips and neck, or none.
        source_girdle, girdle: the joints in whose middle a body is carried.
        leg_joints, leg_numbers: (L, LEG_INTS) and (L, LEG_FLOATS) of legs.
    """

    plan: Table
    constants: Floats2
    settings: Floats1
    trunk: Parents
    source_girdle: Parents
    girdle: Parents
    leg_joints: Table
    leg_numbers: Floats2


class Room(NamedTuple):
    """Both bodies in the world: turns (T, J, 4) and places (T, J, 3), the target with its roots at the origin."""

    source_turns: Output3
    source_places: Output3
    turns: Output3
    places: Output3
