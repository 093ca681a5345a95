"""The mass of a planned body from the tubes around its joints: quick, and near enough for creatures by the thousand."""

from __future__ import annotations

import numpy as np

from mummer.character import Mass, Skeleton
from mummer.character.mass import WATER
from mummer.character.mass_frames import mass_of_rest
from mummer.character.solids import capsule_moments
from mummer.zoo.plan import Plan


def mass_of_chains(plan: Plan, skeleton: Skeleton, *, density: float = WATER) -> Mass:
    """The mass of a body as capsules along its chains; eyes weigh nothing.

    Args:
        plan: the body where it stands.
        skeleton: its joints.
        density: kilograms a cubic metre.
    """
    starts = np.concatenate([entry.points[:-1] for entry in plan.chains])
    ends = np.concatenate([entry.points[1:] for entry in plan.chains])
    squares = np.concatenate([entry.radii.prod(axis=1)[:-1] + entry.radii.prod(axis=1)[1:] for entry in plan.chains])
    labels = np.array([joint for entry in plan.chains for joint in entry.joints])
    solids = capsule_moments(starts, ends, np.sqrt(squares / 2))
    return mass_of_rest(skeleton, solids.joined(labels, len(skeleton)), density)
