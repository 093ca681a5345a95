"""UsdSkel Skeletons, checked, and those that repeat another joined to it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.errors import MalformedFileError
from mummer.math import transform


@dataclass(frozen=True, eq=False)
class RawSkeleton:
    """One Skeleton prim.

    Attributes:
        path: of the prim.
        tokens: the path of every joint.
        names: what the joints are called.
        parents: (J,) within this Skeleton.
        binds: (J, 3, 4) skeleton_from_joint when bound.
        bind: (J, 3, 4) parent_from_joint when bound.
        rest: (J, 3, 4) parent_from_joint at rest.
        world: (3, 4) where the prim stands, in our axes and metres.
        source: the animation that it plays.
        first: index of its first joint in the body.
    """

    path: str
    tokens: tuple[str, ...]
    names: tuple[str, ...]
    parents: IntArray
    binds: FloatArray
    bind: FloatArray
    rest: FloatArray
    world: FloatArray
    source: str
    first: int = 0


def check_skeleton(raw: dict[str, Any], ours: FloatArray, path: Path | None) -> RawSkeleton:
    """A Skeleton as the child tells it, its missing transforms filled in, placed by ``ours`` (3, 4) in our world.

    Raises:
        MalformedFileError: if joints are named twice or stand before their parents, or transforms are not usable.
    """
    place = f"Skeleton {raw['path']}"
    tokens = tuple(raw["joints"])
    parents = _parents(tokens, path, place)
    bind, rest = (_matrices(raw[name], len(tokens), name, path, place) for name in ("bind", "rest"))
    if bind is None and rest is None:
        raise MalformedFileError(path, "has neither bind nor rest transforms", place=place)
    if bind is None:
        assert rest is not None
        bind = _accumulated(parents, rest)
    if np.any(np.abs(np.linalg.det(bind[..., :3])) < 1e-30):
        raise MalformedFileError(path, "has a bind transform that cannot be undone", place=place)
    local = _relative(parents, bind)
    given = (
        tuple(raw["names"]) if len(raw["names"]) == len(tokens) else tuple(token.rsplit("/", 1)[-1] for token in tokens)
    )
    world = transform.multiply(ours, checked_matrix(raw["world"], path, place))
    standing = local if rest is None else rest
    return RawSkeleton(raw["path"], tokens, given, parents, bind, local, standing, world, raw["source"])


def joined_skeletons(skeletons: list[RawSkeleton]) -> tuple[list[RawSkeleton], dict[str, RawSkeleton]]:
    """Skeletons that differ, with their places in the body, and all of them by path.

    One with the same joints, at rest in the same place, as an earlier one stands for the same joints: files have
    several where meshes were bound in different poses.
    """
    distinct: list[RawSkeleton] = []
    by_path: dict[str, RawSkeleton] = {}
    count = 0
    for one in skeletons:
        twin = next((other for other in distinct if _repeats(one, other)), None)
        placed = dataclasses.replace(one, first=count if twin is None else twin.first)
        by_path[one.path] = placed
        if twin is None:
            distinct.append(placed)
            count += len(one.tokens)
    return distinct, by_path


def _repeats(one: RawSkeleton, other: RawSkeleton) -> bool:
    return (
        one.tokens == other.tokens
        and one.names == other.names
        and np.allclose(one.rest, other.rest, rtol=0, atol=1e-9)
        and np.allclose(one.world, other.world, rtol=0, atol=1e-9)
    )


def _parents(tokens: tuple[str, ...], path: Path | None, place: str) -> IntArray:
    index = {token: joint for joint, token in enumerate(tokens)}
    if len(index) != len(tokens):
        raise MalformedFileError(path, "names a joint twice", place=place)
    parents = np.full(len(tokens), -1)
    for joint, token in enumerate(tokens):
        above = token
        while "/" in above:
            # Joints may leave out joints between them and the one they hang from.
            above = above.rsplit("/", 1)[0]
            if above in index:
                parents[joint] = index[above]
                break
    if np.any(parents >= np.arange(len(tokens))):
        raise MalformedFileError(path, "has a joint that stands before its parent", place=place)
    return parents


def _matrices(values: Any, count: int, name: str, path: Path | None, place: str) -> FloatArray | None:
    if values is None or not len(values):
        return None
    if len(values) != count:
        raise MalformedFileError(path, f"has {len(values)} {name} transforms for {count} joints", place=place)
    return _finite(np.swapaxes(values, -1, -2)[:, :3].astype(np.float64), path, place)


def checked_matrix(numbers: list[float], path: Path | None, place: str) -> FloatArray:
    """(3, 4) from the sixteen numbers of a matrix for row vectors.

    Raises:
        MalformedFileError: if they are not finite.
    """
    return _finite(np.reshape(np.asarray(numbers, np.float64), (4, 4)).T[:3], path, place)


def _finite(values: FloatArray, path: Path | None, place: str) -> FloatArray:
    if not np.isfinite(values).all():
        raise MalformedFileError(path, "has a transform that is not finite", place=place)
    return np.ascontiguousarray(values)


def _accumulated(parents: IntArray, local: FloatArray) -> FloatArray:
    world = local.copy()
    for joint, parent in enumerate(parents.tolist()):
        if parent >= 0:
            world[joint] = transform.multiply(world[parent], local[joint])
    return world


def _relative(parents: IntArray, world: FloatArray) -> FloatArray:
    local = world.copy()
    below = parents >= 0
    local[below] = transform.multiply(transform.inverse(world[parents[below]]), world[below])
    return local
