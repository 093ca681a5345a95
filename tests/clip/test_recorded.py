"""Baked equals live: exactly at the frames, and within what lies between frames."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.clip.keyed import Keyed
from mummer.clip.recorded import Recorded, bake
from mummer.clip.sampled import Sampled
from mummer.clip.time_warp import TimeWarp, at_speed
from mummer.errors import InputError
from mummer.math import quaternion
from tests.clip.strategies import assert_same_poses, motions


@given(motions(), st.sampled_from([24.0, 30.0, 61.7]))
def test_baked_equals_live(clip: Sampled, rate: float) -> None:
    live = TimeWarp(clip, at_speed(clip.start, clip.end, 1.7))
    baked = Recorded(live, rate)
    assert_same_poses(baked.sample(live.times(rate)), live.sample(live.times(rate)), 1e-11)
    between = np.linspace(live.start, live.end, 333)
    assert_same_poses(baked.sample(between), live.sample(between), 2e-3)
    assert (baked.start, baked.end, baked.marks) == (live.start, live.end, live.marks)
    alone = bake(live, rate)
    assert_same_poses(alone.sample(between), baked.sample(between), 1e-10)
    assert alone.marks == live.marks


def test_only_what_moves_takes_memory() -> None:
    body = mm.zoo.body("adult")
    clip = Keyed(body).with_key("head", 0, (0, 0, 0, 1)).with_key("head", 2, (1, 0, 0, 0))
    baked = Recorded(clip, 50)
    frames = len(clip.times(50))
    assert baked.memory == frames * 8 * (4 + 1)
    assert np.array_equal(baked.defined, clip.defined)
    assert_same_poses(baked.sample([0.33]), clip.sample([0.33]), 1e-3)


def test_all_that_a_clip_carries_is_baked() -> None:
    body = mm.zoo.body("adult")
    clip = (
        Keyed(body)
        .with_key("hips", 0, (0, 1, 0), path="translation")
        .with_key("hips", 1, (1, 1, 0), path="translation")
    )
    clip = clip.with_key("left_hand", 0, (1, 2, 3), path="scale").with_key("left_hand", 1, (2, 2, 2), path="scale")
    clip = clip.with_key("head", 0, quaternion.IDENTITY).with_key(body.morph_names[0], 0, 0.0, path="morph")
    clip = clip.with_key("left_foot", 0.5, (1, 1, 1), path="translation")
    clip = clip.with_key(body.morph_names[0], 1, 1.0, path="morph")
    live, baked = clip.at(0.5), Recorded(clip, 10).at(0.5)
    for name in ("rotations", "root_translation", "translations", "scales", "morphs"):
        assert np.allclose(getattr(live, name), getattr(baked, name), rtol=0, atol=1e-12), name


def test_a_rate_must_be_positive() -> None:
    with pytest.raises(InputError, match="a rate of 0 frames a second makes no sense"):
        Recorded(Keyed(mm.zoo.body("adult")), 0)
