"""Calming: joints that jump are made to move over a few frames instead, and feet stay where they stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.clip import Frames
from mummer.general.calming_loop import RADIUS, calm_tracks
from mummer.general.context_limbs import chain_to
from mummer.general.gait.curves import smoothed_above
from mummer.general.holding import hold
from mummer.general.intent import at_rest
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.general.placing import place_parts
from mummer.general.track import Track
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.kernels.place import CPU

TURNS = (0.015, 0.03)
"""Parts of the body's longest side by which a joint's turn throws what it carries off its way in one frame: up to the
first that is left, from the second on it is spread over the frames around it."""
PLACES = (0.015, 0.03)
"""The same for where the root and feet are."""
HEIGHTS = (0.004, 0.012)
"""The same for how far a body is lifted."""
SHORTEST = 0.05
"""Part of the body's longest side: joints that carry less than this count as if they carried so much."""


def calm(physique: Physique, frames: Frames, feet: Mapping[int, FloatArray | None]) -> None:
    """Spread sudden changes over the frames around them, in place.

    Args:
        physique: the body.
        frames: T poses, 1/60 s apart.
        feet: joints that stay where they are in the world, as far as they do not jump themselves; for each the point
            that stays, metres in its own frame, or None for the joint itself.
    """
    tracks = np.ascontiguousarray(frames.rotations.transpose(1, 0, 2))
    turned, turns = _calmed(tracks, levers_of(physique), TURNS, physique.height)
    moved, root = _calmed(np.array(frames.root[None]), np.ones(1), PLACES, physique.height)
    if not turns.any() and not root.any():
        return
    stood = _standing(physique, frames, feet, (turns > 0) | (root > 0))
    made, changed = np.ascontiguousarray(turned.transpose(1, 0, 2)), turns.T > 0
    hold(physique, np.flatnonzero(changed.any(axis=0)).tolist(), made)
    frames.rotations[changed], frames.root[:] = made[changed], moved[0]
    if stood is not None:
        _put_back(physique, frames, stood)


def calm_height(heights: FloatArray, size: float) -> FloatArray:
    """(T,) heights without sudden changes, nowhere lower than ``heights``, for a body of that size, metres."""
    weights = _calmed(np.array(heights[None, :, None]), np.ones(1), HEIGHTS, size)[1][0]
    if not weights.any():
        return heights
    return np.asarray(heights + weights * (smoothed_above(heights, 3 * RADIUS) - heights))


def _calmed(
    tracks: FloatArray, levers: FloatArray, bounds: tuple[float, float], size: float
) -> tuple[FloatArray, FloatArray]:
    """(N, T, W) the tracks without sudden changes, and (N, T) how much they were changed."""
    count, moments, _ = tracks.shape
    weights, calmed = np.empty((count, moments)), np.empty_like(tracks)
    CPU.run(
        calm_tracks, count, tracks, levers, size * np.array(bounds), np.empty((count, moments)), weights,
        np.empty_like(tracks), calmed, grain=16,
    )  # fmt: skip
    return calmed, weights


@kept
def levers_of(physique: Physique) -> FloatArray:
    """(J,) metres from each joint to the farthest that it carries, doubled as quaternions change by half an angle."""
    places, parents = physique.positions, physique.character.skeleton.parents
    farthest = np.full(len(physique), SHORTEST * physique.height)
    for joint in range(len(physique)):
        above = int(parents[joint])
        while above >= 0:
            farthest[above] = max(farthest[above], float(np.linalg.norm(places[joint] - places[above])))
            above = int(parents[above])
    return 2.0 * farthest


class _Stood(NamedTuple):
    """Where feet stood before poses were changed.

    Attributes:
        rows: (T,) at which any of them depends on what was changed.
        own: of each foot (T,) at which it does.
        places, turns: at those rows.
    """

    rows: BoolArray
    own: dict[int, BoolArray]
    places: dict[int, Track]
    turns: dict[int, Track]


def _standing(
    physique: Physique, frames: Frames, feet: Mapping[int, FloatArray | None], changes: BoolArray
) -> _Stood | None:
    """Where feet are, calm themselves, at the rows at which any joint that they hang from changes, (J, T)."""
    ancestors = physique.character.skeleton.ancestors
    own = {foot: np.any(changes[[*ancestors(foot), foot]], axis=0) for foot in feet}
    rows = np.any(list(own.values()), axis=0) if own else np.zeros(len(frames), bool)
    if not rows.any():
        return None
    state, places, turns = WorldState(physique.character, frames.to_pose()), {}, {}
    always = np.ones(int(rows.sum()))
    for foot, offset in feet.items():
        where, turned = state.positions[:, foot], state.rotations[:, foot]
        if offset is not None:
            where = where + quaternions.rotate(turned, offset)
        steady = _calmed(np.array(where[None]), np.ones(1), PLACES, physique.height)[0][0]
        level = _calmed(np.array(turned[None]), levers_of(physique)[foot : foot + 1], TURNS, physique.height)[0][0]
        places[foot], turns[foot] = Track(steady[rows], always, offset), Track(level[rows], always)
    return _Stood(rows, own, places, turns)


def _put_back(physique: Physique, frames: Frames, stood: _Stood) -> None:
    """Bend legs so that their feet are where they stood, in place."""
    rows = np.flatnonzero(stood.rows)
    wanted = replace(at_rest(physique, np.zeros(len(rows))), places=stood.places, turns=stood.turns)
    placed = place_parts(wanted, Frames(frames.rotations[rows], frames.root[rows]))
    for foot, own in stood.own.items():
        for joint in chain_to(physique, foot)[1:]:
            frames.rotations[own, joint] = placed.rotations[own[rows], joint]
