"""A segment of a timeline: part of a clip at a place in time, with how it comes in and how it goes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.below import bind, contains_below
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.mixing import ease, mix_into
from mummer.clip.weights import joints_of
from mummer.errors import InputError


@dataclass(frozen=True, eq=False)
class Glue:
    """How one motion gives way to another on a timeline.

    Without a clip, the one fades into the other from ``begin`` to ``end``. With a clip, often a `Transition`, the one
    fades into the clip from ``begin`` to ``taken``, and the clip into the other from ``left`` to ``end``.

    Attributes:
        begin, end: seconds on the timeline.
        clip: the glue, in the time of the timeline, or None.
        taken: when the clip has taken over; at once, at ``begin``, if left out.
        left: when the clip begins to give way; at once, at ``end``, if left out.
    """

    begin: float
    end: float
    clip: Clip | None = None
    taken: float | None = None
    left: float | None = None

    def __post_init__(self) -> None:
        times = (self.begin, *self.halves, self.end)
        if not all(earlier <= later for earlier, later in pairwise(times)):
            listed = ", ".join(f"{time:g}" for time in times)
            raise InputError(f"glue with the times {listed} s runs backwards; expected begin <= taken <= left <= end")

    @property
    def halves(self) -> tuple[float, float]:
        """When the clip has taken over, and when it begins to give way."""
        return (
            self.begin if self.taken is None else self.taken,
            self.end if self.left is None else self.left,
        )


@dataclass(frozen=True, eq=False)
class Segment:
    """Part of a clip on a timeline.

    Attributes:
        clip: what is played; may be made of `Below`.
        start: seconds on the timeline at which ``source`` of the clip is played.
        source: seconds in the clip.
        seconds: how long it is played.
        groups: the body groups it drives, by name; all if empty. Joints that its clip does not define are left alone.
        level: 0 is the bottom; a higher level covers those below it.
        entrance: how it takes over from what was there; at once if None.
        resumption: how it gives way to what is below; at once if None.
    """

    clip: Clip
    start: float
    source: float
    seconds: float
    groups: tuple[str, ...] = ()
    level: int = 0
    entrance: Glue | None = None
    resumption: Glue | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", (self.groups,) if isinstance(self.groups, str) else tuple(self.groups))
        if self.level != int(self.level) or self.level < 0:
            raise InputError(f"level {self.level} of a segment makes no sense; expected a whole number from 0")
        if not self.clip.start - 1e-9 <= self.source <= self.clip.end + 1e-9:
            raise InputError(
                f"a segment cannot start {self.source:g} s into a clip that runs from {self.clip.start:g} to "
                f"{self.clip.end:g} s"
            )
        if not 0 <= self.seconds < np.inf:
            raise InputError(f"a segment cannot last {self.seconds:g} s; expected zero or more")
        if self.begin > self.finish:
            raise InputError(f"a segment gives way at {self.finish:g} s, before it comes in at {self.begin:g} s")

    @property
    def begin(self) -> float:
        """When it is first seen."""
        return float(self.start if self.entrance is None else self.entrance.begin)

    @property
    def finish(self) -> float:
        """When it is last seen."""
        return float(self.start + self.seconds if self.resumption is None else self.resumption.end)

    @property
    def delay(self) -> float:
        """What is added to the clip's times."""
        return float(self.start - self.source)

    @cached_property
    def joints(self) -> BoolArray:
        """(J,) the joints that it drives."""
        driven = np.array(self.clip.defined)
        for glue in (self.entrance, self.resumption):
            if glue is not None and glue.clip is not None:
                driven |= glue.clip.defined
        if self.groups:
            driven &= joints_of(self.clip.body, self.groups)
        return locked(driven, bool)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The clip's marks on the timeline, as far as they are seen."""
        moved = [mark.moved(mark.time + self.delay, mark.until + self.delay) for mark in self.clip.marks]
        kept = [mark.within(self.begin, self.finish) for mark in moved]
        return tuple(mark for mark in kept if mark is not None)

    def share(self, times: FloatArray) -> FloatArray:
        """(T,) how much of it is seen over what is below, 0 to 1."""
        seen = ((times >= self.begin) & (times <= self.finish)).astype(float)
        if self.entrance is not None:
            last = self.entrance.end if self.entrance.clip is None else self.entrance.halves[0]
            seen *= _eased(times, self.entrance.begin, last)
        if self.resumption is not None:
            first = self.resumption.begin if self.resumption.clip is None else self.resumption.halves[1]
            seen *= 1.0 - _eased(times, first, self.resumption.end)
        return seen

    @cached_property
    def sees_below(self) -> bool:
        """Whether it is made of what is below it."""
        glues = [glue.clip for glue in (self.entrance, self.resumption) if glue is not None]
        return any(clip is not None and contains_below(clip) for clip in (self.clip, *glues))

    def over(self, timeline: Clip) -> Segment:
        """This segment with every `Below` in it standing for ``timeline``."""

        def bound(glue: Glue | None) -> Glue | None:
            if glue is None or glue.clip is None:
                return glue
            return dataclasses.replace(glue, clip=bind(glue.clip, timeline, 0.0))

        clip, entrance, resumption = bind(self.clip, timeline, self.delay), bound(self.entrance), bound(self.resumption)
        return dataclasses.replace(self, clip=clip, entrance=entrance, resumption=resumption)

    def frames(self, times: FloatArray, body: Character) -> Frames:
        """What it shows at ``times`` on the timeline, its glue included, by itself."""
        inner = np.clip(times - self.delay, self.clip.start, self.clip.end)
        made = self.clip.frames(inner)
        if self.entrance is not None and self.entrance.clip is not None:
            gone = 1.0 - _eased(times, self.entrance.halves[1], self.entrance.end)
            _lay(made, self.entrance.clip, times, gone, body)
        if self.resumption is not None and self.resumption.clip is not None:
            come = _eased(times, self.resumption.begin, self.resumption.halves[0])
            _lay(made, self.resumption.clip, times, come, body)
        return made


def _eased(times: FloatArray, begin: float, end: float) -> FloatArray:
    """(T,) from 0 at ``begin`` to 1 at ``end``; at once if they are the same."""
    if end <= begin:
        return (times >= begin).astype(float)
    return ease((times - begin) / (end - begin))


def _lay(made: Frames, clip: Clip, times: FloatArray, shares: FloatArray, body: Character) -> None:
    """Bring frames towards ``clip`` by ``shares``, in place, asking it only for moments that count."""
    rows = np.flatnonzero(shares > 0)
    if not len(rows):
        return
    other = clip.frames(np.clip(times[rows], clip.start, clip.end))
    lay_over(made, other, rows, shares[rows], clip.defined, body)


def lay_over(
    made: Frames, other: Frames, rows: IntArray, shares: FloatArray, joints: BoolArray, body: Character
) -> None:
    """Bring the frames at ``rows`` towards ``other`` in place.

    Args:
        made: T poses.
        other: as many poses as there are rows.
        rows: (R,) indices into ``made``, increasing.
        shares: (R,) how much.
        joints: (J,) which joints.
        body: whose.
    """
    weights = joints.astype(float)
    if len(rows) == len(made):
        mix_into(made, other, shares, weights, body)
        return
    part = made.select(rows)
    mix_into(part, other, shares, weights, body)
    made.put(rows, part, body)
