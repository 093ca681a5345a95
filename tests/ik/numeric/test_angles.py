"""The core's joint angles: the same limits as `mummer.character.clamp`, and there and back again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer import ik
from mummer.character import Ball, Character, Free, Hinge, Limits, Pivot, Pose, Skeleton, clamp
from mummer.ik.limits import held_on_circle, nearest_in_ellipse
from mummer.ik.numeric.records import ANGLE, LOCAL
from mummer.math import quaternion
from tests.ik.numeric.core import core_of

WHOLE = np.pi
LIMITS = [
    Hinge((0.0, 1.0, 0.0), -0.4, 2.0),
    Hinge((0.0, 0.0, 1.0), -WHOLE, WHOLE),
    Hinge((1.0, 0.0, 0.0), 0.3, 0.9),
    Pivot((0.0, 1.0, 0.0), -1.0, 0.5, (1.0, 0.0, 0.0), -0.2, 1.4),
    Pivot((0.0, 0.6, 0.8), -WHOLE, WHOLE, (1.0, 0.0, 0.0), -2.5, 2.5),
    Ball((0.0, 0.0, 1.0), (1.3, 0.4), -0.5, 0.7, (1.0, 0.0, 0.0)),
    Ball((0.6, 0.8, 0.0), (2.9, 2.9), -WHOLE, WHOLE, (0.0, 0.0, 1.0)),
    Free(),
]


def one_joint(limit) -> Character:
    rest = quaternion.from_axis_angle(np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8]), 0.7)
    skeleton = Skeleton(("root", "joint"), [-1, 0], [[0, 0, 0], [0, 1, 0]], [[0, 0, 0, 1.0], rest])
    return Character("one", skeleton, limits=Limits.from_joints(2, {1: limit}))


def read(character: Character, pose: Pose):
    return core_of(ik.make_problem(character, ik.Place(1, at=(0, 0, 0)), pose))


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: type(limit).__name__)
@given(seed=st.integers(0, 10_000))
def test_reads_as_clamp_does(limit, seed):
    body, rng = one_joint(limit), np.random.default_rng(seed)
    turned = quaternion.exp(rng.normal(size=3) * rng.choice([0.05, 0.5, 1.5]))
    pose = Pose(np.stack([[0, 0, 0, 1.0], quaternion.multiply(body.skeleton.rest_rotations[1], turned)]), np.zeros(3))
    ours = read(body, pose).stance[1, LOCAL : LOCAL + 4]
    assert quaternion.angle_between(ours, clamp(body.limits, body.skeleton, pose).rotations[1]) < 1e-9


@pytest.mark.parametrize("name", ["adult", "crab", "dragon"])
def test_whole_bodies_read_as_clamp_does(name):
    body, rng = mm.zoo.body(name), np.random.default_rng(4)
    count = len(body.skeleton)
    wild = quaternion.multiply(body.skeleton.rest_rotations, quaternion.exp(rng.normal(size=(count, 3))))
    pose = Pose(wild, np.zeros(3))
    ours = core_of(ik.make_problem(body, ik.CenterOfMass((0, 0, 0)), pose)).stance[:, LOCAL : LOCAL + 4]
    assert quaternion.angle_between(ours, clamp(body.limits, body.skeleton, pose).rotations).max() < 1e-9


def test_the_angles_of_a_hinge_are_its_own():
    body = one_joint(Hinge((0.0, 1.0, 0.0), -2.0, 2.0))
    turned = quaternion.multiply(body.skeleton.rest_rotations[1], quaternion.from_axis_angle([0.0, 1.0, 0.0], 0.6))
    core = read(body, Pose(np.stack([[0, 0, 0, 1.0], turned]), np.zeros(3)))
    assert core.stance[1, ANGLE] == pytest.approx(0.6)


@given(st.floats(-20, 20), st.floats(-3, 3), st.floats(0, 3))
def test_held_on_circle_is_that_of_the_limits(angle, low, width):
    from mummer.character.limit_angles import hold_on_circle

    expected = hold_on_circle(np.array(angle), np.array(low), np.array(low + width))
    away = held_on_circle(angle, low, low + width) - expected
    assert abs(np.remainder(away + np.pi, 2 * np.pi) - np.pi) < 1e-9


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.01, 2), st.floats(0.01, 2))
def test_the_nearest_point_of_an_ellipse(x, y, a, b):
    from mummer.character.limit_ball import nearest_in_ellipse as reference

    u, v = nearest_in_ellipse(x, y, a, b)
    assert (u / a) ** 2 + (v / b) ** 2 <= 1 + 1e-12
    assert np.allclose((u, v), reference(np.array([x, y]), np.array([a, b])), atol=1e-9)
