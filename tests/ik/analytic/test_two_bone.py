"""Limbs in closed form: met where they reach, graceful where they do not, never past a limit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer import ik
from mummer.character import Anatomy, Character, Limb, Pose, Skeleton, clamp, violations
from mummer.character.limits import Ball
from mummer.errors import InputError
from mummer.ik.limb_joints import LimbJoints, find_limb, is_plain_limb, preferred_axis
from mummer.ik.limbs import make_limbs
from mummer.ik.rigid_body import rigid_body
from mummer.ik.two_bone import TwoBone
from mummer.math import quaternion
from tests.ik.analytic.legs import HIP, bent, from_hip, human_limits, leg
from tests.ik.analytic.study import study_limb, tips_of

REACH = 0.75
EXACT = TwoBone(softness=0.0)

angles = st.floats(-np.pi, np.pi)


def place(character, target, solver=EXACT, pose=None, more=(), part="ankle", **options):
    return ik.solve(character, [ik.Place(part, at=target), *more], pose, solver=solver, **options)


def knee_of(character, pose) -> np.ndarray:
    return ik.WorldState(character, pose).point("knee")[0]


@given(st.floats(0.08, 0.745), angles, st.floats(-1.5, 1.5), st.floats(0.0, 2.0))
def test_a_free_leg_meets_every_place_in_reach(distance, around, up, bend) -> None:
    direction = np.array([np.cos(up) * np.sin(around), np.sin(up), np.cos(up) * np.cos(around)])
    character = leg(bend=bend)
    found = place(character, HIP + distance * direction)
    assert found.errors[0] < 1e-7
    assert found.is_met


@pytest.mark.parametrize("name", ["adult", "dog", "spider", "bird", "horse", "frog", "crab"])
def test_limbs_of_the_zoo_meet_where_their_limits_let_them(name: str) -> None:
    body = mm.zoo.body(name)
    limb = next(limb for limb in body.anatomy.limbs if limb.kind == "leg")
    middle = next(joint for joint in limb.joints if body.limits.kinds[joint] == 1)
    tip = limb.joints[limb.joints.index(middle) + 1]
    joints = find_limb(rigid_body(body), tip)
    rng, count = np.random.default_rng(5), 400
    rotations = np.repeat(body.default_pose.rotations[None], count, axis=0)
    start = Pose(rotations, np.repeat(body.default_pose.root_translation[None], count, axis=0))
    for joint in (joints.base, joints.middle):
        turn = quaternion.exp(rng.normal(size=(count, 3)) * 0.4)
        rotations = np.array(rotations)
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], turn)
    there = clamp(body.limits, body.skeleton, start.replace(rotations=rotations))
    found = place(body, ik.WorldState(body, there).positions[:, tip], pose=start, part=tip)
    assert found.met.mean() > 0.99
    assert violations(body.limits, body.skeleton, found.pose).max() < 1e-9


def test_nothing_else_moves() -> None:
    body = mm.zoo.body("adult")
    found = place(body, (0.2, 0.4, 0.3), part="left_foot")
    changed = quaternion.angle_between(found.pose.rotations, body.default_pose.rotations) > 1e-9
    names = {body.skeleton.names[joint] for joint in np.flatnonzero(changed)}
    assert names == {"left_upper_leg", "left_lower_leg"}
    assert np.array_equal(found.pose.root_translation, body.default_pose.root_translation)


def test_a_straight_leg_bends_its_knee_forward() -> None:
    for limits in (None, human_limits()):
        character = leg(limits=limits)
        found = place(character, from_hip(0.0, -0.6, 0.0))
        assert found.errors[0] < 1e-9
        assert knee_of(character, found.pose)[2] > 0.2


def test_the_nearly_straight_leg_is_no_different_from_the_straight_one() -> None:
    character = leg()
    poses = [
        place(character, from_hip(0, -0.6, 0), pose=bent(character, knee=d)).pose for d in (-1e-7, 0.0, 1e-7, 0.01)
    ]
    for pose in poses[1:]:
        assert quaternion.angle_between(pose.rotations, poses[0].rotations).max() < 1e-3


def test_soft_reach_never_snaps_and_reports_the_miss() -> None:
    character = leg(limits=human_limits())
    distances = np.linspace(0.5, 1.2, 1401)
    targets = HIP + distances[:, None] * [0.0, -1.0, 0.0]
    start = bent(character, hip=-20, knee=40).broadcast_to((len(distances),))
    soft, hard = (place(character, targets, TwoBone(softness=s), start) for s in (0.03, 0.0))
    knee = character.skeleton.index("knee")

    def speed(found) -> np.ndarray:
        return quaternion.angle_between(found.pose.rotations[1:, knee], found.pose.rotations[:-1, knee]) / 0.0005

    # An exact leg has a knee that is infinitely quick as it gets straight; the soft one never exceeds a bound.
    assert speed(soft).max() < 12.0
    assert speed(hard).max() > 30.0
    assert np.abs(np.diff(speed(soft))).max() < 0.5
    inside = distances < 0.97 * REACH
    assert soft.errors[inside, 0].max() < 1e-9
    assert np.allclose(soft.errors[-1, 0], 1.2 - REACH, atol=1e-6)
    assert np.all(np.diff(soft.errors[~inside, 0]) > -1e-9)
    at_reach = soft.errors[np.argmin(np.abs(distances - REACH)), 0]
    assert at_reach == pytest.approx(0.03 * REACH / np.e, rel=0.02)
    assert not soft.is_met
    assert "out of reach" in str(soft.report)


def test_what_stays_where_it_is_stays_as_it_is() -> None:
    for name, part in (("adult", "left_foot"), ("horse", "front_left_foot"), ("spider", "leg_2_left_foot")):
        body = mm.zoo.body(name)
        now = ik.WorldState(body, body.default_pose)
        found = place(body, now.point(part)[0], TwoBone(), more=[ik.Orient(part, to=now.turn(part)[0])], part=part)
        assert found.met.all()
        assert quaternion.angle_between(found.pose.rotations, body.default_pose.rotations).max() < 1e-6
    straight = leg()
    found = place(straight, from_hip(0, -REACH, 0), TwoBone())
    assert found.errors[0] < 4e-4 * REACH


def test_small_moves_of_the_target_make_small_moves_of_the_pose() -> None:
    character = leg(limits=human_limits(), bend=0.3)
    rng, count, step = np.random.default_rng(2), 20_000, 1e-4
    directions = rng.normal(size=(count, 3)) + np.array([0.0, -2.5, 0.0])
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    targets = HIP + directions * rng.uniform(0.15, 1.1, (count, 1))
    start = Pose.rest(character.skeleton, (count,))
    first = place(character, targets, TwoBone(), start).pose.rotations
    moved = targets + step * rng.normal(size=(count, 3))
    second = place(character, moved, TwoBone(), start).pose.rotations
    change = quaternion.angle_between(first, second).max(axis=1) / step
    assert np.percentile(change, 99.9) < 60.0
    assert np.mean(change > 1000.0) <= 2e-4


@given(angles, st.floats(0.2, 0.7))
def test_the_knee_points_to_the_pole(around, distance) -> None:
    character = leg(bend=0.4)
    pole = from_hip(2.0 * np.sin(around), -0.3, 2.0 * np.cos(around))
    found = place(character, from_hip(0, -distance, 0), TwoBone(softness=0.0, poles={"ankle": pole}))
    out = (knee_of(character, found.pose) - HIP)[[0, 2]]
    assert found.errors[0] < 1e-9
    assert out @ [np.sin(around), np.cos(around)] > 0.99 * np.linalg.norm(out)


def test_a_pole_turns_a_straight_leg_too_and_one_on_the_line_is_let_be() -> None:
    character = leg()
    target = from_hip(0, -REACH, 0)
    aside = place(character, target, TwoBone(softness=0.0, poles={"ankle": from_hip(3.0, 0, 0)}))
    toes = ik.WorldState(character, aside.pose).point("toes")[0] - target
    assert toes[0] > 0.09
    on_line = place(character, target, TwoBone(softness=0.0, poles={"ankle": from_hip(0, -9.0, 0)}))
    assert quaternion.angle_between(on_line.pose.rotations, character.skeleton.rest_rotations).max() < 1e-6


def test_limits_win_over_the_pole() -> None:
    character = leg(limits=human_limits())
    found = place(character, from_hip(0, -0.6, 0), TwoBone(poles={"ankle": from_hip(0, 0, -5.0)}))
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9
    assert found.errors[0] < 1e-6


def test_the_tip_is_turned_as_asked_and_a_point_of_it_is_placed() -> None:
    character = leg(bend=0.2)
    turn = quaternion.from_axis_angle([0.0, 0.6, 0.8], 1.0)
    sole = ik.BodyPoint("ankle", (0.0, -0.08, 0.03))
    found = place(character, from_hip(0.1, -0.5, 0.2), more=[ik.Orient("ankle", to=turn)], part=sole)
    assert found.errors.max() < 1e-6
    alone = place(character, from_hip(0.1, -0.5, 0.2), part=sole)
    assert alone.errors.max() < 1e-9
    ankle = character.skeleton.index("ankle")
    assert np.allclose(alone.pose.rotations[ankle], character.skeleton.rest_rotations[ankle])


def test_a_tip_that_cannot_turn_so_far_still_gets_to_its_place() -> None:
    limits = {**human_limits(), "ankle": Ball((0.0, -1.0, 0.0), (0.3, 0.3), -0.2, 0.2, (1.0, 0.0, 0.0))}
    character = leg(limits=limits)
    upside_down = quaternion.from_axis_angle([0.0, 0, 1.0], 1.2)
    sole = ik.BodyPoint("ankle", (0.0, -0.08, 0.03))
    found = place(character, from_hip(0.05, -0.65, 0.1), more=[ik.Orient("ankle", to=upside_down)], part=sole)
    assert found.errors[0] < 1e-3
    assert found.errors[1] > 0.3
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9


def test_twist_joints_and_joints_without_length_are_passed_over() -> None:
    character = leg(twist_joints=True)
    names = character.skeleton.names
    limb = find_limb(rigid_body(character), names.index("ankle"))
    assert names[limb.base] == "hip"
    assert names[limb.middle] in ("knee", "joint_without_length")
    assert is_plain_limb(rigid_body(character), limb)
    found = place(character, from_hip(0, -0.5, 0.2))
    assert found.errors[0] < 1e-9
    twist = character.skeleton.index("thigh_twist")
    assert np.array_equal(found.pose.rotations[twist], character.skeleton.rest_rotations[twist])


def test_a_longer_chain_is_two_stiff_pieces() -> None:
    body = mm.zoo.body("dog")
    found = ik.solve(
        body,
        ik.Place("front_left_toes", at=(0.1, 0.2, 0.4)),
        solver=TwoBone(softness=0.0, chains={"front_left_toes": ("front_left_upper", "front_left_lower")}),
    )
    assert found.errors[0] < 1e-6
    foot = body.skeleton.index("front_left_foot")
    assert np.array_equal(found.pose.rotations[foot], body.default_pose.rotations[foot])
    with pytest.raises(InputError, match="joint 'hip' of 'leg' is not above 'root'"):
        place(leg(), HIP, TwoBone(chains={"ankle": ("hip", "root")}))


def test_a_batch_is_its_poses_one_by_one() -> None:
    body = mm.zoo.body("adult")
    rng = np.random.default_rng(4)
    targets = ik.WorldState(body, body.default_pose).point("left_hand") + rng.normal(size=(6, 3)) * 0.2
    start = body.default_pose.broadcast_to((6,))
    together = place(body, targets, TwoBone(), start, part="left_hand")
    for at, target in enumerate(targets):
        alone = place(body, target, TwoBone(), part="left_hand")
        assert np.array_equal(alone.pose.rotations, together.pose.rotations[at])
        assert alone.errors[0] == together.errors[at, 0]


def test_both_feet_and_hands_at_once() -> None:
    body = mm.zoo.body("adult")
    now = ik.WorldState(body, body.default_pose)
    parts = ("left_foot", "right_foot", "left_hand", "right_hand")
    goals = [ik.Place(part, at=now.point(part)[0] + [0.0, 0.1, 0.15]) for part in parts]
    found = ik.solve(body, goals, solver="two_bone")
    assert found.is_met
    assert found.solver == "two_bone"
    assert int(found.iterations) == 1


@given(st.integers(0, 2**32 - 1))
def test_moving_body_and_target_alike_changes_nothing(seed) -> None:
    character, rng = leg(limits=human_limits(), bend=0.3), np.random.default_rng(seed)
    target = HIP + rng.normal(size=3) * 0.3 + [0, -0.4, 0]
    turn, way = quaternion.random(rng), rng.normal(size=3)
    here = Pose.rest(character.skeleton)
    rotations = np.array(here.rotations)
    rotations[0] = quaternion.multiply(turn, rotations[0])
    there = here.replace(rotations=rotations, root_translation=quaternion.rotate(turn, here.root_translation) + way)
    first = place(character, target, TwoBone(), here)
    second = place(character, quaternion.rotate(turn, target) + way, TwoBone(), there)
    assert quaternion.angle_between(first.pose.rotations[1:], second.pose.rotations[1:]).max() < 1e-6


@pytest.mark.parametrize("target", [HIP, from_hip(0, 1e-13, 0), (1e9, -1e9, 1e9), (0.1, 1.75, 0.0), (0.1, 0.25, 0.0)])
def test_hostile_targets_leave_a_sound_pose(target) -> None:
    for character in (leg(), leg(limits=human_limits()), leg(thigh=0.3, shin=0.3), leg(thigh=0.5, shin=0.1)):
        found = place(character, target, TwoBone())
        assert np.all(np.isfinite(found.pose.rotations))
        assert np.allclose(np.linalg.norm(found.pose.rotations, axis=-1), 1.0)


def test_goals_hold_when_they_say_and_axes_that_do_not_count_stay() -> None:
    character, times = leg(bend=0.3), np.array([0.0, 1.0, 2.0])
    start = Pose.rest(character.skeleton, (3,))
    goal = ik.Place("ankle", at=from_hip(0, -0.5, 0.2), interval=(0.5, 1.5))
    found = ik.solve(character, goal, start, solver="two_bone", times=times)
    moved = quaternion.angle_between(found.pose.rotations, start.rotations).max(axis=1) > 1e-6
    assert moved.tolist() == [False, True, False]
    before = ik.WorldState(character, start).point("ankle")[0]
    lifted = ik.solve(character, ik.Place("ankle", at=(9.0, 0.5, 9.0), axes="y"), solver="two_bone")
    after = ik.WorldState(character, lifted.pose).point("ankle")[0]
    assert np.allclose(after, [before[0], 0.5, before[2]], atol=1e-9)


def test_what_may_not_turn_does_not() -> None:
    character = leg(bend=0.3)
    only_knee = place(character, from_hip(0, -0.5, 0.2), parts=["knee"])
    assert np.array_equal(only_knee.pose.rotations[1], character.skeleton.rest_rotations[1])
    turned = character.skeleton.index("knee")
    assert not np.array_equal(only_knee.pose.rotations[turned], character.skeleton.rest_rotations[turned])
    only_hip = place(character, from_hip(0, -0.5, 0.2), parts=["hip"])
    assert np.array_equal(only_hip.pose.rotations[turned], character.skeleton.rest_rotations[turned])
    rest = ik.WorldState(character, Pose.rest(character.skeleton)).point("ankle")[0]
    assert only_hip.errors[0] < np.linalg.norm(rest - HIP - [0, -0.5, 0.2])


def test_goals_that_are_not_for_limbs_are_named() -> None:
    body = mm.zoo.body("adult")
    goals = [ik.Place("left_foot", at=(0.2, 0.3, 0.2)), ik.Aim("head", at=(0, 1, 3)), ik.Place("hips", at=(0, 1, 0))]
    found = ik.solve(body, goals, solver="two_bone")
    ignored = [finding.message for finding in found.report if finding.kind == "ignored"]
    assert [message.split(")")[0] for message in ignored] == ["goal 1 (Aim head", "goal 2 (Place hips"]


def test_inputs_are_not_changed() -> None:
    body = mm.zoo.body("adult")
    before = body.default_pose.rotations.copy()
    place(body, (0.2, 0.4, 0.3), part="left_foot")
    assert np.array_equal(before, body.default_pose.rotations)


@pytest.mark.parametrize("softness", [-0.1, 1.0])
def test_settings_that_make_no_sense(softness) -> None:
    with pytest.raises(InputError, match=f"a softness of {softness:g} makes no sense; expected a part of the reach"):
        TwoBone(softness=softness)


def test_limbs_say_what_is_wrong() -> None:
    body = mm.zoo.body("adult")
    with pytest.raises(InputError, match="joint 'hips' of 'adult' has not two joints above it that bend a limb"):
        make_limbs(body, ["hips"])
    limbs = make_limbs(body, ["left_foot"])
    with pytest.raises(InputError, match=r"targets have shape \(2, 2, 3\); expected \(2, 1, 3\)"):
        limbs.place(np.zeros((2, len(body.skeleton), 4)), np.zeros((2, 3)), np.zeros((2, 2, 3)))


RIGS = [
    ("khronos__CesiumMan", "left_foot", "left_lower_leg", "left_upper_leg"),
    ("kaykit__Knight", "left_hand", "left_forearm", "left_upper_arm"),
    ("threejs__Soldier", "left_foot", "left_lower_leg", "left_upper_leg"),
    ("cmu-cgspeed__cmu_02_01_walk", "left_hand", "left_forearm", "left_upper_arm"),
    ("makehuman__mh_walk1", "left_foot", "left_lower_leg", "left_upper_leg"),
]


@pytest.mark.parametrize(("file", "tip", "middle", "base"), RIGS)
def test_limbs_of_real_rigs_are_found_and_placed(file, tip, middle, base, data_dir) -> None:
    mapping = json.loads((data_dir / "mappings" / f"{file}.json").read_text())
    body = mm.load(data_dir / mapping["file"])
    joints = [body.skeleton.index(mapping["mapping"][role]) for role in (base, middle, tip)]
    anatomy = Anatomy("humanoid", {base: joints[0], middle: joints[1], tip: joints[2]}, {}, (
        Limb("limb", "leg" if "foot" in tip else "arm", "left", 0, chain(body, joints[0], joints[2]), 1.0),
    ), {"body": tuple(range(len(body.skeleton)))}, np.arange(len(body.skeleton)))  # fmt: skip
    body = body.replace(anatomy=anatomy)
    limb = find_limb(rigid_body(body), joints[2])
    assert [limb.base, limb.middle, limb.tip] == joints
    rest = Pose.rest(body.skeleton)
    hip, knee, foot = ik.WorldState(body, rest).positions[0, joints]
    reach = np.linalg.norm(knee - hip) + np.linalg.norm(foot - knee)
    target = hip + 0.75 * reach * (foot - hip) / np.linalg.norm(foot - hip)
    found = place(body, target, TwoBone(), rest, part=joints[2])
    assert found.errors[0] < 1e-6 * reach
    assert np.array_equal(found.pose.root_translation, rest.root_translation)


def chain(body, first: int, last: int) -> tuple[int, ...]:
    found = [last]
    while found[0] != first:
        found.insert(0, int(body.skeleton.parents[found[0]]))
    return tuple(found)


def test_a_wrist_next_to_the_hand_is_no_elbow() -> None:
    skeleton = Skeleton(
        ("chest", "arm", "forearm", "wrist", "hand"),
        [-1, 0, 1, 2, 3],
        [[0, 1.4, 0], [0.2, 0, 0], [0.3, 0, 0], [0.25, 0, 0], [0.03, 0, 0]],
    )
    body = rigid_body(Character("arm", skeleton))
    assert find_limb(body, 4) == LimbJoints(1, 2, 4)
    # An arm held out to the side bends its elbow back.
    assert preferred_axis(body, LimbJoints(1, 2, 4)) == pytest.approx((0.0, -1.0, 0.0))
    assert find_limb(body, 1) is None


def test_toes_tell_forward_and_a_leg_a_little_past_straight_bends_forward_all_the_same() -> None:
    for bend in (0.0, -0.1):
        body = rigid_body(leg(bend=bend))
        assert preferred_axis(body, LimbJoints(1, 2, 3))[0] > 0.99
    assert preferred_axis(rigid_body(leg(bend=-0.5)), LimbJoints(1, 2, 3))[0] < -0.99


@pytest.mark.parametrize("name", ["dragon", "crab"])
def test_targets_far_outside_the_limits_still_give_continuous_poses(name: str) -> None:
    body, rng = mm.zoo.body(name), np.random.default_rng(3)
    for tip in tips_of(body)[:3]:
        met, worst, change = study_limb(body, tip, 1000, rng)
        assert met > 0.97
        assert worst < 1e-9
        assert np.percentile(change, 99) < 60.0
