"""Performances: the same frame whenever it is asked for, deforms, events, limits, and one call for all of it."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Skeleton, violations
from mummer.engine import Performance, perform
from mummer.errors import InputError
from mummer.general import animation_from_text
from mummer.general.deforms import deformer_of
from mummer.general.fingers import curls_of
from mummer.ik import WorldState
from mummer.math import quaternion
from mummer.recognition import recognize
from tests.general.bodies import physique, stance

OPEN = """version = 1
name = "open"
duration = 2
[[branch]]
[[branch.channel]]
name = "hands"
select = {capability = "grasper"}
open = [[0, -1], [1, 0], [2, 1]]
events = [[0.5, "squeeze"]]
[[branch.channel]]
name = "mouths"
select = {capability = "mouth"}
open = [[0, -1], [1, 0], [2, 1]]
[[branch.channel]]
name = "eyes"
select = {capability = "eye"}
open = [[0, -1], [1, 0], [2, 1]]
[[branch.channel]]
name = "faces"
select = {capability = "head"}
deform = {smile = [[0, 0], [2, 1]]}
"""


def opened(body: str) -> Performance:
    return perform(mm.zoo.body(body), OPEN)


def test_any_frame_is_the_same_whenever_it_is_asked_for() -> None:
    clip = perform(mm.zoo.body("adult"), "eat_fruit")
    times = np.linspace(0, clip.end, 23)
    whole = clip.sample(times)
    backwards = clip.sample(times[::-3])
    np.testing.assert_allclose(backwards.rotations, whole.rotations[::-3], atol=1e-9)
    np.testing.assert_allclose(clip.at(times[7]).rotations, whole.rotations[7], atol=1e-9)


@pytest.mark.parametrize("body", ["adult", "spider", "snake", "random 3", "random 8"])
@pytest.mark.parametrize("name", ["wave", "eat_fruit", "jump"])
def test_bodies_stay_whole(body: str, name: str) -> None:
    clip = perform(physique(body).character, name, sway=False)
    pose = clip.sample(np.linspace(0, clip.end, 15))
    assert np.all(np.isfinite(pose.rotations))
    assert np.all(np.isfinite(pose.root_translation))
    assert violations(clip.body.limits, clip.body.skeleton, pose).max() < 0.05
    # It moves, and it begins and ends as it stands.
    rest = stance(clip.body).rotations
    away = quaternion.angle_between(pose.rotations, np.broadcast_to(rest, pose.rotations.shape)).max(axis=1)
    assert away[1:-1].max() > 0.1
    assert away[[0, -1]].max() < 0.05


def test_hands_close_and_open() -> None:
    clip = opened("adult")
    state = WorldState(clip.body, clip.sample([0.0, 1.0, 2.0]))
    hand, tip = clip.anatomy.joint("left_hand"), clip.anatomy.limb("left_middle").tip
    closed, rest, wide = np.linalg.norm(state.positions[:, tip] - state.positions[:, hand], axis=1)
    assert closed < 0.75 * rest
    assert wide > 0.95 * rest


def test_fingers_without_limits_curl_the_way_they_are_bent() -> None:
    bare = mm.zoo.body("adult").replace(limits=None)
    clip = perform(bare, OPEN)
    state = WorldState(bare, clip.sample([0.0, 1.0]))
    hand, tip = clip.anatomy.joint("left_hand"), clip.anatomy.limb("left_middle").tip
    closed, rest = np.linalg.norm(state.positions[:, tip] - state.positions[:, hand], axis=1)
    assert closed < 0.85 * rest
    assert len(curls_of(clip.physique, hand)) >= 12


def test_pincers_close_towards_each_other() -> None:
    clip = opened("crab")
    state = WorldState(clip.body, clip.sample([0.0, 1.0]))
    tip = clip.anatomy.limb("left_pincer").tip
    base = clip.anatomy.limb("left_pincer").base
    assert np.linalg.norm(state.positions[0, tip] - state.positions[1, tip]) > 0.2 * np.linalg.norm(
        state.positions[1, tip] - state.positions[1, base]
    )


def test_jaws_open_downwards_and_no_further_than_closed() -> None:
    clip = opened("dog")
    pose = clip.sample([0.0, 1.0, 2.0])
    jaw = clip.anatomy.joint("jaw")
    closed, rest, wide = pose.rotations[:, jaw]
    assert quaternion.angle_between(closed, rest) < 1e-9
    assert quaternion.angle_between(wide, rest) > 0.4


def test_faces_use_morphs() -> None:
    clip = opened("adult")
    pose = clip.sample([0.0, 2.0])
    names = clip.body.morph_names
    blink, smile = names.index("blink_left"), names.index("smile_right")
    np.testing.assert_allclose(pose.morphs[:, blink], [1.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(pose.morphs[:, smile], [0.0, 1.0], atol=1e-6)
    assert np.all((pose.morphs >= 0) & (pose.morphs <= 1))


def test_what_a_body_cannot_show_is_left_out() -> None:
    spider = physique("spider")
    head = spider.anatomy.joint("head")
    found = deformer_of(spider, head, "smile")
    assert (found.curls, found.morphs) == (None, ())


def test_events_are_marks_of_every_round() -> None:
    assert [(mark.time, mark.name) for mark in opened("adult").marks] == [(0.5, "squeeze")]
    fast = perform(mm.zoo.body("adult"), OPEN, speed=2.0)
    assert fast.end == 1.0
    assert [mark.time for mark in fast.marks] == [0.25]
    round_ = animation_from_text(OPEN.replace("duration = 2", "duration = 2\nloop = true"))
    assert [mark.time for mark in perform(mm.zoo.body("adult"), round_, duration=5).marks] == [0.5, 2.5, 4.5]


def test_gaits_and_animations_together() -> None:
    clip = perform(mm.zoo.body("adult"), "walk", "wave", path=[(0, 0), (0, 1.5)])
    state = WorldState(clip.body, clip.sample(np.linspace(clip.start, clip.end, 31)))
    hips, hand = clip.anatomy.joint("hips"), clip.anatomy.joint("left_hand")
    assert state.positions[-1, hips, 2] - state.positions[0, hips, 2] == pytest.approx(1.5, abs=0.15)
    assert (state.positions[:, hand, 1] - state.positions[:, hips, 1]).max() > 0.6
    plain = perform(mm.zoo.body("dog"), path=[(0, 0), (0, 1)])
    assert plain.end > 1


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        ((), {}, "nothing to perform"),
        (("wave",), {"speed": 0}, "a speed of 0 makes no sense"),
        (("wave",), {"duration": -1}, "a duration of -1 s makes no sense"),
        (("wave",), {"variant": "tail"}, "no variant 'tail' for this body; it has 'left_hand', 'right_hand'"),
        (("wafe",), {}, "the library has no animation 'wafe'; closest: 'wave'"),
        (("wave",), {"target": (0, 1)}, "shape"),
    ],
)
def test_wrong_calls(names: tuple[str, ...], options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        perform(mm.zoo.body("adult"), *names, **options)


def test_a_body_without_an_anatomy_is_recognised() -> None:
    bare = mm.zoo.body("adult").replace(anatomy=None)
    assert perform(bare, "nod").body.anatomy.kind == "humanoid"


def test_a_clip_can_be_made_of_it() -> None:
    clip = perform(mm.zoo.body("adult"), "nod")
    assert mm.perform is perform
    assert clip.looped(2).duration == pytest.approx(2 * clip.duration)
    assert len(clip.to_recording(30.0, name="nod").curves) > 0


def test_a_body_without_limbs_performs() -> None:
    spine = Skeleton(("a", "b", "c"), [-1, 0, 1], [[0, 0.5, 0], [0, 0, 0.3], [0, 0, 0.3]])
    worm = Character("worm", spine)
    clip = perform(worm.replace(anatomy=recognize(worm)), "idle_breathe")
    assert np.all(np.isfinite(clip.sample([0.0, 1.0]).rotations))


SHOVED = pytest.mark.xfail(reason="the root of a dog is moved by 1 cm for two frames, as its forelegs reach less far")


@pytest.mark.parametrize("body", ["adult", pytest.param("dog", marks=SHOVED), "spider"])
def test_who_nods_while_walking_walks_as_before(body: str) -> None:
    plain, nodding = (perform(mm.zoo.body(body), *names, duration=3.0) for names in (("walk",), ("walk", "nod")))
    times = plain.times(20)
    # A nod bends the chest that legs hang on, and these hold the root: by no more than a hair.
    hair = 0.005 * plain.physique.size[1]
    np.testing.assert_allclose(nodding.frames(times).root, plain.frames(times).root, atol=hair)
    assert np.any(nodding.frames(times).rotations != plain.frames(times).rotations)
