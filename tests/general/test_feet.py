"""Which feet are stood on."""

from __future__ import annotations

import pytest

from mummer.general.feet import standing_feet
from tests.general.bodies import physique


@pytest.mark.parametrize(("body", "count"), [("adult", 2), ("dog", 4), ("horse", 4), ("centaur", 4), ("snake", 0)])
def test_feet_stand_on_what_hangs_from_them(body: str, count: int) -> None:
    assert len(standing_feet(physique(body))) == count


def test_wrists_of_horses_are_high_and_yet_stand() -> None:
    horse = physique("horse")
    feet = [foot for foot, _ in standing_feet(horse)]
    assert all(horse.positions[foot, 1] > 0.35 * horse.limb_lengths[foot] for foot in feet)
    assert all(is_flat for _, is_flat in standing_feet(horse))
