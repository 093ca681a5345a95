"""Parts of a body that take part in a retarget, by the names of groups and a few that everybody understands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import BoolArray, IntArray
from mummer.errors import UnknownNameError
from mummer.retargeting.build import Build
from mummer.retargeting.transfer import Transfer

UPPER, LOWER = "upper body", "lower body"


def joints_of_groups(target: Build, groups: Sequence[str]) -> BoolArray:
    """(J,) the joints in ``groups``, names of the anatomy's groups, ``upper body`` or ``lower body``; all if empty.

    Raises:
        UnknownNameError: with the closest names there are.
    """
    chosen = np.full(len(target.skeleton), not groups)
    for name in groups:
        if name == UPPER:
            chosen |= ~_lower(target)
        elif name == LOWER:
            chosen |= _lower(target)
        elif name in target.anatomy.groups:
            chosen[list(target.anatomy.groups[name])] = True
        else:
            choices = [*target.anatomy.groups, UPPER, LOWER]
            raise UnknownNameError(repr(target.character.name), "group", name, choices)
    return chosen


def resting_source(transfer: Transfer, chosen: BoolArray) -> IntArray:
    """(n,) joints of the source that are held at rest so that the chosen parts move as if the others stood still."""
    target, source = transfer.target.skeleton, transfer.source.skeleton
    moving = np.zeros(len(source), bool)
    for joint in np.flatnonzero(chosen):
        pair = transfer.pairs.get(int(joint))
        if pair is None:
            continue
        parent = int(target.parents[joint])
        above = transfer.pairs.get(parent) if parent >= 0 else None
        # From just below the counterpart of what is above, so that joints that the target lacks count too.
        stop = -1 if above is None else above.first
        for each in (pair.second if pair.share > 0 else pair.first, *source.ancestors(pair.first)):
            if each == stop or (above is None and not chosen[transfer.target.hips] and each == transfer.source.hips):
                break
            moving[each] = True
    return np.flatnonzero(~moving)


def _lower(target: Build) -> BoolArray:
    """(J,) hips, what is above them, legs and tail."""
    lower = np.zeros(len(target.skeleton), bool)
    lower[[target.hips, *target.skeleton.ancestors(target.hips)]] = True
    for leg in target.legs:
        if not leg.name.startswith("front"):
            lower[list(target.skeleton.descendants(leg.upper))] = True
            lower[list(target.skeleton.descendants(leg.foot))] = True
    for limb in target.anatomy.limbs:
        if limb.kind == "tail":
            lower[list(target.skeleton.descendants(limb.base))] = True
    return lower
