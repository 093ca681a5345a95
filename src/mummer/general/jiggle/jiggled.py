"""Jiggled: a clip whose loose parts swing along."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Pose
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.errors import InputError
from mummer.general.between_knots import values_between
from mummer.general.jiggle.chains import Chains, chains_of
from mummer.general.jiggle.idle import SPARSE, STILL, idle_joints
from mummer.general.jiggle.simulate import Swinging, swung
from mummer.general.knots import knots_between, on_knots
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.math import quaternion

CLOSED, CLOSED_RATIO = 0.02, 0.25
"""A motion is a loop if its ends differ by less radians than this, and by less than this part of how far it turns."""


@dataclass(frozen=True, eq=False, repr=False)
class Jiggled(Operated):
    """The clip with tails, ears, antennae and whatever else hangs loose swinging along.

    Every part of the body that nothing moves, and that is of a kind to swing, drags behind what carries it and swings
    back to where the clip has it, as a row of damped pendulums. It never moves what carries it. The swing is worked out
    once for the whole clip at even steps, so it does not depend on which frames are asked for; joint limits hold.

    Attributes:
        joints: (J,) which joints swing; all that nothing moves and that are loose if None, see `idle_joints`.
        looseness: how far parts give way, 1 as they are.
        weight: how much they feel gravity as the body leans, as a part of it.
        loop: whether the motion begins again as it ends; None to find out.
    """

    joints: BoolArray | None = None
    looseness: float = 1.0
    weight: float = 0.3
    loop: bool | None = None

    def __post_init__(self) -> None:
        count = len(self.body.skeleton)
        if self.joints is not None:
            object.__setattr__(self, "joints", locked(self.joints, bool))
            if self.joints.shape != (count,):
                raise InputError(f"joints to jiggle have shape {self.joints.shape}; expected ({count},)")
        if not 0 < self.looseness <= 10:
            raise InputError(f"a looseness of {self.looseness:g} makes no sense; expected more than 0, 10 at most")
        if not 0 <= self.weight <= 10:
            raise InputError(f"a weight of {self.weight:g} makes no sense; expected 0 to 10")
        if not np.isfinite(self.duration):
            raise InputError("a clip without end cannot be jiggled as a whole; cut a piece of it first")

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) what the operand defines, and what swings."""
        found = np.array(self.clip.defined)
        found[self.chains.joints] = True
        return locked(found, bool)

    @cached_property
    def knots(self) -> FloatArray:
        """(K,) seconds at which the swing is worked out."""
        return knots_between(self.start, self.end)

    @cached_property
    def chains(self) -> Chains:
        """What swings."""
        loose = idle_joints(self.body, self._given) if self.joints is None else np.array(self.joints)
        loose[self.body.skeleton.parents < 0] = False
        return chains_of(self.body, loose)

    @cached_property
    def turns(self) -> FloatArray:
        """(K, N, 3) rotation vectors that follow the joints' own rotations, at the knots."""
        own = self._given.rotations[:, self.chains.joints]
        return quaternions.log(quaternions.multiply(quaternions.conjugate(own), self.swung))

    @cached_property
    def swung(self) -> FloatArray:
        """(K, N, 4) how the joints are turned at the knots, parent_from_joint."""
        if not len(self.chains) or not self.duration > 0:
            return self._given.rotations[:, self.chains.joints]
        anatomy = self.body.anatomy
        up = (0.0, 1.0, 0.0) if anatomy is None else tuple(anatomy.up.tolist())
        ground = -np.inf if anatomy is None else anatomy.ground
        swinging = Swinging(self.looseness, self.weight, up, ground)
        is_loop = closes(self._given) if self.loop is None else self.loop
        step = float(self.knots[1] - self.knots[0])
        return swung(self.chains, WorldState(self.body, self._given), step, swinging, is_loop=is_loop)

    @cached_property
    def _given(self) -> Pose:
        return self.clip.sample(self.knots)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        joints = self.chains.joints
        rows = on_knots(self.knots, times)
        if rows is not None:
            made = _picked(self._given, rows)
            made.rotations[:, joints] = self.swung[rows]
            return made
        made = self.clip.frames(times)
        if len(joints):
            turn = quaternions.exp(values_between(self.knots, self.turns, times))
            made.rotations[:, joints] = quaternions.multiply(made.rotations[:, joints], turn)
        return made


def _picked(pose: Pose, rows: IntArray) -> Frames:
    """Frames of their own with the poses at ``rows``."""
    assert pose.root_translation is not None
    others = (None if values is None else values[rows] for values in (pose.translations, pose.scales, pose.morphs))
    return Frames(pose.rotations[rows], pose.root_translation[rows], *others)


def closes(pose: Pose) -> bool:
    """Whether (T,) poses end as they begin, but for where the body is and which way it faces."""
    rotations = pose.rotations[:, 1:]
    if len(rotations) < 3:
        return False
    likeness = np.abs(quaternion.dot(rotations[::SPARSE], rotations[:1])).min(initial=1.0)
    most = 2 * float(np.arccos(min(likeness, 1.0)))
    gap = float(quaternion.angle_between(rotations[0], rotations[-1]).max(initial=0.0))
    return gap < CLOSED and gap <= CLOSED_RATIO * most and most > STILL
