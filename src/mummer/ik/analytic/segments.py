"""What of a limb stays as it is while its hip, knee and ankle turn."""

from __future__ import annotations

from typing import NamedTuple

from mummer.kernels.arguments import Floats2, Floats3, Output3, Parents
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import NO_TURN, plus, times, turned


class Segments(NamedTuple):
    """Rotations and places that stay; joints between hip, knee and ankle keep their rotations.

    Attributes:
        hip: the base in the world, metres.
        world_from_above: the rotation of its parent.
        knee: the middle joint in the frame of the base.
        base_from_above: the rotation of its parent.
        ankle: the tip in the frame of the middle joint.
        middle_from_above: the rotation of its parent.
    """

    hip: Three
    world_from_above: Four
    knee: Three
    base_from_above: Four
    ankle: Three
    middle_from_above: Four


def segments_of(
    frame: int, base: int, middle: int, tip: int, parents: Parents, offsets: Floats3, roots: Floats2,
    rotations: Floats3,
) -> Segments:  # fmt: skip
    """What stays of the limb of three joints; joints in between keep their rotations.

    Args:
        frame: which row of the arrays of frames.
        base: hip or shoulder.
        middle: knee or elbow, somewhere below.
        tip: foot or hand, somewhere below.
        parents: (J,)
        offsets: (1, J, 3) or (B, J, 3) from parents to joints, metres; see `RigidBody.offsets_of`.
        roots: (B, 3) where joint 0 is.
        rotations: (B, J, 4) parent_from_joint.
    """
    hip, world_from_above = seen_from(frame, base, -1, parents, offsets, roots, rotations)
    knee, base_from_above = seen_from(frame, middle, base, parents, offsets, roots, rotations)
    ankle, middle_from_above = seen_from(frame, tip, middle, parents, offsets, roots, rotations)
    return Segments(hip, world_from_above, knee, base_from_above, ankle, middle_from_above)


def seen_from(
    frame: int, joint: int, stop: int, parents: Parents, offsets: Floats3, roots: Floats2, rotations: Floats3
) -> tuple[Three, Four]:
    """Where a joint is in the frame of its ancestor ``stop`` (-1 for the world), and its parent's rotation there."""
    point, turn, above = offset_of(frame, joint, offsets, roots), NO_TURN, parents[joint]
    while above != stop:
        rotation = rotation_of(frame, above, rotations)
        point = plus(offset_of(frame, above, offsets, roots), turned(rotation, point))
        turn = times(rotation, turn)
        above = parents[above]
    return point, turn


def rotation_of(frame: int, joint: int, rotations: Floats3) -> Four:
    """The rotation of a joint."""
    return (
        rotations[frame, joint, 0], rotations[frame, joint, 1], rotations[frame, joint, 2], rotations[frame, joint, 3],
    )  # fmt: skip


def offset_of(frame: int, joint: int, offsets: Floats3, roots: Floats2) -> Three:
    """Where a joint is in its parent's frame; of joint 0, in the world."""
    if joint == 0:
        return roots[frame, 0], roots[frame, 1], roots[frame, 2]
    row = frame if offsets.shape[0] > 1 else 0
    return offsets[row, joint, 0], offsets[row, joint, 1], offsets[row, joint, 2]


def write_rotation(frame: int, joint: int, rotation: Four, rotations: Output3) -> None:
    """Give a joint a rotation, with the sign nearer to the one that it had."""
    had = rotation_of(frame, joint, rotations)
    near = had[0] * rotation[0] + had[1] * rotation[1] + had[2] * rotation[2] + had[3] * rotation[3]
    sign = -1.0 if near < 0.0 else 1.0
    for part in range(4):
        rotations[frame, joint, part] = sign * rotation[part]
