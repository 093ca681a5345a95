"""Joints that hang from elsewhere find the limb that they belong to; those of a body in one piece have no need to."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.character import Anatomy, Limb, Skeleton
from mummer.character.holders import find_holders, holders_of_toes

NAMES = ("root", "thigh", "shin", "twist", "ankle", "ball")


def leg(parents: list[int], roles: dict[str, int], chain: tuple[int, ...] = ()) -> tuple[Skeleton, Anatomy]:
    places = np.array([[0.0, 1.0, 0.0], *[[0.0, -0.2, 0.0]] * (len(parents) - 1)])
    skeleton = Skeleton(NAMES[: len(parents)], np.array(parents), places)
    limbs = (Limb("left_leg", "leg", "left", 0, chain, 0.5),) if chain else ()
    return skeleton, Anatomy("biped", roles, {}, limbs, {}, np.arange(len(parents)))


LEFT = {"left_upper_leg": 1, "left_lower_leg": 2, "left_foot": 4, "left_toes": 5}
FRONT = {"front_left_upper": 1, "front_left_lower": 2, "front_left_foot": 4, "front_left_toes": 5}


@pytest.mark.parametrize("roles", [LEFT, FRONT])
@pytest.mark.parametrize(
    ("parents", "expected"),
    [
        ([-1, 0, 1, 2, 2, 4], []),
        ([-1, 0, 1, 2, 0, 4], [(4, 2)]),
        ([-1, 0, 1, 2, 0, 0], [(4, 2), (5, 4)]),
        ([-1, 0, 0, 2, 0, 4], [(2, 1), (4, 2)]),
    ],
)
def test_what_hangs_from_the_root_is_held_by_the_leg_holders_first(
    roles: dict[str, int], parents: list[int], expected: list[tuple[int, int]]
) -> None:
    backwards = dict(reversed(roles.items()))
    assert list(find_holders(*leg(parents, backwards)).items()) == expected


def test_the_last_joint_of_the_limb_holds() -> None:
    assert find_holders(*leg([-1, 0, 1, 2, 0, 4], LEFT, (1, 2, 3))) == {4: 3}


def test_a_foot_below_which_its_leg_hangs_is_left_alone() -> None:
    skeleton, anatomy = leg([-1, 0, 1, 2], {"left_foot": 1, "left_lower_leg": 2})
    assert find_holders(skeleton, anatomy) == {}


def test_toes_without_a_foot_belong_to_the_leg() -> None:
    skeleton, anatomy = leg([-1, 0, 1, 0], {"left_upper_leg": 1, "left_lower_leg": 2, "left_toes": 3})
    assert find_holders(skeleton, anatomy) == {3: 2}


def test_hands_belong_to_forearms_of_their_side() -> None:
    skeleton, anatomy = leg([-1, 0, 0, 0, 0], {"left_hand": 1, "right_hand": 2, "right_forearm": 3, "left_forearm": 4})
    assert find_holders(skeleton, anatomy) == {1: 4, 2: 3}


@pytest.mark.parametrize(
    ("high", "apart", "expected"), [(0.3, 0.02, {5: 4}), (0.3, 0.2, {}), (0.1, 0.02, {})], ids=["bird", "fan", "man"]
)
def test_toes_that_begin_together_below_a_tall_foot_stand_as_one(
    high: float, apart: float, expected: dict[int, int]
) -> None:
    names = ("root", "thigh", "shin", "foot", "front_toe", "back_toe")
    heights = np.array([1.0, 1.0, 0.6, high, 0.0, 0.0])
    parents = np.array([-1, 0, 1, 2, 3, 3])
    places = np.stack([np.zeros(6), heights, [0.0, 0.0, 0.0, 0.0, 0.0, apart]], axis=1)
    local = places - np.where(parents[:, None] >= 0, places[parents], 0.0)
    limbs = (Limb("left_leg", "leg", "left", 0, (1, 2, 3, 4), 1.0),)
    roles = {"left_upper_leg": 1, "left_lower_leg": 2, "left_foot": 3, "left_toes": 4}
    anatomy = Anatomy("biped", roles, {"foot": (3,)}, limbs, {}, np.arange(6))
    assert holders_of_toes(Skeleton(names, parents, local), anatomy, places) == expected
