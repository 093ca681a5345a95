"""Select: only some parts of a body's motion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.turning import run, set_rotations
from mummer.clip.weights import joints_of, morph_joint
from mummer.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Select(Operated):
    """The clip for some body groups, or some joints, alone; the others are left to whatever it is combined with.

    What is not selected is at rest in the frames and not in `defined`. The root's travel goes with joint 0, morphs
    with the head (or joint 0, if nobody knows where the head is).

    Attributes:
        groups: names of the anatomy's groups.
        joints: names of single joints.

    Example:
        The wave of an arm, to be laid over a walk: ``Select(wave, ("right_arm",))``
    """

    groups: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("groups", "joints"):
            given = getattr(self, name)
            object.__setattr__(self, name, (given,) if isinstance(given, str) else tuple(given))
        if not (self.groups or self.joints):
            raise InputError("a selection names neither groups nor joints; expected at least one")
        joints_of(self.body, self.groups, self.joints)

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) the selected joints that the operand moves."""
        return locked(self.clip.defined & joints_of(self.body, self.groups, self.joints), bool)

    @cached_property
    def _others(self) -> IntArray:
        return np.flatnonzero(~self.defined)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made, skeleton, others = self.clip.frames(times), self.body.skeleton, self._others
        run(set_rotations, made.rotations, others, skeleton.rest_rotations)
        if not self.defined[0]:
            made.root[:] = skeleton.rest_translations[0]
        if made.translations is not None:
            made.translations[:, others] = skeleton.rest_translations[others]
        if made.scales is not None:
            made.scales[:, others] = skeleton.rest_scales[others]
        if not self.defined[morph_joint(self.body)]:
            made.morphs = None
        return made
