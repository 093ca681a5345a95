"""What can be worked out about a body from its rest pose: mirror partners, sides, lengths, groups, bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character.character import Character
from mummer.character.deform import deform
from mummer.character.kinematics import world_positions
from mummer.character.limb import Limb, Side
from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton

_AT_REST = "_rest_positions"
WAIST = "waist"
"""The group of what carries the whole body about: it holds the turn and the travel of the root."""
TRUNK = "torso"
"""The group of everything else that is in no limb."""


def rest_positions(skeleton: Skeleton) -> FloatArray:
    """(J, 3) where every joint is in the world at rest, in metres; worked out once for each skeleton, read-only."""
    # Kept in the skeleton itself, which never changes: everybody asks, and most ask often.
    found = skeleton.__dict__.get(_AT_REST)
    if found is None:
        found = skeleton.__dict__[_AT_REST] = locked(world_positions(skeleton, Pose.rest(skeleton)))
    return cast(FloatArray, found)


def size_of(positions: FloatArray) -> float:
    """The longest side, in metres, of the box around ``positions`` (N, 3); 0 if there are none."""
    return float(np.ptp(positions, axis=0).max()) if len(positions) else 0.0


def bounds_of(character: Character) -> FloatArray:
    """(2, 3) lowest and highest corner of the rest pose in the world, in metres.

    The surface decides where there is one, else the joints. Vertices that are not finite are left out.
    """
    at_rest = deform(character, Pose.rest(character.skeleton), with_normals=False)
    points = np.concatenate([mesh.positions for mesh in at_rest]) if at_rest else np.zeros((0, 3))
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        points = rest_positions(character.skeleton)
    return np.stack([points.min(axis=0), points.max(axis=0)])


def ground_of(bounds: FloatArray, up: npt.ArrayLike = (0.0, 1.0, 0.0)) -> float:
    """The height along ``up`` of the lowest point of ``bounds`` (2, 3), in metres."""
    return float(np.minimum(*(bounds * np.asarray(up, np.float64))).sum())


def limb_length(skeleton: Skeleton, joints: Sequence[int]) -> float:
    """Metres along ``joints``, each the parent of the next, at rest."""
    steps = np.diff(rest_positions(skeleton)[list(joints)], axis=0)
    return float(np.linalg.norm(steps, axis=1).sum())


def side_of(
    skeleton: Skeleton,
    joints: Sequence[int],
    front: npt.ArrayLike = (0.0, 0.0, 1.0),
    up: npt.ArrayLike = (0.0, 1.0, 0.0),
    *,
    tolerance: float = 0.01,
) -> Side:
    """On which side of joint 0 the middle of ``joints`` lies at rest, as the body itself would say.

    Args:
        skeleton: the body.
        joints: for instance those of a limb.
        front: (3,) where it looks.
        up: (3,) where its top is.
        tolerance: how far from the middle still counts as ``center``, as a part of the body's size.
    """
    positions = rest_positions(skeleton)
    across = (positions[list(joints)].mean(axis=0) - positions[0]) @ _left(front, up)
    if abs(across) <= tolerance * size_of(positions):
        return "center"
    return "left" if across > 0 else "right"


def first_branch(skeleton: Skeleton) -> int:
    """The first joint, going down from joint 0, where the body branches: the hips of most bodies.

    Joints without children do not count as branches. A body that never branches, as a snake, gives joint 0.
    """
    joint = 0
    while True:
        onward = [child for child in skeleton.children[joint] if skeleton.children[child]]
        if len(onward) > 1:
            return joint
        if not onward:
            return 0
        joint = onward[0]


def waist_of(parents: Sequence[int], limbs: Sequence[Sequence[int]], hips: int) -> tuple[int, ...]:
    """The joints that carry all limbs: every root, and the way down to where the limbs part, at most to the hips.

    Args:
        parents: of every joint, -1 for a root.
        limbs: the joints of each limb, from base to tip.
        hips: the joint that ends the way down, or one that is not on it.
    """
    roots = {joint for joint, parent in enumerate(parents) if parent < 0}
    owned = [joint for limb in limbs for joint in set(limb)]
    shared = set.intersection(*(_line(parents, limb[-1]) for limb in limbs)) if owned else _line(parents, hips)
    single = {joint for joint in owned if owned.count(joint) == 1}
    below = {joint for joint in shared if joint != hips and hips in _line(parents, joint)}
    return tuple(sorted(roots | (shared - single - below)))


def _line(parents: Sequence[int], joint: int) -> set[int]:
    """A joint and everything above it."""
    found = set()
    while joint >= 0:
        found.add(joint)
        joint = parents[joint]
    return found


def split_off(groups: Mapping[str, Sequence[int]], name: str, joints: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """The groups with ``joints`` in one of their own, which comes first; groups that lose all they had are gone."""
    rest = {other: tuple(joint for joint in own if joint not in joints) for other, own in groups.items()}
    return {name: tuple(joints)} | {other: own for other, own in rest.items() if own}


def groups_from_limbs(skeleton: Skeleton, limbs: Iterable[Limb], hips: int | None = None) -> dict[str, tuple[int, ...]]:
    """Every joint in exactly one group: ``waist``, one for each limb that leaves the trunk, ``torso`` for the rest.

    The waist holds the roots and what leads from them to the hips: what turns and moves the body as a whole. What
    hangs from a limb (fingers from an arm, ears from a neck) belongs to that limb's group. A joint that limbs of
    different sides share belongs to the trunk.

    Args:
        skeleton: the body.
        limbs: its limbs.
        hips: where the waist ends; where the body first branches if not given.
    """
    chains = tuple(limbs)
    end = first_branch(skeleton) if hips is None else hips
    waist = waist_of(skeleton.parents.tolist(), [limb.joints for limb in chains], end)
    owners: list[Limb | None] = [None] * len(skeleton)
    shared: set[int] = set(waist)
    for limb in chains:
        for joint in limb.joints:
            owner = owners[joint]
            if owner is None:
                owners[joint] = limb
            elif owner.side != limb.side:
                shared.add(joint)
    names: list[str] = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        owner = None if joint in shared else owners[joint]
        above = names[parent] if parent >= 0 else TRUNK
        names.append(above if above != TRUNK or owner is None else owner.name)
    order = dict.fromkeys([TRUNK, *names])
    return split_off({name: [joint for joint, own in enumerate(names) if own == name] for name in order}, WAIST, waist)


def mirror_by_position(
    skeleton: Skeleton,
    front: npt.ArrayLike = (0.0, 0.0, 1.0),
    up: npt.ArrayLike = (0.0, 1.0, 0.0),
    *,
    tolerance: float = 0.01,
) -> IntArray:
    """(J,) the partner of each joint on the other side at rest; a joint on the middle, or alone, is its own.

    Partners hang from partners. Of several planes that could be the middle (through joint 0, or through the
    mean of all joints) the one that pairs more joints is taken.

    Args:
        skeleton: the body.
        front: (3,) where it looks.
        up: (3,) where its top is.
        tolerance: how far a joint may be from its partner's reflection, as a part of the body's size.
    """
    positions, left = rest_positions(skeleton), _left(front, up)
    across = positions @ left
    best: IntArray = np.arange(len(skeleton), dtype=np.int32)
    most = -1
    for middle in (across[0], across.mean()):
        mirror, matched = _pair(skeleton, positions, left, float(middle), tolerance * size_of(positions))
        if matched > most:
            best, most = mirror, matched
        if matched == len(skeleton):
            break
    return best


def _pair(
    skeleton: Skeleton, positions: FloatArray, left: FloatArray, middle: float, reach: float
) -> tuple[IntArray, int]:
    """Partners across one plane, and how many joints found one (or lie on the plane)."""
    # Clavicles often start at one point of the spine: what hangs from a joint tells its side when it cannot.
    features = np.concatenate([positions, _subtree_centers(skeleton, positions)], axis=1).reshape(-1, 2, 3)
    reflected = features - 2 * ((features @ left) - middle)[..., None] * left
    mirror, matched = np.arange(len(skeleton), dtype=np.int32), 0
    pending = [(skeleton.roots, skeleton.roots)]
    while pending:
        ours, theirs = pending.pop()
        for a, b in _best_pairs(ours, theirs, features, reflected, reach):
            mirror[a], mirror[b] = b, a
            matched += 1 if a == b else 2
            pending.append((skeleton.children[a], skeleton.children[b]))
    return mirror, matched


def _best_pairs(
    ours: tuple[int, ...], theirs: tuple[int, ...], features: FloatArray, reflected: FloatArray, reach: float
) -> list[tuple[int, int]]:
    """Pairs of one of ``ours`` with one of ``theirs`` (perhaps the same joints), nearest reflections first.

    A joint that carries things to one side is its own partner only if nothing else is left.
    """
    if not ours or not theirs:
        return []
    apart = np.linalg.norm(features[list(ours)][:, None] - reflected[list(theirs)][None], axis=-1)
    costs = np.round(apart.sum(axis=-1), 9)
    choices = sorted(
        (a == b and apart[i, j, 1] > reach, costs[i, j], a, b)
        for i, a in enumerate(ours)
        for j, b in enumerate(theirs)
        if apart[i, j, 0] <= reach and (ours is not theirs or a <= b)
    )
    taken: set[int] = set()
    pairs = []
    for _, _, a, b in choices:
        if a not in taken and b not in taken:
            taken.update((a, b))
            pairs.append((a, b))
    return pairs


def _subtree_centers(skeleton: Skeleton, positions: FloatArray) -> FloatArray:
    """(J, 3) the mean position of each joint and everything below it."""
    sums, counts = positions.copy(), np.ones((len(skeleton), 1))
    for joint in range(len(skeleton) - 1, 0, -1):
        parent = skeleton.parents[joint]
        if parent >= 0:
            sums[parent] += sums[joint]
            counts[parent] += counts[joint]
    return np.asarray(sums / counts)


def _left(front: npt.ArrayLike, up: npt.ArrayLike) -> FloatArray:
    across = np.cross(np.asarray(up, np.float64), np.asarray(front, np.float64))
    return np.asarray(across / np.linalg.norm(across))


def scale_above(skeleton: Skeleton, scales: FloatArray) -> FloatArray:
    """(T, J) the mean factor by which the frame that each joint stands in is scaled against the world.

    Args:
        skeleton: the body.
        scales: (T, J, 3) parent_from_joint.
    """
    own, above = scales.mean(axis=-1), np.ones(scales.shape[:2])
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            above[:, joint] = above[:, parent] * own[:, parent]
    return above
