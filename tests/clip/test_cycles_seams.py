"""Cycles and seams: on gaits with a known period, and on real walks and runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from mummer.clip.analysis import accelerations, check_seams, find_cycle
from mummer.clip.loop import Loop
from mummer.clip.repeat import Repeat
from mummer.clip.retimed import Trim
from mummer.clip.time_warp import TimeWarp, at_speed
from mummer.errors import InputError
from tests.clip.recordings import cmu
from tests.clip.stepper import PERIOD, gait, stepper


@given(speed=st.floats(0.5, 2.5), heading=st.floats(-3, 3), size=st.sampled_from([0.02, 1.0, 30.0]))
@hypothesis_settings(max_examples=15)
def test_the_period_of_a_gait_is_found_whatever_its_speed_heading_and_size(
    speed: float, heading: float, size: float
) -> None:
    clip = gait(stepper(size), size=size, heading=heading, seconds=5)
    cycle = find_cycle(TimeWarp(clip, at_speed(clip.start, clip.end, speed)))
    assert cycle.period == pytest.approx(PERIOD / speed, rel=0.03)
    assert cycle.confidence > 0.95


def test_a_cycle_can_be_cut_and_lies_within_the_clip() -> None:
    clip = gait(stepper(), seconds=2.3)
    cycle = find_cycle(clip)
    cut = cycle.cut(clip)
    assert clip.start <= cut.start < cut.end <= clip.end
    assert cut.duration == pytest.approx(cycle.period)
    assert cycle.end == cycle.start + cycle.period


def test_what_does_not_repeat_has_little_confidence() -> None:
    clip = Trim(gait(stepper(), seconds=2.0), 0.55, 1.05)
    assert find_cycle(clip, shortest=0.1).confidence == 0


def test_a_clip_too_short_for_a_cycle() -> None:
    with pytest.raises(InputError, match=r"no cycle from 0.2 s can be looked for in a clip of 0.2 s"):
        find_cycle(gait(stepper(), seconds=0.2))


@pytest.mark.parametrize(
    ("name", "period"),
    [
        ("cmu_02_01_walk", 1.10), ("cmu_09_01_run", 0.74), ("cmu_02_03_run_jog", 0.78),
        ("cmu_16_18_walk_90deg_left_turn", 1.15), ("cmu_111_01_walk_backwards", 1.43),
    ],
)  # fmt: skip
def test_real_gaits_have_the_period_that_their_labelled_heel_strikes_have(
    data_dir: Path, name: str, period: float
) -> None:
    cycle = find_cycle(cmu(data_dir, name))
    assert cycle.period == pytest.approx(period, abs=0.04)
    assert cycle.confidence > 0.7


def test_looking_around_does_not_repeat(data_dir: Path) -> None:
    assert find_cycle(cmu(data_dir, "cmu_139_01_looking_around")).confidence < 0.3


@pytest.mark.parametrize("name", ["cmu_02_01_walk", "cmu_09_01_run", "cmu_111_01_walk_backwards"])
def test_a_found_cycle_loops_without_a_jump(data_dir: Path, name: str) -> None:
    clip = cmu(data_dir, name)
    looped = Loop(find_cycle(clip).cut(clip), 3)
    seams = [looped.start + turn * looped.clip.duration for turn in (1, 2)]
    assert check_seams(looped, seams, rate=30).ratio <= 1.0


def test_a_jump_is_seen() -> None:
    jumping = Repeat(Trim(gait(stepper()), 0.2, 0.87), 3, travel=False)
    seams = [jumping.start + turn * jumping.clip.duration for turn in (1, 2)]
    found = check_seams(jumping, seams)
    assert found.ratio > 3
    assert found.at_seams > found.inside


def test_accelerations_of_a_parabola_are_constant() -> None:
    from mummer.character import Pose, Recording
    from mummer.clip.sampled import Sampled

    body, times = stepper(), np.arange(121) / 120
    rest = Pose.rest(body.skeleton, (121,))
    fall = np.zeros((121, 3))
    fall[:, 1] = -4.9 * times**2
    clip = Sampled(body, Recording.from_poses("fall", times, Pose(rest.rotations, fall)))
    at, found = accelerations(clip, rate=120)
    assert found.shape == (len(at), len(body.skeleton))
    assert found == pytest.approx(9.8, rel=1e-6)
    with pytest.raises(InputError, match="leave nothing to compare"):
        check_seams(clip, [7.0])
    with pytest.raises(InputError, match="too few samples"):
        accelerations(clip, rate=1)
