"""Limits in scalar form say the same as `mummer.character.clamp`."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Limits, Pose, Skeleton, clamp
from mummer.character.limits import Ball, Free, Hinge, Pivot
from mummer.ik.limits import (
    _limited_ball,
    _surely_between,
    faded,
    held_on_circle,
    hinge_angle,
    hold_joint,
    joint_table,
    limit_axes,
    limited,
    nearest_in_ellipse,
)
from mummer.ik.one_bone import hold_joints
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.place import CPU
from mummer.math import quaternion

LIMITS = [
    Free(),
    Hinge((1.0, 0.0, 0.0), -0.1, 2.4),
    Hinge((0.0, 0.6, 0.8), 0.5, 0.9),
    Hinge((0.0, 0.0, 1.0), -np.pi, np.pi),
    Pivot((0.0, 1.0, 0.0), -0.7, 0.5, (1.0, 0.0, 0.0), -0.4, 0.4),
    Pivot((0.0, 1.0, 0.0), -3.1, 3.1, (0.0, 0.0, 1.0), -2.0, 1.0),
    Ball((0.0, -1.0, 0.0), (1.7, 0.9), -0.8, 0.8, (1.0, 0.0, 0.0)),
    Ball((0.6, 0.8, 0.0), (0.3, 0.001), 0.1, 0.2, (0.0, 0.0, 1.0)),
    Ball((1.0, 0.0, 0.0), (np.pi, np.pi), -np.pi, np.pi, (0.0, 1.0, 0.0)),
    Ball((1.0, 0.0, 0.0), (0.0, 0.0), 0.0, 0.0, (0.0, 1.0, 0.0)),
]


def chain_of(limits: list) -> Character:
    """A chain with one joint a limit, turned at rest."""
    count = len(limits)
    rest = quaternion.random(np.random.default_rng(1), (count,))
    skeleton = Skeleton([f"j{n}" for n in range(count)], np.arange(-1, count - 1), np.ones((count, 3)), rest)
    return Character("chain", skeleton, limits=Limits.from_joints(count, dict(enumerate(limits))))


def held(character: Character, rotations: np.ndarray) -> np.ndarray:
    found = np.empty_like(rotations)
    CPU.run(hold_joints, len(rotations), joint_table(rigid_body(character)), rotations, found)
    return found


@pytest.mark.parametrize("spread", [1e-9, 1e-3, 0.5, 10.0])
def test_every_kind_agrees_with_clamp(spread: float) -> None:
    character = chain_of(LIMITS)
    rng = np.random.default_rng(7)
    away = quaternion.exp(rng.normal(size=(400, len(LIMITS), 3)) * spread)
    rotations = quaternion.multiply(character.skeleton.rest_rotations, away)
    expected = clamp(character.limits, character.skeleton, Pose(rotations, np.zeros((400, 3)))).rotations
    found = held(character, rotations)
    assert quaternion.angle_between(found, expected).max() < 1e-9
    assert np.all(np.vecdot(found, rotations) >= -1e-12)


def test_half_turns_agree_too() -> None:
    character = chain_of(LIMITS)
    half = np.repeat(np.eye(4)[:3, None], len(LIMITS), axis=1)
    rotations = quaternion.multiply(character.skeleton.rest_rotations, half)
    expected = clamp(character.limits, character.skeleton, Pose(rotations, np.zeros((3, 3)))).rotations
    assert quaternion.angle_between(held(character, rotations), expected).max() < 1e-9


def test_the_plain_function_is_the_compiled_one() -> None:
    character = chain_of(LIMITS)
    table = joint_table(rigid_body(character))
    rotations = quaternion.random(np.random.default_rng(3), (5, len(LIMITS)))
    found = held(character, rotations)
    for frame in range(5):
        for joint in range(len(LIMITS)):
            plain = np.array(hold_joint(joint, table, tuple(rotations[frame, joint])))
            assert quaternion.angle_between(plain, found[frame, joint]) < 1e-9


def test_hinge_angle_is_the_angle_that_is_held() -> None:
    character = chain_of(LIMITS)
    table = joint_table(rigid_body(character))
    rest = character.skeleton.rest_rotations[1]
    for asked, expected in ((0.5, 0.5), (2.4, 2.4), (2.6, 2.4), (-0.3, -0.1)):
        turned = quaternion.multiply(rest, quaternion.from_axis_angle([1.0, 0, 0], asked))
        assert hinge_angle(1, table, tuple(turned)) == pytest.approx(expected, abs=1e-12)


def test_zoo_bodies_agree() -> None:
    body = mm.zoo.body("dragon")
    rotations = quaternion.random(np.random.default_rng(0), (50, len(body.skeleton)))
    expected = clamp(body.limits, body.skeleton, Pose(rotations, np.zeros((50, 3)))).rotations
    assert quaternion.angle_between(held(body, rotations), expected).max() < 1e-9


@pytest.mark.parametrize(
    ("joint", "asked", "expected"), [(1, 2.3, 0.0), (1, 2.6, 0.2), (1, -0.4, -0.3), (2, 0.3, -0.2)]
)
def test_what_a_hinge_is_past_its_range_is_told(joint: int, asked: float, expected: float) -> None:
    table, rest = joint_table(rigid_body(chain_of(LIMITS))), chain_of(LIMITS).skeleton.rest_rotations[joint]
    turned = quaternion.multiply(rest, quaternion.from_axis_angle(LIMITS[joint].axis, asked))
    held, past = limited(joint, table, tuple(turned))
    assert past == pytest.approx((expected, 0.0, 0.0), abs=1e-12)
    assert quaternion.angle_between(np.array(held), turned) == pytest.approx(abs(expected), abs=1e-9)


def test_the_first_axis_of_a_ball_leads_across_its_rim() -> None:
    table, ball = joint_table(rigid_body(chain_of(LIMITS))), 6
    rest = chain_of(LIMITS).skeleton.rest_rotations[ball]
    swing = np.array([1.7 * np.cos(0.7), 0.0, 0.9 * np.sin(0.7)])
    at_rim = quaternion.multiply(rest, quaternion.exp(swing))
    across, along, _ = limit_axes(ball, table, tuple(at_rim))
    for axis, leaves in ((across, True), (along, False)):
        moved = quaternion.multiply(quaternion.exp(1e-4 * np.array(axis)), quaternion.exp(swing))
        _, past = limited(ball, table, tuple(quaternion.multiply(rest, moved)))
        assert (past[0] > 5e-5) == leaves


@pytest.mark.parametrize("low", [-9.0, -3.0, -0.5, 0.0, 0.3])
@pytest.mark.parametrize("high", [0.0, 0.2, 1.0, 3.0, 9.0])
def test_what_is_surely_within_a_range_is_within_it(low: float, high: float) -> None:
    angles = np.linspace(-np.pi, np.pi, 41)
    said = np.array([_surely_between(np.sin(0.5 * angle), low, high) for angle in angles])
    assert not np.any(said[(angles < low) | (angles > high)])
    # Of a range that holds no turn at all, most of it is told.
    inside = (angles >= 0.7 * max(low, -np.pi)) & (angles <= 0.7 * min(high, np.pi))
    assert np.all(said[inside]) if low <= 0.0 <= high else not np.any(said)


def test_a_ball_within_its_cone_and_its_range_is_left_as_it_is() -> None:
    limit = Ball((0.0, -1.0, 0.0), (1.7, 0.4), -0.8, 0.8, (1.0, 0.0, 0.0))
    table, second = joint_table(rigid_body(chain_of([limit]))), np.array([1.0, 0.0, 0.0])
    third = np.cross(limit.axis, second)
    for share, is_within in ((0.2, True), (0.9, True), (0.99, True), (1.01, False), (1.5, False)):
        for way in np.linspace(0.1, 6.2, 7):
            swing = quaternion.exp(share * (1.7 * np.cos(way) * second + 0.4 * np.sin(way) * third))
            for twist, is_free in ((0.0, True), (-0.79, True), (0.9, False)):
                delta = tuple(quaternion.multiply(swing, quaternion.from_axis_angle(np.array(limit.axis), twist)))
                found, past, said = _limited_ball(0, table, delta, limit.axis)
                assert said == (is_within and is_free)
                assert (found == delta) == said
                assert (past[0] > 1e-6) == (not is_within)
                assert past[2] == pytest.approx(0.0 if is_free else 0.1, abs=1e-9)


@pytest.mark.parametrize(("wide", "tall"), [(1.0, 1.0), (1.7, 0.4), (0.2, 1.1)])
def test_the_nearest_place_of_an_ellipse_is_the_nearest(wide: float, tall: float) -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 721)
    rim = np.stack([wide * np.cos(angles), tall * np.sin(angles)], axis=1)
    for x, y in ((2.0, 0.3), (-0.1, 1.5), (-1.9, -1.1), (0.0, -3.0), (4.0, 0.0)):
        found = nearest_in_ellipse(x, y, wide, tall)
        assert (found[0] / wide) ** 2 + (found[1] / tall) ** 2 == pytest.approx(1.0, abs=1e-9)
        assert np.hypot(found[0] - x, found[1] - y) <= np.linalg.norm(rim - (x, y), axis=1).min() + 1e-9
        mirrored = nearest_in_ellipse(-x, y, wide, tall)
        assert (-mirrored[0], mirrored[1]) == pytest.approx(found)
    assert nearest_in_ellipse(0.5 * wide, -0.5 * tall, wide, tall) == (0.5 * wide, -0.5 * tall)


def test_an_angle_past_its_range_is_held_at_the_end_that_it_passed_and_has_no_jump() -> None:
    low, high = -0.5, 1.2
    angles = np.linspace(-4.0 * np.pi, 4.0 * np.pi, 4001)
    held = np.array([held_on_circle(angle, low, high) for angle in angles])
    assert np.all((held >= low - 1e-12) & (held <= high + 1e-12))
    np.testing.assert_allclose(held[:-1000], held[1000:], atol=1e-9)
    assert np.abs(np.diff(held)).max() < 0.05
    assert [held_on_circle(angle, low, high) for angle in (0.3, 1.5, -0.8)] == pytest.approx([0.3, 1.2, -0.5])
    for amount in (0.0, 0.4, 1.0):
        assert faded(0.8, low, high, amount) == pytest.approx(0.8 * amount)
        assert faded(1.2, 0.5, 1.2, amount) == pytest.approx(0.5 + 0.7 * amount)
        assert faded(0.8, -9.0, 9.0, amount) == 0.8
