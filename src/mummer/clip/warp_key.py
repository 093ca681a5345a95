"""The keys of a space warp: what the body, or a joint of it, shall do at one moment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.character import Pose
from mummer.errors import InputError

Numbers = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class SpaceWarpKey:
    """What a space warp reaches at one moment. Joints that it does not speak of have no key there.

    Attributes:
        time: seconds.
        whole: the pose of the whole body, or None.
        targets: the rotation (x, y, z, w) that single joints shall have, parent_from_joint, by name.
        turns: the displacement (x, y, z, w) put before the rotation of single joints, in the parent's frame, by name.
        place: (x, y, z) where joint 0 shall be, or None.
        shift: (x, y, z) the displacement added to joint 0's place, or None.
        zero: whether every joint not named above, and joint 0's place, is not displaced: a bound for the effect of
            other keys.
        tweak: whether this key was put into a warp that was there before, so that the keys beside it keep their
            outer tangents (see `SpaceWarp`). None takes the keys that displace something for tweaks.
    """

    time: float
    whole: Pose | None = None
    targets: Mapping[str, Numbers] = field(default_factory=dict)
    turns: Mapping[str, Numbers] = field(default_factory=dict)
    place: Numbers | None = None
    shift: Numbers | None = None
    zero: bool = False
    tweak: bool | None = None

    def __post_init__(self) -> None:
        if not math.isfinite(self.time):
            raise InputError(f"a key of a space warp is at {self.time} s; expected a finite time")
        for name in ("targets", "turns"):
            table = {str(joint): _rotation(value, joint) for joint, value in getattr(self, name).items()}
            object.__setattr__(self, name, table)
        for name in ("place", "shift"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else _numbers(value, 3, f"{name} of a warp key"))
        if self.whole is not None and self.whole.shape:
            raise InputError("a key of a space warp is a batch of poses; expected one")

    @classmethod
    def pose(cls, time: float, pose: Pose, **options: Any) -> SpaceWarpKey:
        """The whole body shall be in ``pose`` at ``time``."""
        return cls(time, whole=pose, **options)

    @classmethod
    def joint(cls, time: float, name: str, rotation: npt.ArrayLike, **options: Any) -> SpaceWarpKey:
        """One joint shall have the parent_from_joint ``rotation`` (4,) at ``time``."""
        return cls(time, targets={name: tuple(np.asarray(rotation, np.float64).tolist())}, **options)

    @classmethod
    def turn(cls, time: float, name: str, displacement: npt.ArrayLike, **options: Any) -> SpaceWarpKey:
        """One joint shall be turned by ``displacement`` (4,), in its parent's frame, at ``time``."""
        return cls(time, turns={name: tuple(np.asarray(displacement, np.float64).tolist())}, **options)

    @classmethod
    def nothing(cls, time: float, **options: Any) -> SpaceWarpKey:
        """No joint shall be displaced at ``time``."""
        return cls(time, zero=True, **options)


def _numbers(value: npt.ArrayLike, count: int, what: str) -> Numbers:
    array = np.asarray(value, np.float64)
    if array.shape != (count,) or not np.all(np.isfinite(array)):
        raise InputError(f"{what} must be {count} finite numbers, not {value!r}")
    return tuple(float(number) for number in array)


def _rotation(value: npt.ArrayLike, joint: str) -> Numbers:
    numbers = np.asarray(_numbers(value, 4, f"the rotation of {joint!r} in a warp key"))
    length = np.linalg.norm(numbers)
    if length < 1e-6:
        raise InputError(f"the rotation of {joint!r} in a warp key has length zero; expected a quaternion xyzw")
    return tuple(float(number) for number in numbers / length)
