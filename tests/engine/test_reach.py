"""Heads and mouths that are brought somewhere, and bodies that lean for them."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import deform
from mummer.engine.body import body_of
from mummer.engine.ground import level_ground
from mummer.engine.reach import bend_at_hips
from mummer.engine.state import new_actors
from mummer.general import physique_of
from mummer.general.mouth import mouth_point
from mummer.grid.bodies import load_body
from mummer.grid.judge.scene import scene_of
from mummer.grid.judge.wished import Wished, wished
from mummer.math import quaternion


def mouth(body: str, animation: str) -> Wished:
    return next(each for each in wished(scene_of(mm.perform(load_body(body), animation))) if each.wish.touches)


def missed(each: Wished) -> np.ndarray:
    """(T,) parts of its limb that something is from where it is wished."""
    return np.linalg.norm(each.found - each.wanted, axis=1)[each.counts] / each.length


@pytest.mark.parametrize("body", ["zoo:dog", "random:9521"])
def test_mouths_come_to_the_ground_though_legs_hold_the_root(body: str) -> None:
    assert np.percentile(missed(mouth(body, "eat_from_ground")), 95) < 0.1


def test_the_root_comes_along_for_what_a_mouth_does_not_reach() -> None:
    assert np.percentile(missed(mouth("zoo:beetle", "eat_fruit")), 95) < 0.25


def test_heads_nod_until_their_skin_lets_mouths_come_to_the_ground() -> None:
    assert np.percentile(missed(mouth("random:9538", "eat_from_ground")), 95) < 0.15


@pytest.mark.parametrize(("body", "animation"), [("random:9508", "eat_from_tree"), ("random:9544", "eat_fruit")])
def test_what_is_missed_is_told_as_it_is_shown_however_little_it_is(body: str, animation: str) -> None:
    each = mouth(body, animation)
    assert each.wish.missed == pytest.approx(missed(each).max() * each.length, rel=0.1, abs=2e-3 * each.length)


def test_who_walks_leaves_what_it_ate_from_and_its_root_is_not_drawn_back() -> None:
    dog = mm.Actor("zoo:dog", at=(0, 0), heading=0.0)
    dog.play("eat_from_ground")
    length, off = dog.troupe.body.legs.length, []
    for frame in range(150):
        if frame == 40:
            dog.go(speed=dog.troupe.easy_speed)
        dog.step(1 / 60)
        off.append(np.linalg.norm(dog.troupe.actors.places[0, 0, [0, 2]] - dog.place))
    assert max(off[:40]) > 0.01 * length
    assert max(off[70:]) < 0.2 * length


@pytest.mark.parametrize("body", ["zoo:fish", "random:9579"])
def test_the_root_comes_or_draws_back_for_what_necks_are_too_short_or_too_stiff_for(body: str) -> None:
    assert np.percentile(missed(mouth(body, "eat_from_tree")), 95) < 0.05


def test_a_head_near_the_ground_is_not_turned_under_itself() -> None:
    assert np.percentile(missed(mouth("random:9564", "eat_from_ground")), 95) < 0.2


@pytest.mark.parametrize("body", ["zoo:frog", "random:9567", "random:12404"])
def test_a_mouth_takes_hold_with_its_skin(body: str) -> None:
    character = load_body(body)
    physique = physique_of(character)
    jaw = character.anatomy.capabilities["mouth"][0]
    place = physique.positions[jaw] + mouth_point(physique, jaw)
    skin = np.concatenate([each.positions for each in deform(character, mm.Pose.rest(character.skeleton))])
    skin = quaternion.rotate(quaternion.conjugate(physique.axes), skin - physique.origin)
    assert np.linalg.norm(skin - place, axis=1).min() < 1e-3 * physique.height


@pytest.mark.parametrize(("name", "most"), [("adult", 0.35), ("dog", 0.0)])
def test_who_stands_on_two_legs_bends_at_the_hips_for_what_its_spine_cannot_do(name: str, most: float) -> None:
    body = body_of(mm.zoo.body(name))
    actors = new_actors(body, np.zeros((1, 3)), level_ground())
    actors.places[0] = body.frame.places
    angles = []
    for lost in (-0.5, 0.0, 0.1, 0.2, 5.0):
        actors.places[0, 0], actors.turns[0, 0] = body.frame.places[0], [0.0, 0.0, 0.0, 1.0]
        bend_at_hips(0, (lost, 0.0, 0.0), body, actors)
        angles.append(2.0 * np.arcsin(actors.turns[0, 0, 0]))
    assert np.all(np.diff(angles) >= 0.0)
    assert angles[:2] == [0.0, 0.0], "nobody bends backwards for it"
    assert angles[-1] == pytest.approx(most, abs=0.05)


def test_short_arms_reach_the_ground() -> None:
    hand = mouth("random:12407", "pick_up")
    assert np.percentile(missed(hand), 95) < 0.2
