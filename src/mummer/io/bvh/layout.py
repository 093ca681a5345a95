"""Which joints become End Sites and which channels each joint gets when a BVH file is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Skeleton, Source
from mummer.io.bvh import channels
from mummer.io.bvh.bake import Baked
from mummer.math import quaternion

_POSITION = ("Xposition", "Yposition", "Zposition")
_STILL = 1e-9


@dataclass(frozen=True)
class Layout:
    """How joints are written.

    Attributes:
        channels: the channels of each joint; none for an End Site.
        is_end: for each joint, whether it is an End Site.
    """

    channels: tuple[tuple[str, ...], ...]
    is_end: tuple[bool, ...]


@dataclass(frozen=True)
class Wishes:
    """What the file that a character came from had, so that it is given back.

    Attributes:
        channels: by joint name.
        end_sites: names of joints that were End Sites, or None if nothing is known.
    """

    channels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    end_sites: Sequence[str] | None = None

    @classmethod
    def of(cls, source: Source | None) -> Wishes:
        """What ``source`` had, if it was BVH."""
        details: dict[str, Any] = source.details if source is not None and source.format == "bvh" else {}
        return cls(details.get("channels", {}), details.get("end_sites"))


def lay_out(skeleton: Skeleton, baked: Baked, wishes: Wishes, order: str) -> Layout:
    """Channels and End Sites for a body, as wished where that can hold the motion.

    Args:
        skeleton: names and parents.
        baked: the motion.
        wishes: what the source had.
        order: the rotation order of joints of which nothing is known.
    """
    moves = np.any(np.abs(baked.translations - baked.offsets) > _STILL, axis=(0, 2))
    turns = ~np.all(quaternion.equal_rotations(baked.rotations, quaternion.IDENTITY, _STILL), axis=0)
    ends = [_is_end(skeleton, baked, wishes, joint, moves, turns) for joint in range(len(skeleton))]
    chosen = [
        () if ends[joint] else _channels(wishes.channels.get(name), baked, joint, bool(moves[joint]), order, parent < 0)
        for joint, (name, parent) in enumerate(zip(skeleton.names, skeleton.parents.tolist(), strict=True))
    ]
    return Layout(tuple(chosen), tuple(ends))


def _is_end(skeleton: Skeleton, baked: Baked, wishes: Wishes, joint: int, moves: BoolArray, turns: BoolArray) -> bool:
    """Whether a joint can be an End Site and should be: it was one, or is named as one would be when read back."""
    parent = int(skeleton.parents[joint])
    can_be = parent >= 0 and not skeleton.children[joint] and not moves[joint] and not turns[joint]
    if not can_be or not np.any(baked.offsets[joint]):
        return False
    name = skeleton.names[joint]
    return name in wishes.end_sites if wishes.end_sites is not None else name == f"{skeleton.names[parent]}_end"


def _channels(
    wished: tuple[str, ...] | None, baked: Baked, joint: int, moves: bool, order: str, is_root: bool
) -> tuple[str, ...]:
    default = _rotation_channels(order)
    if wished is None:
        return (*_POSITION, *default) if moves or is_root else default
    kept = tuple(name for name in wished if name.endswith(("position", "rotation")))
    axes = "".join(name[0] for name in kept if name.endswith("rotation"))
    if not _holds(baked.rotations[:, joint], axes):
        kept = (*(name for name in kept if name.endswith("position")), *default)
    fixed = [axis for axis, name in enumerate(_POSITION) if kept.count(name) != 1]
    away = np.abs(baked.translations[:, joint, fixed] - baked.offsets[joint, fixed])
    if np.any(away > _STILL) or any(kept.count(name) > 1 for name in _POSITION):
        kept = (*_POSITION, *(name for name in kept if name.endswith("rotation")))
    return kept


def _rotation_channels(order: str) -> tuple[str, ...]:
    return tuple(f"{axis}rotation" for axis in order)


def _holds(rotations: FloatArray, axes: str) -> bool:
    """Whether rotations (T, 4) can be written as turns about ``axes``."""
    if not axes:
        return bool(np.all(quaternion.equal_rotations(rotations, quaternion.IDENTITY, _STILL)))
    return channels.angles(rotations, axes) is not None if len(axes) < 3 else channels.is_order(axes)
