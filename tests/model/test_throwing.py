"""Flights of what is thrown: they hit, through the apex or at the speed that was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.model import Setting, Values
from mummer.model.throwing import ballistic

HAND, TARGET = np.array([0.2, 1.8, 0.3]), np.array([1.0, 1.0, 6.0])


def flight_with(**values: float | bool):  # type: ignore[no-untyped-def]
    return ballistic(HAND, TARGET, Values({name: Setting(value) for name, value in values.items()}), 1.5)


@pytest.mark.parametrize("values", [{}, {"apex": 4.0}, {"speed": 9.0}, {"gravity": 1.6}, {"apex": 2.5, "gravity": 3.0}])
def test_a_flight_begins_in_the_hand_and_hits(values: dict[str, float]) -> None:
    flight = flight_with(**values)
    assert np.allclose(flight.at([1.0, 1.5]), HAND)
    assert np.allclose(flight.at(1.5 + flight.duration), TARGET)


def test_apex_and_speed_are_as_asked() -> None:
    assert flight_with(apex=4.0).apex == pytest.approx(4.0)
    velocity = flight_with(speed=9.0).velocity
    assert np.hypot(velocity[0], velocity[2]) == pytest.approx(9.0)


def test_a_flight_hits_on_its_way_up_or_down() -> None:
    high = np.array([1.0, 3.0, 6.0])
    rising, falling = (
        ballistic(HAND, high, Values({"apex": Setting(5.0), "rising": Setting(way)})) for way in (True, False)
    )
    assert rising.duration < falling.duration
    for flight, sign in ((rising, 1), (falling, -1)):
        assert np.allclose(flight.at(flight.duration), high)
        assert sign * (flight.velocity[1] - flight.gravity * flight.duration) > 0
