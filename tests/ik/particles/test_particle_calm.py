"""Where answers used to jump: steps that rose where a fall was foretold, and twists near half a turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.character import Character, Pose, Skeleton
from mummer.ik import Particle, Place, WorldState, solve
from mummer.ik.particles.calm import calm_angle
from mummer.ik.particles.correct import DAMPED_AT, ERROR, POTENTIAL_AT, WHOLE, solve_rows, weigh, weighed
from mummer.ik.particles.records import settings_for

TUNED = settings_for(height=1.0, tolerance=1e-3)


@given(seed=st.integers(0, 2**32 - 1), goals=st.integers(1, 5), joints=st.integers(1, 9))
@settings(max_examples=60)
def test_a_step_lowers_what_is_foretold_to_fall(seed, goals, joints):
    """The fall of linear equations is known: it is compared with the weighed sums before and a little further on."""
    random = np.random.default_rng(seed)
    jacobian, errors = random.normal(size=(3 * goals, joints)), random.normal(size=3 * goals)
    damping = 10.0 ** random.uniform(-4, 1, size=goals)
    rows, matrix = np.zeros((3 * goals, 3)), jacobian @ jacobian.T

    def put(errors):
        rows[:, ERROR] = errors
        rows[DAMPED_AT::3, WHOLE] = damping
        rows[POTENTIAL_AT::3, WHOLE] = np.sum(errors.reshape(-1, 3) ** 2, axis=1)

    put(errors)
    weigh(goals, rows)
    before = weighed(goals, rows)
    assert before == pytest.approx(np.sum(errors**2 / np.repeat(damping, 3)))
    fall = solve_rows(3 * goals, TUNED.bias, matrix, rows)
    turn = jacobian.T @ rows[:, 1]
    assert fall >= 0
    put(errors - 1e-6 * jacobian @ turn)
    assert before - weighed(goals, rows) == pytest.approx(1e-6 * fall, rel=1e-2, abs=1e-8 * before)


def test_the_plain_sum_may_rise_at_first_which_is_why_it_is_weighed():
    """Two goals that pull one joint apart, the nearer one hardly damped: the step serves it at the other's cost."""
    jacobian, errors = np.array([[1.0], [-0.5]]), np.array([0.1, 1.0])
    damping = np.diag([0.001, 1.0])
    moved = jacobian @ jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + damping, errors)
    assert errors @ moved < 0 < errors @ np.linalg.inv(damping) @ moved


@pytest.mark.parametrize("soft", [0.1, 0.5])
def test_a_calm_angle_is_the_angle_and_goes_back_near_half_a_turn(soft):
    angles = np.linspace(-np.pi, np.pi, 4001)
    found = np.array([calm_angle(np.sin(a), np.cos(a), 0.0, soft) for a in angles])
    assert np.abs(found + found[::-1]).max() < 1e-12
    assert abs(found[0]) < 1e-12
    assert np.abs(np.diff(found)).max() < 4.1 / soft * (angles[1] - angles[0])
    known = 1 + np.cos(angles) > soft
    assert np.abs(found - angles)[known].max() < 1e-12


def test_a_calm_angle_of_nothing_is_none():
    assert calm_angle(0.0, 0.0, 0.0, 0.5) == 0
    assert abs(calm_angle(1e-9, -1e-9, 0.1, 0.5)) < 1e-7


@pytest.mark.parametrize("apart", [0.1, 0.05])
def test_a_fork_that_is_twisted_through_half_a_turn_does_not_snap(apart):
    """Both tines of a fork change places, by way of just above or just below half a turn, as far apart or nearer."""
    offsets = np.array([[0, 1, 0], [0, 0.2, 0], [0.2, 0, 0], [0.4, 0, 0], [0.2, 0, 0.1], [0.2, 0, -0.1]])
    names = ("root", "chest", "shoulder", "stem", "tine_a", "tine_b")
    fork = Character("fork", Skeleton(names, (-1, 0, 1, 2, 3, 3), offsets))
    rest = WorldState(fork, Pose.rest(fork.skeleton)).positions[0]
    middle = (rest[4] + rest[5]) / 2
    angles = np.pi + np.linspace(-0.02, 0.02, 81)
    way = apart * np.stack([0 * angles, np.sin(angles), np.cos(angles)], axis=1)
    goals = [Place("tine_a", at=middle + way), Place("tine_b", at=middle - way)]
    found = solve(fork, goals, Pose.rest(fork.skeleton, (81,)), solver=Particle(retries=0), root="fixed")
    moved = np.diff(WorldState(fork, found.pose).positions, axis=0)
    assert np.linalg.norm(moved, axis=-1).max() < 100 * np.linalg.norm(np.diff(way, axis=0), axis=1).max()
