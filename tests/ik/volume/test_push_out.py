"""Push-out: overlaps go, goals stay, nothing pops."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose, Recording, violations
from mummer.clip import Sampled
from mummer.errors import InputError
from mummer.ik import Place, make_problem
from mummer.ik.bells import covered, smoothed
from mummer.ik.volume import PushOut, Uncrossed, push_out, self_penetration
from mummer.ik.volume.push_out import eased_beyond, spread_turns, steady_normals, willingness
from mummer.ik.world_state import WorldState
from mummer.math import interpolate, quaternion
from tests.ik.volume import naive
from tests.ik.volume.study import SOURCES, load_target, one_row
from tests.ik.volume.test_penetration import arm_through_belly

RATE = 60


@pytest.fixture(scope="module")
def adult():
    return mm.zoo.body("adult")


@pytest.fixture(scope="module")
def swing(adult):
    """A second of rest, and two in which an arm goes through the belly and back: poses and times."""
    times = np.arange(3 * RATE + 1) / RATE
    share = np.sin(np.pi * np.maximum(times - 1, 0) / 2)[:, None, None] ** 2
    rest, far = adult.default_pose, arm_through_belly(adult)
    turns = interpolate.slerp(rest.rotations, far.rotations, share[..., 0])
    return Pose(turns, np.tile(rest.root_translation, (len(times), 1))), times


def acceleration(character, poses):
    return np.linalg.norm(np.diff(WorldState(character, poses).positions, 2, axis=0) * RATE**2, axis=-1).max()


def test_a_pose_without_overlap_is_left_alone(adult):
    found = push_out(adult, adult.default_pose)
    assert np.array_equal(found.pose.rotations, adult.default_pose.rotations)


def test_a_single_pose_is_freed(adult):
    pose = arm_through_belly(adult)
    found = push_out(adult, pose)
    assert self_penetration(adult, pose).worst > 0.02
    assert self_penetration(adult, found.pose).worst == 0
    assert found.pose.shape == ()


def test_a_motion_is_freed_without_pops(adult, swing):
    poses, times = swing
    assert self_penetration(adult, poses).is_penetrating.mean() > 0.2
    found = push_out(adult, poses, times=times)
    assert self_penetration(adult, found.pose).is_penetrating.mean() < 0.02
    assert acceleration(adult, found.pose) < 1.5 * acceleration(adult, poses) + 5
    assert np.all(np.isfinite(found.pose.rotations))
    assert np.array_equal(found.pose.root_translation, poses.root_translation)


def test_taken_frame_by_frame_the_same_motion_pops(adult, swing):
    """The measure can fail: without times each frame is solved on its own."""
    poses, times = swing
    together, alone = push_out(adult, poses, times=times), push_out(adult, poses)
    assert acceleration(adult, alone.pose) > 2 * acceleration(adult, together.pose)


def test_goals_are_kept(adult, swing):
    poses, times = swing
    state = WorldState(adult, poses)
    goals = [Place(part, state.point(part)) for part in ("left_foot", "right_foot", "right_hand")]
    found = push_out(adult, poses, goals, times=times)
    assert found.errors.max() < 1e-3 * 1.8
    assert found.is_met


def test_limits_that_held_before_hold_after(adult, swing):
    poses, times = swing
    past = violations(adult.limits, adult.skeleton, poses).max(axis=0)
    after = violations(adult.limits, adult.skeleton, push_out(adult, poses, times=times).pose).max(axis=0)
    assert after[past < 1e-6].max() < 0.02


def test_far_from_the_overlap_nothing_changes(adult, swing):
    poses, times = swing
    overlapping = np.flatnonzero(self_penetration(adult, poses).is_penetrating)
    found = push_out(adult, poses, times=times)
    early = times < times[overlapping[0]] - 0.75
    assert early.any()
    assert quaternion.angle_between(found.pose.rotations, poses.rotations)[early].max() < 0.01


def test_a_clip_is_uncrossed_whatever_frames_are_asked_for(adult, swing):
    poses, times = swing
    plain = Sampled(adult, Recording.from_poses("swing", times, poses))
    clip = Uncrossed(plain)
    at = np.array([0.3, 1.9, 2.01, 2.5])
    together = clip.sample(at)
    alone = [clip.sample(at[[row]]).rotations[0] for row in (2, 0, 3, 1)]
    assert np.allclose(together.rotations[[2, 0, 3, 1]], alone)
    assert not self_penetration(adult, clip.sample(times[::7])).is_penetrating.any()
    with pytest.raises(InputError, match="frames a second"):
        Uncrossed(plain, rate=0)


def test_smoothing_keeps_what_is_even_and_covers_what_is_not():
    even, spike = np.ones((30, 2)), np.zeros(41)
    spike[20] = 1.0
    assert smoothed(even, 5) == pytest.approx(even)
    cover = covered(spike, 8)
    assert np.all(cover >= spike)
    assert np.abs(np.diff(cover)).max() < 0.5
    assert cover[0] == cover[-1] == 0
    turns = np.zeros((41, 1, 3))
    turns[20, 0, 1] = 0.5
    spread = spread_turns(turns, 8)
    assert spread[20, 0, 1] == pytest.approx(0.5, abs=1e-6)
    assert spread[18, 0, 1] > 0.1
    assert np.abs(spread[..., 0]).max() < 1e-12


def test_normals_do_not_jump_where_axes_cross():
    normals = np.tile([1.0, 0, 0], (20, 1))
    normals[8:12] *= -1
    near = np.zeros(20, bool)
    near[3:15] = True
    steady = steady_normals(normals, near, reach=2)
    assert np.all(steady[:, 0] > 0.9)


def test_settings_can_be_changed(adult):
    pose = arm_through_belly(adult)
    loose, wide = (push_out(adult, pose, settings=PushOut(clear=clear)) for clear in (0.001, 0.02))
    near = [self_penetration(adult, found.pose).distances.min() for found in (loose, wide)]
    assert near[1] > near[0]


def test_recorded_dances_on_other_bodies_are_freed(data_dir):
    """The study's bar on two bodies and a part of two recordings; `tests.ik.volume.study` prints all of it."""
    rows = []
    for target in (("giant", None), ("characters/threejs/Xbot.glb", "threejs__Xbot")):
        character, roles = load_target(data_dir, *target)
        for path, mapping in (SOURCES[1], SOURCES[3]):
            source = naive.read_source(data_dir, path, mapping, rate=60.0, seconds=3)
            rows.append(one_row(character, roles, source))
    before, after = sum(row["before"] for row in rows), sum(row["after"] for row in rows)
    assert before > 100
    assert after <= 0.05 * before
    assert max(row["missed"] for row in rows) < 1e-3
    assert max(row["pops"] for row in rows) < 1.2


