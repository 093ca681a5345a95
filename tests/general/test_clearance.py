"""Bodies that are pressed down do not sink into the ground, and those that are not stay where they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mummer import zoo
from mummer.general import animation_from_text, at_rest, perform, physique_of
from mummer.general.clearance import lifts_needed, underside_of
from mummer.general.solving import solve_intent
from mummer.ik.volume.placed import placed_capsules
from mummer.ik.world_state import WorldState

SINKING = animation_from_text(
    """
version = 1
name = "sinking"
duration = 1.0
[[branch]]
[[branch.channel]]
name = "root"
select = {capability = "root"}
position = {scale = "size"}
place = [[0, 0, 0, 0], [0.5, 0, -0.3, 0], [1, 0, 0, 0]]
"""
)


@pytest.mark.parametrize("name", ["adult", "dog", "snake", "crab", "ghost"])
def test_nothing_is_lifted_at_rest(name: str) -> None:
    intent = at_rest(physique_of(zoo.body(name)), np.zeros(2))
    assert lifts_needed(intent, solve_intent(intent)).largest < 1e-9


@pytest.mark.parametrize("name", ["dog", "snake", "crab"])
def test_what_is_sunk_is_lifted_by_as_much(name: str) -> None:
    physique = physique_of(zoo.body(name))
    intent = at_rest(physique, np.zeros(1))
    deep = replace(intent, root_positions=intent.root_positions - [0.0, 0.2 * physique.height, 0.0])
    lift = lifts_needed(deep, solve_intent(deep)).root[0]
    clear = physique.corners[0, 1]
    assert lift == pytest.approx(0.2 * physique.height - max(clear, 0.0), abs=0.03 * physique.height)


@pytest.mark.parametrize("name", ["dog", "snake", "spider", "ghost"])
def test_a_body_pressed_down_stays_above_the_ground(name: str) -> None:
    body = zoo.body(name)
    underside = underside_of(physique_of(body))
    pose = perform(body, SINKING).sample(np.linspace(0, 1, 21))
    placed = placed_capsules(underside.volume, WorldState(body, pose))
    lowest = (placed.ends[..., 1] - underside.volume.radii).min(axis=2) + underside.deepest
    assert lowest[:, underside.lifts].min() > -0.03 * physique_of(body).height
