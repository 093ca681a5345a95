"""Constrained clips: goals met at every frame, the rest kept, the same answer in any order."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import violations
from mummer.clip import Clip, Mark
from mummer.clip.analysis.feet import known_feet
from mummer.errors import InputError, UnknownNameError
from mummer.ik import Aim, BodyPoint, CenterOfMass, HalfSpace, Moving, Orient, Place, WorldState
from mummer.ik.constraints import Constrained, keep_contacts
from mummer.ik.constraints.unit import limb_goals
from mummer.math import quaternion
from tests.clip.strategies import assert_same_poses
from tests.ik.constraints.measures import judge, place_accelerations, worst_miss
from tests.ik.constraints.walker import walker

WALK = walker()
FEET = keep_contacts(WALK)
LEGS = [joint for role, joint in WALK.body.anatomy.roles.items() if "leg" in role or "foot" in role or "toes" in role]


def state_at(clip: Clip, times: np.ndarray) -> WorldState:
    return WorldState(clip.body, clip.sample(times))


def hand(dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, *, when: tuple[float, float] = (1.7, 1.8)) -> Place:
    """The right hand held in the air, that far from where it is halfway."""
    middle = np.array([0.5 * (when[0] + when[1])])
    return Place("right_hand", state_at(WALK, middle).point("right_hand")[0] + (dx, dy, dz), interval=when)


def test_feet_stand_and_nothing_jumps() -> None:
    made = Constrained(WALK, FEET)
    assert made.chosen == "limbs"
    found = judge(WALK, made, FEET, LEGS)
    assert found.missed < 1e-5
    assert found.lowered < 0.1
    # A made walk is smoother than any recording; beside it no correction is free, nor is an ankle at its limit.
    assert found.anywhere < 3.0


def test_without_easing_it_jumps() -> None:
    sudden = judge(WALK, Constrained(WALK, FEET, ease=0.0), FEET, LEGS)
    eased = judge(WALK, Constrained(WALK, FEET), FEET, LEGS)
    assert sudden.anywhere > 3 * eased.anywhere


@pytest.mark.parametrize("goals", [FEET, (hand(0.1, 0.1, 0.1), Aim("head", at=(3.0, 1.5, 3.0), interval=(1.0, 2.0)))])
def test_the_answer_does_not_depend_on_order_or_company(goals: tuple) -> None:
    made = Constrained(WALK, goals)
    times = made.times(60.0)
    whole = made.sample(times)
    order = np.random.default_rng(3).permutation(len(times))
    shuffled = Constrained(WALK, goals).sample(times[order])
    assert np.array_equal(shuffled.rotations, whole.rotations[order])
    one = made.sample(times[[70]])
    assert_same_poses(one, whole[[70]], 1e-9)


def test_only_what_goals_speak_of_moves() -> None:
    made = Constrained(WALK, (hand(0.05, 0.12, 0.0),))
    assert made.chosen == "limbs"
    times = WALK.times(30.0)
    before, after = WALK.sample(times), made.sample(times)
    arm = [WALK.body.anatomy.roles[f"right_{part}"] for part in ("upper_arm", "forearm", "hand")]
    others = np.setdiff1d(np.arange(len(WALK.body.skeleton)), arm)
    assert np.array_equal(before.rotations[:, others], after.rotations[:, others])
    assert np.array_equal(before.root_translation, after.root_translation)
    far = (times < 1.0) | (times > 2.5)
    assert quaternion.angle_between(before.rotations[far], after.rotations[far]).max() < 1e-5


def test_translations_morphs_and_marks_stay() -> None:
    clip = walker(stretched=True, morphs=3)
    made = Constrained(clip, keep_contacts(clip))
    times = clip.times(30.0)
    before, after = clip.sample(times), made.sample(times)
    assert np.array_equal(before.morphs, after.morphs)
    assert np.array_equal(before.translations[:, 1:], after.translations[:, 1:])
    assert made.marks == clip.marks
    assert np.array_equal(made.defined, clip.defined)
    assert worst_miss(WorldState(clip.body, after), times, made.goals) < 1e-5


def test_no_goals_is_the_clip() -> None:
    times = WALK.times(30.0)
    assert np.array_equal(Constrained(WALK, ()).sample(times).rotations, WALK.sample(times).rotations)


def test_an_arm_that_does_not_reach_takes_the_body_along() -> None:
    goal = hand(0.3, 0.5, 0.6)
    made = Constrained(WALK, (goal,))
    assert made.chosen == "whole_body"
    times = WALK.times(60.0)
    assert worst_miss(state_at(made, times), times, (goal,)) < 2e-3
    limbs = Constrained(WALK, (goal,), solver="limbs")
    assert worst_miss(state_at(limbs, times), times, (goal,)) > 0.05


@pytest.mark.parametrize("share", [0.99, 1.005])
def test_an_arm_that_is_stretched_out_takes_the_body_along(share: float) -> None:
    state, roles = state_at(WALK, np.array([1.75])), WALK.body.anatomy.roles
    shoulder, elbow = (state.positions[0, roles[role]] for role in ("right_upper_arm", "right_forearm"))
    wrist = state.point("right_hand")[0]
    length = np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow)
    away = (wrist - shoulder) / np.linalg.norm(wrist - shoulder)
    goal = Place("right_hand", shoulder + share * length * away, interval=(1.7, 1.8))
    times = WALK.times(60.0)
    assert worst_miss(state_at(Constrained(WALK, (goal,), solver="limbs"), times), times, (goal,)) > 2e-3
    assert worst_miss(state_at(Constrained(WALK, (goal,)), times), times, (goal,)) < 1e-4


def test_moving_targets_and_turns() -> None:
    way = state_at(WALK, np.array([1.4, 1.6, 1.8])).point("left_hand") + np.array([0.05, 0.1, 0.05])
    turn = quaternion.exp([0.0, 0.4, 0.0])
    goals = (
        Place("left_hand", Moving([1.4, 1.6, 1.8], way), interval=(1.4, 1.8)),
        Orient("left_hand", turn, interval=(1.4, 1.8)),
    )
    made = Constrained(WALK, goals)
    # The wrist cannot turn so far; the arm must swivel.
    assert made.chosen == "whole_body"
    times = WALK.times(120.0)
    state = state_at(made, times)
    assert worst_miss(state, times, goals[:1]) < 1e-4
    assert worst_miss(state, times, goals[1:]) < 1e-3
    steady = place_accelerations(state, 1 / 120).max() / place_accelerations(state_at(WALK, times), 1 / 120).max()
    assert steady < 4.0


def test_a_turn_alone_leaves_the_hand_where_it_is() -> None:
    goal = Orient("left_hand", (0.0, 0.0, 0.0, 1.0), interval=(1.4, 1.8))
    made = Constrained(WALK, (goal,), solver="limbs")
    times = WALK.times(60.0)
    before, after = state_at(WALK, times), state_at(made, times)
    assert worst_miss(after, times, (goal,)) < 1e-3
    assert np.abs(before.point("left_hand") - after.point("left_hand")).max() < 0.05


def test_feet_are_kept_above_a_floor() -> None:
    floor = float(state_at(WALK, WALK.times(60.0)).point("left_foot")[:, 1].min()) + 0.02
    goal = HalfSpace("left_foot", distance=floor)
    made = Constrained(WALK, (goal,))
    assert made.chosen == "limbs"
    times = WALK.times(60.0)
    heights = state_at(made, times).point("left_foot")[:, 1]
    assert heights.min() > floor - 1e-6
    # The hips go along a little, and the foot with them.
    assert np.allclose(heights, state_at(WALK, times).point("left_foot")[:, 1], atol=0.025)


def test_the_hips_come_down_rather_than_a_leg_stretch() -> None:
    low = state_at(WALK, np.array([1.6])).point("left_foot")[0] - [0.0, 0.12, 0.0]
    goal = Place("left_foot", low, interval=(1.5, 1.7))
    made = Constrained(WALK, (goal,))
    times = WALK.times(60.0)
    state = state_at(made, times)
    assert worst_miss(state, times, (goal,)) < 1e-3
    assert np.min(state.positions[:, 0, 1] - state_at(WALK, times).positions[:, 0, 1]) < -0.05


def test_many_legs() -> None:
    spider = mm.zoo.body("spider")
    from mummer.clip import Still

    clip = Still(spider, spider.default_pose, 2.0)
    roots = state_at(clip, np.array([0.0]))
    names = [spider.skeleton.names[joint] for joint in spider.anatomy.capabilities["foot"]]
    goals = tuple(
        Place(name, roots.point(name)[0] + [0.01 * place, 0.0, 0.01], interval=(0.5, 1.5))
        for place, name in enumerate(names)
    )
    made = Constrained(clip, goals)
    assert made.chosen == "limbs"
    times = clip.times(30.0)
    assert worst_miss(state_at(made, times), times, goals) < 1e-4


def test_methods_of_clips() -> None:
    times = WALK.times(30.0)
    assert_same_poses(WALK.constrained(*FEET).sample(times), Constrained(WALK, FEET).sample(times))
    assert_same_poses(WALK.planted().sample(times), Constrained(WALK, FEET).sample(times))


def test_bad_input() -> None:
    with pytest.raises(UnknownNameError, match=r"left_hnad.*left_hand"):
        Constrained(WALK, (Place("left_hnad", (0, 0, 0)),))
    with pytest.raises(UnknownNameError, match=r"solver 'limb'.*limbs"):
        Constrained(WALK, FEET, solver="limb")
    with pytest.raises(InputError, match="eased over -1 s"):
        Constrained(WALK, FEET, ease=-1.0)


def test_of_two_goals_for_one_place_the_later_has_its_way() -> None:
    foothold = next(goal for goal in FEET if goal.part == "left_foot")
    begin, end = foothold.interval
    tweak = Place("left_foot", np.add(foothold.at, (0.03, 0.02, 0.0)), interval=(begin + 0.1, end - 0.1))
    made = Constrained(WALK, (*FEET, tweak))
    # The ball cannot stay where it stood, either.
    assert {goal.interval[0] for goal in made.overruled} == {begin, begin + 0.05}
    times = WALK.times(120.0)
    state = state_at(made, times)
    assert worst_miss(state, times, (tweak,)) < 1e-5
    others = [goal for goal in FEET if goal not in made.overruled]
    assert worst_miss(state, times, others) < 1e-5
    assert worst_miss(state, times, (foothold,)) == pytest.approx(np.hypot(0.03, 0.02), abs=5e-3)
    sudden = place_accelerations(state_at(Constrained(WALK, (*FEET, tweak), ease=0.0), times), 1 / 120).max()
    assert place_accelerations(state, 1 / 120).max() < 0.5 * sudden


def test_soft_goals_contradict_nothing() -> None:
    goals = (hand(), Place("right_hand", (0.0, 1.0, 0.0), weight=0.1, interval=(1.7, 1.8)))
    assert Constrained(WALK, goals).overruled == ()


LIMITED = pytest.mark.parametrize(
    "goals",
    [
        FEET,
        (*FEET, hand(0.3, 0.5, 0.6), Aim("head", at=(3.0, 1.5, 3.0), interval=(1.0, 2.0))),
        (Orient("left_hand", (0.0, 0.0, 0.0, 1.0), interval=(1.4, 1.8)),),
    ],
    ids=["feet", "mixed", "turned"],
)


@LIMITED
def test_no_joint_goes_farther_past_its_limits_than_it_was(goals: tuple) -> None:
    times, body = WALK.times(60.0), WALK.body
    before, after = (
        violations(body.limits, body.skeleton, clip.sample(times)) for clip in (WALK, Constrained(WALK, goals))
    )
    assert np.max(after - before) < 1e-6


def test_everything_at_once() -> None:
    """Feet stand, a hand reaches far, the head looks, the balance is kept: all of it met, and nothing jumps."""
    way = hand(0.3, 0.5, 0.6)
    goals = (
        *FEET,
        way,
        Aim("head", at=(3.0, 1.5, 3.0), interval=(1.0, 2.0)),
        CenterOfMass(_center(), interval=(1.7, 1.8)),
    )
    made = Constrained(WALK, goals)
    times = WALK.times(120.0)
    state = state_at(made, times)
    assert made.chosen == "whole_body"
    assert worst_miss(state, times, goals) < 1e-3
    sudden = place_accelerations(state_at(Constrained(WALK, goals, ease=0.0), times), 1 / 120).max()
    assert place_accelerations(state, 1 / 120).max() < 0.2 * sudden


def _center() -> np.ndarray:
    return state_at(WALK, np.array([1.75])).center_of_mass[0] + [0.02, 0.0, 0.01]


def test_a_goal_beyond_the_clip_does_nothing() -> None:
    goal = Place(BodyPoint("left_hand", (0, 0.1, 0)), (0, 0, 0), interval=(50.0, 60.0))
    times = WALK.times(30.0)
    assert_same_poses(Constrained(WALK, (goal,)).sample(times), WALK.sample(times))


def test_a_limb_that_is_all_but_where_it_should_be_keeps_its_bend() -> None:
    """A leg that bends the other way for a while, as one does that gets up, is not folded over for a millimetre."""
    clip = mm.act("zoo:centaur", "stand").rough
    times = clip.times(60.0)
    given = state_at(clip, times)
    feet = [clip.body.anatomy.roles[f"front_{side}_foot"] for side in ("left", "right")]
    goals = tuple(Place(foot, Moving(times, given.positions[:, foot] + (0.0, 0.001, 0.0))) for foot in feet)
    made = state_at(Constrained(clip, goals), times)
    assert np.linalg.norm(made.positions - given.positions, axis=-1).max() < 0.02


def test_jaws_are_not_folded_about_the_head() -> None:
    clip = mm.perform("zoo:dog", "wave")
    mouth = clip.body.anatomy.roles["jaw"]
    at = state_at(clip, np.array([0.5])).positions[0, mouth]
    assert not limb_goals(clip, [Place(mouth, np.add(at, (0.0, 0.05, 0.0)))])
    assert limb_goals(clip, [Place("front_left_foot", at)])
    # Nor about a neck that carries it.
    long = mm.perform("random:721", "nod")
    mouth = long.body.anatomy.roles["jaw"]
    assert not limb_goals(long, [Place(mouth, state_at(long, np.array([0.5])).positions[0, mouth])])


def test_a_piece_between_two_others_is_bent_in_its_midst_alone() -> None:
    piece = WALK.trimmed(0.5, 2.0)
    feet = [foot.heel for foot in known_feet(piece.body)]
    ends = np.array([piece.start, piece.end])
    places = state_at(piece, ends).positions
    goals = [Place(heel, Moving(ends, places[:, heel])) for heel in feet]
    made = {way: Constrained(piece, tuple(goals), solver=way) for way in ("limbs", "between")}  # type: ignore[arg-type]
    near = np.concatenate([end + side * np.array([0.0, 1e-3]) for end, side in zip(ends, (1, -1), strict=True)])
    off = {way: np.linalg.norm(state_at(each, near).positions - state_at(piece, near).positions, axis=-1)
           for way, each in made.items()}  # fmt: skip
    assert off["between"][[0, 2]].max() < 1e-6 < 1e-3 < off["limbs"][[0, 2]].max()
    assert off["between"].max() < 1e-2 * np.linalg.norm(places[1] - places[0], axis=-1).max()
    middle = np.array([0.5 * ends.sum()])
    assert max(float(goal.error(state_at(made["between"], middle), middle).max()) for goal in goals) < 1e-3


@pytest.mark.parametrize("solver", ["limbs", "between", "limbs_alone"])
def test_limbs_alone_leave_what_no_limb_meets(solver: str) -> None:
    """A head is no limb of two segments: what is asked of it is missed, and nothing breaks."""
    raised = state_at(WALK, np.array([1.0])).point("head")[0] + np.array([0.0, 0.2, 0.0])
    goals = (*FEET, Place("head", raised, interval=(0.9, 1.1)))
    made = Constrained(WALK, goals, solver=solver)  # type: ignore[arg-type]
    times = made.times(30.0)
    state = state_at(made, times)
    assert np.all(np.isfinite(state.positions))
    assert worst_miss(state, times, goals) > 0.05
    if solver == "limbs_alone":
        assert worst_miss(state, times, FEET) < 1e-3


def test_a_goal_that_lasts_is_looked_at_all_along() -> None:
    """A dog that looks about stands for five seconds, in one of which its front legs cannot do without its body."""
    clip = mm.perform("zoo:dog", "look_around")
    marks = [Mark(clip.start, f"{end}_{side}_foot {part}", clip.end) for end in ("front", "hind")
             for side in ("left", "right") for part in ("heel_down", "toe_down")]  # fmt: skip
    made = Constrained(clip, keep_contacts(clip, contacts=marks))
    times = clip.times(60.0)
    state = state_at(made, times)
    assert max(float(goal.error(state, times).max()) for goal in made.goals) < 5e-4