def test_light_limbs_make_way_before_the_trunk_and_fingers_do_not(adult):
    willing = willingness(make_problem(adult, (), adult.default_pose))
    of = adult.anatomy.roles
    assert willing[of["left_upper_arm"]] > 3 * willing[of["chest"]] > 0
    fingers = [joint for joint in adult.anatomy.capabilities["digit"] if not adult.skeleton.children[joint]]
    assert np.all(willing[[of["hips"], *fingers]] == 0)


@pytest.mark.parametrize("reach", [0, 3, 8])
def test_what_goals_ask_for_is_led_in_and_out_over_its_reach(reach: int) -> None:
    holds = np.zeros(40, bool)
    holds[15:20] = True
    goal = SimpleNamespace(active=lambda count, _times: holds[:count], points=(2,))
    body = SimpleNamespace(parents=np.array([-1, 0, 1, 1]), character=mm.zoo.body("adult"))
    problem = SimpleNamespace(goals=[goal], times=np.arange(40) / RATE, body=body)
    turns = np.zeros((40, 4, 3))
    turns[holds, 1:3] = [0.0, 0.3, 0.0]
    turns[19, 2] = [0.0, 0.0, 0.6]
    before = turns.copy()
    eased = eased_beyond(problem, turns, reach)
    np.testing.assert_array_equal(turns, before)
    np.testing.assert_array_equal(eased[holds], turns[holds])
    np.testing.assert_array_equal(eased[[*range(15 - reach), *range(20 + reach, 40)]], 0.0)
    np.testing.assert_array_equal(eased[:, 3], 0.0)
    ahead, after = (np.linalg.norm(each, axis=-1) for each in (eased[15 - reach : 16, 1], eased[19 : 20 + reach, 2]))
    assert np.all(np.diff(ahead) > 0.0)
    assert np.all(np.diff(after) < 0.0)
    np.testing.assert_allclose(after[::-1] / after[0], ahead / ahead[-1])
    if reach:
        # It begins and ends with next to nothing, and leaves as softly as it came.
        assert ahead[0] < 0.15 * ahead[-1]
        assert ahead[-1] - ahead[-2] < np.diff(ahead).max()


def test_a_larger_correction_stands_beside_a_smaller_one() -> None:
    first, second = np.zeros((2, 30), bool)
    first[5:10] = second[14:20] = True
    goals = [SimpleNamespace(active=lambda count, _times, on=on: on[:count], points=(0,)) for on in (first, second)]
    body = SimpleNamespace(parents=np.array([-1]), character=mm.zoo.body("adult"))
    turns = np.zeros((30, 1, 3))
    turns[first], turns[second] = [0.1, 0.0, 0.0], [0.0, 0.5, 0.0]
    problem = SimpleNamespace(goals=goals, times=np.arange(30) / RATE, body=body)
    eased = eased_beyond(problem, turns, 8)[:, 0]
    sizes = np.linalg.norm(eased, axis=1)
    assert np.all(eased[11:14, 1] > 0.0)
    assert np.all(eased[:5, 0] > 0.0)
    problem.goals = goals[::-1]
    np.testing.assert_allclose(np.linalg.norm(eased_beyond(problem, turns, 8)[:, 0], axis=1), sizes)
