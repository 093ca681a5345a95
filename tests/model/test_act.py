"""Actions of performed styles, on bodies that have little in common."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import violations
from mummer.clip.trajectory import Trajectory
from mummer.errors import UnknownNameError
from mummer.ik import WorldState
from mummer.model.jumping import landed
from mummer.model.performed import stands
from mummer.model.timing import jumps_of


@pytest.mark.parametrize(("body", "target"), [("adult", (0.3, 1.2, 0.45)), ("dog", (0.1, 0.4, 0.7))])
def test_a_reach_meets_its_target_with_feet_planted(body: str, target: tuple[float, float, float]) -> None:
    action = mm.act(f"zoo:{body}", "reach", target=target)
    assert max(action.misses) < 1e-3
    assert not action.values.clips
    assert "achieve" in [mark.name for mark in action.clip.marks]


def test_a_target_out_of_reach_is_clipped_and_said() -> None:
    action = mm.act("zoo:adult", "reach", target=(0.3, 1.2, 3.0))
    asked, used = action.values.clips["target"]
    assert asked == (0.3, 1.2, 3.0)
    assert used[2] < 1.5
    assert max(action.misses) < 1e-3
    assert "clipped" in str(action.report)


def test_where_the_actor_stands_moves_all_of_it() -> None:
    here = mm.act("zoo:adult", "reach", target=(0.3, 1.2, 0.45))
    there = mm.act("zoo:adult", "reach", target=(2.45, 1.2, 0.7), position=(2.0, 0.0, 1.0), orientation=90)
    one, other = (WorldState(each.body, each.clip.at(1.3)).positions[0] for each in (here, there))
    turned = np.stack([one[:, 2] + 2.0, one[:, 1], -one[:, 0] + 1.0], axis=1)
    assert np.allclose(turned, other, atol=2e-3)


def test_a_hand_is_chosen() -> None:
    action = mm.act("zoo:adult", "reach", target=(0.0, 1.2, 0.45), hand="right")
    assert "place right_hand+" in [row["name"] for row in action.facts()["invariants"]]


def test_names_that_are_not_there() -> None:
    with pytest.raises(UnknownNameError, match="model 'reach' has no parameter 'targt'; closest: 'target'"):
        mm.act("zoo:adult", "reach", targt=(0, 1, 0))
    with pytest.raises(UnknownNameError, match="has no style 'odd'"):
        mm.act("zoo:adult", "reach", style="odd")


def test_a_throw_hits_its_target() -> None:
    action = mm.act("zoo:adult", "throw", target=(1.0, 1.0, 4.0), style="sidearm")
    assert action.flight is not None
    assert action.flight.time == action.key_times["release"]
    assert np.allclose(action.flight.at(action.flight.time + action.flight.duration), (1.0, 1.0, 4.0))
    assert max(action.misses) < 1e-3


def test_a_jump_lands_where_it_is_asked_to_and_flies_as_long_as_it_must() -> None:
    action = mm.act("zoo:adult", "jump", to=(0.3, 0.0, 0.6), apex=0.3)
    place = landed(action.clip, action.footsteps, action.key_times["landing"])
    assert np.allclose(place[[0, 2]], (0.3, 0.6), atol=2e-3)
    begin, end = action.key_times["takeoff"], action.key_times["landing"]
    times = np.linspace(begin, end, 41)[1:-1]
    heights = Trajectory(action.rough, begin, end).centers(times)[:, 1]
    assert np.allclose(np.diff(heights, 2) / (times[1] - times[0]) ** 2, -9.80665, atol=0.05)
    assert heights.max() - heights[0] == pytest.approx(0.3, abs=0.1)


def test_a_gesture_lasts_as_long_as_asked() -> None:
    action = mm.act("zoo:dog", "head_shake", duration=3.0, style="sad")
    assert action.key_times["release"] - action.key_times["achieve"] == pytest.approx(3.0)


def test_things_lie_and_fly() -> None:
    assert mm.act("zoo:ghost", "motionless", duration=2.5).clip.duration == 2.5
    flown = mm.act("zoo:ghost", "ballistic", to=(1.0, 1.0, 2.0), apex=1.5).clip
    start, end = (WorldState(flown.body, flown.sample([time])).positions[0, 0] for time in (flown.start, flown.end))
    assert np.linalg.norm((end - start)[[0, 2]]) > 1.5


def test_what_is_too_high_is_jumped_for() -> None:
    high = (0.3, 2.6, 0.3)
    clipped = mm.act("zoo:adult", "reach", target=high)
    assert "target" in clipped.values.clips
    action = mm.act("zoo:adult", "reach", target=high, beyond="add")
    assert action.values["target"] == high
    assert not action.values.clips
    assert max(action.misses) < 1e-3
    assert "it jumps" in str(action.report)
    feet = [action.body.anatomy.roles[f"{side}_foot"] for side in ("left", "right")]
    moments = [action.key_times.start, action.key_times["achieve"]]
    heights = WorldState(action.body, action.clip.sample(moments)).positions[:, feet, 1]
    assert np.all(heights[1] - heights[0] > 0.2)


def test_what_is_too_far_is_gone_to() -> None:
    action = mm.act("zoo:adult", "reach", target=(0.5, 1.2, 2.5), beyond="add")
    assert not action.values.clips
    assert max(action.misses) < 1e-3
    assert "it goes there first" in str(action.report)
    times = action.clip.times(60.0)
    places = WorldState(action.body, action.clip.sample(times)).positions
    bends = [np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1).max()]
    for to in ((0.3, 0.0, 1.6), (0.5, 0.0, 2.0)):
        walk = mm.act("zoo:adult", "walk", to=to).clip
        alone = WorldState(action.body, walk.sample(walk.times(60.0))).positions
        bends.append(np.linalg.norm(np.diff(alone, n=2, axis=0), axis=-1).max())
    assert bends[0] < 1.2 * max(bends[1:])


def test_who_runs_is_faster_than_who_walks_and_both_have_halted_when_their_feet_stand() -> None:
    walk, run = (mm.act("zoo:adult", model, to=(0.0, 0.0, 4.0)) for model in ("walk", "run"))
    gone = [each.key_times["halt"] - each.key_times["go"] for each in (walk, run)]
    assert gone[1] < 0.75 * gone[0]
    for each in (walk, run):
        after = np.linspace(each.key_times["halt"], each.clip.end, 9)
        balls = WorldState(each.body, each.clip.sample(after)).positions[:, [each.body.anatomy.roles["left_foot"]]]
        assert np.abs(balls - balls[0]).max() < 0.01
        assert each.key_times["halt"] < each.clip.end - 0.2


@pytest.mark.parametrize("style", ["overhand", "sidearm", "underhand", "frisbee_toss"])
def test_a_throw_lets_go_when_the_hand_is_fastest(style: str) -> None:
    action = mm.act("zoo:adult", "throw", target=(0.0, 1.2, 5.0), style=style)
    times = np.linspace(action.key_times["windup"], action.key_times["follow_through"], 60)
    hand = WorldState(action.body, action.clip.sample(times)).point("right_hand")
    speeds = np.linalg.norm(np.gradient(hand, times, axis=0), axis=1)
    assert np.interp(action.key_times["release"], times, speeds) > 0.8 * speeds.max()
    assert "m/s" not in str(action.report)


def test_who_cannot_look_and_reach_at_once_reaches_and_says_so() -> None:
    action = mm.act("random:727", "put_down", target=(-0.2125, 0.3582, 0.1227), look=True)
    assert max(action.misses) < 1e-3
    assert "look = True is not legal and was clipped to False" in str(action.report)


def test_a_seat_that_legs_cannot_have_is_clipped_and_said() -> None:
    action = mm.act("random:715", "sit", seat=0.2844)
    assert "seat" in action.values.clips
    assert "seat = 0.284 is not legal" in str(action.report)
    assert max(action.misses) < 2e-3


def test_who_is_there_already_stands() -> None:
    action = mm.act("zoo:adult", "walk", to=(0.0, 0.0, 0.0))
    places = WorldState(action.body, action.clip.sample(action.clip.times(30.0))).positions[:, 0]
    assert np.ptp(places[:, [0, 2]], axis=0).max() < 0.05


def test_feet_stay_between_two_blows_too() -> None:
    action = mm.act("zoo:giant", "hammer", position=(3.44, 0.0, 2.23), target=(2.454, 3.11, 4.631))
    assert max(action.misses) < 2e-3  # of a body twice as tall as a man
    spots = [goal.at for goal in action.invariants if goal.interval and goal.interval[0] == goal.interval[1]]
    np.testing.assert_allclose(spots, 3 * [action.values["target"]])


@pytest.mark.parametrize("facing", [90.0, -135.0])
def test_a_jump_turns_to_where_it_shall_face_and_lands_in_its_place(facing: float) -> None:
    action = mm.act("zoo:adult", "jump", to=(0.3, 0.0, 0.6), apex=0.4, facing=facing)
    place = landed(action.clip, action.footsteps, action.key_times["landing"])
    assert np.allclose(place[[0, 2]], (0.3, 0.6), atol=2e-3)
    assert not action.values.clips
    assert max(action.misses) < 1e-3
    moments = [action.key_times["takeoff"], 0.5 * sum(action.key_times.times[1:3]), action.key_times["landing"]]
    turns = [stands(action.clip, moment, action.body)[1] for moment in moments]
    assert turns == pytest.approx([0.0, 0.5 * facing, facing], abs=5.0)
    assert jumps_of(action.clip) < 0.03


def test_who_hops_low_turns_as_far_as_there_is_time_for_and_that_is_said() -> None:
    action = mm.act("zoo:adult", "jump", apex=0.05, facing=180)
    assert 0.0 < abs(stands(action.clip, action.clip.end, action.body)[1]) < 120.0
    assert "facing = 180 is not legal and was clipped to" in str(action.report)


def test_what_is_bent_to_a_goal_is_not_bent_past_its_limits_and_so_meets_it() -> None:
    target = (-0.0577, 0.0494, -0.0776)
    action = mm.act("zoo:snake", "hand_over", target=target)
    assert max(action.misses) < 1e-3
    assert not action.values.clips
    poses = action.rough.sample(action.rough.times(60.0))
    assert violations(action.body.limits, action.body.skeleton, poses).max() < 1e-3
