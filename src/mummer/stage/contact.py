"""Contact: parts of two actors, or of an actor and a thing, that stay together for a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import world_transforms
from mummer.clip import Clip
from mummer.ik import Goal, Moving, Place, handle
from mummer.ik.body_point import BodyPoint
from mummer.math import quaternion, rigid
from mummer.math.rigid import Rigid
from mummer.stage.play import Contact
from mummer.stage.prop_path import PropPath

RATE = 60.0


@dataclass(frozen=True, eq=False)
class Side:
    """One of two that touch.

    Attributes:
        name: of the actor, empty for a thing.
        point: of the actor's body; None for a thing.
        at: from times (T,) to where the point is, (T, 3) metres and (T, 4) turns.
        grasps: whether it is something that takes hold, such as a hand.
    """

    name: str
    point: BodyPoint | None
    at: Callable[[FloatArray], Rigid]
    grasps: bool = False


def side_of_actor(name: str, part: str, clip: Clip) -> Side:
    """The handle of a part of somebody.

    Raises:
        UnknownNameError: if the body has no such part.
    """
    point = handle(clip.body, part)
    joint = int(point.part)
    offset = np.asarray(point.offset, np.float64)

    def at(times: FloatArray) -> Rigid:
        places, turns = world_transforms(clip.body.skeleton, clip.sample(times))
        return places[:, joint] + quaternion.rotate(turns[:, joint], offset), turns[:, joint]

    hands = () if clip.body.anatomy is None else clip.body.anatomy.capabilities.get("grasper", ())
    return Side(name, point, at, joint in hands)


def side_of_prop(path: PropPath) -> Side:
    """A thing, by its middle."""
    return Side("", None, path.at)


def contact_goals(contact: Contact, first: Side, second: Side, begin: float, end: float) -> dict[str, list[Goal]]:
    """Goals by actor that keep two parts together from ``begin`` to ``end``.

    Hands that meet are in one place; whatever else touches stays as it is when the contact begins.
    """
    times = np.linspace(begin, end, max(2, round((end - begin) * RATE) + 1))
    one, two = first.at(times), second.at(times)
    if first.grasps and second.grasps:
        met = two[0]
    else:
        second_from_first = rigid.multiply(*rigid.inverse(two[0][0], two[1][0]), one[0][0], one[1][0])
        met = two[0] + quaternion.rotate(two[1], second_from_first[0])
    control = "second" if second.point is None else contact.control
    ways = {
        "shared": (0.5 * (one[0] + met), 0.5 * (one[0] + met) + (two[0] - met)),
        "first": (None, one[0] + (two[0] - met)),
        "second": (met, None),
        "still": (np.tile(met[:1], (len(times), 1)), np.tile(two[0][:1], (len(times), 1))),
    }[control]
    goals: dict[str, list[Goal]] = {}
    for side, way in zip((first, second), ways, strict=True):
        if way is not None and side.point is not None:
            goals.setdefault(side.name, []).append(Place(side.point, Moving(times, way), interval=(begin, end)))
    return goals
