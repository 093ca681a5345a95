"""What the compiled core works on, gathered in named tuples so that its functions stay readable."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from mummer.arrays import FloatArray, IntArray
from mummer.kernels.arguments import Argument

Ints1 = Annotated[IntArray, Argument("int64", 1)]
Ints2 = Annotated[IntArray, Argument("int64", 2)]
IntOutput1 = Annotated[IntArray, Argument("int64", 1, written=True)]
IntOutput2 = Annotated[IntArray, Argument("int64", 2, written=True)]


class Body(NamedTuple):
    """What does not change while a problem is solved.

    Attributes:
        parents, kinds: (J,) of the joints; kinds are those of `Limits`.
        rest: (J, 4) parent_from_joint at rest.
        axes, second_axes, third_axes: (J, 3) of the limits; the third is across both.
        ranges, second_ranges: (J, 2) radians; infinite where a range is a whole circle.
        used: (U,) the joints that goals depend on, parents first.
        first: (J,) the first degree of freedom of a joint's turning; -1 for a joint that stays.
        travel: (J,) the first degree of freedom of a root's way; -1 for all others.
        owner: (D,) the joint of each degree of freedom.
    """

    parents: IntArray
    kinds: IntArray
    rest: FloatArray
    axes: FloatArray
    second_axes: FloatArray
    third_axes: FloatArray
    ranges: FloatArray
    second_ranges: FloatArray
    used: IntArray
    first: IntArray
    travel: IntArray
    owner: IntArray


class Entries(NamedTuple):
    """The entries of a `GoalTable` for one problem; see there. Radians count as ``radian`` metres each.

    Attributes:
        kinds, joints, others, hard: (N,).
        points, other_points, axes: (N, 3).
        targets: (N, 4).
        weights: (N,) zero where an entry does not hold.
        row: (N,) its first row.
        rows: (N,) how many rows it has; zero where it does not hold.
        radian: metres.
    """

    kinds: IntArray
    joints: IntArray
    others: IntArray
    hard: IntArray
    points: FloatArray
    other_points: FloatArray
    axes: FloatArray
    targets: FloatArray
    weights: FloatArray
    row: IntArray
    rows: IntArray
    radian: float


class Masses(NamedTuple):
    """Where the mass of a body is: (J,) kilograms, (J, 3) centres, (J, 3, 3) second moments, in joint frames."""

    masses: FloatArray
    centers: FloatArray
    seconds: FloatArray


class Stance(NamedTuple):
    """How a body stands: what a step changes.

    Attributes:
        local: (J, 4) parent_from_joint.
        angles: (J, 3) the angles of limited joints: hinge; first and second of a pivot; swing, swing, twist of a ball.
        offsets: (J, 3) from parents to joints, metres; the way of a root.
    """

    local: FloatArray
    angles: FloatArray
    offsets: FloatArray


class World(NamedTuple):
    """Where the joints are: (J, 3) metres, (J, 4) world_from_joint, and (J, 3, 3) the axes that they turn about."""

    positions: FloatArray
    rotations: FloatArray
    columns: FloatArray


class Work(NamedTuple):
    """Room for the numbers of one step; D degrees of freedom, R rows.

    Attributes:
        slopes: (D, R) by how much each degree of freedom lessens what each row lacks.
        spread: (D, R) the slopes times the inverse metric.
        normal: (R, R) the system to be solved, and its factor.
        miss, ahead: (R,) what each row lacks here, and after the step.
        rest: (R,) the right side.
        force: (R,) what each row pulls with.
        give: (R,) how much each row gives way.
        on: (R,) whether a row takes part.
        metric: (D,) what it costs to move.
        wish, pull: (D,) the way back home, cut short for this step, and the whole of it.
        step: (D,) the answer.
        low, high: (D,) how far each may go.
        held: (D,) -1 or 1 for what is held at its lower or upper edge.
        edge: (D,) where that is.
        normals: (J, 2) for balls: the direction in which their first swing is measured.
        lever: (3, 6) see `write_slopes`.
        carried: (J, 10) see `gather_mass`.
        center: (3,) of mass.
        strength: (N,) what each hard entry pulls with at most.
    """

    slopes: FloatArray
    spread: FloatArray
    normal: FloatArray
    miss: FloatArray
    ahead: FloatArray
    rest: FloatArray
    force: FloatArray
    give: FloatArray
    on: IntArray
    metric: FloatArray
    wish: FloatArray
    pull: FloatArray
    step: FloatArray
    low: FloatArray
    high: FloatArray
    held: IntArray
    edge: FloatArray
    normals: FloatArray
    lever: FloatArray
    carried: FloatArray
    center: FloatArray
    strength: FloatArray


class Scales(NamedTuple):
    """The yardsticks of one problem.

    Attributes:
        near: metres at which a hard entry counts as met.
        still: a step shorter than this by the metric changes nothing worth having.
        stiffness: of a soft entry of weight 1.
    """

    near: float
    still: float
    stiffness: float
