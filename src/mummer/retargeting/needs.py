"""What of each joint must be worked out for a frame: fingers have turns that matter and places that nobody asks for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from mummer.arrays import IntArray, locked
from mummer.character import Skeleton
from mummer.retargeting import columns
from mummer.retargeting.build import Build

if TYPE_CHECKING:
    from mummer.retargeting.transfer import Transfer


def whole_order(body: Build) -> IntArray:
    """(J, 3) all joints of a source, with their turns and places."""
    parents = body.skeleton.parents
    need = np.full(len(parents), columns.PLACE)
    return locked(np.stack([np.arange(len(parents)), parents, need], axis=1), np.int64)


def lean_order(transfer: Transfer) -> IntArray:
    """(n, 3) the joints of the source that a frame of the target is made of, with what is needed of them."""
    source, feet = transfer.source, transfer.leg_joints[:, columns.SOURCE_FOOT]
    ends = transfer.trunk[: columns.TRUNK_FIRST]
    turned = [*transfer.plan[:, columns.FIRST], *transfer.plan[:, columns.SECOND], *feet]
    need = _needs(source.skeleton, turned, [*source.girdle, *ends, *feet])
    whole = whole_order(source).copy()
    whole[:, columns.SOURCE_NEED] = need
    return locked(whole[need > columns.NOTHING], np.int64)


def lean_plan(transfer: Transfer) -> IntArray:
    """(J, 4) the plan of the target's joints, with what is needed of them."""
    target, legs, plan = transfer.target, transfer.leg_joints, transfer.plan.copy()
    placed = [*target.girdle, *legs[:, columns.UPPER], *legs[:, columns.LOWER]]
    held = [columns.FOOT, columns.TOES, columns.ABOVE_UPPER, columns.ABOVE_LOWER, columns.ABOVE_FOOT]
    turned = [*np.flatnonzero(plan[:, columns.FIRST] >= 0), *legs[:, held].ravel()]
    plan[:, columns.NEED] = _needs(target.skeleton, turned, placed)
    return locked(plan, np.int64)


def _needs(skeleton: Skeleton, turned: Iterable[int], placed: Iterable[int]) -> IntArray:
    """(J,) what is needed of each joint; what is needed of one is needed of those above it. Below 0 is no joint."""
    need = np.full(len(skeleton), columns.NOTHING, np.int64)
    for joints, what in ((turned, columns.TURN), (placed, columns.PLACE)):
        for joint in {int(each) for each in joints if each >= 0}:
            above = [joint, *skeleton.ancestors(joint)]
            need[above] = np.maximum(need[above], what)
    return need
