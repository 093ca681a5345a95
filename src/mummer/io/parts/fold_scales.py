"""Scales that stand on the joints only because of units, folded away: a metre is a metre at every joint."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import parent_first_order

UNIFORM = 1e-4
"""Three factors that differ relatively by less than this are one factor."""
ONE = 1e-5
"""Factors that differ from one by less than this are one."""


def scale_factors(parents: IntArray, scales: FloatArray) -> FloatArray:
    """(J,) the factor to take out of every joint: the product of the uniform scales from the root down to it.

    Taking factor f out of a joint leaves every point of the body where it is, if the translation of each child is
    multiplied by f, and so is what its joint carries (see `fold_scales` and `fold_binds`).

    Args:
        parents: (J,) parent of each joint, -1 for roots, in any order without loops.
        scales: (J, 3) factors at rest.
    """
    mean = scales.mean(axis=1)
    spread = np.abs(scales - mean[:, None]).max(axis=1)
    uniform = (spread <= UNIFORM * np.abs(mean)) & (np.abs(mean - 1) > ONE) & (mean != 0)
    own = np.where(uniform, mean, 1.0)
    factors = np.ones(len(parents))
    for joint in parent_first_order(parents):
        above = factors[parents[joint]] if parents[joint] >= 0 else 1.0
        # A body that is scaled up and down again must come back to exactly one.
        product = above * own[joint]
        factors[joint] = 1.0 if abs(product - 1) < ONE else product
    return factors


def fold_scales(
    parents: IntArray, factors: FloatArray, translations: FloatArray, scales: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Translations and scales (..., J, 3) of the same pose once the factors are taken out of the joints."""
    above = np.where(parents >= 0, factors[parents], 1.0)[:, None]
    folded = scales * (above / factors[:, None])
    return translations * above, np.where(np.abs(folded - 1) < ONE, 1.0, folded)


def fold_binds(factors: FloatArray, joint_from_mesh: FloatArray) -> FloatArray:
    """(B, 3, 4) binds of joints that have had their ``factors`` (B,) taken out."""
    return joint_from_mesh * factors[:, None, None]
