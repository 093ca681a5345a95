"""Transitions: poses and velocities met at both ends, by every method, without a jump on real motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.joining import join
from mummer.clip.keyed import Keyed
from mummer.clip.moment import Moment
from mummer.clip.retimed import Shift
from mummer.clip.sampled import Sampled
from mummer.clip.select import Select
from mummer.clip.transition import Transition
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.clip.strategies import assert_same_poses, random_body, seeds, smooth_motion

methods = st.sampled_from(["blend", "warp", "hermite", "best"])


def pair(seed: int) -> tuple[Sampled, Sampled]:
    """Two motions of one body."""
    rng = np.random.default_rng(seed)
    body = random_body(rng)
    return tuple(smooth_motion(body, rng, frames=313, rate=240.0, start=start) for start in (0.0, 3.0))  # type: ignore[return-value]


@given(seeds, methods, st.floats(0.05, 1.0))
def test_both_ends_are_met(seed: int, method, seconds: float) -> None:
    first, second = pair(seed)
    glue = Transition(first, second, 0.7, 3.6, seconds, method)
    assert (glue.start, glue.end) == (0.7, 0.7 + seconds)
    assert_same_poses(glue.sample([glue.start]), first.sample([0.7]), 1e-9)
    assert_same_poses(glue.sample([glue.end]), second.sample([3.6]), 1e-9)


@given(seeds, st.sampled_from(["warp", "hermite", "best"]), st.floats(0.1, 1.0), st.sampled_from([3.0, 3.2, 4.0]))
def test_velocities_are_met_even_where_the_lead_in_is_short(seed: int, method, seconds: float, entry: float) -> None:
    first, second = pair(seed)
    glue = Transition(first, second, 0.7, entry, seconds, method)
    step = 1e-5
    spin, speed = glue.velocities([glue.start, glue.end], step=step)
    left, entered = Moment.of(first, 0.7), Moment.of(second, entry)
    assert np.allclose(spin[0], left.spins, atol=5e-2)
    assert np.allclose(spin[1], entered.spins, atol=5e-2)
    assert np.allclose(speed[0], left.rates["root"][0], atol=5e-2)
    assert np.allclose(speed[1], entered.rates["root"][0], atol=5e-2)


@given(seeds)
def test_a_clip_flows_into_itself(seed: int) -> None:
    clip, _ = pair(seed)
    for method in ("blend", "warp", "best"):
        glue = Transition(clip, clip, 0.4, 0.8, 0.4, method)
        times = np.linspace(0.4, 0.8, 30)
        assert_same_poses(glue.sample(times), clip.sample(times), 1e-4)


def test_methods_by_group_and_best_by_how_far_groups_must_bend() -> None:
    body = mm.zoo.body("adult")
    rest = Keyed(body).with_pose(0, body.default_pose).with_pose(2, body.default_pose)
    near = rest.with_key("head", 0, quaternion.exp([0.2, 0, 0])).with_key("head", 2, quaternion.exp([0.2, 0, 0]))
    hand = quaternion.multiply(
        body.default_pose.rotations[body.skeleton.index("left_upper_arm")], quaternion.exp([2.5, 0, 0])
    )
    for time in (0, 2):
        for name in ("left_upper_arm", "left_forearm", "left_hand", "left_shoulder"):
            near = near.with_key(name, time, hand)
    best = Transition(rest, near, 1.0, 1.0, 0.5)
    group = body.anatomy.groups
    assert best._masks["hermite"][list(group["left_arm"])].all()
    assert best._masks["warp"][list(group["head"])].all()
    named = Transition(rest, near, 1.0, 1.0, 0.5, "hermite", {"head": "warp", "torso": "blend"})
    assert named._masks["warp"].sum() == len(group["head"])
    assert named._masks["blend"].sum() == len(group["torso"])
    for glue in (best, named):
        assert_same_poses(glue.sample([1.0, 1.5]), mm.Pose.stack([rest.at(1.0), near.at(1.0)]), 1e-9)


def test_everything_that_poses_carry_is_led_over() -> None:
    body = mm.zoo.body("adult")
    plain = Keyed(body).with_pose(0, body.default_pose).with_pose(1, body.default_pose)
    rich = plain.with_key("left_hand", 0, (2, 2, 2), path="scale").with_key(
        "left_foot", 0, (1, 1, 1), path="translation"
    )
    rich = rich.with_key(body.morph_names[0], 0, 1.0, path="morph")
    for method in ("blend", "warp", "hermite"):
        for first, second in ((plain, rich), (rich, plain)):
            glue = Transition(first, second, 0.5, 0.5, 0.4, method)
            for time, clip in ((glue.start, first), (glue.end, second)):
                got, wanted = glue.at(time), clip.at(0.5)
                assert np.allclose(got.full_translations(body.skeleton), wanted.full_translations(body.skeleton))
                assert np.allclose(got.full_scales(body.skeleton), wanted.full_scales(body.skeleton))
                assert got.morphs[0] == pytest.approx(0.0 if wanted.morphs is None else wanted.morphs[0])
            middle = glue.at(0.7)
            assert 0 < middle.morphs[0] < 1
            assert 1 < middle.scales[body.skeleton.index("left_hand"), 0] < 2


def test_a_joint_of_one_clip_alone_follows_it() -> None:
    first, second = pair(7)
    arm, leg = Select(first, joints=("joint1", "joint2")), Select(second, joints=("joint2", "joint3"))
    glue = Transition(arm, leg, 0.7, 3.6, 0.3, "hermite")
    times = np.linspace(0.7, 1.0, 9)
    got = glue.sample(times).rotations
    assert np.array_equal(got[:, 1], first.sample(times).rotations[:, 1])
    lead = second.sample(times - 1.0 + 3.6).rotations[:, 3]
    assert np.all(quaternion.equal_rotations(got[:, 3], lead, 1e-7))
    assert list(np.flatnonzero(glue.defined)) == [1, 2, 3]


def test_marks_of_what_is_played_travel() -> None:
    first, second = pair(1)
    marked = Sampled(second.body, second.recording, annotations=(Mark(3.4, "step"), Mark(4.0, "late")))
    assert [(mark.name, round(mark.time, 9)) for mark in Transition(first, marked, 0.7, 3.5, 0.3, "warp").marks] == [
        ("step", 0.9)
    ]
    assert Transition(first, marked, 0.7, 3.5, 0.3, "hermite").marks == ()


def jolt(clip: Clip, times: np.ndarray, rate: float = 60.0) -> np.ndarray:
    """(T,) the largest acceleration of any joint in the world around each time, in metres a second squared."""
    step = 1 / rate
    places = [mm.world_positions(clip.body.skeleton, clip.sample(times + shift)) for shift in (-step, 0, step)]
    return np.linalg.norm(places[0] - 2 * places[1] + places[2], axis=-1).max(axis=-1) / step**2


def largest_inside(clip: Clip) -> float:
    """The largest acceleration of a recording, without what no body did.

    The first frame of these files is a T pose, and the run jumps for single frames about 0.25 s (178, 364, 191): a bar
    set by either could not be missed.
    """
    times = np.arange(clip.start + 0.1, clip.end - 0.1, 1 / 120)
    glitch = (times > 0.2) & (times < 0.3)
    return float(jolt(clip, times[~glitch]).max())


# How many of 45 seams are above the largest acceleration inside the clips, and by how much at most. Warp falls short
# where it must bend far, which is why best does not choose it there; these figures keep that from growing unseen.
SEAMS = {"hermite": (0, 1.0), "best": (0, 1.0), "blend": (2, 1.05), "warp": (3, 1.25)}


@pytest.mark.parametrize("method", SEAMS)
def test_joined_recordings_show_no_jump(data_dir: Path, method) -> None:
    folder = data_dir / "motions" / "cmu-cgspeed"
    body = mm.load(folder / "cmu_02_01_walk.bvh")
    walk = Sampled(body, body.recordings[0])
    run = Sampled(body, mm.load(folder / "cmu_09_01_run.bvh").recordings[0])
    bar = max(largest_inside(walk), largest_inside(run))
    assert bar < 170
    found = []
    for first, second in ((walk, run), (run, walk)):
        for leave in np.linspace(0.4, first.end - 0.2, 5):
            for enter in np.linspace(0.5, second.end - 0.2, 5):
                if second is run and 0.2 < enter - 0.4 < 0.3:
                    continue  # The glitch itself would be what leads in.
                whole = join(first, second, exit=leave, entry=enter, duration=0.4, method=method)
                seams = np.add.outer([leave, leave + 0.4], np.arange(-2, 3) / 120).ravel()
                found.append(jolt(whole, seams).max() / bar)
    most, worst = SEAMS[method]
    assert len(found) == 45
    assert sum(each > 1 for each in found) <= most
    assert max(found) <= worst


@given(seeds)
def test_join_keeps_what_comes_before_and_after(seed: int) -> None:
    first, second = pair(seed)
    whole = join(first, second, exit=0.8, entry=3.5, duration=0.25, align="none")
    assert whole.duration == pytest.approx(0.8 + 0.25 + second.end - 3.5)
    early = np.linspace(0, 0.8, 9)
    assert_same_poses(whole.sample(early), first.sample(early), 1e-9)
    late = np.linspace(3.5, second.end, 9)
    assert_same_poses(whole.sample(late - 3.5 + 1.05), second.sample(late), 1e-9)
    assert {mark.name for mark in whole.marks} >= {"stretch"}


def test_join_puts_the_second_where_the_first_goes() -> None:
    first, second = pair(3)
    far = Shift(second, 10.0)
    whole = join(first, far, duration=0.2)
    places = whole.sample(whole.times(60)).root_translation
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 0.1


def test_bad_transitions() -> None:
    first, second = pair(0)
    with pytest.raises(InputError, match=r"cannot be left at 9 s: it runs from 0 to 1\.3 s"):
        Transition(first, second, 9, 3.5, 0.3)
    with pytest.raises(InputError, match="cannot be entered at 0 s"):
        Transition(first, second, 0.5, 0, 0.3)
    with pytest.raises(InputError, match="cannot take 0 s"):
        Transition(first, second, 0.5, 3.5, 0)
    with pytest.raises(UnknownNameError, match="has no method 'wrap'; closest: 'warp'"):
        Transition(first, second, 0.5, 3.5, 0.3, "wrap")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="needs clips of one body"):
        Transition(first, pair(5)[1], 0.5, 3.5, 0.3)
    with pytest.raises(InputError, match="anatomy"):
        Transition(first, second, 0.5, 3.5, 0.3, "best", {"arm": "warp"})
    with pytest.raises(InputError, match="expected zero or more"):
        Transition(first, second, 0.5, 3.5, 0.3, threshold=-1)
    with pytest.raises(UnknownNameError, match="align"):
        join(first, second, align="sideways")  # type: ignore[arg-type]
