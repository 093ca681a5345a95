"""The core of a body: its root and spine as they should turn, which carries everything else along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.general.track import Track
from mummer.kernels import quaternions
from mummer.math import interpolate


@dataclass(frozen=True, eq=False)
class Core:
    """Where the spine is at T moments.

    Attributes:
        physique: the body.
        positions: (T, 3) of each spine joint in the world.
        turns: (T, 4) of each spine joint, world_from_character as it sees it: how far it is turned from rest.
        turned: the joints that are turned against what carries them.
    """

    physique: Physique
    positions: Mapping[int, FloatArray]
    turns: Mapping[int, FloatArray]
    turned: tuple[int, ...]

    def frame(self, joint: int) -> tuple[FloatArray, FloatArray]:
        """(T, 3) and (T, 4) world_from_character, carried along with a spine joint; with the root for any other."""
        known = joint if joint in self.positions else self.physique.root
        turned = self.turns[known]
        return self.positions[known] - quaternions.rotate(turned, self.physique.positions[known]), turned


@kept
def spine_tree(physique: Physique) -> tuple[tuple[int, int], ...]:
    """The joints of the spine but the root, each with the one that carries it, parents first."""
    parents, spine = physique.character.skeleton.parents, set(physique.spine) | {physique.root}
    pairs = []
    for joint in sorted(spine - {physique.root}):
        above = int(parents[joint])
        while above >= 0 and above not in spine:
            above = int(parents[above])
        pairs.append((joint, above if above >= 0 else physique.root))
    return tuple(pairs)


def core_of(
    physique: Physique, root_positions: FloatArray, root_rotations: FloatArray, turns: Mapping[int, Track]
) -> Core:
    """The core of a body.

    Args:
        physique: the body.
        root_positions: (T, 3) in the world.
        root_rotations: (T, 4) world_from_joint.
        turns: of joints, world_from_joint; those of the spine count. Joints between two that turn are shared out.
    """
    root = physique.root
    tree = spine_tree(physique)
    turned = {root: quaternions.multiply(root_rotations, quaternions.conjugate(physique.rotations[root]))}
    shared = _shared_out(physique, tree, turns)
    for joint, above in tree:
        if joint in turns:
            back = quaternions.conjugate(physique.rotations[joint])
            wanted = Track(quaternions.multiply(turns[joint].values, back), turns[joint].weights)
            turned[joint] = wanted.at(turned[_nearest(dict(tree), joint, turns)])
        else:
            turned[joint] = turned[above]
    for joint, (start, end, share) in shared.items():
        turned[joint] = interpolate.nlerp(turned[start], turned[end], np.full(len(root_positions), share))
    places = {root: root_positions}
    for joint, above in tree:
        away = physique.positions[joint] - physique.positions[above]
        places[joint] = places[above] + quaternions.rotate(turned[above], away)
    own = {joint for joint, _ in tree if joint in turns} | set(shared)
    return Core(physique, places, turned, tuple(sorted(own)))


def _nearest(above: Mapping[int, int], joint: int, turns: Mapping[int, Track]) -> int:
    """The nearest joint above that is turned on purpose, or the root."""
    joint = above[joint]
    while joint in above and joint not in turns:
        joint = above[joint]
    return joint


def _shared_out(
    physique: Physique, tree: tuple[tuple[int, int], ...], turns: Mapping[int, Track]
) -> dict[int, tuple[int, int, float]]:
    """For each joint between two that turn: those two, and how far between them it is."""
    above, found = dict(tree), {}
    for joint, _ in tree:
        if joint not in turns:
            continue
        between = []
        walker = above[joint]
        while walker != physique.root and walker not in turns and walker not in found:
            between.append(walker)
            walker = above[walker]
        for number, middle in enumerate(between):
            found[middle] = (walker, joint, 1 - (number + 1) / (len(between) + 1))
    return found
