"""What limbs of particles are made of, function by function, in plain Python: calm turns, lengths that hold."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik import Place
from mummer.ik.particles.calm import calm_angle, softened, turn_between, turn_by_way_of
from mummer.ik.particles.limbs import (
    BENT,
    aim_limbs,
    bends_of,
    keep_apart,
    pole_of,
    put_members,
    relax_lengths,
    soft_reach,
    turn_to_particles,
)
from mummer.ik.particles.pins import HARD, Pin, task_of
from mummer.ik.particles.records import settings_for
from mummer.ik.particles.run import world_masks
from mummer.kernels.vectors import angle_of, dot, size, turned
from mummer.math import quaternion

SETTINGS = settings_for(height=1.0, tolerance=1e-3)
part = st.floats(-1.0, 1.0)
vectors = st.tuples(part, part, part).filter(lambda v: size(v) > 0.1)
NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])


@given(st.floats(0.0, 2.0), st.floats(0.01, 0.5))
def test_what_the_half_angle_is_told_by_never_vanishes(together: float, soft: float) -> None:
    found = softened(together, soft)
    assert found >= 0.5 * soft
    if together >= soft:
        assert found == together
    else:
        assert found == pytest.approx(0.5 * (together**2 + soft**2) / soft)
        assert found >= together
    assert softened(together + 1e-3, soft) >= found


@given(vectors, vectors, vectors)
def test_turns_lead_there_unless_they_would_go_nearly_round(a: tuple, b: tuple, pole: tuple) -> None:
    turn = turn_between(a, b, 0.1)
    if dot(a, b) / (size(a) * size(b)) > -0.9:
        np.testing.assert_allclose(np.array(turned(turn, a)) / size(a), np.array(b) / size(b), atol=1e-9)
        for one in (a, b):
            if dot(one, pole) / (size(one) * size(pole)) < -0.9:
                return
        by_way = turn_by_way_of(a, pole, b, 0.1)
        np.testing.assert_allclose(np.array(turned(by_way, a)) / size(a), np.array(b) / size(b), atol=1e-9)
    assert angle_of(turn_between(a, (-a[0], -a[1], -a[2]), 0.1)) < 1e-6
    assert turn_between(a, (0.0, 0.0, 0.0), 0.1) == (0.0, 0.0, 0.0, 1.0)


@given(st.floats(-2.5, 2.5), st.floats(0.1, 5.0))
def test_angles_are_what_they_are_and_fade_where_they_are_hardly_known(angle: float, length: float) -> None:
    sine, cosine = length * math.sin(angle), length * math.cos(angle)
    if abs(angle) < 2.0:
        assert calm_angle(sine, cosine, 0.0, 0.1) == pytest.approx(angle, abs=1e-9)
    faded = calm_angle(sine, cosine, length, 0.1)
    assert abs(faded) <= abs(angle) + 1e-12
    assert faded * angle >= 0.0
    assert calm_angle(0.0, 0.0, 0.0, 0.1) == 0.0
    assert abs(calm_angle(1e-9, -length, 0.0, 0.1)) < 1e-6


@given(st.floats(0.0, 3.0), st.floats(0.3, 0.9))
def test_limbs_near_their_reach_and_never_pass_it(distance: float, chord: float) -> None:
    reach, ease = 1.0, 0.05
    found = soft_reach(distance, reach, chord, ease)
    assert found <= distance + 1e-12
    assert found <= reach - ease * reach + 1e-12
    if distance <= 0.9:
        assert found == distance
    assert soft_reach(distance + 1e-3, reach, chord, ease) >= found - 1e-12
    straight = soft_reach(1.5, 1.0, 0.98, 0.05)
    assert 0.9 < straight < 0.98


@given(vectors, st.floats(0.1, 2.0), st.floats(0.0, 1.0))
def test_two_particles_come_to_their_distance_by_their_shares(way: tuple, distance: float, share: float) -> None:
    particles = np.array([[0.3, 0.0, 0.0], [0.3 + way[0], way[1], way[2]]])
    before = particles.copy()
    keep_apart(0, 1, distance, share, 1.0 - share, particles)
    assert np.linalg.norm(particles[1] - particles[0]) == pytest.approx(distance)
    moved = np.linalg.norm(particles - before, axis=1)
    assert moved[0] * (1.0 - share) == pytest.approx(moved[1] * share, abs=1e-9)
    assert np.linalg.norm(np.cross(particles[1] - particles[0], way)) == pytest.approx(0.0, abs=1e-9)


def test_chains_come_to_their_lengths_and_what_is_held_stays() -> None:
    particles = np.array([[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 1.4, 0.3]])
    limbs = SimpleNamespace(
        order=np.array([1, 2]), parents=np.array([-1, 0, 1]), loose=np.array([0.0, 1.0, 0.0]),
        lengths=np.array([0.0, 0.8, 0.8]),
    )  # fmt: skip
    lane = SimpleNamespace(work=SimpleNamespace(particles=particles))
    relax_lengths(SimpleNamespace(limbs=limbs), lane)
    np.testing.assert_array_equal(particles[[0, 2]], [[0.0, 0.0, 0.0], [0.0, 1.4, 0.3]])
    assert np.linalg.norm(particles[1]) == pytest.approx(0.8, abs=0.03)
    assert np.linalg.norm(particles[2] - particles[1]) == pytest.approx(0.8, abs=0.03)


def test_members_are_laid_along_their_aim_scaled_and_bent_out() -> None:
    limbs = SimpleNamespace(
        aims=np.array([[0.0, -1.0, 0.0]]), member_starts=[0, 2], members=[1, 2], roots=[0],
        rest=np.array([[0.0, 2.0, 0.0], [0.1, 1.5, 0.0], [0.0, 1.0, 0.0]]),
        bends=np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]),
    )  # fmt: skip
    work = SimpleNamespace(aim_turns=NO_TURN[None], particles=np.zeros((3, 3)))
    put_members(limbs, 0, (5.0, 0.0, 0.0), 0.6, 0.2, SimpleNamespace(work=work))
    np.testing.assert_allclose(work.particles[1], [5.1, -0.3, 0.2], atol=1e-12)
    np.testing.assert_allclose(work.particles[2], [5.0, -0.6, 0.0], atol=1e-12)


@given(vectors, st.floats(-1.0, 1.0))
def test_joints_turn_with_what_hangs_on_them(axis: tuple, angle: float) -> None:
    rest = np.array([[0.0, 0.0, 0.0], [0.3, -1.0, 0.0], [-0.3, -1.0, 0.1], [0.0, -1.0, -0.3]])
    turn = quaternion.from_axis_angle(np.array(axis) / size(axis), angle)
    work = SimpleNamespace(particles=quaternion.rotate(turn, rest), aim_turns=NO_TURN[None])
    limbs = SimpleNamespace(kid_starts=[0, 3], kids=[1, 2, 3], rest=rest, joint_aims=[0])
    found = turn_to_particles(limbs, SETTINGS, SimpleNamespace(work=work), 0)
    # A twist that is told by little is followed a little less.
    assert quaternion.angle_between(np.array(found), turn) < 0.02 + 0.02 * abs(angle)
    limbs.kid_starts = [0, 1]
    single = turn_to_particles(limbs, SETTINGS, SimpleNamespace(work=work), 0)
    np.testing.assert_allclose(turned(single, tuple(rest[1])), work.particles[1], atol=1e-9)


def test_masks_take_the_axes_of_the_world_that_count() -> None:
    turn = quaternion.to_matrix(quaternion.from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.3))
    masks = world_masks(np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 1.0]]), turn[None])
    along = turn.T @ np.array([1.0, 0.0, 0.0])
    expected = np.outer(along, along)
    np.testing.assert_allclose(masks[0, 0], expected[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]], atol=1e-12)
    np.testing.assert_allclose(masks[0, 1], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0], atol=1e-12)


@pytest.mark.parametrize("chord", [0.5, 0.97, 0.99, 1.0])
@pytest.mark.parametrize("ease", [0.012, 0.05])
def test_a_limb_eases_without_a_corner_from_where_it_is_nearly_straight(chord: float, ease: float) -> None:
    begins, step = max(chord, 1.0 - 2.0 * ease), 1e-6
    assert soft_reach(begins, 1.0, chord, ease) == begins
    assert soft_reach(begins + step, 1.0, chord, ease) == pytest.approx(begins, abs=2.0 * step)
    far = soft_reach(9.0, 1.0, chord, ease)
    nearly = [soft_reach(begins + away, 1.0, chord, ease) for away in np.linspace(0.0, 12.0 * ease, 30)]
    if chord > 1.0 - 2.0 * ease:
        # Straighter at rest than it may get: it bends while the goal goes away, as far as the others straighten.
        assert far == pytest.approx(1.0 - 2.0 * ease)
        assert np.all(np.diff(nearly) < 0.0)
        assert nearly[-1] > far
    else:
        assert far == pytest.approx(1.0 - ease, abs=1e-6)
        assert np.all(np.diff(nearly) > 0.0)
        assert soft_reach(begins + step, 1.0, chord, ease) > begins + 0.99 * step
    # Lengths are lengths, whatever they are measured in.
    assert soft_reach(2.0 * begins + 0.1, 2.0, 2.0 * chord, ease) == pytest.approx(
        2.0 * soft_reach(begins + 0.05, 1.0, chord, ease)
    )


def aimed(pin: tuple, *, height: float = 1.0, turn: np.ndarray = NO_TURN, times: int = 1) -> np.ndarray:
    """(3 times, 3) the particles of one limb after another that hang down a metre, slightly bent, aimed at a pin."""
    rest = np.array([[0.0, 0.0, 0.0], [0.02, -0.5, 0.05], [0.0, -1.0, 0.0]])
    limbs = SimpleNamespace(
        roots=np.array([0]), before=[-1], spines=[0], end_starts=[0, times], ends=list(range(times)),
        rest=height * rest, aims=height * np.array([[0.0, -1.0, 0.0]]), poles=np.array([[0.0, -0.8, 0.6]]),
        reaches=np.array([height * 1.02]), member_starts=[0, 2], members=[1, 2],
        bends=np.array([[0.0, 0.0, 0.5], [0.0, 0.0, 0.0]]),
    )  # fmt: skip
    joints = SimpleNamespace(turns=NO_TURN[None], offsets=height * np.array([[0.1, 0.2, 0.3]]))
    start = quaternion.rotate(turn, joints.offsets[0])
    pins = np.tile(start + quaternion.rotate(turn, height * np.array(pin)), (times, 1))
    work = SimpleNamespace(
        particles=np.zeros((3, 3)), turns=np.array(turn)[None], places=np.zeros((1, 3)), aim_turns=np.zeros((1, 4))
    )
    settings = settings_for(height=height, tolerance=1e-3)
    aim_limbs(SimpleNamespace(limbs=limbs, joints=joints), settings, SimpleNamespace(work=work, pins=pins))
    return work.particles - start


REST = np.array([[0.0, 0.0, 0.0], [0.02, -0.5, 0.05], [0.0, -1.0, 0.0]])


def test_a_limb_whose_goal_is_where_it_hangs_hangs_there() -> None:
    np.testing.assert_allclose(aimed((0.0, -1.0, 0.0)), REST, atol=1e-12)
    np.testing.assert_allclose(aimed((0.0, -1.0, 0.0), times=3), REST, atol=1e-12)


@pytest.mark.parametrize("pin", [(0.1, -0.6, 0.2), (-0.5, 0.2, 0.5), (0.4, -0.85, 0.0), (0.0, -0.3, 0.1)])
def test_limbs_end_at_goals_within_reach_whichever_way_their_body_faces(pin: tuple) -> None:
    found, turn = aimed(pin), quaternion.exp(np.array([0.4, -0.7, 0.3]))
    np.testing.assert_allclose(found[2], pin, atol=1e-9)
    np.testing.assert_allclose(aimed(pin, turn=turn), quaternion.rotate(turn, found), atol=1e-9)
    np.testing.assert_allclose(aimed(pin, height=3.0), 3.0 * found, atol=1e-9)
    np.testing.assert_allclose(aimed(pin, times=2), found, atol=1e-9)


def test_a_limb_that_is_pushed_together_gives_to_the_front_the_more_the_shorter_it_is() -> None:
    ahead = [aimed((0.0, -length, 0.0))[1, 2] for length in (1.0, 0.95, 0.9, 0.7, 0.5, 0.3)]
    assert np.all(np.diff(ahead) > 0.0)
    # Half as long, it bends out about as far as lengths of its halves ask for.
    assert ahead[4] == pytest.approx(0.05 + np.sqrt(0.5**2 - 0.25**2), abs=0.06)


def test_a_limb_stretches_no_farther_than_its_reach_and_a_goal_at_its_own_base_has_no_direction() -> None:
    for far in (1.1, 2.0, 9.0):
        assert 0.98 < size(tuple(aimed((0.0, 0.0, far))[2])) < 1.02
    at_base = aimed((0.0, 0.0, 0.0))
    assert size(tuple(at_base[2])) < 0.2
    for way in ((1e-6, 0.0, 0.0), (-1e-6, 0.0, 1e-6)):
        np.testing.assert_allclose(aimed(way), at_base, atol=1e-4)


def bare(places: np.ndarray) -> np.ndarray:
    """How a limb without hinges is bent out: what `bends_of` says of a body that faces along +Z."""
    joints, body = SimpleNamespace(parents=np.zeros(0, int)), SimpleNamespace(anatomy=None)
    return bends_of(joints, places, list(range(len(places))), body)


def test_straight_limbs_give_to_the_front_and_bent_ones_as_they_are() -> None:
    straight = np.array([[0.0, 0.0, 0.0], [0.0, -0.3, 0.0], [0.0, -0.7, 0.0], [0.0, -1.0, 0.0]])
    found = bare(straight)
    np.testing.assert_allclose(found[:, :2], 0.0, atol=1e-12)
    assert found[2, 2] == 0.0
    # As far as parts of a circle would, the same at both ends, whatever its length.
    assert found[0, 2] == pytest.approx(found[1, 2])
    assert 0.3 < found[0, 2] < 0.5
    np.testing.assert_allclose(bare(7.0 * straight), found)
    # One that points to the front itself gives across.
    ahead = bare(straight[:, [0, 2, 1]])
    np.testing.assert_allclose(ahead[:, 2], 0.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(ahead, axis=1), found[:, 2])
    for out, gives in ((0.5 * BENT, True), (2.0 * BENT, False)):
        bent = straight + out * np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]])
        assert bool(np.any(bare(bent))) == gives
    # Whatever its length, and wherever it is.
    bent = straight + 0.5 * BENT * np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(bare(9.0 * bent + 4.0), bare(bent))
    assert not np.any(bare(straight[:2]))
    assert not np.any(bare(np.zeros((3, 3))))


def test_a_particle_is_a_tip_only_where_its_point_is_off_the_joint() -> None:
    for point, is_tip in (((0.0, 0.0, 0.0), False), ((0.0, 1e-12, 0.0), False), ((0.0, 0.0, -0.01), True)):
        assert Pin(0, -1, 0, point).has_tip == is_tip


def pole(*rest: float, side: float = 0.0, size: float = 1.0) -> np.ndarray:
    """The pole of a limb that points so at rest and begins at a side of a body that faces along +Z."""
    places = size * np.array([[0.0, 0.0, 0.0], [side, 0.0, 0.0]])
    joints = SimpleNamespace(parents=np.zeros(0, int), places=places)
    return pole_of(joints, 1, size * np.array(rest), SimpleNamespace(anatomy=None))


def test_limbs_turn_by_way_of_front_and_outside_alike_on_both_sides() -> None:
    hanging = pole(0.0, -1.0, 0.0, side=0.3)
    assert hanging[0] > 0.0 > hanging[1]
    assert hanging[2] > hanging[0]
    np.testing.assert_allclose(pole(0.0, -1.0, 0.0, side=-0.3), hanging * (-1.0, 1.0, 1.0))
    np.testing.assert_allclose(pole(0.0, -1.0, 0.0, side=0.3, size=5.0), hanging)
    assert pole(0.0, -1.0, 0.0)[0] == 0.0
    # What reaches across the middle is on the side where it ends.
    assert pole(-0.6, -0.8, 0.0, side=0.3)[0] < pole(-0.6, -0.8, 0.0, side=0.7)[0]
    for rest in ((0.0, 0.0, -1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (-0.6, 0.0, -0.8)):
        assert np.linalg.norm(pole(*rest, side=0.1)) == pytest.approx(1.0)


def test_goals_count_the_more_the_heavier_they_are_and_hard_ones_most() -> None:
    state = SimpleNamespace(body=SimpleNamespace(character=SimpleNamespace(anatomy=None, skeleton=range(1))))
    stand = SimpleNamespace(rotations=np.array([NO_TURN]), positions=np.zeros((1, 3)))
    weights = [task_of(Place(0, at=(0, 0, 0), weight=weight), state, stand).weight for weight in (0.1, 1.0, 4.0, 1e12)]
    hard = task_of(Place(0, at=(0, 0, 0)), state, stand).weight
    assert 0.0 < weights[0] < weights[1] < weights[2] < weights[3] == hard == HARD
    # Errors are squared, weights are not.
    assert weights[2] == pytest.approx(2.0 * weights[1])
