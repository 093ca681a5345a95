"""What pushes parts out of one another, function by function, in plain Python; and how capsules are drawn."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik.limbs import Bodies
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.volume.drawing import capsule_surface
from mummer.ik.volume.push_loop import LARGEST_TURN, Frame, Parts, keep_goal, overlap, pose, push, turn_joint, way_out
from mummer.ik.volume.push_out import HEAVY, LONG, SHORT, willingness
from mummer.math import quaternion

seeds = st.integers(0, 10_000)
PARENTS = np.array([-1, 0, 1, 1])
"""A trunk of two joints with two arms."""
OFFSETS = np.array([[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.4, 0.1, 0.0], [-0.4, 0.1, 0.0]])
POINT = np.array([0.3, 0.0, 0.1])


def frame_of(random: np.random.Generator) -> Frame:
    rotations = quaternion.exp(0.4 * random.normal(size=(4, 3)))
    bodies = Bodies(PARENTS, np.zeros((4, 15)), OFFSETS[None], np.zeros((1, 3)))
    made = Frame(0, bodies, np.zeros((2, 2, 3)), np.zeros((4, 3)), np.zeros((4, 4)), rotations)
    pose(made)
    return made


def parts_of(weights: list[float], hinges: np.ndarray | None = None, **given_parts: np.ndarray) -> Parts:
    usual = {
        "weights": np.array(weights), "hinges": np.zeros((4, 3)) if hinges is None else hinges,
        "joints": np.array([2, 3]), "ends": np.zeros((2, 2, 3)), "radii": np.array([[0.2, 0.1], [0.15, 0.15]]),
        "first": np.array([0]), "second": np.array([1]), "trims": np.tile([0.0, 1.0], (1, 2, 1)),
        "wanted": np.array([0.01]), "limbs": np.array([2, 3]), "movers": np.array([2]), **given_parts,
    }  # fmt: skip
    return Parts(**usual)


def world(frame: Frame, joint: int) -> np.ndarray:
    return frame.places[joint] + quaternion.rotate(frame.turns[joint], POINT)


@given(seeds)
def test_places_are_those_of_the_chain(seed: int) -> None:
    frame = frame_of(np.random.default_rng(seed))
    for joint in range(1, 4):
        parent = PARENTS[joint]
        expected = frame.places[parent] + quaternion.rotate(frame.turns[parent], OFFSETS[joint])
        np.testing.assert_allclose(frame.places[joint], expected, atol=1e-12)
        turn = quaternion.multiply(frame.turns[parent], frame.rotations[joint])
        np.testing.assert_allclose(frame.turns[joint], turn, atol=1e-12)


@given(seeds, st.sampled_from([(2, 3), (2, -1), (2, 1)]))
def test_a_small_push_moves_one_point_against_the_other_that_way(seed: int, joints: tuple[int, int]) -> None:
    random = np.random.default_rng(seed)
    frame, (one, two) = frame_of(random), joints
    way = 1e-4 * random.normal(size=3)
    here, there = world(frame, one), world(frame, two)
    push(frame, parts_of([0.0, 1.0, 2.0, 0.5]), one, two, tuple(here), tuple(there), tuple(way))
    before = frame.rotations.copy()
    pose(frame)
    after = world(frame, one) - here - (world(frame, two) - there if two >= 0 else 0.0)
    # Short levers are spared, so that it may be less.
    along = float(after @ way) / float(way @ way)
    assert 0.5 < along < 1.02
    # What carries both brings nothing, and what may not turn does not.
    same = frame_of(np.random.default_rng(seed)).rotations
    np.testing.assert_array_equal(before[0], same[0])
    if two == 3:
        np.testing.assert_array_equal(before[1], same[1])
        assert not np.allclose(before[3], same[3], atol=1e-9)
    if two == -1:
        np.testing.assert_array_equal(before[3], same[3])


@given(seeds)
def test_the_willing_turn_more_and_hinges_about_themselves_alone(seed: int) -> None:
    random = np.random.default_rng(seed)
    start, hinges = frame_of(random).rotations.copy(), np.zeros((4, 3))
    hinges[2] = 0.0, 0.6, 0.8
    way = 1e-3 * random.normal(size=3)
    turns = []
    for willing in (0.1, 10.0):
        frame = frame_of(np.random.default_rng(seed))
        here = world(frame, 2)
        push(frame, parts_of([0.0, 1.0, willing, 0.0], hinges), 2, -1, tuple(here), tuple(here), tuple(way))
        turns.append(quaternion.log(quaternion.multiply(quaternion.conjugate(start), frame.rotations)))
        np.testing.assert_allclose(np.cross(turns[-1][2], hinges[2]), 0.0, atol=1e-12)
    assert np.linalg.norm(turns[1][2]) >= np.linalg.norm(turns[0][2]) - 1e-12
    assert np.linalg.norm(turns[1][1]) <= np.linalg.norm(turns[0][1]) + 1e-12


@given(seeds, st.floats(0.0, 2.0))
def test_no_joint_turns_far_in_one_step(seed: int, angle: float) -> None:
    random = np.random.default_rng(seed)
    frame = frame_of(random)
    axis = random.normal(size=3)
    axis /= np.linalg.norm(axis)
    before = frame.turns[2].copy()
    turn_joint(frame, 2, tuple(angle * axis))
    pose(frame)
    made = quaternion.log(quaternion.multiply(frame.turns[2], quaternion.conjugate(before)))
    np.testing.assert_allclose(made, min(angle, LARGEST_TURN) * axis, atol=1e-9)


def test_goals_are_come_back_to() -> None:
    frame = frame_of(np.random.default_rng(3))
    place = world(frame, 2)
    turn_joint(frame, 2, (0.0, 0.1, 0.1))
    pose(frame)
    far = float(np.linalg.norm(world(frame, 2) - place))
    for _ in range(20):
        keep_goal(frame, parts_of([0.0, 0.0, 1.0, 1.0]), 2, tuple(POINT), tuple(place))
    assert np.linalg.norm(world(frame, 2) - place) < 0.02 * far


def placed(apart: float) -> np.ndarray:
    return np.array([[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[apart, -0.5, 0.2], [apart, 1.5, 0.2]]])


@pytest.mark.parametrize("apart", [0.1, 0.3, 0.6])
def test_an_overlap_is_what_the_distance_lacks(apart: float) -> None:
    parts, ends = parts_of([1.0] * 4, radii=np.array([[0.2, 0.2], [0.15, 0.15]])), placed(apart)
    found = overlap(0, parts, ends, np.zeros((1, 3)))
    far = np.hypot(apart, 0.2)
    if far > 0.01 + 0.2 + 0.15:
        assert found.lacking < 0.0
        return
    assert found.lacking == pytest.approx(0.01 + 0.2 + 0.15 - far)
    np.testing.assert_allclose(found.normal, np.array([-apart, 0.0, -0.2]) / far, atol=1e-9)
    # From the side on which it came it has crossed: it has to come all the way back.
    crossed = overlap(0, parts, ends, np.array([[1.0, 0.0, 0.0]]))
    assert crossed.lacking == pytest.approx(0.01 + 0.2 + 0.15 + far)
    np.testing.assert_allclose(crossed.normal, np.array([apart, 0.0, 0.2]) / far, atol=1e-9)
    for mover, sign in ((2, 1.0), (3, -1.0)):
        moving = parts._replace(movers=np.array([mover]))
        amount, way = way_out(mover, moving, ends, np.zeros((1, 3)), (0.0, 0.0, 0.0))
        assert amount == pytest.approx(found.lacking)
        np.testing.assert_allclose(way, sign * np.array(found.normal), atol=1e-9)
        assert way_out(0, moving, ends, np.zeros((1, 3)), (0.0, 2.0, 0.0)) == (0.0, (0.0, 1.0, 0.0))


@given(seeds, st.floats(0.0, 1.0))
def test_capsules_are_drawn_where_they_end(seed: int, length: float) -> None:
    random = np.random.default_rng(seed)
    axis = random.normal(size=3)
    ends = np.stack([np.zeros(3), length * axis / np.linalg.norm(axis)]) + random.normal(size=3)
    radii = random.uniform(0.05, 0.3, size=2)
    places, triangles = capsule_surface(ends, radii)
    off = signed_distance(places, ends, radii)[0]
    if length > abs(radii[0] - radii[1]) + 0.02:
        np.testing.assert_allclose(off, 0.0, atol=1e-9)
    corners = places[triangles] - ends.mean(axis=0)
    volume = float(np.linalg.det(corners).sum()) / 6.0
    # Closed and facing outwards: what it holds is a little less than what is round.
    cone = np.pi / 3.0 * length * (radii[0] ** 2 + radii[0] * radii[1] + radii[1] ** 2)
    whole = cone + np.pi * 2.0 / 3.0 * float(np.sum(radii**3))
    assert volume > 0.0
    if length > 0.5:
        assert volume == pytest.approx(whole, rel=0.2)


def test_all_that_carries_a_point_turns_to_bring_it_back() -> None:
    frame = frame_of(np.random.default_rng(8))
    before, start, way = frame.rotations.copy(), world(frame, 2), np.array([0.0, 0.002, 0.003])
    place = start + way
    keep_goal(frame, parts_of([1.0, 1.0, 1.0, 1.0]), 2, tuple(POINT), tuple(place))
    moved = quaternion.angle_between(frame.rotations, before)
    assert np.all(moved[:3] > 1e-5)
    assert moved[3] < 1e-12
    assert float((world(frame, 2) - start) @ way) == pytest.approx(float(way @ way), rel=0.02)
    still = frame.rotations.copy()
    keep_goal(frame, parts_of([1.0, 1.0, 1.0, 1.0]), 2, tuple(POINT), tuple(world(frame, 2)))
    np.testing.assert_array_equal(frame.rotations, still)


def test_limbs_make_way_the_more_the_longer_and_the_lighter_they_are() -> None:
    """Two chains on one root, the second twice as heavy: fingers and roots do not turn, arms fully."""
    links, step = 4, 0.1
    parents = np.array([-1, *(0 if place % links == 0 else place for place in range(2 * links))])
    offsets = np.zeros((len(parents), 3))
    offsets[1:, 0] = step
    masses = np.array([5.0, *[1.0] * links, *[2.0] * links])
    mass = SimpleNamespace(masses=masses, total=float(masses.sum()))
    skeleton = SimpleNamespace(roots=(0,))
    movable = np.ones(len(parents), bool)
    body = SimpleNamespace(parents=parents, offsets=offsets, mass=mass, height=1.0, skeleton=skeleton)
    found = willingness(SimpleNamespace(body=body, movable=movable))
    light, heavy = found[1 : 1 + links], found[1 + links :]
    assert found[0] == light[-1] == heavy[-1] == 0.0
    assert np.all(heavy[:-1] < light[:-1])
    # Tips that are nearer than a finger is long do not turn, what is longer than an arm does all the way.
    reach = step * np.arange(links - 1, -1, -1)
    carried = np.cumsum(masses[links:0:-1])[::-1] / masses.sum()
    share = light * (carried + HEAVY) ** 2
    assert np.all(share[reach <= SHORT] == 0.0)
    assert np.all(np.diff(share) <= 1e-12)
    np.testing.assert_allclose(share[reach >= LONG], 1.0)
    assert 0.0 < share[(reach > SHORT) & (reach < LONG)].min() <= share[(reach > SHORT) & (reach < LONG)].max() < 1.0
    movable[2] = False
    assert willingness(SimpleNamespace(body=body, movable=movable))[2] == 0.0
