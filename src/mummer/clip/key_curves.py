"""Keyed tracks made ready for the inner loops: tangents found, segments worked out, everything in flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.clip import key_loops
from mummer.clip.keys import THIRD, Key, Track
from mummer.clip.loops import JOINTS_A_PIECE
from mummer.kernels.place import CPU
from mummer.math import quaternion

_KINDS = {
    "step": key_loops.STEP,
    "linear": key_loops.LINEAR,
    "hermite": key_loops.CUBIC,
    "bezier": key_loops.HANDLES,
}


@dataclass(frozen=True, eq=False)
class KeyCurves:
    """The tracks of one property.

    Attributes:
        targets: (N,) joints or morphs.
        starts: (N + 1,) where the keys of each of N tracks begin.
        times: (K,) seconds of all keys.
        kinds: (K,) of the segment after each key.
        reaches: (K, 2) of the handles before and after each key.
        values: (K, D).
        between: (K, 9) turns or (K, 2 D) control points of the segment after each key.
    """

    targets: IntArray
    starts: IntArray
    times: FloatArray
    kinds: IntArray
    reaches: FloatArray
    values: FloatArray
    between: FloatArray

    @classmethod
    def of(cls, tracks: Sequence[Track], targets: Sequence[int]) -> KeyCurves:
        """The curves of ``tracks``, one or more of the same property, for these joints or morphs."""
        keys = [key for track in tracks for key in track.keys]
        return cls(
            locked(targets, np.int64),
            locked(np.cumsum([0, *(len(track.keys) for track in tracks)]), np.int64),
            locked([key.time for key in keys]),
            locked([_kind(key) for key in keys], np.int64),
            locked([key.reach for key in keys]),
            locked(np.concatenate([_values(track) for track in tracks])),
            locked(np.concatenate([_segments(track) for track in tracks])),
        )

    def fill(self, out: FloatArray, at: FloatArray) -> None:
        """Write the values at times ``at`` (T,) into ``out`` (T, n, D); D = 4 means rotations."""
        CPU.run(
            key_loops.key_rotations if out.shape[2] == 4 else key_loops.key_vectors, len(out),
            np.ascontiguousarray(at), self.starts, self.times, self.kinds, self.reaches, self.values, self.between,
            self.targets, out, grain=max(1, JOINTS_A_PIECE // max(1, len(self.targets))),
        )  # fmt: skip


def hermite_turns(
    span: float, start: FloatArray, end: FloatArray, leaving: FloatArray, arriving: FloatArray
) -> FloatArray:
    """(..., 9) the three turns of a cubic of rotations from ``start`` to ``end``.

    Args:
        span: seconds between the two.
        start: (..., 4) rotations parent_from_joint.
        end: (..., 4) likewise.
        leaving: (..., 3) angular velocities at the start in the parent's frame, in radians a second.
        arriving: (..., 3) likewise at the end.
    """
    return _turns(start, end, THIRD * span * leaving, THIRD * span * arriving)


def _turns(start: FloatArray, end: FloatArray, first: FloatArray, last: FloatArray) -> FloatArray:
    """(..., 9) for handles (..., 3) as rotation vectors in the parent's frame."""
    leave = quaternion.rotate(quaternion.conjugate(start), first)
    arrive = quaternion.rotate(quaternion.conjugate(end), last)
    across = quaternion.multiply(quaternion.conjugate(start), end)
    middle = quaternion.multiply(quaternion.multiply(quaternion.exp(-leave), across), quaternion.exp(-arrive))
    return np.concatenate([leave, quaternion.log(middle), arrive], axis=-1)


def _kind(key: Key) -> int:
    return _KINDS[key.between]


def _values(track: Track) -> FloatArray:
    values = np.array([key.value for key in track.keys])
    return quaternion.normalize(values) if track.path == "rotation" else values


def _segments(track: Track) -> FloatArray:
    """(K, ...) what lies between each key and the next; nothing after the last."""
    values, times = _values(track), np.array([key.time for key in track.keys])
    arriving, leaving = _tangents(track, values, times)
    spans = np.diff(times)[:, None]
    reaches = np.array([key.reach for key in track.keys])
    is_bezier = np.array([key.between == "bezier" for key in track.keys[:-1]])
    out = np.where(is_bezier, reaches[:-1, 1], THIRD)[:, None] * spans * leaving[:-1]
    back = np.where(is_bezier, reaches[1:, 0], THIRD)[:, None] * spans * arriving[1:]
    if track.path == "rotation":
        is_straight = np.array([key.between == "linear" for key in track.keys[:-1]])[:, None]
        made = _turns(values[:-1], values[1:], np.where(is_straight, 0, out), np.where(is_straight, 0, back))
    else:
        made = np.concatenate([values[:-1] + out, values[1:] - back], axis=1)
    return np.concatenate([made, np.zeros((1, 9 if track.path == "rotation" else 2 * values.shape[1]))])


def _tangents(track: Track, values: FloatArray, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(K, D) changes per second with which the curve arrives at each key and leaves it."""
    is_rotation = track.path == "rotation"
    straight = _straight(values, times, is_rotation=is_rotation)
    smooth = _automatic(values, times, straight, is_rotation=is_rotation)
    none = np.zeros((1, straight.shape[1]))
    before, after = np.concatenate([none, straight]), np.concatenate([straight, none])
    arriving, leaving = smooth.copy(), smooth.copy()
    for place, key in enumerate(track.keys):
        if key.tangents == "flat":
            arriving[place] = leaving[place] = 0.0
        elif key.tangents == "broken":
            arriving[place] = before[place] if key.arriving is None else key.arriving
            leaving[place] = after[place] if key.leaving is None else key.leaving
    return arriving, leaving


def _straight(values: FloatArray, times: FloatArray, *, is_rotation: bool) -> FloatArray:
    """(K - 1, D) changes per second of the straight ways between keys."""
    spans = np.diff(times)[:, None]
    if is_rotation:
        return np.asarray(
            quaternion.log(quaternion.multiply(values[1:], quaternion.conjugate(values[:-1]))) / spans
        ).reshape(-1, 3)
    return np.diff(values, axis=0) / spans


def _automatic(values: FloatArray, times: FloatArray, straight: FloatArray, *, is_rotation: bool) -> FloatArray:
    """(K, D) changes per second at the keys, as a parabola through three of them has."""
    if is_rotation:
        return quaternion.rotate(values, quaternion.angular_velocity(values, times, frame="joint"))
    if len(times) < 3:
        return np.zeros_like(values) if len(times) == 1 else np.repeat(straight, 2, axis=0)
    return np.asarray(np.gradient(values, times, axis=0, edge_order=2))
