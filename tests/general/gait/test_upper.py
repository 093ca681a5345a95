"""What arms do while legs walk."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.general import at_rest, physique_of
from mummer.general.gait import gait
from mummer.general.gait.upper import arms_of, branching_arms_of
from mummer.general.solving import solve_intent
from mummer.ik import WorldState


def test_people_have_two_arms_that_stretch_and_fold() -> None:
    adult = physique_of(mm.zoo.body("adult"))
    assert [(arm.side, arm.folds) for arm in arms_of(adult)] == [(1, (0.0, 1.0)), (-1, (0.0, 1.0))]
    assert not branching_arms_of(adult)


def test_arms_with_several_hands_are_turned_and_no_hand_of_them_is_placed() -> None:
    physique = physique_of(mm.zoo.random_creature(3314))
    names = physique.character.skeleton.names
    assert {names[joint]: side for joint, side in branching_arms_of(physique)} == {
        "arm_1_left_upper": 1, "arm_1_right_upper": -1,
    }  # fmt: skip
    walk = gait(physique, style="run")
    wanted = walk.drive(at_rest(physique, np.linspace(2, 3, 31)))
    assert not any("hand" in names[joint] for joint in wanted.places)
    pose = WorldState(physique.character, solve_intent(wanted).to_pose())
    hand = names.index("arm_1_left_b_hand")
    shoulder = names.index("arm_1_left_upper")
    ahead = (pose.positions[:, hand] - pose.positions[:, shoulder])[:, 2] / physique.limb_lengths[hand]
    assert np.ptp(ahead) > 0.15


@pytest.mark.parametrize("seed", [3113, 3290])
def test_elbows_that_do_not_stretch_stay_bent(seed: int) -> None:
    physique = physique_of(mm.zoo.random_creature(seed))
    least = [arm.folds[0] for arm in arms_of(physique)]
    assert max(least) > 0.1
    walk = gait(physique, style="march")
    wanted = walk.drive(at_rest(physique, np.linspace(2, 3, 31)))
    state = WorldState(physique.character, solve_intent(wanted).to_pose())
    for arm in arms_of(physique):
        place = wanted.places[arm.hand].at(wanted.carried(arm.hand)[0])
        assert np.linalg.norm(state.positions[:, arm.hand] - place, axis=1).max() < 0.1 * arm.length
