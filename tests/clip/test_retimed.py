"""Operators that change only the times: identities, inverses, marks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.clip.retimed import Reverse, Shift, Trim
from mummer.clip.sampled import Sampled
from mummer.clip.time_warp import TimeWarp, at_speed, paused
from mummer.errors import InputError
from tests.clip.strategies import assert_same_poses, motions


@given(motions())
def test_sampling_at_keys_is_exact_and_blocks_do_not_matter(clip: Sampled) -> None:
    times = clip.recording.key_times
    assert_same_poses(clip.sample(times), clip.recording.sample(times), 1e-12)
    many = np.linspace(clip.start - 1, clip.end + 1, 6000)
    assert_same_poses(clip.sample(many), clip.recording.sample(many), 1e-12)


@given(motions(), st.floats(-5, 5))
def test_shift_and_back(clip: Sampled, seconds: float) -> None:
    moved = Shift(clip, seconds)
    assert (moved.start, moved.end) == pytest.approx((clip.start + seconds, clip.end + seconds))
    times = clip.times(20)
    assert_same_poses(moved.sample(times + seconds), clip.sample(times))
    assert_same_poses(Shift(moved, -seconds).sample(times), clip.sample(times))
    assert moved.marks[0].time == pytest.approx(clip.marks[0].time + seconds)


@given(motions())
def test_reverse_twice(clip: Sampled) -> None:
    times = clip.times(20)
    assert_same_poses(Reverse(Reverse(clip)).sample(times), clip.sample(times))
    assert_same_poses(Reverse(clip).sample(times), clip.sample(times[::-1]))
    stretch = next(mark for mark in Reverse(clip).marks if mark.name == "stretch")
    assert stretch.duration == pytest.approx(next(m for m in clip.marks if m.name == "stretch").duration)


@given(motions())
def test_trim_keeps_times_and_cuts_marks(clip: Sampled) -> None:
    middle = 0.5 * (clip.start + clip.end)
    part = Trim(clip, clip.start + 0.3, middle)
    assert_same_poses(part.sample([0.5 * (part.start + part.end)]), clip.sample([0.5 * (part.start + part.end)]))
    assert all(part.start <= mark.time <= mark.until <= part.end for mark in part.marks)
    with pytest.raises(InputError, match="cannot trim to"):
        Trim(clip, clip.start - 1, middle)


@given(
    motions(), st.lists(st.floats(0.01, 3), min_size=1, max_size=6), st.lists(st.floats(0, 1), min_size=6, max_size=6)
)
def test_warp_meets_its_keys_and_inverts(clip: Sampled, gaps: list[float], shares: list[float]) -> None:
    warped = np.cumsum([0.0, *gaps])
    original = clip.start + np.concatenate([[0], np.cumsum(shares[: len(gaps)])]) / 6 * clip.duration
    warp = TimeWarp(clip, tuple(zip(original, warped, strict=True)))
    assert np.allclose(warp.inner(warped), original, rtol=0, atol=1e-12)
    dense = np.linspace(warped[0] - 1, warped[-1] + 1, 500)
    assert np.all(np.diff(warp.inner(dense)) >= -1e-12)
    assert np.allclose(warp.inner(warp.outer(original)), original, rtol=0, atol=1e-9)
    inside = np.linspace(clip.start, clip.end, 50)
    assert np.allclose(warp.inner(warp.outer(inside)), inside, rtol=0, atol=1e-9)


@given(motions())
def test_identity_warp_and_reversing_warp(clip: Sampled) -> None:
    times = clip.times(25)
    same = TimeWarp(clip, ((clip.start, clip.start), (clip.end, clip.end)))
    assert_same_poses(same.sample(times), clip.sample(times))
    back = TimeWarp(clip, ((clip.end, clip.start), (clip.start, clip.end)))
    assert_same_poses(back.sample(times), Reverse(clip).sample(times))


@given(motions())
def test_pause_stands_still_and_marks_move_with_the_motion(clip: Sampled) -> None:
    time = clip.start + 0.4 * clip.duration
    still = TimeWarp(clip, paused(clip.start, clip.end, time, 2.0))
    assert still.duration == pytest.approx(clip.duration + 2)
    poses = still.sample(np.linspace(time, time + 2, 5))
    assert_same_poses(poses, clip.sample([time] * 5))
    for mark, moved in zip(clip.marks, still.marks, strict=True):
        assert_same_poses(still.sample([moved.time]), clip.sample([mark.time]), 1e-7)


@given(motions(), st.floats(0.2, 5))
def test_speed(clip: Sampled, factor: float) -> None:
    fast = TimeWarp(clip, at_speed(clip.start, clip.end, factor))
    assert fast.duration == pytest.approx(clip.duration / factor)
    assert_same_poses(fast.sample([fast.end]), clip.sample([clip.end]))


def test_bad_warps() -> None:
    rng = np.random.default_rng(1)
    from tests.clip.strategies import random_body, smooth_motion

    clip = smooth_motion(random_body(rng), rng)
    with pytest.raises(InputError, match="must increase"):
        TimeWarp(clip, ((0, 0), (1, 0)))
    with pytest.raises(InputError, match="turn round"):
        TimeWarp(clip, ((0, 0), (1, 1), (0.5, 2)))
    with pytest.raises(InputError, match="finite"):
        TimeWarp(clip, ((0, np.nan),))
    with pytest.raises(InputError, match="a speed of"):
        at_speed(0, 1, -1)


@given(motions())
def test_a_single_pose_is_the_same_at_any_speed(clip: Sampled) -> None:
    pose = Trim(clip, clip.start, clip.start).at_speed(2.0)
    assert (pose.start, pose.end) == (clip.start, clip.start)
    assert_same_poses(pose.sample([clip.start]), clip.sample([clip.start]), 1e-12)
    with pytest.raises(InputError, match="not a finite number"):
        clip.sample([np.nan])


def test_long_requests_on_several_threads_are_what_one_call_gives() -> None:
    from tests.clip.strategies import random_body, smooth_motion

    rng = np.random.default_rng(5)
    clip = Reverse(Shift(smooth_motion(random_body(rng), rng, frames=90), 0.3))
    times = np.linspace(clip.start, clip.end, 9000)
    blocked, whole = clip.sample(times), clip.frames(times).to_pose()
    assert np.array_equal(blocked.rotations, whole.rotations)
    assert np.array_equal(blocked.root_translation, whole.root_translation)
