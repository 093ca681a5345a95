"""Signed distance from points to the volume of a posed body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray, require_finite
from mummer.character import Character, Pose
from mummer.errors import InputError
from mummer.ik.volume.capsule_loops import measure_points
from mummer.ik.volume.placed import placed_capsules
from mummer.ik.volume.volume_of import volume_of
from mummer.ik.world_state import WorldState
from mummer.kernels.place import CPU

POINTS_A_PIECE = 256


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
    count = at.shape[1]
    distances, nearest, normals = np.empty(at.shape[:2]), np.empty(at.shape[:2]), np.empty(at.shape)
    CPU.run(
        measure_points, distances.size, at, volume.radii, placed_capsules(volume, state).ends, np.array([softness]),
        max(count, 1), distances.reshape(-1), nearest.reshape(-1), normals.reshape(-1, 3), grain=POINTS_A_PIECE,
    )  # fmt: skip
    closest = at - distances[..., None] * normals
    found = Nearest(distances, normals, closest, volume.joints[nearest.astype(np.int64)])
    return found if pose.shape else Nearest(distances[0], normals[0], closest[0], found.joints[0])
