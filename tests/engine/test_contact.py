"""Contact with the ground: bodies stay out of the ground on their skin, whatever they do."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import deform
from mummer.engine.body import Body, body_of
from mummer.engine.contact import (
    AHEAD,
    RISING,
    SOFT,
    SUNK,
    above_ground,
    angle_up,
    clearance,
    comes_down,
    lift_state,
    limited,
    lowest,
    raise_out,
    slope_at,
    way_up,
)
from mummer.engine.ground import ground_of, level_ground
from mummer.engine.reach import carry_joint
from mummer.engine.scalars import ramp
from mummer.engine.solids import FINE, LOOSE
from mummer.engine.state import EXTRA, HIGH, LEFT, LIFT, new_actors
from mummer.kernels.vectors import shortest
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
        new = above_ground(0, tip, (0.0, 0.0, 0.0), target, turn, 0.004, 0.0, 0.0, body, ground, actors)
        level, x, z = slope_at(ground, new[0], new[2])
        high = new[1] + lowest(tip, turn, x, z, body)[0] - level + body.solids.sunk[tip]
        assert high >= -0.004 - 1e-9
        assert new == target or high < 1e-9
        # One whose joint yields is raised less.
        yielding = above_ground(0, tip, (0.0, 0.0, 0.0), target, turn, 0.004, 0.8, 0.0, body, ground, actors)
        assert yielding[1] <= new[1] + 1e-12


def soft_of(body: Body, joint: int) -> float:
    """Metres that a joint which bends up by itself leaves in the ground at most."""
    return float(SOFT * body.solids.bound[joint] + (SUNK + FINE) * body.frame.height)


@pytest.fixture(scope="module")
def lizard() -> mm.Actor:
    return mm.Actor("zoo:lizard", at=(0, 0), heading=0.0, ground=0.0)


def test_a_joint_bends_until_what_it_carries_is_out_and_no_farther(lizard: mm.Actor) -> None:
    body, rng = lizard.troupe.body, np.random.default_rng(6)
    solids = body.solids
    for joint in [int(one) for one in body.sways.joint if solids.number[one]]:
        points = solids.points[solids.first[joint] : solids.first[joint] + solids.number[joint]]
        for _ in range(10):
            turn = tuple(quaternion.normalize([0.0, 0.0, 0.0, 1.0] + 0.4 * rng.normal(size=4)))
            axis, up, able = way_up(joint, turn, (0.0, 0.0, -1.0), 0.0, 0.0, body)
            assert np.linalg.norm(axis) == pytest.approx(1.0)
            assert 0.0 <= able <= 1.0
            starts = np.linspace(0.2, 1.2, 11) * solids.bound[joint]
            angles = [angle_up(joint, start, axis, up, 0.0, body) for start in starts]
            # The higher a joint is the less it bends.
            assert np.all(np.diff(angles) <= 1e-9)
            for start, angle in zip(starts, angles, strict=True):
                if angle > 0.0:
                    ahead = points @ np.cross(up, axis) >= 0.0
                    after = start + quaternion.rotate(quaternion.exp(angle * np.array(axis)), points) @ np.array(up)
                    assert after[ahead].min() >= -soft_of(body, joint)
                    assert (start + points @ np.array(up)).min() < 0.0


def test_tails_are_bent_up_out_of_the_ground_and_not_above_it(lizard: mm.Actor) -> None:
    body, actors, ground = lizard.troupe.body, lizard.troupe.actors, level_ground(0.03)
    tail = [int(joint) for joint in body.sways.joint if body.solids.hangs[joint] == LOOSE and body.solids.number[joint]]
    bends = actors.bends.copy()
    for _ in range(90):
        actors.bends[:] = bends
        for joint in tail:
            carry_joint(0, joint, body, actors)
            raise_out(0, joint, 1.0, body, actors, lizard.troupe.goals, ground, STEP)
    raised = [joint for joint in tail if actors.raised[0, joint, LIFT] + actors.raised[0, joint, EXTRA] > 1e-3]
    assert raised
    for joint in raised:
        assert clearance(0, joint, body, actors, ground)[0] >= -soft_of(body, joint)
    assert min(clearance(0, joint, body, actors, ground)[0] for joint in raised) < soft_of(body, raised[-1])


def test_what_is_above_the_ground_is_not_bent(lizard: mm.Actor) -> None:
    body, actors, ground = lizard.troupe.body, lizard.troupe.actors, level_ground(-1.0)
    before = actors.turns.copy()
    for joint in np.flatnonzero(body.solids.hangs == LOOSE).tolist():
        actors.raised[0, joint] = 0.0
        raise_out(0, joint, 1.0, body, actors, lizard.troupe.goals, ground, STEP)
    assert np.array_equal(actors.turns, before)


def test_what_comes_to_the_ground_slowly_with_its_very_tip_is_not_thrown_up(lizard: mm.Actor) -> None:
    body, actors = lizard.troupe.body, lizard.troupe.actors
    joint = next(int(one) for one in np.flatnonzero(body.solids.hangs == LOOSE) if body.solids.number[one] > 0)
    first, number = body.solids.first[joint], body.solids.number[joint]
    points = body.solids.points[first : first + number]
    tip = points[np.argmax(np.linalg.norm(points, axis=1))]
    down = np.array(shortest(tuple(tip), (0.0, -1.0, 0.0)))
    touches = actors.places[0, joint, 1] + body.solids.sunk[joint] - np.linalg.norm(tip)
    actors.raised[0, joint] = 0.0
    for level in touches + body.frame.height * np.arange(-2e-3, 1e-4, 1e-5):
        actors.turns[0, joint] = down
        if comes_down(0, joint, body, actors, level_ground(level)):
            raise_out(0, joint, 1.0, body, actors, lizard.troupe.goals, level_ground(level), STEP)
        assert actors.raised[0, joint, LIFT] < 0.02


def test_what_trails_bends_up_before_it_comes_to_the_ground(lizard: mm.Actor) -> None:
    body, actors = lizard.troupe.body, lizard.troupe.actors
    joint = next(int(one) for one in body.sways.joint if body.solids.hangs[one] == LOOSE and body.solids.number[one])
    first, number = body.solids.first[joint], body.solids.number[joint]
    points, place, turn = body.solids.points[first : first + number], actors.places[0, joint], actors.turns[0, joint]
    low = float((place + quaternion.rotate(turn, points))[:, 1].min()) + float(body.solids.sunk[joint])
    kept, lifted = (place.copy(), turn.copy()), []
    for trails in (False, True):
        actors.raised[0, joint], actors.turns[0, joint] = 0.0, kept[1]
        actors.raised[0, joint, HIGH] = place[1] + 0.02 * body.frame.height
        ground = level_ground(low - 0.01 * body.frame.height)
        raise_out(0, joint, 1.0, body, actors, lizard.troupe.goals, ground, STEP, trails)
        lifted.append(actors.raised[0, joint, LIFT])
    actors.turns[0, joint] = kept[1]
    assert lifted[0] == 0.0 < lifted[1]


def test_what_carries_no_skin_passes_on_what_those_below_it_cannot_do() -> None:
    actor = mm.Actor("zoo:lizard", at=(0, 0), heading=0.0, ground=0.0)
    body, actors, ground = actor.troupe.body, actor.troupe.actors, level_ground(10.0)
    above, middle, joint = [int(one) for one in body.sways.joint if body.solids.hangs[one] == LOOSE][-3:]
    number = body.solids.number.copy()
    number[middle] = 0
    bare = body._replace(solids=body.solids._replace(number=number))
    actors.raised[0, [above, middle, joint]] = 0.0
    for _ in range(20):
        raise_out(0, joint, 1.0, bare, actors, actor.troupe.goals, ground, STEP)
    assert actors.raised[0, middle, LEFT] == 0.0 < actors.raised[0, above, LEFT]


def test_what_joints_cannot_do_is_done_by_those_above(lizard: mm.Actor) -> None:
    body, actors, ground = lizard.troupe.body, lizard.troupe.actors, level_ground(-1.0)
    above, joint = [int(one) for one in body.sways.joint if body.solids.hangs[one] == LOOSE][-2:]
    assert body.frame.parents[joint] == above
    actors.raised[0, [above, joint]] = 0.0
    turn = actors.turns[0, above].copy()
    for _ in range(20):
        actors.raised[0, above, LEFT], actors.turns[0, above] = 0.01, turn
        raise_out(0, above, 1.0, body, actors, lizard.troupe.goals, ground, STEP)
    assert actors.raised[0, above, EXTRA] > 0.0
    for _ in range(600):
        actors.turns[0, above] = turn
        raise_out(0, above, 1.0, body, actors, lizard.troupe.goals, ground, STEP)
    assert actors.raised[0, above, EXTRA] < 0.01
    actors.turns[0, above] = turn


@pytest.mark.parametrize(
    ("name", "animation"),
    [("adult", "pick_up"), ("dog", "sit"), ("lizard", "sit"), ("lizard", "punch"), ("dragon", "bow")],
)
def test_no_skin_of_who_has_come_to_rest_is_in_the_ground(name: str, animation: str) -> None:
    rng = np.random.default_rng([11, *name.encode()])
    slope = rng.normal(size=2) * 0.02
    actor = mm.Actor(body_named(name), at=(0, 0), heading=0.0, ground=level_ground(0.0, tuple(slope)))
    actor.play(animation)
    for _ in range(360):
        pose = actor.step(STEP)
    body = actor.troupe.body
    skin = np.concatenate([shape.positions for shape in deform(actor.character, pose, with_normals=False)])
    rest = np.concatenate(
        [shape.positions for shape in deform(actor.character, actor.character.default_pose, with_normals=False)]
    )
    deep = skin[:, 0] * slope[0] + skin[:, 2] * slope[1] - skin[:, 1] - np.maximum(-rest[:, 1], 0.0)
    assert deep.max() < max(soft_of(body, joint) for joint in range(len(body.frame.parents)))


def test_two_runs_agree_to_the_last_bit() -> None:
    runs = []
    for _ in range(2):
        actor = mm.Actor("zoo:dog", at=(0, 0), heading=0.0)
        actor.play("die")
        runs.append(np.array([actor.step(STEP).rotations for _ in range(90)]))
    assert np.array_equal(runs[0], runs[1])


@pytest.mark.parametrize("name", ["adult", "giant"])
def test_a_fist_is_shorter_than_a_stretched_hand(name: str) -> None:
    body = body_of(mm.zoo.body(name))
    for limb in np.flatnonzero(body.limbs.leg < 0):
        hand = int(body.limbs.tip[limb])
        first, count = body.solids.first[hand], body.solids.number[hand]
        far = body.solids.points[first : first + count]
        down = quaternion.between_vectors(far[np.linalg.norm(far, axis=1).argmax()], [0.0, -1.0, 0.0])
        lows = [lowest(hand, tuple(down), 0.0, 0.0, body, closed)[0] for closed in (0.0, 0.5, 1.0)]
        assert lows[0] < lows[1] < lows[2] < 0.0
        assert lows[2] > 0.8 * lows[0]
