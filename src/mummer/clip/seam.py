"""What must be changed in a cycle so that its end meets its start: in place and in velocity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.standing import Standing, root_places
from mummer.math import quaternion

STEP = 1 / 60
"""Seconds between the samples from which velocities at the ends are taken."""
NOISE = 1e-12
"""Corrections smaller than this, in radians or metres and per second, are not worth doing."""


@dataclass(frozen=True, eq=False)
class Line:
    """A correction of plain numbers: half the gap at the start, minus half at the end, straight in between.

    Attributes:
        gap: (...) value at the end minus value at the start.
        first, last: (...) changes of velocity at the start and at the end.
    """

    gap: FloatArray
    first: FloatArray
    last: FloatArray

    @classmethod
    def between(cls, start: FloatArray, end: FloatArray, leaving: FloatArray, arriving: FloatArray) -> Line:
        """The correction for values and velocities at both ends; each end goes half the way."""
        change = 0.5 * (arriving - leaving)
        return cls(end - start, change, -change)

    def at(self, shares: FloatArray) -> FloatArray:
        """(T, ...) the correction for the `shares` of T moments."""
        parts = np.stack([self.gap, self.first, self.last])
        return np.asarray(np.tensordot(shares[:, :3], parts, axes=1))


@dataclass(frozen=True, eq=False)
class Seam:
    """The corrections of one cycle.

    Attributes:
        targets: (n,) joints whose rotations change.
        vectors: (1, 4, n, 3) their gap and changes of angular velocity in the joint's own frame, for `displace`.
        roots: (R, 3) correction of the translations of the roots, in the heading of the start.
        translations, scales, morphs: corrections of the other joints and of morphs, where the clip moves them.
    """

    targets: IntArray
    vectors: FloatArray
    roots: Line
    translations: Line | None
    scales: Line | None
    morphs: Line | None


def shares(passed: FloatArray, duration: float, spread: float) -> FloatArray:
    """(T, 4) how much of gap, first and last change of velocity is due at ``passed`` seconds into the cycle."""
    before = np.clip(passed / spread, 0.0, 1.0)
    after = np.clip((duration - passed) / spread, 0.0, 1.0)
    found = np.zeros((len(passed), 4))
    found[:, 0] = 0.5 - passed / duration
    found[:, 1] = spread * before * (1 - before) ** 2
    found[:, 2] = -spread * after * (1 - after) ** 2
    return found


def find_seam(clip: Clip, standing: Standing, moved: FloatArray, angle: float) -> Seam:
    """What brings the end of ``clip`` to its start, once moved over the ground by one step.

    Args:
        clip: one cycle.
        standing: tells what is up.
        moved: (3,) metres, of the ground motion from the start of a cycle to that of the next: turn, then move.
        angle: radians about up, of the same.
    """
    step = min(STEP, clip.duration / 4)
    first = clip.frames(clip.start + step * np.arange(3))
    last = clip.frames(clip.end - step * np.arange(3))
    back = quaternion.conjugate(standing.turn(angle))
    targets, vectors = _rotations(clip, first, last, step, back)
    return Seam(
        targets,
        vectors,
        _roots(clip, first, last, step, standing, moved, angle),
        _line(_without_roots(first, clip), _without_roots(last, clip), step),
        _line(first.scales, last.scales, step),
        _line(first.morphs, last.morphs, step),
    )


def _line(first: FloatArray | None, last: FloatArray | None, step: float) -> Line | None:
    if first is None or last is None:
        return None
    line = Line.between(first[0], last[0], _slope(first, step), _slope(last, -step))
    return line if max(np.abs(line.gap).max(initial=0), np.abs(line.first).max(initial=0)) > NOISE else None


def _slope(samples: FloatArray, step: float) -> FloatArray:
    """The derivative at the first of three samples, of the parabola through them."""
    return np.asarray((4 * samples[1] - 3 * samples[0] - samples[2]) / (2 * step))


def _spin(samples: FloatArray, step: float) -> FloatArray:
    """(J, 3) the angular velocity at the first of three samples, in the joint's own frame."""
    back = quaternion.conjugate(samples[0])
    one, two = (quaternion.log(quaternion.multiply(back, samples[each])) for each in (1, 2))
    return np.asarray((4 * one - two) / (2 * step))


def _rotations(clip: Clip, first: Frames, last: Frames, step: float, back: FloatArray) -> tuple[IntArray, FloatArray]:
    start, end = first.rotations, last.rotations
    leaving, arriving = _spin(start, step), _spin(end, -step)
    ends = end[0].copy()
    roots = list(clip.body.skeleton.roots)
    ends[roots] = quaternion.multiply(back, ends[roots])
    gap = quaternion.log(quaternion.multiply(quaternion.conjugate(start[0]), ends))
    # In the frame that both ends come to share, after half of the gap from either side.
    at_start = quaternion.rotate(quaternion.exp(-0.5 * gap), leaving)
    at_end = quaternion.rotate(quaternion.exp(0.5 * gap), arriving)
    change = 0.5 * (at_end - at_start)
    # A displacement exp(c) within the joint adds the right Jacobian of c times the velocity of c.
    first_change = _inverse_jacobian(0.5 * gap, change)
    last_change = _inverse_jacobian(-0.5 * gap, -change)
    vectors = np.stack([gap, first_change, last_change, np.zeros_like(gap)])
    targets = np.flatnonzero(np.abs(vectors).max(axis=(0, 2)) > NOISE)
    return targets, np.ascontiguousarray(vectors[None][:, :, targets])


def _inverse_jacobian(vectors: FloatArray, velocities: FloatArray) -> FloatArray:
    """(J, 3) the rates of rotation vectors whose exponential turns with ``velocities``, in the turned frame."""
    square = np.sum(vectors * vectors, axis=-1, keepdims=True)
    angle = np.sqrt(square)
    is_small = angle < 1e-3
    safe = np.where(is_small, 1.0, angle)
    factor = np.where(is_small, 1 / 12 + square / 720, 1 / safe**2 - 0.5 / (safe * np.tan(0.5 * safe)))
    once = np.cross(vectors, velocities)
    return np.asarray(velocities + 0.5 * once + factor * np.cross(vectors, once))


def _roots(
    clip: Clip, first: Frames, last: Frames, step: float, standing: Standing, moved: FloatArray, angle: float
) -> Line:
    start = np.stack(root_places(first, clip.body), axis=1)
    end = np.stack(root_places(last, clip.body), axis=1)
    end = quaternion.rotate(quaternion.conjugate(standing.turn(angle)), end - moved)
    # The correction turns with the heading while it is applied; that, too, is velocity.
    swept = 0.5 * np.cross(standing.up, end[0] - start[0]) * angle / clip.duration
    return Line.between(start[0], end[0], _slope(start, step) + swept, _slope(end, -step) - swept)


def _without_roots(frames: Frames, clip: Clip) -> FloatArray | None:
    if frames.translations is None:
        return None
    kept = frames.translations.copy()
    kept[:, list(clip.body.skeleton.roots)] = 0.0
    return kept
