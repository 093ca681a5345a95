"""Curves of strides: what is measured on recordings, and that a wrong walk falls out of their corridor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.clip import Sampled
from mummer.clip.clip import Clip
from mummer.recognition import recognized
from tests.gaits.corridors import inside
from tests.gaits.cycle import MOMENTS, strides

WALKS = ("cmu07_walk/cmu_07_06.bvh", "cmu07_walk/cmu_07_08.bvh", "cmu35_walkrun/cmu_35_02.bvh")


@pytest.fixture(scope="module")
def walks(data_dir: Path) -> list[Clip]:
    folder = data_dir / "motions_families"
    if not folder.is_dir():
        pytest.skip("families of motions are not here")
    clips = []
    for name in WALKS:
        body = recognized(mm.load(folder / name))
        clip = Sampled(body, body.recordings[0])
        clips.append(clip.trimmed(clip.start + 0.05, clip.end))
    return clips


def test_a_recorded_walk_strides_as_people_do(walks: list[Clip]) -> None:
    for clip in walks:
        found = strides(clip, clip.start, clip.end)
        assert found is not None
        assert 0.3 < found.speed < 0.7
        knee, hip = found.curves["knee"].mean(axis=0), found.curves["hip"].mean(axis=0)
        assert knee.shape == (MOMENTS,)
        assert knee.max() > 55.0
        assert 0.6 < np.argmax(knee) / MOMENTS < 0.9, "a knee is bent most as its foot swings"
        assert hip[0] > 15.0, "a thigh is ahead at the strike"
        assert hip.min() < -5.0, "and behind later"


def test_a_walk_lies_within_those_it_is_one_of_and_not_played_backwards(walks: list[Clip]) -> None:
    found = [strides(clip, clip.start, clip.end) for clip in walks]
    known = [one for one in found if one is not None]
    assert set(inside(known[0], known).values()) == {1.0}
    clip = walks[0]
    turned = clip.reversed()
    backwards = strides(turned, turned.start, turned.end)
    assert backwards is not None
    parts = inside(backwards, known)
    assert parts["knee"] < 0.9
    assert parts["ankle"] < 0.9


def test_who_stands_does_not_stride(walks: list[Clip]) -> None:
    clip = walks[0]
    assert strides(clip, clip.start, clip.start + 0.2) is None
