"""The kernels in float32 against float64: rounding stays rounding, nothing on the way makes it large."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.ik.particle import EXIT
from mummer.ik.particles.layout import layout_of
from mummer.ik.particles.pins import pin_places, stand_of, targets_of, task_of
from mummer.ik.particles.records import Asked, settings_for
from mummer.ik.particles.run import run_particles, world_masks
from mummer.ik.problem import make_problem
from mummer.ik.world_state import WorldState
from mummer.kernels.vectors import exponential, exponential_slope
from mummer.math import quaternion
from tests.ik.particles.bodies import body, ends, places_of, random_poses

COUNT = 300


def prepared(name: str | int, share: float):
    """Layout and settings of a body with goals at all its ends, and the targets, pins and masks of many poses."""
    character, random = body(name), np.random.default_rng(3)
    pose = random_poses(character, random, COUNT, share)
    goals = places_of(character, pose, ends(character))
    problem = make_problem(character, goals, pose, root="fixed")
    stand, state = stand_of(problem.body), WorldState(character, pose)
    tasks = [task_of(goal, state, stand) for goal in goals]
    targets = targets_of(goals, tasks, problem, np.arange(COUNT), stand)
    layout = layout_of(problem.body, stand, tasks, problem.movable)
    masks = world_masks(np.ones((len(tasks), 3)), np.broadcast_to(np.eye(3), (COUNT, 3, 3)))
    settings = settings_for(height=problem.body.height, tolerance=EXIT * problem.tolerance)
    return layout, settings, (targets, pin_places(list(layout.pins), tasks, targets), masks)


@pytest.mark.parametrize("name", ["adult", "dog", 3, 6])
def test_single_precision_finds_the_pose_of_double_precision(name):
    """A radian or so of turning comes out the same to a millionth; where steps end earlier or later, to the tolerance.

    Before a cosine near one was told apart from one in single precision, poses differed by up to 0.2.
    """
    layout, settings, inputs = prepared(name, 0.25)
    double, single = (
        run_particles(layout, settings, Asked(*(array.astype(dtype) for array in inputs)), steps=28)
        for dtype in (np.float64, np.float32)
    )
    assert single[0].dtype == np.float32
    apart = quaternion.angle_between(double[0], single[0].astype(np.float64)).max(axis=1)
    assert np.median(apart) < 1e-5
    assert np.percentile(apart, 90) < 3e-5
    assert apart.max() < 5e-3


@pytest.mark.parametrize("angle", [0.0, 1e-30, 1e-9, 1e-7, 1e-5, 1e-3, 0.1, 1.0, 3.0])
def test_turns_of_a_growing_swing_are_known_at_any_size(angle):
    """Against the derivative of the exponential map, taken by small differences."""
    way = np.array([0.6, 0.8, 0.0])
    change = np.array([-0.3, 0.9, 0.2])
    swing = tuple(angle * way)
    found = np.array(exponential_slope(swing, exponential(swing), tuple(change)))
    step = 1e-6
    ahead, behind = (quaternion.exp(angle * way + sign * step * change) for sign in (1, -1))
    wanted = quaternion.log(quaternion.multiply(ahead, quaternion.conjugate(behind))) / (2 * step)
    assert np.abs(found - wanted).max() < 1e-8
