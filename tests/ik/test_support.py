"""Supports: feet of many kinds, hulls of any points, and what is over them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.arrays import FloatArray
from mummer.character import Character, Pose, Skeleton
from mummer.errors import UnknownNameError
from mummer.ik import Balanced, BodyPoint, WorldState
from mummer.ik.support import (
    _end_lines,
    contact_points,
    distance_outside,
    find_support,
    level_hull,
    support_half_spaces,
)
from mummer.math import quaternion
from tests.ik.random_poses import bent, carried

ALWAYS = [0.0, 0.0, 0.0, -1.0]
coordinates = st.tuples(st.floats(-2, 2), st.floats(-2, 2))


def standing(character: Character, sideways: float = 0.0) -> WorldState:
    """The body at rest, its mass moved sideways by sliding the root; feet that are named slide along."""
    return WorldState(character, carried(Pose.stack([character.default_pose]), quaternion.IDENTITY, [sideways, 0, 0]))


def cross_of(spread: float) -> Character:
    """A body without limbs to speak of: a heavy root above four points that are ``spread`` from the middle."""
    places = [[0, 1, 0], [spread, -1, 0], [0, -1, spread], [-spread, -1, 0], [0, -1, -spread]]
    skeleton = Skeleton(("root", "a", "b", "c", "d"), [-1, 0, 0, 0, 0], places, [[0, 0, 0, 1.0]] * 5, name="cross")
    mass = mm.Mass(np.array([1.0, 0, 0, 0, 0]), np.zeros((5, 3)), np.zeros((5, 3, 3)))
    return Character("cross", skeleton, mass=mass)


@given(st.lists(coordinates, min_size=1, max_size=12))
def test_a_hull_holds_its_points_and_is_made_of_them(points: list[tuple[float, float]]) -> None:
    given_points = np.array([points])
    hull = level_hull(given_points, 1e-6)
    count = int(hull.counts[0])
    corners = hull.corners[0, :count]
    assert 1 <= count <= len(points)
    assert all(np.any(np.all(given_points[0] == corner, axis=1)) for corner in corners)
    if count > 2:
        spans = np.roll(corners, -1, axis=0) - corners
        for point in given_points[0]:
            away = point - corners
            depths = (spans[:, 0] * away[:, 1] - spans[:, 1] * away[:, 0]) / np.linalg.norm(spans, axis=1)
            assert depths.min() >= -2e-6
    else:
        assert np.all(_from_line(given_points[0], corners[0], corners[-1]) <= 2e-6)


def test_no_points_have_no_hull() -> None:
    hull = level_hull(np.zeros((3, 0, 2)), 1e-6)
    assert hull.corners.shape == (3, 0, 2)
    assert not hull.counts.any()


def _from_line(points: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    span = end - start
    share = np.clip((points - start) @ span / max(span @ span, 1e-300), 0, 1)
    return np.linalg.norm(points - start - share[:, None] * span, axis=1)


def test_a_square_of_four_points() -> None:
    body = cross_of(0.3)
    feet = ("a", "b", "c", "d")
    inside = 0.3 / np.sqrt(2)
    assert distance_outside(standing(body), feet)[0] == 0
    found = find_support(standing(body), feet)
    assert found is not None
    assert found.outside(np.array([[0.0, 5, 0]]))[0] == pytest.approx(-inside)
    assert found.outside(np.array([[0.5, 5, 0]]))[0] == pytest.approx(0.2)
    assert found.outside(np.array([[0.3, 0, 0.3]]))[0] == pytest.approx(0.3 * np.sqrt(2) - inside)
    assert len(found.corners()[0]) == 4


def test_half_spaces_agree_with_the_distance() -> None:
    body = cross_of(0.3)
    random = np.random.default_rng(0)
    points = random.uniform(-0.5, 0.5, size=(200, 3))
    for feet in (("a", "b", "c", "d"), ("a", "b", "c"), ("a", "c"), ("a",)):
        found = find_support(standing(body), feet)
        assert found is not None
        planes = support_half_spaces(standing(body), feet)[0]
        met = np.all(points @ planes[:, :3].T >= planes[:, 3] - 1e-12, axis=1)
        outside = np.concatenate([found.outside(point[None]) for point in points])
        np.testing.assert_array_equal(met, outside <= 1e-12)


@pytest.mark.parametrize("feet", [("a", "b", "c", "d"), ("a", "c"), ("a",)])
def test_half_spaces_can_always_be_met_whatever_the_margin(feet: tuple[str, ...]) -> None:
    planes = support_half_spaces(standing(cross_of(0.3)), feet, margin=5.0)[0]
    corners = np.array([[0.3, 0, 0], [0, 0, 0.3], [-0.3, 0, 0], [0, 0, -0.3]])
    middle = np.mean([corners["abcd".index(foot)] for foot in feet], axis=0)
    assert np.all(planes[:, :3] @ middle >= planes[:, 3] - 1e-9)


def test_a_margin_moves_the_edges_inwards() -> None:
    state = standing(cross_of(0.3))
    feet = ("a", "b", "c", "d")
    wide, narrow = support_half_spaces(state, feet), support_half_spaces(state, feet, margin=0.05)
    np.testing.assert_allclose(narrow[..., 3], wide[..., 3] + 0.05)
    found = find_support(state, feet, 0.05)
    assert found is not None
    assert found.margin[0] == pytest.approx(0.05)


def test_a_point_under_the_body_and_beside_it() -> None:
    body = cross_of(0.3)
    assert distance_outside(standing(body), ("a",))[0] == pytest.approx(0.3)
    assert distance_outside(standing(body), (BodyPoint("root", (0.0, -1.0, 0.0)),), 0.1)[0] == pytest.approx(
        0, abs=1e-12
    )
    assert distance_outside(standing(body), ("a", "c"))[0] == pytest.approx(0, abs=1e-12)
    assert distance_outside(standing(body), ("a", "b"))[0] == pytest.approx(0.3 / np.sqrt(2))


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "bird", "centaur", "lizard", "snake"])
def test_bodies_of_the_zoo_stand_over_their_feet(name: str) -> None:
    state = standing(mm.zoo.body(name))
    assert distance_outside(state)[0] == 0
    assert Balanced().error(state)[0] == 0
    found = find_support(state)
    assert found is not None
    assert found.outside(state.center_of_mass)[0] < -0.02 * state.body.height


def test_a_crab_with_one_huge_claw_does_not() -> None:
    assert distance_outside(standing(mm.zoo.body("crab")))[0] > 0.01


@pytest.mark.parametrize("name", ["fish", "ghost"])
def test_what_floats_needs_no_support(name: str) -> None:
    state = standing(mm.zoo.body(name))
    assert find_support(state) is None
    assert distance_outside(state).tolist() == [0.0]
    assert support_half_spaces(state).tolist() == [[ALWAYS]]


def test_a_sole_is_as_long_and_wide_as_a_foot() -> None:
    character = mm.zoo.body("adult")
    state = standing(character)
    corners = np.stack([state.point(point)[0] for point in contact_points(character, "left_foot")])
    length, width = np.ptp(corners[:, 2]), np.ptp(corners[:, 0])
    assert 0.12 < length / state.body.height < 0.18
    assert 0.04 < width / state.body.height < 0.09
    assert corners[:, 1].max() < 0.02 * state.body.height


def test_a_hand_stands_on_its_wrist_and_finger_tips() -> None:
    character = mm.zoo.body("adult")
    names = {character.skeleton.names[int(point.part)] for point in contact_points(character, "left_hand")}
    assert "left_hand" in names
    assert len(names) == 6


def test_one_foot_bears_less_than_two() -> None:
    state = standing(mm.zoo.body("adult"))
    assert distance_outside(state, ("left_foot",))[0] > 0.03
    assert distance_outside(state, ("left_foot", "right_foot"))[0] == 0


def test_a_foot_that_is_lifted_leaves_the_support_smoothly() -> None:
    character = mm.zoo.body("adult")
    assert character.anatomy is not None
    hip = character.anatomy.roles["left_upper_leg"]
    angles = np.linspace(0, 1.2, 400)
    rest = Pose.rest(character.skeleton, (len(angles),))
    lifted = rest.with_rotation(
        hip, quaternion.multiply(rest.rotations[:, hip], quaternion.exp(angles[:, None] * [-1, 0, 0]))
    )
    state = WorldState(character, lifted)
    found = find_support(state)
    assert found is not None
    outside = found.outside(state.center_of_mass)
    alone = find_support(state, ("right_foot",))
    assert alone is not None
    assert outside[-1] == pytest.approx(alone.outside(state.center_of_mass)[-1], abs=1e-6)
    assert outside[0] < -0.02
    assert np.abs(np.diff(outside)).max() < 0.01


@given(st.integers(0, 10**6), st.floats(-3, 3))
def test_it_turns_and_moves_with_the_body(seed: int, angle: float) -> None:
    character = mm.zoo.body("dog")
    pose = bent(character, seed, 2, 0.1)
    turned = carried(pose, quaternion.from_axis_angle([0.0, 1, 0], angle), [2.0, 0.5, -1])
    for feet in ((), ("front_left_foot", "hind_right_foot")):
        here, there = (distance_outside(WorldState(character, each), feet, 0.01) for each in (pose, turned))
        np.testing.assert_allclose(here, there, atol=1e-5)


def test_a_foot_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownNameError, match="left_foot"):
        distance_outside(standing(mm.zoo.body("adult")), ("left_fot",))


@pytest.mark.parametrize("points", [[[0.3, -0.2]], [[0.3, -0.2], [0.9, 0.6]]])
def test_lines_close_what_has_no_edges_all_round(points: list) -> None:
    lines = _end_lines(level_hull(np.array([points]), 1e-6))[0]
    np.testing.assert_allclose(np.linalg.norm(lines[:, :2], axis=1), 1.0)
    np.testing.assert_allclose(lines[:, :2].sum(axis=0), 0.0, atol=1e-12)
    # All of it is on the inner side, its ends on the lines, and what is beyond them is outside.
    for point in points:
        assert np.all(lines[:, :2] @ point >= lines[:, 2] - 1e-12)
    assert (np.abs(lines[:, :2] @ np.array(points).T - lines[:, 2:]) < 1e-12).any(axis=1).all()
    for away in ([2.0, 0.0], [-2.0, 0.0], [0.0, 2.0], [0.0, -2.0]):
        assert np.any(lines[:, :2] @ (np.array(points[0]) + away) < lines[:, 2])
