"""Several limbs of one body, ready to be placed frame by frame: hip, knee and ankle in closed form, in one kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character
from mummer.character.limits import HINGE
from mummer.errors import InputError
from mummer.ik.body_point import Part, as_point, joint_of
from mummer.ik.limb_joints import LimbJoints, find_limb, preferred_axis
from mummer.ik.limits import KIND, REST, hinge_angle, hold_joint, joint_table
from mummer.ik.reach import How, Knee, Limb, Wish, bend_axis, reach
from mummer.ik.rigid_body import RigidBody, carries, rigid_body
from mummer.kernels.arguments import Floats2, Floats3, Number, Output2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import NO_TURN, back, four, minus, plus, put_four, put_three, size, three, times, turned

# The columns of a limb: three joints, whether each may turn, the point of the tip that is placed, and the axis in the
# base's frame that a straight middle joint bends about.
JOINTS, MAY_TURN, POINT, PREFERRED, LIMB = 0, 3, 6, 9, 12
# The columns of what is asked of it: a place, a rotation of the tip and a pole, each followed by one if there is one.
PLACE, HAS_PLACE, TURN, HAS_TURN, POLE, HAS_POLE, ASKED = 0, 3, 4, 8, 9, 12, 13
TIP_ROUNDS = 4
"""How often the tip's rotation, once held in its limits, is allowed to move the ankle."""
SOFTNESS = 0.03
NEAR = 1e-6
"""What counts as met while limits are being tried: this part of the body's height."""
FRAMES_A_PIECE = 256


class Bodies(NamedTuple):
    """Poses of one body, as kernels see them.

    Attributes:
        parents: (J,)
        table: (J, WIDTH) of `joint_table`.
        offsets: (1, J, 3) or (B, J, 3) from parents to joints, metres; see `RigidBody.offsets_of`.
        roots: (B, 3) where joint 0 is.
    """

    parents: Parents
    table: Floats2
    offsets: Floats3
    roots: Floats2


def offset_of(frame: int, joint: int, bodies: Bodies) -> Three:
    """Where a joint is in its parent's frame; of joint 0, in the world."""
    if joint == 0:
        return three(bodies.roots, frame, 0)
    return three(bodies.offsets[frame if bodies.offsets.shape[0] > 1 else 0], joint, 0)


def place_joint(
    frame: int, joint: int, bodies: Bodies, rotations: FloatArray, places: FloatArray, turns: FloatArray
) -> None:
    """Find where a joint is in the world and how it is turned; its parent is placed already."""
    at, turn, parent = offset_of(frame, joint, bodies), four(rotations, joint, 0), bodies.parents[joint]
    if parent >= 0:
        above = four(turns, parent, 0)
        at, turn = plus(three(places, parent, 0), turned(above, at)), times(above, turn)
    put_three(places, joint, 0, at)
    put_four(turns, joint, 0, turn)


def seen_from(frame: int, joint: int, stop: int, bodies: Bodies, rotations: FloatArray) -> tuple[Three, Four]:
    """Where a joint is in the frame of its ancestor ``stop`` (-1 for the world), and its parent's rotation there."""
    point, turn, above = offset_of(frame, joint, bodies), NO_TURN, bodies.parents[joint]
    while above != stop:
        rotation = four(rotations, above, 0)
        point = plus(offset_of(frame, above, bodies), turned(rotation, point))
        turn = times(rotation, turn)
        above = bodies.parents[above]
    return point, turn


def limb_of(frame: int, row: int, bodies: Bodies, rows: FloatArray, rotations: FloatArray) -> Limb:
    """What stays of a limb of a pose with ``rotations`` (J, 4)."""
    base, middle, tip = int(rows[row, JOINTS]), int(rows[row, JOINTS + 1]), int(rows[row, JOINTS + 2])
    hip, world_from_above = seen_from(frame, base, -1, bodies, rotations)
    knee, base_from_above = seen_from(frame, middle, base, bodies, rotations)
    ankle, middle_from_above = seen_from(frame, tip, middle, bodies, rotations)
    return Limb(base, middle, tip, bodies.table, hip, world_from_above, knee, base_from_above, ankle, middle_from_above)


def knee_zero(limb: Limb, rotation: Four) -> tuple[Four, float]:
    """The knee's rotation at angle zero, rest for a hinge and else as it is now, and its angle now."""
    if int(limb.table[limb.middle, KIND]) != HINGE:
        return rotation, 0.0
    return four(limb.table, limb.middle, REST), hinge_angle(limb.middle, limb.table, rotation)


