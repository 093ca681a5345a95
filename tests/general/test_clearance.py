"""Bodies that are pressed down do not sink into the ground, and those that are not stay where they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mummer import zoo
from mummer.arrays import FloatArray
from mummer.general import Intent, Track, animation_from_text, at_rest, perform, physique_of
from mummer.general.clearance import above_ground, underside_of
from mummer.general.keeping_out import keep_out
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


def lift_of(intent: Intent) -> FloatArray:
    return keep_out(intent, solve_intent(intent))


@pytest.mark.parametrize("name", ["adult", "dog", "snake", "crab", "ghost"])
def test_nothing_is_lifted_at_rest(name: str) -> None:
    assert lift_of(at_rest(physique_of(zoo.body(name)), np.zeros(2))).max() < 1e-9


@pytest.mark.parametrize("name", ["dog", "snake", "crab"])
def test_what_is_sunk_is_lifted_by_as_much(name: str) -> None:
    physique = physique_of(zoo.body(name))
    intent = at_rest(physique, np.zeros(1))
    deep = replace(intent, root_positions=intent.root_positions - [0.0, 0.2 * physique.height, 0.0])
    clear = physique.corners[0, 1]
    assert lift_of(deep)[0] == pytest.approx(0.2 * physique.height - max(clear, 0.0), abs=0.03 * physique.height)


@pytest.mark.parametrize("name", ["dog", "snake", "spider", "ghost"])
def test_a_body_pressed_down_stays_above_the_ground(name: str) -> None:
    body = zoo.body(name)
    underside = underside_of(physique_of(body))
    pose = perform(body, SINKING).sample(np.linspace(0, 1, 21))
    placed = placed_capsules(underside.volume, WorldState(body, pose))
    lowest = (placed.ends[..., 1] - underside.volume.radii).min(axis=2) + underside.deepest
    assert lowest.min() > -0.03 * physique_of(body).height


@pytest.mark.parametrize("name", ["dog", "ghost"])
def test_a_pose_does_not_depend_on_the_other_times_asked_for(name: str) -> None:
    clip = perform(zoo.body(name), SINKING)
    together = clip.sample(np.linspace(0, 1, 11))
    alone = clip.sample(np.linspace(0, 1, 11)[[4]])
    np.testing.assert_allclose(alone.rotations[0], together.rotations[4], atol=1e-9)
    np.testing.assert_allclose(alone.root_translation[0], together.root_translation[4], atol=1e-9)


def wanted_hand(heights: FloatArray) -> tuple[Intent, int]:
    """A hand of the adult wanted at some heights above the ground."""
    physique = physique_of(zoo.body("adult"))
    hand = physique.character.skeleton.index("left_hand")
    intent = at_rest(physique, np.zeros(len(heights)))
    places = np.stack([np.full_like(heights, 0.4), heights, np.full_like(heights, 0.3)], axis=1)
    return replace(intent, places={hand: Track(intent.to_world(places), np.ones(len(heights)))}), hand


def test_places_below_the_ground_come_to_rest_on_it_smoothly() -> None:
    heights = np.linspace(-1.0, 0.5, 301)
    intent, hand = wanted_hand(heights)
    held = intent.to_character(above_ground(intent).places[hand].values)
    assert held[:, 1].min() > 0
    np.testing.assert_allclose(held[heights > 0.1, 1], heights[heights > 0.1], atol=1e-12)
    np.testing.assert_allclose(held[:, [0, 2]], intent.to_character(intent.places[hand].values)[:, [0, 2]], atol=1e-12)
    steps = np.diff(held[:, 1])
    assert steps.min() > -1e-12
    assert steps.max() < 1.001 * (heights[1] - heights[0])


def test_places_above_the_ground_are_left_alone() -> None:
    intent, _ = wanted_hand(np.array([0.3, 1.0]))
    assert above_ground(intent) is intent
