"""The displacement curves of a space warp: from keys about the body to cubic pieces between shared knots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Pose
from mummer.clip.clip import Clip
from mummer.clip.warp_key import SpaceWarpKey
from mummer.clip.warp_tangents import Rule, tangents
from mummer.math import quaternion, splines

NOISE = 1e-13
"""Displacements smaller than this, in radians or metres, are rounding."""


@dataclass(frozen=True, eq=False)
class Curves:
    """Cubic pieces between knots. Of each piece: value at its start and end, slope at its start and end.

    Attributes:
        knots: (K,) seconds.
        targets: (n,) joints that are displaced.
        rotations: (K - 1, 4, n, 3) rotation vectors, or (1, 4, n, 3) for a single knot.
        root: (K - 1, 4, 3) metres, likewise.
        moves_root: whether any of that is not zero.
    """

    knots: FloatArray
    targets: IntArray
    rotations: FloatArray
    root: FloatArray
    moves_root: bool


def find_curves(
    clip: Clip, keys: Sequence[SpaceWarpKey], warped: BoolArray, *, rule: Rule, scale: float, rate: float
) -> Curves:
    """The curves through ``keys`` for the joints ``warped`` (J,)."""
    knots = np.array([key.time for key in keys])
    held = clip.sample(knots)
    turns, has_turn = _turns(clip, keys, held, warped)
    shifts, has_shift = _shifts(keys, held, bool(warped[0]))
    targets, pieces = [], []
    for joint in np.flatnonzero(has_turn.any(axis=0)):
        rows = np.flatnonzero(has_turn[:, joint])
        vectors = _continuous(turns[rows, joint])
        if np.abs(vectors).max() > NOISE:
            targets.append(int(joint))
            is_tweak = _tweaks(keys, rows, vectors)
            pieces.append(_pieces(knots, knots[rows], vectors, is_tweak, rule=rule, scale=scale, rate=rate))
    rows = np.flatnonzero(has_shift)
    moves_root = bool(len(rows)) and bool(np.abs(shifts[rows]).max() > NOISE)
    root: FloatArray = np.zeros((max(1, len(knots) - 1), 4, 3))
    if moves_root:
        is_tweak = _tweaks(keys, rows, shifts[rows])
        root = _pieces(knots, knots[rows], shifts[rows], is_tweak, rule=rule, scale=scale, rate=rate)
    rotations = np.stack(pieces, axis=2) if pieces else np.zeros((max(1, len(knots) - 1), 4, 0, 3))
    return Curves(knots, np.array(targets, np.int64), np.ascontiguousarray(rotations), root, moves_root)


def _turns(clip: Clip, keys: Sequence[SpaceWarpKey], held: Pose, warped: BoolArray) -> tuple[FloatArray, BoolArray]:
    """(K, J, 3) displacements of the joints as rotation vectors, and (K, J) where a key speaks of them."""
    skeleton = clip.body.skeleton
    turns = np.zeros((len(keys), len(skeleton), 3))
    given = np.zeros((len(keys), len(skeleton)), bool)
    back = quaternion.conjugate(held.rotations)
    for row, key in enumerate(keys):
        given[row] = key.zero or key.whole is not None
        if key.whole is not None:
            turns[row] = quaternion.log(quaternion.multiply(key.whole.rotations, back[row]))
        for name, rotation in key.targets.items():
            joint = skeleton.index(name)
            turns[row, joint] = quaternion.log(quaternion.multiply(rotation, back[row, joint]))
            given[row, joint] = True
        for name, rotation in key.turns.items():
            joint = skeleton.index(name)
            turns[row, joint] = quaternion.log(rotation)
            given[row, joint] = True
    return turns, given & warped


def _shifts(keys: Sequence[SpaceWarpKey], held: Pose, is_warped: bool) -> tuple[FloatArray, BoolArray]:
    """(K, 3) displacements of joint 0's place, and (K,) where a key speaks of it."""
    assert held.root_translation is not None
    shifts, given = np.zeros((len(keys), 3)), np.zeros(len(keys), bool)
    for row, key in enumerate(keys):
        goal = key.place
        if goal is None and key.whole is not None and key.shift is None:
            assert key.whole.root_translation is not None
            goal = tuple(key.whole.root_translation.tolist())
        if goal is not None:
            shifts[row] = np.asarray(goal) - held.root_translation[row]
        elif key.shift is not None:
            shifts[row] = key.shift
        given[row] = is_warped and (key.zero or goal is not None or key.shift is not None)
    return shifts, given


def _continuous(vectors: FloatArray) -> FloatArray:
    """(K, 3) the same turns, each told by the vector nearest to the one before."""
    found = vectors.copy()
    for row in range(1, len(found)):
        found[row] = quaternion.log_near(quaternion.exp(found[row]), found[row - 1])
    return found


def _tweaks(keys: Sequence[SpaceWarpKey], rows: IntArray, values: FloatArray) -> BoolArray:
    """(k,) which of the keys in ``rows`` were put in later."""
    moves = np.abs(values).max(axis=1) > NOISE
    said = [keys[row].tweak for row in rows]
    return np.array([bool(move) if tweak is None else tweak for tweak, move in zip(said, moves, strict=True)])


def _pieces(
    knots: FloatArray,
    times: FloatArray,
    values: FloatArray,
    is_tweak: BoolArray,
    *,
    rule: Rule,
    scale: float,
    rate: float,
) -> FloatArray:
    """(K - 1, 4, 3) the curve through ``values`` at ``times`` cut at all ``knots``, which changes nothing about it."""
    arriving, leaving = tangents(times, values, is_tweak, rule=rule, scale=scale, rate=rate)
    if len(knots) == 1:
        return np.stack([values[0], values[0], np.zeros(3), np.zeros(3)])[None]
    if len(times) == 1:
        at_start = at_end = np.broadcast_to(values, (len(knots) - 1, 3))
        return np.stack([at_start, at_end, np.zeros_like(at_start), np.zeros_like(at_start)], axis=1)
    at = splines.hermite(times, values, knots, tangents=leaving, in_tangents=arriving)
    after = _slopes_at(times, values, leaving, arriving, knots[:-1], side="right")
    before = _slopes_at(times, values, leaving, arriving, knots[1:], side="left")
    return np.stack([at[:-1], at[1:], after, before], axis=1)


def _slopes_at(
    times: FloatArray, values: FloatArray, leaving: FloatArray, arriving: FloatArray, at: FloatArray, *, side: str
) -> FloatArray:
    """(n, 3) the slope of the curve just after (``right``) or just before (``left``) the moments ``at``."""
    outside = (at >= times[-1]) | (at < times[0]) if side == "right" else (at > times[-1]) | (at <= times[0])
    segment = np.searchsorted(times, at, side=side) - 1  # type: ignore[call-overload]
    segment = np.clip(segment, 0, len(times) - 2)
    span = (times[segment + 1] - times[segment])[:, None]
    u = (at - times[segment])[:, None] / span
    rise = 6 * u * (1 - u) / span
    slope = (values[segment + 1] - values[segment]) * rise
    slope = slope + leaving[segment] * (1 - u) * (1 - 3 * u) + arriving[segment + 1] * u * (3 * u - 2)
    return np.where(outside[:, None], 0.0, slope)
