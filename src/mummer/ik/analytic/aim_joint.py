"""Turn one joint so that a direction of it points somewhere, within its limits, in a kernel."""

from __future__ import annotations

from mummer.ik.analytic.hold import hold_joint
from mummer.ik.analytic.segments import write_rotation
from mummer.ik.analytic.vectors import back, direction, minus, shortest, size, times, turned
from mummer.kernels.arguments import Count, Floats2, Floats3, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four, Three

SWEEPS, NEAR = 32, 1e-9
# The columns of what is asked in each frame: the direction that points, in the joint's frame; where to, in the world;
# the rotation of the joint's parent; the rotation of the joint to start from; and one if anything is asked.
POINTS, TOWARD, ABOVE, START, ASKED, WIDTH = 0, 3, 6, 10, 14, 15


def aim_joint(joint: int, table: Floats2, pointing: Three, toward: Three, start: Four) -> Four:
    """The rotation nearest to ``start``, within the joint's limits, that turns ``pointing`` towards ``toward``.

    Limits may take away some of the turn, or, for joints with fewer than three axes, turn it askew; what is left is
    tried again, which keeps the answer continuous.

    Args:
        joint: which row of the table.
        table: of `joint_table`.
        pointing: in the joint's frame.
        toward: in its parent's frame.
        start: parent_from_joint.
    """
    wanted, held = direction(toward, toward), start
    for _ in range(SWEEPS):
        points = direction(turned(held, pointing), wanted)
        if size(minus(points, wanted)) < NEAR:
            break
        held = hold_joint(joint, table, times(shortest(points, wanted), held))
    return hold_joint(joint, table, held)


@kernel
def aim_joints(item: int, joint: Count, table: Floats2, asked: Floats2, rotations: Output3) -> None:
    """One item is one frame; see the columns above."""
    if asked[item, ASKED] == 0.0:
        return
    pointing = (asked[item, 0], asked[item, 1], asked[item, 2])
    toward = (asked[item, 3], asked[item, 4], asked[item, 5])
    above = (asked[item, 6], asked[item, 7], asked[item, 8], asked[item, 9])
    start = (asked[item, 10], asked[item, 11], asked[item, 12], asked[item, 13])
    write_rotation(item, joint, aim_joint(joint, table, pointing, turned(back(above), toward), start), rotations)


@kernel
def hold_joints(item: int, table: Floats2, rotations: Floats3, held: Output3) -> None:
    """One item is one frame: every joint held in its limits; see `mummer.character.clamp`."""
    for joint in range(rotations.shape[1]):
        rotation = (
            rotations[item, joint, 0], rotations[item, joint, 1], rotations[item, joint, 2], rotations[item, joint, 3],
        )  # fmt: skip
        for part in range(4):
            held[item, joint, part] = rotation[part]
        write_rotation(item, joint, hold_joint(joint, table, rotation), held)
