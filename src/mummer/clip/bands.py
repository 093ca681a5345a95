"""Banded and Graft: the slow and the fast parts of motions, made stronger or weaker, or put on other motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, Recording
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.sampled import Sampled
from mummer.clip.weights import require_same_body
from mummer.errors import InputError
from mummer.math import bands

JOINTS_AT_ONCE = 8
"""Bands of so many joints are held in memory together, so that a long motion does not need many times its size."""


@dataclass(frozen=True, eq=False, repr=False)
class Banded(Operated):
    """The clip with its frequency bands made stronger or weaker, as an equalizer does with sound.

    The clip is baked at ``rate``, so gains of 1 give the baked clip. The first and the last pose stay.

    Attributes:
        gains: one for each band, fastest first: 1 leaves a band as it is, 0 takes it out, 2 doubles it. What is slower
            than these bands stays as it is. Band ``k`` holds most of what repeats every 2.7 to 5.5 times ``2 ** k``
            frames.
        rate: frames a second.

    Example:
        A smoothed motion: ``Banded(clip, (0.0, 0.5))``
    """

    gains: tuple[float, ...]
    rate: float = 30.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "gains", tuple(float(gain) for gain in self.gains))
        if not all(np.isfinite(self.gains)):
            raise InputError("gains of bands must be finite numbers")
        _require_bands(self.clip, self.rate, len(self.gains))

    @cached_property
    def _baked(self) -> Sampled:
        times = self.clip.times(self.rate)
        count = len(self.gains)

        def change(signal: FloatArray) -> FloatArray:
            return bands.combine(bands.split(signal, count=count), self.gains)

        def turn(rotations: FloatArray) -> FloatArray:
            return bands.combine_rotations(bands.split_rotations(rotations, count=count), self.gains)

        poses = self.clip.sample(times)
        return _recorded(self.body, times, _pose(poses, _by_joints(turn, poses.rotations), change))

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return self._baked.frames(times)


@dataclass(frozen=True, eq=False, repr=False)
class Graft(Clip):
    """One motion with the fine detail of another: its own slow parts, the other's fast ones.

    Both are baked at ``rate``. If the other is shorter, it goes back and forth.

    Attributes:
        detail: the clip whose fast parts are taken.
        base: the clip whose slow parts and interval are taken.
        bands: how many bands count as detail, fastest first.
        rate: frames a second.
    """

    detail: Clip
    base: Clip
    bands: int = 3
    rate: float = 30.0

    def __post_init__(self) -> None:
        require_same_body(self.base.body, self.detail.body, "a graft")
        _require_bands(self.base, self.rate, self.bands)
        if not self.detail.duration > 0:
            raise InputError("a clip of no duration has no detail to graft")

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.base.body

    @property
    def start(self) -> float:
        """The start of the clip that is grafted onto."""
        return self.base.start

    @property
    def end(self) -> float:
        """The end of the clip that is grafted onto."""
        return self.base.end

    @cached_property
    def parts(self) -> tuple[Clip, ...]:
        """The clip that is grafted onto: its marks and joints count, the other gives only detail."""
        return (self.base,)

    @cached_property
    def _baked(self) -> Sampled:
        times, count = self.base.times(self.rate), self.bands
        slow, fast = self.base.sample(times), self.detail.sample(self._folded(times))
        rotations = np.empty_like(slow.rotations)
        for begin in range(0, rotations.shape[1], JOINTS_AT_ONCE):
            joints = slice(begin, begin + JOINTS_AT_ONCE)
            base = bands.split_rotations(slow.rotations[:, joints], count=count).base
            details = bands.split_rotations(fast.rotations[:, joints], count=count).details
            rotations[:, joints] = bands.combine_rotations(bands.Bands(details, base))
        assert slow.root_translation is not None
        assert fast.root_translation is not None
        base = bands.split(slow.root_translation, count=count).base
        root = bands.combine(bands.Bands(bands.split(fast.root_translation, count=count).details, base))
        return _recorded(self.body, times, slow.replace(rotations=rotations, root_translation=root))

    def _folded(self, times: FloatArray) -> FloatArray:
        """Times of the detail, forth and back again as often as needed."""
        length = self.detail.duration
        return self.detail.start + length - np.abs((times - self.start) % (2 * length) - length)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return self._baked.frames(times)


def graft(detail_from: Clip, onto: Clip, *, bands: int = 3, rate: float = 30.0) -> Graft:
    """The slow parts of ``onto`` with the fast parts of ``detail_from``; see `Graft`."""
    return Graft(detail_from, onto, bands, rate)


def _require_bands(clip: Clip, rate: float, count: int) -> None:
    most = bands.most_bands(len(clip.times(rate)))
    if not 1 <= count <= most:
        raise InputError(
            f"a clip of {clip.duration:g} s at {rate:g} frames a second has 1 to {most} bands; {count} were asked for"
        )


def _by_joints(change: Callable[[FloatArray], FloatArray], rotations: FloatArray) -> FloatArray:
    """``change`` done to rotations (T, J, 4), a few joints at a time."""
    out = np.empty_like(rotations)
    for begin in range(0, rotations.shape[1], JOINTS_AT_ONCE):
        joints = slice(begin, begin + JOINTS_AT_ONCE)
        out[:, joints] = change(rotations[:, joints])
    return out


def _pose(poses: Pose, rotations: FloatArray, change: Callable[[FloatArray], FloatArray]) -> Pose:
    def changed(values: FloatArray | None) -> FloatArray | None:
        return None if values is None else change(values)

    root = None if poses.translations is not None else changed(poses.root_translation)
    return Pose(rotations, root, changed(poses.translations), changed(poses.scales), changed(poses.morphs))


def _recorded(body: Character, times: FloatArray, poses: Pose) -> Sampled:
    return Sampled(body, Recording.from_poses("bands", times, poses))
