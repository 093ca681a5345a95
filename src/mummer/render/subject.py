"""What is shown: a body with one pose or many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked
from mummer.character import Character, Pose, Recording
from mummer.errors import InputError

SubjectLike = Any
"""A `Character`, a pair (`Character`, `Pose` or `Recording` or the name of one), or a `Subject`."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A body and the poses it is shown in.

    Attributes:
        character: the body.
        poses: a batch of T poses.
        times: (T,) seconds of each pose.
        caption: what to write beneath; the character's name if nothing is said.
    """

    character: Character
    poses: Pose
    times: FloatArray = field(default=None)  # type: ignore[arg-type]
    caption: str = ""

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        if not self.poses.shape:
            set_field(self, "poses", Pose.stack([self.poses]))
        if len(self.poses.shape) != 1 or len(self.poses) == 0:
            raise InputError(f"poses of a subject have batch shape {self.poses.shape}; expected one axis, not empty")
        if self.poses.joint_count != len(self.character.skeleton):
            raise InputError(
                f"the pose is for {self.poses.joint_count} joints; "
                f"{self.character.name!r} has {len(self.character.skeleton)}"
            )
        times = np.zeros(len(self.poses)) if self.times is None else self.times
        set_field(self, "times", locked(times))
        if self.times.shape != (len(self.poses),):
            raise InputError(f"times of a subject have shape {self.times.shape}; expected ({len(self.poses)},)")
        set_field(self, "caption", self.caption or self.character.name)

    def __len__(self) -> int:
        return len(self.poses)

    def at(self, frames: Any) -> Subject:
        """The subject at some of its frames only: a slice or an index array."""
        return replace(self, poses=self.poses[frames], times=self.times[frames])


def subject_of(given: SubjectLike, motion: Pose | Recording | str | None = None, *, times: Any = None) -> Subject:
    """A subject from whatever says one.

    Args:
        given: a character, a pair (character, motion), or a subject.
        motion: a pose, a recording, or the name of one of the character's recordings; the default pose if None.
        times: for a recording: seconds (T,) at which it is shown, or how many times, evenly spread. All key frames
            if None.

    Raises:
        InputError: if ``given`` is none of these.
    """
    if isinstance(given, Subject):
        return given
    if isinstance(given, tuple) and len(given) == 2:
        return subject_of(given[0], given[1], times=times)
    if not isinstance(given, Character):
        raise InputError(f"cannot show {type(given).__name__!r}; expected a Character or a pair (Character, motion)")
    if isinstance(motion, str):
        motion = given.recording(motion)
    if isinstance(motion, Recording):
        stamps = sample_times(motion, times)
        return Subject(given, motion.sample(stamps), stamps, f"{given.name}: {motion.name}")
    return Subject(given, given.default_pose if motion is None else motion)


def subjects_of(given: SubjectLike | Sequence[SubjectLike], *, times: Any = None) -> tuple[Subject, ...]:
    """One subject or several; a list means several, a tuple of two may be a pair.

    Raises:
        InputError: if there is none.
    """
    several = isinstance(given, list) or (
        isinstance(given, tuple) and not (len(given) == 2 and isinstance(given[1], Pose | Recording | str | None))
    )
    subjects = tuple(subject_of(each, times=times) for each in (given if several else [given]))
    if not subjects:
        raise InputError("nothing to show: the list of subjects is empty")
    return subjects


def sample_times(recording: Recording, times: int | npt.ArrayLike | None) -> FloatArray:
    """(T,) seconds: the key times, ``times`` of them evenly spread from the first key to the last, or as given."""
    if times is None:
        return recording.key_times
    if isinstance(times, int):
        if times < 1:
            raise InputError(f"times is {times}; expected one or more")
        return np.linspace(recording.start, recording.end, times)
    stamps = np.atleast_1d(np.asarray(times, np.float64))
    if stamps.ndim != 1 or not len(stamps) or not np.isfinite(stamps).all():
        raise InputError("times must be one or more finite numbers of seconds")
    return stamps
