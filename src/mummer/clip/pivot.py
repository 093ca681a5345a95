"""Pivot: a whole motion turned about a point of it and put somewhere else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import world_positions
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.operated import Operated
from mummer.clip.standing import Standing, move_body
from mummer.errors import InputError
from mummer.math import quaternion

Numbers = tuple[float, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Pivot(Operated):
    """The clip turned about ``point``, which is then moved to ``to``.

    The place of the root turns along with its rotation, so nothing slides that did not slide before.

    Attributes:
        point: (x, y, z) in metres, the fixed point in the world of the operand; often where a foot stands.
        rotation: (x, y, z, w) in the world.
        to: (x, y, z) where the point comes to be.
    """

    point: Numbers
    rotation: Numbers
    to: Numbers

    def __post_init__(self) -> None:
        for name, count in (("point", 3), ("rotation", 4), ("to", 3)):
            values = np.asarray(getattr(self, name), np.float64)
            if values.shape != (count,) or not np.all(np.isfinite(values)):
                raise InputError(f"{name} of a pivot must be {count} finite numbers, not {getattr(self, name)!r}")
            if name == "rotation" and not np.linalg.norm(values) > 1e-6:
                raise InputError("rotation of a pivot has length zero; expected a quaternion xyzw")
            object.__setattr__(self, name, tuple(values.tolist()))

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made = self.clip.frames(times)
        turn = quaternion.normalize(self.rotation)
        move_body(made, self.body, np.asarray(self.to) - quaternion.rotate(turn, self.point), turn)
        return made


def pivot_at(
    clip: Clip, joint: str, time: float, *, rotation: npt.ArrayLike | None = None, to: npt.ArrayLike | None = None
) -> Pivot:
    """``clip`` pivoted about where a joint is at one moment.

    Args:
        clip: any clip.
        joint: the name of the joint that stays, for instance the foot that stands.
        time: seconds.
        rotation: (4,) in the world; none if left out.
        to: (3,) where the joint shall be at that moment; where it is, if left out.
    """
    pose = clip.at(time)
    point = world_positions(clip.body.skeleton, pose)[clip.body.skeleton.index(joint)]
    turn = np.array([0.0, 0.0, 0.0, 1.0]) if rotation is None else np.asarray(rotation, np.float64)
    goal = point if to is None else np.asarray(to, np.float64)
    return Pivot(clip, _numbers(point), _numbers(turn), _numbers(goal))


def pivot_to(
    clip: Clip, position: npt.ArrayLike, heading: float, *, time: float | None = None, joint: str | None = None
) -> Pivot:
    """``clip`` turned about the vertical and moved over the ground so that the body stands and faces as asked.

    Args:
        clip: any clip.
        position: (3,) in the world; its height does not matter.
        heading: radians about up, from the heading of the rest pose.
        time: the moment at which it stands there; the start if left out.
        joint: whose place and heading count; the hips if left out.
    """
    standing = Standing.of(clip.body, joint)
    moment = clip.start if time is None else float(np.clip(time, clip.start, clip.end))
    places, headings = standing.places(clip.frames(np.array([moment])))
    turn = standing.turn(heading - headings[0])
    goal = places[0] + standing.level(np.asarray(position, np.float64) - places[0])
    return Pivot(clip, _numbers(places[0]), _numbers(turn), _numbers(goal))


def _numbers(values: FloatArray) -> Numbers:
    return tuple(float(value) for value in values)
