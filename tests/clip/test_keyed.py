"""Keyed clips: exact at keys, the four segments, the three tangents, editing, recordings taken in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.character import Character, Curve, Pose, Recording
from mummer.clip.keyed import Keyed
from mummer.clip.keys import Key, Track
from mummer.clip.sampled import Sampled
from mummer.errors import InputError, UnknownNameError
from mummer.math import interpolate, quaternion, splines
from tests.clip.strategies import assert_same_poses, random_body, seeds

ways = st.sampled_from(["step", "linear", "hermite", "bezier"])
kinds = st.sampled_from(["auto", "flat", "broken"])


@st.composite
def knots(draw: st.DrawFn) -> tuple[np.random.Generator, np.ndarray]:
    """A source of chance, and uneven times."""
    rng = np.random.default_rng(draw(seeds))
    return rng, np.cumsum(rng.uniform(0.05, 1.0, draw(st.integers(1, 7)))) - 1.0


def keyed(body: Character, times: np.ndarray, rng: np.random.Generator, **options: object) -> Keyed:
    """Rotation keys for a joint and translation keys for the root at ``times``."""
    clip = Keyed(body)
    for time, turn, place in zip(
        times, quaternion.random(rng, len(times)), rng.normal(size=(len(times), 3)), strict=True
    ):
        clip = clip.with_key("joint1", time, turn, **options).with_key(
            "joint0", time, place, path="translation", **options
        )
    return clip


def values(clip: Keyed) -> tuple[np.ndarray, np.ndarray]:
    """The rotations and translations of the keys."""
    turns = np.array([key.value for key in clip.track("joint1").keys])
    return turns, np.array([key.value for key in clip.track("joint0", "translation").keys])


@given(knots(), ways, kinds)
def test_keys_are_met_exactly_and_nothing_else_moves(knots, between, tangents) -> None:
    rng, times = knots
    clip = keyed(random_body(rng), times, rng, between=between, tangents=tangents)
    turns, places = values(clip)
    poses = clip.sample(times)
    assert np.array_equal(poses.rotations[:, 1], quaternion.normalize(turns))
    assert np.array_equal(poses.root_translation, places)
    assert np.array_equal(poses.rotations[:, 2:], np.repeat(clip.body.skeleton.rest_rotations[None, 2:], len(times), 0))
    assert list(np.flatnonzero(clip.defined)) == [0, 1]
    assert (clip.start, clip.end) == (times[0], times[-1])


@given(knots())
def test_automatic_tangents_are_those_of_the_splines(knots) -> None:
    rng, times = knots
    clip = keyed(random_body(rng), times, rng)
    turns, places = values(clip)
    at = np.linspace(times[0] - 0.1, times[-1] + 0.1, 200)
    poses = clip.sample(at)
    assert np.all(quaternion.equal_rotations(poses.rotations[:, 1], splines.spherical_cubic(times, turns, at), 1e-7))
    assert np.allclose(poses.root_translation, splines.catmull_rom(times, places, at), rtol=0, atol=1e-10)


@given(knots())
def test_linear_is_slerp_and_step_holds(knots) -> None:
    rng, times = knots
    at = np.linspace(times[0], times[-1], 101)[:-1]
    before = np.searchsorted(times, at, side="right") - 1
    straight = keyed(random_body(rng), times, rng, between="linear")
    turns, places = values(straight)
    after = np.minimum(before + 1, len(times) - 1)
    part = (at - times[before]) / np.where(after > before, times[after] - times[before], 1.0)
    expected = interpolate.slerp(turns[before], turns[after], part)
    poses = straight.sample(at)
    assert np.all(quaternion.equal_rotations(poses.rotations[:, 1], expected, 1e-7))
    assert np.allclose(poses.root_translation, places[before] + part[:, None] * (places[after] - places[before]))
    held = keyed(random_body(rng), times, rng, between="step")
    assert np.allclose(held.sample(at).root_translation, values(held)[1][before], rtol=0, atol=0)


@given(knots())
def test_bezier_with_handles_of_a_third_is_hermite(knots) -> None:
    rng, times = knots
    body, seed = random_body(rng), int(rng.integers(2**31))
    at = np.linspace(times[0], times[-1], 100)
    smooth, handles, longer = (
        keyed(body, times, np.random.default_rng(seed), **options).sample(at)
        for options in ({}, {"between": "bezier"}, {"between": "bezier", "reach": (0.8, 0.6)})
    )
    assert_same_poses(smooth, handles, 1e-10)
    if len(times) > 2:
        # Two keys with automatic tangents are a straight line whatever their handles.
        assert not np.allclose(smooth.root_translation, longer.root_translation, atol=1e-6)


def test_long_handles_ease_in_time_like_a_bezier_drawn_by_points() -> None:
    body = random_body(np.random.default_rng(0))
    clip = Keyed(body)
    for time, value in ((0, 0.0), (2, 10.0)):
        clip = clip.with_key(
            "joint0", time, (value, 0, 0), path="translation", between="bezier", tangents="flat", reach=(0.9, 0.7)
        )
    u = np.linspace(0, 1, 50)
    time = 2 * (3 * (1 - u) ** 2 * u * 0.7 + 3 * (1 - u) * u * u * (1 - 0.9) + u**3)
    height = 10 * (3 * (1 - u) * u * u + u**3)
    assert np.all(np.diff(time) >= 0)
    assert np.allclose(clip.sample(time).root_translation[:, 0], height, rtol=0, atol=1e-9)


@given(knots(), kinds)
def test_velocity_goes_on_through_keys_unless_broken(knots, tangents) -> None:
    rng, times = knots
    if len(times) < 3:
        return
    clip = keyed(random_body(rng), times, rng, tangents=tangents)
    step = 1e-5
    at = times[1]
    before, here, after = clip.sample([at - step, at, at + step]).root_translation
    came, goes = (here - before) / step, (after - here) / step
    if tangents == "flat":
        assert np.allclose([came, goes], 0, atol=1e-2)
    elif tangents == "auto":
        assert np.allclose(came, goes, atol=1e-2 * (1 + np.abs(came).max()))
    else:
        places = values(clip)[1]
        assert np.allclose(came, (places[1] - places[0]) / (times[1] - times[0]), rtol=1e-2, atol=1e-2)


def test_broken_tangents_are_the_velocities_given() -> None:
    body = random_body(np.random.default_rng(3))
    spin, push = (0.3, -1.0, 0.5), (1.0, 2.0, 3.0)
    clip = Keyed(body)
    for time in (0.0, 1.0):
        turn = quaternion.random(np.random.default_rng(int(time)))
        clip = clip.with_key("joint0", time, turn, tangents="broken", arriving=spin, leaving=spin)
        clip = clip.with_key(
            "joint0", time, turn[:3], path="translation", tangents="broken", arriving=push, leaving=push
        )
    for time in (0.0, 1.0):
        turning, moving = clip.velocities([time], step=1e-5)
        assert np.allclose(turning[0, 0], spin, atol=1e-3)
        assert np.allclose(moving[0], push, atol=1e-3)


@given(knots(), st.data())
def test_editing_gives_a_new_clip_and_undoes(knots, data) -> None:
    rng, times = knots
    clip = keyed(random_body(rng), times, rng)
    place = data.draw(st.integers(0, len(times) - 1))
    at = np.linspace(times[0], times[-1], 50)
    time, original = times[place], clip.track("joint1").keys[place]
    moved = clip.moved_key("joint1", time, time + 0.01)
    assert clip.track("joint1").keys[place] is original
    assert moved.track("joint1").keys[place].time == pytest.approx(time + 0.01)
    assert_same_poses(moved.moved_key("joint1", time + 0.01, time).sample(at), clip.sample(at), 1e-9)
    more = clip.with_key("joint1", times[-1] + 1, (0, 0, 0, 1))
    assert more.end == times[-1] + 1
    assert_same_poses(more.without_key("joint1", times[-1] + 1).sample(at), clip.sample(at), 1e-12)
    changed = clip.with_key("joint1", time, (1, 0, 0, 0))
    assert len(changed.track("joint1").keys) == len(times)
    assert changed.sample([time]).rotations[0, 1] == pytest.approx([1, 0, 0, 0])


def test_the_last_key_takes_its_track_along() -> None:
    body = random_body(np.random.default_rng(0))
    clip = Keyed(body).with_key("joint1", 0.5, (0, 0, 0, 1))
    bare = clip.without_key("joint1", 0.5)
    assert bare.tracks == ()
    assert (bare.start, bare.end, bare.defined.any()) == (0.0, 0.0, False)
    assert_same_poses(bare.sample([0.0]), Pose.rest(body.skeleton, (1,)))


def test_poses_scales_translations_and_morphs_can_be_keyed() -> None:
    body = mm.zoo.body("adult")
    rng = np.random.default_rng(5)
    pose = Pose(quaternion.random(rng, len(body.skeleton)), rng.normal(size=3))
    clip = (
        Keyed(body)
        .with_pose(0.0, Pose.rest(body.skeleton))
        .with_pose(1.0, pose)
        .with_key("left_hand", 0.5, (2, 2, 2), path="scale")
        .with_key("left_hand", 0.5, (0.1, 0.2, 0.3), path="translation")
        .with_key(body.morph_names[2], 0.25, 0.75, path="morph")
    )
    got = clip.at(1.0)
    assert np.allclose(np.abs(quaternion.dot(got.rotations, pose.rotations)), 1)
    assert np.allclose(got.root_translation, pose.root_translation)
    hand = body.skeleton.index("left_hand")
    assert np.array_equal(got.scales[hand], [2, 2, 2])
    assert np.array_equal(got.translations[hand], [0.1, 0.2, 0.3])
    assert got.morphs[2] == 0.75
    assert np.count_nonzero(got.morphs) == 1


def test_recordings_become_keys() -> None:
    rng = np.random.default_rng(2)
    body = random_body(rng)
    times = np.array([0.0, 0.4, 1.0])
    turns, places = quaternion.random(rng, (3, 1)), rng.normal(size=(3, 1, 3))
    slopes = rng.normal(size=(2, 3, 1, 3))
    base = Pose(quaternion.random(rng, 7), rng.normal(size=3))
    recording = Recording(
        "mixed",
        (
            Curve("rotation", np.array([2]), times, turns, "step"),
            Curve("rotation", np.array([3]), times, turns),
            Curve("translation", np.array([0]), times, places, "cubic", *slopes),
        ),
        base,
    )
    at = np.linspace(0, 1, 77)
    clip = Keyed.from_recording(body, recording)
    assert_same_poses(clip.sample(at), Sampled(body, recording).sample(at), 1e-12)
    assert [clip.track("joint2").keys[0].between, clip.track("joint3").keys[0].between] == ["step", "linear"]


def test_cubic_rotations_keep_poses_and_velocities_at_keys() -> None:
    rng = np.random.default_rng(4)
    body = random_body(rng)
    times = np.array([0.0, 0.4, 1.0])
    turns = quaternion.multiply(quaternion.random(rng), quaternion.exp(0.3 * rng.normal(size=(3, 1, 3))))
    slopes = 0.5 * rng.normal(size=(2, 3, 1, 4))
    recording = Recording(
        "cubic", (Curve("rotation", np.array([1]), times, turns, "cubic", *slopes),), Pose.rest(body.skeleton)
    )
    clip, played = Keyed.from_recording(body, recording), Sampled(body, recording)
    assert_same_poses(clip.sample(times), played.sample(times), 1e-12)
    for ours, files in zip(clip.velocities([0, 1], step=1e-6), played.velocities([0, 1], step=1e-6), strict=True):
        assert np.allclose(ours, files, atol=1e-4)
    apart = quaternion.angle_between(*(each.sample(np.linspace(0, 1, 99)).rotations[:, 1] for each in (clip, played)))
    assert 0 < apart.max() < 0.05


def test_a_real_animation_can_be_taken_in_and_edited(data_dir: Path) -> None:
    character = mm.load(data_dir / "motions" / "cmu-cgspeed" / "cmu_02_01_walk.bvh")
    recording = character.recordings[0]
    clip = Keyed.from_recording(character, recording)
    at = np.linspace(clip.start, clip.end, 100)
    assert_same_poses(clip.sample(at), Sampled(character, recording).sample(at), 1e-9)


def test_bad_keys() -> None:
    body = random_body(np.random.default_rng(0))
    clip = Keyed(body).with_key("joint1", 0.5, (0, 0, 0, 1))
    with pytest.raises(UnknownNameError, match="has no joint 'joint11'; closest: 'joint1'"):
        clip.with_key("joint11", 0, (0, 0, 0, 1))
    with pytest.raises(InputError, match="'joint1' at 0 s has 3 numbers; expected 4"):
        clip.with_key("joint1", 0, (0, 0, 1))
    with pytest.raises(InputError, match="length zero"):
        clip.with_key("joint1", 0, (0, 0, 0, 0))
    with pytest.raises(InputError, match="tangent of 4 numbers; expected 3"):
        clip.with_key("joint1", 0, (0, 0, 0, 1), arriving=(0, 0, 0, 1))
    with pytest.raises(InputError, match=r"no key at 0\.7 s; the nearest is at 0\.5 s"):
        clip.without_key("joint1", 0.7)
    with pytest.raises(UnknownNameError, match="has no keyed scale of 'joint1'"):
        clip.without_key("joint1", 0.5, path="scale")
    with pytest.raises(InputError, match="already has a key at 1 s"):
        clip.with_key("joint1", 1, (0, 0, 0, 1)).moved_key("joint1", 0.5, 1.0)
    with pytest.raises(UnknownNameError, match="no way to the next 'hermit'; closest: 'hermite'"):
        clip.with_key("joint1", 0, (0, 0, 0, 1), between="hermit")
    with pytest.raises(UnknownNameError, match="no kind of tangents 'flatt'; closest: 'flat'"):
        clip.with_key("joint1", 0, (0, 0, 0, 1), tangents="flatt")
    with pytest.raises(InputError, match="two numbers from 0 to 1"):
        clip.with_key("joint1", 0, (0, 0, 0, 1), reach=(0.5, 1.5))
    with pytest.raises(UnknownNameError, match="has no morph 'smile'"):
        clip.with_key("smile", 0, 1.0, path="morph")
    with pytest.raises(InputError, match="keyed by two tracks"):
        Keyed(body, (clip.tracks[0], clip.tracks[0]))
    with pytest.raises(InputError, match="not at increasing times"):
        Track("joint1", "rotation", (Key(1, (0, 0, 0, 1)), Key(0, (0, 0, 0, 1))))
    with pytest.raises(InputError, match="finite"):
        Key(np.nan, (0, 0, 0, 1))
    with pytest.raises(InputError, match="has no keys"):
        Track("joint1", "rotation", ())
    with pytest.raises(UnknownNameError, match="a track has no path 'rotate'"):
        Track("joint1", "rotate", (Key(0, (0, 0, 0, 1)),))  # type: ignore[arg-type]
