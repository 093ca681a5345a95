"""Repetition and looping: nothing jumps, the way goes on, every cycle is marked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import mummer as mm
from mummer.clip.clip import Clip
from mummer.clip.loop import Loop
from mummer.clip.repeat import Repeat
from mummer.clip.retimed import Trim
from mummer.clip.sampled import Sampled
from mummer.clip.standing import Standing, wrapped
from mummer.errors import InputError
from mummer.math import quaternion
from tests.clip.bodies import twisted_human, walkabout, walkabouts
from tests.clip.recordings import RATE, accelerations, cmu, root_accelerations
from tests.clip.strategies import assert_same_poses, motions


def stance(clip: Clip, time: float) -> tuple[np.ndarray, float]:
    places, headings = Standing.of(clip.body).places(clip.frames(np.array([time])))
    return places[0], float(headings[0])


@given(motions())
def test_a_plain_repetition_shows_the_clip_again(clip: Sampled) -> None:
    again = Repeat(clip, 3, travel=False, turn=False)
    assert again.end == pytest.approx(clip.start + 3 * clip.duration)
    times = clip.start + np.linspace(0.01, 0.99, 9) * clip.duration
    for cycle in range(3):
        assert_same_poses(again.sample(times + cycle * clip.duration), clip.sample(times))
    assert_same_poses(again.sample([again.end]), clip.sample([clip.end]))
    assert len(again.marks) == 3 * len(clip.marks)


@given(walkabouts())
def test_the_way_goes_on_from_cycle_to_cycle(clip: Sampled) -> None:
    again = Repeat(clip, 4)
    (first, facing), (last, faced) = stance(clip, clip.start), stance(clip, clip.end)
    turn = quaternion.exp([0, faced - facing, 0])
    place = np.array(first)
    for cycle in range(1, 4):
        place = last + quaternion.rotate(turn, place - first)
        found, heading = stance(again, clip.start + cycle * clip.duration + 1e-12)
        assert np.allclose(found[[0, 2]], place[[0, 2]], rtol=0, atol=1e-6)
        assert abs(wrapped(heading - facing - cycle * (faced - facing))) < 1e-6


@given(walkabouts(stretched=True))
def test_loop_meets_itself_in_pose_and_velocity(clip: Sampled) -> None:
    loop = Loop(clip, 3)
    seam, step = clip.start + clip.duration, 1e-6
    moments = seam + step * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    poses = loop.sample(moments)
    turns = quaternion.log(quaternion.multiply(quaternion.conjugate(poses.rotations[:-1]), poses.rotations[1:]))
    assert np.abs(turns).max() < 1e-4
    assert np.abs(turns[0] - turns[-1]).max() / step < 2e-3
    moved = np.diff(poses.full_translations(clip.body.skeleton), axis=0)
    assert np.abs(moved).max() < 1e-4
    assert np.abs(moved[0] - moved[-1]).max() / step < 2e-3


@given(walkabouts())
def test_a_loop_that_turns_on_the_spot_has_no_corner(clip: Sampled) -> None:
    """The whole way is taken back while the body turns."""
    loop, step = Loop(clip, 3, travel=False), 1e-6
    places = loop.sample(clip.end + step * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])).root_translation
    moved = np.diff(places, axis=0)
    assert np.abs(moved).max() < 1e-4
    assert np.abs(moved[0] - moved[-1]).max() / step < 2e-3


@given(walkabouts())
def test_every_cycle_of_a_loop_is_the_same_but_for_its_place(clip: Sampled) -> None:
    loop = Loop(clip, 3)
    times = clip.start + np.linspace(0.02, 0.98, 7) * clip.duration
    first, third = loop.sample(times), loop.sample(times + 2 * clip.duration)
    assert np.all(quaternion.equal_rotations(first.rotations[:, 1:], third.rotations[:, 1:]))
    assert np.allclose(first.root_translation[:, 1], third.root_translation[:, 1], rtol=0, atol=1e-9)
    moved, angle = loop.step
    turn = quaternion.exp([0, 2 * angle, 0])
    offset = moved + quaternion.rotate(quaternion.exp([0, angle, 0]), moved)
    expected = offset + quaternion.rotate(turn, first.root_translation)
    assert np.allclose(third.root_translation, expected, rtol=0, atol=1e-9)


@given(walkabouts())
def test_a_loop_without_travel_and_turn_returns(clip: Sampled) -> None:
    loop = Loop(clip, 2, travel=False, turn=False)
    assert_same_poses(loop.sample([loop.start]), loop.sample([loop.end]), 1e-9)


def test_a_cycle_that_already_meets_stays_as_it_is() -> None:
    rng = np.random.default_rng(1)
    body = twisted_human(rng)
    times = np.arange(61) / 30
    swing = 0.3 * np.sin(np.pi * times)[:, None, None] * rng.normal(size=(len(body.skeleton), 3))
    rotations = quaternion.multiply(body.skeleton.rest_rotations, quaternion.exp(swing))
    root = body.skeleton.rest_translations[0] + times[:, None] * [0, 0, 1.0]
    poses = mm.Pose(rotations, root)
    clip = Sampled(body, mm.Recording.from_poses("swing", times, poses))
    loop = Loop(clip, 2)
    inside = np.linspace(0, 1.99, 40)
    assert_same_poses(loop.sample(inside), clip.sample(inside), 1e-6)


def test_loop_of_one_and_marks() -> None:
    rng = np.random.default_rng(2)
    clip = walkabout(twisted_human(rng), rng)
    loop = Loop(clip, 2)
    names = [mark.name for mark in loop.marks]
    assert names == ["left_foot contact", "release"] * 2
    assert loop.marks[2].time == pytest.approx(loop.marks[0].time + clip.duration)
    assert loop.marks[2].duration == pytest.approx(loop.marks[0].duration)
    one = Loop(clip, 1)
    assert one.end == clip.end
    middle = [0.5 * (clip.start + clip.end)]
    assert_same_poses(one.sample(middle), clip.sample(middle), 1e-9)


def test_blocks_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    loop = Loop(walkabout(twisted_human(rng), rng), 50)
    times = loop.times(20)
    whole, one = loop.sample(times), np.concatenate([loop.sample([t]).rotations for t in times[::97]])
    assert np.allclose(whole.rotations[::97], one, rtol=0, atol=1e-14)


def test_bad_counts() -> None:
    rng = np.random.default_rng(4)
    clip = walkabout(twisted_human(rng), rng)
    with pytest.raises(InputError, match="cannot be done 0 times; expected a whole number from 1"):
        Repeat(clip, 0)
    with pytest.raises(InputError, match=r"cannot be done 1\.5 times"):
        Loop(clip, 1.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no duration cannot be repeated"):
        Loop(Trim(clip, 1.0, 1.0), 2)
    with pytest.raises(InputError, match="within 0 s"):
        Loop(clip, 2, spread=0.0)


def seam_ratio(loop: Loop, measure: object) -> float:
    """The largest acceleration at the seams, as a part of the largest inside the cycle that was looped."""
    times, found = measure(loop)  # type: ignore[operator]
    _, inside = measure(loop.clip)  # type: ignore[operator]
    seams = loop.start + loop.clip.duration * np.arange(1, loop.count)
    near = np.abs(times[:, None] - seams).min(axis=1) <= 2.5 / RATE
    return float(found[near].max() / inside.max())


@pytest.mark.parametrize(
    "name",
    [
        "cmu_02_01_walk", "cmu_02_03_run_jog", "cmu_02_05_punch_strike", "cmu_05_02_dance_pirouette",
        "cmu_07_01_walk", "cmu_07_05_slow_walk", "cmu_08_07_walk_exaggerated_stride", "cmu_09_01_run",
        "cmu_104_19_casual_walk", "cmu_111_01_walk_backwards", "cmu_16_18_walk_90deg_left_turn",
        "cmu_13_11_forward_jump", "cmu_49_06_cartwheel",
    ],
)  # fmt: skip
def test_real_motions_loop_without_a_jump(data_dir: Path, name: str) -> None:
    """Even those that were never meant to be cycles."""
    loop = Loop(cmu(data_dir, name), 3)
    assert seam_ratio(loop, accelerations) <= 1.0
    assert seam_ratio(loop, root_accelerations) <= 1.0


def test_plain_repetition_does_jump(data_dir: Path) -> None:
    """The measure sees a jump where there is one."""
    clip = cmu(data_dir, "cmu_02_01_walk")
    again = Repeat(clip, 3)
    times, found = accelerations(again)
    assert found[np.abs(times - clip.end) <= 2.5 / RATE].max() > 5 * accelerations(clip)[1].max()


@pytest.mark.parametrize(("name", "motion"), [("Wolf", "Gallop"), ("Horse", "Walk"), ("Spider", "Walk")])
def test_animals_loop_without_a_jump(data_dir: Path, name: str, motion: str) -> None:
    path = data_dir / f"characters/quaternius/{name}.glb"
    if not path.exists():
        pytest.skip(f"{name}.glb is not among the real files")
    body = mm.load(path)
    recording = next((each for each in body.recordings if each.name.endswith(motion)), body.recordings[0])
    whole = Sampled(body, recording)
    # A piece that is no cycle, cut between keys.
    clip = Trim(whole, whole.start + 0.1 * whole.duration, whole.start + 0.83 * whole.duration)
    loop = Loop(clip, 3)
    times, found = accelerations(loop, rate=24.0)
    near = np.abs(times[:, None] - clip.start - clip.duration * np.array([1, 2])).min(axis=1) <= 1.5 / 24
    assert found[near].max() <= accelerations(whole, rate=24.0)[1].max()
