"""Hands that clap meet, fists that pound come down to the ground, a dog sits on its haunches."""

from __future__ import annotations

import pytest

import mummer as mm
from tests.general.contacts import value_of


@pytest.mark.parametrize("body", ["adult", "child", "giant"])
def test_hands_that_clap_meet(body: str) -> None:
    value = value_of("clap", mm.zoo.body(body))
    assert value is not None
    assert value < 1.0


@pytest.mark.parametrize("body", ["adult", "giant"])
def test_fists_come_down_to_the_ground(body: str) -> None:
    value = value_of("pound_ground", mm.zoo.body(body))
    assert value is not None
    assert value < 2.0


@pytest.mark.parametrize("body", ["dog", "horse"])
def test_haunches_of_four_legs_come_down(body: str) -> None:
    value = value_of("sit", mm.zoo.body(body))
    assert value is not None
    assert value < 12.0
