"""Contact: what is pushed, and how far; and that bodies stay out of the ground on their skin, whatever they do."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import deform
from mummer.engine.body import body_of
from mummer.engine.contact import (
    AHEAD,
    RISING,
    above_ground,
    angle_up,
    clearance,
    lift_state,
    limited,
    lowest,
    out_of_body,
    raise_out,
    slope_at,
    way_out,
    way_up,
)
from mummer.engine.ground import ground_of, level_ground
from mummer.engine.scalars import ramp
from mummer.engine.state import LIFT, new_actors
from mummer.math import quaternion
from tests.engine.commands import body_named

STEP = 1 / 60


def test_a_ramp_is_smooth_and_never_below() -> None:
    values = np.linspace(-3, 3, 601)
    found = np.array([ramp(value, 0.5) for value in values])
    assert np.all(found >= np.maximum(values, 0.0))
    assert ramp(0.5, 0.5) == 0.5
    assert ramp(-0.5, 0.5) == 0.0
    assert ramp(0.0, 0.5) == 0.125
    slopes = np.diff(found) / np.diff(values)
    assert np.all(np.diff(slopes) >= -1e-9)
    assert np.diff(slopes).max() < 0.011


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


def test_what_sinks_steadily_is_met_in_time() -> None:
    lifts = np.zeros((1, 1, 3))
    needs = np.clip(np.arange(-60, 60) * 0.01, None, 0.3)
    lifts[0, 0, 2] = needs[0]
    shown = []
    for need in needs:
        shown.append(float(lifts[0, 0, LIFT]))
        lift_state(0, 0, float(need), RISING, AHEAD + STEP, lifts, STEP)
    assert np.all(np.array(shown) >= np.maximum(needs, 0.0) - 1e-3)
    assert max(shown) < 0.3 + 0.6 / RISING
    for _ in range(120):
        lift_state(0, 0, -0.1, RISING, AHEAD, lifts, STEP)
    assert lifts[0, 0, LIFT] == pytest.approx(0.0, abs=1e-6)


def test_what_lies_still_on_the_ground_is_not_raised() -> None:
    lifts = np.zeros((1, 1, 3))
    for _ in range(60):
        lift_state(0, 0, 0.0, RISING, AHEAD, lifts, STEP)
    assert np.all(lifts == 0.0)


def test_necks_bend_no_farther_than_they_may() -> None:
    assert limited(1e-4, 2.0) == pytest.approx(1e-4, rel=1e-4)
    assert limited(100.0, 2.0) * 2.0 == pytest.approx(1.2)
    assert limited(1.0, 0.0) == 0.0


def test_the_slope_of_a_hillside_is_seen() -> None:
    assert slope_at(level_ground(1.0, (0.2, -0.1)), 2.0, 3.0) == pytest.approx((1.1, 0.2, -0.1))
    hills = ground_of(lambda x, z: 0.3 * x + 0.1 * z, 0.0, np.zeros((1, 3)))
    assert slope_at(hills, 0.4, 0.7) == pytest.approx((0.19, 0.3, 0.1), abs=1e-9)


@pytest.fixture(scope="module")
def dog() -> mm.Actor:
    return mm.Actor("zoo:dog", at=(0, 0), heading=0.0, ground=0.0)


def test_the_lowest_of_the_skin_is_found_however_it_is_turned(dog: mm.Actor) -> None:
    body, rng = dog.troupe.body, np.random.default_rng(3)
    solids, joint = body.solids, int(body.necks.head[0])
    points = solids.points[solids.first[joint] : solids.first[joint] + solids.number[joint]]
    for _ in range(20):
        turn = quaternion.normalize(rng.normal(size=4))
        x, z = rng.normal(size=2) * 0.2
        there = quaternion.rotate(turn, points)
        heights = there[:, 1] - x * there[:, 0] - z * there[:, 2]
        low, which = lowest(joint, tuple(turn), x, z, body)
        assert low == pytest.approx(heights.min())
        assert which == solids.first[joint] + heights.argmin()


def test_clearance_is_seen_from_rest_and_not_beyond_what_counts(dog: mm.Actor) -> None:
    body = body_of(dog.character)
    ground, head = level_ground(), int(body.necks.head[0])
    actors = new_actors(body, np.zeros((1, 3)), ground)
    actors.places[0] = body.frame.places
    far = 0.25 * body.frame.height
    assert clearance(0, head, body, actors, ground)[0] == far
    foot = int(body.limbs.tip[0])
    assert clearance(0, foot, body, actors, ground)[0] == pytest.approx(0.0, abs=0.02)
    actors.places[0, foot, 1] -= 0.1
    sunk = clearance(0, foot, body, actors, ground)[0]
    assert sunk == pytest.approx(-0.1, abs=0.02)
    assert clearance(0, foot, body, actors, level_ground(-0.1))[0] == pytest.approx(sunk + 0.1)


def test_a_target_below_ground_is_raised_until_the_skin_is_on_it(dog: mm.Actor) -> None:
    body, actors = dog.troupe.body, dog.troupe.actors
    ground, rng = level_ground(0.2, (0.1, 0.05)), np.random.default_rng(4)
    tip = int(body.limbs.tip[0])
    for _ in range(30):
        turn = tuple(quaternion.normalize(rng.normal(size=4)))
        target = tuple(rng.normal(size=3) * [0.3, 0.1, 0.3])
        new = above_ground(0, tip, (0.0, 0.0, 0.0), target, turn, 0.004, 0.0, body, ground, actors)
        level, x, z = slope_at(ground, new[0], new[2])
        high = new[1] + lowest(tip, turn, x, z, body)[0] - level + body.solids.sunk[tip]
        assert high >= -0.004 - 1e-9
        assert new == target or high < 1e-9
        # One whose joint yields is raised less.
        yielding = above_ground(0, tip, (0.0, 0.0, 0.0), target, turn, 0.004, 0.8, body, ground, actors)
        assert yielding[1] <= new[1] + 1e-12


def test_tails_are_bent_up_out_of_the_ground() -> None:
    actor = mm.Actor("zoo:lizard", at=(0, 0), heading=0.0, ground=0.0)
    body, actors, ground = actor.troupe.body, actor.troupe.actors, level_ground(0.03)
    tail = [int(joint) for joint in body.sways.joint if body.solids.hangs[joint] == -1 and body.solids.number[joint]]
    raised = []
    for joint in tail:
        before, _ = clearance(0, joint, body, actors, ground)
        turn = tuple(actors.turns[0, joint])
        axis, up, able = way_up(joint, turn, tuple(actors.places[0, joint] - actors.places[0, 0]), 0.0, 0.0, body)
        assert np.linalg.norm(axis) == pytest.approx(1.0)
        assert 0.0 <= able <= 1.0
        angle = angle_up(joint, float(actors.places[0, joint, 1]) - 0.03, axis, up, body)
        for _ in range(40):
            actors.turns[0, joint] = turn
            raise_out(0, joint, 1.0, body, actors, ground, STEP)
        after, _ = clearance(0, joint, body, actors, ground)
        assert (angle > 0.0) == (tuple(actors.turns[0, joint]) != turn)
        assert after >= before - 1e-9
        raised.append(after - before)
    assert max(raised) > 0.01


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
            start, end = middle + 0.5 * length * rng.normal(size=(2, 3))
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


@pytest.mark.parametrize(
    ("name", "animation"),
    [("adult", "pick_up"), ("dog", "sit"), ("horse", "die"), ("lizard", "sit"), ("4", "sleep")],
)
def test_no_skin_is_in_the_ground(name: str, animation: str) -> None:
    rng = np.random.default_rng([11, *name.encode()])
    slope = rng.normal(size=2) * 0.02
    actor = mm.Actor(body_named(name), at=(0, 0), heading=0.0, ground=level_ground(0.0, tuple(slope)))
    play, deepest = actor.play(animation), []
    play.target = play.target + rng.normal(size=3) * 0.1 * actor.troupe.body.frame.height
    for frame in range(240):
        pose = actor.step(STEP)
        if frame % 8 == 0:
            skin = np.concatenate([shape.positions for shape in deform(actor.character, pose, with_normals=False)])
            deepest.append(float((skin[:, 0] * slope[0] + skin[:, 2] * slope[1] - skin[:, 1]).max()))
    assert np.percentile(deepest, 90) < 0.035 * actor.troupe.body.frame.height


def test_two_runs_agree_to_the_last_bit() -> None:
    runs = []
    for _ in range(2):
        actor = mm.Actor("zoo:dog", at=(0, 0), heading=0.0)
        actor.play("die")
        runs.append(np.array([actor.step(STEP).rotations for _ in range(90)]))
    assert np.array_equal(runs[0], runs[1])
