"""How deep parts of a body sink into one another, or into another body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.errors import InputError
from mummer.ik.volume.pairs import GIVES, Pairs, pairs_of
from mummer.ik.volume.placed import Placed, distances_of, placed_capsules
from mummer.ik.volume.volume import Volume, volume_of
from mummer.ik.world_state import WorldState


@dataclass(frozen=True, eq=False)
class Penetration:
    """P pairs of capsules in B poses (that axis is absent for a single pose).

    Attributes:
        pairs: (P, 2) the capsules of each pair.
        joints: (P, 2) the joints that carry them.
        distances: (..., P) metres between their surfaces, negative where they overlap; of pairs farther apart than was
            asked for, a lower bound.
        gives: (P,) metres of overlap that count as touching: flesh gives.
        normals: (..., P, 3) unit, from the second towards the first; zero for pairs farther apart than was asked for.
        shares: (..., P, 2) of the way along both axes, where the two come nearest.
        ends: (..., C, 2, 3) and (..., D, 2, 3) of all capsules of both bodies in the world, metres.
    """

    pairs: IntArray
    joints: IntArray
    distances: FloatArray
    gives: FloatArray
    normals: FloatArray
    shares: FloatArray
    ends: tuple[FloatArray, FloatArray]

    @cached_property
    def depth(self) -> FloatArray:
        """(..., P) metres of overlap beyond what flesh gives; zero where there is none."""
        return np.maximum(-self.distances - self.gives, 0.0)

    @cached_property
    def worst(self) -> FloatArray:
        """(...) the deepest overlap of each pose, metres."""
        return np.asarray(self.depth.max(axis=-1, initial=0.0))

    @cached_property
    def points(self) -> FloatArray:
        """(..., P, 2, 3) the places of both axes where they come nearest, in the world, metres."""
        found = []
        for side, ends in enumerate(self.ends):
            mine, share = ends[..., self.pairs[:, side], :, :], self.shares[..., side, None]
            found.append(mine[..., 0, :] + share * (mine[..., 1, :] - mine[..., 0, :]))
        return np.stack(found, axis=-2)

    @property
    def is_penetrating(self) -> BoolArray:
        """(...) whether any pair overlaps."""
        return np.asarray(self.worst > 0)

    def worst_pairs(self, count: int = 5) -> list[tuple[int, int, float]]:
        """The joints of the pairs that overlap most in any pose, with their depth in metres, deepest first."""
        deepest = self.depth.reshape(-1, len(self.pairs)).max(axis=0, initial=0.0)
        order = np.argsort(-deepest, kind="stable")[:count]
        return [(*self.joints[pair].tolist(), float(deepest[pair])) for pair in order if deepest[pair] > 0]


def self_penetration(character: Character, pose: Pose, *, reach: float | None = None) -> Penetration:
    """Where a body sinks into itself.

    Args:
        character: the body.
        pose: one pose or a batch.
        reach: metres up to which distances are exact; pairs farther apart get a lower bound. By default a twentieth
            of the body's height.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik.volume import self_penetration
        >>> dog = mm.zoo.body("dog")
        >>> bool(self_penetration(dog, dog.default_pose).is_penetrating)
        False
    """
    state, volume, pairs = WorldState(character, pose), volume_of(character), pairs_of(character)
    placed = placed_capsules(volume, state)
    far = 0.05 * state.body.height if reach is None else reach
    return _made(pairs, placed, placed, far, single=not pose.shape)


def penetration_between(first: Character, first_pose: Pose, second: Character, second_pose: Pose) -> Penetration:
    """Where two bodies sink into each other; distances are exact up to a twentieth of the smaller body's height.

    Args:
        first: one body.
        first_pose: its pose, or a batch.
        second: the other body.
        second_pose: its pose, or as many.

    Raises:
        InputError: if there are not as many poses of one as of the other.
    """
    if first_pose.shape != second_pose.shape:
        raise InputError(
            f"poses of {first.name!r} have shape {first_pose.shape} but those of {second.name!r} {second_pose.shape}; "
            "expected as many of one as of the other"
        )
    states = WorldState(first, first_pose), WorldState(second, second_pose)
    volume, other = volume_of(first), volume_of(second)
    placed, other_placed = placed_capsules(volume, states[0]), placed_capsules(other, states[1])
    far = 0.05 * min(state.body.height for state in states)
    return _made(_all_pairs(volume, other), placed, other_placed, far, single=not first_pose.shape)


def _all_pairs(volume: Volume, other: Volume) -> Pairs:
    first, second = (grid.reshape(-1) for grid in np.indices((len(volume), len(other))))
    thin = np.minimum(volume.radii.mean(axis=1)[first], other.radii.mean(axis=1)[second])
    whole = np.tile([0.0, 1.0], (len(first), 2, 1))
    return Pairs(first, second, whole, GIVES * thin, np.zeros(len(volume), np.int64), np.zeros(len(first), np.int64))


def _made(pairs: Pairs, placed: Placed, other: Placed, reach: float, *, single: bool) -> Penetration:
    found = distances_of(placed, other, pairs.first, pairs.second, pairs.trims, reach)
    distances, shares, normals, ends, other_ends = (
        each[0] if single else each for each in (*found, placed.ends, other.ends)
    )
    return Penetration(
        np.stack([pairs.first, pairs.second], axis=1),
        np.stack([placed.volume.joints[pairs.first], other.volume.joints[pairs.second]], axis=1),
        distances,
        pairs.gives,
        normals,
        shares,
        (ends, other_ends),
    )
