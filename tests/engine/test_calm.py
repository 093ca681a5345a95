"""What keeps live motion calm: wishes that fade, parts that sway, spines that turn, and steps of who hurries."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.body import Body, body_of
from mummer.engine.feet import foot_goal
from mummer.engine.legs import EASY, GRAVITY
from mummer.engine.state import AIR, SPEED, TIP, Actors
from mummer.engine.sway import sway
from mummer.engine.walk import Pace, pace_of
from tests.engine.test_ride import at_rest

STEP = 1.0 / 60.0


def test_what_fades_away_asks_ever_less_exactly() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0)
    goals, asked = actor.troupe.goals, []
    actor.play("rub_chin")
    for frame in range(240):
        if frame == 75:
            actor.play("wave")
        actor.step(STEP)
        asked.append((goals.exact * goals.places[..., 3])[0].copy())
    changes = np.abs(np.diff(asked, axis=0))
    assert np.max(asked) > 0.9
    assert changes.max() < 0.25


def swayed(body: Body, actors: Actors) -> np.ndarray:
    """(3,) metres from its joint to the tip of what sways first, a moment later."""
    actors.turns[0, :, :3], actors.turns[0, :, 3] = 0.0, 1.0
    sway(0, 0, body, actors, STEP)
    return actors.sways[0, 0, TIP : TIP + 3] - actors.places[0, body.sways.joint[0]]


@pytest.mark.parametrize("rate", [12.0, 38.0])
@pytest.mark.parametrize("damping", [0.5, 1.15])
def test_what_sways_comes_back_without_ringing(rate: float, damping: float) -> None:
    body = body_of(mm.zoo.body("dog"))
    many = len(body.sways.joint)
    body = body._replace(sways=body.sways._replace(rate=np.full(many, rate), damping=np.full(many, damping)))
    actors = at_rest(body)
    rest = swayed(body, actors)
    actors.sways[0, 0, TIP] += 0.02
    away = np.array([(swayed(body, actors) - rest)[0] for _ in range(90)])
    assert abs(away[-1]) < 1e-4
    assert away.min() > (-1e-6 if damping > 1.0 else -0.005)


def test_a_sway_that_is_stopped_goes_as_fast_as_it_is_seen_to() -> None:
    body = body_of(mm.zoo.body("dog"))
    body = body._replace(sways=body.sways._replace(rate=np.full(len(body.sways.joint), 12.0)))
    actors = at_rest(body)
    swayed(body, actors)
    farthest = 0.0
    for frame in range(40):
        before = actors.sways[0, 0, TIP : TIP + 3].copy()
        actors.places[0] = body.frame.places + np.sin(0.4 * frame) * np.array([0.3, 0.0, 0.0])
        tip = swayed(body, actors)
        went = actors.sways[0, 0, TIP : TIP + 3] - before
        assert went == pytest.approx(STEP * actors.sways[0, 0, SPEED : SPEED + 3], abs=1e-9)
        farthest = max(farthest, float(np.linalg.norm(tip - body.sways.lever[0])))
    assert farthest > 0.9 * body.sways.most[0] * np.linalg.norm(body.sways.lever[0])


def test_what_hangs_about_its_joint_is_not_turned_round_by_a_breath() -> None:
    body = body_of(mm.zoo.random_creature(9024))
    levers = np.linalg.norm(body.sways.lever, axis=1)
    assert len(levers) > 8
    assert levers.min() > 0.029 * body.frame.height


def test_the_joints_of_a_long_spine_turn_less_suddenly_each() -> None:
    frame = body_of(mm.zoo.body("snake")).frame
    middle = 0.5 * (frame.places[frame.spine[0]] + frame.places[frame.spine[-1]])
    levers = np.linalg.norm(frame.places - middle, axis=1).max()
    turned = frame.sudden[frame.spine] * STEP**2
    assert np.all(turned[1:] < turned[0])
    assert turned.sum() * levers < 0.2 * np.ptp(frame.places, axis=0).max()


def moving(name: str | int, times: float) -> tuple[float, float, float, float]:
    """What `pace_of` says of a body that goes so many times as fast as is easy."""
    body = body_of(mm.zoo.random_creature(name) if isinstance(name, int) else mm.zoo.body(name))
    actors = at_rest(body)
    actors.motion[0, 1] = times * body.legs.easy
    return pace_of(0, body.legs, actors)


def test_legs_with_little_room_make_short_steps_and_slow_bodies() -> None:
    narrow, adult = body_of(mm.zoo.random_creature(9004)).legs, body_of(mm.zoo.body("adult")).legs
    assert narrow.easy < 0.7 * EASY * np.sqrt(GRAVITY * narrow.length)
    assert adult.easy == pytest.approx(EASY * np.sqrt(GRAVITY * adult.length))
    assert moving("adult", 1.0)[3] == pytest.approx(1.0)
    assert moving(9004, 2.0)[3] < 0.8
    assert moving(9004, 1e-3)[3] == pytest.approx(1.0)


def test_who_makes_short_steps_lifts_feet_less() -> None:
    body = body_of(mm.zoo.body("adult"))
    actors = at_rest(body)
    actors.feet[0, 0, AIR], actors.gait[0, :] = 0.3, 1.0
    usual = Pace(0.4, 1.0, 0.6, moving=True, busy=True, able=True)
    heights = [foot_goal(0, 0, usual._replace(short=short), body.legs, actors)[0][1] for short in (1.0, 0.5)]
    assert heights[1] < heights[0] - 0.01
