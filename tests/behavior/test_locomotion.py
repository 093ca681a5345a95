"""Going somewhere: to places, along paths, around obstacles, past one another."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely import LineString, Polygon

from mummer.behavior import Performer, make
from mummer.behavior.navigation import Navigation
from mummer.errors import InputError
from tests.behavior.circle import discs, nearest_of, walkers

BOX = [(-0.6, 1.5), (0.6, 1.5), (0.6, 2.2), (-0.6, 2.2)]


def gone(performer, running, most=1800):
    """(T, 2) where it went until it was over."""
    places = [performer.actor.place]
    for _ in range(most):
        performer.step(1 / 60)
        places.append(performer.actor.place)
        if running.is_over:
            return np.array(places)
    raise AssertionError("it never arrived")


@pytest.mark.parametrize("body", ["adult", "dog", "spider"])
def test_a_body_goes_to_a_place_and_stands(body):
    who = Performer(f"zoo:{body}")
    running = who.start(make("locomotion", who, target=(0.8, 1.2), facing=0.0))
    places = gone(who, running)
    assert np.linalg.norm(places[-1] - [0.8, 1.2]) < 0.1
    assert abs(who.actor.heading) < math.radians(5)
    assert np.linalg.norm(who.actor.velocity) < 0.1


def test_somebody_walks_around_an_obstacle_by_the_shorter_side():
    who = Performer("zoo:adult", at=(0.1, 0.0))
    running = who.start(make("locomotion", who, target=(0.3, 4.0), around=Navigation([BOX], radius=0.3)))
    places = gone(who, running)
    assert not Polygon(BOX).buffer(0.1).intersects(LineString(places))
    assert places[:, 0].max() > 0.8
    assert np.linalg.norm(places[-1] - [0.3, 4.0]) < 0.12


def test_paths_stay_out_of_obstacles_and_are_no_longer_than_they_must_be():
    generator = np.random.default_rng(11)
    for _ in range(40):
        obstacles = []
        for _ in range(10):
            angles = np.sort(generator.uniform(0, 2 * np.pi, 5))
            around = np.column_stack([np.cos(angles), np.sin(angles)])
            obstacles.append((generator.uniform(-8, 8, 2) + generator.uniform(0.4, 1.5) * around).tolist())
        navigation = Navigation(obstacles, radius=0.3)
        path = navigation.path(*generator.uniform(-9, 9, (2, 2)))
        solid = [Polygon(each).buffer(0).buffer(0.28) for each in obstacles]
        line = LineString(path)
        assert all(line.intersection(each).length < 0.02 for each in solid)
        if not any(LineString(path[[0, -1]]).intersects(each) for each in solid):
            assert line.length <= 1.25 * np.linalg.norm(path[-1] - path[0])


def test_a_goal_that_is_walled_in_is_refused():
    walls = [[(-3, 2), (3, 2), (3, 2.2), (-3, 2.2)], [(-3, 5), (3, 5), (3, 5.2), (-3, 5.2)],
             [(-3, 2), (-2.8, 2), (-2.8, 5.2), (-3, 5.2)], [(2.8, 2), (3, 2), (3, 5.2), (2.8, 5.2)]]  # fmt: skip
    with pytest.raises(InputError, match="no way from start to goal"):
        Navigation(walls, radius=0.2).path((0, 0), (0, 3.5))
    with pytest.raises(InputError, match="obstacle 0 has shape"):
        Navigation([[(0, 0), (1, 1)]])


def test_somebody_strafes_without_turning_and_turns_on_the_spot():
    who = Performer("zoo:adult")
    running = who.start(make("locomotion", who, target=(0.8, 0.0), manner="strafe"))
    places = gone(who, running)
    assert places[-1][0] > 0.65
    assert abs(who.actor.heading) < 0.1
    gone(who, who.start(make("turn", who, target=(places[-1][0], -5.0))))
    assert abs(abs(who.actor.heading) - math.pi) < 0.1


def test_a_stick_is_as_the_body_sees_it_and_running_is_faster():
    who = Performer("zoo:adult", heading=math.pi / 2)
    stick = who.start(make("stick", who, velocity=(0.0, 0.8)))
    for _ in range(120):
        who.step(1 / 60)
    assert who.actor.place[0] > 0.8
    who.stop(stick)
    speeds = [
        make("locomotion", who, target=(9, 9), manner=manner).speed for manner in ("stroll", "walk", "jog", "run")
    ]
    assert speeds == sorted(speeds)


def test_somebody_who_moves_is_followed():
    who, other = Performer("zoo:adult"), Performer("zoo:child", at=(0.0, 3.0))
    other.actor.go(velocity=(0.3, 0.0))
    who.start(make("locomotion", who, target=other))
    for _ in range(240):
        other.step(1 / 60)
        who.step(1 / 60)
    assert np.linalg.norm(who.actor.place - other.actor.place) < 0.8


def test_agents_cross_a_circle_and_nobody_runs_into_anybody():
    seen = discs(40, 7.0)
    assert seen.arrived == 40
    assert seen.nearest > 0.6
    assert nearest_of(np.array([[0.0, 0.0], [0.5, 0.0], [3.0, 0.0]])) == 0.5


def test_bodies_cross_a_circle():
    seen = walkers(24, 5.0, most=40.0)
    assert seen.arrived == 24
    assert seen.nearest > 0.6
