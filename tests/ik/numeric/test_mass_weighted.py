"""The mass-weighted solver: what moves and what stays, what gives way, and that nothing jumps."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer import ik
from mummer.character import Pose, violations, world_positions
from mummer.errors import InputError, UnknownNameError
from mummer.ik.mass_weighted import MassWeighted
from mummer.math import quaternion
from tests.ik.numeric.making import adult, arm, place_goals, random_poses, tips, two_point_masses


@pytest.mark.parametrize("name", ["adult", "spider", "snake", "bird"])
def test_reachable_places_are_met_within_limits(name):
    character, rng = mm.zoo.body(name), np.random.default_rng(7)
    ends = [int(tip) for tip in rng.permutation(tips(character))[:4]]
    goals = place_goals(character, random_poses(character, rng, 12), ends)
    found = ik.solve(character, goals, Pose.rest(character.skeleton, (12,)), solver="mass_weighted")
    assert found.is_met
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9
    assert np.allclose(np.linalg.norm(found.pose.rotations, axis=-1), 1.0, atol=1e-12)


def test_bodies_without_limits_and_without_anatomy():
    character = arm(limits=False, bones=5)
    goals = place_goals(character, random_poses(character, np.random.default_rng(3), 8), [len(character.skeleton) - 1])
    found = ik.solve(character, goals, Pose.rest(character.skeleton, (8,)), solver="mass_weighted", root="fixed")
    assert found.met[np.linalg.norm(np.asarray(goals[0].at) - [0, 1.0, 0], axis=1) < 1.55].all()
    assert np.all(np.isfinite(found.pose.rotations))


def test_the_root_travels_turns_or_stays_as_told():
    character = adult()
    start, goal = character.default_pose, ik.Place("left_hand", at=(0.5, 1.0, 0.9))
    free = ik.solve(character, goal, start, solver="mass_weighted", root="free").pose
    turns = ik.solve(character, goal, start, solver="mass_weighted", root="turns").pose
    fixed = ik.solve(character, goal, start, solver="mass_weighted", root="fixed").pose
    assert not np.allclose(free.root_translation, start.root_translation, atol=1e-4)
    assert np.array_equal(turns.root_translation, start.root_translation)
    assert not np.allclose(turns.rotations[0], start.rotations[0], atol=1e-4)
    assert np.allclose(fixed.rotations[0], start.rotations[0], atol=1e-12)


def test_only_the_parts_named_turn():
    character = adult()
    arm_parts = ["left_upper_arm", "left_forearm"]
    found = ik.solve(
        character, ik.Place("left_hand", at=(0.4, 1.3, 0.3)), solver="mass_weighted", parts=arm_parts, root="fixed"
    )
    moved = np.flatnonzero(np.abs(found.pose.rotations - character.default_pose.rotations).max(axis=1) > 1e-9)
    assert set(moved.tolist()) <= {character.anatomy.roles[part] for part in arm_parts}
    assert found.is_met


def test_light_parts_move_before_heavy_ones():
    character = adult()
    found = ik.solve(character, ik.Place("left_hand", at=(0.45, 1.35, 0.35)), solver="mass_weighted")
    turned = mm.math.quaternion.angle_between(found.pose.rotations, character.default_pose.rotations)
    roles = character.anatomy.roles
    assert turned[roles["left_upper_arm"]] > 4 * turned[roles["hips"]]
    assert np.allclose(turned[roles["right_upper_arm"]], 0, atol=1e-9)


def test_pulling_the_shoulder_drags_the_hand_along():
    character = two_point_masses()
    found = ik.solve(character, ik.Place("shoulder", at=(0.0, 1.3, 0.0)), solver=MassWeighted())
    assert found.is_met
    hand = ik.WorldState(character, found.pose).point("hand")[0]
    assert float(np.linalg.norm(hand - [0.6, 1.0, 0.0])) > 0.25


def test_near_goals_draw_the_rest_of_the_body():
    character, rng = adult(), np.random.default_rng(5)
    wanted = random_poses(character, rng, 1, spread=0.2)[0]
    found = ik.solve(character, ik.Near(wanted), solver="mass_weighted")
    assert found.errors[0] < 1e-6
    place = ik.Place("left_hand", at=(0.3, 1.2, 0.4))
    free = ik.solve(character, place, solver="mass_weighted")
    both = ik.solve(character, [place, ik.Near(wanted)], solver="mass_weighted")
    assert both.met[0]
    assert both.errors[1] < 0.7 * ik.Near(wanted).error(ik.WorldState(character, free.pose))[0]


def test_hard_goals_win_over_soft_ones_and_soft_ones_are_weighed():
    character = adult()
    hard = ik.Place("left_hand", at=(0.3, 1.2, 0.4))
    near, far = (0.3, 1.2, 0.5), (0.3, 1.2, 0.3)
    mixed = ik.solve(character, [hard, ik.Place("left_hand", at=near, weight=50.0)], solver="mass_weighted")
    assert mixed.errors[0] < 1e-4
    assert mixed.errors[1] == pytest.approx(0.1, abs=1e-3)
    soft = [ik.Place("left_hand", at=near, weight=3.0), ik.Place("left_hand", at=far, weight=1.0)]
    found = ik.solve(character, soft, solver="mass_weighted")
    assert found.errors[0] == pytest.approx(0.05, abs=0.005)
    assert found.errors[1] == pytest.approx(0.15, abs=0.005)


@pytest.mark.parametrize("weight", [1e-9, 1e-15, 1e-300])
def test_a_goal_of_next_to_no_weight_takes_nothing_from_the_others(weight):
    character = adult()
    goals = [ik.Place("left_hand", at=(0.3, 1.2, 0.4), weight=1.0)]
    alone = ik.solve(character, goals, solver="mass_weighted", root="fixed")
    whisper = ik.Place("right_hand", at=(-0.3, 1.2, 0.4), weight=weight)
    both = ik.solve(character, [*goals, whisper], solver="mass_weighted", root="fixed")
    assert alone.errors[0] < 1e-3
    assert both.errors[0] == pytest.approx(alone.errors[0], rel=1e-3)


def test_goals_that_begin_to_contradict_each_other_do_not_jump():
    character = adult()
    apart = np.linspace(0.0, 4e-3, 21)
    first, second = np.array([0.3, 1.2, 0.4]), np.array([0.0, 0.6, 0.8])
    goals = [ik.Place("left_hand", at=first), ik.Place("left_hand", at=first + apart[:, None] * second)]
    found = ik.solve(character, goals, Pose.rest(character.skeleton, (21,)), solver="mass_weighted")
    assert found.met[0].all()
    assert not found.met[-1].all()
    moved = np.linalg.norm(np.diff(ik.WorldState(character, found.pose).positions, axis=0), axis=-1).max(axis=1)
    assert moved.max() < 20 * (apart[1] - apart[0])


def test_goals_that_contradict_each_other_give_way_the_guilty_first():
    character = adult()
    feet = [
        ik.Place(foot, at=ik.WorldState(character, character.default_pose).point(foot)[0])
        for foot in ("left_foot", "right_foot")
    ]
    goals = [*feet, ik.Place("left_hand", at=(0.3, 1.2, 0.4)), ik.Place("left_hand", at=(0.3, 1.2, 2.9))]
    found = ik.solve(character, goals, solver="mass_weighted")
    assert found.met.sum() == 3
    assert found.softened.tolist() == (~found.met).tolist()
    assert "gave way" in str(found.report)


def test_out_of_reach_a_limb_is_stretched_towards_the_goal_and_still():
    character = adult()
    shoulder = ik.WorldState(character, character.default_pose).point("left_upper_arm")[0]
    parts = ["left_upper_arm", "left_forearm"]
    angles = np.linspace(0.0, 1.0, 101)
    targets = shoulder + 1.5 * np.stack([np.cos(angles), 0 * angles, np.sin(angles)], axis=1)
    start = Pose.rest(character.skeleton, (len(angles),))
    found = ik.solve(
        character, ik.Place("left_hand", at=targets), start, solver="mass_weighted", parts=parts, root="fixed"
    )
    state = ik.WorldState(character, found.pose)
    reach = np.linalg.norm(state.point("left_hand") - shoulder, axis=1)
    assert np.all(reach > 0.97 * reach.max())
    steps = np.linalg.norm(np.diff(state.positions, axis=0), axis=-1).max(axis=1)
    assert steps.max() < 3 * 1.5 * (angles[1] - angles[0])
    assert np.all(found.iterations < 200)


def test_goals_out_of_reach_to_both_sides_are_missed_alike():
    character = adult()
    goals = [ik.Place("left_hand", at=(3.0, 1.2, 0.0)), ik.Place("right_hand", at=(-3.0, 1.2, 0.0))]
    found = ik.solve(character, goals, solver="mass_weighted", root="fixed")
    assert not found.met.any()
    assert found.errors[0] == pytest.approx(found.errors[1], rel=0.02)


def test_a_small_move_of_a_goal_never_makes_the_pose_jump():
    character, rng = adult(), np.random.default_rng(17)
    ends = [character.anatomy.roles[role] for role in ("left_hand", "right_hand", "left_foot", "right_foot")]
    first, last = random_poses(character, rng, 2, spread=0.3)
    share = np.linspace(0, 1, 201)[:, None]
    ways = [ik.WorldState(character, pose).positions[0, ends] for pose in (first, last)]
    goals = [ik.Place(end, at=(1 - share) * ways[0][place] + share * ways[1][place]) for place, end in enumerate(ends)]
    found = ik.solve(character, goals, Pose.rest(character.skeleton, (201,)), solver="mass_weighted")
    moved = np.linalg.norm(np.diff(ik.WorldState(character, found.pose).positions, axis=0), axis=-1).max(axis=1)
    asked = np.max([np.linalg.norm(np.diff(np.asarray(goal.at), axis=0), axis=1) for goal in goals], axis=0)
    assert np.max(moved / asked) < 12


def test_a_straight_limb_bends_for_a_goal_on_its_own_line():
    character = arm(limits=True, bones=3)
    found = ik.solve(character, ik.Place("wrist", at=(0.5, 1.0, 0.0)), solver="mass_weighted", root="fixed")
    assert found.is_met
    free = arm(limits=False, bones=3)
    assert ik.solve(free, ik.Place("wrist", at=(0.5, 1.0, 0.0)), solver="mass_weighted", root="fixed").is_met


def test_a_pose_outside_its_limits_is_brought_inside():
    character = adult()
    bent = character.default_pose.with_rotation(
        character.anatomy.roles["left_lower_leg"], mm.math.quaternion.from_axis_angle([1.0, 0, 0], -2.0)
    )
    found = ik.solve(character, ik.Place("left_hand", at=(0.3, 1.2, 0.4)), bent, solver="mass_weighted")
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9


def test_batches_singles_and_threads_agree_bit_by_bit():
    character, rng = adult(), np.random.default_rng(23)
    goals = place_goals(character, random_poses(character, rng, 5), [character.anatomy.roles["left_hand"]])
    together = ik.solve(character, goals, Pose.rest(character.skeleton, (5,)), solver="mass_weighted")
    for place in range(5):
        alone = ik.solve(character, ik.Place("left_hand", at=np.asarray(goals[0].at)[place]), solver="mass_weighted")
        assert np.array_equal(alone.pose.rotations, together.pose.rotations[place])


def test_inputs_are_not_changed():
    character = adult()
    start = character.default_pose
    before = start.rotations.copy()
    ik.solve(character, ik.Place("left_hand", at=(0.3, 1.2, 0.4)), start, solver="mass_weighted")
    assert np.array_equal(start.rotations, before)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": -1}, "zero or more steps"),
        ({"attempts": -1}, "zero or more steps and attempts"),
        ({"pull": 0.0}, "must be above zero"),
        ({"settle": 0.0}, "must be above zero"),
    ],
)
def test_wrong_settings_are_errors(settings, message):
    with pytest.raises(InputError, match=message):
        MassWeighted(**settings)


def test_with_the_whole_mass_matrix_limbs_trail_behind_what_is_pulled():
    character = adult()
    start, roles = character.default_pose, character.anatomy.roles
    before = world_positions(character.skeleton, start)
    goal = ik.Place("hips", at=before[roles["hips"]] + (0.25, 0.0, 0.0))
    follows, trails = (
        world_positions(character.skeleton, ik.solve(character, goal, start, solver=MassWeighted(mass=mass)).pose)
        for mass in ("diagonal", "full")
    )
    for part in ("left_hand", "right_hand", "head", "left_foot"):
        joint = roles[part]
        assert np.linalg.norm(follows[joint] - before[joint]) > 0.2
        assert np.linalg.norm(trails[joint] - before[joint]) < 0.15
    assert np.linalg.norm(trails[roles["hips"]] - goal.at) < 1e-3


def test_the_whole_mass_matrix_stays_near_a_pose_that_is_asked_for():
    character = adult()
    raised = character.default_pose.with_rotation(
        character.anatomy.roles["left_upper_arm"], quaternion.exp(np.array([0.0, 0.0, 0.8]))
    )
    goals = [ik.Place("right_hand", at=(-0.3, 1.2, 0.3)), ik.Near(raised)]
    found = ik.solve(character, goals, solver=MassWeighted(mass="full"))
    hand = character.anatomy.roles["left_hand"]
    wanted, made = (world_positions(character.skeleton, pose)[hand] for pose in (raised, found.pose))
    assert np.linalg.norm(made - wanted) < 0.05
    assert found.errors.shape == (2,)
    with pytest.raises(UnknownNameError, match="diagonal"):
        MassWeighted(mass="half")
