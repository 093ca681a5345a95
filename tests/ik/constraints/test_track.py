"""Tracks: offsets that are exact while a goal holds, and smooth everywhere else."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.errors import InputError
from mummer.ik.constraints.track import Demand, Track, difference, require_apart
from mummer.math import quaternion


def own(times: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(3 * times), np.cos(2 * times), times], axis=1)


def turning(times: np.ndarray) -> np.ndarray:
    return quaternion.exp(np.stack([np.sin(3 * times), 0.3 * np.cos(2 * times), 0.2 * times], axis=1))


def fixed(*value: float):
    return lambda times: np.broadcast_to(value, (len(times), len(value)))


PLACES = Track(0.0, 4.0, (Demand(1.0, 1.5, fixed(0.1, 0.2, 1.3)), Demand(2.0, 3.0, fixed(0.0, 0.1, 2.4))), own, 0.4)
TURNS = Track(0.0, 4.0, (Demand(1.0, 2.0, fixed(0.0, 0.0, 0.6, 0.8)),), turning, 0.4)


@pytest.mark.parametrize("track", [PLACES, TURNS])
def test_exact_while_it_holds(track: Track) -> None:
    times = np.linspace(1.0, 1.5, 40)
    offsets = track.offsets(times, track.own(times))
    wanted = track.demands[0].target(times)
    if wanted.shape[1] == 3:
        assert track.own(times) + offsets == pytest.approx(wanted)
    else:
        reached = quaternion.multiply(quaternion.exp(offsets), track.own(times))
        assert quaternion.angle_between(reached, wanted).max() < 1e-9


@pytest.mark.parametrize("edge", [1.0, 1.5, 2.0, 3.0])
def test_places_pass_edges_without_a_corner(edge: float) -> None:
    step = 1e-3
    times = edge + step * np.arange(-8, 9)
    path = own(times) + PLACES.offsets(times, own(times))
    velocities = np.diff(path, axis=0) / step
    # A corner would show as a jump of the own speed, about 3 m/s; what is left is the bend of the curve.
    assert np.abs(np.diff(velocities, axis=0)).max() < 0.03
    # Nor does the acceleration jump, but for what an estimate of the speed from nearby samples leaves.
    assert np.abs(np.diff(velocities, 2, axis=0)).max() / step < 10.0


def test_turns_pass_edges_without_a_corner() -> None:
    step = 1e-3
    times = 1.0 + step * np.arange(-8, 9)
    path = quaternion.multiply(quaternion.exp(TURNS.offsets(times, turning(times))), turning(times))
    spins = quaternion.log(quaternion.multiply(path[1:], quaternion.conjugate(path[:-1]))) / step
    assert np.abs(np.diff(spins, axis=0)).max() < 0.15


def test_a_moving_target_is_left_with_its_own_speed() -> None:
    track = Track(0.0, 4.0, (Demand(1.0, 2.0, lambda times: own(times) + times[:, None] ** 2),), own, 0.4)
    step = 1e-3
    times = 2.0 + step * np.arange(-8, 9)
    offsets = track.offsets(times, own(times))
    assert np.abs(np.diff(offsets, 2, axis=0)).max() / step < 0.05


def test_difference_is_metres_or_a_turn() -> None:
    assert difference(np.ones((1, 3)), np.zeros((1, 3))).tolist() == [[1, 1, 1]]
    turned = quaternion.exp([[0.3, 0.0, 0.0]])
    assert difference(turned, np.array([[0, 0, 0, 1.0]])) == pytest.approx(np.array([[0.3, 0, 0]]))


def test_two_demands_at_once_are_refused() -> None:
    demands = [Demand(1.0, 2.0, fixed(0, 0, 0)), Demand(0.0, 1.5, fixed(0, 0, 0))]
    with pytest.raises(InputError, match=r"two goals ask for the hand at once, from 1 to 1\.5 s"):
        require_apart(demands, "the hand")
    assert [each.begin for each in require_apart([demands[0], Demand(0.0, 1.0, fixed(0))], "it")] == [0.0, 1.0]