def place_limb(limb: Limb, rows: FloatArray, row: int, asked: FloatArray, how: How, rotations: FloatArray) -> float:
    """Turn the joints of one limb so that its tip is where it is asked to be; metres that it misses by.

    Args:
        limb: what stays.
        rows: (F, LIMB) the limbs as numbers.
        row: which of them.
        asked: (F, ASKED)
        how: softness and the like.
        rotations: (J, 4) parent_from_joint; those of the limb's joints are changed.
    """
    point, preferred, target = three(rows, row, POINT), three(rows, row, PREFERRED), three(asked, row, PLACE)
    wanted, tip_turns = four(asked, row, TURN), rows[row, MAY_TURN + 2] > 0.0
    oriented = tip_turns and asked[row, HAS_TURN] > 0.0
    hip_start, knee_start = four(rotations, limb.base, 0), four(rotations, limb.middle, 0)
    zero, angle_start = knee_zero(limb, knee_start)
    hip_turn, knee_turn, tip_turn = hip_start, knee_start, four(rotations, limb.tip, 0)
    world_from_tip, missed = wanted, 0.0
    for _ in range(TIP_ROUNDS):
        # With its rotation given, the tip is placed by its joint; else joint and point are one rigid segment.
        lower, aimed = limb.ankle, minus(target, turned(world_from_tip, point))
        if not oriented:
            lower, aimed = plus(lower, turned(times(limb.middle_from_above, tip_turn), point)), target
        axis = bend_axis(limb, lower, times(limb.base_from_above, zero), preferred)
        wish = Wish(aimed, three(asked, row, POLE), asked[row, HAS_POLE] > 0.0)
        hip_turn, knee_turn = reach(limb, Knee(zero, axis, angle_start, lower), hip_start, wish, how)
        base_from_middle, world_from_base = (
            times(limb.base_from_above, knee_turn),
            times(limb.world_from_above, hip_turn),
        )
        world_from_above = times(times(world_from_base, base_from_middle), limb.middle_from_above)
        asked_turn = times(back(world_from_above), wanted) if oriented else tip_turn
        held = hold_joint(limb.tip, limb.table, asked_turn) if tip_turns else tip_turn
        moved = turned(times(world_from_above, held), point)
        expected = turned(world_from_tip, point) if oriented else turned(times(world_from_above, tip_turn), point)
        tip_turn, world_from_tip = held, times(world_from_above, held)
        ankle = plus(limb.hip, turned(world_from_base, plus(limb.knee, turned(base_from_middle, limb.ankle))))
        missed = size(minus(plus(ankle, moved), target))
        if size(minus(moved, expected)) < 0.1 * how.near:
            break
    write_rotation(limb.base, hip_turn, rotations)
    write_rotation(limb.middle, knee_turn, rotations)
    write_rotation(limb.tip, tip_turn, rotations)
    return missed


def write_rotation(joint: int, rotation: Four, rotations: FloatArray) -> None:
    """Give a joint a rotation, with the sign nearer to the one that it had."""
    had = four(rotations, joint, 0)
    if had[0] * rotation[0] + had[1] * rotation[1] + had[2] * rotation[2] + had[3] * rotation[3] < 0.0:
        rotation = (-rotation[0], -rotation[1], -rotation[2], -rotation[3])
    put_four(rotations, joint, 0, rotation)


@kernel(borrows=True)
def place_limbs(
    frame: int, bodies: Bodies, limbs: Floats2, asked: Floats3, softness: Number, near: Number,
    rotations: Output3, misses: Output2,
) -> None:  # fmt: skip
    """One item is one frame: every limb in turn, see `place_limb`; what is not asked for stays."""
    for row in range(limbs.shape[0]):
        misses[frame, row] = 0.0
        if asked[frame, row, HAS_PLACE] > 0.0:
            limb = limb_of(frame, row, bodies, limbs, rotations[frame])
            how = How(softness, near, limbs[row, MAY_TURN] > 0.0, limbs[row, MAY_TURN + 1] > 0.0)
            misses[frame, row] = place_limb(limb, limbs, row, asked[frame], how, rotations[frame])


