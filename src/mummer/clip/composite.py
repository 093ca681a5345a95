"""Composite: the timeline on which motions follow one another and lie over one another."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, as_floats
from mummer.character import Character, Pose
from mummer.character.marks import Mark
from mummer.clip.below import Below
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.level import Level
from mummer.clip.segment import Glue, Segment
from mummer.clip.weights import joints_of, require_same_body
from mummer.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Composite(Clip):
    """Segments of clips, on levels, over time.

    A segment takes over its body groups from what is there when it comes: the earlier segments of its own level, and
    the levels below. When it goes, these are seen again. A segment sees only the levels below its own (`below`). Where
    nothing drives a joint, it stays as the lowest level that ever drives it left it, or will find it.

    Attributes:
        character: the body.
        segments: in any order; on one level the later one covers the earlier.

    Example:
        >>> from mummer.zoo import body
        >>> stage = Composite(body("adult"))  # then: stage.with_segment(walk).with_layer(wave)
        >>> stage.duration
        0.0
    """

    character: Character
    segments: tuple[Segment, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", tuple(self.segments))
        for segment in self.segments:
            require_same_body(self.character, segment.clip.body, "a timeline")
            joints_of(self.character, segment.groups)

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.character

    @property
    def start(self) -> float:
        """When the first segment comes in; zero if there is none."""
        return min((segment.begin for segment in self.segments), default=0.0)

    @property
    def end(self) -> float:
        """When the last segment has gone; zero if there is none."""
        return max((segment.finish for segment in self.segments), default=0.0)

    @cached_property
    def parts(self) -> tuple[Clip, ...]:
        """The clips of all segments and their glue."""
        found = []
        for segment in self.segments:
            glues = [glue.clip for glue in (segment.entrance, segment.resumption) if glue is not None]
            found += [clip for clip in (segment.clip, *glues) if clip is not None]
        return tuple(found)

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) the joints that some segment drives."""
        return self._union([segment.joints for segment in self.segments])

    def defined_at(self, times: npt.ArrayLike) -> BoolArray:
        """(T, J) the joints that some segment drives at each of ``times``; the others are held as they were left."""
        at = np.atleast_1d(as_floats(times, "the times of a clip"))
        found = np.zeros((len(at), len(self.character.skeleton)), bool)
        for segment in self.segments:
            found |= (segment.share(at) > 0)[:, None] & segment.joints
        return found

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of all segments, on the timeline."""
        return tuple(sorted({mark for segment in self.segments for mark in segment.marks}))

    # Building -----------------------------------------------------------------------------------------------------

    def with_segment(
        self,
        clip: Clip,
        *,
        at: float | None = None,
        source: float | None = None,
        seconds: float | None = None,
        groups: Iterable[str] = (),
        level: int = 0,
        entrance: Glue | None = None,
        resumption: Glue | None = None,
    ) -> Composite:
        """This timeline with one more segment.

        Args:
            clip: what is played; may be made of ``below()``.
            at: seconds on the timeline; the clip's own time if left out.
            source: seconds into the clip at which it is then; its start if left out.
            seconds: how long; to the end of the clip if left out.
            groups: the body groups it drives, by name; all if empty.
            level: which level; those above lie over those below.
            entrance: how it comes in.
            resumption: how it gives way to what is below.
        """
        begin = clip.start if source is None else source
        start = begin if at is None else at
        length = clip.end - begin if seconds is None else seconds
        made = Segment(clip, start, begin, length, tuple(groups), level, entrance, resumption)
        return dataclasses.replace(self, segments=(*self.segments, made))

    def with_layer(
        self,
        clip: Clip,
        *,
        at: float | None = None,
        source: float | None = None,
        seconds: float | None = None,
        groups: Iterable[str] = (),
        level: int | None = None,
        fade: float = 0.0,
    ) -> Composite:
        """This timeline with one more segment over what is there, rather than after it.

        Args:
            clip: what is played; may be made of ``below()``.
            at: see `with_segment`.
            source: see `with_segment`.
            seconds: see `with_segment`.
            groups: see `with_segment`.
            level: which level; a new one above all that is there if left out.
            fade: seconds at its start and its end for coming in and giving way.
        """
        top = max((segment.level for segment in self.segments), default=-1) + 1
        chosen = top if level is None else level
        added = self.with_segment(clip, at=at, source=source, seconds=seconds, groups=groups, level=chosen)
        if not fade > 0:
            return added
        *before, made = added.segments
        end = made.start + made.seconds
        fade = min(fade, 0.5 * made.seconds)
        faded = dataclasses.replace(
            made, entrance=Glue(made.start, made.start + fade), resumption=Glue(end - fade, end)
        )
        return dataclasses.replace(added, segments=(*before, faded))

    def with_resumption(self, level: int, start: float, resumption: Glue) -> Composite:
        """This timeline with a way back for the segment of ``level`` that starts at ``start``.

        Raises:
            InputError: if there is no such segment.
        """
        found = [each for each in self.segments if each.level == level and abs(each.start - start) < 1e-9]
        if not found:
            places = ", ".join(f"{each.start:g}" for each in self.segments if each.level == level) or "none"
            raise InputError(f"level {level} has no segment that starts at {start:g} s; there: {places}")
        changed = [
            dataclasses.replace(each, resumption=resumption) if each in found else each for each in self.segments
        ]
        return dataclasses.replace(self, segments=tuple(changed))

    def below(self) -> Below:
        """What is here, as a clip for the segment to be layered over it, which will see whatever is below it then."""
        return Below(self.character, self.start, self.end)

    # Playing ------------------------------------------------------------------------------------------------------

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made: Frames | None = None
        for level in self._levels:
            made = level.over(made, times)
        return Frames.of_pose(Pose.rest(self.character.skeleton), len(times)) if made is None else made

    @cached_property
    def _levels(self) -> tuple[Level, ...]:
        """From the bottom up, with what is below put in where segments ask for it."""
        found: list[Level] = []
        settled: tuple[Segment, ...] = ()
        for number in sorted({segment.level for segment in self.segments}):
            under = Composite(self.character, settled)
            here = sorted((each for each in self.segments if each.level == number), key=lambda each: each.begin)
            bound = tuple(segment.over(under) for segment in here)
            found.append(Level(under, bound))
            settled += bound
        return tuple(found)
