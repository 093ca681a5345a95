"""Capsules in the world, and the distances between pairs of them, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.ik.volume.capsule_loops import measure_pairs, place_capsules
from mummer.ik.volume.volume import Volume
from mummer.ik.world_state import WorldState
from mummer.kernels.place import CPU

PAIRS_A_PIECE = 4096


@dataclass(frozen=True, eq=False)
class Placed:
    """The capsules of a body in B poses.

    Attributes:
        volume: the capsules.
        ends: (B, C, 2, 3) in the world, metres.
        bounds: (B, C, 4) the ball around each: its middle, and its radius.
    """

    volume: Volume
    ends: FloatArray
    bounds: FloatArray

    def __len__(self) -> int:
        return len(self.ends)


def placed_capsules(volume: Volume, state: WorldState) -> Placed:
    """Where the posed body puts its capsules."""
    ends, bounds = np.empty((len(state), len(volume), 2, 3)), np.empty((len(state), len(volume), 4))
    CPU.run(
        place_capsules, len(state), volume.joints, volume.ends, volume.radii, state.positions, state.rotations,
        ends, bounds, grain=max(1, PAIRS_A_PIECE // max(1, len(volume))),
    )  # fmt: skip
    return Placed(volume, ends, bounds)


def distances_of(
    placed: Placed,
    other: Placed,
    first: IntArray,
    second: IntArray,
    trims: FloatArray,
    reach: FloatArray | float = np.inf,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far pairs of capsules are apart.

    Args:
        placed: the capsules that ``first`` names.
        other: the capsules that ``second`` names, in as many poses.
        first: (P,) one capsule of each pair.
        second: (P,) the other.
        trims: (P, 2, 2) from where to where along its axis each counts.
        reach: metres, for all or (P,); of pairs farther apart than this only a lower bound of the distance is found.

    Returns:
        Signed distances (B, P) in metres, shares (B, P, 2) along both axes, unit normals (B, P, 3) from the second
        towards the first; shares and normals are zero for pairs out of reach.
    """
    frames, pairs = len(placed), len(first)
    # Zeros cost nothing where nobody writes, and most pairs are out of reach.
    distances, shares, normals = np.empty((frames, pairs)), np.zeros((frames, pairs, 2)), np.zeros((frames, pairs, 3))
    CPU.run(
        measure_pairs, frames,
        np.ascontiguousarray(first, np.int64), np.ascontiguousarray(second, np.int64), np.ascontiguousarray(trims),
        placed.volume.radii, other.volume.radii, placed.ends, other.ends, placed.bounds, other.bounds,
        np.broadcast_to(np.asarray(reach, np.float64), pairs).copy(), distances, shares, normals,
        grain=max(1, PAIRS_A_PIECE // max(1, pairs)),
    )  # fmt: skip
    return distances, shares, normals
