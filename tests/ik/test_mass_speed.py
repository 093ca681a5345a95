"""Mass speed: known motions, limits, and what slowing down does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose, Recording
from mummer.clip import Sampled, Still
from mummer.errors import InputError, UnknownNameError
from mummer.ik.mass_speed import (
    WHOLE,
    fastest_stretch,
    limit_speed,
    mass_speed,
    mass_speeds,
    speed_limits,
    time_needed,
)
from mummer.math import quaternion
from tests.clip.recordings import cmu

RATE = 60.0


def swinging(speed: float = 2.0, travel: float = 0.0) -> Sampled:
    """A man whose left upper arm turns at ``speed`` radians a second for two seconds while he glides ``travel`` m/s."""
    character = mm.zoo.body("adult")
    assert character.anatomy is not None
    times = np.linspace(0, 2, 121)
    rest = Pose.rest(character.skeleton, (len(times),))
    arm = character.anatomy.roles["left_upper_arm"]
    turned = rest.with_rotation(
        arm, quaternion.multiply(rest.rotations[:, arm], quaternion.exp(times[:, None] * [0, 0, speed]))
    )
    assert rest.root_translation is not None
    moved = turned.replace(root_translation=rest.root_translation + times[:, None] * [0, 0, travel])
    return Sampled(character, Recording.from_poses("swing", times, moved))


def test_a_body_that_glides_is_as_fast_as_its_root() -> None:
    speeds = mass_speeds(swinging(0.0, 1.5))
    np.testing.assert_allclose(speeds[WHOLE], 1.5, rtol=1e-9)
    np.testing.assert_allclose(speeds["waist"], 1.5, rtol=1e-9)
    assert speeds["torso"].max() < 1e-9
    assert speeds["left_arm"].max() < 1e-9


def test_travel_is_left_out_where_asked() -> None:
    clip = swinging(0.0, 1.5)
    assert mass_speed(clip, align="level").max() < 1e-4


def test_only_the_arm_that_swings_is_fast() -> None:
    speeds = mass_speeds(swinging(2.0))
    assert speeds["left_arm"].min() > 0.1
    np.testing.assert_allclose(speeds["left_arm"], speeds["left_arm"][60], rtol=1e-4)
    for name in ("torso", "right_arm", "left_leg", "head"):
        assert speeds[name].max() < 1e-9
    np.testing.assert_allclose(mass_speeds(swinging(4.0))["left_arm"], 2 * speeds["left_arm"], rtol=1e-3)


def test_a_body_that_stands_still_has_no_speed() -> None:
    character = mm.zoo.body("dog")
    assert mass_speed(Still(character, character.default_pose, 0.0)).max() == 0
    assert mass_speed(Still(character, character.default_pose, 1.0)).max() == 0


def test_the_slowest_group_decides_how_long_it_takes() -> None:
    assert time_needed(0.5, 2.0) == pytest.approx(0.25)
    assert time_needed({"left_arm": 0.3, "torso": 0.2}, {"left_arm": 3.0, "torso": 0.5}) == pytest.approx(0.4)
    assert time_needed({"left_arm": 0.3, "tail": 9.0}, {"left_arm": 3.0}) == pytest.approx(0.1)
    assert time_needed({"left_arm": 0.3, "torso": 0.6}, 2.0) == pytest.approx(0.3)
    assert time_needed({}, 2.0) == 0


def test_limits_are_learned_from_the_fastest_example() -> None:
    slow, fast = swinging(1.0), swinging(3.0)
    learned = speed_limits([slow, fast])
    assert learned["left_arm"] == pytest.approx(mass_speed(fast, group="left_arm").max())
    assert speed_limits(slow)["left_arm"] < learned["left_arm"]
    assert speed_limits([slow, fast], share=0.25)["left_arm"] == pytest.approx(speed_limits(slow)["left_arm"], rel=1e-3)


def test_a_motion_within_its_limits_is_left_alone() -> None:
    clip = swinging(1.0)
    limits = speed_limits(clip)
    assert set(limits) == {"left_arm", WHOLE}
    assert limit_speed(clip, limits) is clip


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_motion_beyond_its_limits_is_slowed_down(share: float) -> None:
    clip = swinging(2.0)
    limit = share * float(mass_speed(clip, group="left_arm").max())
    slowed = limit_speed(clip, {"left_arm": limit})
    assert mass_speed(slowed, group="left_arm", rate=240).max() <= 1.001 * limit
    assert slowed.duration == pytest.approx(clip.duration / share, rel=1e-3)


def test_only_the_fast_part_of_a_real_recording_is_slowed(data_dir: Path) -> None:
    clip = cmu(data_dir, "cmu_02_05_punch_strike")
    clip = clip.trimmed(clip.start, min(clip.end, clip.start + 8))
    speeds = mass_speed(clip, rate=120)
    limit = 0.6 * float(speeds.max())
    slowed = limit_speed(clip, limit, rate=120)
    now = mass_speed(slowed, rate=120)
    assert now.max() <= 1.05 * limit
    assert clip.duration < slowed.duration < clip.duration / 0.6
    # Nothing is passed over: it begins and ends as it did.
    for mine, its in ((slowed.start, clip.start), (slowed.end, clip.end)):
        np.testing.assert_allclose(slowed.at(mine).rotations, clip.at(its).rotations, atol=1e-9)


def test_the_fastest_stretch_holds_the_burst() -> None:
    clip = swinging(1.0).warped((0, 0), (0.6, 0.6), (1.4, 0.8), (2.0, 1.4))
    found = fastest_stretch(clip, 0.2, group="left_arm")
    assert 0.5 < found.start < found.end < 0.9
    assert found.end - found.start == pytest.approx(0.2, abs=0.02)
    assert found.speed > 2 * fastest_stretch(clip, 99.0, group="left_arm").speed


def test_wrong_limits_are_said_in_words() -> None:
    clip = swinging()
    with pytest.raises(InputError, match="limit of 'body' is 0 m/s"):
        limit_speed(clip, 0.0)
    with pytest.raises(UnknownNameError, match="closest: 'left_arm'"):
        limit_speed(clip, {"left_amr": 1.0})
    with pytest.raises(InputError, match="limit of 'body' is -1 m/s"):
        time_needed(1.0, -1.0)
    with pytest.raises(InputError, match="expected at least one"):
        speed_limits([])
    with pytest.raises(InputError, match="expected a positive number"):
        fastest_stretch(clip, 0.0)


@pytest.mark.parametrize("begins", [0.0, 0.5, 1.0])
def test_the_fastest_stretch_is_where_a_body_is_fast(begins: float) -> None:
    """A body that glides for a second, and stands before and after."""
    character, times = mm.zoo.body("adult"), np.linspace(0.0, 2.0, 121)
    rest = Pose.rest(character.skeleton, (len(times),))
    way = np.clip(times - begins, 0.0, 1.0)[:, None] * [0.0, 0.0, 1.5]
    poses = rest.replace(root_translation=rest.root_translation + way)
    clip = Sampled(character, Recording.from_poses("glide", times, poses))
    found = fastest_stretch(clip, 1.0)
    assert found.start == pytest.approx(begins, abs=0.04)
    assert found.end == pytest.approx(begins + 1.0, abs=0.04)
    assert found.speed == pytest.approx(1.5, rel=0.03)
    # Longer stretches are slower, and none is faster than its fastest moment.
    assert fastest_stretch(clip, 2.0).speed == pytest.approx(0.75, rel=0.03)
    assert fastest_stretch(clip, 0.1).speed <= mass_speed(clip).max() + 1e-9


@pytest.mark.parametrize("seconds", [0.01, 0.5, 2.0, 9.0])
def test_who_glides_evenly_is_as_fast_in_every_stretch(seconds: float) -> None:
    found = fastest_stretch(swinging(0.0, 1.5), seconds)
    assert found.speed == pytest.approx(1.5, rel=1e-9)
    assert found.end - found.start == pytest.approx(min(max(seconds, 1 / RATE), 2.0), abs=1 / RATE)
