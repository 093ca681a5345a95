"""A limb reaches what it can, keeps its lengths, and never snaps."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.clip import Still
from mummer.ik import Place, WorldState
from mummer.ik.constraints.limb import LEAST_BEND, allowed_length, bend_limb, hinge_bend
from mummer.ik.constraints.unit import _usual_axis, limb_goals
from mummer.ik.limb_joints import find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion
from tests.clip.strategies import seeds

DOWN, FORTH, AXIS = np.array([0.0, -1.0, 0.0]), np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


def leg(bend: np.ndarray, lengths: tuple[float, float] = (0.45, 0.4)) -> tuple[np.ndarray, ...]:
    """Legs hanging from the origin, knees bent by ``bend`` (T,) radians to the back."""
    base = np.zeros((len(bend), 3))
    middle = base + lengths[0] * DOWN
    away = np.cos(bend)[:, None] * DOWN - np.sin(bend)[:, None] * FORTH
    return base, middle, middle + lengths[1] * away


def moved(base: np.ndarray, middle: np.ndarray, tip: np.ndarray, bend) -> tuple[np.ndarray, np.ndarray]:
    """Where knee and ankle come to be."""
    knee = base + quaternion.rotate(bend.base_turn, middle - base)
    whole = quaternion.multiply(bend.base_turn, bend.middle_turn)
    return knee, knee + quaternion.rotate(whole, tip - middle)


@given(seed=seeds)
def test_targets_in_reach_are_met(seed: int) -> None:
    rng = np.random.default_rng(seed)
    base, middle, tip = leg(rng.uniform(0.4, 2.0, 20))
    target = 0.8 * rng.uniform(0.1, 1.0, (20, 1)) * quaternion.rotate(quaternion.random(rng, (20,)), DOWN)
    found = bend_limb(base, middle, tip, target, np.broadcast_to(AXIS, (20, 3)), np.ones(20))
    knee, ankle = moved(base, middle, tip, found)
    reach = np.maximum(np.linalg.norm(target, axis=1), 0.05 + 1e-6)
    assert np.linalg.norm(ankle, axis=1) == pytest.approx(reach, abs=1e-6)
    assert np.linalg.norm(ankle - target, axis=1)[reach > 0.051].max(initial=0.0) < 1e-9
    assert np.linalg.norm(knee, axis=1) == pytest.approx(np.full(20, 0.45))
    assert found.tip == pytest.approx(ankle, abs=1e-9)


def test_nothing_asked_is_nothing_done() -> None:
    base, middle, tip = leg(np.linspace(0.4, 2.0, 10))
    found = bend_limb(base, middle, tip, tip, np.broadcast_to(AXIS, (10, 3)), np.ones(10))
    for turn in (found.base_turn, found.middle_turn):
        assert quaternion.angle(turn).max() < 0.02


def test_without_care_a_straight_limb_stays_as_it_is() -> None:
    base, middle, tip = leg(np.linspace(-0.3, 0.3, 61))
    found = bend_limb(base, middle, tip, tip, np.broadcast_to(AXIS, (61, 3)), np.zeros(61))
    for turn in (found.base_turn, found.middle_turn):
        assert quaternion.angle(turn).max() < 1e-5


def test_far_targets_straighten_it_without_a_snap() -> None:
    distances = np.linspace(0.75, 3.0, 4000)
    base, middle, tip = leg(np.full(4000, 0.7))
    found = bend_limb(base, middle, tip, distances[:, None] * DOWN, np.broadcast_to(AXIS, (4000, 3)), np.ones(4000))
    reach = -found.tip[:, 1]
    assert np.all(reach < 0.85)
    assert reach[-1] > 0.849
    knees = quaternion.angle(found.middle_turn)
    assert np.abs(np.diff(knees)).max() < 0.01


@given(seed=seeds, amount=st.floats(0.0, 0.004))
def test_a_knee_that_passes_through_straight_does_not_pop(seed: int, amount: float) -> None:
    """In careless recordings knees bend backwards; the result changes as smoothly as the recording does."""
    bend = np.linspace(0.15, -0.15, 301)
    base, middle, tip = leg(bend)
    nudge = amount * np.random.default_rng(seed).uniform(-1, 1, 3)
    usual = np.broadcast_to(AXIS, (301, 3))
    found = bend_limb(base, middle, tip, tip + nudge, usual, np.ones(301))
    knee, _ = moved(base, middle, tip, found)
    assert np.linalg.norm(np.diff(knee, axis=0), axis=1).max() < 0.004
    second = np.linalg.norm(np.diff(knee, 2, axis=0), axis=1)
    assert second.max() < 2e-3


@given(straight=st.floats(-1.0, 1.0), bend=st.floats(0.0, 2.5))
def test_a_hinge_is_as_it_was_bends_as_much_as_asked_and_comes_over_from_a_little_past_straight(
    straight: float, bend: float
) -> None:
    assert hinge_bend(straight, abs(straight)) == pytest.approx(-straight)
    found = hinge_bend(straight, bend)
    assert abs(found) <= bend + 1e-12
    if straight <= 0.0 or straight >= LEAST_BEND:
        assert found == pytest.approx(-bend if straight >= LEAST_BEND else bend)


@given(straight=st.floats(0.0, 0.5), more=st.floats(0.0, 0.02))
def test_a_hinge_that_hardly_folds_stays_about_as_it_was(straight: float, more: float) -> None:
    """Knees of front legs that are bent a little backward do not come to the front for a millimetre."""
    assert abs(hinge_bend(straight, straight + more) + straight) < 0.05


@given(straight=st.floats(0.0, 0.2))
def test_a_hinge_a_little_past_straight_does_not_flip_as_it_folds(straight: float) -> None:
    """An elbow held past straight at the end of a step is bent the other way in its midst."""
    ways = np.array([hinge_bend(straight, bend) for bend in np.linspace(0.0, 1.0, 2001)])
    assert np.abs(np.diff(ways)).max() < 0.02


def test_straight_is_kept_at_a_distance() -> None:
    base, middle, tip = leg(np.array([0.0, -0.2, 1.0]))
    allowed = allowed_length(base, middle, tip, np.broadcast_to(AXIS, (3, 3)), np.ones(3))
    assert allowed[0] < 0.85
    assert allowed[0] > 0.85 * np.cos(LEAST_BEND)
    assert allowed[1] < 0.85
    assert allowed[2] == pytest.approx(0.985 * 0.85)


@pytest.mark.parametrize(
    ("body", "tip", "base", "middle"),
    [
        ("adult", "left_foot", "left_upper_leg", "left_lower_leg"),
        ("adult", "right_hand", "right_upper_arm", "right_forearm"),
        ("spider", "leg_2_left_foot", "leg_2_left_upper", "leg_2_left_lower"),
        ("dog", "hind_left_foot", "hind_left_upper", "hind_left_lower"),
    ],
)
def test_limbs_of_the_zoo(body: str, tip: str, base: str, middle: str) -> None:
    skeleton = mm.zoo.body(body).skeleton
    chain = find_limb(rigid_body(mm.zoo.body(body)), skeleton.index(tip))
    assert chain is not None
    assert [skeleton.names[joint] for joint in chain.joints] == [base, middle, tip]


@pytest.mark.parametrize("is_leg", [True, False])
@pytest.mark.parametrize("bend", [0.0, 0.3, 1.0, -0.5])
def test_the_usual_axis_is_that_of_the_bend_and_of_a_straight_limb_that_of_its_kind(
    bend: float, is_leg: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Legs fold to the back, arms to the front."""
    monkeypatch.setattr("mummer.ik.constraints.unit.body_front", lambda _: np.tile(FORTH, (7, 1)))
    places = np.stack(leg(np.full(7, bend)), axis=1)
    turn = quaternion.exp(np.array([0.2, -0.4, 0.9]))
    chain = SimpleNamespace(joints=[0, 1, 2], base=0)
    state = SimpleNamespace(positions=places, rotations=np.tile(turn, (7, 3, 1)))
    axis = quaternion.rotate(turn, _usual_axis(chain, state, is_leg))
    assert np.linalg.norm(axis) == pytest.approx(1.0)
    back = 1.0 if is_leg else -1.0
    np.testing.assert_allclose(axis, (np.sign(bend) or back) * AXIS, atol=1e-9)
    # Turned about it, the lower part goes where it is bent to.
    away = quaternion.rotate(quaternion.from_axis_angle(axis, 0.5), DOWN)
    assert away @ FORTH * (np.sign(bend) or back) < 0.0


@pytest.mark.parametrize(("part", "is_limb"), [("left_hand", True), ("right_foot", True), ("head", False)])
def test_what_carries_arms_is_no_limb_of_a_head(part: str, is_limb: bool) -> None:
    adult = mm.zoo.body("adult")
    clip = Still(adult, adult.default_pose, seconds=1.0)
    goal = Place(part, at=WorldState(adult, adult.default_pose).point(part)[0])
    assert limb_goals(clip, [goal]) == ((goal,) if is_limb else ())
