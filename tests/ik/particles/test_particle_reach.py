"""What the particle solver reaches, and how it behaves where it cannot."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.character import Pose, violations
from mummer.ik import Aim, BodyPoint, CenterOfMass, Orient, Place, WorldState, solve
from mummer.math import quaternion
from tests.ik.particles.bodies import body, ends, places_of, random_poses


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "crab", "centaur", "horse", "ghost", 3, 6, 7])
def test_reachable_goals_are_met(name):
    character, random = body(name), np.random.default_rng(9)
    met, joints = [], ends(character)
    for count in (1, 2, 3, 4):
        pose = random_poses(character, random, 120)
        chosen = sorted(random.choice(joints, size=min(count, len(joints)), replace=False).tolist())
        found = solve(character, places_of(character, pose, chosen), pose, solver="particle", root="fixed")
        met.append(found.met.all(axis=1))
        assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9
    assert np.mean(met) >= 0.98, f"{name}: {np.mean(met):.3f} of the problems"


@pytest.mark.slow
def test_reachable_goals_are_met_over_the_zoo():
    from mummer import zoo

    met = []
    for name in [*zoo.names(), *range(30)]:
        character, random = body(name), np.random.default_rng(2)
        for count in (1, 2, 3, 4):
            joints = ends(character)
            pose = random_poses(character, random, 500)
            chosen = sorted(random.choice(joints, size=min(count, len(joints)), replace=False).tolist())
            found = solve(character, places_of(character, pose, chosen), pose, solver="particle", root="fixed")
            met.append(found.met.all(axis=1))
    assert np.mean(np.concatenate(met)) >= 0.99


def test_hands_are_turned_as_asked():
    character, random = body("adult"), np.random.default_rng(1)
    pose = random_poses(character, random, 100, 0.6)
    state = WorldState(character, pose)
    hand = BodyPoint("left_hand", (0.02, 0.05, -0.03))
    goals = [Place(hand, at=state.point(hand)), Orient("left_hand", to=state.turn("left_hand"))]
    found = solve(character, goals, pose, solver="particle", root="fixed")
    assert found.met.all(axis=1).mean() > 0.97


def test_a_point_on_a_limb_meets_its_goal():
    character, random = body("dog"), np.random.default_rng(1)
    pose = random_poses(character, random, 60, 0.6)
    paw = BodyPoint("front_left_foot", (0.01, -0.03, 0.02))
    found = solve(character, Place(paw, at=WorldState(character, pose).point(paw)), pose, solver="particle")
    assert found.met.mean() > 0.98


def test_a_mouth_hands_its_goal_to_the_head():
    character = body("dog")
    rest = WorldState(character, Pose.rest(character.skeleton))
    jaw = character.anatomy.joint("jaw")
    found = solve(character, Place("jaw", at=rest.positions[0, jaw] + [0.05, -0.2, 0.0]), solver="particle")
    assert found.is_met
    assert np.array_equal(found.pose.rotations[jaw], character.skeleton.rest_rotations[jaw])
    neck = character.anatomy.joint("neck")
    assert quaternion.angle_between(found.pose.rotations[neck], character.skeleton.rest_rotations[neck]) > 0.01


def test_eyes_aim():
    character = body("adult")
    found = solve(character, Aim("head", at=(1.0, 1.6, 2.0)), solver="particle", root="fixed")
    assert found.is_met


def test_only_some_axes_count():
    character = body("adult")
    found = solve(character, Place("head", at=(9.0, 1.4, 9.0), axes="y"), solver="particle", root="fixed")
    assert found.is_met


@pytest.mark.parametrize("lower", [0.05, 0.1, 0.2, 0.3])
def test_a_lowered_head_bows_to_the_front(lower):
    character = body("adult")
    head = character.anatomy.joint("head")
    rest = WorldState(character, Pose.rest(character.skeleton)).positions[0, head]
    goal = Place("head", at=rest - [0.0, lower, 0.0], axes="y")
    found = solve(character, goal, solver="particle", root="fixed")
    assert found.is_met
    moved = WorldState(character, found.pose).positions[0, head] - rest
    assert moved @ character.anatomy.front > 0.1


@pytest.mark.parametrize("goal", [(3.0, 3.0, 2.0), (2.0, 1.4, 0.0), (0.5, 1.4, 3.0)])
def test_limbs_out_of_reach_point_at_the_goal_and_stay_a_little_bent(goal):
    character = body("adult")
    found = solve(character, Place("left_hand", at=goal), solver="particle", root="fixed")
    assert not found.is_met
    joints = [character.anatomy.joint(f"left_{part}") for part in ("upper_arm", "forearm", "hand")]
    shoulder, elbow, hand = WorldState(character, found.pose).positions[0, joints]
    towards = np.array(goal) - shoulder
    chord = hand - shoulder
    assert chord @ towards / np.linalg.norm(chord) / np.linalg.norm(towards) > 0.98
    whole = np.linalg.norm(elbow - shoulder) + np.linalg.norm(hand - elbow)
    assert 0.93 < np.linalg.norm(chord) / whole < 0.997


def test_a_far_goal_does_not_lift_planted_feet():
    character = body("dog")
    feet = list(character.anatomy.capabilities["foot"])
    rest = WorldState(character, Pose.rest(character.skeleton))
    goals = [Place(foot, at=rest.positions[0, foot]) for foot in feet]
    found = solve(character, [*goals, Place("head", at=(0.0, 2.0, 2.0))], solver="particle", root="fixed")
    assert found.errors[: len(feet)].max() < 0.01 * character.anatomy.height


def test_goals_hold_in_their_intervals_alone():
    character = body("adult")
    rest = Pose.rest(character.skeleton, (4,))
    goal = Place("left_hand", at=(0.4, 1.3, 0.3), interval=(1.0, 2.0))
    found = solve(character, goal, rest, times=[0.0, 1.0, 2.0, 3.0], solver="particle", root="fixed")
    moved = quaternion.angle_between(found.pose.rotations, rest.rotations).max(axis=1) > 1e-3
    assert moved.tolist() == [False, True, True, False]


def test_joints_that_must_not_turn_stay():
    character = body("adult")
    parts = ["left_upper_arm", "left_forearm"]
    found = solve(character, Place("left_hand", at=(0.5, 1.2, 0.3)), solver="particle", parts=parts, root="fixed")
    allowed = [character.anatomy.joint(part) for part in parts]
    turned = quaternion.angle_between(found.pose.rotations, character.skeleton.rest_rotations) > 1e-9
    assert set(np.flatnonzero(turned)) <= set(allowed)


def test_goals_of_other_kinds_are_named():
    character = body("adult")
    found = solve(character, [Place("left_hand", at=(0.5, 1.2, 0.3)), CenterOfMass((0, 0, 0))], solver="particle")
    assert "does not take into account" in str(
        found.report.entries if hasattr(found.report, "entries") else found.report
    )


def test_the_root_stays_or_goes_as_allowed():
    character = body("adult")
    goal = Place("left_hand", at=(2.0, 1.5, 1.0))
    rest = Pose.rest(character.skeleton)
    fixed = solve(character, goal, solver="particle", root="fixed")
    turns = solve(character, goal, solver="particle", root="turns")
    free = solve(character, goal, solver="particle")
    assert np.array_equal(fixed.pose.root_translation, rest.root_translation)
    assert np.allclose(turns.pose.root_translation, rest.root_translation, atol=1e-12)
    assert free.errors[0] < turns.errors[0]
    placed = solve(character, [goal, Place(0, at=(0.5, 1.0, 0.5))], solver="particle")
    assert np.allclose(placed.pose.root_translation, (0.5, 1.0, 0.5))