@dataclass(frozen=True, eq=False)
class Limbs:
    """Limbs that are placed together; build it with `make_limbs`.

    Attributes:
        body: the body.
        joints: the three joints of each limb.
        rows: (F, LIMB) the limbs as numbers, see the columns above.
        table: (J, WIDTH) the limits as numbers, see `joint_table`.
        softness: see `TwoBone`.
    """

    body: RigidBody
    joints: tuple[LimbJoints, ...]
    rows: FloatArray
    table: FloatArray
    softness: float = SOFTNESS

    def place(
        self,
        rotations: npt.ArrayLike,
        roots: npt.ArrayLike,
        targets: npt.ArrayLike,
        *,
        turns: npt.ArrayLike | None = None,
        active: npt.ArrayLike | None = None,
        offsets: FloatArray | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """Poses with the tips of the limbs where they are asked to be.

        Args:
            rotations: (B, J, 4) parent_from_joint of all joints.
            roots: (B, 3) where joint 0 is, metres.
            targets: (B, F, 3) where the tips shall be, metres in the world.
            turns: (B, F, 4) how the tips shall be turned, world_from_joint; None to keep them as they are to their
                limbs.
            active: (B, F) which of these count; all if not given.
            offsets: (1, J, 3) or (B, J, 3) from parents to joints; those of rest if not given.

        Returns:
            (B, J, 4) rotations, and (B, F) metres by which each tip misses its target.
        """
        count = len(np.asarray(rotations))
        asked = np.zeros((count, len(self.rows), ASKED))
        _fill(asked, targets, PLACE, HAS_PLACE, "targets")
        _fill(asked, turns, TURN, HAS_TURN, "turns")
        if active is not None:
            asked[..., HAS_PLACE] = np.asarray(active, np.float64)
        return self.run(rotations, roots, asked, offsets=offsets)

    def run(
        self,
        rotations: npt.ArrayLike,
        roots: npt.ArrayLike,
        asked: FloatArray,
        *,
        offsets: FloatArray | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """As `place`, with what is asked as one array (B, F, ASKED), see the columns above."""
        placed = np.array(rotations, np.float64, order="C")
        bodies = Bodies(
            locked(self.body.parents, np.int64), self.table,
            locked(self.body.offsets[None] if offsets is None else offsets, copy=False), locked(roots, copy=False),
        )  # fmt: skip
        misses, near = np.empty(asked.shape[:2]), NEAR * self.body.height
        CPU.run(
            place_limbs, len(placed), bodies, self.rows, asked, self.softness, near, placed, misses,
            grain=FRAMES_A_PIECE,
        )  # fmt: skip
        return placed, misses


def _fill(asked: FloatArray, values: npt.ArrayLike | None, column: int, flag: int, what: str) -> None:
    if values is None:
        return
    given, width = np.asarray(values, np.float64), flag - column
    count, limbs = asked.shape[:2]
    if given.shape not in ((count, limbs, width), (limbs, width)):
        raise InputError(f"{what} have shape {given.shape}; expected ({count}, {limbs}, {width})")
    asked[..., column:flag] = given
    asked[..., flag] = 1.0


def make_limbs(
    character: Character,
    tips: Sequence[Part],
    *,
    joints: Sequence[LimbJoints] | None = None,
    movable: BoolArray | None = None,
    softness: float = SOFTNESS,
) -> Limbs:
    """The limbs that end in ``tips``, in this order.

    Args:
        character: the body.
        tips: the parts that are placed; a point of a joint counts with its offset.
        joints: the three joints of each limb, if not the ones that `find_limb` finds.
        movable: (J,) which joints may turn; all if not given.
        softness: see `TwoBone`.

    Raises:
        InputError: if a tip has not two joints above it that could place it.
    """
    body = rigid_body(character)
    found = tuple(joints) if joints is not None else tuple(_require_limb(body, tip) for tip in tips)
    for limb in found:
        _require_order(body, limb)
    rows = np.zeros((len(found), LIMB))
    for row, limb, tip in zip(rows, found, tips, strict=True):
        row[:MAY_TURN] = limb.joints
        row[MAY_TURN:POINT] = 1.0 if movable is None else movable[list(limb.joints)]
        row[POINT:PREFERRED] = as_point(tip).offset
        row[PREFERRED:LIMB] = preferred_axis(body, limb)
    return Limbs(body, found, locked(rows), joint_table(body), softness)


def _require_limb(body: RigidBody, tip: Part) -> LimbJoints:
    joint = joint_of(body.character, tip)
    found = find_limb(body, joint)
    if found is None:
        name = body.skeleton.names[joint]
        raise InputError(f"joint {name!r} of {body.character.name!r} has not two joints above it that bend a limb")
    return found


def _require_order(body: RigidBody, limb: LimbJoints) -> None:
    """Raise unless each joint of a limb stands above the next."""
    for above, below in ((limb.base, limb.middle), (limb.middle, limb.tip)):
        if above == below or not carries(above, below, body.parents):
            names = body.skeleton.names
            raise InputError(f"joint {names[above]!r} of {body.character.name!r} is not above {names[below]!r}")
