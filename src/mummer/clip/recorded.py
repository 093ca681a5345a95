"""Recorded: any clip baked at a rate, so that it is made once and then only looked up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Curve, Pose, Recording
from mummer.character.marks import Mark
from mummer.character.recording import moving_curves
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.sampled import Sampled
from mummer.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Recorded(Operated):
    """The clip as a recording of it at ``rate`` frames a second: exact at the frames, straight between them.

    It is baked when it is first asked for a pose, and remembers what it is a recording of.

    Attributes:
        rate: frames a second; rounded so that both ends of the clip are frames.
    """

    rate: float = 30.0

    def __post_init__(self) -> None:
        if not 0 < self.rate < np.inf:
            raise InputError(f"a rate of {self.rate:g} frames a second makes no sense; expected a positive number")

    @cached_property
    def sampled(self) -> Sampled:
        """The recording as a clip of its own, without what it was made of."""
        return bake(self.clip, self.rate)

    @property
    def memory(self) -> int:
        """Bytes that the recording takes."""
        curves = self.sampled.recording.curves
        times = {id(curve.times): curve.times.nbytes for curve in curves}
        return sum(curve.values.nbytes for curve in curves) + sum(times.values())

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return self.sampled.frames(times)


def bake(clip: Clip, rate: float, *, name: str | None = None) -> Sampled:
    """``clip`` recorded at ``rate`` frames a second, in the clip's own times and with its marks.

    Only what the clip moves is kept. A partial clip becomes a whole one, at rest where it was not defined: use
    `Recorded` to keep it partial.

    Args:
        clip: any clip.
        rate: frames a second; rounded so that both ends are frames.
        name: of the recording; that of the clip if None.
    """
    times = clip.times(rate)
    kept = np.flatnonzero(clip.defined)
    recording = recorded(times, clip.sample(times), kept, rate=rate, name=name or clip.name, marks=clip.marks)
    return Sampled(clip.body, recording, report=clip.report)


def recorded(
    times: FloatArray, poses: Pose, moved: IntArray, *, rate: float, name: str, marks: tuple[Mark, ...] = ()
) -> Recording:
    """Poses as a recording.

    Args:
        times: (T,) seconds, rising.
        poses: a batch of T.
        moved: the joints that are kept.
        rate: frames a second that the recording says it has.
        name: of the recording.
        marks: named moments.
    """
    # Curves share one array of times, which says that they share their keys.
    stamps = Curve("rotation", np.zeros(0, np.int32), times, np.zeros((len(times), 0, 4))).times
    curves = [Curve("rotation", moved, stamps, poses.rotations[:, moved])]
    curves += moving_curves(poses, moved, stamps)
    if poses.morphs is not None and poses.morphs.shape[-1]:
        targets = np.arange(poses.morphs.shape[-1])
        curves.append(Curve("morph", targets, stamps, poses.morphs[..., None]))
    return Recording(name, tuple(curves), _one(poses), rate, marks)


def _one(poses: Pose) -> Pose:
    """The first pose in arrays of its own, which do not keep the others alive."""
    first = poses[0]
    parts = (first.rotations, first.root_translation, first.translations, first.scales, first.morphs)
    return Pose(*[None if values is None else values.copy() for values in parts])  # type: ignore[arg-type]
