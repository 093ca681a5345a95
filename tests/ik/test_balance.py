"""Balance as a correction: over the feet, feet in place, and smooth in time."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose, Recording
from mummer.clip import Sampled, Still
from mummer.errors import InputError, UnknownNameError
from mummer.ik import BodyPoint, CenterOfMass, Place, WorldState
from mummer.ik.balance import Balancing, balanced, keep_feet, shift_needed, shifted
from mummer.ik.bells import smoothed
from mummer.ik.pose_distance import pose_distance
from mummer.ik.support import distance_outside, find_support, foot_point, nearest_over
from mummer.math import quaternion
from tests.ik.random_poses import bent

STANDS = (
    ("crab", ()),
    ("adult", ("left_foot",)),
    ("adult", ("right_foot",)),
    ("dog", ("front_left_foot", "hind_left_foot")),
    ("horse", ("front_left_foot", "hind_left_foot")),
)


def lifting(height: float = 1.0) -> Sampled:
    """A man who lifts his left foot for a while between the first and the third second."""
    character = mm.zoo.body("adult")
    assert character.anatomy is not None
    times = np.linspace(0, 4, 121)
    lift = height * (0.5 - 0.5 * np.cos(2 * np.pi * np.clip((times - 1) / 2, 0, 1)))
    rest = Pose.rest(character.skeleton, (len(times),))
    rotations = rest.rotations.copy()
    for role, angle in (("left_upper_leg", -0.9), ("left_lower_leg", 1.2)):
        joint = character.anatomy.roles[role]
        turn = quaternion.exp((angle * lift)[:, None] * [1, 0, 0])
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], turn)
    return Sampled(character, Recording.from_poses("lift", times, rest.replace(rotations=rotations)))


def test_the_nearest_place_over_a_support_is_over_it_and_none_is_nearer() -> None:
    character = mm.zoo.body("dog")
    state = WorldState(character, Pose.rest(character.skeleton, (60,)))
    points = state.center_of_mass + np.random.default_rng(0).normal(size=(60, 3)) * 0.4
    for margin in (0.0, 0.02):
        found = find_support(state, (), margin)
        assert found is not None
        nearest = nearest_over(found, points)
        np.testing.assert_allclose(nearest[:, 1], points[:, 1])
        assert np.all(found.outside(nearest) <= -found.margin + 1e-9)
        inside = found.outside(points) <= -found.margin
        np.testing.assert_allclose(nearest[inside], points[inside], atol=1e-12)
        away = np.linalg.norm(nearest - points, axis=1)
        assert np.all(away >= found.outside(points) + found.margin - 1e-9)
        # Straight on past the nearest place there is nothing nearer: the way to it meets the edge from outside.
        before = points + 0.99 * (nearest - points)
        assert np.all((found.outside(before) > -found.margin)[~inside])


@pytest.mark.parametrize(("name", "feet"), STANDS)
def test_a_body_comes_over_its_feet_and_they_stay(name: str, feet: tuple[str, ...]) -> None:
    character = mm.zoo.body(name)
    start = WorldState(character, character.default_pose)
    assert distance_outside(start, feet, 0.01)[0] > 0.005
    found = balanced(character, character.default_pose, feet=feet, margin=0.01)
    assert found.is_met
    state, height = WorldState(character, found.pose), start.body.height
    assert distance_outside(state, feet, 0.01)[0] < 1e-3 * height
    assert character.anatomy is not None
    for foot in feet or character.anatomy.capabilities["foot"]:
        point = foot_point(character, foot) or foot
        assert np.linalg.norm(state.point(point) - start.point(point)) < 1e-3 * height
    assert pose_distance(character, character.default_pose, found.pose)[0] < 0.5 * height


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "fish", "snake"])
def test_what_is_in_balance_stays_as_it_is(name: str) -> None:
    character = mm.zoo.body(name)
    found = balanced(character, character.default_pose)
    assert pose_distance(character, character.default_pose, found.pose)[0] < 1e-6
    assert np.all(shift_needed(WorldState(character, character.default_pose)) == 0)


def test_goals_are_kept_besides() -> None:
    character = mm.zoo.body("adult")
    hand = Place("right_hand", WorldState(character, character.default_pose).point("right_hand")[0])
    found = balanced(character, character.default_pose, feet=("left_foot",), keep=hand)
    assert found.is_met
    assert hand.error(WorldState(character, found.pose))[0] < 2e-3


def test_a_batch_is_each_pose_on_its_own() -> None:
    character = mm.zoo.body("adult")
    start = Pose.rest(character.skeleton, (3,))
    shifts = np.array([[0.0, 0, 0], [0.03, 0, 0], [0, 0, 0.03]])
    together = shifted(character, start, shifts)
    moved = WorldState(character, together.pose).center_of_mass - WorldState(character, start).center_of_mass
    np.testing.assert_allclose(moved[:, [0, 2]], shifts[:, [0, 2]], atol=1e-3)
    alone = shifted(character, start[1], shifts[1])
    np.testing.assert_allclose(together.pose.rotations[1], alone.pose.rotations, atol=1e-9)


def test_feet_that_do_not_bear_try_to_stay() -> None:
    character = mm.zoo.body("adult")
    goals = keep_feet(WorldState(character, character.default_pose), ("left_foot",))
    assert {(type(goal).__name__, goal.is_hard) for goal in goals} == {
        ("Place", True), ("Orient", True), ("Place", False), ("Orient", False),
    }  # fmt: skip
    spider = mm.zoo.body("spider")
    assert all(isinstance(goal, Place) for goal in keep_feet(WorldState(spider, spider.default_pose)))


def test_a_man_who_lifts_a_foot_leans_over_the_other_in_time() -> None:
    clip = lifting()
    steady = Balancing(clip, margin=0.01)
    times = np.linspace(0, 4, 81)
    before, after = (WorldState(clip.body, each.sample(times)) for each in (clip, steady))
    assert distance_outside(before).max() > 0.05
    assert distance_outside(after).max() < 2e-3
    for foot in ("left_foot", "right_foot"):
        np.testing.assert_allclose(after.point(foot), before.point(foot), atol=2e-3)
    # He begins to lean before the foot leaves the ground, and no faster than somebody can.
    at, shifts = steady.shifts
    needed = np.linalg.norm(shift_needed(WorldState(clip.body, clip.sample(at)), (), 0.01), axis=1)
    assert np.linalg.norm(shifts[np.argmax(needed > 0) - 2]) > 1e-3
    speed = np.linalg.norm(np.diff(after.center_of_mass, axis=0), axis=1) / (times[1] - times[0])
    assert speed.max() < 0.4
    assert np.abs(np.diff(speed)).max() < 0.12


def test_each_frame_is_the_same_alone_and_in_a_row() -> None:
    steady = Balancing(lifting())
    row = steady.sample(np.array([0.5, 1.9, 2.2]))
    np.testing.assert_allclose(steady.at(1.9).rotations, row.rotations[1], atol=1e-9)


def test_a_motion_in_balance_is_left_alone() -> None:
    character = mm.zoo.body("dog")
    clip = Still(character, character.default_pose, 1.0)
    np.testing.assert_array_equal(Balancing(clip).at(0.5).rotations, clip.at(0.5).rotations)
    ghost = mm.zoo.body("ghost")
    floating = Still(ghost, bent(ghost, 1, 1)[0], 1.0)
    np.testing.assert_array_equal(Balancing(floating).at(0.5).rotations, floating.at(0.5).rotations)


def test_smoothing_keeps_what_is_constant_and_what_is_there_in_sum() -> None:
    np.testing.assert_allclose(smoothed(np.ones((20, 2)), 4), 1.0)
    spike = np.zeros((41, 1))
    spike[20] = 1.0
    spread = smoothed(spike, 5)
    assert spread.sum() == pytest.approx(1.0)
    assert spread.max() < 0.3
    assert spread.argmax() == 20


def test_bad_inputs_are_said_in_words() -> None:
    character = mm.zoo.body("adult")
    with pytest.raises(UnknownNameError, match="left_foot"):
        balanced(character, character.default_pose, feet=("left_foto",))
    with pytest.raises(InputError, match="eased over 0 s"):
        Balancing(lifting(), ease=0.0)
    with pytest.raises(InputError, match="not finite"):
        shifted(character, character.default_pose, np.array([np.nan, 0, 0]))


def test_points_and_centres_can_be_named_too() -> None:
    character = mm.zoo.body("adult")
    heel = BodyPoint("left_foot", (0.0, -0.08, -0.05))
    found = balanced(character, character.default_pose, feet=(heel,))
    assert isinstance(found.goals[0], CenterOfMass)
    assert distance_outside(WorldState(character, found.pose), (heel,))[0] < 2e-3
