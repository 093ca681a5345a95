"""Which capsules of a body are kept apart from one another, and how deep they may sink into one another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character import Character, Pose
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.volume.placed import distances_of, placed_capsules
from mummer.ik.volume.volume import Volume, volume_of
from mummer.ik.world_state import WorldState
from mummer.kept import kept

LIMB = 0.35
"""Two parts whose nearest common ancestor carries less than this part of all lengths belong to one limb."""
GIVES = 0.25
"""How deep flesh gives, as a part of the smaller radius."""
MORE = 0.1
"""How much deeper than at rest parts may be that touch there, as a part of the smaller radius."""
GROWN_TOGETHER = 0.5
"""Pairs that overlap deeper than this at rest, as a part of the smaller radius, are left alone."""
ROOM = 1.2
"""How much farther than just out of the other part a place must reach to count as able to leave it."""

TRUNK = 4.0
"""Two parts of the trunk are kept apart only if the way along it is this many times as long as both are thick."""
SMALL = 0.02
"""Part of all lengths that a joint carries from which on nothing stands for it."""
SIBLINGS = 0.75
"""Two parts that leave a third side by side are kept apart only if they begin this part of their thickness apart."""
SLIVER = 2e-3
"""Capsules thinner than this part of the body's longest side are stray skin: they hold nothing to be entered."""
DRAPED = 3.0
"""What lies in the trunk at rest all along, this many times deeper than it is thick, is wrapped round it."""
SHARES = np.linspace(0.0, 1.0, 21)


@dataclass(frozen=True, eq=False)
class Pairs:
    """P pairs of capsules that should not sink into each other.

    Attributes:
        first, second: (P,) the capsules.
        trims: (P, 2, 2) from where to where, as shares of the axis, each of both capsules counts: near a shoulder the
            arm cannot leave the chest however it turns.
        gives: (P,) metres that they may sink into each other: flesh gives, and some touch at rest.
        limbs: (C,) the limb of each capsule, by its topmost joint; a joint of the trunk stands for itself.
        movers: (P,) the limb of each pair that makes way: the lighter one.
    """

    first: IntArray
    second: IntArray
    trims: FloatArray
    gives: FloatArray
    limbs: IntArray
    movers: IntArray

    def __len__(self) -> int:
        return len(self.first)


@kept
def pairs_of(character: Character) -> Pairs:
    """The pairs of capsules of ``character`` that can collide; made once and remembered.

    Left out are parts of one limb, a part and what hangs directly from it, and what is grown together at rest.
    """
    pairs, thickness = all_pairs_of(character), volume_of(character).radii.mean(axis=1)
    thin = np.minimum(thickness[pairs.first], thickness[pairs.second])
    apart = pairs.gives <= (GROWN_TOGETHER + MORE) * thin
    return Pairs(
        locked(pairs.first[apart], np.int64), locked(pairs.second[apart], np.int64), locked(pairs.trims[apart]),
        locked(pairs.gives[apart]), pairs.limbs, locked(pairs.movers[apart], np.int64),
    )  # fmt: skip


@kept
def all_pairs_of(character: Character) -> Pairs:
    """The same with what is grown together at rest: it may be as deep in one another as it is there."""
    volume, tree = volume_of(character), _Tree(character)
    placed = placed_capsules(volume, tree.rest)
    rows, trims = _chosen(tree, volume, placed.ends[0])
    first, second = np.array(rows, np.int64).reshape(-1, 2).T
    kept = np.array(trims).reshape(-1, 2, 2)
    thickness = volume.radii.mean(axis=1)
    thin = np.minimum(thickness[first], thickness[second])
    depth = -distances_of(placed, placed, first, second, kept)[0][0]
    limbs = np.array([tree.limb(joint) for joint in volume.joints.tolist()], np.int64)
    one, two = limbs[first], limbs[second]
    movers = np.where(np.asarray(tree.carried)[one] <= np.asarray(tree.carried)[two], one, two)
    return Pairs(
        locked(first, np.int64), locked(second, np.int64), locked(kept), locked(give_of(depth, thin)),
        locked(limbs, np.int64), locked(movers, np.int64),
    )  # fmt: skip


def give_of(depth: FloatArray, thin: FloatArray) -> FloatArray:
    """Metres that parts may be in each other that are ``depth`` deep at rest, the thinner of them ``thin``."""
    return np.maximum(GIVES * thin, depth + MORE * thin)


def _chosen(tree: _Tree, volume: Volume, ends: FloatArray) -> tuple[list[tuple[int, int]], list[list[list[float]]]]:
    """The pairs that count, and from where to where."""
    rows, trims = [], []
    # (J, C) how deep each joint lies in each capsule.
    depth = -signed_distance(tree.places[:, None], ends[None], volume.radii[None])[0]
    outer = _outer(tree, volume, ends)
    for place, a in enumerate(outer):
        for b in outer[place + 1 :]:
            trim = _trim(tree, volume, ends, depth, a, b)
            if trim is not None:
                rows.append((a, b))
                trims.append(trim)
    return rows, trims


