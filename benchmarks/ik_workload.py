"""Full-body problems that any solver can take: a humanoid of hinges, four places, reachable by construction."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.workloads import REPOSITORY
from mummer.character import Character, Hinge, Limits, Skeleton
from mummer.math import quaternion

TIPS = ("L_Hand", "R_Hand", "L_Toe", "R_Toe")
TOLERANCE = 1e-3
"""Metres within which every place counts as met."""
RANGES = {
    "Hip": (-110, 30, -40, 40, -25, 45),
    "Knee": (-2, 140, -8, 8, -3, 3),
    "Ankle": (-25, 45, -15, 15, -15, 15),
    "Toe": (-40, 30, -3, 3, -3, 3),
    "Torso": (-15, 30, -20, 20, -15, 15),
    "Spine": (-15, 30, -20, 20, -15, 15),
    "Chest": (-15, 25, -20, 20, -15, 15),
    "Neck": (-25, 30, -35, 35, -20, 20),
    "Head": (-25, 25, -35, 35, -20, 20),
    "Thorax": (-5, 5, -15, 15, -10, 25),
    "Shoulder": (-60, 60, -100, 30, -85, 80),
    "Elbow": (-80, 80, -140, 3, -5, 5),
    "Wrist": (-10, 10, -25, 25, -60, 60),
    "Hand": (-3, 3, -10, 10, -20, 20),
}
"""Degrees, lowest and highest about x, y and z, of the joints of the left side; on the right y and z are mirrored."""


@dataclass(frozen=True)
class Difficulty:
    """How far the poses behind the targets are from the start: parts of the ranges, metres, degrees."""

    seed: int
    reach: float
    shift: float
    turn: float


SETS = {"moderate": Difficulty(23, 0.6, 0.1, 20.0), "hard": Difficulty(24, 1.0, 0.5, 90.0)}


@dataclass(frozen=True, eq=False)
class HingeTree:
    """A body whose joints, but for the root, are three hinges each about x, y and z: ranges (J, 3, 2), radians."""

    names: list[str]
    parents: list[int]
    offsets: np.ndarray
    ranges: np.ndarray

    def character(self) -> Character:
        """The same for us: three joints in one place for each."""
        names, parents, offsets, limits = ["root"], [-1], [np.zeros(3)], {}
        last = {0: 0}
        for joint in range(1, len(self.names)):
            above = last[self.parents[joint]]
            for axis in range(3):
                names.append(self.names[joint] + ("" if axis == 2 else f"_{'xy'[axis]}"))
                parents.append(above)
                offsets.append(self.offsets[joint] if axis == 0 else np.zeros(3))
                above = len(names) - 1
                x, y, z = np.eye(3)[axis].tolist()
                limits[above] = Hinge((x, y, z), *self.ranges[joint, axis].tolist())
            last[joint] = above
        skeleton = Skeleton(tuple(names), parents, offsets, name="hinges")
        return Character("hinges", skeleton, limits=Limits.from_joints(len(names), limits))


def hinge_tree() -> HingeTree | None:
    """The tree of the real files, where they are."""
    folder = Path(os.environ.get("MUMMER_DATA", REPOSITORY.parent / "shared" / "data"))
    path = folder / "characters" / "smplsim" / "smpl_joint_tree.json"
    if not path.exists():
        return None
    joints = json.loads(path.read_text())["joints"]
    names, parents = [joint["name"] for joint in joints], [joint["parent"] for joint in joints]
    at = np.array([joint["position"] for joint in joints])
    offsets = np.array([at[joint] - at[parent] if parent >= 0 else np.zeros(3) for joint, parent in enumerate(parents)])
    ranges = np.zeros((len(names), 3, 2))
    for joint, name in enumerate(names[1:], 1):
        ranges[joint] = np.radians(RANGES[name.split("_")[-1]]).reshape(3, 2)
        if name.startswith("R_"):
            ranges[joint, 1:] = -ranges[joint, 1:, ::-1]
    return HingeTree(names, parents, offsets, ranges)


def targets_of(tree: HingeTree, difficulty: Difficulty, count: int = 200) -> np.ndarray:
    """(count, 4, 3) where the tips of random poses within the ranges are."""
    rng = np.random.default_rng(difficulty.seed)
    low, high = tree.ranges[..., 0] * difficulty.reach, tree.ranges[..., 1] * difficulty.reach
    tips, found = [tree.names.index(tip) for tip in TIPS], np.zeros((count, len(TIPS), 3))
    for place in range(count):
        angles, turn = rng.uniform(low, high), rng.normal(size=3)
        turn *= np.radians(difficulty.turn) * rng.random() / np.linalg.norm(turn)
        shift = rng.uniform(-difficulty.shift, difficulty.shift, 3)
        found[place] = tree_positions(tree, angles, turn, shift)[tips]
    return found


def tree_positions(tree: HingeTree, angles: np.ndarray, turn: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """(J, 3) where the joints are."""
    turns, at = [quaternion.exp(turn)], [shift]
    for joint in range(1, len(tree.names)):
        above = tree.parents[joint]
        at.append(at[above] + quaternion.rotate(turns[above], tree.offsets[joint]))
        own = turns[above]
        for axis in range(3):
            own = quaternion.multiply(own, quaternion.from_axis_angle(np.eye(3)[axis], angles[joint, axis]))
        turns.append(own)
    return np.array(at)
