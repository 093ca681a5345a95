"""What the descent of the core is made of, function by function, in plain Python: costs, forces, new beginnings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer import ik
from mummer.character import Ball, Character, Hinge, Limits, Pivot, Skeleton
from mummer.ik.limits import allowed_angles
from mummer.ik.numeric import records as col
from mummer.ik.numeric.descent import (
    ANEW,
    FIRST_TRY,
    MEEK,
    NUDGE,
    SETTLING,
    STIFFER,
    YIELDING,
    all_missed,
    are_met,
    begin_anew,
    bend_anew,
    beyond_reach,
    bring_root,
    chance,
    cost_of_misses,
    damping_factor,
    guiltiest,
    highest_movable,
    note_pushes,
    reach_between,
    set_rows,
    set_stiffness,
    set_strengths,
    sharpness,
    soften,
    spare_the_impossible,
    square,
    stiffen,
    turn_anew,
    write_pull,
)
from mummer.ik.numeric.posing import equal_metric, is_way, take_step
from mummer.ik.numeric.records import How
from mummer.math import quaternion
from tests.ik.numeric.core import Core, core_of
from tests.ik.numeric.making import arm, random_poses

seeds = st.integers(0, 1_000)
BODY = arm()
TIP = len(BODY.skeleton) - 1


def core(*goals: ik.Goal, seed: int = 1, root: str = "free") -> Core:
    pose = random_poses(BODY, np.random.default_rng(seed), 1)
    found = core_of(ik.make_problem(BODY, goals, pose, root=root))
    found.look()
    return found


def with_how(made: Core, **changes: float) -> Core:
    how = How(**{**made.goals.how._asdict(), **changes})
    return Core(made.body, made.goals._replace(how=how), made.work, made.plan)


def hard_and_soft() -> Core:
    return core(ik.Place(TIP, at=(0.3, 1.0, 0.2)), ik.Place(2, at=(0.1, 1.0, 0.0), weight=0.5))


@given(st.floats(0.01, 1.5), st.sampled_from([1, 2, 3]))
def test_entries_pull_with_the_slope_of_what_they_cost(missed: float, hard: int) -> None:
    made = hard_and_soft()
    goals, rows = made.goals, made.work.rows
    goals.labels[0, col.HARD] = hard
    goals.values[0, col.STRENGTH] = 7.0
    rows[col.MISS] = 0.0

    def cost(size: float, first: int) -> float:
        rows[col.MISS] = 0.0
        rows[col.MISS, first : first + 3] = size * np.array([0.6, 0.0, -0.8])
        return cost_of_misses(goals, rows, col.MISS)

    slopes = [(cost(missed + 1e-5, first) - cost(missed - 1e-5, first)) / 2e-5 for first in (0, 3)]
    assert slopes[0] == pytest.approx(7.0 * sharpness(goals, 0, missed) * missed, rel=1e-5)
    assert slopes[1] == pytest.approx(0.5 * goals.how.stiffness * missed, rel=1e-5)
    assert cost(0.0, 0) == pytest.approx(0.0, abs=1e-12)
    # A hard entry that did not give way pulls with its strength wherever it is; who gave way pulls the more.
    assert slopes[0] == pytest.approx(7.0, rel=1e-3) if hard == 1 else slopes[0] > 7.0
    # What rows give way by is what makes a step pull so, and no stride changes the force.
    for stride in (100.0, 0.5 * missed):
        near = with_how(made, stride=stride)
        cost(missed, 0)
        set_rows(near.goals, near.work)
        sought, give = rows[col.SOUGHT, :3], rows[col.GIVE, 0]
        assert np.linalg.norm(sought) == pytest.approx(min(missed, stride))
        assert np.linalg.norm(sought) / give == pytest.approx(slopes[0], rel=1e-4)
        assert np.all(rows[col.IS_ON, :6] == 1.0)


def test_damping_eases_hard_rows_the_less_the_nearer_they_are() -> None:
    made = hard_and_soft()
    gives = []
    for damping, missed in ((0.0, 0.5), (0.1, 0.5), (0.1, 0.05), (0.1, 5.0)):
        damped = with_how(made, damping=damping)
        damped.goals.values[0, col.STRENGTH] = 1.0
        damped.work.rows[col.MISS] = 0.0
        damped.work.rows[col.MISS, 0] = missed
        set_rows(damped.goals, damped.work)
        part = min(1.0, damped.goals.how.stride / missed)
        gives.append(damped.work.rows[col.GIVE, 0] - part / sharpness(damped.goals, 0, missed))
    np.testing.assert_allclose(gives, [0.0, 0.01, 0.005, 0.01], atol=1e-12)


def test_one_sided_rows_with_room_to_spare_take_no_part() -> None:
    made = core(ik.HalfSpace(TIP, distance=0.0))
    for missed, on in ((0.2, 1.0), (0.0, 0.0), (-0.3, 0.0)):
        made.work.rows[col.MISS] = missed
        set_rows(made.goals, made.work)
        assert made.work.rows[col.IS_ON, 0] == on
        assert made.work.rows[col.SOUGHT, 0] == pytest.approx(missed)


def test_pushes_are_brought_to_what_they_would_be_without_damping() -> None:
    made = hard_and_soft()
    rows, goals = made.work.rows, made.goals
    goals.values[0, col.STRENGTH] = 10.0
    for push, scale in ((1.0, 0.4), (6.0, 0.6), (20.0, 1.0)):
        rows[col.PUSH] = 0.0
        rows[col.PUSH, 1], rows[col.PUSH, 4] = push, 2.0
        note_pushes(goals, made.work, 0.4)
        np.testing.assert_allclose(rows[col.PUSH, [1, 4]], [scale * push, 2.0 * scale])


@given(st.floats(0.0, 3.0), st.floats(0.1, 2.0))
def test_damping_falls_where_steps_keep_what_they_promise(gained: float, promise: float) -> None:
    factor = damping_factor(gained, promise)
    assert 0.1 <= factor <= 2.0
    assert damping_factor(gained + 0.1, promise) <= factor
    assert damping_factor(0.5 * promise, promise) == pytest.approx(1.0)
    assert damping_factor(promise, promise) == 0.1
    assert damping_factor(0.0, promise) == 2.0
    assert damping_factor(gained, 0.0) == 1.0


def test_chances_are_spread_evenly_and_always_the_same() -> None:
    found = np.array([[chance(attempt, number) for number in range(60)] for attempt in range(1, 9)])
    assert found.min() >= 0.0
    assert found.max() <= 1.0
    assert abs(found.mean() - 0.5) < 0.03
    assert len(np.unique(found)) == found.size
    counts = np.histogram(found, 4, (0.0, 1.0))[0]
    assert counts.min() > 0.7 * found.size / 4


@pytest.mark.parametrize("attempt", [1, 2, 3, 5])
def test_new_beginnings_are_within_limits_and_farther_and_farther_off(attempt: int) -> None:
    made = core(ik.Place(TIP, at=(0.3, 1.0, 0.2)))
    made.work.home[:] = made.stance
    before = made.stance.copy()
    begin_anew(made.goals, made.body, made.work, attempt)
    after = made.stance
    np.testing.assert_allclose(np.linalg.norm(after[:, col.LOCAL : col.LOCAL + 4], axis=1), 1.0)
    for joint in range(1, TIP + 1):
        angles = tuple(after[joint, col.ANGLE : col.ANGLE + 3])
        np.testing.assert_allclose(allowed_angles(joint, made.body.limits, angles), angles, atol=1e-12)
    moved = np.abs(after[1:, col.ANGLE : col.ANGLE + 3] - before[1:, col.ANGLE : col.ANGLE + 3])
    if attempt == 1:
        assert 0.0 < moved.max() <= NUDGE + 1e-9
        np.testing.assert_array_equal(after[0, col.OFFSET :], before[0, col.OFFSET :])
    else:
        assert moved.max() > NUDGE
        # A body that may travel begins where its places are met in the middle.
        assert np.linalg.norm(made.look()) < 1e-9
    # A root turns round rather than over.
    turn = after[0, col.LOCAL : col.LOCAL + 4] * np.sign(after[0, col.LOCAL + 3])
    own = before[0, col.LOCAL : col.LOCAL + 4] * np.sign(before[0, col.LOCAL + 3])
    if attempt < 3:
        assert np.linalg.norm(turn - own) < 0.1


@given(seeds, st.floats(0.0, 0.5))
def test_a_root_is_brought_so_near_that_places_are_missed_by_the_slack(seed: int, slack: float) -> None:
    made = core(ik.Place(TIP, at=(3.0, 1.0, 0.2)), ik.Place(2, at=(2.0, 1.0, 1.0)), seed=seed)
    lacking = made.work.rows[col.AHEAD].reshape(2, 3).mean(axis=0)
    bring_root(made.goals, made.body, made.work, 0, slack)
    left = made.look().reshape(2, 3).mean(axis=0)
    assert np.linalg.norm(left) == pytest.approx(min(slack, float(np.linalg.norm(lacking))), abs=1e-9)
    assert np.linalg.norm(np.cross(left, lacking)) == pytest.approx(0.0, abs=1e-9)


@given(seeds)
def test_the_pull_leads_home(seed: int) -> None:
    made, other = (
        core(ik.Place(TIP, at=(0.3, 1.0, 0.2)), seed=seed),
        core(ik.Place(TIP, at=(0.3, 1.0, 0.2)), seed=seed + 1),
    )
    write_pull(made.body, made.stance, other.stance, made.work.dofs)
    made.work.dofs[col.STEP] = made.work.dofs[col.PULL]
    moved = made.stance.copy()
    take_step(made.body, moved, made.work.dofs)
    np.testing.assert_allclose(moved[:, col.ANGLE :], other.stance[:, col.ANGLE :], atol=1e-9)
    turns = np.abs(np.vecdot(moved[:, :4], other.stance[:, :4]))
    np.testing.assert_allclose(turns, 1.0, atol=1e-9)
    made.work.dofs[col.METRIC] = 2.0
    assert square(made.work, col.PULL) == pytest.approx(2.0 * float(np.sum(made.work.dofs[col.PULL] ** 2)))


@given(seeds, st.floats(0.1, 1.0))
def test_steps_are_charged_for_mass_and_for_springs(seed: int, share: float) -> None:
    made = core(ik.Place(TIP, at=(0.3, 1.0, 0.2)))
    random, dofs = np.random.default_rng(seed), made.work.dofs
    dofs[col.METRIC] = random.uniform(0.5, 2.0, size=dofs.shape[1])
    dofs[col.BEND], dofs[col.PULL] = random.normal(size=(2, dofs.shape[1]))
    bends = np.maximum(dofs[col.BEND], 0.0)
    ball = int(made.body.joints[1, col.FIRST])
    bends[ball : ball + 2] = bends[ball : ball + 2].max()
    set_stiffness(made.body, made.work, share)
    np.testing.assert_allclose(dofs[col.STIFF], dofs[col.METRIC] / share + bends)
    np.testing.assert_allclose(dofs[col.WISH] * dofs[col.STIFF], dofs[col.PULL] * dofs[col.METRIC])


def test_hard_entries_are_stronger_than_all_else_and_alike_where_they_are_as_easy() -> None:
    made = hard_and_soft()
    made.slopes()
    made.work.dofs[col.METRIC] = 1.0
    made.work.rows[col.MISS] = made.work.rows[col.AHEAD]
    set_strengths(made.goals, made.work)
    misses = np.linalg.norm(made.work.rows[col.MISS].reshape(2, 3), axis=1)
    np.testing.assert_allclose(made.goals.values[:2, col.ASKED], misses)
    strength = made.goals.values[0, col.STRENGTH]
    assert strength > 10.0 * cost_of_misses(made.goals, np.where(np.arange(6) < 3, 0.0, made.work.rows), col.MISS)
    # What is heavier to move is pulled as much harder, beside what soft entries may pull with.
    soft = 1e2 * made.goals.how.stiffness * 0.5 * (misses[1] + 0.1 * made.goals.how.height)
    made.work.dofs[col.METRIC] = 4.0
    set_strengths(made.goals, made.work)
    assert made.goals.values[0, col.STRENGTH] - soft == pytest.approx(4.0 * (strength - soft))


def test_the_guiltiest_is_missed_by_much_and_asked_for_much() -> None:
    made = core(ik.Place(TIP, at=(0.3, 1.0, 0.2)), ik.Place(2, at=(0.1, 1.0, 0.0)), ik.Place(1, at=(0.0, 1.0, 0.0)))
    goals, rows = made.goals, made.work.rows
    goals.values[:, col.ASKED], goals.values[:, col.STRENGTH] = 1.0, 10.0
    rows[col.MISS] = 0.0
    assert are_met(goals, rows)
    assert guiltiest(goals, rows) == -1
    rows[col.MISS, [0, 3]] = 0.3, -0.4
    assert not are_met(goals, rows)
    assert all_missed(goals, rows) == pytest.approx(0.7)
    assert guiltiest(goals, rows) == 1
    goals.values[0, col.ASKED] = 9.0
    assert guiltiest(goals, rows) == 0
    soften(goals, 0)
    assert (goals.labels[0, col.HARD], goals.values[0, col.STRENGTH]) == (2, pytest.approx(10.0 * MEEK))
    assert guiltiest(goals, rows) == 1
    assert all_missed(goals, rows) == pytest.approx(0.4)
    stiffen(goals)
    np.testing.assert_allclose(goals.values[:, col.STRENGTH], [10.0 * MEEK, 10.0 * STIFFER, 10.0 * STIFFER])
    alone = core(ik.Place(TIP, at=(0.3, 1.0, 0.2)))
    soften(alone.goals, 0)
    assert alone.goals.labels[0, col.HARD] == 3


@pytest.mark.parametrize("root", ["free", "turns", "fixed"])
def test_what_is_too_far_gives_way_before_time_is_lost_on_it(root: str) -> None:
    far = ik.Place(TIP, at=(0.0, 1.0, 30.0))
    near = ik.Place(2, at=tuple(core(far).world[2, col.PLACE_AT : col.PLACE_AT + 3]))
    for goals, expected in (((far,), [1 if root == "free" else 3]), ((near, far), [1, 2]), ((near,), [1])):
        made = core(*goals, root=root)
        made.goals.values[:, col.ASKED] = np.arange(len(goals))
        guilty = beyond_reach(made.goals, made.body, made.stance, made.world)
        assert guilty == next((place for place, hard in enumerate(expected) if hard > 1), -1)
        spare_the_impossible(made.goals, made.body, made.stance, made.world)
        assert made.goals.labels[: len(goals), col.HARD].tolist() == expected
    top = highest_movable(made.body, TIP)
    assert top == {"free": -1, "turns": 0, "fixed": 1}[root]
    lengths = np.linalg.norm(made.stance[:, col.OFFSET : col.OFFSET + 3], axis=1)
    assert reach_between(made.body, made.stance, TIP, 1) == pytest.approx(lengths[2 : TIP + 1].sum())
    assert reach_between(made.body, made.stance, 1, TIP) == pytest.approx(lengths[2 : TIP + 1].sum())
    assert reach_between(made.body, made.stance, 2, 2) == 0.0
    assert math.isfinite(lengths.sum())


def turned_anew(joint: int, attempt: int, *, is_root: bool = False) -> np.ndarray:
    """(3,) rotation vector by which a free joint is turned, from where the attempt starts."""
    home, stance = np.zeros((2, 8, 12))
    home[:, col.LOCAL + 3] = 1.0
    stance[:, col.LOCAL : col.LOCAL + 4] = quaternion.exp(np.array([0.0, 0.0, 1.0]))
    start = (stance if attempt == 1 else home)[joint, col.LOCAL : col.LOCAL + 4].copy()
    turn_anew(home, stance, joint, attempt, is_root)
    return quaternion.log(quaternion.multiply(quaternion.conjugate(start), stance[joint, col.LOCAL : col.LOCAL + 4]))


def test_first_a_body_is_nudged_and_then_begun_anew_from_home() -> None:
    nudged = np.array([turned_anew(joint, 1) for joint in range(8)])
    anew = np.array([turned_anew(joint, attempt) for joint in range(8) for attempt in (2, 3, 4)])
    assert 0.3 * NUDGE < np.abs(nudged).max() <= NUDGE
    assert 0.3 < np.abs(anew).max() <= 0.5
    for turns in (nudged, anew):
        # All ways, each joint and each attempt its own.
        assert np.all(turns.min(axis=0) < 0.0)
        assert np.all(turns.max(axis=0) > 0.0)
        assert len(np.unique(turns.round(6))) == turns.size


def test_roots_turn_round_rather_than_over() -> None:
    found = np.array([turned_anew(joint, attempt, is_root=True) for joint in range(8) for attempt in (3, 4, 5)])
    assert np.abs(found[:, [0, 2]]).max() < 0.1
    assert np.abs(found[:, 1]).max() > 1.0
    early = np.array([turned_anew(joint, attempt, is_root=True) for joint in range(8) for attempt in (1, 2)])
    np.testing.assert_allclose(early[:, 1], 0.0, atol=1e-3)


def test_what_is_sought_is_told_apart() -> None:
    assert len({FIRST_TRY, ANEW, SETTLING, YIELDING}) == 4


@pytest.mark.parametrize(("root", "ways"), [("free", 3), ("turns", 0), ("fixed", 0)])
def test_a_root_goes_three_ways_and_each_costs_by_the_height(root: str, ways: int) -> None:
    made = core(ik.Place(TIP, at=(0.3, 1.0, 0.2)), root=root)
    count = made.work.dofs.shape[1]
    assert sum(is_way(made.body, dof) for dof in range(count)) == ways
    pulls, height = np.linspace(1.0, 2.0, len(BODY.skeleton)), 3.0
    equal_metric(made.body, pulls, height, made.work)
    for dof in range(count):
        cost = pulls[made.body.owner[dof]] / (9.0 if is_way(made.body, dof) else 1.0)
        assert made.work.dofs[col.METRIC, dof] == pytest.approx(cost)


RANGES = {
    "hinge": (Hinge((0.0, 1.0, 0.0), -0.4, 1.0), [(-0.4, 1.0)]),
    "pivot": (Pivot((0.0, 1.0, 0.0), -0.2, 1.0, (0.0, 0.0, 1.0), -0.9, 0.1), [(-0.2, 1.0), (-0.9, 0.1)]),
    "ball": (Ball((1.0, 0.0, 0.0), (1.2, 0.5), -0.1, 0.7, (0.0, 1.0, 0.0)), [(-1.2, 1.2), (-0.5, 0.5), (-0.1, 0.7)]),
}


def bent_anew(kind: str, attempt: int, start: float = 0.0) -> np.ndarray:
    """The angles of a joint after a new beginning."""
    limits = Limits.from_joints(3, {1: RANGES[kind][0]})
    skeleton = Skeleton(("root", "joint", "tip"), [-1, 0, 1], [[0, 0, 0], [0, 1.0, 0], [0.4, 0, 0]], name="one")
    body = Character("one", skeleton, limits=limits)
    made = core_of(ik.make_problem(body, ik.Place(2, at=(0.3, 1.0, 0.2))))
    columns = slice(col.ANGLE, col.ANGLE + len(RANGES[kind][1]))
    made.work.home[:] = made.stance
    made.stance[1, columns] = start
    bend_anew(made.body, made.work.home, made.stance, 1, attempt)
    return made.stance[1, columns].copy()


@pytest.mark.parametrize("kind", RANGES)
def test_joints_are_begun_anew_towards_then_in_then_all_over_the_middle_of_their_ranges(kind: str) -> None:
    low, high = np.array(RANGES[kind][1]).T
    middle = 0.5 * (low + high)
    np.testing.assert_allclose(bent_anew(kind, 2), middle, atol=1e-9)
    for start in (-0.05, 0.05):
        moved = bent_anew(kind, 1, start) - start
        np.testing.assert_allclose(moved, np.clip(middle - start, -NUDGE, NUDGE), atol=1e-9)
    found = np.array([bent_anew(kind, attempt) for attempt in range(3, 20)])
    assert np.all(found >= low - 1e-9)
    assert np.all(found <= high + 1e-9)
    # Most of each range is tried, on both sides of its middle.
    assert np.all(np.ptp(found, axis=0) > 0.5 * (high - low))
    assert np.all(found.min(axis=0) < middle)
    assert np.all(found.max(axis=0) > middle)
