"""What must hold for the particle solver, on a body so small that each law takes a moment even in plain Python."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from mummer.character import Ball, Character, Hinge, Limits, Pose, Skeleton, violations
from mummer.ik import BodyPoint, Orient, Place, WorldState, solve
from mummer.math import quaternion

NAMES = ("hips", "chest", "head", "left_arm", "left_forearm", "left_hand", "right_arm", "right_forearm", "right_hand")
PARENTS = [-1, 0, 1, 1, 3, 4, 1, 6, 7]
MIRROR = [0, 1, 2, 6, 7, 8, 3, 4, 5]
LEFT, RIGHT, HEAD = 5, 8, 2
FLIP = np.array([-1.0, 1.0, 1.0])


@cache
def bust(*, height: float = 1.0, limits: bool = True) -> Character:
    """Hips, a chest, a head and two arms that hang down, elbows that bend to the front."""
    arm = [[0.2, 0.1, 0.0], [0.02, -0.3, 0.0], [0.0, -0.3, 0.02]]
    offsets = np.array([[0.0, 0.6, 0.0], [0.0, 0.4, 0.0], [0.0, 0.2, 0.0], *arm, *(FLIP * arm)])
    skeleton = Skeleton(NAMES, PARENTS, height * offsets, name="bust")
    kinds = {joint: Hinge((1.0, 0.0, 0.0), -2.4, 0.0) for joint in (4, 7)}
    kinds |= {joint: Ball((0.0, -1.0, 0.0), (1.8, 1.2), -0.8, 0.8, (1.0, 0.0, 0.0)) for joint in (3, 6)}
    return Character("bust", skeleton, limits=Limits.from_joints(len(NAMES), kinds) if limits else None)


def solved(*goals: Place | Orient, height: float = 1.0, root: str = "free", limits: bool = True) -> WorldState:
    character = bust(height=height, limits=limits)
    found = solve(character, goals, Pose.rest(character.skeleton), solver="particle", root=root)
    if character.limits is not None:
        assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9
    return WorldState(character, Pose.stack([found.pose]))


def at_rest(joint: int) -> np.ndarray:
    character = bust()
    return WorldState(character, Pose.stack([Pose.rest(character.skeleton)])).positions[0, joint]


def missed(state: WorldState, goal: Place) -> float:
    return float(goal.error(state)[0])


@pytest.mark.parametrize("root", ["free", "fixed"])
@pytest.mark.parametrize("way", [(0.0, 0.25, 0.25), (0.15, 0.1, 0.2), (0.2, 0.5, 0.1)])
def test_a_hand_comes_to_a_goal_within_reach(root: str, way: tuple) -> None:
    goal = Place(LEFT, at=at_rest(LEFT) + way)
    state = solved(goal, root=root)
    assert missed(state, goal) < 2e-3
    if root == "fixed":
        np.testing.assert_allclose(state.positions[0, 0], at_rest(0), atol=1e-12)


def test_both_hands_and_the_head_come_to_theirs_together() -> None:
    ways = {LEFT: (0.1, 0.2, 0.2), RIGHT: (0.0, 0.1, 0.3), HEAD: (0.0, -0.02, 0.1)}
    goals = [Place(joint, at=at_rest(joint) + way) for joint, way in ways.items()]
    state = solved(*goals)
    assert max(missed(state, goal) for goal in goals) < 5e-3


@pytest.mark.parametrize("far", [0.3, 3.0])
def test_who_may_travel_goes_with_all_its_goals(far: float) -> None:
    way = far * np.array([0.6, 0.1, 0.8])
    goals = [Place(joint, at=at_rest(joint) + way) for joint in (LEFT, RIGHT, HEAD)]
    state = solved(*goals)
    assert max(missed(state, goal) for goal in goals) < 5e-3
    # But for hips, which may lag behind where nothing holds them.
    along = [at_rest(joint) + way for joint in range(1, len(NAMES))]
    np.testing.assert_allclose(state.positions[0, 1:], along, atol=0.05)


def test_mirrored_goals_are_met_in_the_mirrored_pose() -> None:
    one, other = np.array([0.35, 1.1, 0.4]), np.array([-0.1, 0.9, 0.35])
    first = solved(Place(LEFT, at=one), Place(RIGHT, at=other)).positions[0]
    second = solved(Place(LEFT, at=other * FLIP), Place(RIGHT, at=one * FLIP)).positions[0]
    np.testing.assert_allclose(second[MIRROR] * FLIP, first, atol=1e-6)


def test_a_body_twice_as_large_does_twice_as_much() -> None:
    one, other = np.array([0.35, 1.1, 0.4]), np.array([-0.1, 0.9, 2.0])
    first = solved(Place(LEFT, at=one), Place(RIGHT, at=other), root="fixed").positions
    second = solved(Place(LEFT, at=2.0 * one), Place(RIGHT, at=2.0 * other), root="fixed", height=2.0).positions
    np.testing.assert_allclose(second, 2.0 * first, atol=1e-6)


def test_a_goal_out_of_reach_is_reached_for_with_a_nearly_straight_arm() -> None:
    goal = at_rest(3) + np.array([0.2, -0.1, 3.0])
    state = solved(Place(LEFT, at=goal), root="fixed", limits=False)
    shoulder, elbow, hand = state.positions[0, [3, 4, 5]]
    straight = np.linalg.norm(hand - shoulder) / (np.linalg.norm(hand - elbow) + np.linalg.norm(elbow - shoulder))
    assert 0.95 < straight < 1.0
    along = (goal - shoulder) / np.linalg.norm(goal - shoulder)
    assert float((hand - shoulder) @ along) > 0.95 * np.linalg.norm(hand - shoulder)


def test_a_hand_is_turned_as_asked_where_it_is_asked_to_be() -> None:
    turn = quaternion.exp(np.array([-0.5, 0.2, 0.1]))
    place, orient = Place(LEFT, at=at_rest(LEFT) + np.array([0.1, 0.2, 0.25])), Orient(LEFT, to=turn)
    state = solved(place, orient, root="fixed", limits=False)
    assert missed(state, place) < 5e-3
    assert float(quaternion.angle_between(state.rotations[0, LEFT], turn)) < 0.02


def test_the_order_of_goals_does_not_matter() -> None:
    turn = quaternion.exp(np.array([-0.5, 0.2, 0.1]))
    palm = BodyPoint(LEFT, (0.02, -0.08, 0.01))
    goals = (
        Orient(LEFT, to=turn),
        Place(palm, at=at_rest(LEFT) + np.array([0.1, 0.2, 0.25])),
        Place(RIGHT, at=at_rest(RIGHT) + np.array([0.0, 0.1, 0.3]), weight=0.5),
        Place(HEAD, at=at_rest(HEAD) - np.array([0.0, 0.02, 0.0]), axes="y"),
    )
    first, second = (solved(*ordered, root="fixed", limits=False) for ordered in (goals, goals[::-1]))
    np.testing.assert_allclose(second.positions, first.positions, atol=1e-6)
    assert missed(first, goals[1]) < 5e-3


@pytest.mark.parametrize("axes", ["y", "xz"])
def test_axes_that_do_not_count_cost_nothing(axes: str) -> None:
    free = [axis not in axes for axis in "xyz"]
    goal = at_rest(LEFT) + np.array([0.05, 0.1, 0.1])
    state = solved(Place(LEFT, at=np.where(free, 7.0, goal), axes=axes), root="fixed")
    assert np.abs((state.positions[0, LEFT] - goal)[~np.array(free)]).max() < 2e-3
    assert np.abs(state.positions[0, LEFT] - at_rest(LEFT)).max() < 0.5
