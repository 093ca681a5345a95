"""Segues: how long they take, what shape they have, where feet go, and that limbs do not pass through the body."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import mummer as mm
from mummer.character import world_positions
from mummer.clip import Annotated, Keyed, Mark
from mummer.errors import InputError, UnknownNameError
from mummer.ik import Place, WorldState, push_out, solve
from mummer.stage import Durations, Example, Gap, Leap, gap_between, group_seconds, joined, learn, segue, shipped
from mummer.stage.clearance import DEEP, depth_of
from mummer.stage.durations import ALL, kind_of
from mummer.stage.segue import GEOMETRIES
from mummer.stage.stepper import steps_between
from mummer.stage.timing import LONGEST, SHORTEST
from tests.clip.strategies import assert_same_poses
from tests.stage.motions import held, moved, posed

RAISED = {"left_upper_arm": (0.0, 0.0, 1.0)}


def test_only_what_moves_is_timed_and_further_takes_longer() -> None:
    near, far = (held(posed(left_upper_arm=(0, 0, angle))) for angle in (0.2, 1.2))
    still = held(posed())
    for timing in ("fast", "learned"):
        short, long = (group_seconds(gap_between(still, clip, 1.0, 0.0), timing) for clip in (near, far))
        assert set(short) == set(long) == {"left_arm"}
        assert long["left_arm"] > short["left_arm"]


def test_the_prototype_times_constant_and_proportional_transitions() -> None:
    first, second = held(posed(left_upper_arm=(0, 0, 0.5))), moved(posed(), posed(**RAISED))
    gap = gap_between(first, second, 1.0, 0.5)
    assert gap.seconds == 0.5
    assert group_seconds(gap, "constant") == {"left_arm": 0.5}
    share = gap.groups["left_arm"].distance / gap.groups["left_arm"].prototype
    assert 0.3 < share < 0.8
    assert group_seconds(gap, "proportional")["left_arm"] == pytest.approx(0.5 * share)


def test_a_group_that_stood_still_in_the_prototype_is_not_measured_by_it() -> None:
    gap = Gap({"left_arm": Leap(0.4, 0.0, 0.4), "right_leg": Leap(0.4, 0.0, 1e-4)}, 0.5)
    assert set(group_seconds(gap, "proportional")) == {"left_arm"}
    assert joined({}, "mean", gap) == joined(group_seconds(gap, "learned"), "mean", gap)


def test_groups_are_joined_by_the_fastest_legal_the_mean_or_the_slowest() -> None:
    known = Durations({ALL: (0.0, 0.0, 0.0)}, (0.0, 0.0), {ALL: 1.0})
    gap = Gap({"left_arm": Leap(0.3, 0, 0), "right_leg": Leap(0.5, 0, 0)}, 0.0)
    times = {"left_arm": 0.2, "right_leg": 0.8}
    assert joined(times, "slowest", gap, known) == 0.8
    assert joined(times, "fastest-legal", gap, known) == 0.5
    assert 0.2 < joined(times, "mean", gap, known) < 0.8
    assert joined({"left_arm": 99.0}, "slowest", gap, known) == LONGEST
    assert joined({}, "mean", Gap({}, 0.0), known) == SHORTEST


def test_what_is_learned_is_what_was_shown() -> None:
    shown = [
        Example("left_leg", distance, speed, 0.4 * (distance + 0.03) ** 0.5 * (speed + 0.03) ** -0.25)
        for distance in (0.05, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0)
        for speed in (0.0, 0.1, 0.3, 0.6, 1.0, 2.0)
    ]
    known = learn(shown, {ALL: 5.0})
    assert known.seconds("right_leg", 0.5, 0.5) == pytest.approx(0.4 * 0.53**0.5 * 0.53**-0.25, rel=0.1)
    slower = known.corrected([Example("left_leg", 0.5, 0.5, 2 * known.seconds("left_leg", 0.5, 0.5))])
    assert slower.seconds("left_leg", 0.2, 0.1) == pytest.approx(2 * known.seconds("left_leg", 0.2, 0.1))
    with pytest.raises(InputError, match="at least one"):
        learn([], {})


def test_left_and_right_and_any_row_are_one_kind() -> None:
    assert [kind_of(name) for name in ("left_leg", "hind_right_leg", "leg_3_left", "waist")] == ["leg"] * 3 + ["waist"]
    assert shipped().limit("leg_3_left") == shipped().limit("left_leg")


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_every_shape_leaves_and_enters_exactly_and_smoothly(geometry: str) -> None:
    first, second = moved(posed(), posed(head=(0.3, 0, 0))), moved(posed(), posed(**RAISED))
    warp = ("left_arm",) if geometry == "warp-named" else ()
    made = segue(first, second, exit=0.6, entry=0.4, geometry=geometry, warp=warp, seconds=0.5)
    assert made.seconds == pytest.approx(0.5)
    assert_same_poses(made.glue.sample([0.6, 1.1]), mm.Pose.stack([first.at(0.6), second.at(0.4)]), 1e-6)
    whole = made.whole
    assert whole.duration == pytest.approx(0.6 + 0.5 + second.end - 0.4)
    fine = world_positions(whole.body.skeleton, whole.sample(np.arange(0.3, 1.4, 1 / 240)))
    jumps = np.abs(np.diff(fine, 3, axis=0)).max(axis=(1, 2))
    if geometry != "blend":
        assert jumps.max() < 2e-3


def test_marks_say_where_to_leave_and_enter() -> None:
    first = Annotated(held(posed()), (Mark(0.7, "release"),))
    second = Annotated(moved(posed(), posed(**RAISED)), (Mark(0.5, "achieve"),))
    made = segue(first, second)
    assert (made.exit, made.entry) == (0.7, 0.5)
    assert set(made.by_group) == {"left_arm"}


def test_a_foot_that_has_to_be_elsewhere_steps_and_the_other_stays() -> None:
    body = mm.zoo.body("adult")
    assert body.anatomy is not None
    spread = posed(left_upper_leg=(0, 0, 0.25), left_foot=(0, 0, -0.25))
    assert spread.root_translation is not None
    foot, other = (body.anatomy.roles[f"{side}_foot"] for side in ("left", "right"))
    made = segue(held(posed()), held(spread), exit=1.0, entry=0.0)
    assert [step.foot.heel for step in made.steps if step.is_step] == [foot]
    state = WorldState(body, made.whole.sample(made.glue.times(60)))
    still = state.positions[:, other]
    assert np.abs(still - still[0]).max() < 1e-3
    path = state.positions[:, foot]
    straight = path[0] + np.linspace(0, 1, len(path))[:, None] * (path[-1] - path[0])
    assert (path - straight)[:, 1].max() > 0.03
    without = segue(held(posed()), held(spread), exit=1.0, entry=0.0, steps=False)
    assert without.steps == ()


def test_feet_stand_on_bodies_that_rest_with_their_hips_at_the_origin() -> None:
    body = mm.zoo.body("adult")
    assert body.anatomy is not None
    sunk = body.skeleton.rest_translations.copy()
    drop = float(sunk[0, 1])
    sunk[0, 1] = 0.0
    skeleton = dataclasses.replace(body.skeleton, rest_translations=sunk)
    anatomy = dataclasses.replace(body.anatomy, ground=body.anatomy.ground - drop)
    low = body.replace(skeleton=skeleton, anatomy=anatomy, default_pose=mm.Pose.rest(skeleton))
    standing = body.default_pose
    clip = Keyed(low).with_pose(0, standing).with_pose(1, standing)
    plan, _ = steps_between(clip, clip, 1.0, 0.0, 0.5)
    assert len(plan) == 2


def test_a_hand_goes_around_the_body_rather_than_through_it() -> None:
    body = mm.zoo.body("adult")
    places = ((-0.05, 1.1, -0.25), (0.05, 1.15, 0.28))
    back, front = (push_out(body, solve(body, [Place("left_hand", at)], root="fixed").pose).pose for at in places)
    straight = segue(held(back), held(front), exit=1.0, entry=0.0, seconds=0.8, clear=False, steps=False)
    led = segue(held(back), held(front), exit=1.0, entry=0.0, seconds=0.8, steps=False)
    assert depth_of(straight.glue)[0] > 2 * DEEP
    assert depth_of(led.glue)[0] <= DEEP
    assert "left_arm" in led.around
    assert_same_poses(led.glue.sample([1.0, 1.8]), straight.glue.sample([1.0, 1.8]), 1e-6)


def test_wrong_ways_are_named() -> None:
    clip = held(posed())
    with pytest.raises(UnknownNameError, match=r"hermit.*closest: 'hermite'"):
        segue(clip, clip, geometry="hermit")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match=r"fastt.*closest: 'fast'"):
        segue(clip, clip, timing="fastt")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="at least one name in warp"):
        segue(clip, clip, geometry="warp-named")
