"""Random bodies and poses for laws, and a few plain bodies for examples."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from mummer.character import Anatomy, Character, Limb, Mesh, Pose, Skeleton, Skin, groups_from_limbs
from mummer.math import quaternion

law = settings(derandomize=True, deadline=None, max_examples=40)
few = settings(derandomize=True, deadline=None, max_examples=15)
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)
batch_shapes = st.sampled_from([(), (1,), (4,), (2, 3)])


@st.composite
def skeletons(draw: st.DrawFn, *, most: int = 12, roots: int = 1, scaled: bool = False) -> Skeleton:
    """Random trees: chains, stars and everything between, with up to ``roots`` roots."""
    rng, count = draw(generators), draw(st.integers(1, most))
    parents = [-1] + [int(rng.integers(max(0, joint - draw(st.integers(1, 4))), joint)) for joint in range(1, count)]
    for joint in range(1, min(draw(st.integers(1, roots)), count)):
        parents[joint] = -1
    scales = np.exp(rng.normal(0, 0.3, (count, 3))) if scaled else None
    names = [f"joint{place}" for place in range(count)]
    return Skeleton(names, parents, rng.normal(size=(count, 3)), quaternion.random(rng, (count,)), scales)


def exactly(message: str) -> str:
    """The pattern that matches ``message`` and nothing else."""
    return f"^{re.escape(message)}$"


def random_pose(skeleton: Skeleton, rng: np.random.Generator, shape: tuple[int, ...] = (), **parts: Any) -> Pose:
    """Any rotations and root; ``translations=True`` and ``scales=True`` add those, ``morphs=5`` five weights."""
    count = len(skeleton)
    return Pose(
        quaternion.random(rng, (*shape, count)),
        rng.normal(size=(*shape, 3)),
        rng.normal(size=(*shape, count, 3)) if parts.get("translations") else None,
        np.exp(rng.normal(0, 0.3, (*shape, count, 3))) if parts.get("scales") else None,
        rng.uniform(size=(*shape, parts["morphs"])) if parts.get("morphs") else None,
    )


def plain_world(skeleton: Skeleton, pose: Pose) -> np.ndarray:
    """(J, 4, 4) world_from_joint of one pose by products of matrices, joint by joint."""
    world = np.zeros((len(skeleton), 4, 4))
    moved, scaled = pose.full_translations(skeleton), pose.full_scales(skeleton)
    for joint, parent in enumerate(skeleton.parents):
        local = np.eye(4)
        local[:3, :3] = quaternion.to_matrix(pose.rotations[joint]) @ np.diag(scaled[joint])
        local[:3, 3] = moved[joint]
        world[joint] = world[parent] @ local if parent >= 0 else local
    return world


HUMAN = {
    "hips": (None, (0, 1, 0)), "spine": ("hips", (0, 0.12, 0)), "chest": ("spine", (0, 0.25, 0)),
    "neck": ("chest", (0, 0.2, 0)), "head": ("neck", (0, 0.1, 0)),
    **{f"{side}_{name}": (f"{side}_{parent}" if parent not in ("hips", "chest") else parent, (sign * x, y, z))
       for side, sign in (("left", 1), ("right", -1))
       for name, parent, (x, y, z) in (
           ("shoulder", "chest", (0, 0.15, 0)), ("upper_arm", "shoulder", (0.17, 0, 0)),
           ("forearm", "upper_arm", (0.28, 0, 0)), ("hand", "forearm", (0.25, 0, 0)),
           ("upper_leg", "hips", (0.1, -0.05, 0)), ("lower_leg", "upper_leg", (0, -0.45, 0)),
           ("foot", "lower_leg", (0, -0.42, 0)), ("toes", "foot", (0, -0.06, 0.14)))},
}  # fmt: skip


def human() -> Skeleton:
    """A plain person in a T-pose: both clavicles start at one point, as in many rigs."""
    names = list(HUMAN)
    parents = [-1 if parent is None else names.index(parent) for parent, _ in HUMAN.values()]
    return Skeleton(names, parents, [offset for _, offset in HUMAN.values()], name="human")


def human_anatomy(skeleton: Skeleton) -> Anatomy:
    """Roles, limbs, groups and mirror partners of `human`."""
    names = skeleton.names
    limbs = tuple(
        Limb(f"{side}_{kind}", kind, side, 0, tuple(names.index(f"{side}_{part}") for part in parts), 1.0)  # type: ignore[arg-type]
        for side in ("left", "right")
        for kind, parts in (
            ("arm", ("shoulder", "upper_arm", "forearm", "hand")),
            ("leg", ("upper_leg", "lower_leg", "foot", "toes")),
        )
    )
    other = {"left": "right", "right": "left"}
    partners = [f"{other[side]}_{rest}" if (side := name.partition("_")[0]) in other else name
                for name in names for rest in [name.partition("_")[2]]]  # fmt: skip
    return Anatomy(
        "humanoid",
        {name: joint for joint, name in enumerate(names)},
        {"foot": (names.index("left_foot"), names.index("right_foot")), "head": (names.index("head"),)},
        limbs,
        groups_from_limbs(skeleton, limbs),
        np.array([names.index(partner) for partner in partners]),
        bounds=np.array([[-0.7, 0, -0.1], [0.7, 1.75, 0.2]]),
    )


def box(low: Any, high: Any) -> tuple[np.ndarray, np.ndarray]:
    """The corners (8, 3) and triangles (12, 3) of a box, seen counter-clockwise from outside."""
    corners = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1).reshape(-1, 3)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]
    return np.asarray(low) + corners * (np.asarray(high) - np.asarray(low)), np.array(triangles)


def tube(radius: float, length: float, *, around: int = 32, along: int = 16) -> tuple[np.ndarray, np.ndarray]:
    """A closed cylinder from the origin up along y: (V, 3) and (F, 3), seen counter-clockwise from outside."""
    angles = np.arange(around) * 2 * np.pi / around
    ring = np.stack([np.cos(angles), np.zeros(around), -np.sin(angles)], -1) * radius
    rings = [ring + np.array([0, height, 0]) for height in np.linspace(0, length, along + 1)]
    points = np.concatenate([*rings, [[0, 0, 0], [0, length, 0]]])
    triangles = []
    for level in range(along):
        for here in range(around):
            a, b = level * around + here, level * around + (here + 1) % around
            triangles += [(a, b, a + around), (b, b + around, a + around)]
    bottom, top, last = len(points) - 2, len(points) - 1, along * around
    for here in range(around):
        then = (here + 1) % around
        triangles += [(bottom, then, here), (top, last + here, last + then)]
    return points, np.array(triangles)


def bound_mesh(
    skeleton: Skeleton, points: np.ndarray, triangles: np.ndarray, weights: np.ndarray, **parts: Any
) -> Mesh:
    """A mesh given in the world at rest, bound to all joints of ``skeleton`` with dense ``weights`` (V, J)."""
    from mummer.character import world_matrices
    from mummer.math import transform

    joint_from_world = transform.inverse(world_matrices(skeleton, Pose.rest(skeleton)))
    indices = np.tile(np.arange(len(skeleton)), (len(points), 1))
    skin = Skin(np.arange(len(skeleton)), joint_from_world, indices, weights)
    return Mesh("surface", points, triangles, skin, **parts)


def arm() -> Character:
    """Two joints up along y within a cylinder: radius 0.1, from 0 to 1, the second joint at 0.5."""
    skeleton = Skeleton(("lower", "upper"), [-1, 0], [[0, 0, 0], [0, 0.5, 0]], name="arm")
    points, triangles = tube(0.1, 1.0)
    upper = np.clip((points[:, 1] - 0.4) / 0.2, 0, 1)
    mesh = bound_mesh(skeleton, points, triangles, np.stack([1 - upper, upper], -1))
    return Character("arm", skeleton, (mesh,))
