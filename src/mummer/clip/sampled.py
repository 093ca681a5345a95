"""Sampled: a recording as a clip, with the way between its keys by choice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Character, Curve, Recording
from mummer.clip import loops
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.marks import Mark
from mummer.errors import InputError, UnknownNameError
from mummer.math import interpolate

Between = Literal["file", "slerp", "nlerp", "explerp", "step"]
_ROTATION_WAYS = {"nlerp": interpolate.nlerp, "explerp": interpolate.explerp}


@dataclass(frozen=True, eq=False, repr=False)
class Sampled(Clip):
    """A recording, played.

    Attributes:
        character: the body it was made for.
        recording: the keys.
        between: how to go from key to key: ``file`` as the recording says (linear is slerp), or for all rotations
            ``slerp``, ``nlerp``, ``explerp`` (log-quaternion) or ``step``.
        annotations: named moments.
    """

    character: Character
    recording: Recording
    between: Between = "file"
    annotations: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        if self.between not in ("file", "slerp", "nlerp", "explerp", "step"):
            raise UnknownNameError(
                "Sampled", "way between keys", self.between, ["file", "slerp", "nlerp", "explerp", "step"]
            )
        if self.recording.base.joint_count != len(self.character.skeleton):
            raise InputError(f"recording {self.recording.name!r} is not for {self.character.name!r}")

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.character

    @property
    def start(self) -> float:
        """Time of the first key."""
        return self.recording.start

    @property
    def end(self) -> float:
        """Time of the last key."""
        return self.recording.end

    @cached_property
    def defined(self) -> BoolArray:
        """All joints: what no key drives keeps the value that the file gives it."""
        return locked(np.ones(len(self.character.skeleton), bool), bool)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The annotations."""
        return tuple(sorted(self.annotations))

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self._base(len(times))
        found: dict[int, tuple[IntArray, FloatArray]] = {}
        for curve, targets in self._curves:
            if id(curve.times) not in found:
                found[id(curve.times)] = _locate(curve.times, times)
            self._fill(made, curve, targets, times, *found[id(curve.times)])
        return made

    @cached_property
    def _curves(self) -> tuple[tuple[Curve, IntArray], ...]:
        return tuple((curve, curve.targets.astype(np.int64)) for curve in self.recording.curves)

    def _base(self, count: int) -> Frames:
        made = Frames.of_pose(self.recording.base, count)
        moved = {curve.path for curve in self.recording.curves}
        if "scale" in moved and made.scales is None:
            made.scales = np.repeat(self.character.skeleton.rest_scales[None], count, axis=0)
        return made

    def _fill(
        self, made: Frames, curve: Curve, targets: IntArray, times: FloatArray, before: IntArray, part: FloatArray
    ) -> None:
        if curve.path == "rotation":
            self._fill_rotations(made.rotations, curve, targets, times, before, part)
            return
        values = _linear(curve, before, part) if curve.interpolation == "linear" else curve.sample(times)
        if curve.path == "morph":
            assert made.morphs is not None
            made.morphs[:, targets] = values[..., 0]
        elif curve.path == "scale":
            assert made.scales is not None
            made.scales[:, targets] = values
        elif made.translations is not None:
            made.translations[:, targets] = values
        else:
            made.root[:] = values[:, 0]

    def _fill_rotations(
        self, out: FloatArray, curve: Curve, targets: IntArray, times: FloatArray, before: IntArray, part: FloatArray
    ) -> None:
        way = self.between
        if way == "file":
            way = "slerp" if curve.interpolation == "linear" else "file"
        if way == "file":
            out[:, targets] = curve.sample(times)
        elif way == "slerp":
            loops.fill_from_rotation_keys(before, part, curve.values, targets, out)
        elif way == "step":
            out[:, targets] = curve.values[before + (part >= 1.0)]
        else:
            after = np.minimum(before + 1, len(curve.times) - 1)
            out[:, targets] = _ROTATION_WAYS[way](curve.values[before], curve.values[after], part[:, None])


def _locate(keys: FloatArray, times: FloatArray) -> tuple[IntArray, FloatArray]:
    """The key before each time (never the last, unless it is alone) and how far along the way to the next."""
    if len(keys) == 1:
        return np.zeros(len(times), np.int64), np.zeros(len(times))
    before = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 2)
    begin = keys[before]
    return before, np.clip((times - begin) / (keys[before + 1] - begin), 0.0, 1.0)


def _linear(curve: Curve, before: IntArray, part: FloatArray) -> FloatArray:
    after = np.minimum(before + 1, len(curve.times) - 1)
    start = curve.values[before]
    return start + (curve.values[after] - start) * part[:, None, None]
