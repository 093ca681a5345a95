"""One frame at a time: a recording made into a pose with as little around the arithmetic as Python allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Curve, Pose, Recording
from mummer.clip import loops

PLACES = {"rotation": 0, "translation": 1, "scale": 2}


@dataclass(frozen=True, eq=False)
class SingleFiller:
    """A recording whose curves are all lines and arcs, ready to give single poses.

    Attributes:
        base: the values of what no curve drives.
        steps: for each curve the compiled function, which array it fills, and its times, keys and targets.
        root_only: whether of all joints only joint 0 is moved.
    """

    base: Pose
    steps: tuple[tuple[Callable[..., Any], int, FloatArray, FloatArray, IntArray], ...]
    root_only: bool

    @classmethod
    def of(cls, recording: Recording, base: Pose) -> SingleFiller | None:
        """The filler of ``recording``, or None if its curves are of other kinds."""
        if any(curve.interpolation != "linear" or curve.path == "morph" for curve in recording.curves):
            return None
        return cls(base, tuple(_step(curve) for curve in recording.curves), base.translations is None)

    def at(self, time: float) -> Pose:
        """The pose at a time within the recording."""
        rotations, moved, scales = self.values(time)
        translations = None if self.root_only else moved
        return Pose.unchecked(rotations, moved[0], translations, scales, self.base.morphs)

    def values(self, time: float) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """The same in arrays of their own: (J, 4) rotations, (J, 3) or (1, 3) translations, (J, 3) scales or None."""
        base = self.base
        moved = base.root_translation[None].copy() if self.root_only else base.translations.copy()  # type: ignore[index,union-attr]
        scales = None if base.scales is None else base.scales.copy()
        made = (base.rotations.copy(), moved, scales)
        for fill, place, times, keys, targets in self.steps:
            fill(time, times, keys, targets, made[place])
        return made


def _step(curve: Curve) -> tuple[Callable[..., Any], int, FloatArray, FloatArray, IntArray]:
    compiled = loops.rotations_at if curve.path == "rotation" else loops.vectors_at
    return (
        compiled.at(np.dtype(np.float64)),
        PLACES[curve.path],
        curve.times,
        curve.values,
        curve.targets.astype(np.int64),
    )
