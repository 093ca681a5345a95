"""One level of a timeline: segments that follow one another over what is below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Pose
from mummer.clip.below import known
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.segment import Segment, lay_over


@dataclass(frozen=True, eq=False)
class Level:
    """The segments of one level, ready to be played.

    Attributes:
        under: the timeline of the levels below.
        segments: by when they come in, with what is below put in.
    """

    under: Clip
    segments: tuple[Segment, ...]

    @cached_property
    def fresh(self) -> BoolArray:
        """(J,) the joints that this level drives and none below does: where it is silent, it holds them."""
        driven = np.any([segment.joints for segment in self.segments], axis=0)
        return locked(driven & ~self.under.defined, bool)

    def over(self, made: Frames | None, times: FloatArray) -> Frames:
        """This level over the frames of those below, ``made``, which are used up; None if there is nothing below."""
        shares = [segment.share(times) for segment in self.segments]
        first = 0
        if made is None:
            made, first = self._bottom(times, shares)
        if not first and self.fresh.any():
            self.hold(made, times, shares)
        shown = [self._shown(*each, made, times) for each in zip(self.segments[first:], shares[first:], strict=True)]
        for segment, (rows, seen, other) in zip(self.segments[first:], shown, strict=True):
            if other is None:
                continue
            if len(rows) == len(made) and segment.joints.all() and np.all(seen == 1.0):
                made = other
            else:
                lay_over(made, other, rows, seen, segment.joints, self.under.body)
        return made

    def _bottom(self, times: FloatArray, shares: list[FloatArray]) -> tuple[Frames, int]:
        """What the level begins with where nothing is below, and the first segment that is not in it."""
        first, share = self.segments[0], shares[0]
        if len(times) and first.joints.all() and np.all(share == 1.0) and not first.sees_below:
            return first.frames(times, self.under.body), 1
        return Frames.of_pose(Pose.rest(self.under.body.skeleton), len(times)), 0

    def hold(self, made: Frames, times: FloatArray, shares: list[FloatArray]) -> None:
        """Put the fresh joints into the poses in which they were left, or will be found, in place."""
        bare = np.flatnonzero(~self._covered(shares))
        if not len(bare):
            return
        at = times[bare]
        for segment in sorted(self.segments, key=lambda each: each.begin, reverse=True):
            self._still(made, segment, segment.begin, bare[at <= segment.begin])
        for segment in sorted(self.segments, key=lambda each: each.finish):
            self._still(made, segment, segment.finish, bare[at >= segment.finish])

    def _shown(
        self, segment: Segment, shares: FloatArray, made: Frames, times: FloatArray
    ) -> tuple[IntArray, FloatArray, Frames | None]:
        """The rows at which a segment is seen, how much, and its frames there."""
        rows = np.flatnonzero(shares > 0)
        if not len(rows):
            return rows, shares, None
        if not segment.sees_below:
            return rows, shares[rows], segment.frames(times[rows], self.under.body)
        with known(self.under, times[rows], made if len(rows) == len(made) else made.select(rows)):
            return rows, shares[rows], segment.frames(times[rows], self.under.body)

    def _still(self, made: Frames, segment: Segment, time: float, rows: IntArray) -> None:
        joints = segment.joints & self.fresh
        if len(rows) and joints.any():
            pose = segment.frames(np.array([time]), self.under.body).select(np.zeros(len(rows), np.int64))
            lay_over(made, pose, rows, np.ones(len(rows)), joints, self.under.body)

    def _covered(self, shares: list[FloatArray]) -> BoolArray:
        """(T,) whether segments drive all fresh joints fully."""
        full = np.zeros((len(shares[0]), int(self.fresh.sum())), bool)
        for segment, share in zip(self.segments, shares, strict=True):
            full |= (share >= 1.0)[:, None] & segment.joints[self.fresh]
        return locked(full.all(axis=1), bool)
