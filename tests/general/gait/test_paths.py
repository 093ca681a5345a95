"""Paths: what is asked, and the smooth way that is taken."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from mummer import zoo
from mummer.errors import InputError
from mummer.general.gait import Path, path_by_velocity, path_through
from mummer.general.gait.curves import Curves
from mummer.general.gait.path import path_of, travel
from mummer.general.physique import physique_of


def test_rows_of_places_are_walked_at_a_speed() -> None:
    path = path_through([(0, 0), (0, 2), (1, 2), (1, 2)], speed=2.0)
    np.testing.assert_allclose(path.times, [0, 1, 1.5])
    np.testing.assert_allclose(path.places[-1], [1, 2])


def test_bodies_face_along_their_way_or_as_told() -> None:
    way = travel(path_through([(0, 0), (3, 0)], speed=1.0), start=-1, end=4, step=0.01, settling=0.5)
    np.testing.assert_allclose(way.values[:, 2], np.pi / 2, atol=1e-9)
    rows = [(0, 0, 0, 0.0), (2, 1, 0, 1.0)]
    way = travel(path_through(rows, speed=1.0), start=-1, end=4, step=0.01, settling=0.5)
    np.testing.assert_allclose(way.values[[0, -1], 2], [0, 1], atol=1e-9)


def test_a_body_slows_down_before_it_stops() -> None:
    path = path_by_velocity(lambda times: np.where(times[:, None] < 1, [0.0, 2.0], [0.0, 0.0]), 2.0)
    way = travel(path, start=-1, end=3, step=0.005, settling=0.6)
    speeds = way.slopes()[:, 1]
    assert speeds[np.searchsorted(way.times, 0.9)] < 1.95
    assert speeds[np.searchsorted(way.times, 1.35)] < 1e-9
    np.testing.assert_allclose(way.values[-1, :2], [0, 2], atol=1e-6)
    # Its acceleration has no jumps, though the velocity that was asked for has two.
    assert np.abs(np.diff(speeds, 2)).max() < 0.02


def test_who_is_on_the_way_goes_on() -> None:
    path = path_through([(0, 0), (0, 1)], speed=1.0, ends="moving")
    way = travel(path, start=-1, end=2, step=0.01, settling=0.5)
    np.testing.assert_allclose(way.slopes()[:, 1], 1.0, atol=1e-6)


def test_a_velocity_may_turn_the_body() -> None:
    path = path_by_velocity(lambda times: np.tile([0.0, 0.0, 1.0], (len(times), 1)), 2.0)
    assert path.headings is not None
    assert path.headings[-1] == pytest.approx(2.0)
    np.testing.assert_allclose(path.places, 0.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: path_through([(0, 0), (1, 1)], speed=0.0), "a speed of 0 m/s leads nowhere"),
        (lambda: path_through([(0, 0)], speed=1.0), "a path of one point leads nowhere"),
        (lambda: path_through([(0, 0, 0, 0, 0)], speed=1.0), r"a path has shape \(1, 5\)"),
        (lambda: path_through([(1, 0, 0), (0, 0, 0)], speed=1.0), "increasing times"),
        (lambda: path_through([(0, 0, 0), (1, np.nan, 0)], speed=1.0), "not finite"),
        (lambda: path_by_velocity(lambda times: times, 1.0), "a velocity gave shape"),
        (lambda: path_by_velocity(lambda times: times, 0.0), "a duration of 0 s makes no path"),
        (lambda: Path(np.array([0.0, 1.0]), np.zeros((3, 2))), "places of a path have shape"),
        (lambda: Path(np.array([0.0, 1.0]), np.zeros((2, 2)), np.zeros(3)), "2 times but 3 headings"),
    ],
)
def test_bad_paths_are_refused(make, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_curves_pass_through_their_values_without_corners() -> None:
    times = np.arange(40) * 0.1
    curves = Curves(0.0, 0.1, np.stack([np.sin(times), times**2], axis=1))
    np.testing.assert_allclose(curves(times), curves.values, atol=1e-12)
    fine = curves(np.linspace(0.3, 3.6, 2000))
    np.testing.assert_allclose(fine[:, 0], np.sin(np.linspace(0.3, 3.6, 2000)), atol=1e-3)
    np.testing.assert_allclose(curves(np.array([-5.0, 50.0])), curves.values[[0, -1]])


def test_a_body_whose_front_points_up_goes_somewhere_all_the_same() -> None:
    dog = zoo.body("dog")
    assert dog.anatomy is not None
    lying = dog.replace(anatomy=dataclasses.replace(dog.anatomy, front=np.array([0.0, 1.0, 0.0])))
    path = path_of(physique_of(lying), None, speed=1.0, duration=2.0, ends="moving")
    assert np.linalg.norm(path.places[-1] - path.places[0]) == pytest.approx(2.0)


def test_wide_wings_do_not_make_a_walk_longer() -> None:
    bird = physique_of(zoo.body("bird"))
    wide = dataclasses.replace(bird, height=5.0 * bird.height)
    ways = [np.ptp(path_of(each, None, speed=1.0, duration=None, ends="stand").places, axis=0) for each in (bird, wide)]
    assert np.linalg.norm(ways[1]) == pytest.approx(np.linalg.norm(ways[0]))


@pytest.mark.parametrize("tilt", [0.0, 0.6, 1.4, -1.0])
@pytest.mark.parametrize("turn", [0.0, 0.7, -2.0])
def test_who_is_told_no_way_goes_where_its_front_points_however_steeply(tilt: float, turn: float) -> None:
    level = np.array([np.sin(turn), np.cos(turn)])
    front = np.array([np.cos(tilt) * level[0], np.sin(tilt), np.cos(tilt) * level[1]])
    body = SimpleNamespace(origin=np.array([0.3, 1.0, -0.2]), anatomy=SimpleNamespace(front=front))
    found = path_of(body, None, speed=1.5, duration=2.0, ends="stand")
    np.testing.assert_allclose(found.places, [[0.3, -0.2], np.array([0.3, -0.2]) + 3.0 * level], atol=1e-9)
    assert found.times[-1] - found.times[0] == pytest.approx(2.0)


def test_who_points_up_goes_ahead() -> None:
    body = SimpleNamespace(origin=np.zeros(3), anatomy=SimpleNamespace(front=np.array([0.0, 1.0, 0.0])))
    found = path_of(body, None, speed=1.0, duration=2.0, ends="stand")
    np.testing.assert_allclose(found.places[-1], [0.0, 2.0])


@pytest.mark.parametrize("duration", [0.001, 0.5, 3.0])
def test_a_velocity_is_added_up_whatever_the_steps(duration: float) -> None:
    path = path_by_velocity(lambda times: np.stack([2.0 * times, 0.0 * times + 1.0], axis=1), duration)
    assert path.times[0] == 0.0
    assert path.times[-1] == pytest.approx(duration)
    np.testing.assert_allclose(np.diff(path.times), path.times[1])
    np.testing.assert_allclose(path.places[:, 0], path.times**2, atol=1e-9)
    np.testing.assert_allclose(path.places[:, 1], path.times, atol=1e-9)
