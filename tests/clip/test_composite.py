"""The timeline: it equals the same expression written by hand, and a segment sees only what is below it."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mummer as mm
from mummer.character import Character, Pose
from mummer.clip.below import Below
from mummer.clip.blend import Blend
from mummer.clip.composite import Composite
from mummer.clip.mix import Mix
from mummer.clip.retimed import Shift, Trim
from mummer.clip.sampled import Sampled
from mummer.clip.scale import Scale
from mummer.clip.segment import Glue, Segment
from mummer.clip.select import Select
from mummer.clip.transition import Transition
from mummer.errors import InputError, UnknownNameError
from tests.clip.strategies import assert_same_poses, seeds, smooth_motion

few = settings(max_examples=15)


@functools.cache
def adult() -> Character:
    return mm.zoo.body("adult")


def pair(seed: int) -> tuple[Sampled, Sampled]:
    """A motion from 0 to 1.3 s and one from 0.4 to 1.03 s."""
    rng = np.random.default_rng(seed)
    return smooth_motion(adult(), rng), smooth_motion(adult(), rng, frames=20, start=0.4)


TIMES = np.linspace(-0.2, 1.6, 91)


@few
@given(seeds)
def test_one_segment_is_the_clip(seed: int) -> None:
    walk, _ = pair(seed)
    stage = Composite(walk.body).with_segment(walk)
    assert (stage.start, stage.end) == (walk.start, walk.end)
    assert_same_poses(stage.sample(TIMES), walk.sample(TIMES), 1e-12)
    assert stage.marks == walk.marks


@few
@given(seeds)
def test_a_layer_is_a_mix_written_by_hand(seed: int) -> None:
    walk, wave = pair(seed)
    stage = Composite(walk.body).with_segment(walk)
    layered = stage.with_layer(wave, groups=("right_arm", "head"))
    by_hand = Mix(walk, wave, {"right_arm": 1.0, "head": 1.0})
    assert_same_poses(layered.sample(TIMES), by_hand.sample(TIMES), 1e-12)
    faded = stage.with_layer(wave, groups=("right_arm", "head"), fade=0.2)
    by_hand = Mix(walk, wave, {"right_arm": 1.0, "head": 1.0}, fade=0.2)
    assert_same_poses(faded.sample(TIMES), by_hand.sample(TIMES), 1e-12)


@few
@given(seeds, st.sampled_from(["blend", "difference"]))
def test_a_layer_made_of_what_is_below_is_the_expression_written_by_hand(seed: int, mode) -> None:
    walk, wave = pair(seed)
    stage = Composite(walk.body).with_segment(walk)
    weights = {"right_arm": 0.7, "torso": 0.3}
    layered = stage.with_layer(Mix(stage.below(), wave, weights, mode))
    assert_same_poses(layered.sample(TIMES), Mix(walk, wave, weights, mode).sample(TIMES), 1e-12)
    # Many frames at once go through in blocks, and so in other company.
    many = np.linspace(0, 1.3, 1100)
    assert_same_poses(layered.sample(many), Mix(walk, wave, weights, mode).sample(many), 1e-12)


@few
@given(seeds)
def test_layers_over_layers(seed: int) -> None:
    walk, wave = pair(seed)
    nod = smooth_motion(walk.body, np.random.default_rng(seed + 1))
    stage = Composite(walk.body).with_segment(walk)
    stage = stage.with_layer(Mix(stage.below(), wave, {"right_arm": 0.5}))
    stage = stage.with_layer(Mix(stage.below(), nod, {"head": 0.5, "right_arm": 0.25}))
    stage = stage.with_layer(Scale(stage.below(), 0.5, about=Pose.rest(walk.body.skeleton)))
    lower = Mix(walk, wave, {"right_arm": 0.5})
    by_hand = Scale(Mix(lower, nod, {"head": 0.5, "right_arm": 0.25}), 0.5, about=Pose.rest(walk.body.skeleton))
    assert_same_poses(stage.sample(TIMES), by_hand.sample(TIMES), 1e-12)


def test_many_layers_do_not_cost_twice_as_much_each() -> None:
    walk, _ = pair(0)
    asked = 0

    class Counted(Sampled):
        def frames(self, times):  # type: ignore[no-untyped-def]
            nonlocal asked
            asked += 1
            return super().frames(times)

    stage = Composite(walk.body).with_segment(Counted(walk.body, walk.recording))
    for _ in range(12):
        stage = stage.with_layer(Mix(stage.below(), walk, 0.1))
    stage.sample(np.linspace(0, 1.3, 40))
    assert asked == 1


def test_what_comes_later_on_the_bottom_is_seen_from_above() -> None:
    walk, wave = pair(1)
    later = smooth_motion(walk.body, np.random.default_rng(8), start=0.6)
    stage = Composite(walk.body).with_segment(walk)
    layered = stage.with_layer(Mix(stage.below(), wave, {"head": 0.5}))
    changed = layered.with_segment(later)
    after = np.linspace(0.65, 1.0, 9)
    assert_same_poses(changed.sample(after), Mix(later, wave, {"head": 0.5}).sample(after), 1e-12)
    before = np.linspace(0, 0.55, 9)
    assert_same_poses(changed.sample(before), layered.sample(before), 1e-12)


def test_a_segment_cannot_see_its_own_level_or_above() -> None:
    walk, wave = pair(2)
    stage = Composite(walk.body).with_segment(walk)
    probe = Scale(stage.below(), 1.0, about=Pose.rest(walk.body.skeleton))
    alone = stage.with_segment(probe, groups=("head",), level=1)
    crowded = alone.with_segment(wave, groups=("left_arm",), level=1).with_segment(wave, groups=("head",), level=2)
    lower = Composite(walk.body, tuple(each for each in crowded.segments if each.level < 2))
    head = list(walk.body.anatomy.groups["head"])
    times = np.linspace(0.5, 1.0, 5)
    assert np.allclose(lower.sample(times).rotations[:, head], alone.sample(times).rotations[:, head])
    assert np.allclose(crowded.sample(times).rotations[:, head], wave.sample(times).rotations[:, head])


@few
@given(seeds)
def test_a_segue_with_a_fade_is_a_blend(seed: int) -> None:
    walk, wave = pair(seed)
    begin = walk.end - 0.3
    stage = Composite(walk.body).with_segment(walk)
    stage = stage.with_segment(wave, at=begin, entrance=Glue(begin, begin + 0.3))
    by_hand = Blend(walk, wave, 0.3)
    assert stage.end == pytest.approx(by_hand.end)
    times = np.linspace(0, stage.end, 60)
    assert_same_poses(stage.sample(times), by_hand.sample(times), 1e-9)


@few
@given(seeds)
def test_glue_leads_in_and_back(seed: int) -> None:
    walk, wave = pair(seed)
    stage = Composite(walk.body).with_segment(walk)
    into = Transition(stage.below(), wave, 0.5, 0.6, 0.1, "hermite")
    back = Transition(Shift(wave, 0.0), stage.below(), 0.8, 1.0, 0.2, "hermite")
    stage = stage.with_segment(wave, at=0.6, source=0.6, seconds=0.2, groups=("right_arm",), level=1,
                               entrance=Glue(0.5, 0.6, into), resumption=Glue(0.8, 1.0, back))  # fmt: skip
    arm = list(walk.body.anatomy.groups["right_arm"])
    others = np.setdiff1d(np.arange(len(walk.body.skeleton)), arm)
    got = stage.sample(TIMES).rotations
    assert np.allclose(got[:, others], walk.sample(TIMES).rotations[:, others])
    for span, expected in (
        ((0.0, 0.499), walk),
        ((0.5, 0.599), Transition(walk, wave, 0.5, 0.6, 0.1, "hermite")),
        ((0.6, 0.799), wave),
        ((0.8, 0.999), Transition(wave, walk, 0.8, 1.0, 0.2, "hermite")),
        ((1.0, 1.3), walk),
    ):
        times = np.linspace(*span, 7)
        assert np.allclose(stage.sample(times).rotations[:, arm], expected.sample(times).rotations[:, arm], atol=1e-9)


def test_glue_fades_in_two_halves() -> None:
    walk, wave = pair(4)
    still = Trim(walk, 0.2, 0.2)
    glue = Glue(0.4, 0.8, still, 0.6, 0.6)
    stage = Composite(walk.body).with_segment(walk).with_segment(wave, entrance=glue)
    assert_same_poses(stage.sample([0.4]), walk.sample([0.4]), 1e-12)
    assert_same_poses(stage.sample([0.6]), walk.sample([0.2]), 1e-12)
    assert_same_poses(stage.sample([0.8]), wave.sample([0.8]), 1e-12)


def test_what_nobody_drives_stays_as_it_was_left() -> None:
    walk, wave = pair(5)
    stage = (
        Composite(walk.body).with_segment(wave, at=1.0, groups=("head",)).with_segment(wave, at=3.0, groups=("head",))
    )
    assert_same_poses(stage.sample([0.0]), Select(wave, ("head",)).sample([0.4]), 1e-12)
    assert_same_poses(stage.sample([2.5]), Select(wave, ("head",)).sample([wave.end]), 1e-12)
    assert_same_poses(stage.sample([9.0]), Select(wave, ("head",)).sample([wave.end]), 1e-12)
    assert list(np.flatnonzero(stage.defined)) == sorted(walk.body.anatomy.groups["head"])
    # A layer that ends gives way to the last pose below, not to its own.
    over = Composite(walk.body).with_segment(walk).with_layer(wave, at=1.2)
    assert_same_poses(over.sample([over.end + 1]), wave.sample([wave.end]), 1e-12)
    short = Composite(walk.body).with_segment(walk, seconds=0.2).with_layer(wave, seconds=0.3)
    short = short.with_segment(walk, at=3.0, source=0.5)
    assert_same_poses(short.sample([2.0]), walk.sample([0.2]), 1e-12)


def test_a_later_resumption() -> None:
    walk, wave = pair(6)
    stage = Composite(walk.body).with_segment(walk).with_layer(wave)
    eased = stage.with_resumption(1, wave.start, Glue(0.8, 1.0))
    assert_same_poses(eased.sample([0.7]), wave.sample([0.7]), 1e-12)
    assert_same_poses(eased.sample([1.0]), walk.sample([1.0]), 1e-12)
    with pytest.raises(InputError, match=r"level 1 has no segment that starts at 9 s; there: 0\.4"):
        stage.with_resumption(1, 9.0, Glue(0.8, 1.0))


def test_an_empty_timeline_and_partial_ones() -> None:
    empty = Composite(adult())
    assert (empty.start, empty.end, empty.defined.any(), empty.marks) == (0.0, 0.0, False, ())
    assert_same_poses(empty.sample([0.0]), Pose.rest(adult().skeleton, (1,)))


def test_bad_timelines() -> None:
    walk, wave = pair(7)
    stage = Composite(walk.body).with_segment(walk)
    with pytest.raises(InputError, match="by itself it shows nothing"):
        stage.below().sample([0.5])
    with pytest.raises(UnknownNameError, match="'rihgt_arm'; closest: 'right_arm'"):
        stage.with_segment(wave, groups=("rihgt_arm",))
    with pytest.raises(InputError, match="runs backwards"):
        Glue(1.0, 0.5)
    with pytest.raises(InputError, match="level -1"):
        stage.with_segment(wave, level=-1)
    with pytest.raises(InputError, match="cannot start 9 s into a clip"):
        stage.with_segment(wave, source=9.0)
    with pytest.raises(InputError, match="cannot last -1 s"):
        Segment(walk, 0, 0, -1)
    with pytest.raises(InputError, match="before it comes in"):
        stage.with_segment(wave, entrance=Glue(2.0, 3.0))
    with pytest.raises(InputError, match="one body"):
        stage.with_segment(smooth_motion(mm.zoo.body("dog"), np.random.default_rng(0)))
    with pytest.raises(InputError, match="cannot run from"):
        Below(walk.body, 1.0, 0.0)


def test_what_is_driven_is_told_over_time_and_for_some_joints():
    one, other = pair(3)
    stage = Composite(adult()).with_segment(one, groups=["left_arm"]).with_segment(other, groups=["head"], at=0.9)
    driven = stage.defined_at([0.2, 1.0, 1.4])
    arm, head = adult().anatomy.groups["left_arm"], adult().anatomy.groups["head"]
    assert driven[:, arm[0]].tolist() == [True, True, False]
    assert driven[:, head[0]].tolist() == [False, True, True]
    assert one.defined_at([0.0, 0.5]).all()
    names = [adult().skeleton.names[joint] for joint in (arm[1], head[0])]
    assert np.array_equal(one.turns_of(names, [0.3, 0.7]), one.sample([0.3, 0.7]).rotations[:, [arm[1], head[0]]])
    with pytest.raises(UnknownNameError, match="no joint"):
        one.turns_of(["nowhere"], [0.0])
