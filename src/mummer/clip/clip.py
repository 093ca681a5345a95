"""The clip: a pose-valued function of time for one body. Everything that moves is one."""

from __future__ import annotations

import dataclasses
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, as_floats, as_number, locked
from mummer.character import Anatomy, Character, Pose, Recording
from mummer.character.marks import Mark
from mummer.clip.carriers import Choice
from mummer.clip.fluent import Fluent
from mummer.clip.frames import Frames
from mummer.clip.wish import Wish
from mummer.errors import InputError
from mummer.kernels.threads import share_out, thread_count
from mummer.math import quaternion
from mummer.notebook import shown
from mummer.report import Report, ReportBuilder

# Frames that are made at one go: few enough that an operator finds its operand's result in the cache,
# many enough that calling the operators costs little beside their work.
BLOCK = 2500
# What nobody can have meant: a week at a hundred frames a second.
MOST_FRAMES = 60_000_000
DEFAULT_RATE = 30.0
"""Frames a second of recordings of what says no rate itself."""


@dataclass(frozen=True, eq=False, repr=False)
class Clip(Fluent, ABC):
    """A pose-valued function of time for one body, over an interval, for all of its joints or for some groups.

    Clips are immutable and made of clips: an operator is a subclass whose fields are its operands and settings.
    A subclass states `body`, `start`, `end` and makes `frames`; the rest follows.
    """

    OPERATORS: ClassVar[dict[str, type[Clip]]] = {}
    # Whether long samples are made block by block; a leaf that makes each frame once has nothing to gain.
    IN_BLOCKS: ClassVar[bool] = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Clip.OPERATORS[cls.__name__] = cls

    # What an operator says of itself ------------------------------------------------------------------------------

    @property
    @abstractmethod
    def body(self) -> Character:
        """The body that this clip is for."""

    @property
    @abstractmethod
    def start(self) -> float:
        """Seconds at which the clip begins."""

    @property
    @abstractmethod
    def end(self) -> float:
        """Seconds at which the clip ends."""

    @abstractmethod
    def frames(self, times: FloatArray) -> Frames:
        """The poses at ``times`` (T,), each within the interval, in arrays that the caller may write to."""

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) the joints that this clip moves; the others are at rest in what it gives."""
        return self._union([part.defined for part in self.parts])

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Named moments of this clip, in the clip's own time, earliest first."""
        return tuple(sorted(mark for part in self.parts for mark in part.marks))

    @cached_property
    def name(self) -> str:
        """What the motion is called: as that of the first of its parts."""
        return next((part.name for part in self.parts), "clip")

    @cached_property
    def report(self) -> Report:
        """What was guessed or left out while its parts were made."""
        report = ReportBuilder()
        for part in self.parts:
            report.add_all(part.report)
        return report.build()

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """What the maker of the motion asked of parts of the body; nothing where it does not tell."""
        return ()

    # What follows -------------------------------------------------------------------------------------------------

    @cached_property
    def parts(self) -> tuple[Clip, ...]:
        """The clips that this one is made of."""
        found: list[Clip] = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Clip):
                found.append(value)
            elif isinstance(value, tuple):
                found += [entry for entry in value if isinstance(entry, Clip)]
        return tuple(found)

    @property
    def duration(self) -> float:
        """Seconds from start to end."""
        return self.end - self.start

    @property
    def anatomy(self) -> Anatomy:
        """The anatomy of the body.

        Raises:
            InputError: if it is not known.
        """
        if self.body.anatomy is None:
            raise InputError(f"the anatomy of {self.body.name!r} is not known; recognise it or give it a sidecar file")
        return self.body.anatomy

    def sample(self, times: npt.ArrayLike) -> Pose:
        """The poses at ``times`` (T,) in seconds; before the start and after the end the clip holds still.

        Args:
            times: (T,), in any order.

        Returns:
            A batch of T poses. Joints that the clip does not move (see `defined`) are at rest.
        """
        at = np.clip(np.atleast_1d(as_floats(times, "the times of a clip")), self.start, self.end)
        if at.ndim != 1:
            raise InputError(f"the times of a clip have shape {at.shape}; expected (T,)")
        if not np.all(np.isfinite(at)):
            raise InputError("a clip was asked for a time that is not a finite number")
        if len(at) <= BLOCK or not self.IN_BLOCKS:
            return self.frames(at).to_pose()
        return self._sample_blocks(at).to_pose()

    def _sample_blocks(self, at: FloatArray) -> Frames:
        """The frames at all times, block by block on several threads: each block stays in its thread's cache."""
        made: list[Frames] = []
        gathering = threading.Lock()

        def fill(begin: int, end: int) -> None:
            rows = slice(begin, end)
            block = self.frames(at[rows])
            with gathering:
                if not made:
                    made.append(_empty_like(block, len(at)))
                whole = made[0]
                whole.put_others(rows, block, self.body)
            whole.rotations[rows] = block.rotations

        share_out(fill, len(at), _block_length(len(at)), ())
        return made[0]

    def defined_at(self, times: npt.ArrayLike) -> BoolArray:
        """(T, J) the joints that something moves at each of ``times``: of a timeline, what plays then."""
        return np.tile(self.defined, (len(np.atleast_1d(as_floats(times, "the times of a clip"))), 1))

    def turns_of(self, joints: Sequence[str], times: npt.ArrayLike) -> FloatArray:
        """(T, N, 4) parent_from_joint of some joints alone, by name: their motion curves.

        Raises:
            UnknownNameError: if the body has no such joint.
        """
        chosen = [self.body.skeleton.index(joint) for joint in joints]
        return np.asarray(self.sample(times).rotations[:, chosen])

    def at(self, time: float) -> Pose:
        """The pose at one time in seconds."""
        return self.sample([time])[0]

    def times(self, rate: float) -> FloatArray:
        """(T,) times from start to end at ``rate`` frames a second, the end included; one where they are the same."""
        if not as_number(rate, "the rate") > 0:
            raise InputError(f"a rate of {rate} frames a second makes no sense; expected a positive number")
        if self.duration * rate > MOST_FRAMES:
            raise InputError(
                f"{self.duration:g} s at {rate:g} frames a second are too many; the limit is {MOST_FRAMES:,}"
            )
        count = max(1, round(self.duration * rate)) if self.duration > 0 else 0
        return np.linspace(self.start, self.end, count + 1)

    def velocities(self, times: npt.ArrayLike, *, step: float = 1e-3) -> tuple[FloatArray, FloatArray]:
        """How fast the joints turn and the root travels, by central differences within the interval.

        Args:
            times: (T,) seconds.
            step: half the distance between the two samples in seconds.

        Returns:
            angular velocities (T, J, 3) in radians a second, of each joint in its parent's frame, and the velocity
            (T, 3) of joint 0 in metres a second.
        """
        at = np.clip(np.atleast_1d(np.asarray(times, np.float64)), self.start, self.end)
        before, after = np.maximum(at - step, self.start), np.minimum(at + step, self.end)
        span = np.maximum(after - before, 1e-12)[:, None]
        earlier, later = self.sample(before), self.sample(after)
        turn = quaternion.multiply(later.rotations, quaternion.conjugate(earlier.rotations))
        assert earlier.root_translation is not None
        assert later.root_translation is not None
        travel = later.root_translation - earlier.root_translation
        return quaternion.log(turn) / span[..., None], travel / span

    def to_recording(self, rate: float | None = None, *, name: str | None = None, travel: Choice = "auto") -> Recording:
        """The clip baked, with its marks, ready to be saved with its body.

        Args:
            rate: frames a second; those of the recordings that it is made of, or 30, if None.
            name: what to call it; its own `name` if None.
            travel: which joints carry it about: those of the body's own recordings, ``hips``, or a separate ``root``.
        """
        from mummer.clip.following import Following
        from mummer.clip.rates import rate_of
        from mummer.clip.travel import Travel

        frames = rate_of(self) or DEFAULT_RATE if rate is None else rate
        times = self.times(frames)
        poses = Travel(Following(self), travel).sample(times)
        made = Recording.from_poses(name or self.name, times - times[0], poses, frame_rate=frames)
        marks = (mark.within(self.start, self.end) for mark in self.marks)
        kept = tuple(mark.moved(mark.time - times[0], mark.until - times[0]) for mark in marks if mark)
        return dataclasses.replace(made, marks=kept)

    def __repr__(self) -> str:
        from mummer.clip.tree import tree

        return tree(self)

    def _repr_html_(self) -> str:
        return shown(self)

    def _union(self, masks: Sequence[BoolArray]) -> BoolArray:
        joined = np.zeros(len(self.body.skeleton), bool)
        for mask in masks:
            joined = joined | mask
        return locked(joined, bool)


def _block_length(count: int) -> int:
    """Frames a block, about `BLOCK`, so that all threads have equally much to do."""
    threads = thread_count()
    blocks = -(-count // (BLOCK * threads)) * threads
    return -(-count // blocks)


def _empty_like(block: Frames, count: int) -> Frames:
    def make(values: FloatArray | None) -> FloatArray | None:
        return None if values is None else np.empty((count, *values.shape[1:]))

    rotations, root = make(block.rotations), make(block.root)
    assert rotations is not None
    assert root is not None
    return Frames(rotations, root, make(block.translations), make(block.scales), make(block.morphs))
