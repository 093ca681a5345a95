"""What the compiled core works on.

Few wide arrays with named columns, all writable, because every array and every type that a function takes costs
compiling.

======== ========= ===================================================================================================
array    shape     columns
======== ========= ===================================================================================================
joints   (J, 4)    PARENT, KIND (of `Limits`), FIRST and TRAVEL: its first degree of freedom of turning and of a root's
                   way; -1 for none, STAYS for a joint that must not be turned at all
frames   (J, 17)   REST rotation, AXIS, SECOND and THIRD axis of its limit, LOW and HIGH, and a second range
stance   (J, 10)   LOCAL rotation, ANGLE of limited joints, OFFSET from its parent or, for a root, its way
world    (J, 16)   PLACE_AT, TURN: world_from_joint, and COLUMN: up to three axes that the joint turns about
moments  (J, 10)   mass, first moments, and second moments xx, yy, zz, xy, xz, yz
labels   (N, 6)    of an entry: GOAL_KIND, JOINT, OTHER, HARD, ROW, ROWS: its first row and how many
values   (N, 16)   of an entry: POINT, OTHER_POINT, AXES, TARGET, WEIGHT, STRENGTH: what a hard one pulls with at most,
                   and ASKED: how far it was missed at the start
======== ========= ===================================================================================================

The angles of a joint are those of its limit: a hinge has one, a pivot two, a ball two parts of its swing and a twist.
Rotations are quaternions xyzw, lengths metres, angles radians. D counts degrees of freedom, R rows of the goals.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from mummer.arrays import FloatArray, IntArray
from mummer.kernels.arguments import Argument

IntOutput1 = Annotated[IntArray, Argument("int64", 1, written=True)]
IntOutput2 = Annotated[IntArray, Argument("int64", 2, written=True)]

PARENT, KIND, FIRST, TRAVEL = 0, 1, 2, 3
STAYS = -2
REST, AXIS, SECOND, THIRD, LOW, HIGH, SECOND_LOW, SECOND_HIGH = 0, 4, 7, 10, 13, 14, 15, 16
LOCAL, ANGLE, OFFSET = 0, 4, 7
PLACE_AT, TURN, COLUMN = 0, 3, 7
GOAL_KIND, JOINT, OTHER, HARD, ROW, ROWS = 0, 1, 2, 3, 4, 5
POINT, OTHER_POINT, AXES, TARGET, WEIGHT, STRENGTH, ASKED = 0, 3, 6, 9, 13, 14, 15

MISS, AHEAD, GOAL_SIDE, FORCE, GIVE, IS_ON, GUESS, SOUGHT, PUSH = 0, 1, 2, 3, 4, 5, 6, 7, 8
METRIC, WISH, PULL, STEP, LEAST, MOST, HELD, EDGE, BEND, STIFF = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9


class Body(NamedTuple):
    """What does not change while a problem is solved.

    Attributes:
        joints, frames: see above.
        used: (U,) the joints that goals depend on, parents first.
        owner: (D,) the joint of each degree of freedom.
        moments: (J, 10) of each joint's own mass, in its own frame; second moments about its centre.
    """

    joints: IntArray
    frames: FloatArray
    used: IntArray
    owner: IntArray
    moments: FloatArray


class Goals(NamedTuple):
    """The entries of a `GoalTable` for one problem; see above.

    Attributes:
        labels, values: see above. HARD is 1 for hard entries, 2 for those that had to give way to others, 3
            for one that cannot be met though it is alone.
        radian: metres that a radian counts as.
        near: metres at which a hard entry counts as met.
        stiffness: of a soft entry of weight 1.
        settle: a step shorter than this part of the way from home, by the metric, ends a descent.
        damping: metres; hard rows give way as damped least squares of this size would, less and less from there on.
        stride: metres that a step brings an entry nearer at most.
        blur: metres; what gave way is sought by the square of its miss where it is missed by less than this.
    """

    labels: IntArray
    values: FloatArray
    radian: float
    near: float
    stiffness: float
    settle: float
    damping: float
    stride: float
    blur: float


class Work(NamedTuple):
    """Room for the numbers of one step.

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
        dense: (2, D, D) the full metric and its inverse; (2, 0, 0) where the metric is diagonal.
        room: (D, D), or (0, 0).
        normals: (J, 2) for balls: the direction in which their first swing is measured.
        carried: (J, 10) moments of all that hangs from each joint, in the world.
        lever: (4, 6) see `write_slopes`; its last row holds the centre of mass.
    """

    slopes: FloatArray
    spread: FloatArray
    spans: IntArray
    normal: FloatArray
    rows: FloatArray
    dofs: FloatArray
    dense: FloatArray
    room: FloatArray
    normals: FloatArray
    carried: FloatArray
    lever: FloatArray
