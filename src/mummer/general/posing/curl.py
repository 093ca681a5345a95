"""Limbs that bend at several hinges: one way to be longer or shorter, from straight to curled, tabulated once.

A limb of hip and hinges has more ways to be as long as it should than are needed. It takes the one on which all hinges
go from rest towards straight, or towards folded, by the same share of what each can do.
"""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limits import HINGE
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion

ROWS = 33
"""How many lengths are tabulated."""
TRIES = 61


def curl_table(physique: Physique, hip: int, members: tuple[int, ...], tip: int, point: FloatArray) -> FloatArray:
    """(ROWS, 1 + M) metres from hip to the point of the tip, ever less, and the angles of the hinges below the hip.

    Args:
        physique: the body.
        hip: one of the members.
        members: (M,) the joints of the limb; those that are no hinges, or not below the hip, have angle zero.
        tip: what is placed.
        point: (3,) in the tip's frame, metres.
    """
    limits = rigid_body(physique.character).limits
    count = len(members)
    bends = [place for place in range(members.index(hip) + 1, count) if limits.kinds[members[place]] == HINGE]
    ends = np.zeros((2, count))
    for place in bends:
        ends[:, place] = _straight_and_folded(physique, hip, members, tip, point, place)
    shares = np.linspace(-1.0, 1.0, ROWS)[:, None]
    angles = np.where(shares < 0, -shares * ends[0], shares * ends[1])
    lengths = _lengths(physique, hip, members, tip, point, angles)
    step = 1e-6 * max(float(lengths.max()), 1e-9)
    for row in range(1, ROWS):
        lengths[row] = min(lengths[row], lengths[row - 1] - step)
    return np.concatenate([lengths[:, None], angles], axis=1)


def _straight_and_folded(
    physique: Physique, hip: int, members: tuple[int, ...], tip: int, point: FloatArray, place: int
) -> tuple[float, float]:
    """The angle at which a hinge makes the limb longest, and the end of its range that is farther from that."""
    low, high = rigid_body(physique.character).limits.ranges[members[place]]
    tried = np.linspace(min(low, 0.0), max(high, 0.0), TRIES)
    angles = np.zeros((TRIES, len(members)))
    angles[:, place] = tried
    longest = float(tried[int(np.argmax(_lengths(physique, hip, members, tip, point, angles)))])
    return longest, float(low if longest - low > high - longest else high)


def _lengths(
    physique: Physique, hip: int, members: tuple[int, ...], tip: int, point: FloatArray, angles: FloatArray
) -> FloatArray:
    """(n,) metres from hip to tip with the hinges at ``angles`` (n, M)."""
    body = rigid_body(physique.character)
    end = np.broadcast_to(point, (len(angles), 3))
    below = tip
    for place in range(len(members) - 1, members.index(hip) - 1, -1):
        joint = members[place]
        end = body.offsets[below] + quaternion.rotate(body.rest_rotations[below], end)
        turn = quaternion.exp(angles[:, place, None] * body.limits.axes[joint])
        end = quaternion.rotate(turn, end)
        below = joint
    return np.linalg.norm(end, axis=1)
