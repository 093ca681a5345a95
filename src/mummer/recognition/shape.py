"""A body as the recogniser sees it: a tree of points in one pose, with the surface that each carries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.surface import Surface


@dataclass(frozen=True, eq=False)
class Shape:
    """Joints of one body in one pose, hung together as they act and not only as the file says.

    Attributes:
        positions: (J, 3) in the world, in metres.
        parents: J parents, -1 for none; detached feet hang from their legs here. Not sorted.
        alive: J flags; joints that are set aside (controls, ends without a surface) are not alive.
        surface: what each joint carries.
        ends: J flags: joints known to be mere ends (end sites), whatever their names.
        up: (3,) unit vector.
        reattached: joints that the file hangs elsewhere.
    """

    positions: FloatArray
    parents: tuple[int, ...]
    alive: tuple[bool, ...]
    surface: Surface
    ends: tuple[bool, ...]
    up: FloatArray
    reattached: frozenset[int] = frozenset()

    @cached_property
    def count(self) -> int:
        """How many joints there are."""
        return len(self.parents)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The living joints that hang from each living joint."""
        lists: list[list[int]] = [[] for _ in self.parents]
        for joint, parent in enumerate(self.parents):
            if parent >= 0 and self.alive[joint]:
                lists[parent].append(joint)
        return tuple(tuple(entries) for entries in lists)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Living joints, parents before children."""
        found = [joint for joint in range(self.count) if self.alive[joint] and not self._has_living_parent(joint)]
        for joint in found:
            found.extend(self.children[joint])
        return tuple(found)

    def _has_living_parent(self, joint: int) -> bool:
        parent = self.parents[joint]
        return parent >= 0 and self.alive[parent]

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Living joints that hang from no living joint."""
        return tuple(joint for joint in self.order if not self._has_living_parent(joint))

    @cached_property
    def heights(self) -> FloatArray:
        """(J,) along ``up``, in metres."""
        return np.asarray(self.positions @ self.up)

    @cached_property
    def lows(self) -> FloatArray:
        """(J,) height of the lowest point that each joint carries, or its own."""
        corners = np.stack([self.surface.low @ self.up, self.surface.high @ self.up, self.heights])
        return np.asarray(corners.min(axis=0))

    @cached_property
    def ground(self) -> float:
        """Height of the lowest living point."""
        return float(min((self.lows[joint] for joint in self.order), default=0.0))

    @cached_property
    def extents(self) -> list[float]:
        """Metres from each joint to the furthest side of the box around what it carries; 0 for nothing."""
        sides = np.stack([self.positions - self.surface.low, self.surface.high - self.positions])
        found: list[float] = np.where(self.surface.share > 0, sides.max(axis=(0, 2)), 0.0).tolist()
        return found

    @cached_property
    def size(self) -> float:
        """Longest side of the box around the living joints, in metres; never zero."""
        living = self.positions[list(self.order)]
        return max(float(np.ptp(living, axis=0).max()) if len(living) else 0.0, 1e-9)

    @cached_property
    def tall(self) -> float:
        """Metres from the ground to the highest living joint; never zero."""
        top = max((float(self.heights[joint]) for joint in self.order), default=0.0)
        return max(top - self.ground, 0.05 * self.size)

    @cached_property
    def bones(self) -> list[float]:
        """Metres from each joint to what it hangs from; 0 for roots."""
        above = np.array([parent if parent >= 0 else joint for joint, parent in enumerate(self.parents)], np.int64)
        lengths: list[float] = np.linalg.norm(self.positions - self.positions[above], axis=1).tolist()
        return lengths

    @cached_property
    def subtree_counts(self) -> list[int]:
        """How many living joints hang from each, itself included."""
        counts = [1 if alive else 0 for alive in self.alive]
        for joint in reversed(self.order):
            if self._has_living_parent(joint):
                counts[self.parents[joint]] += counts[joint]
        return counts

    @cached_property
    def subtree_lengths(self) -> list[float]:
        """Metres of bone below each joint."""
        lengths = [0.0] * self.count
        for joint in reversed(self.order):
            if self._has_living_parent(joint):
                lengths[self.parents[joint]] += lengths[joint] + self.bones[joint]
        return lengths

    @cached_property
    def reaches(self) -> list[float]:
        """Metres of the longest chain that leads down from each joint."""
        reaches = [0.0] * self.count
        for joint in reversed(self.order):
            if self._has_living_parent(joint):
                parent = self.parents[joint]
                reaches[parent] = max(reaches[parent], reaches[joint] + self.bones[joint])
        return reaches

    @cached_property
    def subtree_shares(self) -> list[float]:
        """The part of the surface that each joint and everything below it carries."""
        shares: list[float] = self.surface.share.tolist()
        for joint in reversed(self.order):
            if self._has_living_parent(joint):
                shares[self.parents[joint]] += shares[joint]
        return shares

    @cached_property
    def subtree_centers(self) -> FloatArray:
        """(J, 3) mean position of each joint and everything below it."""
        sums = self.positions.copy()
        for joint in reversed(self.order):
            if self._has_living_parent(joint):
                sums[self.parents[joint]] += sums[joint]
        return np.asarray(sums / np.maximum(np.array(self.subtree_counts), 1)[:, None])

    def ancestors(self, joint: int) -> list[int]:
        """The joints above ``joint``, nearest first."""
        found = []
        parent = self.parents[joint]
        while parent >= 0:
            found.append(parent)
            parent = self.parents[parent]
        return found

    def path(self, ancestor: int, descendant: int) -> list[int]:
        """The joints from ``ancestor`` down to ``descendant``; empty if one does not stand above the other."""
        found = [descendant]
        while found[-1] != ancestor:
            parent = self.parents[found[-1]]
            if parent < 0:
                return []
            found.append(parent)
        return found[::-1]

    def below(self, joint: int) -> list[int]:
        """``joint`` and the living joints under it."""
        found = [joint]
        for each in found:
            found.extend(self.children[each])
        return found

    def common_ancestor(self, joints: Iterable[int]) -> int:
        """The lowest joint that stands above all ``joints`` (or is one of them); -1 if there is none."""
        shared: list[int] | None = None
        for joint in joints:
            line = [joint, *self.ancestors(joint)]
            shared = line if shared is None else [each for each in shared if each in set(line)]
        return shared[0] if shared else -1

    def longest_chain(self, joint: int) -> list[int]:
        """The longest chain of living joints down from ``joint``; of equal ones that with more joints below."""
        chain = [joint]
        while self.children[chain[-1]]:
            chain.append(self.longest_of(self.children[chain[-1]]))
        return chain

    def longest_of(self, joints: Sequence[int]) -> int:
        """The one of several joints that the longest chain leads down from."""
        return max(joints, key=self._weight)

    def _weight(self, joint: int) -> tuple[float, ...]:
        """By what one branch is preferred to another, whatever the order in which a file lists them."""
        reach = self.reaches[joint] + self.bones[joint]
        return (round(reach / self.size, 6), self.subtree_counts[joint], *np.round(self.positions[joint], 6).tolist())

    def distance(self, one: int, other: int) -> float:
        """Metres between two joints."""
        return math.dist(self._spots[one], self._spots[other])

    @cached_property
    def _spots(self) -> list[list[float]]:
        spots: list[list[float]] = self.positions.tolist()
        return spots
