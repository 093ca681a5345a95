"""Overlaps: of two capsules, of a body with itself, of two bodies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import mummer as mm
from mummer.character import Pose
from mummer.errors import InputError
from mummer.ik.volume import Volume, distance_to_volume, pairs_of, penetration_between, self_penetration, volume_of
from mummer.ik.volume.placed import Placed, distances_of
from mummer.math import quaternion

numbers = st.floats(-1, 1)
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
radius = st.floats(0.02, 0.4)
capsules = st.tuples(vectors, vectors, radius, radius)


def placed(*listed):
    ends = np.array([[one[0], one[1]] for one in listed], np.float64)
    radii = np.array([[one[2], one[3]] for one in listed], np.float64)
    count = len(listed)
    volume = Volume(np.zeros(count, int), ends, radii, np.zeros(count))
    reach = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) / 2 + radii.max(axis=1)
    return Placed(volume, ends[None], np.concatenate([ends.mean(axis=1), reach[:, None]], axis=1)[None])


def between(one, two, reach=np.inf):
    both = placed(one, two)
    whole = np.array([[[0.0, 1.0], [0.0, 1.0]]])
    return [each[0, 0] for each in distances_of(both, both, np.array([0]), np.array([1]), whole, reach)]


@given(capsules, capsules)
def test_no_two_balls_along_the_axes_are_nearer_than_the_distance_found(one, two):
    distance, shares, normal = between(one, two)
    s, t = np.meshgrid(np.linspace(0, 1, 60), np.linspace(0, 1, 60), indexing="ij")
    a = one[0] + s[..., None] * (one[1] - one[0])
    b = two[0] + t[..., None] * (two[1] - two[0])
    thick = one[2] + s * (one[3] - one[2]) + two[2] + t * (two[3] - two[2])
    # Axes that touch have no direction between them: there any distance within the radii is as good as another.
    assume(np.linalg.norm(a - b, axis=-1).min() > 0.05)
    best = float((np.linalg.norm(a - b, axis=-1) - thick).min())
    assert distance <= best + 0.02
    assert distance >= best - 0.04
    assert np.all((shares >= 0) & (shares <= 1))
    assert abs(np.linalg.norm(normal) - 1) < 1e-9


@given(capsules, capsules)
def test_the_order_of_two_capsules_does_not_matter(one, two):
    there, back = between(one, two), between(two, one)
    assume(there[0] > 0.01 - min(one[2], one[3]) - min(two[2], two[3]))
    assert abs(there[0] - back[0]) < 5e-3


@given(capsules, capsules)
def test_out_of_reach_a_lower_bound_is_given(one, two):
    exact, bound = between(one, two)[0], between(one, two, 0.01)[0]
    assert bound <= exact + 1e-9
    assert bound == exact or bound > 0.01


@pytest.mark.parametrize("name", mm.zoo.names()[::3])
def test_no_body_of_the_zoo_overlaps_itself_at_rest(name):
    character = mm.zoo.body(name)
    found = self_penetration(character, Pose.rest(character.skeleton, (2,)))
    assert not found.is_penetrating.any(), found.worst_pairs()
    assert len(pairs_of(character)) == len(found.pairs)


def test_parts_of_one_limb_and_neighbours_are_not_compared():
    character = mm.zoo.body("adult")
    names = character.skeleton.names
    found = self_penetration(character, character.default_pose)
    listed = {frozenset(names[joint] for joint in pair) for pair in found.joints}
    assert frozenset(("left_upper_arm", "left_forearm")) not in listed
    assert frozenset(("left_index_1", "left_middle_1")) not in listed
    assert frozenset(("left_hand", "right_hand")) in listed
    assert frozenset(("left_forearm", "chest")) in listed


def arm_through_belly(character):
    """The left forearm turned into the trunk."""
    pose = character.default_pose
    for joint, axis, angle in (("left_upper_arm", (0, 0, 1), -0.9), ("left_forearm", (0, 1, 0), -1.9)):
        place = character.skeleton.index(joint)
        turn = quaternion.from_axis_angle(np.array(axis, float), angle)
        pose = pose.with_rotation(place, quaternion.multiply(pose.rotations[place], turn))
    return pose


def test_an_arm_in_the_trunk_is_found():
    character = mm.zoo.body("adult")
    found = self_penetration(character, arm_through_belly(character))
    assert found.is_penetrating
    first, second, depth = found.worst_pairs()[0]
    assert depth == pytest.approx(float(found.worst))
    named = {character.skeleton.names[first], character.skeleton.names[second]}
    assert any("left" in name for name in named), named
    worst = int(np.argmax(found.depth))
    gap = np.linalg.norm(found.points[worst, 0] - found.points[worst, 1])
    radii = volume_of(character).radii[found.pairs[worst]].max(axis=1).sum()
    assert gap < radii


def test_two_bodies_overlap_only_when_they_meet():
    character = mm.zoo.body("snake")
    here = Pose.stack([character.default_pose] * 2)
    there = here.replace(root_translation=here.root_translation + np.array([[0.02, 0, 0], [3.0, 0, 0]]))
    found = penetration_between(character, here, character, there)
    assert found.is_penetrating.tolist() == [True, False]
    back = penetration_between(character, there, character, here)
    assert back.worst == pytest.approx(found.worst, abs=1e-6)
    with pytest.raises(InputError, match="as many of one as of the other"):
        penetration_between(character, here, character, character.default_pose)


@given(vectors)
def test_distance_to_the_volume_is_that_of_the_nearest_capsule(point):
    character = mm.zoo.body("snake")
    exact = distance_to_volume(character, character.default_pose, [point])
    soft = distance_to_volume(character, character.default_pose, [point], softness=0.01)
    assert soft.distances[0] <= exact.distances[0] + 1e-12
    assert soft.distances[0] >= exact.distances[0] - 0.01 * np.log(len(volume_of(character))) - 1e-9
    if exact.distances[0] > 0:
        on = distance_to_volume(character, character.default_pose, exact.closest)
        assert on.distances[0] == pytest.approx(0, abs=1e-6)
    moved = distance_to_volume(character, character.default_pose, [point + 1e-4 * exact.normals[0]])
    assert moved.distances[0] - exact.distances[0] == pytest.approx(1e-4, abs=2e-6)


def test_points_must_fit_the_poses():
    character = mm.zoo.body("snake")
    with pytest.raises(InputError, match=r"expected \(N, 3\) or \(B, N, 3\)"):
        distance_to_volume(character, character.default_pose, [0.0, 0, 0])
    with pytest.raises(InputError, match="not finite"):
        distance_to_volume(character, character.default_pose, [[np.nan, 0, 0]])
    with pytest.raises(InputError, match="softness"):
        distance_to_volume(character, character.default_pose, [[0, 0, 0]], softness=-1)
