"""Feet that hang beside their body, as handles do, are brought where goals have them by the legs they belong to."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character
from mummer.character.whole import put_together, whole_of
from mummer.clip import Still
from mummer.ik import Constrained, Goal, Place, WorldState, solve
from mummer.ik.loose import whole_for


@pytest.fixture(scope="module")
def loose_dog() -> Character:
    dog = mm.zoo.body("dog")
    roles = [f"{end}_{side}_foot" for end in ("front", "hind") for side in ("left", "right")]
    return put_together(dog, {dog.anatomy.joint(role): 0 for role in roles}).character


def goals_of(body: Character) -> list[Goal]:
    """A front foot forward and up, all others where they are."""
    state = WorldState(body, body.default_pose)
    feet = [f"{end}_{side}_foot" for end in ("front", "hind") for side in ("left", "right")]
    away = {"front_left_foot": np.array([0.0, 0.05, 0.06])}
    return [Place(role, state.positions[0, body.anatomy.joint(role)] + away.get(role, 0.0)) for role in feet]


def shin_of(body: Character, state: WorldState) -> float:
    foot, lower = (body.anatomy.joint(f"front_left_{part}") for part in ("foot", "lower"))
    return float(np.linalg.norm(state.positions[0, foot] - state.positions[0, lower]))


@pytest.mark.parametrize("way", ["clip", "pose"])
def test_a_foot_that_hangs_elsewhere_goes_where_it_shall_and_its_leg_with_it(loose_dog: Character, way: str) -> None:
    goals = goals_of(loose_dog)
    assert whole_for(loose_dog, goals) is not None
    still = Still(loose_dog, loose_dog.default_pose, 1.0)
    made = Constrained(still, tuple(goals)).sample([0.5]) if way == "clip" else solve(loose_dog, goals).pose
    state = WorldState(loose_dog, made)
    assert max(float(goal.error(state, np.array([0.5])).max()) for goal in goals) < 1e-3
    rest = WorldState(loose_dog, loose_dog.default_pose)
    assert shin_of(loose_dog, state) == pytest.approx(shin_of(loose_dog, rest), abs=1e-6)


def test_poses_put_together_and_taken_apart_are_what_they_were(loose_dog: Character) -> None:
    whole = whole_of(loose_dog)
    assert whole is not None
    pose = mm.perform(loose_dog, "walk").sample(np.linspace(0.5, 1.0, 4))
    again = WorldState(loose_dog, whole.taken_apart(whole.put_together(pose)))
    # Between two frames of a recording feet that hang elsewhere are a little off their legs.
    np.testing.assert_allclose(again.positions, WorldState(loose_dog, pose).positions, atol=2e-3)


def test_who_is_asked_nothing_of_what_hangs_elsewhere_is_left_as_it_came(loose_dog: Character) -> None:
    assert whole_for(loose_dog, [Place("head", (0.0, 0.5, 0.5))]) is None
    assert whole_for(mm.zoo.body("dog"), goals_of(mm.zoo.body("dog"))) is None
