"""Which joints an operator means, and how much: by body group, by name, or all alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Anatomy, Character
from mummer.errors import InputError

Weights = float | Mapping[str, float]
"""One number for every joint, or a number for each group named."""


def anatomy_of(body: Character) -> Anatomy:
    """The anatomy of ``body``.

    Raises:
        InputError: if it is not known.
    """
    if body.anatomy is None:
        raise InputError(f"the anatomy of {body.name!r} is not known; recognise it or give it a sidecar file")
    return body.anatomy


def joints_of(body: Character, groups: Iterable[str] = (), joints: Iterable[str] = ()) -> BoolArray:
    """(J,) the joints of some groups, together with those named one by one.

    Raises:
        UnknownNameError: for a group or a joint that the body does not have.
    """
    chosen = np.zeros(len(body.skeleton), bool)
    for name in groups:
        chosen[list(anatomy_of(body).group(name))] = True
    for name in joints:
        chosen[body.skeleton.index(name)] = True
    return locked(chosen, bool)


def joint_weights(body: Character, weights: Weights, *, other: float = 0.0) -> FloatArray:
    """(J,) the weight of every joint.

    Args:
        body: whose joints and groups.
        weights: one number for all joints, or numbers by group.
        other: the weight of joints whose group is not named.
    """
    if not isinstance(weights, Mapping):
        return locked(np.full(len(body.skeleton), finite(weights, "a weight")))
    found = np.full(len(body.skeleton), other)
    for name, weight in weights.items():
        found[list(anatomy_of(body).group(name))] = finite(weight, f"the weight of group {name!r}")
    return locked(found)


def plain_weights(weights: Weights) -> Weights:
    """``weights`` as plain numbers that nobody else can change."""
    if isinstance(weights, Mapping):
        return {str(name): float(weight) for name, weight in weights.items()}
    return float(weights)


def finite(value: float, what: str) -> float:
    """``value`` as a float.

    Raises:
        InputError: if it is not a finite number.
    """
    number = float(value)
    if not math.isfinite(number):
        raise InputError(f"{what} is {number}; expected a finite number")
    return number


def morph_joint(body: Character) -> int:
    """The joint that morphs go along with when joints are weighed or chosen: the head, else joint 0."""
    return 0 if body.anatomy is None else body.anatomy.roles.get("head", 0)


def require_same_body(first: Character, second: Character, what: str) -> None:
    """Raise unless both bodies have the same joints at rest.

    Raises:
        InputError: naming both.
    """
    if first.skeleton is second.skeleton or first.skeleton.same_as(second.skeleton):
        return
    raise InputError(
        f"{what} needs clips of one body; {first.name!r} has {len(first.skeleton)} joints and {second.name!r} "
        f"{len(second.skeleton)}, or they differ in names, parents or rest pose"
    )
