"""Riding on legs: a root is held to where all legs that stand reach, and feet that stand stay, whatever is asked."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.body import Body, body_of
from mummer.engine.contact import base_of
from mummer.engine.feet import foot_goal
from mummer.engine.ground import level_ground
from mummer.engine.ride import FOLDED, give_way, hold, swing_of
from mummer.engine.scalars import wrapped
from mummer.engine.state import AIR, GOAL, LACK, YAW, Actors, new_actors, no_goals
from mummer.engine.step import carry_again
from mummer.engine.walk import Pace
from mummer.grid.judge import slip
from mummer.grid.judge.scene import scene_of
from mummer.math import quaternion
from tests.engine.commands import body_named

STILL = Pace(0.0, 1.0, 0.6, moving=False, busy=False, able=True)


def at_rest(body: Body) -> Actors:
    actors = new_actors(body, np.zeros((1, 3)), level_ground())
    actors.places[0] = body.frame.places
    return actors


def pushed(body: Body, shift: np.ndarray, turn: np.ndarray) -> Actors:
    """Actors whose root was moved by so many metres, and turned, and then held."""
    actors = at_rest(body)
    actors.places[0, 0] += shift
    actors.turns[0, 0] = turn
    hold_now(body, actors)
    return actors


def hold_now(body: Body, actors: Actors) -> None:
    carry_again(0, body, actors)
    for leg in range(len(body.legs.limb)):
        actors.feet[0, leg, GOAL : GOAL + 3] = foot_goal(0, leg, STILL, body.legs, actors)[0]
    hold(0, body, actors, no_goals(body, 1, 0), 1 / 60)
    carry_again(0, body, actors)


def beyond(body: Body, actors: Actors) -> np.ndarray:
    """(L, 2) how much longer each leg is than it reaches, and shorter than it folds, in parts of its reach."""
    found, last = [], body.limbs.folds.shape[1] - 1
    for leg, limb in enumerate(body.legs.limb):
        way = np.subtract(base_of(0, limb, body, actors), foot_goal(0, leg, STILL, body.legs, actors)[0])
        far, reach = np.linalg.norm(way), body.legs.reach[leg]
        found.append(((far - reach) / reach, (FOLDED * body.limbs.folds[limb, last, 0] - far) / reach))
    return np.array(found)


@pytest.mark.parametrize("name", ["adult", "horse", "centaur", "spider", "bird", "4711"])
def test_no_push_takes_a_body_to_where_its_legs_do_not_reach(name: str) -> None:
    body, rng = body_of(body_named(name)), np.random.default_rng(5)
    for _ in range(30):
        shift = rng.normal(size=3) * 0.12 * body.legs.length
        turn = quaternion.exp(rng.normal(size=3) * 0.12)
        held = beyond(body, pushed(body, shift, turn))
        assert held.max() <= 0.0


@pytest.mark.parametrize("name", ["adult", "horse", "spider"])
def test_who_is_pushed_far_for_long_is_held_all_the_same(name: str) -> None:
    body = body_of(body_named(name))
    actors = at_rest(body)
    for frame in range(60):
        share = min(frame / 40, 1.0)
        actors.places[0, 0] = body.frame.places[0] + share * np.array([0.4, 0.7, 0.3]) * body.legs.length
        actors.turns[0, 0] = quaternion.exp(share * np.array([0.4, 0.1, 0.3]))
        hold_now(body, actors)
    assert beyond(body, actors).max() <= 0.0


@pytest.mark.parametrize("name", ["horse", "adult"])
def test_who_asks_a_little_more_is_held_a_little_more(name: str) -> None:
    body = body_of(body_named(name))
    rows = []
    for share in np.linspace(0.0, 0.2, 200):
        actors = pushed(body, np.array([0.3, 1.0, 0.5]) * share * body.legs.length, np.array([0.0, 0.0, 0.0, 1.0]))
        rows.append(actors.places[0, 0].copy())
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    asked = 0.2 / 199 * np.linalg.norm([0.3, 1.0, 0.5]) * body.legs.length
    assert steps.max() < 1.5 * asked
    assert np.abs(np.diff(steps)).max() < 0.25 * asked


def test_who_crouches_within_reach_is_not_moved() -> None:
    body = body_of(body_named("dog"))
    shift = np.array([0.0, -0.1, 0.02]) * body.legs.length
    actors = pushed(body, shift, np.array([0.0, 0.0, 0.0, 1.0]))
    np.testing.assert_allclose(actors.places[0, 0], body.frame.places[0] + shift, atol=1e-12)


def test_who_is_held_does_not_jump_as_all_feet_leave_the_ground() -> None:
    body, far = body_of(body_named("dog")), np.array([30.0, 0.0, -40.0])
    actors, shown = new_actors(body, np.array([[30.0, -40.0, 0.0]]), level_ground()), []
    for frame in range(12):
        actors.places[0, 0] = body.frame.places[0] + far + [0.0, 0.1 * body.legs.length, 0.0]
        actors.turns[0, 0] = quaternion.exp(np.array([0.2, 0.0, 0.1]))
        actors.feet[0, :, AIR] = -1.0 if frame < 6 else 0.249999
        hold_now(body, actors)
        shown.append(actors.places[0, 0].copy())
    assert np.abs(np.diff(shown, n=2, axis=0)).max() < 0.05 * body.legs.length


def test_a_body_gives_way_to_legs_that_do_not_reach_for_their_joints_and_comes_back() -> None:
    actor = mm.Actor(mm.zoo.body("dog"), at=(0, 0), heading=0.0)
    body, actors = actor.troupe.body, actor.troupe.actors
    legs, wish, goals = len(body.legs.limb), np.array([0.02, 0.05, -0.03]), no_goals(body, 1, 0)
    before = np.zeros(3)
    for _ in range(60):
        # What a body that has given way lacks no more.
        actors.feet[0, :, LACK : LACK + 3] = wish - before
        given = np.array(give_way(0, float(legs), body.legs, actors, goals, 1 / 60))
        assert np.linalg.norm(given - before) < 0.25 * np.linalg.norm(wish)
        before = given
    np.testing.assert_allclose(before, wish, rtol=0.1)
    actors.feet[0, :, LACK : LACK + 3] = 0.0
    for _ in range(600):
        before = np.array(give_way(0, float(legs), body.legs, actors, goals, 1 / 60))
    assert np.linalg.norm(before) < 0.01 * np.linalg.norm(wish)


def test_a_foot_that_an_animation_has_goes_about_with_the_body() -> None:
    actor = mm.Actor(mm.zoo.body("adult"), at=(0, 0), heading=0.0)
    feet, lent, found = actor.troupe.actors.feet[0], actor.troupe.actors.lent[0], []
    actor.play("kick")
    for frame in range(90):
        if frame == 10:
            actor.go(speed=0.01, heading=2.0)
        actor.step(1 / 60)
        found += [abs(wrapped(feet[leg, YAW] - actor.heading)) for leg in np.flatnonzero(lent > 0.9)]
    assert found
    assert max(found) < 0.3


def test_a_leg_that_steps_out_of_turn_swings_on() -> None:
    body = body_of(body_named("adult"))
    actors, seen = at_rest(body), []
    for frame in range(90):
        actors.phases[0, 0], actors.feet[0, 0, AIR] = 0.3 * STILL.duty, -1.0 if frame < 5 else 0.0
        seen.append(swing_of(0, 0, STILL, body.legs, actors, 1 / 60))
    # It swings back from where it comes down on, a tenth of its flight before it stands.
    back = (0.3 * STILL.duty + 0.1 * (1.0 - STILL.duty)) / (STILL.duty + 0.1 * (1.0 - STILL.duty))
    assert seen[0][:2] == pytest.approx((np.cos(back * np.pi), np.sin(0.3 * np.pi) ** 2))
    np.testing.assert_allclose(seen[-1][:2], (-1.0, 0.0), atol=0.02)
    assert np.abs(np.diff(seen, n=2, axis=0)).max() < 0.2


@pytest.mark.parametrize(
    ("name", "animation"),
    [
        ("horse", "dance_bounce"),
        ("horse", "flinch"),
        ("centaur", "be_hit"),
        ("horse", "jump"),
        ("hunched", "kick"),
        ("horse", "die"),
        ("adult", "sit"),
    ],
)
def test_feet_stay_whatever_the_root_is_asked(name: str, animation: str) -> None:
    seen = slip.look(scene_of(mm.perform(f"zoo:{name}", animation)))
    assert seen.value is not None
    assert seen.value < slip.JUDGE.threshold, seen.where


@pytest.mark.parametrize("duty", [0.25, 0.6])
def test_a_leg_swings_as_its_gait_has_it_however_short_it_stands(duty: float) -> None:
    body, pace = body_of(body_named("adult")), Pace(1.1, 1.6, duty, moving=True, busy=True, able=True)
    actors, seen, clock = at_rest(body), [], np.arange(240) / 240 * 4 % 1.0
    for phase in clock:
        flies = phase >= duty
        actors.phases[0, 0], actors.feet[0, 0, AIR] = phase, (phase - duty) / (1.0 - duty) if flies else -1.0
        seen.append(swing_of(0, 0, pace, body.legs, actors, 4 / 240 / pace.rate))
    ahead, loads, lists = np.array(seen)[60:].T
    assert ahead.max() == pytest.approx(1.0, abs=0.03)
    assert ahead.min() == pytest.approx(-1.0, abs=0.03)
    # It is farthest ahead a tenth of its flight before it lands, and bears most in the middle of its stand.
    assert clock[60:][np.argmax(ahead)] == pytest.approx(1.0 - 0.1 * (1.0 - duty), abs=0.02)
    assert clock[60:][np.argmax(loads)] == pytest.approx(0.5 * duty, abs=0.02)
    # Its hip is low as it lands, level a little later, and high for as long as it was low, however short it stands.
    assert lists[clock[60:] == 0.0].max() < -0.3
    assert clock[60:][np.argmax(lists)] == pytest.approx(0.37, abs=0.03)
    assert lists.mean() == pytest.approx(0.0, abs=0.02)
