"""What the numerical core works on.

Few wide arrays with named columns, because every array that a function takes costs compiling.

======== ========= ===================================================================================================
array    shape     columns
======== ========= ===================================================================================================
joints   (J, 4)    PARENT, KIND (of `Limits`), FIRST and TRAVEL: its first degree of freedom of turning and of a root's
                   way; -1 for none, STAYS for a joint that must not be turned at all
stance   (J, 10)   LOCAL rotation, ANGLE of limited joints, OFFSET from its parent or, for a root, its way
world    (J, 16)   PLACE_AT, TURN: world_from_joint, and COLUMN: up to three axes that the joint turns about
moments  (J, 10)   mass, first moments, and second moments xx, yy, zz, xy, xz, yz
labels   (N, 6)    of an entry: GOAL_KIND, JOINT, OTHER, HARD, ROW, ROWS: its first row and how many
values   (N, 16)   of an entry: POINT, OTHER_POINT, AXES, TARGET, WEIGHT, STRENGTH: what a hard one pulls with at most,
                   and ASKED: how far it was missed at the start
======== ========= ===================================================================================================

The angles of a joint are those of its limit: a hinge has one, a pivot two, a ball two parts of its swing and a twist.
Rotations are quaternions xyzw, lengths metres, angles radians. D counts degrees of freedom, R rows of the goals, B
problems.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from mummer.arrays import IntArray
from mummer.kernels.arguments import (
    Argument,
    Count,
    Floats1,
    Floats2,
    Floats3,
    Number,
    Output3,
    Parents,
)

Ints2 = Annotated[IntArray, Argument("int64", 2)]
IntOutput1 = Annotated[IntArray, Argument("int64", 1, written=True)]
IntOutput2 = Annotated[IntArray, Argument("int64", 2, written=True)]
IntOutput3 = Annotated[IntArray, Argument("int64", 3, written=True)]

PARENT, KIND, FIRST, TRAVEL = 0, 1, 2, 3
STAYS = -2
LOCAL, ANGLE, OFFSET = 0, 4, 7
PLACE_AT, TURN, COLUMN = 0, 3, 7
GOAL_KIND, JOINT, OTHER, HARD, ROW, ROWS = 0, 1, 2, 3, 4, 5
POINT, OTHER_POINT, AXES, TARGET, WEIGHT, STRENGTH, ASKED = 0, 3, 6, 9, 13, 14, 15

MISS, AHEAD, GOAL_SIDE, FORCE, GIVE, IS_ON, GUESS, SOUGHT, PUSH = 0, 1, 2, 3, 4, 5, 6, 7, 8
METRIC, WISH, PULL, STEP, LEAST, MOST, HELD, EDGE, BEND, STIFF = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9


class Body(NamedTuple):
    """What does not change while a problem is solved.

    Attributes:
        joints: see above.
        limits: (J, WIDTH) see `joint_table`; ranges of a whole circle have no end.
        used: (U,) the joints that goals depend on, parents first.
        every: (J,) all joints.
        owner: (D,) the joint of each degree of freedom.
        moments: (J, 10) of each joint's own mass, in its own frame; second moments about its centre.
    """

    joints: Ints2
    limits: Floats2
    used: Parents
    every: Parents
    owner: Parents
    moments: Floats2


class How(NamedTuple):
    """How problems are solved.

    Attributes:
        height: of the body, metres.
        radian: metres that a radian counts as.
        near: metres at which a hard entry counts as met.
        stiffness: of a soft entry of weight 1.
        restitution: what every turn costs at least, kg m².
        still: a step shorter than this by the metric changes nothing worth having.
        settle: a step shorter than this part of the way from home, by the metric, ends a descent.
        damping: metres; hard rows give way as damped least squares of this size would, less and less from there on.
        stride: metres that a step brings an entry nearer at most.
        blur: metres; what gave way is sought by the square of its miss where it is missed by less than this.
        metric: DIAGONAL or EQUAL.
        steps: at most.
        attempts: new beginnings at most.
        is_home: one where home is the start.
    """

    height: Number
    radian: Number
    near: Number
    stiffness: Number
    restitution: Number
    still: Number
    settle: Number
    damping: Number
    stride: Number
    blur: Number
    metric: Count
    steps: Count
    attempts: Count
    is_home: Count


class Goals(NamedTuple):
    """The entries of a `GoalTable` for one problem; see above.

    HARD is 1 for hard entries, 2 for those that had to give way to others, 3 for one that cannot be met though it is
    alone.
    """

    labels: IntArray
    values: Floats2
    how: How


class Asked(NamedTuple):
    """What is asked, where problems begin and where they are drawn.

    Attributes:
        labels: (N, 6) see above; ROWS as if all entries held.
        values: (B, N, 16) see above; those of weight zero do not hold.
        start, home: (B, J, 4) rotations.
        offsets, home_offsets: (B, J, 3) from parents to joints.
        pulls: (J,) how strongly each joint is drawn home.
    """

    labels: Ints2
    values: Floats3
    start: Floats3
    home: Floats3
    offsets: Floats3
    home_offsets: Floats3
    pulls: Floats1


class Answers(NamedTuple):
    """What was found.

    Attributes:
        poses: (B, J, 7) rotations and offsets.
        steps: (B,) taken.
        softened: (B, N) which hard entries gave way to others.
    """

    poses: Output3
    steps: IntOutput1
    softened: IntOutput2


class Work(NamedTuple):
    """Room for the numbers of problems; kernels get it with an axis for these in front.

    Attributes:
        slopes: (D, R) by how much each degree of freedom lessens what each row lacks.
        spread: (D, R) the slopes times the inverse metric.
        spans: (D, 2) from which row to which the slopes of a degree of freedom are not zero.
        normal: (R, R) the system to be solved, and its factor.
        rows: (9, R) MISS and AHEAD: what each row lacks here and after the step; GOAL_SIDE: of the system; FORCE: what
            it pulls with; GIVE: how much it gives way; IS_ON: whether it takes part; GUESS: what it
            should lack after the step; SOUGHT: how much of what it lacks the step seeks; PUSH: what it pulled with in
            the last step.
        dofs: (10, D) METRIC: what it costs to move; WISH, PULL: the way home, cut short for the step, and whole; STEP;
            LEAST, MOST: how far it may go; HELD: -1 or 1 at its lower or upper edge, and EDGE: where that is; BEND: how
            much the rows that pull resist it because their points move in circles; STIFF: all that a step is charged.
        normals: (J, 2) for balls: the direction in which their first swing is measured.
        carried: (J, 10) moments of all that hangs from each joint, in the world.
        lever: (4, 6) see `write_lever`; its last row holds the centre of mass.
        world: (J, 16) see above.
        stance, home, saved, first, begun, found: (J, 10) how the body is, where it is drawn, and stances that are kept.
        labels, values: (N, 6) and (N, 16) of this problem.
    """

    slopes: Output3
    spread: Output3
    spans: IntOutput3
    normal: Output3
    rows: Output3
    dofs: Output3
    normals: Output3
    carried: Output3
    lever: Output3
    world: Output3
    stance: Output3
    home: Output3
    saved: Output3
    first: Output3
    begun: Output3
    found: Output3
    labels: IntOutput3
    values: Output3


def new_work(problems: int, body: Body, labels: IntArray) -> Work:
    """Room for so many problems with entries as in ``labels`` (N, 6)."""
    joints, dofs, rows, entries = len(body.joints), len(body.owner), int(labels[:, ROWS].sum()), len(labels)
    shapes: list[tuple[int, ...]] = [
        (dofs, rows), (dofs, rows), (dofs, 2), (rows, rows), (9, rows), (10, dofs), (joints, 2), (joints, 10),
        (4, 6), (joints, 16), *[(joints, 10)] * 6, (entries, 6), (entries, 16),
    ]  # fmt: skip
    whole = {"spans", "labels"}
    made: list[Any] = [
        np.zeros((problems, *shape), np.int64 if name in whole else np.float64)
        for name, shape in zip(Work._fields, shapes, strict=True)
    ]
    return Work(*made)
