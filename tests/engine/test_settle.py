"""Settling: what jumps goes on as it went and catches up, the more gently the longer its lever is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import world_positions
from mummer.engine.scalars import rotation_by, rotation_vector
from mummer.engine.settle import settle_bend, settle_root
from mummer.engine.state import BEHIND
from mummer.kernels.vectors import back, times, unit_rotation

STEP = 1.0 / 60.0


def turns_of(actor: mm.Actor, joint: int, asked: list[tuple[float, float, float]]) -> np.ndarray:
    """(T, 3) radians by which a joint is shown turned on each moment that is asked to be bent so."""
    body, actors = actor.troupe.body, actor.troupe.actors
    shown, found = (0.0, 0.0, 0.0, 1.0), []
    for vector in asked:
        actors.bends[0, joint] = unit_rotation(rotation_by(*vector))
        settle_bend(0, joint, 1.0, body, actors, STEP)
        found.append(rotation_vector(times(tuple(actors.bends[0, joint]), back(shown))))
        shown = tuple(actors.bends[0, joint])
    return np.array(found)


def tail_of(actor: mm.Actor) -> int:
    """A joint that hardly any limit holds, at rest."""
    joint = actor.character.skeleton.index("tail_2")
    actor.troupe.actors.settled[0, joint] = 0.0
    actor.troupe.actors.settled[0, joint, 3] = 1.0
    return joint


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_what_jumps_is_caught_up_with_and_hardly_shown_at_once(axis: int) -> None:
    actor = mm.Actor("zoo:dragon", at=(0, 0), heading=0.0, ground=0.0)
    joint = tail_of(actor)
    most = float(actor.troupe.body.frame.sudden[joint]) * STEP**2
    jump = np.zeros(3)
    jump[axis] = 0.4
    turned = turns_of(actor, joint, [(0.0, 0.0, 0.0)] * 3 + [tuple(jump)] * 120)
    assert np.linalg.norm(turned[3]) < 0.5 * most
    assert np.linalg.norm(np.diff(turned, axis=0), axis=1).max() < 1.01 * most
    assert turned.sum(axis=0) == pytest.approx(jump, abs=1e-3)
    assert actor.troupe.actors.settled[0, joint, BEHIND] == 0.0


def test_long_arms_are_turned_less_suddenly() -> None:
    actor = mm.Actor(mm.zoo.random_creature(7701), at=(0, 0), heading=0.0)
    frame, legs = actor.troupe.body.frame, set(actor.troupe.body.legs.limb.tolist())
    most = np.ptp(frame.places, axis=0).max() / actor.troupe.body.legs.quick
    for limb, (first, tip) in enumerate(zip(actor.troupe.body.limbs.first, actor.troupe.body.limbs.tip, strict=True)):
        base = actor.troupe.body.limbs.chain[first]
        if limb not in legs:
            long = np.linalg.norm(frame.places[tip] - frame.places[base])
            assert frame.sudden[base] * long * STEP < 0.55 * most


def test_bodies_as_large_as_houses_come_round_in_their_loops(shared_character: Callable[[str], Path]) -> None:
    clip = mm.perform(shared_character("khronos/Fox.glb"), "dance_twist")
    first, last = world_positions(clip.body.skeleton, clip.sample(np.array([clip.start, clip.end])))
    assert clip.loops
    assert np.linalg.norm(last - first, axis=1).max() < 1e-3 * np.ptp(first, axis=0).max()


def test_a_root_that_comes_along_for_a_mouth_does_not_jump() -> None:
    actor = mm.Actor("zoo:ghost", at=(0, 0), heading=0.0, ground=0.0)
    for _ in range(3):
        actor.step(STEP)
    body, actors = actor.troupe.body, actor.troupe.actors
    settle_root(0, body, actors, STEP)
    before = actors.places[0, 0].copy()
    actors.places[0, 0] += (0.0, 0.0, 0.5 * body.frame.height)
    settle_root(0, body, actors, STEP)
    assert np.linalg.norm(actors.places[0, 0] - before) < 0.1 * body.frame.height


def test_no_leg_is_taken_to_reach_farther_than_it_is_ever_folded() -> None:
    for name in (7715, 7708, 3):
        body = mm.Actor(mm.zoo.random_creature(name), at=(0, 0), heading=0.0).troupe.body
        assert (body.legs.reach < body.limbs.folds[body.legs.limb, 0, 0]).all()
