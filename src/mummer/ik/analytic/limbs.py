"""Several limbs of one body, ready to be placed frame by frame: what solvers and retargeting plant feet with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character
from mummer.errors import InputError
from mummer.ik.analytic.joint_table import joint_table
from mummer.ik.analytic.limb_joints import LimbJoints, find_limb, preferred_axis
from mummer.ik.analytic.place_limb import (
    ASKED,
    HAS_PLACE,
    HAS_POLE,
    HAS_TURN,
    LIMB,
    MAY_TURN,
    PLACE,
    POINT,
    POLE,
    PREFERRED,
    TURN,
    place_limbs,
)
from mummer.ik.body_point import Part, as_point, joint_of
from mummer.ik.rigid_body import RigidBody, rigid_body
from mummer.kernels.place import CPU

SOFTNESS, SWEEPS = 0.03, 24
NEAR = 1e-6
"""What counts as met while limits are being tried: this part of the body's height."""
FRAMES_A_PIECE = 256


@dataclass(frozen=True, eq=False)
class Limbs:
    """Limbs that are placed together; build it with `make_limbs`.

    Attributes:
        body: the body.
        joints: the three joints of each limb.
        rows: (F, LIMB) the limbs as numbers, see `place_limb`.
        table: (J, WIDTH) the limits as numbers, see `joint_table`.
    """

    body: RigidBody
    joints: tuple[LimbJoints, ...]
    rows: FloatArray
    table: FloatArray

    def place(
        self,
        rotations: npt.ArrayLike,
        roots: npt.ArrayLike,
        targets: npt.ArrayLike,
        *,
        turns: npt.ArrayLike | None = None,
        poles: npt.ArrayLike | None = None,
        active: npt.ArrayLike | None = None,
        offsets: FloatArray | None = None,
        softness: float = SOFTNESS,
        sweeps: int = SWEEPS,
    ) -> tuple[FloatArray, FloatArray]:
        """Poses with the tips of the limbs where they are asked to be.

        Args:
            rotations: (B, J, 4) parent_from_joint of all joints.
            roots: (B, 3) where joint 0 is, metres.
            targets: (B, F, 3) where the tips shall be, metres in the world.
            turns: (B, F, 4) how the tips shall be turned, world_from_joint; None to keep them as they are to their
                limbs.
            poles: (F, 3) or (B, F, 3) where the knees shall point to; None to keep the planes that they bend in.
            active: (B, F) which of these count; all if not given.
            offsets: (1, J, 3) or (B, J, 3) from parents to joints; those of rest if not given.
            softness: see `TwoBone`.
            sweeps: how often what joint limits took away is tried again.

        Returns:
            (B, J, 4) rotations, and (B, F) metres by which each tip misses its target.
        """
        count = len(np.asarray(rotations))
        asked = np.zeros((count, len(self.rows), ASKED))
        _fill(asked, targets, PLACE, HAS_PLACE, "targets")
        _fill(asked, turns, TURN, HAS_TURN, "turns")
        _fill(asked, poles, POLE, HAS_POLE, "poles")
        if active is not None:
            asked[..., HAS_PLACE] = np.asarray(active, np.float64)
        return self.run(rotations, roots, asked, offsets=offsets, softness=softness, sweeps=sweeps)

    def run(
        self,
        rotations: npt.ArrayLike,
        roots: npt.ArrayLike,
        asked: FloatArray,
        *,
        offsets: FloatArray | None = None,
        softness: float = SOFTNESS,
        sweeps: int = SWEEPS,
    ) -> tuple[FloatArray, FloatArray]:
        """As `place`, with what is asked as one array (B, F, ASKED), whose columns `place_limb` lists."""
        placed = np.array(rotations, np.float64, order="C")
        settings = np.array([[softness, NEAR * self.body.height, float(max(sweeps, 1))]])
        misses = np.empty(asked.shape[:2])
        CPU.run(
            place_limbs, len(placed), CPU.array(self.body.parents, np.int64), self.table,
            CPU.array(self.body.offsets[None] if offsets is None else offsets, np.float64),
            CPU.array(roots, np.float64), self.rows, asked, settings, placed, misses, grain=FRAMES_A_PIECE,
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
) -> Limbs:
    """The limbs that end in ``tips``, in this order.

    Args:
        character: the body.
        tips: the parts that are placed; a point of a joint counts with its offset.
        joints: the three joints of each limb, if not the ones that `find_limb` finds.
        movable: (J,) which joints may turn; all if not given.

    Raises:
        InputError: if a tip has not two joints above it that could place it.
    """
    body = rigid_body(character)
    found = tuple(joints) if joints is not None else tuple(_require_limb(body, tip) for tip in tips)
    for limb in found:
        _require_order(body, limb)
    rows = np.zeros((len(found), LIMB))
    for row, limb, tip in zip(rows, found, tips, strict=True):
        three = [limb.base, limb.middle, limb.tip]
        row[:MAY_TURN] = three
        row[MAY_TURN:POINT] = 1.0 if movable is None else movable[three]
        row[POINT:PREFERRED] = as_point(tip).offset
        row[PREFERRED:LIMB] = preferred_axis(body, limb)
    return Limbs(body, found, locked(rows), joint_table(body))


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
        joint = int(body.parents[below])
        while joint > above:
            joint = int(body.parents[joint])
        if joint != above or above == below:
            names = body.skeleton.names
            raise InputError(f"joint {names[above]!r} of {body.character.name!r} is not above {names[below]!r}")
