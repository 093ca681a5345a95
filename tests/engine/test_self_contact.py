"""Contact with the own body: what is pushed, turned and bent away, and how far."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.engine.clearance import way_out
from mummer.engine.contact import base_of
from mummer.engine.ground import level_ground
from mummer.engine.limb import place_limb
from mummer.engine.reach import carry_joint, turn_joint
from mummer.engine.self_contact import (
    ball_of,
    onto_skin,
    out_of_body,
    swivel,
    tip_turn,
)
from mummer.engine.state import new_actors
from mummer.math import quaternion
from tests.engine.commands import body_named


def test_who_is_outside_is_not_moved_and_who_is_inside_comes_out() -> None:
    rng = np.random.default_rng(1)
    assert way_out((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), 1.0, 0.1) == (0.0, 0.0, 0.0)
    for _ in range(200):
        away = rng.normal(size=3)
        aside = rng.normal(size=3)
        aside /= np.linalg.norm(aside)
        moved = away + way_out(tuple(away), tuple(aside), 1.0, 0.1)
        assert np.linalg.norm(moved) >= min(np.linalg.norm(away), 0.9) - 1e-9
        assert np.linalg.norm(moved) <= max(np.linalg.norm(away), 1.0) + 1e-9
    # From the axis itself it goes to the side that it is rather moved to.
    assert way_out((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, 0.1) == pytest.approx((0.9, 0.0, 0.0))


def test_the_way_out_is_continuous_but_where_sides_part() -> None:
    aside = (1.0, 0.0, 0.0)
    line = np.stack([np.linspace(-0.4, 1.5, 400), np.full(400, 0.05), np.zeros(400)], axis=1)
    moved = np.array([np.add(at, way_out(tuple(at), aside, 1.0, 0.05)) for at in line])
    assert np.linalg.norm(np.diff(moved, axis=0), axis=1).max() < 0.12


@pytest.mark.parametrize("name", ["adult", "3"])
def test_small_changes_of_a_target_are_small_changes_of_where_it_is_pushed(name: str) -> None:
    actor = mm.Actor(body_named(name), at=(0, 0), heading=0.0, ground=0.0)
    body, actors = actor.troupe.body, actor.troupe.actors
    hands = np.flatnonzero(body.limbs.leg < 0) if (body.limbs.leg < 0).any() else [0]
    pushed, rng = 0, np.random.default_rng(5)
    for hand in hands:
        turn = tuple(actors.turns[0, body.limbs.tip[hand]])
        length = body.limbs.length[hand]
        middle = actors.places[0, body.limbs.carrier[hand]]
        for _ in range(6):
            # Past the side of the trunk that is the limb's own; what goes through its far side is parted.
            ends = 0.5 * length * rng.normal(size=(2, 3))
            ends[:, 0] = body.limbs.side[hand] * np.abs(ends[:, 0])
            start, end = middle + ends
            largest = []
            for count in (250, 1000):
                line = start + np.linspace(0, 1, count)[:, None] * (end - start)
                moved = np.array(
                    [out_of_body(0, int(hand), tuple(at), turn, 0.02 * length, body, actors) for at in line]
                )
                largest.append(float(np.linalg.norm(np.diff(moved, axis=0), axis=1).max()))
            pushed += int((np.abs(moved - line) > 0.01 * length).any())
            assert largest[1] < 0.5 * largest[0]
    assert pushed > 0


def test_left_and_right_hands_are_pushed_alike() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0, ground=0.0)
    body, actors, rng = actor.troupe.body, actor.troupe.actors, np.random.default_rng(8)
    left, right = (int(np.flatnonzero((body.limbs.leg < 0) & (body.limbs.side == side))[0]) for side in (1.0, -1.0))
    chest = actors.places[0, body.limbs.carrier[left]]
    pushed = 0
    for _ in range(40):
        at = chest + 0.2 * rng.normal(size=3) * body.limbs.length[left]
        one = np.subtract(out_of_body(0, left, tuple(at), (0.0, 0.0, 0.0, 1.0), 0.005, body, actors), at)
        mirrored = at * [-1, 1, 1]
        two = np.subtract(out_of_body(0, right, tuple(mirrored), (0.0, 0.0, 0.0, 1.0), 0.005, body, actors), mirrored)
        pushed += int(np.linalg.norm(one) > 0.01)
        assert one == pytest.approx(two * [-1, 1, 1], abs=0.05 * body.limbs.length[left])
    assert pushed > 5


def test_who_touches_nothing_is_neither_pushed_nor_turned() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0, ground=0.0)
    body, actors, ground = actor.troupe.body, actor.troupe.actors, level_ground()
    hand = int(np.flatnonzero(body.limbs.leg < 0)[0])
    base = int(body.limbs.chain[body.limbs.first[hand]])
    away = actors.places[0, base] + [2.0 * body.limbs.length[hand], 0.0, 0.0]
    assert out_of_body(0, hand, tuple(away), (0.0, 0.0, 0.0, 1.0), 0.01, body, actors) == tuple(away)
    before = actors.bends.copy()
    swivel(0, hand, 1.0, body, actors, ground)
    assert np.array_equal(actors.bends, before)


def test_a_hand_that_is_to_touch_a_part_is_wished_on_its_skin_and_no_farther() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0, ground=0.0)
    body, actors, goals = actor.troupe.body, actor.troupe.actors, actor.troupe.goals
    hand, head = int(np.flatnonzero(body.limbs.leg < 0)[0]), int(body.necks.head[0])
    goals.touched[0, hand] = head, 1.0
    length, gaps = body.limbs.length[hand], []
    for far in (0.3, 0.4, 0.5):
        wish = tuple(actors.places[0, head] + [far * length, 0.05, 0.1])
        once = onto_skin(0, hand, wish, body, actors, goals, 0.0)
        assert np.linalg.norm(np.subtract(once, wish)) > 0.01
        # There is nothing left to do, but for what the way there and the way out differ.
        again = onto_skin(0, hand, once, body, actors, goals, 0.0)
        gaps.append(np.linalg.norm(np.subtract(again, once)) / np.linalg.norm(np.subtract(once, wish)))
    assert max(gaps) < 0.5
    inside = ball_of(0, int(np.flatnonzero(body.solids.joint == head)[0]), body, actors)
    assert onto_skin(0, hand, inside, body, actors, goals, 0.0) == inside
    away = tuple(actors.places[0, head] + [3.0 * length, 0.0, 0.0])
    assert onto_skin(0, hand, away, body, actors, goals, 0.0) == away
    goals.touched[0, hand, 1] = 0.0
    assert onto_skin(0, hand, wish, body, actors, goals, 0.0) == wish


def test_an_elbow_in_the_ground_swivels_out_and_the_hand_stays() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0, ground=0.0)
    body, actors = actor.troupe.body, actor.troupe.actors
    hand = int(np.flatnonzero(body.limbs.leg < 0)[0])
    first, count = int(body.limbs.first[hand]), int(body.limbs.number[hand])
    chain = [*body.limbs.chain[first : first + count].tolist(), int(body.limbs.tip[hand])]
    shoulder = np.array(base_of(0, hand, body, actors))
    target = shoulder + 0.7 * body.limbs.length[hand] * np.array([0.8, 0.0, 0.6])
    place_limb(0, hand, tuple(target), tuple(target), 0.98, body, actors)
    for joint in chain:
        carry_joint(0, joint, body, actors)
    elbow, wrist = actors.places[0, chain[-2]].copy(), actors.places[0, chain[-1]].copy()
    # The ground is where the elbow is.
    ground = level_ground(float(elbow[1]))
    swivel(0, hand, 1.0, body, actors, ground)
    for joint in chain:
        carry_joint(0, joint, body, actors)
    assert actors.places[0, chain[-2], 1] > elbow[1] + 0.005
    assert actors.places[0, chain[-1]] == pytest.approx(wrist, abs=0.01 * body.limbs.length[hand])


def test_a_hand_is_taken_to_be_turned_as_its_joint_lets_it() -> None:
    actor = mm.Actor("zoo:adult", at=(0, 0), heading=0.0, ground=0.0)
    body, actors, goals = actor.troupe.body, actor.troupe.actors, actor.troupe.goals
    hand = int(np.flatnonzero(body.limbs.leg < 0)[0])
    tip = int(body.limbs.tip[hand])
    goals.asked[0], goals.turns[0, tip] = 1.0, (*quaternion.from_axis_angle([1.0, 1.0, 0.0], 2.8), 1.0)
    taken = tip_turn(0, hand, body, actors, goals)
    turn_joint(0, tip, body, actors, goals)
    assert quaternion.angle_between(taken, actors.turns[0, tip]) < 1e-9
    assert quaternion.angle_between(taken, goals.turns[0, tip, :4]) > 0.5


@pytest.mark.parametrize("name", ["zoo:adult", "zoo:dog", "zoo:crab", "random:9512"])
def test_nobody_is_pushed_at_rest(name: str) -> None:
    actor = mm.Actor(name, at=(0, 0), heading=0.0, ground=0.0)
    body, actors = actor.troupe.body, new_actors(actor.troupe.body, np.zeros((1, 3)), level_ground())
    actors.places[0] = body.frame.places
    for limb in range(len(body.limbs.tip)):
        tip = body.frame.places[body.limbs.tip[limb]] + body.limbs.point[limb]
        assert out_of_body(0, limb, tuple(tip), (0.0, 0.0, 0.0, 1.0), 0.0, body, actors) == pytest.approx(tuple(tip))
        if body.limbs.leg[limb] < 0:
            before = actors.bends.copy()
            swivel(0, limb, 1.0, body, actors, level_ground(-10.0))
            assert np.allclose(actors.bends, before, atol=1e-9)
