"""The mass of a body known only by its joints: capsules from each joint to its children."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, require_finite
from mummer.character._checks import require_exact_shape
from mummer.character.derive import rest_positions
from mummer.character.mass import WATER, Mass
from mummer.character.mass_frames import mass_of_rest
from mummer.character.skeleton import Skeleton
from mummer.character.solids import Moments, ball_moments, capsule_moments
from mummer.errors import InputError

THICKNESS = 0.08
"""Radius of a part, as a share of the longest way from it to a tip: near enough for trunk, arms and legs of people."""
TIP = 0.25
"""Radius of the ball at a joint without children, as a share of the way from its parent."""


def mass_from_capsules(skeleton: Skeleton, radii: npt.ArrayLike | None = None, *, density: float = WATER) -> Mass:
    """The mass of a body whose joints are joined by capsules; a joint without children is a ball.

    Args:
        skeleton: the body.
        radii: (J,) metres; guessed from lengths if not given.
        density: kilograms a cubic metre.

    Raises:
        InputError: if there are not J radii, or one is negative.
    """
    positions = rest_positions(skeleton)
    thick = guess_radii(skeleton) if radii is None else np.asarray(radii, np.float64)
    require_exact_shape(thick, (len(skeleton),), "radii of capsules")
    require_finite(thick, "radii of capsules")
    if np.any(thick < 0):
        raise InputError("a radius of a capsule is negative")
    children = np.flatnonzero(skeleton.parents >= 0)
    parents = skeleton.parents[children]
    tips = np.array([joint for joint, below in enumerate(skeleton.children) if not below], np.int64)
    links = capsule_moments(positions[parents], positions[children], thick[parents])
    balls = ball_moments(positions[tips], thick[tips])
    labels = np.concatenate([parents, tips])
    solids = Moments(
        np.concatenate([links.volumes, balls.volumes]),
        np.concatenate([links.centers, balls.centers]),
        np.concatenate([links.seconds, balls.seconds]),
    )
    return mass_of_rest(skeleton, solids.joined(labels, len(skeleton)), density)


def _only_carries(skeleton: Skeleton, joint: int) -> bool:
    """Whether the root ``joint`` only moves the body about: the way from it to the hips is no part of it."""
    below = skeleton.children[joint]
    return len(below) == 1 and len(skeleton.children[below[0]]) > 1


def guess_radii(skeleton: Skeleton) -> FloatArray:
    """(J,) metres, a likely radius for each joint's part, from how far the body goes on below it.

    A root that only moves the body about gets none.
    """
    positions, parents = rest_positions(skeleton), skeleton.parents.tolist()
    lengths = np.array([0.0 if p < 0 else np.linalg.norm(positions[j] - positions[p]) for j, p in enumerate(parents)])
    reach = np.zeros(len(skeleton))
    for joint in range(len(skeleton) - 1, -1, -1):
        if parents[joint] >= 0:
            reach[parents[joint]] = max(reach[parents[joint]], reach[joint] + lengths[joint])
    radii = np.where(reach > 0, THICKNESS * reach, TIP * lengths)
    radii[[joint for joint in skeleton.roots if _only_carries(skeleton, joint)]] = 0.0
    return radii
