"""What can be worked out from the rest pose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import (
    Character,
    Limb,
    Skeleton,
    bounds_of,
    first_branch,
    ground_of,
    groups_from_limbs,
    limb_length,
    mirror_by_position,
    rest_positions,
    side_of,
    size_of,
)
from mummer.math import quaternion
from tests.character.strategies import arm, generators, human, human_anatomy, law, skeletons


def test_a_person_is_mirrored_by_name_and_by_place() -> None:
    skeleton = human()
    np.testing.assert_array_equal(mirror_by_position(skeleton), human_anatomy(skeleton).mirror)


@law
@given(generators, st.floats(-np.pi, np.pi))
def test_a_person_is_mirrored_wherever_it_stands(rng: np.random.Generator, turn: float) -> None:
    skeleton = human()
    heading = quaternion.from_axis_angle([0, 1, 0], turn)
    moved = skeleton.rest_translations.copy()
    moved[0] = quaternion.rotate(heading, moved[0]) + rng.normal(size=3)
    rotations = skeleton.rest_rotations.copy()
    rotations[0] = heading
    shaken = moved + rng.uniform(-1, 1, moved.shape) * 5e-4
    turned = Skeleton(skeleton.names, skeleton.parents, shaken, rotations)
    mirror = mirror_by_position(turned, quaternion.rotate(heading, [0.0, 0, 1]))
    np.testing.assert_array_equal(mirror, human_anatomy(skeleton).mirror)


@law
@given(skeletons(roots=2))
def test_mirroring_twice_is_nothing_and_partners_hang_from_partners(skeleton: Skeleton) -> None:
    mirror = mirror_by_position(skeleton)
    np.testing.assert_array_equal(mirror[mirror], np.arange(len(skeleton)))
    for joint, partner in enumerate(mirror):
        if joint != partner:
            one, other = skeleton.parents[joint], skeleton.parents[partner]
            assert (one < 0 and other < 0) or mirror[one] == other


def test_a_lost_arm_has_no_partner() -> None:
    skeleton = human()
    keep = [joint for joint, name in enumerate(skeleton.names) if name not in ("left_hand", "left_forearm")]
    parents = [-1 if skeleton.parents[j] < 0 else keep.index(skeleton.parents[j]) for j in keep]
    maimed = Skeleton([skeleton.names[j] for j in keep], parents, skeleton.rest_translations[keep])
    mirror = mirror_by_position(maimed)
    alone = maimed.indices(["right_forearm", "right_hand"])
    np.testing.assert_array_equal(mirror[alone], alone)
    assert mirror[maimed.index("left_upper_arm")] == maimed.index("right_upper_arm")


@law
@given(skeletons(roots=2), generators)
def test_groups_hold_every_joint_once(skeleton: Skeleton, rng: np.random.Generator) -> None:
    limbs = []
    for number in range(4):
        tip = int(rng.integers(len(skeleton)))
        path = (*reversed(skeleton.ancestors(tip)), tip)
        side = ("left", "right", "center")[number % 3]
        limbs.append(Limb(f"limb{number}", "leg", side, 0, path[int(rng.integers(len(path))) :], 1.0))  # type: ignore[arg-type]
    groups = groups_from_limbs(skeleton, limbs)
    assert sorted(joint for joints in groups.values() for joint in joints) == list(range(len(skeleton)))
    assert all(groups.values())


def test_groups_of_a_person() -> None:
    skeleton = human()
    legs = [
        Limb(f"{side}_leg", "leg", side, 0, (0, *skeleton.indices([f"{side}_upper_leg", f"{side}_lower_leg"])), 1.0)  # type: ignore[arg-type]
        for side in ("left", "right")
    ]
    groups = groups_from_limbs(skeleton, legs)
    assert [skeleton.names[j] for j in groups["left_leg"]] == [
        "left_upper_leg",
        "left_lower_leg",
        "left_foot",
        "left_toes",
    ]
    assert groups["waist"] == (0,)
    assert skeleton.index("head") in groups["torso"]


def test_lengths_sides_and_branches() -> None:
    skeleton = human()
    left_arm = human_anatomy(skeleton).limb("left_arm").joints
    assert limb_length(skeleton, left_arm) == pytest.approx(0.17 + 0.28 + 0.25)
    assert limb_length(skeleton, left_arm[:1]) == 0
    assert side_of(skeleton, left_arm) == "left"
    assert side_of(skeleton, left_arm, front=(0, 0, -1)) == "right"
    assert side_of(skeleton, [skeleton.index("head")]) == "center"
    assert first_branch(skeleton) == 0
    names = ("scene", "mesh", "hips", "leg", "foot", "spine", "head")
    carried = Skeleton(names, [-1, 0, 0, 2, 3, 2, 5], np.zeros((7, 3)))
    assert carried.names[first_branch(carried)] == "hips"
    assert first_branch(Skeleton("abcd", [-1, 0, 1, 2], np.zeros((4, 3)))) == 0


def test_bounds() -> None:
    np.testing.assert_allclose(bounds_of(arm()), [[-0.1, 0, -0.1], [0.1, 1, 0.1]], atol=1e-7)
    skeleton = human()
    bounds = bounds_of(Character("bare", skeleton))
    np.testing.assert_allclose(bounds, [rest_positions(skeleton).min(0), rest_positions(skeleton).max(0)])
    assert ground_of(bounds) == pytest.approx(0.02)
    assert ground_of(bounds, (0, -1, 0)) == pytest.approx(-bounds[1, 1])
    assert size_of(rest_positions(skeleton)) == pytest.approx(1.65)
    assert size_of(np.zeros((0, 3))) == 0
