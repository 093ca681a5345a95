"""Every kind of row: its slopes are the differences that small steps make."""

from __future__ import annotations

import numpy as np
import pytest

from mummer import ik
from mummer.ik.numeric.posing import diagonal_metric, gather_mass, place_joints, write_columns
from mummer.ik.numeric.records import METRIC
from mummer.math import quaternion
from tests.ik.numeric.core import core_of
from tests.ik.numeric.making import adult, arm, random_poses

TINY = 1e-6


def goals_near(character, pose):
    """One goal of every kind, those about turns met by ``pose``: their slopes are exact where nothing is lacking."""
    state = ik.WorldState(character, pose)
    hand, forearm = state.point("left_hand")[0], character.anatomy.roles["left_forearm"]
    looking = quaternion.rotate(state.turn("head")[0], ik.Aim("head", at=hand).axis_in(state))
    seen = quaternion.multiply(quaternion.conjugate(state.turn("right_hand")[0]), state.turn("left_hand")[0])
    return {
        "place": ik.Place(ik.BodyPoint("left_hand", (0.1, 0.02, -0.03)), at=hand + 0.1),
        "height": ik.Place("left_hand", at=hand + 0.1, axes="y"),
        "orient": ik.Orient("left_hand", to=state.turn("left_hand")[0]),
        "aim": ik.Aim(ik.BodyPoint("head", (0.02, 0.1, 0.0)), at=eye_of(state) + 0.7 * looking),
        "half-space": ik.HalfSpace("left_hand", normal=(0.6, 0.8, 0.0), distance=2.0),
        "joint value": ik.JointValue("left_forearm", state.pose.rotations[0, forearm]),
        "together": ik.Together("left_hand", ik.BodyPoint("right_hand", (0.0, 0.1, 0.0)), gap=(0.0, 0.2, 0.0)),
        "match": ik.Match("left_hand", "right_hand", turn=tuple(seen.tolist())),
        "apart": ik.Apart("left_hand", "right_foot", normal=(0.0, 0.6, 0.8), distance=3.0),
        "mass": ik.CenterOfMass(hand, axes="xyz"),
    }


def eye_of(state):
    return state.point(ik.BodyPoint("head", (0.02, 0.1, 0.0)))[0]


@pytest.mark.parametrize("kind", sorted(goals_near(adult(), adult().default_pose)))
def test_slopes_are_differences(kind):
    character, rng = adult(), np.random.default_rng(5)
    # Scaled down from poses within limits, so that few joints are at an edge, which steps do not pass.
    pose = random_poses(character, rng, 1, spread=0.05)
    core = core_of(ik.make_problem(character, goals_near(character, pose)[kind], pose))
    slopes, here = core.slopes(), core.look()
    checked = 0
    for dof in range(slopes.shape[0]):
        step = np.zeros(slopes.shape[0])
        step[dof] = TINY
        sides = [(here - core.look(core.stepped(sign * step))) / (sign * TINY) for sign in (1, -1)]
        if np.allclose(sides[0], sides[1], atol=1e-4):
            checked += 1
            assert np.allclose(sides[0], slopes[dof], atol=2e-5), (kind, dof)
    assert checked > 0.4 * len(slopes)


def test_slopes_of_all_goals_fill_rows_one_after_the_other():
    character = adult()
    goals = list(goals_near(character, character.default_pose).values())
    core = core_of(ik.make_problem(character, goals))
    rows = [3, 1, 3, 2, 1, 3, 3, 3, 1, 3]
    assert core.goals.labels[:, 5].tolist() == rows
    assert core.goals.labels[:, 4].tolist() == np.cumsum([0, *rows[:-1]]).tolist()


@pytest.mark.parametrize("which", ["arm", "adult"])
def test_metrics_are_the_mass_that_steps_move(which):
    character = arm() if which == "arm" else adult()
    pose = random_poses(character, np.random.default_rng(8), 1, spread=0.3)
    core = core_of(ik.make_problem(character, ik.CenterOfMass((0, 0, 0)), pose))
    work = core.work
    every = np.arange(len(core.stance))
    place_joints(core.body, core.stance, core.world, every)
    write_columns(core.body, core.stance, core.world)
    gather_mass(core.body, core.world, work.carried)
    points, weights = mass_points(core.body.moments)
    moves, here = [], positions(core, core.stance, points)
    for dof in range(len(core.body.owner)):
        step = np.zeros(len(core.body.owner))
        step[dof] = TINY
        sides = [positions(core, core.stepped(sign * step), points) for sign in (1, -1)]
        moves.append([(sides[0] - here) / TINY, (here - sides[1]) / TINY])
    # Joints at an edge move only one way, which tells nothing.
    free = [dof for dof, (up, down) in enumerate(moves) if np.allclose(up, down, atol=1e-4)]
    moves = np.array([(up + down) / 2 for up, down in moves])
    expected = np.einsum("p,apk,apk->a", weights, moves, moves)
    assert len(free) > 0.5 * len(expected)
    diagonal_metric(core.body, np.ones(len(every)), 0.0, work)
    # The two ways in which a joint swings share what they move.
    owner = np.asarray(core.body.owner)
    edge = set(owner[np.setdiff1d(np.arange(len(owner)), free)].tolist())
    whole = [joint for joint in set(owner.tolist()) if joint not in edge]
    ours, theirs = (
        np.array([values[owner == joint].sum() for joint in whole]) for values in (work.dofs[METRIC], expected)
    )
    assert np.allclose(ours, theirs, rtol=1e-4, atol=1e-6 * expected.max())


def mass_points(moments):
    """Six points for each joint with the mass, centre and second moments that it has."""
    points, weights = [], []
    for mass, x, y, z, xx, yy, zz, xy, xz, yz in moments:
        spread = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        sizes, axes = np.linalg.eigh(spread)
        for size, axis in zip(np.maximum(sizes, 0), axes.T, strict=True):
            for sign in (1, -1):
                points.append(np.array([x, y, z]) + sign * axis * np.sqrt(3 * size / max(mass, 1e-12)))
                weights.append(mass / 6)
    return np.array(points).reshape(len(moments), 6, 3), np.array(weights)


def positions(core, stance, points):
    place_joints(core.body, stance, core.world, np.arange(len(stance)))
    turned = quaternion.rotate(core.world[:, None, 3:7], points)
    return (core.world[:, None, :3] + turned).reshape(-1, 3)
