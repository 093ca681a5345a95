"""Layers: who drives what, who is refused, and how control comes and goes."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.clip import Clip, Keyed
from mummer.errors import InputError, UnknownNameError
from mummer.ik import Place, WorldState
from mummer.math import quaternion
from mummer.model.retimed import delayed
from mummer.stage import Cue, Stack, Tag, closest_approach, easiest_moment
from tests.stage.motions import held, posed

BODY = mm.zoo.body("adult")
LEGS = {"left_leg": Tag(required=True, importance=90), "right_leg": Tag(required=True, importance=90)}
ARM = {"right_arm": Tag(required=True, importance=80), "left_leg": Tag(importance=5), "right_leg": Tag(importance=5)}


def swinging(joint: str, seconds: float, axis: tuple[float, float, float] = (0.6, 0, 0)) -> Clip:
    clip = Keyed(BODY)
    for number, time in enumerate(np.linspace(0, seconds, 7)):
        vector = tuple(value * np.sin(number) for value in axis)
        clip = clip.with_pose(float(time), posed(**{joint: vector}))
    return clip


def angles(clip: Clip, other: Clip, joint: str, times: np.ndarray) -> np.ndarray:
    at = BODY.skeleton.index(joint)
    return quaternion.angle_between(clip.sample(times).rotations[:, at], other.sample(times).rotations[:, at])


WALK = Cue("walk", swinging("left_upper_leg", 4.0), tags=LEGS, otherwise=20)
WAVE = Cue("wave", swinging("right_upper_arm", 1.5, (0, 0, 0.8)), tags=ARM, otherwise=5)


def test_an_arm_waves_while_legs_walk_and_what_is_below_resumes() -> None:
    stack = Stack(BODY).followed(WALK).layered(WAVE, at=1.0)
    assert not stack.told
    placed = stack.placed[-1]
    assert placed.level == 1
    assert placed.shares["right_arm"] == 1
    assert placed.shares["left_leg"] == placed.shares["torso"] == 0
    rough = stack.rough
    assert rough is not None
    inside = np.linspace(placed.entered, placed.until, 9)
    assert angles(rough, WAVE.clip.shifted(placed.delay), "right_upper_arm", inside).max() < 1e-6
    everywhere = np.linspace(0, 4, 33)
    assert angles(rough, WALK.clip, "left_upper_leg", everywhere).max() < 1e-9
    assert angles(rough, WALK.clip, "right_upper_arm", np.array([0.9, 4.0])).max() < 1e-6
    steps = np.diff(rough.sample(np.arange(0, 4, 1 / 60)).rotations, axis=0)
    assert np.abs(steps).max() < 0.1


def test_who_needs_what_others_need_more_is_refused_and_told() -> None:
    kick = Cue("kick", swinging("right_upper_leg", 1.0), tags={"right_leg": Tag(required=True, importance=60)})
    stack = Stack(BODY).followed(WALK).layered(kick, at=1.0)
    assert len(stack.placed) == 1
    assert len(stack.told.of("refused")) == 1
    assert "'kick' needs the group 'right_leg' (control, 60), which walk holds (90)" in str(list(stack.told))
    stronger = Cue("kick", kick.clip, tags={"right_leg": Tag(required=True, importance=95)})
    assert len(Stack(BODY).followed(WALK).layered(stronger, at=1.0).placed) == 2


def test_groups_are_shared_by_importance_unless_somebody_controls_them() -> None:
    lean = Cue("lean", held(posed(spine=(0.6, 0, 0)), seconds=2.0), tags={"torso": Tag("blend", True, 60)}, otherwise=0)
    stroll = Cue("stroll", held(posed(), seconds=4.0), tags={"torso": Tag("blend", False, 20)})
    stack = Stack(BODY).followed(stroll).layered(lean, at=0.5)
    assert stack.placed[-1].shares["torso"] == pytest.approx(0.75)
    assert stack.rough is not None
    middle = np.array([0.5 * (stack.placed[-1].entered + stack.placed[-1].until)])
    assert angles(stack.rough, stroll.clip, "spine", middle)[0] == pytest.approx(0.45, abs=0.01)
    strict = Cue("march", stroll.clip, tags={"torso": Tag("control", True, 20)})
    assert len(Stack(BODY).followed(strict).layered(lean, at=0.5).placed) == 1
    lax = Cue("lean", lean.clip, tags={"torso": Tag("blend", False, 60)}, otherwise=0)
    assert Stack(BODY).followed(strict).layered(lax, at=0.5).placed[-1].shares["torso"] == 0


def test_adding_puts_only_the_changes_on_top() -> None:
    shiver = Keyed(BODY).with_pose(0, posed(head=(1, 0, 0))).with_pose(1, posed(head=(1.2, 0, 0)))
    cue = Cue("shiver", shiver.with_pose(2, posed(head=(1.2, 0, 0))), tags={"head": Tag("add", True, 50)}, otherwise=0)
    base = Cue("stand", held(posed(), seconds=4.0), tags={"head": Tag("blend", False, 50)})
    rough = Stack(BODY).followed(base).layered(cue, at=0.5, seconds=0.4).rough
    assert rough is not None
    assert angles(rough, base.clip, "head", np.array([1.9]))[0] == pytest.approx(0.2, abs=0.02)


def test_who_goes_on_alone_takes_over_the_rest_and_the_goals_of_the_feet() -> None:
    foot = "left_foot"
    place = WorldState(BODY, posed()).point(foot)[0]
    pivot = Cue(
        "pivot", held(posed(head=(0, 0.4, 0)), seconds=1.5), (Place(foot, place, interval=(0, 1.5)),), otherwise=60
    )
    peer = Cue(
        "peer", held(posed(spine=(0.3, 0, 0)), seconds=3.0), (Place(foot, place, interval=(0, 3)),),
        {"head": Tag("control", True, 90)}, otherwise=10,
    )  # fmt: skip
    stack = Stack(BODY).followed(pivot).layered(peer, at=0.8, seconds=0.3)
    rough, placed = stack.rough, stack.placed[-1]
    assert rough is not None
    assert rough.end == pytest.approx(placed.until)
    assert angles(rough, pivot.clip, "spine", np.array([1.4]))[0] < 1e-6
    assert angles(rough, peer.clip, "spine", np.array([rough.end - 0.2]))[0] < 1e-6
    assert placed.goals[0].interval == (1.5, pytest.approx(placed.until))


def test_a_goal_that_is_needed_and_taken_is_refused() -> None:
    goal = Place("right_hand", (0.3, 1.2, 0.3), interval=(0.0, 3.0))
    first = Cue("carry", held(posed(), seconds=3.0), (goal,), otherwise=10)
    stack = Stack(BODY).followed(first)
    again = Cue(
        "reach", held(posed(), seconds=1.0), (delayed(goal, 0.0),), {"right_arm": Tag(required=True, importance=90)}
    )
    assert "needs Place of right_arm, which carry holds" in str(list(stack.layered(again, at=1.0).told))


def test_a_goal_is_achieved_when_it_is_asked_for() -> None:
    cue = Cue("reach", WAVE.clip, tags=ARM, achieve=0.6, release=1.0, otherwise=5)
    placed = Stack(BODY).followed(WALK).layered(cue, achieve_at=2.0).placed[-1]
    assert placed.entered == pytest.approx(2.0)
    assert placed.begin < 1.9
    assert placed.until == pytest.approx(2.4)


def test_the_moment_to_reach_is_when_the_body_is_near() -> None:
    gone = Keyed(BODY)
    for time, way in ((0.0, -2.0), (4.0, 2.0)):
        pose = posed()
        assert pose.root_translation is not None
        gone = gone.with_pose(time, pose.replace(root_translation=pose.root_translation + np.array([0, 0, way])))
    target = (0.3, 1.0, 1.0)
    assert closest_approach(gone, target) == pytest.approx(3.0, abs=0.1)
    moment = easiest_moment(gone, WAVE.clip, 0.5, target, reach=0.8, groups=("right_arm",))
    assert 2.2 < moment < 3.8


def test_a_pause_stretches_one_moment_and_what_holds_then() -> None:
    goals = (Place("left_hand", (0, 1, 0), interval=(0.2, 0.8)), Place("head", (0, 1.6, 0), interval=(1.0, 1.2)))
    cue = Cue("wave", WAVE.clip, goals, achieve=0.4, release=1.2)
    still = cue.paused(0.5, 2.0)
    assert still.clip.duration == pytest.approx(3.5)
    assert [goal.interval for goal in still.goals] == [(0.2, 2.8), (3.0, 3.2)]
    assert (still.achieve, still.release) == (0.4, pytest.approx(3.2))
    assert angles(still.clip, WAVE.clip, "right_upper_arm", np.array([0.3]))[0] < 1e-3
    late = still.clip.sample([1.0, 2.0]).rotations
    assert np.abs(late[0] - late[1]).max() < 0.02


def test_a_pose_is_held_as_far_as_the_next_motion_lets_it() -> None:
    squat = Cue("squat", held(posed(left_upper_leg=(-1, 0, 0), right_upper_leg=(-1, 0, 0))))
    pick = Cue(
        "pick", held(posed(right_upper_arm=(0, 0, -1))), tags={"right_arm": Tag("control", True, 100)}, otherwise=0
    )
    kept = Stack(BODY).followed(squat).followed(pick, hold=True, steps=False).rough
    let = Stack(BODY).followed(squat).followed(pick, steps=False).rough
    assert kept is not None
    assert let is not None
    at = np.array([kept.end - 0.1])
    last = squat.clip.at(1.0)
    hip = BODY.skeleton.index("left_upper_leg")
    assert quaternion.angle_between(kept.sample(at).rotations[0, hip], last.rotations[hip]) < 1e-6
    assert quaternion.angle_between(let.sample([let.end - 0.1]).rotations[0, hip], last.rotations[hip]) > 0.5


def test_what_makes_no_sense_is_said() -> None:
    with pytest.raises(UnknownNameError, match=r"blendd.*closest: 'blend'"):
        Tag("blendd")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="0 to 100"):
        Tag(importance=101)
    with pytest.raises(UnknownNameError, match="right_arms"):
        Cue("wave", WAVE.clip, tags={"right_arms": Tag()})
    with pytest.raises(InputError, match="one of both"):
        Stack(BODY).followed(WALK).layered(WAVE)
    with pytest.raises(InputError, match="nothing"):
        Stack(BODY).layered(WAVE, at=0.0)
    with pytest.raises(InputError, match=r"runs from 0 to 4 s"):
        Stack(BODY).followed(WALK).layered(WAVE, at=9.0)
