"""Capsules in the world, and how far points and other capsules are from them, frame by frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray, locked, require_finite
from mummer.character import Character, Pose
from mummer.errors import InputError
from mummer.ik.volume.capsule import at_share, capsule_of, nearest_share, nearest_shares, thickness
from mummer.ik.volume.volume import Volume, volume_of
from mummer.ik.world_state import WorldState
from mummer.kernels.arguments import (
    Count,
    Floats1,
    Floats2,
    Floats3,
    Floats4,
    Number,
    Output1,
    Output2,
    Output3,
    Output4,
    Parents,
)
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU
from mummer.kernels.vectors import direction, dot, four, minus, plus, put_three, scaled, size, three, turned

PAIRS_A_PIECE, POINTS_A_PIECE = 4096, 256


class Solids(NamedTuple):
    """Capsules in B poses: radii (C, 2), ends (B, C, 2, 3), and the ball around each (B, C, 4), middle and radius."""

    radii: Floats2
    ends: Floats4
    bounds: Floats3


class PairTable(NamedTuple):
    """Pairs of capsules: which (P,), the trims (P, 2, 2) of both, and metres (P,) up to which they are looked at."""

    first: Parents
    second: Parents
    trims: Floats3
    reach: Floats1


class Found(NamedTuple):
    """Signed distances (B, P), shares (B, P, 2) along both axes, and normals (B, P, 3) from the second to the first."""

    distances: Output2
    shares: Output3
    normals: Output3


@kernel(borrows=True)
def place_capsules(
    frame: int, joints: Parents, ends: Floats3, radii: Floats2, places: Floats3, turns: Floats3, placed: Output4,
    bounds: Output3,
) -> None:  # fmt: skip
    """One item is one frame: the ends of all capsules in the world, and the ball around each, middle and radius."""
    for capsule in range(joints.shape[0]):
        joint = joints[capsule]
        for end in range(2):
            away = turned(four(turns[frame], joint, 0), three(ends[capsule], end, 0))
            put_three(placed[frame, capsule], end, 0, plus(three(places[frame], joint, 0), away))
        low, high = three(placed[frame, capsule], 0, 0), three(placed[frame, capsule], 1, 0)
        put_three(bounds[frame], capsule, 0, scaled(plus(low, high), 0.5))
        bounds[frame, capsule, 3] = 0.5 * size(minus(high, low)) + max(radii[capsule, 0], radii[capsule, 1])


@kernel(borrows=True)
def measure_pairs(frame: int, pairs: PairTable, one: Solids, other: Solids, found: Found) -> None:
    """One item is one frame: the signed distance of each pair, the shares along both axes, and the normal.

    A pair whose bounding balls are farther apart than the reach of the pair is not looked at closely: its distance is
    that of these balls, and nothing else is written.
    """
    for pair in range(pairs.first.shape[0]):
        a, b = pairs.first[pair], pairs.second[pair]
        away = minus(three(one.bounds[frame], a, 0), three(other.bounds[frame], b, 0))
        around = one.bounds[frame, a, 3] + other.bounds[frame, b, 3]
        if dot(away, away) >= (around + pairs.reach[pair]) * (around + pairs.reach[pair]):
            found.distances[frame, pair] = size(away) - around
            continue
        trims = pairs.trims[pair]
        first = capsule_of(a, one.ends[frame], one.radii, trims[0, 0], trims[0, 1])
        second = capsule_of(b, other.ends[frame], other.radii, trims[1, 0], trims[1, 1])
        s, t = nearest_shares(first, second)
        away = minus(at_share(first, s), at_share(second, t))
        found.distances[frame, pair] = size(away) - thickness(first, s) - thickness(second, t)
        found.shares[frame, pair, 0], found.shares[frame, pair, 1] = s, t
        # Axes that cross have no side.
        put_three(found.normals[frame], pair, 0, direction(away, (0.0, 1.0, 0.0)))


@kernel(borrows=True)
def measure_points(
    item: int, per_frame: Count, points: Floats3, solids: Solids, softness: Number, distances: Output1,
    nearest: Output1, normals: Output2,
) -> None:  # fmt: skip
    """One item is one point of one frame: the distance to the union of all capsules, the nearest of them, the normal.

    With a softness of some metres the union is rounded where capsules meet: distances are blended exponentially.
    """
    frame = item // per_frame
    point, closest, which = three(points[frame], item - frame * per_frame, 0), math.inf, 0
    # Two passes: the nearest one first, so that no exponential can overflow.
    total, normal = 0.0, (0.0, 0.0, 0.0)
    for sweep in range(2):
        for number in range(solids.radii.shape[0]):
            capsule = capsule_of(number, solids.ends[frame], solids.radii, 0.0, 1.0)
            share = nearest_share(point, capsule)
            away = minus(point, at_share(capsule, share))
            distance = size(away) - thickness(capsule, share)
            if sweep == 0:
                if distance < closest:
                    closest, which = distance, number
            elif number == which or softness > 0.0:
                weight = 1.0 if number == which else math.exp((closest - distance) / softness)
                normal = plus(normal, scaled(direction(away, (0.0, 1.0, 0.0)), weight))
                total += weight
    if softness > 0.0:
        closest -= softness * math.log(total)
    distances[item], nearest[item] = closest, which
    put_three(normals, item, 0, direction(normal, (0.0, 1.0, 0.0)))


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

    @property
    def solids(self) -> Solids:
        """The same as kernels see it."""
        return Solids(self.volume.radii, locked(self.ends, copy=False), locked(self.bounds, copy=False))


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
    frames, count = len(placed), len(first)
    # Zeros cost nothing where nobody writes, and most pairs are out of reach.
    found = Found(np.empty((frames, count)), np.zeros((frames, count, 2)), np.zeros((frames, count, 3)))
    pairs = PairTable(
        locked(first, np.int64), locked(second, np.int64), locked(trims), locked(np.broadcast_to(reach, count).copy())
    )
    CPU.run(
        measure_pairs, frames, pairs, placed.solids, other.solids, found, grain=max(1, PAIRS_A_PIECE // max(1, count))
    )
    return found


@dataclass(frozen=True, eq=False)
class Nearest:
    """How N points stand to the surface of a body in B poses (that axis is absent for a single pose).

    Attributes:
        distances: (..., N) metres to the surface, negative within.
        normals: (..., N, 3) unit, the way out.
        closest: (..., N, 3) the nearest places on the surface, metres; from within the body, those on the surface of
            the part that the point is deepest in.
        joints: (..., N) the joint that carries the nearest part.
    """

    distances: FloatArray
    normals: FloatArray
    closest: FloatArray
    joints: IntArray


def distance_to_volume(character: Character, pose: Pose, points: npt.ArrayLike, *, softness: float = 0.0) -> Nearest:
    """How far points are from the capsules of a body.

    Args:
        character: the body.
        pose: one pose or a batch (B,).
        points: (N, 3) in the world, metres, the same for all poses; or (B, N, 3).
        softness: metres over which creases between capsules are rounded, so that distance and normal change smoothly;
            the surface then bulges by about as much where capsules meet.

    Raises:
        InputError: if the points do not fit the poses, or the body has no volume.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik.volume import distance_to_volume
        >>> snake = mm.zoo.body("snake")
        >>> far = distance_to_volume(snake, snake.default_pose, [[0.0, 10.0, 0.0]])
        >>> bool(far.distances[0] > 9)
        True
    """
    state, volume = WorldState(character, pose), volume_of(character)
    at = np.asarray(points, np.float64)
    if at.shape[-1:] != (3,) or at.ndim not in (2, 3) or (at.ndim == 3 and len(at) != len(state)):
        raise InputError(f"points of shape {at.shape} do not fit {len(state)} poses; expected (N, 3) or (B, N, 3)")
    require_finite(at, "points")
    if not softness >= 0:
        raise InputError(f"a softness of {softness:g} m makes no sense; expected zero or more")
    if not len(volume):
        raise InputError(f"{character.name!r} has no volume: nothing to be distant from")
    at = np.ascontiguousarray(np.broadcast_to(at, (len(state), *at.shape[-2:])))
    distances, nearest, normals = np.empty(at.shape[:2]), np.empty(at.shape[:2]), np.empty(at.shape)
    CPU.run(
        measure_points, distances.size, max(at.shape[1], 1), at, placed_capsules(volume, state).solids, float(softness),
        distances.reshape(-1), nearest.reshape(-1), normals.reshape(-1, 3), grain=POINTS_A_PIECE,
    )  # fmt: skip
    closest = at - distances[..., None] * normals
    found = Nearest(distances, normals, closest, volume.joints[nearest.astype(np.int64)])
    return found if pose.shape else Nearest(distances[0], normals[0], closest[0], found.joints[0])
