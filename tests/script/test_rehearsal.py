"""Motions read back, sketched and edited."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.clip import Clip
from mummer.script import Rehearsal

CASES = [("zoo:adult", "wave"), ("zoo:dog", "wave"), ("zoo:spider", "bow"), ("zoo:snake", "nod")]


def angles(one: Clip, other: Clip, rate: float = 60.0) -> float:
    a, b = one.sample(one.times(rate)).rotations, other.sample(other.times(rate)).rotations
    return float(2.0 * np.arccos(np.clip(np.abs((a * b).sum(-1)), 0.0, 1.0)).max())


@pytest.mark.parametrize(("body", "animation"), CASES)
def test_a_motion_read_back_and_not_sketched_is_the_motion(body: str, animation: str) -> None:
    clip = mm.perform(body, animation)
    again = Rehearsal.of_clip(clip).clip
    assert again.duration == pytest.approx(clip.duration, abs=1e-9)
    assert angles(clip, again) < np.radians(0.5)


def test_an_old_man_takes_his_time() -> None:
    take = Rehearsal.of_clip(mm.perform("zoo:adult", "wave"))
    poses = take.script.tracks[0][1][0].cycles[0].poses
    ways = sum(pose.window[1] - pose.window[0] for pose in poses if pose.window)
    holds = sum(pose.window[2] - pose.window[1] for pose in poses if pose.window)
    old = take.sketch("old_man").edit("VarySuccession {*} normal 0")
    assert old.plan.duration == pytest.approx(1.8 * ways + 3.0 * holds)
    assert old.edit("SetDuration {*} REL 0.5").plan.duration == pytest.approx(0.9 * ways + 3.0 * holds)
    assert old.edit("SetDuration {*} REL 0.5").undone().plan.duration == pytest.approx(old.plan.duration)
