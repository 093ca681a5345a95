"""How a hip swings about the line to its target, and what a knee and a pole ask for: beside every angle there is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.ik.limits import joint_table
from mummer.ik.reach import (
    ALLOWED,
    LOST,
    STEPS,
    TURNING,
    Bends,
    How,
    Knee,
    Limb,
    Wish,
    bend_plane,
    best_angle,
    eagerness,
    held_bend,
    pole_angle,
    reach,
    swivel_angle,
    swivel_excess,
)
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.vectors import NO_TURN, about, cross, direction, dot, minus, plus, scaled, size, turned
from mummer.math import quaternion
from tests.ik.analytic.legs import human_limits, leg

part = st.floats(-1.0, 1.0)
vectors = st.tuples(part, part, part).filter(lambda v: size(v) > 0.1)
DOWN = (0.0, -0.4, 0.0)
LIMB = Limb(
    1, 2, 3, joint_table(rigid_body(leg(limits=human_limits()))), (0.0, 1.0, 0.0), NO_TURN, DOWN, NO_TURN, DOWN, NO_TURN
)
ANGLES = np.linspace(-math.pi, math.pi, 16 * STEPS + 1)


@settings(max_examples=40)
@given(vectors, vectors, st.floats(-3.0, 3.0))
def test_a_hip_swings_the_least_that_limits_ask_for(axis: tuple, line: tuple, angle: float) -> None:
    turn, toward = about(direction(axis, axis), angle), direction(line, line)
    found = swivel_angle(LIMB, turn, toward)
    past = np.array([swivel_excess(LIMB, turn, toward, each) for each in ANGLES])
    inside = past < ALLOWED
    left = swivel_excess(LIMB, turn, toward, found)
    if swivel_excess(LIMB, turn, toward, 0.0) < ALLOWED:
        assert found == 0.0
    elif left < ALLOWED:
        # Nothing nearer would do, but for what lies between two of its steps.
        near = np.abs(ANGLES[inside]).min(initial=math.inf)
        assert abs(found) <= near + math.pi / STEPS
        assert swivel_excess(LIMB, turn, toward, found - math.copysign(1e-3, found)) > 0.0
    else:
        coarse = past[::8] + TURNING * np.abs(ANGLES[::8])
        assert left + TURNING * abs(found) <= coarse.min() + 1e-9
        assert not inside[::8].any()


def test_targets_far_outside_the_limits_are_given_up() -> None:
    shares = [eagerness(NO_TURN, about((0.0, 0.0, 1.0), lost)) for lost in np.linspace(0.0, 1.2 * LOST, 30)]
    assert shares[0] == 1.0
    assert shares[-1] == 0.0
    assert np.all(np.diff(shares) <= 0.0)
    assert eagerness(NO_TURN, about((0.0, 0.0, 1.0), 0.5 * LOST)) == pytest.approx(0.5)


@given(st.floats(-20.0, 20.0), st.sampled_from([-1.0, 1.0]))
def test_a_bend_is_held_in_its_range_on_the_circle(bend: float, side: float) -> None:
    bends = Bends(0.3, side, 0.2, 2.0)
    angle = held_bend(bends, bend)
    assert bends.least - 1e-12 <= side * (angle - bends.straight) <= bends.most + 1e-12
    assert held_bend(bends, bend + 2.0 * math.pi) == pytest.approx(angle)
    if bends.least <= bend <= bends.most:
        assert angle == pytest.approx(bends.straight + side * bend)
    assert held_bend(bends, bends.most + 0.1) == pytest.approx(bends.straight + side * bends.most)
    assert held_bend(bends, bends.least - 0.1) == pytest.approx(bends.straight + side * bends.least)


@given(vectors, vectors, vectors)
def test_the_best_angle_is_the_best(seen: tuple, axis: tuple, lower: tuple) -> None:
    axis = direction(axis, axis)
    best = best_angle(seen, axis, lower)
    reached = [dot(turned(about(axis, angle), lower), seen) for angle in np.linspace(-math.pi, math.pi, 73)]
    assert dot(turned(about(axis, best), lower), seen) >= max(reached) - 1e-9


@given(vectors, vectors, vectors)
def test_a_knee_points_to_its_pole(line: tuple, knee: tuple, pole: tuple) -> None:
    toward = direction(line, line)
    out, wanted = minus(knee, scaled(toward, dot(knee, toward))), minus(pole, scaled(toward, dot(pole, toward)))
    side = direction(out, toward)
    if size(out) < 0.05 or size(wanted) < 0.15 * size(pole):
        return
    found = turned(about(toward, pole_angle(toward, knee, side, pole)), out)
    assert dot(found, wanted) == pytest.approx(size(out) * size(wanted), rel=1e-9)
    # A pole on the line tells nothing, and one near it little.
    assert pole_angle(toward, knee, side, scaled(toward, 3.0)) == pytest.approx(0.0, abs=1e-9)
    near = minus(scaled(toward, 3.0), scaled(direction(wanted, toward), -0.1))
    assert abs(pole_angle(toward, knee, side, near)) <= abs(pole_angle(toward, knee, side, wanted)) + 1e-9


def test_a_straight_knee_points_by_where_it_would_go() -> None:
    toward, knee = (0.0, -1.0, 0.0), (0.0, -0.4, 0.0)
    angle = pole_angle(toward, knee, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    np.testing.assert_allclose(turned(about(toward, angle), (0.0, 0.0, 1.0)), [1.0, 0.0, 0.0], atol=1e-9)


def test_the_plane_of_a_bend_is_trusted_the_more_the_farther_it_is_bent() -> None:
    preferred = (1.0, 0.0, 0.0)
    weights = []
    for sine in (0.0, 0.1, 0.3, 0.5, 0.8):
        plane = bend_plane((0.0, 0.0, sine), False, preferred, 0.5, 0.35)
        assert plane[2] == sine
        weights.append(plane[0])
    assert weights[0] == pytest.approx(0.35)
    assert np.all(np.diff(weights[:4]) < 0.0)
    assert weights[3:] == [0.0, 0.0]
    assert bend_plane((0.0, 0.0, 0.1), True, preferred, 0.5, 0.35) == (0.0, 0.0, 0.1)


def test_turns_about_the_way_do_not_move_what_lies_on_it() -> None:
    turn, toward = about((0.0, 1.0, 0.0), 0.3), direction((0.2, -1.0, 0.4), DOWN)
    other = quaternion.multiply(quaternion.from_axis_angle(np.array(toward), 0.7), np.array(turn))
    assert swivel_excess(LIMB, turn, toward, 0.7) == pytest.approx(swivel_excess(LIMB, tuple(other), toward, 0.0))
    assert size(cross(turned(about(toward, 0.7), toward), toward)) < 1e-12


FREE = LIMB._replace(table=joint_table(rigid_body(leg())))
HOW = How(0.0, 1e-9, True, True)


def ankle(limb: Limb, hip: tuple, knee: tuple) -> np.ndarray:
    return np.array(plus(limb.hip, turned(hip, plus(limb.knee, turned(knee, DOWN)))))


def reached(target: np.ndarray, *, limb: Limb = FREE, how: How = HOW, bend: float = 0.3, pole: tuple | None = None):
    """Hip and knee of a leg that hangs with its knee bent, after it reached for a target."""
    knee = Knee(NO_TURN, (1.0, 0.0, 0.0), bend, DOWN)
    wish = Wish(tuple(target), pole or (0.0, 0.0, 0.0), pole is not None)
    return reach(limb, knee, NO_TURN, wish, how)


@pytest.mark.parametrize("limb", [FREE, LIMB])
@pytest.mark.parametrize(
    "hip", [(0.0, 0.0, 0.0), (-0.8, 0.0, 0.0), (-0.5, 0.1, 0.3), (0.2, -0.3, -0.2), (-1.2, 0.2, 0.2)]
)
def test_what_a_leg_within_its_limits_reaches_is_reached(limb: Limb, hip: tuple) -> None:
    for bend in (0.4, 1.0, 1.9):
        target = ankle(limb, tuple(quaternion.exp(np.array(hip))), about((1.0, 0.0, 0.0), bend))
        turns = reached(target, limb=limb)
        np.testing.assert_allclose(ankle(limb, *turns), target, atol=1e-4)
        # The knee bends its own way, as far as the distance asks for.
        assert 2.0 * math.atan2(turns[1][0], turns[1][3]) == pytest.approx(bend, abs=1e-3)


def test_a_leg_that_is_where_it_should_be_keeps_its_plane_and_one_moved_aside_is_not_twisted() -> None:
    here = ankle(FREE, NO_TURN, about((1.0, 0.0, 0.0), 0.3))
    hip, knee = reached(here)
    np.testing.assert_allclose(hip, NO_TURN, atol=1e-9)
    np.testing.assert_allclose(knee, about((1.0, 0.0, 0.0), 0.3), atol=1e-9)
    flip = np.array([-1.0, 1.0, 1.0])
    for way in ((0.2, 0.1, 0.0), (0.1, 0.3, -0.2)):
        one, other = (ankle(FREE, *reached(here + sign * np.array(way))) for sign in (np.ones(3), flip))
        np.testing.assert_allclose(one, here + way, atol=1e-9)
        np.testing.assert_allclose(other, one * flip, atol=1e-9)


def test_a_hip_or_a_knee_alone_comes_as_near_as_it_can() -> None:
    target = np.array([0.0, 0.35, 0.45])
    hip, knee = reached(target, how=HOW._replace(knee_turns=False))
    np.testing.assert_allclose(knee, about((1.0, 0.0, 0.0), 0.3), atol=1e-12)
    found, way = ankle(FREE, hip, knee) - FREE.hip, target - FREE.hip
    np.testing.assert_allclose(found / np.linalg.norm(found), way / np.linalg.norm(way), atol=1e-9)
    # A knee goes its own way alone: to what is behind it, and no farther than straight for what is ahead.
    for ahead in (-0.45, 0.45):
        target = np.array([0.0, 0.35, ahead])
        hip, knee = reached(target, how=HOW._replace(hip_turns=False))
        np.testing.assert_allclose(hip, NO_TURN)
        all_of_it = [ankle(FREE, hip, about((1.0, 0.0, 0.0), bend)) for bend in np.linspace(0.0, 3.1, 300)]
        best = np.linalg.norm(np.array(all_of_it) - target, axis=1).min()
        assert np.linalg.norm(ankle(FREE, hip, knee) - target) <= best + 1e-3


@pytest.mark.parametrize("pole", [(0.0, 0.8, 3.0), (2.0, 0.7, 0.5), (-3.0, 0.6, -1.0)])
def test_a_knee_goes_where_its_pole_is_and_the_ankle_to_its_target(pole: tuple) -> None:
    target = np.array([0.1, 0.4, 0.15])
    hip, knee = reached(target, pole=pole)
    np.testing.assert_allclose(ankle(FREE, hip, knee), target, atol=1e-9)
    along = (target - FREE.hip) / np.linalg.norm(target - FREE.hip)
    across = [v - (v @ along) * along for v in (np.array(turned(hip, DOWN)), np.array(pole) - FREE.hip)]
    assert across[0] @ across[1] == pytest.approx(np.linalg.norm(across[0]) * np.linalg.norm(across[1]))


def test_a_target_out_of_reach_is_pointed_at_with_a_leg_ever_straighter() -> None:
    lengths = []
    for far in (0.6, 0.79, 0.9, 5.0):
        hip, knee = reached(
            np.array([0.0, 1.0, 0.0]) + far * np.array([0.6, 0.0, 0.8]), how=HOW._replace(softness=0.05)
        )
        found = ankle(FREE, hip, knee) - FREE.hip
        np.testing.assert_allclose(found / np.linalg.norm(found), [0.6, 0.0, 0.8], atol=1e-6)
        lengths.append(float(np.linalg.norm(found)))
    assert lengths[0] == pytest.approx(0.6)
    assert np.all(np.diff(lengths) > 0.0)
    assert lengths[-1] <= 0.8 + 1e-9
