"""What the names and lengths of a skeleton tell about the body, as far as guessing axes and units needs it."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.math import quaternion

_FOOT = re.compile(r"foot|feet|toe|ankle|heel|paw|hoof", re.IGNORECASE)
_HEAD = re.compile(r"head|skull", re.IGNORECASE)
_HAND = re.compile(r"hand|wrist|arm|elbow|finger|thumb", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Body:
    """A hierarchy in a few poses, in the file's own axes and units.

    Attributes:
        names: J names.
        parents: (J,) index of each parent, -1 for a root.
        positions: (K, J, 3) where every joint is in K poses.
    """

    names: tuple[str, ...]
    parents: IntArray
    positions: FloatArray

    @cached_property
    def feet(self) -> list[int]:
        """The joints called feet that hang from none that is."""
        return self._topmost(_FOOT)

    @cached_property
    def heads(self) -> list[int]:
        """The joints called heads that hang from none that is."""
        return self._topmost(_HEAD)

    @cached_property
    def is_human(self) -> bool:
        """Whether the names speak of head, feet and hands."""
        return bool(self.feet and self.heads and any(_HAND.search(name) for name in self.names))

    @cached_property
    def size(self) -> float:
        """How tall the body is: foot to head along its joints if names tell, else the largest extent."""
        if self.is_human:
            return self._path_length(self.feet[0], self.heads[0])
        extents = np.ptp(self.positions, axis=1).max(axis=1)
        return float(np.median(extents))

    def leg_directions(self) -> FloatArray:
        """(K, n, 3) for each foot the unit direction from it to the joint two above it."""
        legs_up = [(foot, path[2]) for foot in self.feet if len(path := self._up(foot)) > 2]
        if not legs_up:
            return np.zeros((len(self.positions), 0, 3))
        feet, tops = np.array(legs_up).T
        legs = self.positions[:, tops] - self.positions[:, feet]
        lengths = np.linalg.norm(legs, axis=-1, keepdims=True)
        return np.divide(legs, lengths, out=np.zeros_like(legs), where=lengths > 0)

    def _topmost(self, pattern: re.Pattern[str]) -> list[int]:
        found, below = [], [False] * len(self.names)
        for joint, (name, parent) in enumerate(zip(self.names, self.parents.tolist(), strict=True)):
            fits, inside = bool(pattern.search(name)), parent >= 0 and below[parent]
            below[joint] = fits or inside
            if fits and not inside:
                found.append(joint)
        return found

    def _path_length(self, first: int, second: int) -> float:
        above_first, above_second = set(self._up(first)), set(self._up(second))
        steps = [joint for joint in above_first ^ above_second if self.parents[joint] >= 0]
        bones = self.positions[:, steps] - self.positions[:, self.parents[steps]]
        return float(np.median(np.linalg.norm(bones, axis=-1).sum(axis=-1)))

    def _up(self, joint: int) -> list[int]:
        path = []
        while joint >= 0:
            path.append(joint)
            joint = int(self.parents[joint])
        return path


def chain_positions(parents: IntArray, rotations: FloatArray, translations: FloatArray) -> FloatArray:
    """(K, J, 3) joint positions of a few poses, generation by generation in plain numpy.

    Loading one file must not wait for the compiled kernels, which pay off from hundreds of poses on.

    Args:
        parents: (J,) each smaller than the joint's own index, -1 for a root.
        rotations: (K, J, 4) parent_from_joint.
        translations: (K, J, 3) parent_from_joint.
    """
    depths = np.zeros(len(parents), np.int64)
    for joint, parent in enumerate(parents.tolist()):
        depths[joint] = depths[parent] + 1 if parent >= 0 else 0
    order = np.argsort(depths, kind="stable")
    starts = np.searchsorted(depths[order], np.arange(1, depths.max() + 2))
    # Small matrix products beat quaternions here: what counts is the number of calls.
    positions, turned = translations.copy(), quaternion.to_matrix(rotations)
    for start, end in itertools.pairwise(starts):
        joints = order[start:end]
        above = parents[joints]
        world_from_above = turned[:, above]
        positions[:, joints] = positions[:, above] + (world_from_above @ translations[:, joints, :, None])[..., 0]
        turned[:, joints] = world_from_above @ turned[:, joints]
    return positions
