"""Feet are lifted, and hips lowered, no farther than legs fold."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.general import at_rest, physique_of
from mummer.general.gait import Walk, gait
from mummer.general.gait.feet import feet_at
from mummer.general.gait.lifting import LOWEST, lifted_with_ease
from mummer.general.gait.placing import hips_of
from mummer.general.gait.ride import root_at
from mummer.general.gait.trying import comfort_of, soles_of
from mummer.general.solving import solve_intent
from mummer.ik import WorldState


def walk_of(seed: int, style: str) -> Walk:
    walk = gait(physique_of(mm.zoo.random_creature(seed)), style=style)
    assert isinstance(walk, Walk)
    return walk


@pytest.mark.parametrize(("seed", "style"), [(3330, "sneak"), (3318, "sneak"), (3309, "march"), (3345, "hop")])
def test_legs_that_fold_little_reach_where_their_feet_go(seed: int, style: str) -> None:
    walk = walk_of(seed, style)
    times = np.arange(walk.start, walk.end, 1 / 30)
    pose = solve_intent(walk.drive(at_rest(walk.physique, times))).to_pose()
    feet = feet_at(walk.legs, walk.steps, walk.style, walk.clock, times)
    soles = soles_of(walk.physique, walk.legs, WorldState(walk.physique.character, pose))
    missed = np.linalg.norm(soles - feet.contacts, axis=-1) / [leg.length for leg in walk.legs]
    # Without regard to how far they fold, these miss by a quarter to a half of their legs.
    assert missed.max() < 0.1
    assert np.max(missed, where=feet.planted, initial=0.0) < 0.01


def test_lifts_are_lowered_as_far_as_legs_lack_room_but_not_to_nothing() -> None:
    walk = walk_of(3309, "march")
    times, comfort = walk.clock.times, comfort_of(walk.physique)
    feet = feet_at(walk.legs, walk.steps, walk.style, walk.clock, times)
    ride = walk.ride(times)
    turned = root_at(walk.physique, walk.way(times), ride[:, :3], ride[:, 3:6])[1]
    high = np.tile([0.0, 10.0, 0.0], (*feet.planted.shape, 1))
    free = lifted_with_ease(walk.legs, walk.steps, times, feet, high, turned, comfort)
    assert np.array_equal(free.raises, walk.steps.raises)
    low = lifted_with_ease(walk.legs, walk.steps, times, feet, 0 * high, turned, comfort)
    shares = low.raises / walk.steps.raises
    assert np.all((shares > 0.6 * LOWEST) & (shares < 1.1 * LOWEST))


def test_a_body_whose_legs_are_far_ahead_of_its_root_leans_about_its_hips() -> None:
    walk = walk_of(3108, "sneak")
    times = np.arange(2.0, 4.0, 1 / 30)
    feet = feet_at(walk.legs, walk.steps, walk.style, walk.clock, times)
    hips = np.array([leg.hip_place for leg in walk.legs])
    ride = walk.ride(times)
    roots, turned = root_at(walk.physique, walk.way(times), ride[:, :3], ride[:, 3:6])
    heights = hips_of(walk.physique, walk.legs, roots, turned)[..., 1] - feet.levels
    assert heights.min() > 0.75 * hips[:, 1].min()
