"""Mix: another motion on some parts of the body, or only what changes in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character, Pose
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.mixing import add_into, ease, mix_into
from mummer.clip.pieces import put_together
from mummer.clip.weights import Weights, joint_weights, plain_weights, require_same_body
from mummer.errors import InputError, UnknownNameError

Mode = Literal["blend", "difference"]


@dataclass(frozen=True, eq=False, repr=False)
class Mix(Clip):
    """The first clip with a share of the second in each body group, over the interval of the first.

    In mode ``blend`` a weight of 0 is the first clip and 1 the second; a joint that only the second defines follows it
    wherever its weight is not 0. In mode ``difference`` only how the second has changed from its reference pose is put
    before what the first does, times the weight: a shiver without the pose in which somebody shivered. Where the second
    does not run, the first is alone.

    Attributes:
        first, second: clips of one body.
        weights: one number, or numbers by group; groups not named have weight 0.
        mode: ``blend`` or ``difference``.
        reference: for ``difference``, the pose to measure from; the second clip's first if left out.
        fade: seconds over which the second comes in after its start and goes out before its end, where those fall
            within the first.

    Example:
        ``Mix(walk, wave, {"right_arm": 1.0, "torso": 0.3}, fade=0.25)``
    """

    first: Clip
    second: Clip
    weights: Weights
    mode: Mode = "blend"
    reference: Pose | None = None
    fade: float = 0.0

    def __post_init__(self) -> None:
        require_same_body(self.first.body, self.second.body, "a mix")
        object.__setattr__(self, "weights", plain_weights(self.weights))
        given = joint_weights(self.body, self.weights)
        if self.mode not in ("blend", "difference"):
            raise UnknownNameError("Mix", "mode", self.mode, ["blend", "difference"])
        if self.mode == "blend" and not np.all((given >= 0) & (given <= 1)):
            raise InputError(f"weights of a mix by blending must be from 0 to 1, not {self.weights}")
        if not 0 <= self.fade < np.inf:
            raise InputError(f"a mix cannot fade over {self.fade:g} s; expected zero or more")
        if self.reference is not None and (self.reference.shape or self.reference.joint_count != len(given)):
            raise InputError(f"the reference of a mix must be one pose of {len(given)} joints")

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.first.body

    @property
    def start(self) -> float:
        """The start of the first clip."""
        return self.first.start

    @property
    def end(self) -> float:
        """The end of the first clip."""
        return self.first.end

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) what the first clip defines, and what the second does with a weight."""
        return locked(self.first.defined | (self._given != 0) & self.second.defined, bool)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of both within the interval of the first; none of a second that has no weight."""
        moved = self.second.marks if np.any(self._weights) else ()
        kept = [mark.within(self.start, self.end) for mark in (*self.first.marks, *moved)]
        return tuple(sorted(mark for mark in kept if mark is not None))

    @cached_property
    def _given(self) -> FloatArray:
        return joint_weights(self.body, self.weights)

    @cached_property
    def _weights(self) -> FloatArray:
        """(J,) the weights that count, once it is known which clip defines what."""
        weights = np.where(self.second.defined, self._given, 0.0)
        if self.mode == "blend":
            weights = np.where((weights > 0) & ~self.first.defined, 1.0, weights)
        return locked(weights)

    @cached_property
    def _reference(self) -> Pose:
        return self.second.at(self.second.start) if self.reference is None else self.reference

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        if not np.any(self._weights):
            return self.first.frames(times)
        both = (times >= self.second.start) & (times <= self.second.end)
        return put_together(times, [(~both, self.first.frames), (both, self._together)], self.body)

    def _together(self, times: FloatArray) -> Frames:
        made, other, share = self.first.frames(times), self.second.frames(times), self._share(times)
        if self.mode == "blend":
            mix_into(made, other, share, self._weights, self.body)
        else:
            add_into(made, other, Frames.of_pose(self._reference, 1), share, self._weights, self.body)
        return made

    def _share(self, times: FloatArray) -> FloatArray:
        """(T,) how far the second clip is faded in."""
        share = np.ones(len(times))
        if self.fade > 0:
            if self.second.start > self.start:
                share *= ease((times - self.second.start) / self.fade)
            if self.second.end < self.end:
                share *= ease((self.second.end - times) / self.fade)
        return share
