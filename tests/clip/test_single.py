"""Frame by frame gives what a batch gives."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.character import Curve, Pose, Recording
from mummer.clip.sampled import Sampled
from mummer.errors import InputError
from tests.clip.strategies import motions, random_body, smooth_motion

PARTS = ("rotations", "root_translation", "translations", "scales", "morphs")


def assert_single_is_batch(clip: Sampled, time: float) -> None:
    alone, batch = clip.at(time), clip.sample([time])[0]
    for name in PARTS:
        one, other = getattr(alone, name), getattr(batch, name)
        assert (one is None) == (other is None), name
        if one is not None:
            assert one.shape == other.shape
            assert np.allclose(one, other, rtol=0, atol=1e-12), name
            assert not one.flags.writeable, name


@given(motions(), st.floats(-0.5, 1.5))
def test_single_poses_are_those_of_a_batch(clip: Sampled, share: float) -> None:
    assert clip.filler is not None
    assert_single_is_batch(clip, clip.start + share * clip.duration)


@given(st.integers(0, 1000), st.floats(0, 1))
def test_with_translations_and_scales_of_some_joints(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    clip = smooth_motion(random_body(rng), rng)
    count, times = len(clip.body.skeleton), np.sort(rng.uniform(0, 1, 5)) + np.arange(5)
    base = Pose(clip.recording.base.rotations, None, rng.normal(size=(count, 3)), np.exp(rng.normal(size=(count, 3))))
    curves = (
        *[curve for curve in clip.recording.curves if curve.path == "rotation"],
        Curve("translation", [0, 3], times, rng.normal(size=(5, 2, 3))),
        Curve("scale", [2], times, np.exp(rng.normal(size=(5, 1, 3)))),
        Curve("translation", [5], times[:1], rng.normal(size=(1, 1, 3))),
    )
    moved = dataclasses.replace(clip, recording=Recording("moved", curves, base))
    assert_single_is_batch(moved, moved.start + share * moved.duration)
    many = moved.sample(np.linspace(moved.start, moved.end, 700))
    assert np.array_equal(many.translations[:, 1], np.broadcast_to(base.translations[1], (700, 3)))
    again = moved.recording.sample(np.linspace(moved.start, moved.end, 700))
    for name in PARTS[:4]:
        assert np.allclose(np.abs(getattr(many, name)), np.abs(getattr(again, name)), rtol=0, atol=1e-9)


def test_scales_that_the_base_does_not_give_come_from_the_body() -> None:
    rng = np.random.default_rng(3)
    clip = smooth_motion(random_body(rng), rng)
    count = len(clip.body.skeleton)
    curve = Curve("scale", np.arange(count), [0.0, 1.0], np.ones((2, count, 3)) * [[[1.0]], [[2.0]]])
    grown = dataclasses.replace(clip, recording=Recording("grown", (curve,), clip.recording.base))
    assert_single_is_batch(grown, 0.5)
    assert grown.at(0.5).scales == pytest.approx(1.5)


@pytest.mark.parametrize("between", ["nlerp", "explerp", "step"])
def test_other_ways_between_keys_go_the_long_way(between: str) -> None:
    rng = np.random.default_rng(4)
    clip = dataclasses.replace(smooth_motion(random_body(rng), rng), between=between)
    assert clip.filler is None
    assert_single_is_batch(clip, 0.51)


def test_a_time_that_is_none() -> None:
    rng = np.random.default_rng(5)
    clip = smooth_motion(random_body(rng), rng)
    for time in (np.nan, np.inf, -np.inf):
        with pytest.raises(InputError, match="not a finite number"):
            clip.at(time)


def test_the_base_stays_as_it_was() -> None:
    rng = np.random.default_rng(6)
    clip = smooth_motion(random_body(rng), rng)
    before = clip.recording.base.rotations.copy()
    first = clip.at(0.2).rotations.copy()
    clip.at(0.9)
    assert np.array_equal(clip.recording.base.rotations, before)
    assert np.array_equal(clip.at(0.2).rotations, first)


@pytest.mark.parametrize("file", ["threejs/Xbot.glb", "kaykit/Knight.glb", "khronos/Fox.glb"])
def test_real_clips(data_dir: Path, file: str) -> None:
    character = mm.load(data_dir / "characters" / file)
    for recording in character.recordings[:5]:
        clip = Sampled(character, recording)
        for share in (0.0, 0.37, 1.0):
            assert_single_is_batch(clip, clip.start + share * clip.duration)