def _outer(tree: _Tree, volume: Volume, ends: FloatArray) -> list[int]:
    """The capsules that are not sunk into one of an ancestor, as a jaw is into a head: that one stands for them.

    Nor those of folded wings that are wrapped round a body, whose skin no straight capsule follows.
    """
    depth = signed_distance(ends[:, :, None], ends[None, None], volume.radii[None, None])[0]
    deep = np.asarray((depth < 0).all(axis=1))
    found = []
    solid = volume.radii.mean(axis=1) >= SLIVER * float(np.ptp(tree.places, axis=0).max(initial=0.0))
    solid &= ~_draped(tree, volume, ends)
    for capsule, joint in enumerate(volume.joints.tolist()):
        if not solid[capsule]:
            continue
        above = tree.ancestors(joint)[1:]
        if tree.carried[joint] >= SMALL or not any(
            deep[capsule, other] for other in range(len(volume)) if volume.joints[other] in above
        ):
            found.append(capsule)
    return found


def _draped(tree: _Tree, volume: Volume, ends: FloatArray) -> BoolArray:
    """(C,) capsules of limbs that lie deep in the trunk at rest, all along."""
    trunk = np.asarray(tree.carried)[volume.joints] >= LIMB
    if not np.any(trunk):
        return trunk
    axes = ends[:, :1] + SHARES[:, None] * (ends[:, 1:] - ends[:, :1])
    deep = -signed_distance(axes[:, :, None], ends[trunk], volume.radii[trunk])[0].min(axis=-1)
    return np.asarray(~trunk & (deep.min(axis=1) > 0) & (deep.max(axis=1) > DRAPED * volume.radii.mean(axis=1)))


class _Tree:
    """The skeleton at rest, and the ways through it from one joint to another."""

    def __init__(self, character: Character) -> None:
        self.parents = character.skeleton.parents.tolist()
        self.rest = WorldState(character, Pose.rest(character.skeleton))
        self.places = self.rest.positions[0]
        above = np.maximum(character.skeleton.parents, 0)
        self.lengths = np.linalg.norm(self.places - self.places[above], axis=1)
        self.lengths[character.skeleton.parents < 0] = 0.0
        carried = np.zeros(len(self.lengths))
        for joint in range(len(self.lengths) - 1, -1, -1):
            if self.parents[joint] >= 0:
                carried[self.parents[joint]] += carried[joint] + self.lengths[joint]
        self.carried = (carried / max(float(self.lengths.sum()), 1e-12)).tolist()
        self._above = [[joint, *character.skeleton.ancestors(joint)] for joint in range(len(self.parents))]

    def ancestors(self, joint: int) -> list[int]:
        """``joint`` and all above it."""
        return self._above[joint]

    def limb(self, joint: int) -> int:
        """The topmost joint of the limb that ``joint`` is of; a joint of the trunk itself."""
        return next((above for above in reversed(self._above[joint]) if self.carried[above] < LIMB), joint)

    def way(self, start: int, end: int) -> tuple[list[int], int]:
        """The joints that turn ``end`` against ``start``, in order from there, and the joint that carries both.

        Joints of two bodies that hang together nowhere have none in common: -1.
        """
        up, down = self._above[start], self._above[end]
        common = next((joint for joint in up if joint in down), -1)
        if common < 0:
            return [*up, *down[::-1]], -1
        return [*up[: up.index(common)], *down[: down.index(common)][::-1]], common


def _trim(tree: _Tree, volume: Volume, ends: FloatArray, depth: FloatArray, a: int, b: int) -> list[list[float]] | None:
    """From where to where both capsules of a pair count, or None if the pair does not."""
    one, two = int(volume.joints[a]), int(volume.joints[b])
    way, common = tree.way(one, two)
    if common < 0:
        return [[0.0, 1.0], [0.0, 1.0]]
    if len(way) < 2 or tree.carried[common] < LIMB:
        return None
    path = float(np.linalg.norm(np.diff(tree.places[way], axis=0), axis=1).sum())
    thick = float(volume.radii[a].mean() + volume.radii[b].mean())
    if min(tree.carried[one], tree.carried[two]) >= LIMB and path < TRUNK * thick:
        return None
    if common not in (one, two) and len(way) == 2 and path < SIBLINGS * thick:
        return None
    if path <= 1e-4 * thick:
        return None
    trims = []
    for capsule, other, near, far in ((a, b, way[-1], way[0]), (b, a, way[0], way[-1])):
        free = _free(volume, ends, capsule, tree.places[far], path, float(depth[near, other]))
        if free is None:
            return None
        trims.append(free)
    return trims


def _free(
    volume: Volume, ends: FloatArray, capsule: int, pivot: FloatArray, path: float, depth: float
) -> list[float] | None:
    """The part of a capsule that can leave another one by turning.

    Args:
        volume: the capsules.
        ends: (C, 2, 3) at rest in the world.
        capsule: the one that turns.
        pivot: (3,) the joint that turns it.
        path: metres from there through further joints to the one that is fast to the other capsule.
        depth: metres that the latter lies inside the other capsule.
    """
    if path >= ROOM * (depth + float(volume.radii[capsule].max())):
        return [0.0, 1.0]
    axis = ends[capsule, 0] + SHARES[:, None] * (ends[capsule, 1] - ends[capsule, 0])
    reach = path + np.linalg.norm(axis - pivot, axis=1)
    radius = volume.radii[capsule, 0] + SHARES * (volume.radii[capsule, 1] - volume.radii[capsule, 0])
    free = np.flatnonzero(reach >= ROOM * (depth + radius))
    return [float(SHARES[free[0]]), float(SHARES[free[-1]])] if len(free) else None
