"""Motions bent through keys: exact at the keys, smooth between them, nothing beyond the bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.clip.hold import Still
from mummer.clip.sampled import Sampled
from mummer.clip.select import Select
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.clip.warp_tangents import tangents
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.character.strategies import random_pose
from tests.clip.bodies import same_exactly, twisted_human, walkabout, walkabouts
from tests.clip.strategies import assert_same_poses, motions, seeds

RULES = ("smooth", "broken", "scaled", "flat")


@given(motions(), seeds, st.sampled_from(RULES))
def test_poses_are_met_exactly(clip: Sampled, seed: int, rule: str) -> None:
    rng = np.random.default_rng(seed)
    times = clip.start + np.array([0.2, 0.5, 0.55, 1.1])
    poses = [random_pose(clip.body.skeleton, rng) for _ in times]
    keys = tuple(SpaceWarpKey.pose(time, pose) for time, pose in zip(times, poses, strict=True))
    warped = SpaceWarp(clip, keys, rule, 0.5)  # type: ignore[arg-type]
    found = warped.sample(times)
    for row, pose in enumerate(poses):
        assert np.all(quaternion.equal_rotations(found.rotations[row], pose.rotations, 1e-9))
        assert np.allclose(found.root_translation[row], pose.root_translation, rtol=0, atol=1e-12)


@given(motions())
def test_no_displacement_changes_nothing(clip: Sampled) -> None:
    times = clip.times(30)
    none = SpaceWarp(clip, (SpaceWarpKey.nothing(clip.start), SpaceWarpKey.nothing(clip.end)))
    assert same_exactly(none.sample(times), clip.sample(times))
    own = SpaceWarp(clip, (SpaceWarpKey.pose(clip.start + 0.5, clip.at(clip.start + 0.5)),))
    assert_same_poses(own.sample(times), clip.sample(times), 1e-12)
    assert own.marks == clip.marks


@given(motions(), st.sampled_from(RULES))
def test_zero_keys_bound_the_effect(clip: Sampled, rule: str) -> None:
    a, b, c = clip.start + np.array([0.3, 0.6, 0.9])
    turn = quaternion.exp([0.3, -0.5, 0.2])
    keys = (SpaceWarpKey.nothing(a), SpaceWarpKey.turn(b, "joint3", turn, shift=(0.1, 0, 0)), SpaceWarpKey.nothing(c))
    warped = SpaceWarp(clip, keys, rule)  # type: ignore[arg-type]
    outside = np.array([clip.start, a - 0.1, a, c, c + 0.1, clip.end])
    assert_same_poses(warped.sample(outside), clip.sample(outside), 1e-13)
    inside, joint = np.linspace(a, c, 7)[1:-1], clip.body.skeleton.index("joint3")
    changed = quaternion.angle_between(warped.sample(inside).rotations, clip.sample(inside).rotations)
    assert np.all(changed[:, joint] > 1e-3)
    assert np.all(np.delete(changed, joint, axis=1) < 1e-7)
    found = warped.sample([b])
    assert np.allclose(found.root_translation - clip.sample([b]).root_translation, [[0.1, 0, 0]], atol=1e-12)
    before = clip.sample([b]).rotations[0, joint]
    assert np.all(quaternion.equal_rotations(found.rotations[0, joint], quaternion.multiply(turn, before)))


@given(seeds)
def test_the_smooth_rule_has_no_corner(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body = twisted_human(rng)
    still = Still(body, random_pose(body.skeleton, rng), 4.0)
    times = np.array([0.5, 1.1, 1.8, 3.0])
    keys = tuple(SpaceWarpKey.turn(t, "head", quaternion.exp(rng.normal(0, 0.5, 3))) for t in times)
    warped, step = SpaceWarp(still, keys), 1e-6
    for time in times:
        poses = warped.sample(time + step * np.array([-1, 0, 1])).rotations[:, body.skeleton.index("head")]
        turns = quaternion.log(quaternion.multiply(poses[1:], quaternion.conjugate(poses[:-1]))) / step
        assert np.abs(turns[1] - turns[0]).max() < 1e-3


def displacement(rule: str, *, scale: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """The height over time of joint 0, raised by 2 m at 3 s between keys that do not move it."""
    body = twisted_human(np.random.default_rng(1))
    still = Still(body, random_pose(body.skeleton, np.random.default_rng(2)), 6.0)
    zeros = tuple(SpaceWarpKey.nothing(float(t)) for t in (0, 1, 2, 4, 5, 6))
    keys = (*zeros[:3], SpaceWarpKey(3.0, shift=(0, 2, 0)), *zeros[3:])
    times = np.linspace(0, 6, 601)
    warped = SpaceWarp(still, keys, rule, scale).sample(times).root_translation  # type: ignore[arg-type]
    return times, warped[:, 1] - still.at(0).root_translation[1]


def test_anticipation_is_there_with_the_smooth_rule_alone() -> None:
    times, smooth = displacement("smooth")
    before = (times > 1) & (times < 2)
    assert smooth[before].min() < -0.1
    for rule in ("broken", "scaled"):
        _, height = displacement(rule)
        assert np.abs(height[(times < 2) | (times > 4)]).max() < 1e-12
        assert height.min() > -1e-12


def test_broken_is_as_smooth_inside_and_scaled_does_not_break() -> None:
    times, smooth = displacement("smooth")
    _, broken = displacement("broken")
    inside = (times >= 2) & (times <= 4)
    assert np.allclose(broken[inside], smooth[inside], atol=1e-12)
    slope = np.gradient(broken, times)
    assert slope[np.searchsorted(times, 2.02)] > 0.5
    _, scaled = displacement("scaled")
    gentle = np.gradient(scaled, times)
    assert abs(gentle[np.searchsorted(times, 2.0)]) < 0.1


def test_scaled_follows_the_outer_tangent() -> None:
    times, values = np.array([0.0, 1, 2, 3, 4]), np.array([[0.0], [1], [5], [2], [0]])
    is_tweak = np.array([False, False, True, False, False])
    arriving, leaving = tangents(times, values, is_tweak, rule="scaled", scale=0.25, rate=30)
    kept, _ = tangents(np.delete(times, 2), np.delete(values, 2, 0), np.zeros(4, bool), rule="smooth", scale=0, rate=30)
    assert arriving[1] == pytest.approx(kept[1])
    assert leaving[1] == pytest.approx(0.25 * kept[1])
    assert leaving[3] == pytest.approx(kept[2])
    assert arriving[3] == pytest.approx(0.25 * kept[2])
    assert kept[1, 0] != 0


def test_keys_closer_than_three_frames_are_joined_by_a_line() -> None:
    body = twisted_human(np.random.default_rng(3))
    still = Still(body, random_pose(body.skeleton, np.random.default_rng(4)), 4.0)
    keys = (
        SpaceWarpKey.nothing(0.0), SpaceWarpKey(2.0, shift=(0, 1, 0)), SpaceWarpKey(2.0 + 2 / 30, shift=(0, -1, 0)),
        SpaceWarpKey.nothing(4.0),
    )  # fmt: skip
    base = still.at(0).root_translation[1]
    between = np.linspace(2.0, 2 + 2 / 30, 9)
    height = SpaceWarp(still, keys).sample(between).root_translation[:, 1] - base
    assert np.allclose(height, np.linspace(1, -1, 9), atol=1e-12)
    everywhere = SpaceWarp(still, keys).sample(np.linspace(0, 4, 500)).root_translation[:, 1] - base
    assert np.abs(everywhere).max() <= 1 + 1e-9
    curved = SpaceWarp(still, keys, rate=60.0).sample(between).root_translation[:, 1] - base
    assert not np.allclose(curved, np.linspace(1, -1, 9), atol=1e-3)


@given(walkabouts())
def test_a_joint_key_and_groups(clip: Sampled) -> None:
    goal = quaternion.exp([0.2, 0.1, -0.3])
    warped = SpaceWarp(clip, (SpaceWarpKey.joint(1.0, "left_hand", goal),))
    hand = clip.body.skeleton.index("left_hand")
    assert np.all(quaternion.equal_rotations(warped.at(1.0).rotations[hand], goal))
    pose = random_pose(clip.body.skeleton, np.random.default_rng(5))
    arm = SpaceWarp(clip, (SpaceWarpKey.pose(1.0, pose),), groups=("left_arm",))
    found, plain = arm.at(1.0), clip.at(1.0)
    inside = np.isin(np.arange(len(plain.rotations)), clip.anatomy.group("left_arm"))
    assert np.all(quaternion.equal_rotations(found.rotations[inside], pose.rotations[inside]))
    assert np.array_equal(found.rotations[~inside], plain.rotations[~inside])
    assert np.array_equal(found.root_translation, plain.root_translation)


def test_keys_of_different_joints_do_not_disturb_each_other() -> None:
    """A key of one joint is no key of another: the curve of the other is cut there, not changed."""
    rng = np.random.default_rng(6)
    clip = walkabout(twisted_human(rng), rng)
    turns = [quaternion.exp(rng.normal(0, 0.4, 3)) for _ in range(3)]
    head = [SpaceWarpKey.turn(t, "head", q) for t, q in zip((0.6, 1.2, 2.2), turns, strict=True)]
    hand = [SpaceWarpKey.turn(t, "left_hand", turns[0]) for t in (0.8, 1.5)]
    both = SpaceWarp(clip, tuple(sorted([*head, *hand], key=lambda key: key.time)))
    times, joint = clip.times(50), clip.body.skeleton.index("head")
    alone = SpaceWarp(clip, tuple(head)).sample(times).rotations[:, joint]
    assert np.all(quaternion.equal_rotations(both.sample(times).rotations[:, joint], alone))


def test_displacements_beyond_half_a_turn_go_the_short_way_on() -> None:
    body = twisted_human(np.random.default_rng(9))
    still = Still(body, random_pose(body.skeleton, np.random.default_rng(10)), 3.0)
    turns = [quaternion.exp([0, np.deg2rad(angle), 0]) for angle in (90, 170, 190, 270)]
    keys = tuple(SpaceWarpKey.turn(0.5 + row, "head", turn) for row, turn in enumerate(turns))
    between = SpaceWarp(still, keys).sample([2.0]).rotations[0, body.skeleton.index("head")]
    turned = quaternion.multiply(between, quaternion.conjugate(still.at(0).rotations[body.skeleton.index("head")]))
    assert quaternion.angle_between(turned, quaternion.exp([0, np.pi, 0])) < 1e-6


def test_a_displaced_joint_of_a_partial_clip_is_defined() -> None:
    rng = np.random.default_rng(7)
    arm = Select(walkabout(twisted_human(rng), rng), ("left_arm",))
    warped = SpaceWarp(arm, (SpaceWarpKey.turn(1.0, "head", quaternion.exp([0.3, 0, 0])),))
    assert set(np.flatnonzero(warped.defined & ~arm.defined)) == {arm.body.skeleton.index("head")}


def test_bad_warps() -> None:
    rng = np.random.default_rng(8)
    clip = walkabout(twisted_human(rng), rng)
    with pytest.raises(InputError, match="keys at increasing times"):
        SpaceWarp(clip, (SpaceWarpKey.nothing(1.0), SpaceWarpKey.nothing(1.0)))
    with pytest.raises(InputError, match="one or more"):
        SpaceWarp(clip, ())
    with pytest.raises(UnknownNameError, match="SpaceWarp has no rule for tangents 'smoth'; closest: 'smooth'"):
        SpaceWarp(clip, (SpaceWarpKey.nothing(1.0),), "smoth")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="no joint 'left_hnad'"):
        SpaceWarp(clip, (SpaceWarpKey.turn(1.0, "left_hnad", [0, 0, 0, 1]),))
    with pytest.raises(InputError, match="has length zero"):
        SpaceWarpKey.turn(1.0, "head", [0, 0, 0, 0])
    with pytest.raises(InputError, match="shift of a warp key must be 3 finite numbers"):
        SpaceWarpKey(1.0, shift=(0.0, 1.0))
    with pytest.raises(InputError, match="at nan s"):
        SpaceWarpKey.nothing(float("nan"))
    with pytest.raises(InputError, match="is a batch of poses"):
        SpaceWarpKey.pose(1.0, clip.sample([1.0, 2.0]))
    with pytest.raises(InputError, match="a rate of 0 frames"):
        SpaceWarp(clip, (SpaceWarpKey.nothing(1.0),), rate=0.0)
    with pytest.raises(InputError, match="cannot be scaled by -1"):
        SpaceWarp(clip, (SpaceWarpKey.nothing(1.0),), scale=-1.0)
