"""Sampled: a recording as a clip, with the way between its keys by choice."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Character, Curve, Pose, Recording
from mummer.character.marks import Mark
from mummer.clip import loops
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.single import SingleFiller
from mummer.clip.wish import Wish
from mummer.errors import InputError, UnknownNameError
from mummer.math import interpolate
from mummer.report import Report

Between = Literal["file", "slerp", "nlerp", "explerp", "step"]
IDLE = 1e-6
"""Scales that differ from rest by no more than files round say nothing."""
SAYS_NOTHING = re.compile(
    r"(motion|clip|animation|baked|scene|mixamo\.com|.*armature|(unreal |default |base )?(take|layer))?[\s._]*\d*",
    re.IGNORECASE,
)
"""Names that tools give to every motion: `Take 001`, `mixamo.com`, `Armature|mixamo.com|Layer0`."""
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
        report: what was guessed or left out while it was made.
        wishes: what its maker asked for.
    """

    IN_BLOCKS: ClassVar[bool] = False

    character: Character
    recording: Recording
    between: Between = "file"
    annotations: tuple[Mark, ...] = ()
    report: Report = field(default_factory=Report, metadata={"told": False})
    wishes: tuple[Wish, ...] = field(default=(), metadata={"told": False})

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

    @cached_property
    def name(self) -> str:
        """What the recording is called, or its file where that name says nothing."""
        source = self.character.source
        path = None if source is None else source.path
        says_nothing = all(SAYS_NOTHING.fullmatch(part.strip()) for part in self.recording.name.split("|"))
        return path.stem if path is not None and says_nothing else self.recording.name

    @cached_property
    def start(self) -> float:
        """Time of the first key."""
        return self.recording.start

    @cached_property
    def end(self) -> float:
        """Time of the last key."""
        return self.recording.end

    @cached_property
    def defined(self) -> BoolArray:
        """All joints: what no key drives keeps the value that the file gives it."""
        return locked(np.ones(len(self.character.skeleton), bool), bool)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The annotations, and what the recording itself marks."""
        return tuple(sorted({*self.annotations, *self.recording.marks}))

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
    def _told(self) -> Recording:
        """The recording without scales that are all as at rest, as many tools write them: they cost and say nothing."""
        rest, recording = self.character.skeleton.rest_scales, self.recording
        scaling = [curve for curve in recording.curves if curve.path == "scale"]
        others = tuple(curve for curve in recording.curves if curve.path != "scale")
        given = [curve.values - rest[curve.targets] for curve in scaling if curve.interpolation != "cubic"]
        if recording.base.scales is not None:
            given.append(recording.base.scales - rest)
        curved = any(curve.interpolation == "cubic" for curve in scaling)
        if not given or curved or not others or any(np.any(np.abs(away) > IDLE) for away in given):
            return recording
        return replace(recording, curves=others, base=recording.base.replace(scales=None))

    @cached_property
    def _curves(self) -> tuple[tuple[Curve, IntArray], ...]:
        return tuple((curve, curve.targets.astype(np.int64)) for curve in self._told.curves)

    def at(self, time: float) -> Pose:
        """The pose at one time in seconds; a way of its own, for those who play frame by frame."""
        filler = self.filler
        if filler is None:
            return super().at(time)
        if not -np.inf < time < np.inf:
            raise InputError("a clip was asked for a time that is not a finite number")
        return filler.at(min(max(time, self.start), self.end))

    @cached_property
    def filler(self) -> SingleFiller | None:
        """The short way for single frames, if the recording has one."""
        return SingleFiller.of(self._told, self._scaled_base) if self.between in ("file", "slerp") else None

    @cached_property
    def _scaled_base(self) -> Pose:
        """The base pose, with the scales at rest if curves drive scales that it does not give."""
        base = self._told.base
        if base.scales is None and any(curve.path == "scale" for curve in self._told.curves):
            return base.replace(scales=self.character.skeleton.rest_scales)
        return base

    @cached_property
    def _driven(self) -> frozenset[str]:
        """What curves drive for every joint, so that nobody need fill it in before."""
        joints = self.recording.base.joint_count
        counts: dict[str, set[int]] = {}
        for curve in self._told.curves:
            counts.setdefault(curve.path, set()).update(curve.targets.tolist())
        return frozenset(path for path, targets in counts.items() if len(targets) == joints and path != "morph")

    def _base(self, count: int) -> Frames:
        base, driven = self._scaled_base, self._driven

        def spread(values: FloatArray | None, path: str) -> FloatArray | None:
            if values is None:
                return None
            return np.empty((count, *values.shape)) if path in driven else np.repeat(values[None], count, axis=0)

        rotations, root = spread(base.rotations, "rotation"), spread(base.root_translation, "root")
        assert rotations is not None
        assert root is not None
        return Frames(
            rotations,
            root,
            spread(base.translations, "translation"),
            spread(base.scales, "scale"),
            spread(base.morphs, "morph"),
        )

    def _fill(
        self, made: Frames, curve: Curve, targets: IntArray, times: FloatArray, before: IntArray, part: FloatArray
    ) -> None:
        if curve.path == "rotation":
            self._fill_rotations(made.rotations, curve, targets, times, before, part)
            return
        whole = made.scales if curve.path == "scale" else made.translations
        if curve.path == "translation" and whole is None:
            # Only joint 0 is moved; its places serve as those of a body of one joint.
            whole = made.root[:, None]
        if curve.interpolation == "linear" and curve.path != "morph" and whole is not None:
            loops.fill_from_vector_keys(before, part, curve.values, targets, whole)
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
