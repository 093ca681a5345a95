"""How roots follow their goals, and how places go over between the world and the body's own space."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik.particles.pins import Pin, Stand, Task
from mummer.ik.particles.records import ORIENT, PLACE
from mummer.ik.particles.root import BOW, Roots
from mummer.math import quaternion

seeds = st.integers(0, 10_000)
NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])
WHOLE = (1.0, 1.0, 1.0)


def roots_of(random: np.random.Generator, count: int = 2) -> Roots:
    stand = Stand(
        np.tile(NO_TURN, (4, 1)), random.normal(size=(4, 3)),
        np.concatenate([quaternion.random(random, (1,)), np.tile(NO_TURN, (3, 1))]), np.zeros((4, 3)),
    )  # fmt: skip
    return Roots(random.normal(size=(count, 3)), quaternion.random(random, (count,)), stand, False, False)


def place(joint: int, axes: tuple = WHOLE) -> Task:
    return Task(PLACE, joint, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), axes, 1.0, joint)


def layout_of(random: np.random.Generator, pins: int, **joints: np.ndarray) -> SimpleNamespace:
    given_joints = {"places": random.normal(size=(4, 3)), "turns": np.tile(NO_TURN, (4, 1)), **joints}
    tasks = [place(joint) for joint in range(pins)]
    return SimpleNamespace(
        pins=[Pin(joint, -1, joint, (0.0, 0.0, 0.0)) for joint in range(pins)], tasks=tasks, front=np.eye(3)[2],
        body=SimpleNamespace(joints=SimpleNamespace(**given_joints), tasks=SimpleNamespace(joints=np.arange(pins))),
    )  # fmt: skip


@given(seeds)
def test_what_goes_to_the_world_comes_back(seed: int) -> None:
    random = np.random.default_rng(seed)
    roots, points = roots_of(random), random.normal(size=(3, 3))
    world = roots.to_world(points)
    tasks = [place(0), place(1), replace(place(2), kind=ORIENT)]
    targets = np.concatenate([world, np.zeros((2, 3, 1))], axis=2)
    turns = quaternion.random(random, (2,))
    targets[:, 2] = quaternion.multiply(roots.turns, turns)
    back = roots.to_body(targets, tasks)
    np.testing.assert_allclose(back[:, :2, :3], np.broadcast_to(points[:2], (2, 2, 3)), atol=1e-9)
    np.testing.assert_allclose(np.abs(np.vecdot(back[:, 2], turns)), 1.0, atol=1e-9)
    # The root itself is where it is, and stays there if it is moved to where it stands.
    np.testing.assert_allclose(roots.to_world(roots.stand.positions[:1])[:, 0], roots.positions, atol=1e-9)
    own = np.broadcast_to(roots.stand.rotations[0], (2, 4))
    same = roots.moved(own, np.broadcast_to(roots.stand.positions[0], (2, 3)))
    np.testing.assert_allclose(same.positions, roots.positions, atol=1e-9)
    np.testing.assert_allclose(np.abs(np.vecdot(same.rotations, roots.rotations)), 1.0, atol=1e-9)
    np.testing.assert_allclose(roots.matrices @ points[0], quaternion.rotate(roots.turns, points[0]), atol=1e-9)


@given(seeds, st.integers(2, 4))
def test_roots_take_what_goals_agree_on_the_more_the_more_there_are(seed: int, pins: int) -> None:
    random = np.random.default_rng(seed)
    roots, layout, way = roots_of(random), layout_of(random, pins), random.normal(size=3)
    rest = roots.to_world(layout.body.joints.places[:pins])
    targets = np.concatenate([rest + way, np.zeros((2, pins, 1))], axis=2)
    moved = roots.following(layout, targets, travels=True, turns=True)
    np.testing.assert_allclose(moved.positions - roots.positions, np.tile((pins - 1) / pins * way, (2, 1)), atol=1e-6)
    np.testing.assert_allclose(np.abs(np.vecdot(moved.rotations, roots.rotations)), 1.0, atol=1e-6)
    assert roots.following(layout, targets, travels=False, turns=True).positions is roots.positions
    assert roots.following(layout_of(random, 1), targets, travels=True, turns=True) is roots


@given(seeds, st.floats(0.05, 0.5))
def test_roots_turn_with_goals_that_turn_but_not_as_far(seed: int, angle: float) -> None:
    random = np.random.default_rng(seed)
    roots, axis = roots_of(random), quaternion.rotate(quaternion.random(random, (1,))[0], np.array([0.0, 1.0, 0.0]))
    layout = layout_of(random, 4)
    rest = roots.to_world(layout.body.joints.places)
    middle = rest.mean(axis=1, keepdims=True)
    turned = quaternion.rotate(quaternion.from_axis_angle(axis, angle), rest - middle) + middle
    targets = np.concatenate([turned, np.zeros((2, 4, 1))], axis=2)
    made = roots.following(layout, targets, travels=True, turns=True)
    spun = quaternion.log(quaternion.multiply(made.rotations, quaternion.conjugate(roots.rotations)))
    spun = np.where(np.linalg.norm(spun, axis=1, keepdims=True) > np.pi, 0.0, spun)
    assert np.all(spun @ axis > 0.1 * angle)
    assert np.all(np.linalg.norm(spun, axis=1) < angle)
    # About the middle of what is held, which stays where it is.
    spin = quaternion.multiply(made.rotations, quaternion.conjugate(roots.rotations))
    before = roots.positions - middle[:, 0]
    np.testing.assert_allclose(made.positions - middle[:, 0], quaternion.rotate(spin, before), atol=1e-6)
    still = roots.following(layout, targets, travels=True, turns=False)
    np.testing.assert_allclose(np.abs(np.vecdot(still.rotations, roots.rotations)), 1.0, atol=1e-9)


@given(seeds)
def test_no_root_turns_by_more_than_a_radian(seed: int) -> None:
    random = np.random.default_rng(seed)
    roots, layout = roots_of(random), layout_of(random, 3)
    targets = np.concatenate([50.0 * random.normal(size=(2, 3, 3)), np.zeros((2, 3, 1))], axis=2)
    made = roots.following(layout, targets, travels=True, turns=True)
    assert np.all(quaternion.angle_between(made.rotations, roots.rotations) <= 1.0 + 1e-9)


@given(seeds)
def test_axes_that_do_not_count_are_as_at_rest(seed: int) -> None:
    random = np.random.default_rng(seed)
    roots = roots_of(random)
    layout = layout_of(random, 2, is_spine=np.array([0, 0, 0, 0]))
    tasks = [place(0, (0.0, 1.0, 0.0)), place(1)]
    targets = random.normal(size=(2, 2, 4))
    filled = roots.filled(targets, tasks, layout)
    rest = roots.to_world(layout.body.joints.places[:1])[:, 0]
    np.testing.assert_allclose(filled[:, 0, [0, 2]], rest[:, [0, 2]])
    np.testing.assert_array_equal(filled[:, 0, 1], targets[:, 0, 1])
    np.testing.assert_array_equal(filled[:, 1], targets[:, 1])


def test_a_spine_that_is_pressed_bows_to_the_front() -> None:
    roots = replace(
        roots_of(np.random.default_rng(1), 3), positions=np.zeros((3, 3)), rotations=np.tile(NO_TURN, (3, 1))
    )
    stand = replace(roots.stand, positions=np.zeros((4, 3)), rotations=np.tile(NO_TURN, (4, 1)))
    roots, free = replace(roots, stand=stand), np.array([True, False, True])
    places = np.array([[0.0, 1.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.6, 0.0]])
    bow = roots.bowing(np.array([0.0, 1.0, 0.0]), places, free, np.array([0.0, 0.6, 0.8]))
    np.testing.assert_allclose(bow[:2], 0.0, atol=1e-12)
    # As far as keeps the length, but for a soft beginning.
    expected = 0.8 * (np.sqrt(1.0 - 0.36 + BOW**2) - BOW)
    np.testing.assert_allclose(bow[2], [0.0, 0.0, expected])
    assert expected == pytest.approx(0.57, abs=0.01)
