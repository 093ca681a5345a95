"""Plays in which things are done over one another, held, paused, re-timed, and in which bodies and things touch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mummer.character import world_positions
from mummer.clip import Clip
from mummer.errors import InputError, UnknownNameError
from mummer.ik import WorldState, handle
from mummer.math import quaternion
from mummer.model.action import name_of
from mummer.stage import Cut, Director, Pause, Play, Tweak, play_from_text, play_to_text
from mummer.stage.cue import needs_of
from mummer.stage.prop_path import Shared

DIRECTOR = Director()
HIGH = (0.1, 2.45, 0.25)


def ann() -> Play:
    return Play("test").actor("ann", "zoo:adult")


def joints(clip: Clip, times: np.ndarray, role: str) -> np.ndarray:
    return world_positions(clip.body.skeleton, clip.sample(times))[:, clip.anatomy.roles[role]]


def fastest(clip: Clip) -> float:
    rows = world_positions(clip.body.skeleton, clip.sample(np.arange(0.0, clip.end, 1 / 60)))
    return float(np.linalg.norm(np.diff(rows, axis=0), axis=2).max())


@pytest.fixture(scope="module")
def waving() -> tuple[Cut, Cut]:
    walk = ann().do("ann", "walk", name="go", to=(0, 0, 2.5))
    return DIRECTOR.cut(walk), DIRECTOR.cut(walk.do("ann", "wave", name="hello", over="go", after="go.go", hand="left"))


def test_who_waves_while_walking_walks_as_before(waving: tuple[Cut, Cut]) -> None:
    plain, both = (cut.clips["ann"] for cut in waving)
    hello = waving[1].done["hello"]
    assert hello.begin == pytest.approx(waving[1].done["go"].key_times["go"])
    times = np.linspace(hello.begin, hello.key_times["release"], 20)
    for foot in ("left_foot", "right_foot"):
        np.testing.assert_allclose(joints(both, times, foot), joints(plain, times, foot), atol=2e-3)
    up = joints(both, times, "left_hand")[:, 1] - joints(plain, times, "left_hand")[:, 1]
    assert up.max() > 0.4
    assert both.end == pytest.approx(plain.end)
    assert fastest(both) < 0.12
    assert not waving[1].report


def test_an_action_needs_what_it_moves_and_what_its_goals_are_about(waving: tuple[Cut, Cut]) -> None:
    walk, wave = (needs_of(waving[1].done[name].action) for name in ("go", "hello"))
    assert walk["waist"].required
    assert walk["left_leg"].importance == 100
    assert wave["left_arm"].importance > walk["left_arm"].importance
    assert wave["left_leg"].importance < 20
    said = needs_of(waving[1].done["hello"].action, {"head": 90.0, "torso": "add"})
    assert (said["head"].importance, said["head"].required, said["torso"].how) == (90.0, True, "add")


def test_who_needs_what_goes_on_below_is_refused_and_the_play_goes_on(waving: tuple[Cut, Cut]) -> None:
    play = ann().do("ann", "walk", name="go", to=(0, 0, 2.5)).do("ann", "walk", name="aside", over="go", to=(1, 0, 0))
    cut = DIRECTOR.cut(play)
    assert "aside: 'aside' needs Place of left_leg, which go holds" in str(list(cut.report.of("refused")))
    np.testing.assert_allclose(cut.clips["ann"].at(1.0).rotations, waving[0].clips["ann"].at(1.0).rotations, atol=1e-9)


def test_a_jump_goes_as_high_as_the_reach_over_it_needs() -> None:
    play = ann().prop("apple", at=HIGH, size=0.08).do("ann", "jump", name="leap")
    play = play.do("ann", "reach", name="pick", over="leap", target="apple", hand="left", takes="apple")
    cut = DIRECTOR.cut(play)
    apex = cut.done["leap"].action.values["apex"]
    achieve = cut.done["pick"].key_times["achieve"]
    assert cut.done["leap"].key_times["takeoff"] < achieve < cut.done["leap"].key_times["landing"]
    clip = cut.clips["ann"]
    hand = WorldState(clip.body, clip.sample([achieve])).point(handle(clip.body, "left_hand"))[0]
    assert np.linalg.norm(hand - HIGH) < 0.12
    assert len(cut.paths["apple"].phases) == 2
    fixed = DIRECTOR.cut(play.changed("leap", values={"apex": 0.1}))
    assert fixed.done["leap"].action.values["apex"] == 0.1
    assert isinstance(apex, float)
    assert apex > 0.15
    assert any("does not take" in each.message for each in fixed.report)


def test_hands_that_shake_are_in_one_place_and_feet_stay() -> None:
    pause = (Pause("achieve", 0.8),)
    play = ann().actor("ben", "zoo:child", at=(0.0, 0.75), heading=180)
    play = play.do("ann", "reach", name="offer", target=(0.0, 0.95, 0.35), hand="right", pauses=pause)
    play = play.do("ben", "reach", name="accept", target=(0.1, 0.8, 0.45), hand="right", pauses=pause,
                   together="offer.achieve", key="achieve")  # fmt: skip
    apart, cut = DIRECTOR.cut(play), DIRECTOR.cut(play.contact("ann.right_hand", "ben.right_hand", "offer.achieve",
                                                               "offer.release"))  # fmt: skip
    times = np.linspace(cut.done["offer"].key_times["achieve"], cut.done["offer"].key_times["release"], 30)
    gaps = []
    for each in (apart, cut):
        clips = each.clips["ann"], each.clips["ben"]
        ann_hand, ben_hand = (
            WorldState(clip.body, clip.sample(times)).point(handle(clip.body, "right_hand")) for clip in clips
        )
        gaps.append(np.linalg.norm(ann_hand - ben_hand, axis=1).max())
    assert gaps[0] > 0.1
    assert gaps[1] < 2e-3
    for name in ("ann", "ben"):
        feet = [joints(each.clips[name], times, "left_foot") for each in (apart, cut)]
        np.testing.assert_allclose(*feet, atol=1e-3)
        assert fastest(cut.clips[name]) < 0.12


def test_who_jumps_leads_the_hand_that_holds_it_whatever_was_wished() -> None:
    play = ann().actor("ben", "zoo:adult", at=(0.75, 0.1))
    play = play.do("ben", "jump", name="hop", apex=0.1)
    play = play.do("ann", "reach", name="hold", target=(0.4, 0.9, 0.1), hand="left", at=0.0,
                   pauses=(Pause("achieve", 1.0),))  # fmt: skip
    apart = DIRECTOR.cut(play)
    cut = DIRECTOR.cut(play.contact("ann.left_hand", "ben.right_hand", "hop.takeoff", "hop.landing", control="first"))
    assert "ben.right_hand answers 'first' with 'second', because of hop" in str(cut.report)
    times = np.linspace(cut.done["hop"].key_times["takeoff"], cut.done["hop"].key_times["landing"], 15)
    ben = [joints(each.clips["ben"], times, "right_hand") for each in (apart, cut)]
    np.testing.assert_allclose(*ben, atol=1e-9)
    held = [joints(each.clips["ann"], times, "left_hand") for each in (apart, cut)]
    assert np.abs(held[0] - held[1]).max() > 0.05


def test_a_thing_that_two_hold_is_turned_by_both() -> None:
    play = ann().actor("ben", "zoo:adult", at=(1.4, 0)).prop("beam", "box", at=(0.7, 0.9, 0.42), size=(1.6, 0.1, 0.1))
    for who, x, hand in (("ann", 0.1, "left"), ("ben", 1.3, "right")):
        more = {"takes": "beam"} if who == "ann" else {"together": "ann take.achieve", "key": "achieve"}
        play = play.do(who, "reach", name=f"{who} take", target=(x, 0.95, 0.42), hand=hand, **more)
        after = {"together": "ann lift.achieve", "key": "achieve"} if who == "ben" else {}
        play = play.do(who, "reach", name=f"{who} lift", target=(x, 1.3, 0.42), hand=hand, **after)
    play = play.contact("ben.right_hand", "beam", "ben take.achieve", "ben lift.release")
    cut = DIRECTOR.cut(play)
    path = cut.paths["beam"]
    assert any(isinstance(phase, Shared) for _, phase in path.phases)
    begin, end = cut.done["ben take"].key_times["achieve"], cut.done["ben lift"].key_times["achieve"]
    tilt = quaternion.rotate(path.at([begin, end])[1], [1.0, 0.0, 0.0])[:, 1]
    assert np.abs(tilt).max() < 0.1
    assert path.at([end])[0][0, 1] > path.at([begin])[0][0, 1] + 0.25
    times = np.linspace(begin, end, 20)
    ben = cut.clips["ben"]
    hand = WorldState(ben.body, ben.sample(times)).point(handle(ben.body, "right_hand"))
    places, turns = path.at(times)
    local = quaternion.rotate(quaternion.conjugate(turns), hand - places)
    np.testing.assert_allclose(local, np.tile(local[0], (20, 1)), atol=3e-3)


def test_a_pose_is_held_a_moment_lasts_and_a_key_time_comes_later() -> None:
    play = ann().do("ann", "squat", name="down").do("ann", "point", name="there", target=(1.0, 1.0, 1.5))
    let, held = DIRECTOR.cut(play), DIRECTOR.cut(play.changed("there", hold=True))
    height = [joints(each.clips["ann"], np.array([each.done["there"].key_times["achieve"]]), "hips")[0, 1]
              for each in (let, held)]  # fmt: skip
    assert height[1] < height[0] - 0.2
    slow = DIRECTOR.cut(play.changed("there", pauses=(Pause("achieve", 1.0),)))
    before, after = let.done["there"].key_times, slow.done["there"].key_times
    assert after["release"] - after["achieve"] == pytest.approx(before["release"] - before["achieve"] + 1.0)
    late = DIRECTOR.cut(play.tweaked("there", Tweak("release", later=0.1)))
    again = late.done["there"].key_times
    assert again["release"] - again["achieve"] == pytest.approx(before["release"] - before["achieve"] + 0.1)
    assert again.end - again["achieve"] == pytest.approx(before.end - before["achieve"])
    with pytest.raises(InputError, match="expected a part, or later without one"):
        Tweak("release", "head", later=0.1)


def test_a_style_swap_keeps_every_goal_and_every_tweak() -> None:
    target = (1.0, 1.2, 2.0)
    turn = Tweak(1.5, "left_hand", turn=(0.0, 0.0, 50.0))
    found = []
    for style in ("normal", "stealthy", "fast"):
        plain = ann().do("ann", "peer", name="look", target=target, style=style)
        done = [DIRECTOR.cut(play).done["look"] for play in (plain, plain.tweaked("look", turn))]
        clips = [each.action.clip for each in done]
        assert done[1].action.values["target"] == target
        assert max(done[1].action.misses) == pytest.approx(max(done[0].action.misses), abs=1e-6)
        joint = clips[0].anatomy.roles["left_hand"]
        time = float(done[1].action.key_times.seconds(1.5))
        found.append(quaternion.angle_between(*[clip.at(time).rotations[joint] for clip in clips]))
        outside = float(done[1].action.key_times["settle"])
        assert quaternion.angle_between(*[clip.at(outside).rotations[joint] for clip in clips]) < 1e-9
    np.testing.assert_allclose(np.degrees(found), 50.0, atol=0.01)


@pytest.mark.parametrize(
    "change",
    [
        {"at": 4.0},
        {"style": "stealthy"},
        {"values": {"tempo": 0.6}},
        {"at": 4.0, "key": "achieve", "style": "fast", "values": {"tempo": 0.8}, "pauses": (Pause("settle", 0.5),)},
    ],
)
def test_a_tweak_is_at_its_canonical_time_when_its_action_is_moved_restyled_and_retimed(change: dict[str, Any]) -> None:
    plain = ann().do("ann", "nod", name="first").do("ann", "peer", name="look", target=(1.0, 1.2, 2.0))
    turned = plain.tweaked("look", Tweak(1.5, "left_hand", turn=(0.0, 0.0, 50.0)))
    cuts = [DIRECTOR.cut(play.changed("look", **change)) for play in (plain, turned)]
    moments = cuts[1].done["look"].key_times.seconds(np.linspace(1.1, 1.9, 9))
    joint = cuts[0].clips["ann"].anatomy.roles["left_hand"]
    angles = np.degrees(
        quaternion.angle_between(*[cut.clips["ann"].sample(moments).rotations[:, joint] for cut in cuts])
    )
    assert int(np.argmax(angles)) == 4
    assert angles[4] == pytest.approx(50.0, abs=1.0)
    assert max(angles[0], angles[-1]) < 25.0


def test_an_invariant_is_switched_off_for_one_action() -> None:
    play = ann().do("ann", "reach", name="grab", target=(0.3, 1.2, 0.45), hand="left", look=True)
    whole = DIRECTOR.cut(play).done["grab"].action
    names = [name_of(goal, whole.body) for goal in whole.invariants]
    assert "aim head" in names
    fewer = DIRECTOR.cut(play.changed("grab", without=("aim head",))).done["grab"].action
    assert [name_of(goal, fewer.body) for goal in fewer.invariants] == [each for each in names if each != "aim head"]
    again = play_from_text(play_to_text(play.changed("grab", without=("aim head",))))
    assert again.doings[0].without == ("aim head",)


def test_a_thing_goes_by_itself_at_an_event_and_is_aimed_at_where_it_is_then() -> None:
    play = ann().prop("box", "cube", at=(0, 1.5, 3), size=0.4).do("ann", "peer", name="look", target="box")
    play = play.do("ann", "peer", name="again", target="box").move("box", "look.release", (1.5, 2.0, 3), 0.2)
    cut = DIRECTOR.cut(play)
    looked = [np.asarray(cut.done[name].action.values["target"]) for name in ("look", "again")]
    assert looked[1][0] > looked[0][0] + 1.0
    with pytest.raises(UnknownNameError, match="there is box"):
        play.move("boks", "look.release", (0, 0, 0))


def test_who_waits_breathes_but_stays_on_its_feet() -> None:
    play = ann().do("ann", "nod", name="yes").actor("ben", "zoo:adult", at=(2, 0)).do("ben", "nod", at=6.0)
    clip = DIRECTOR.cut(play).clips["ann"]
    assert clip.end > 6
    times = np.arange(3.0, 6.0, 1 / 30)
    poses = clip.sample(times).rotations
    turned = quaternion.angle_between(poses, poses[0])
    assert turned.max() > 0.01
    assert np.abs(np.diff(turned, axis=0)).max() < 0.05
    assert np.ptp(joints(clip, times, "left_foot"), axis=0).max() < 1e-9
