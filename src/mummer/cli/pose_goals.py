"""Goals as ``mummer pose`` reads them from the command line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.errors import InputError
from mummer.ik import Aim, Balanced, Goal, Orient, Place, WorldState, joint_of
from mummer.math import quaternion
from mummer.math.euler import from_euler_degrees

LARGEST = 1e6
"""Metres or degrees that a goal can be given in."""


def read_goals(
    character: Character,
    start: Pose,
    *,
    place: Sequence[str],
    aim: Sequence[str],
    orient: Sequence[str],
    keep: Sequence[str],
    balanced: bool,
) -> list[tuple[str, Goal]]:
    """The goals of a command line, each with the words that stand for it in the table of results.

    Args:
        character: the body.
        start: how it stands before; what `keep` keeps.
        place: ``PART=X,Y,Z`` each, metres.
        aim: ``PART=X,Y,Z`` each, metres.
        orient: ``PART=X,Y,Z`` each, degrees about the world's axes from rest, or ``PART=X,Y,Z,W``, a quaternion.
        keep: parts that stay where they are.
        balanced: whether the body shall not fall over.

    Raises:
        InputError: if one cannot be read, or names a part that the body has not.
    """
    goals: list[tuple[str, Goal]] = []
    for text in place:
        part, numbers = _split(character, text, "--place", (3,))
        goals.append((f"place {part}", Place(part, at=numbers)))
    for text in aim:
        part, numbers = _split(character, text, "--aim", (3,))
        goals.append((f"aim {part}", Aim(part, at=numbers)))
    for text in orient:
        part, numbers = _split(character, text, "--orient", (3, 4))
        goals.append((f"orient {part}", Orient(part, to=_rotation(character, part, numbers))))
    now = WorldState(character, start)
    for part in keep:
        joint_of(character, part)
        goals.append((f"keep {part} in place", Place(part, at=now.point(part)[0])))
        goals.append((f"keep {part} turned", Orient(part, to=now.turn(part)[0])))
    if balanced:
        goals.append(("balanced", Balanced()))
    if not goals:
        raise InputError("no goal was given; expected --place, --aim, --orient, --keep or --balanced")
    return goals


def _split(character: Character, text: str, option: str, counts: tuple[int, ...]) -> tuple[str, FloatArray]:
    part, equals, rest = text.partition("=")
    expected = f"expected PART={'X,Y,Z' if counts == (3,) else 'X,Y,Z or PART=X,Y,Z,W'}"
    if not equals or not part.strip():
        raise InputError(f"{option} {text!r}; {expected}")
    words = rest.split(",")
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) not in counts or not all(abs(number) <= LARGEST for number in numbers):
        raise InputError(
            f"{option} {text!r}: {rest!r} is not a list of {counts[0]} numbers up to a million; {expected}"
        )
    joint_of(character, part.strip())
    return part.strip(), np.array(numbers)


def _rotation(character: Character, part: str, numbers: FloatArray) -> FloatArray:
    """(4,) world_from_joint."""
    if len(numbers) == 4:
        length = float(np.linalg.norm(numbers))
        if length < 1e-9:
            raise InputError(f"--orient {part}: a quaternion of zeros is no rotation")
        return numbers / length
    rest = WorldState(character, Pose.rest(character.skeleton)).turn(part)[0]
    return quaternion.multiply(from_euler_degrees(numbers, "xyz"), rest)
