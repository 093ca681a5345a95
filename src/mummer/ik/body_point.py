"""A point of a body: a joint, found by role, name or index, and a place in that joint's own frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from mummer.character import Character
from mummer.errors import InputError, UnknownNameError

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class BodyPoint:
    """A point that moves with a joint.

    Attributes:
        part: a role of the anatomy (``left_hand``), a joint's name, or a joint's index.
        offset: metres from the joint, in the joint's own frame.
    """

    part: str | int
    offset: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        x, y, z = (float(number) for number in self.offset)
        object.__setattr__(self, "offset", (x, y, z))


Part: TypeAlias = str | int | BodyPoint
"""What a goal speaks of; a bare role, name or index means the joint itself."""


@lru_cache(maxsize=4096)
def as_point(part: Part) -> BodyPoint:
    """``part`` as a body point."""
    return part if isinstance(part, BodyPoint) else BodyPoint(part)


def joint_of(character: Character, part: Part) -> int:
    """The index of the joint that ``part`` stands for: a role where the body has one of that name, else a joint.

    Raises:
        InputError: if there is no such joint; with the closest roles and names.
    """
    wanted = as_point(part).part
    count = len(character.skeleton)
    if isinstance(wanted, int):
        if not 0 <= wanted < count:
            raise InputError(f"{character.name!r} has no joint {wanted}; expected 0 to {count - 1}")
        return wanted
    roles = {} if character.anatomy is None else character.anatomy.roles
    if wanted in roles:
        return roles[wanted]
    if wanted in character.skeleton:
        return character.skeleton.index(wanted)
    raise UnknownNameError(repr(character.name), "role or joint", wanted, [*roles, *character.skeleton.names])
