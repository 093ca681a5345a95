"""Clips brought together: over time, by group, by weight, and by what changes in them."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import Pose
from mummer.clip.arcs import arc_weights
from mummer.clip.blend import Blend
from mummer.clip.clip import Clip
from mummer.clip.hold import Hold, Still
from mummer.clip.mix import Mix
from mummer.clip.retimed import Reverse, Shift, Trim
from mummer.clip.sampled import Sampled
from mummer.clip.select import Select
from mummer.clip.standing import Standing, wrapped
from mummer.clip.weighted import Weighted
from mummer.errors import InputError, UnknownNameError
from mummer.math import interpolate, quaternion
from mummer.math.blend import blend
from tests.clip.bodies import same_exactly, twisted_human, walkabout
from tests.clip.recordings import RATE, accelerations, cmu, root_accelerations
from tests.clip.strategies import assert_same_poses, seeds


@st.composite
def several(draw: st.DrawFn, *, count: int = 2, stretched: bool = False) -> list[Sampled]:
    """Different motions of one person."""
    rng = np.random.default_rng(draw(seeds))
    body = twisted_human(rng)
    return [walkabout(body, rng, stretched=stretched and place == 0) for place in range(count)]


# Blend ----------------------------------------------------------------------------------------------------------------


@given(several(stretched=True), st.floats(0.05, 1.5))
def test_blend_is_the_first_then_the_second(pair: list[Sampled], overlap: float) -> None:
    first, second = pair
    both = Blend(first, second, overlap)
    assert both.end == pytest.approx(first.end - overlap + second.duration)
    before = np.linspace(first.start, both.entry, 5)
    assert_same_poses(both.sample(before), first.sample(before), 1e-12)
    after = np.linspace(first.end, both.end, 5)
    assert_same_poses(both.sample(after), second.sample(after - both.delay), 1e-12)
    middle = np.array([both.entry + 0.5 * overlap])
    a, b = first.sample(middle), second.sample(middle - both.delay)
    halfway = interpolate.slerp(a.rotations, b.rotations, 0.5)
    assert np.all(quaternion.equal_rotations(both.sample(middle).rotations, halfway))
    assert np.allclose(both.sample(middle).root_translation, 0.5 * (a.root_translation + b.root_translation))


@given(several())
def test_blend_without_overlap_is_a_cut(pair: list[Sampled]) -> None:
    first, second = pair
    cut = Blend(first, second, 0.0)
    assert_same_poses(cut.sample([first.end - 0.1]), first.sample([first.end - 0.1]), 1e-12)
    assert_same_poses(cut.sample([first.end]), second.sample([second.start]), 1e-12)


@given(several(), st.floats(0.0, 1.0))
def test_aligned_blend_stands_and_faces_the_same_in_the_middle(pair: list[Sampled], overlap: float) -> None:
    first, second = pair
    both = Blend(first, second, overlap, align="ground")
    middle = first.end - 0.5 * overlap
    standing = Standing.of(first.body)
    here, facing = standing.places(first.frames(np.array([middle])))
    there, faced = standing.places(both.placed.frames(np.clip([middle - both.delay], second.start, second.end)))
    assert np.allclose(here[0, [0, 2]], there[0, [0, 2]], rtol=0, atol=1e-9)
    assert abs(wrapped(facing[0] - faced[0])) < 1e-9


@given(several())
def test_marks_of_both_land_where_the_motion_shows_them(pair: list[Sampled]) -> None:
    first, second = pair
    both = Blend(first, second, 0.1)
    late = [mark for mark in both.marks if mark.time > first.end]
    assert late
    for mark in late:
        origin = next(each for each in second.marks if each.name == mark.name)
        assert_same_poses(both.sample([mark.time]), second.sample([origin.time]), 1e-9)
    assert len(both.marks) == len(first.marks) + len(second.marks)


@given(several())
def test_only_the_clip_that_defines_a_joint_decides(pair: list[Sampled]) -> None:
    first, second = Select(pair[0], ("left_arm", "torso")), Select(pair[1], ("left_arm", "right_arm"))
    both = Blend(first, second, 1.0)
    assert np.array_equal(both.defined, first.defined | second.defined)
    times = np.linspace(both.entry, first.end, 9)[1:-1]
    found = both.sample(times).rotations
    torso, arm = list(first.anatomy.group("torso")), list(first.anatomy.group("right_arm"))
    assert np.array_equal(found[:, torso], first.sample(times).rotations[:, torso])
    assert np.allclose(found[:, arm], second.sample(times - both.delay).rotations[:, arm], rtol=0, atol=1e-15)


def test_blend_does_not_depend_on_blocks() -> None:
    rng = np.random.default_rng(5)
    body = twisted_human(rng)
    both = Blend(Select(walkabout(body, rng), ("torso",)), walkabout(body, rng, stretched=True), 0.5)
    times = np.linspace(both.start, both.end, 1400)
    whole = both.sample(times)
    single = [both.sample([time]) for time in times[::113]]
    assert np.array_equal(whole.rotations[::113], np.concatenate([pose.rotations for pose in single]))
    assert np.array_equal(whole.root_translation[::113], np.concatenate([pose.root_translation for pose in single]))


# Mix ------------------------------------------------------------------------------------------------------------------


@given(several())
def test_mix_by_weight_zero_one_and_between(pair: list[Sampled]) -> None:
    first, second = pair
    times = first.times(20)
    assert same_exactly(Mix(first, second, 0.0).sample(times), first.sample(times))
    assert same_exactly(Mix(first, second, 1.0).sample(times), second.sample(times))
    found = Mix(first, second, {"left_arm": 0.3}).sample(times)
    arm = list(first.anatomy.group("left_arm"))
    a, b = first.sample(times), second.sample(times)
    expected = interpolate.slerp(a.rotations[:, arm], b.rotations[:, arm], 0.3)
    assert np.all(quaternion.equal_rotations(found.rotations[:, arm], expected))
    others = np.setdiff1d(np.arange(len(first.body.skeleton)), arm)
    assert np.array_equal(found.rotations[:, others], a.rotations[:, others])
    assert np.array_equal(found.root_translation, a.root_translation)


@given(several(stretched=True), st.floats(-1, 2))
def test_a_difference_of_nothing_is_nothing(pair: list[Sampled], weight: float) -> None:
    first, second = pair
    times = first.times(20)
    constant = Still(first.body, second.at(1.0), 9.0)
    assert same_exactly(Mix(first, constant, weight, "difference").sample(times), first.sample(times))
    baked = Sampled(first.body, constant.to_recording(30))
    assert same_exactly(Mix(first, baked, weight, "difference").sample(times), first.sample(times))


@given(several(), st.floats(0.1, 1.0))
def test_a_difference_is_put_before_the_first(pair: list[Sampled], weight: float) -> None:
    first, second = pair
    times = first.times(20)
    found = Mix(first, second, weight, "difference").sample(times)
    a, b, base = first.sample(times), second.sample(times), second.at(second.start)
    change = quaternion.log(quaternion.multiply(b.rotations, quaternion.conjugate(base.rotations)))
    expected = quaternion.multiply(quaternion.exp(weight * change), a.rotations)
    assert np.all(quaternion.equal_rotations(found.rotations, expected, 1e-7))
    moved = a.root_translation + weight * (b.root_translation - base.root_translation)
    assert np.allclose(found.root_translation, moved, rtol=0, atol=1e-12)


@given(several())
def test_difference_from_a_given_reference(pair: list[Sampled]) -> None:
    _, second = pair
    same = Mix(Hold(second, 1.0, 5.0), second, 1.0, "difference", reference=second.at(1.0))
    times = np.linspace(1.0, second.end, 9)
    assert_same_poses(same.sample(times), second.sample(times), 1e-9)


@given(several())
def test_mix_within_the_seconds_interval_with_fade(pair: list[Sampled]) -> None:
    first, second = pair[0], Shift(Trim(pair[1], 0.7, 1.4), 0.3)
    mixed = Mix(first, second, 1.0, fade=0.2)
    outside = np.array([first.start, 0.9, 1.8, first.end])
    assert same_exactly(mixed.sample(outside), first.sample(outside))
    inside = np.linspace(second.start + 0.2, second.end - 0.2, 5)
    assert_same_poses(mixed.sample(inside), second.sample(inside), 1e-12)
    edge = np.array([second.start - 1e-7, second.start, second.start + 1e-7])
    assert np.all(quaternion.angle_between(mixed.sample(edge).rotations[0], mixed.sample(edge).rotations[2]) < 1e-5)


@given(several())
def test_mix_of_partial_clips(pair: list[Sampled]) -> None:
    first, second = Select(pair[0], ("torso", "left_leg")), Select(pair[1], ("left_arm", "torso"))
    mixed = Mix(first, second, {"left_arm": 0.5, "right_arm": 0.5})
    assert np.array_equal(mixed.defined, joints(pair[0], "torso", "left_leg", "left_arm"))
    times = first.times(10)
    arm = list(first.anatomy.group("left_arm"))
    assert np.array_equal(mixed.sample(times).rotations[:, arm], second.sample(times).rotations[:, arm])


def joints(clip: Clip, *groups: str) -> np.ndarray:
    mask = np.zeros(len(clip.body.skeleton), bool)
    for group in groups:
        mask[list(clip.anatomy.group(group))] = True
    return mask


def test_scales_and_morphs_mix_too() -> None:
    rng = np.random.default_rng(8)
    body = twisted_human(rng)
    rest, count = Pose.rest(body.skeleton), len(body.skeleton)
    grown = Pose(rest.rotations, rest.root_translation, scales=np.full((count, 3), 3.0), morphs=np.array([0.2, 0.8]))
    mixed = Mix(Still(body, rest, 1.0), Still(body, grown, 1.0), {"torso": 0.5}).at(0.5)
    where = joints(Still(body, rest, 1.0), "torso")
    assert np.allclose(mixed.scales[where], 2.0)
    assert np.allclose(mixed.scales[~where], 1.0)
    assert np.allclose(mixed.morphs, [0.1, 0.4])


# Weighted -------------------------------------------------------------------------------------------------------------


@given(several(count=4, stretched=True), st.lists(st.floats(0.05, 1), min_size=4, max_size=4))
def test_weighted_does_not_care_about_order(clips: list[Sampled], weights: list[float]) -> None:
    times = clips[0].times(6)
    expected = Weighted(tuple(clips), tuple(weights)).sample(times)
    for order in list(permutations(range(4)))[1::5]:
        found = Weighted(tuple(clips[i] for i in order), tuple(weights[i] for i in order)).sample(times)
        assert np.all(quaternion.equal_rotations(found.rotations, expected.rotations, 1e-9))
        assert np.allclose(found.root_translation, expected.root_translation, rtol=0, atol=1e-12)


@given(several(count=3), st.lists(st.floats(0.0, 1), min_size=3, max_size=3))
def test_weighted_is_the_rotation_nearest_to_all(clips: list[Sampled], weights: list[float]) -> None:
    weights = [weight + 0.01 for weight in weights]
    times = clips[0].times(6)
    found = Weighted(tuple(clips), tuple(weights)).sample(times)
    stacked = np.stack([clip.sample(times).rotations for clip in clips])
    assert np.all(quaternion.equal_rotations(found.rotations, blend(stacked, weights, axis=0), 1e-8))
    assert np.allclose(np.linalg.norm(found.rotations, axis=-1), 1, rtol=0, atol=1e-12)


@given(seeds)
def test_weighted_of_rotations_far_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body = twisted_human(rng)
    poses = [Pose(quaternion.random(rng, (len(body.skeleton),)), np.zeros(3)) for _ in range(5)]
    found = Weighted(tuple(Still(body, pose, 1.0) for pose in poses), (1.0, 2.0, 0.5, 1.0, 0.3)).at(0.5)
    stacked = np.stack([pose.rotations for pose in poses])
    expected = blend(stacked, [1.0, 2.0, 0.5, 1.0, 0.3], axis=0)
    weighted = stacked * np.array([1.0, 2.0, 0.5, 1.0, 0.3])[:, None, None]
    values = np.linalg.eigvalsh(np.einsum("nja,njb->jab", weighted, stacked))
    clear = values[:, -1] - values[:, -2] > 0.05
    assert np.all(quaternion.equal_rotations(found.rotations[clear], expected[clear], 1e-7))


@given(several(count=3))
def test_one_weight_alone_is_that_clip(clips: list[Sampled]) -> None:
    times = clips[0].times(10)
    assert same_exactly(Weighted(tuple(clips), (0.0, 2.0, 0.0)).sample(times), clips[1].sample(times))


@given(several())
def test_weights_as_curves_of_time(clips: list[Sampled]) -> None:
    first, second = clips
    low, high = first.start + 0.4, first.start + 1.0
    crossing = Weighted((first, second), (((low, 1), (high, 0)), ((low, 0), (high, 1))))
    assert_same_poses(crossing.sample([low - 0.2]), first.sample([low - 0.2]), 1e-12)
    assert_same_poses(crossing.sample([high + 0.2]), second.sample([high + 0.2]), 1e-12)
    assert np.allclose(crossing.weights_at(np.array([0.5 * (low + high)])), 0.5)


@given(several())
def test_weighted_partial_clips(clips: list[Sampled]) -> None:
    arm, whole = Select(clips[0], ("left_arm",)), clips[1]
    times = whole.times(8)
    mean = Weighted((arm, whole), (1.0, 1.0))
    others = ~joints(whole, "left_arm")
    assert np.array_equal(mean.sample(times).rotations[:, others], whole.sample(times).rotations[:, others])
    alone = Weighted((arm, Select(whole, ("torso",))), (0.0, 1.0)).sample(times).rotations[:, ~others]
    assert np.allclose(alone, arm.sample(times).rotations[:, ~others], rtol=0, atol=1e-15)


# What goes wrong, and what real recordings do -------------------------------------------------------------------------


def test_bad_blends_and_mixes() -> None:
    rng = np.random.default_rng(9)
    body = twisted_human(rng)
    first, second, other = walkabout(body, rng), walkabout(body, rng), walkabout(twisted_human(rng), rng)
    with pytest.raises(InputError, match=r"cannot overlap by 9 s; the shorter lasts 1\.96"):
        Blend(first, second, 9.0)
    with pytest.raises(InputError, match="a blend needs clips of one body"):
        Blend(first, other, 0.5)
    with pytest.raises(UnknownNameError, match="Blend has no align 'floor'"):
        Blend(first, second, 0.5, align="floor")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="must be from 0 to 1"):
        Mix(first, second, 1.5)
    with pytest.raises(UnknownNameError, match="Mix has no mode 'differnce'; closest: 'difference'"):
        Mix(first, second, 0.5, "differnce")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cannot fade over -1 s"):
        Mix(first, second, 0.5, fade=-1.0)
    with pytest.raises(UnknownNameError, match="no group 'right_arn'"):
        Mix(first, second, {"right_arn": 1.0})
    with pytest.raises(InputError, match="2 clips cannot be weighted by 1 weights"):
        Weighted((first, second), (1.0,))
    with pytest.raises(InputError, match="is negative"):
        Weighted((first, second), (1.0, -0.1))
    with pytest.raises(InputError, match="expected one above 0"):
        Weighted((first, second), (0.0, 0.0))
    with pytest.raises(InputError, match="share no time"):
        Weighted((first, Shift(second, 99.0)), (1.0, 1.0))
    fading = Weighted((first,), (((1.0, 1.0), (2.0, 0.0)),))
    with pytest.raises(InputError, match=r"has a weight at 2\."):
        fading.sample([2.2])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("cmu_07_01_walk", "cmu_07_05_slow_walk"), ("cmu_02_01_walk", "cmu_02_03_run_jog"),
        ("cmu_02_03_run_jog", "cmu_02_01_walk"), ("cmu_16_18_walk_90deg_left_turn", "cmu_16_20_walk_90deg_right_turn"),
        ("cmu_02_01_walk", "cmu_02_05_punch_strike"),
    ],
)  # fmt: skip
def test_real_motions_flow_into_each_other(data_dir: Path, first: str, second: str) -> None:
    """The two recordings are of one person: no acceleration in the transition is above the largest inside them."""
    one, two = cmu(data_dir, first), cmu(data_dir, second)
    both = Blend(one, two, 0.5, align="ground")
    for measure in (accelerations, root_accelerations):
        times, found = measure(both)
        near = (times >= both.entry - 2 / RATE) & (times <= one.end + 2 / RATE)
        assert found[near].max() <= max(measure(one)[1].max(), measure(two)[1].max())


def test_a_cut_does_jump(data_dir: Path) -> None:
    one = cmu(data_dir, "cmu_02_01_walk")
    cut = Blend(one, Reverse(one), 0.0)
    cut_elsewhere = Blend(Trim(one, one.start, 1.5), one, 0.0, align="ground")
    times, found = accelerations(cut_elsewhere)
    assert found[np.abs(times - 1.5) < 2.5 / RATE].max() > 3 * accelerations(one)[1].max()
    assert cut.duration == pytest.approx(2 * one.duration)


@given(st.floats(0, 1.57), st.floats(-1, 2))
def test_arc_weights_are_those_of_a_great_arc(angle: float, part: float) -> None:
    """By the place on the arc, with series below 91 degrees of turn and trigonometry above."""
    mine, theirs = arc_weights(np.cos(angle), part)
    x, y = mine + theirs * np.cos(angle), theirs * np.sin(angle)
    assert np.hypot(x, y) == pytest.approx(1.0, abs=1e-13)
    # The cosine of a small angle does not hold more of it than this.
    assert np.arctan2(y, x) == pytest.approx(wrapped(part * angle), abs=1e-12 + (3e-8 if angle < 1e-3 else 0))
