"""The capsules of a body as the engine keeps them apart: all that its skin fills, and alike on both sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.general.physique import Physique
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.volume.fit import fit_capsule
from mummer.ik.volume.volume import volume_of
from mummer.math import quaternion


class Capsules(NamedTuple):
    """C capsules: those of `ik.volume`, and further ones for what stands out of them, as muzzles do.

    Attributes:
        joints: (C,) who carries each.
        ends: (C, 2, 3) from there to the centres of both balls, at rest in character space.
        radii: (C, 2) of these balls.
        beside: (C,) the capsule that each stands out of; itself if none.
    """

    joints: IntArray
    ends: FloatArray
    radii: FloatArray
    beside: IntArray


STANDS_OUT, FEWEST = 0.3, 12
"""In radii, how far points of the skin are out of the capsules of a joint that are given one of their own, and how many
it takes."""


def make_capsules(physique: Physique, clouds: Sequence[FloatArray], core: Iterable[int]) -> Capsules:
    """The capsules of a body: those of trunk and heads hold all of their skin."""
    volume = volume_of(physique.character)
    ends = quaternion.rotate(physique.rotations[volume.joints][:, None], volume.ends)
    found: list[tuple[int, FloatArray, FloatArray, int]] = []
    for joint in core:
        mine = np.flatnonzero(volume.joints == joint)
        if not len(mine) or not len(clouds[joint]):
            continue
        outside = signed_distance(clouds[joint][:, None], ends[mine], volume.radii[mine])[0].min(axis=1)
        points = clouds[joint][outside > STANDS_OUT * volume.radii[mine].mean()]
        if len(points) >= FEWEST:
            fit = fit_capsule(points, np.ones(len(points)))
            found.append((joint, fit.ends, fit.radii, int(mine[0])))
    joints = np.array([*volume.joints, *(joint for joint, _, _, _ in found)], np.int64)
    ends = np.concatenate([ends.reshape(-1, 2, 3), *(each[None] for _, each, _, _ in found)])
    radii = np.concatenate([volume.radii.reshape(-1, 2), *(each[None] for _, _, each, _ in found)])
    beside = np.array([*range(len(volume)), *(beside for _, _, _, beside in found)], np.int64)
    return Capsules(joints, *_alike(physique, joints, ends, radii), beside)


ALIKE = 0.5
"""In radii, how far a capsule is from the mirror image of its partner at most: beyond that they differ on purpose."""
MIRRORED = np.array([-1.0, 1.0, 1.0])


def _alike(
    physique: Physique, joints: IntArray, ends: FloatArray, radii: FloatArray
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Ends and radii, each halfway to the mirror image of what is on the other side: fits to skin are never quite even.

    What is on the middle is its own partner, or that of another capsule of the same joint.
    """
    even, thick = ends.copy(), radii.copy()
    for number, joint in enumerate(joints):
        others = np.flatnonzero(joints == physique.anatomy.mirror[joint])
        there, wide = MIRRORED * ends[others], radii[others]
        # A capsule has no first and last end: the partner is turned to lie the same way.
        ways = np.einsum("nij,ij->ni", np.diff(there, axis=1), np.diff(ends[number], axis=0))[:, 0]
        there[ways < 0], wide[ways < 0] = there[ways < 0, ::-1], wide[ways < 0, ::-1]
        apart = np.linalg.norm(there - ends[number], axis=-1).max(axis=1, initial=0.0)
        if len(others) and apart.min() < ALIKE * radii[number].mean():
            nearest = int(np.argmin(apart))
            even[number] = 0.5 * (ends[number] + there[nearest])
            thick[number] = 0.5 * (radii[number] + wide[nearest])
    return even, thick
