"""Joint after joint: the football of the course notes, several goals, limits, and what never happens."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import mummer as mm
from mummer import ik
from mummer.character import Character, Limits, Pose, Skeleton, clamp, violations
from mummer.character.limits import Ball, Hinge
from mummer.errors import InputError
from mummer.ik.ccd import CCD, best_turn, gain, goal_of, paired, torque
from mummer.ik.limits import joint_table
from mummer.ik.rigid_body import joints_above, rigid_body
from mummer.math import quaternion
from tests.ik.analytic.legs import HIP, bent, from_hip, human_limits, leg

LEG = ["hip", "knee"]


def football(limits: bool) -> tuple[Character, np.ndarray, Pose]:
    """A leg that is straight but for two degrees, and a ball a little before the ankle and nearer to the hip."""
    character = leg(limits=human_limits() if limits else None)
    pose = bent(character, hip=-1.0, knee=2.0)
    ankle = ik.WorldState(character, pose).point("ankle")[0]
    return character, HIP + 0.85 * (ankle - HIP) + [0.0, 0.0, 0.02], pose


def test_the_football_takes_a_handful_of_iterations_and_plain_descent_many_or_all() -> None:
    for limits in (False, True):
        character, ball, pose = football(limits)
        goal = ik.Place("ankle", at=ball)
        cured = ik.solve(character, goal, pose, solver=CCD(), parts=LEG)
        assert cured.is_met
        assert int(cured.iterations) <= 5
        plain = ik.solve(character, goal, pose, solver=CCD(fold=False, iterations=1000), parts=LEG)
        assert int(plain.iterations) > 20 * int(cured.iterations)
        # A knee with limits is stuck: it would have to bend the other way first.
        assert plain.is_met != limits


def test_the_cured_knee_bends_forward() -> None:
    character, ball, pose = football(True)
    found = ik.solve(character, ik.Place("ankle", at=ball), pose, solver=CCD(), parts=LEG)
    knee = ik.WorldState(character, found.pose).point("knee")[0]
    assert knee[2] > 0.1
    assert violations(character.limits, character.skeleton, found.pose).max() < 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_many_nearly_straight_legs_in_one_batch(seed: int) -> None:
    character, rng, count = leg(limits=human_limits()), np.random.default_rng(seed), 200
    shares = rng.uniform(0.4, 0.98, (count, 1))
    sideways = rng.normal(size=(count, 3)) * 0.05
    targets = HIP + shares * [0.0, -0.75, 0.0] + sideways * (1 - shares)
    found = ik.solve(
        character,
        ik.Place("ankle", at=targets),
        Pose.rest(character.skeleton, (count,)),
        solver=CCD(),
        parts=LEG,
    )
    assert found.met.all()
    assert np.percentile(found.iterations, 90) <= 6


def tail(count: int = 12, limits: bool = False) -> Character:
    names, parents = [f"t{n}" for n in range(count)], list(range(-1, count - 1))
    skeleton = Skeleton(names, parents, np.array([[0.0, 1.0, 0.0], *[[0.0, 0.0, -0.1]] * (count - 1)]))
    ball = Ball((0.0, 0.0, -1.0), (0.6, 0.6), -0.3, 0.3, (1.0, 0.0, 0.0))
    held = Limits.from_joints(count, dict.fromkeys(range(1, count), ball)) if limits else None
    return Character("tail", skeleton, limits=held)


@pytest.mark.parametrize("limits", [False, True])
def test_straight_tails_of_many_joints_fold_too(limits: bool) -> None:
    body = tail(limits=limits)
    for target in ((0.0, 1.0, -0.8), (0.0, 1.2, -0.7), (0.3, 0.8, -0.6)):
        goal = ik.Place("t11", at=target)
        cured = ik.solve(body, goal, solver=CCD(), root="fixed")
        assert cured.is_met
        assert int(cured.iterations) <= 20
        if limits:
            assert violations(body.limits, body.skeleton, cured.pose).max() < 1e-9


def test_out_of_reach_ends_at_the_limit_of_iterations_and_points_there() -> None:
    body = tail()
    found = ik.solve(body, ik.Place("t11", at=(5.0, 1.0, 0.0)), solver=CCD(iterations=30), root="fixed")
    assert int(found.iterations) == 30
    assert not found.is_met
    assert found.errors[0] == pytest.approx(5.0 - 1.0, abs=0.11)
    assert np.all(np.isfinite(found.pose.rotations))


def test_a_knee_at_its_limit_makes_no_endless_to_and_fro() -> None:
    character = leg(limits={"knee": Hinge((1.0, 0.0, 0.0), 0.0, 2.4)})
    behind = from_hip(0.0, -0.3, 0.6)
    errors = [
        ik.solve(character, ik.Place("ankle", at=behind), solver=CCD(iterations=n), parts=["knee"]).errors[0]
        for n in range(1, 12)
    ]
    assert np.all(np.diff(errors) <= 1e-12)
    assert errors[-1] == errors[-2]


def test_several_goals_on_one_body() -> None:
    body = mm.zoo.body("adult")
    now = ik.WorldState(body, body.default_pose)
    goals = [
        ik.Place("left_hand", at=now.point("left_hand")[0] + [-0.1, 0.25, 0.3]),
        ik.Place("right_hand", at=now.point("right_hand")[0] + [0.1, 0.1, 0.25]),
        ik.Aim("head", at=(1.0, 1.2, 2.0)),
        ik.Orient("left_foot", to=now.turn("left_foot")[0]),
    ]
    found = ik.solve(body, goals, solver="ccd")
    assert found.met.all()
    assert violations(body.limits, body.skeleton, found.pose).max() < 1e-9
    assert np.array_equal(found.pose.root_translation, body.default_pose.root_translation)


def test_goals_that_pull_apart_settle_by_their_weights() -> None:
    body = tail(6)
    left = ik.Place("t5", at=(0.4, 1.0, 0.0), weight=1.0)
    for weight, side in ((0.1, 1.0), (10.0, -1.0)):
        right = ik.Place("t5", at=(-0.4, 1.0, 0.0), weight=weight)
        found = ik.solve(body, [left, right], solver=CCD(fold=False), root="fixed")
        end = ik.WorldState(body, found.pose).point("t5")[0]
        assert side * end[0] > 0.3
    hard = ik.solve(body, [ik.Place("t5", at=(-0.4, 1.0, 0.0)), left], solver=CCD(fold=False), root="fixed")
    assert ik.WorldState(body, hard.pose).point("t5")[0][0] < -0.3


def test_parts_keep_the_spine_still() -> None:
    body = mm.zoo.body("adult")
    goal = ik.Place("left_hand", at=(0.35, 1.2, 0.35))
    found = ik.solve(body, goal, solver="ccd", parts=["left_upper_arm", "left_forearm", "left_hand"])
    changed = quaternion.angle_between(found.pose.rotations, body.default_pose.rotations) > 1e-9
    names = {body.skeleton.names[joint] for joint in np.flatnonzero(changed)}
    assert names <= {"left_upper_arm", "left_forearm", "left_hand"}
    assert found.is_met


def test_reachable_places_of_the_zoo() -> None:
    for name in ("adult", "snake", "dragon"):
        body = mm.zoo.body(name)
        rng, count = np.random.default_rng(8), 40
        part = "left_hand" if name == "adult" else "head"
        turns = quaternion.exp(rng.normal(size=(count, len(body.skeleton), 3)) * 0.25)
        rotations = quaternion.multiply(body.default_pose.rotations, turns)
        rotations[:, 0] = body.default_pose.rotations[0]
        start = body.default_pose.broadcast_to((count,))
        there = clamp(body.limits, body.skeleton, start.replace(rotations=rotations))
        found = ik.solve(
            body, ik.Place(part, at=ik.WorldState(body, there).point(part)), start, solver="ccd", root="fixed"
        )
        assert found.met.mean() > 0.9
        assert violations(body.limits, body.skeleton, found.pose).max() < 1e-9


def test_a_batch_is_its_poses_one_by_one() -> None:
    body, rng = tail(limits=True), np.random.default_rng(1)
    targets = np.array([0.0, 1.0, -0.7]) + rng.normal(size=(5, 3)) * 0.2
    together = ik.solve(body, ik.Place("t11", at=targets), Pose.rest(body.skeleton, (5,)), solver="ccd")
    for at, target in enumerate(targets):
        alone = ik.solve(body, ik.Place("t11", at=target), solver="ccd")
        assert np.array_equal(alone.pose.rotations, together.pose.rotations[at])
        assert alone.iterations == together.iterations[at]


def test_heights_alone_aims_and_offsets() -> None:
    body = tail(6)
    lifted = ik.solve(body, ik.Place("t5", at=(9.0, 1.3, 9.0), axes="y"), solver="ccd", root="fixed")
    assert lifted.is_met
    point = ik.BodyPoint("t5", (0.0, 0.05, -0.1))
    # Two goals that turn the same joints against each other take their time.
    goals = [ik.Place(point, at=(0.2, 1.2, -0.4)), ik.Aim("t5", at=(0.0, 5.0, 0.0))]
    aimed = ik.solve(body, goals, solver=CCD(iterations=1000))
    assert aimed.met.all()
    soft = ik.solve(body, ik.Aim("t3", at=(1.0, 1.0, 1.0), comfortable=1.0, furthest=1.2), solver="ccd")
    assert soft.errors[0] < 1e-3


def test_what_does_not_count_is_left_alone() -> None:
    body = tail(6)
    ignored = ik.solve(body, [ik.HalfSpace("t5", distance=2.0)], solver="ccd")
    assert int(ignored.iterations) == 0
    assert "goal 0 (HalfSpace t5)" in str(ignored.report)
    goal = ik.Place("t5", at=(0.0, 1.3, -0.3), interval=(5.0, 6.0))
    out_of_time = ik.solve(body, goal, solver="ccd", times=[0.0])
    assert np.array_equal(out_of_time.pose.rotations, body.default_pose.rotations)
    with pytest.raises(InputError, match="0 iterations cannot solve anything; expected one or more"):
        CCD(iterations=0)


def test_the_best_turn_is_the_best() -> None:
    body = tail(3)
    table, rng = joint_table(rigid_body(body)), np.random.default_rng(2)
    nothing, none = (0.0,) * 9, (0.0, 0.0, 0.0, 1.0)
    for _ in range(20):
        a, b = (tuple(vector) for vector in rng.normal(size=(2, 3)))
        sums = paired(nothing, 2.0, a, b)
        assert torque(sums) == pytest.approx(tuple(2.0 * np.cross(a, b)))
        turn = best_turn(1, table, none, none, sums)
        assert gain(sums, turn) == pytest.approx(2.0 * np.linalg.norm(a) * np.linalg.norm(b))
        others = quaternion.random(rng, (50,))
        assert gain(sums, turn) >= max(gain(sums, tuple(other)) for other in others)


def test_needed_joints_are_those_above() -> None:
    parents = np.array([-1, 0, 1, 0, 3])
    assert joints_above(parents, np.array([4])).tolist() == [0, 3, 4]
    assert joints_above(parents, np.array([2, 4])).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("axes", ["xyz", "x", "y", "z", "xz", ""])
def test_axes_that_do_not_count_are_where_the_point_is(axes: str) -> None:
    masks, target, at = np.zeros((2, 3)), np.array([[9.0, 9.0, 9.0], [1.0, 2.0, 3.0]]), (-1.0, -2.0, -3.0)
    masks[1] = [float(axis in axes) for axis in "xyz"]
    found = goal_of(SimpleNamespace(entries=SimpleNamespace(axes=masks), targets=target), 1, at)
    assert found == tuple(target[1, k] if axis in axes else at[k] for k, axis in enumerate("xyz"))
