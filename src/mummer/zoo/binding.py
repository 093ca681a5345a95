"""Which joints may carry a place on the skin, as flat arrays.

A binding is a row of joints that share flesh: a chain, or a single joint. Along a chain, the share passes from one
joint to the next across the plane that halves the angle between them, over a distance that depends on the thickness
there. From chain to chain it passes only between a chain and the one it grows from, and only near the place where it
does, so that a leg never pulls the other leg and fingers stay apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, locked_record
from mummer.zoo.arguments import BindingRows, IntegerArray
from mummer.zoo.plan import Plan

UNRELATED, SAME, SECOND_IS_CHILD, FIRST_IS_CHILD = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class Bindings:
    """All bindings of a body.

    Attributes:
        names: chain and joint names to the number of their binding.
        first: (B + 1,) where each binding's joints begin; its points begin at ``first[b] + b``.
        joints: (N,) joint indices.
        points: (N + B, 3) joints and then the end of each binding.
        planes: (N, 3) unit normal of the plane across each joint, pointing outwards along the chain.
        windows: (N,) half the distance over which the share passes, in metres.
        bases: (B, 4) where the binding starts and how far from there it may share with the one it grows from.
        relations: (B, B) UNRELATED, SAME, SECOND_IS_CHILD or FIRST_IS_CHILD.
    """

    names: dict[str, int]
    first: IntegerArray
    joints: IntegerArray
    points: FloatArray
    planes: FloatArray
    windows: FloatArray
    bases: FloatArray
    relations: IntegerArray

    @property
    def rows(self) -> BindingRows:
        """The arrays as the loops take them."""
        return locked_record(BindingRows(
            self.first, self.joints, self.points, self.planes, self.windows, self.bases, self.relations
        ))  # fmt: skip


def make_bindings(plan: Plan, singles: list[str]) -> Bindings:
    """A binding for every chain, and one for each joint named in ``singles``."""
    names = {entry.chain.name: number for number, entry in enumerate(plan.chains)}
    singles = [name for name in dict.fromkeys(singles) if name not in names]
    names |= {name: len(plan.chains) + number for number, name in enumerate(singles)}
    single_joints = [plan.index[name] for name in singles]
    counts = [len(entry.joints) for entry in plan.chains] + [1] * len(singles)
    joints = [joint for entry in plan.chains for joint in entry.joints] + single_joints
    points = [entry.points for entry in plan.chains]
    points += [np.stack([plan.positions[j], plan.positions[j] + [0.0, 1e-3, 0.0]]) for j in single_joints]
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    lines = np.concatenate(points)
    planes, spans = _planes(lines, first)
    bases = [(*entry.points[0], 2.6 * float(entry.radii[0].max())) for entry in plan.chains]
    bases += [(*plan.positions[joint], 1e3) for joint in single_joints]
    thickness = np.concatenate([*(entry.radii[:-1] for entry in plan.chains), np.full((len(singles), 2), 1e-3)])
    return Bindings(
        names,
        first,
        np.array(joints, np.int64),
        lines,
        planes,
        np.maximum(np.minimum(0.85 * thickness.mean(axis=1), 0.48 * spans), 1e-4),
        np.array(bases),
        _relations(plan, single_joints),
    )


def _planes(lines: FloatArray, first: IntegerArray) -> tuple[FloatArray, FloatArray]:
    """(N, 3) plane normals, and (N,) the shorter of the pieces before and after each joint."""
    ends = first[1:] + np.arange(len(first) - 1)
    steps = np.delete(lines[1:] - lines[:-1], ends[:-1], axis=0)
    lengths = np.sqrt((steps * steps).sum(axis=1))
    directions = steps / lengths[:, None]
    starts = np.zeros(len(steps), bool)
    starts[first[:-1]] = True
    before = np.where(starts[:, None], directions, np.roll(directions, 1, axis=0))
    normals = directions + before
    sizes = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    # A joint that folds right back has no plane between; its own direction serves.
    planes = np.where(sizes > 0.2, normals / np.maximum(sizes, 1e-9), directions)
    return planes, np.minimum(lengths, np.where(starts, lengths, np.roll(lengths, 1)))


def _relations(plan: Plan, single_joints: list[int]) -> IntegerArray:
    """How every two bindings stand to each other, by the chains that their joints are in."""
    eye_parent = {plan.index[eye.joint]: plan.index[eye.parent] for eye in plan.recipe.eye}
    homes = list(range(len(plan.chains)))
    homes += [plan.chain_of[eye_parent.get(joint, joint)] for joint in single_joints]
    count = len(plan.chains)
    parents = [plan.chain_of[entry.parent] if entry.parent >= 0 else -1 for entry in plan.chains]
    between = np.full((count, count), UNRELATED, np.int64)
    np.fill_diagonal(between, SAME)
    for child, parent in enumerate(parents):
        if parent >= 0:
            between[parent, child], between[child, parent] = SECOND_IS_CHILD, FIRST_IS_CHILD
    return np.ascontiguousarray(between[np.ix_(homes, homes)])
