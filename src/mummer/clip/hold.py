"""Hold and Still: one pose for a while."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character, Pose
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Hold(Clip):
    """The pose that a clip has at ``time``, held from then on for ``seconds``.

    Marks that last over that moment last throughout.

    Attributes:
        clip: the operand.
        time: seconds within its interval.
        seconds: how long.
    """

    clip: Clip
    time: float
    seconds: float

    def __post_init__(self) -> None:
        low, high = self.clip.start, self.clip.end
        if not low - 1e-9 <= self.time <= high + 1e-9:
            raise InputError(f"cannot hold the pose at {self.time:g} s: the clip runs from {low:g} to {high:g} s")
        _require_duration(self.seconds)

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.clip.body

    @property
    def start(self) -> float:
        """The moment of the pose."""
        return self.time

    @property
    def end(self) -> float:
        """When it is let go."""
        return self.time + self.seconds

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The operand's stretches that hold at that moment, throughout."""
        lasting = [mark for mark in self.clip.marks if mark.duration > 0 and mark.time <= self.time <= mark.until]
        return tuple(sorted(mark.moved(self.start, self.end) for mark in lasting))

    @cached_property
    def _pose(self) -> Pose:
        return self.clip.at(self.time)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return Frames.of_pose(self._pose, len(times))


@dataclass(frozen=True, eq=False, repr=False)
class Still(Clip):
    """One pose of a body for ``seconds``, from time 0 on.

    Attributes:
        character: the body.
        pose: one pose of it.
        seconds: how long.
    """

    character: Character
    pose: Pose
    seconds: float

    def __post_init__(self) -> None:
        joints = len(self.character.skeleton)
        if self.pose.shape or self.pose.joint_count != joints:
            raise InputError(f"{self.character.name!r} stands still in one pose of {joints} joints")
        _require_duration(self.seconds)

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.character

    @property
    def start(self) -> float:
        """Zero."""
        return 0.0

    @property
    def end(self) -> float:
        """How long it lasts."""
        return float(self.seconds)

    @cached_property
    def defined(self) -> BoolArray:
        """All joints."""
        return locked(np.ones(len(self.character.skeleton), bool), bool)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return Frames.of_pose(self.pose, len(times))


def _require_duration(seconds: float) -> None:
    if not 0 <= seconds < np.inf:
        raise InputError(f"a pose cannot be held for {seconds:g} s; expected zero or more")
