"""Footholds are found where feet stand, and goals hold feet there."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.clip import Mark
from mummer.clip.text import from_text, to_text
from mummer.errors import InputError, MalformedFileError
from mummer.ik import BodyPoint, HalfSpace, Place, WorldState
from mummer.ik.constraints import footholds, keep_contacts, planted, with_footholds
from mummer.ik.constraints.plant import Stand, stands_of
from tests.clip.stepper import FEET, gait, stepper, true_contacts
from tests.ik.constraints.walker import walker

WALK = walker()


@pytest.mark.parametrize("size", [0.1, 1.0, 5.0])
def test_footholds_lie_within_contacts(size: float) -> None:
    clip = gait(stepper(size), size=size)
    for name in FEET:
        found = [mark for mark in footholds(clip, feet=FEET) if mark.name == f"{name} heel_down"]
        truth = true_contacts(name)
        assert len(found) == len(truth)
        for mark, (begin, end) in zip(found, truth, strict=True):
            assert begin - 0.05 <= mark.time < mark.until <= end + 0.05
            assert mark.until - mark.time > 0.8 * (end - begin) - 0.05


def test_a_foot_without_toes_has_a_heel_alone() -> None:
    clip = gait(stepper(toes=False))
    assert {mark.name.split()[1] for mark in footholds(clip, feet=FEET)} == {"heel_down"}


def test_marks_stay_with_what_is_made_of_the_clip() -> None:
    clip = with_footholds(gait(stepper()), feet=FEET)
    assert len(keep_contacts(clip.trimmed(1.0, 2.0))) < len(keep_contacts(clip))


def test_heel_and_toes_make_one_stand() -> None:
    marks = [
        Mark(1.0, "foot heel_down", 1.3), Mark(1.1, "foot toe_down", 1.5), Mark(2.0, "foot toe_down", 2.2),
        Mark(2.1, "foot toe_down", 2.4), Mark(3.0, "foot heel_down", 3.1), Mark(5.0, "other heel_strike"),
    ]  # fmt: skip
    assert stands_of(marks) == {
        "foot": [Stand((1.0, 1.3), (1.1, 1.5)), Stand(None, (2.0, 2.4)), Stand((3.0, 3.1), None)]
    }
    assert Stand((1.0, 1.3), (1.1, 1.5)).flat == (1.1, 1.3)
    assert Stand((1.0, 1.1), (1.15, 1.5)).flat == (1.1, 1.15)


def test_goals_are_a_stiff_foot_at_its_mean_place() -> None:
    goals = keep_contacts(WALK)
    heel, ball = (
        next(goal for goal in goals if isinstance(goal.part, kind) and goal.interval[0] > 1.2)
        for kind in (str, BodyPoint)
    )
    apart = np.linalg.norm(np.asarray(heel.at) - np.asarray(ball.at))
    assert apart == pytest.approx(np.linalg.norm(ball.part.offset))
    times = np.linspace(ball.interval[0], heel.interval[1], 50)
    mean = WorldState(WALK.body, WALK.sample(times)).point(heel.part).mean(axis=0)
    assert heel.at == pytest.approx(mean, abs=2e-3)


def test_feet_on_a_given_ground() -> None:
    goals = keep_contacts(WALK, ground=0.3)
    balls = [goal for goal in goals if isinstance(goal.part, BodyPoint)]
    rest = WorldState(WALK.body, WALK.body.default_pose).point(balls[0].part)[0, 1]
    assert {round(float(goal.at[1]), 9) for goal in balls} == {round(0.3 + rest - WALK.body.anatomy.ground, 9)}


def test_a_floor_keeps_feet_from_sinking() -> None:
    goals = keep_contacts(WALK, floor=True)
    floors = [goal for goal in goals if isinstance(goal, HalfSpace)]
    stands = [goal for goal in goals if isinstance(goal, Place)]
    assert len(floors) == 4
    times = WALK.times(60.0)
    before, after = (WorldState(WALK.body, clip.sample(times)) for clip in (WALK, planted(WALK, floor=True)))
    assert max(goal.error(before).max() for goal in floors) > 0.01
    # While its heel stands a ball may be a little low, as in the motion.
    assert max(goal.error(after).max() for goal in floors) < 2e-3
    held = [np.where(goal.active(len(times), times), goal.error(after, times), 0.0).max() for goal in stands]
    assert max(held) < 1e-5


def test_contacts_of_another_origin_hold_the_ball() -> None:
    (goal,) = keep_contacts(WALK, contacts=[Mark(1.0, "left_foot contact", 1.4)])
    assert isinstance(goal.part, BodyPoint)
    assert goal.interval == (1.0, 1.4)


def test_feet_must_be_known() -> None:
    with pytest.raises(InputError, match="which joints of 'stepper' are feet is not known"):
        planted(gait(stepper()))


def test_texts_know_goals() -> None:
    clip = planted(WALK, ease=0.3)
    text = to_text(clip, bodies={"adult": WALK.body})
    again = from_text(text, bodies={"adult": WALK.body})
    assert "Place(" in text
    assert "weight" not in text
    assert to_text(again, bodies={"adult": WALK.body}) == text
    times = clip.times(20.0)
    assert np.array_equal(again.sample(times).rotations, clip.sample(times).rotations)


def test_goals_in_texts_are_told_by_name() -> None:
    soft = planted(WALK).__class__(WALK, (Place("left_hand", (0.0, 1.0, 0.0), weight=0.5, interval=(1.0, 2.0)),))
    text = to_text(soft, bodies={"adult": WALK.body})
    assert 'Place("left_hand", (0.0, 1.0, 0.0), weight=0.5, interval=(1.0, 2.0))' in text
    with pytest.raises(MalformedFileError, match="Place takes 3 values, not 4"):
        from_text(text.replace("weight=0.5, interval=(1.0, 2.0)", '"xyz", 0.5'), bodies={"adult": WALK.body})


def test_a_foot_that_is_set_down_again_at_once_stands_with_the_toes_of_that_time() -> None:
    spells = {"toe_down": [(0.0, 1.0), (1.08, 2.0)], "heel_down": [(1.09, 2.0)]}
    marks = [Mark(begin, f"left_foot {part}", end) for part, each in spells.items() for begin, end in each]
    assert stands_of(marks) == {"left_foot": [Stand(None, (0.0, 1.0)), Stand((1.09, 2.0), (1.08, 2.0))]}
