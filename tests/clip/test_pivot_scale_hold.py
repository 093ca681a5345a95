"""Motions put elsewhere, made larger or smaller, and held."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import Character, Pose, Recording, Skeleton, world_positions
from mummer.clip.hold import Hold, Still
from mummer.clip.pivot import Pivot, pivot_at, pivot_to
from mummer.clip.sampled import Sampled
from mummer.clip.scale import Scale, mean_pose
from mummer.clip.standing import Standing, wrapped
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.clip.bodies import same_exactly, twisted_human, walkabout, walkabouts
from tests.clip.strategies import assert_same_poses, motions, seeds

IDENTITY = (0.0, 0.0, 0.0, 1.0)
vectors = st.tuples(*[st.floats(-3, 3)] * 3)


@given(motions(), vectors, vectors, vectors)
def test_pivot_moves_every_joint_rigidly(clip: Sampled, point: tuple, axis: tuple, to: tuple) -> None:
    turn = tuple(quaternion.exp(axis).tolist())
    times = clip.times(10)
    before = world_positions(clip.body.skeleton, clip.sample(times))
    after = world_positions(clip.body.skeleton, Pivot(clip, point, turn, to).sample(times))
    assert np.allclose(after, np.asarray(to) + quaternion.rotate(turn, before - np.asarray(point)), rtol=0, atol=1e-9)


@given(motions(), vectors, vectors, vectors)
def test_pivot_and_back(clip: Sampled, point: tuple, axis: tuple, to: tuple) -> None:
    turn = quaternion.exp(axis)
    there = Pivot(clip, point, tuple(turn.tolist()), to)
    back = Pivot(there, to, tuple(quaternion.conjugate(turn).tolist()), point)
    assert_same_poses(back.sample(clip.times(10)), clip.sample(clip.times(10)), 1e-9)
    assert there.marks == clip.marks


@given(walkabouts(), st.floats(-4, 4))
def test_a_foot_stays_where_it_is(clip: Sampled, angle: float) -> None:
    foot = clip.body.skeleton.index("left_foot")
    turned = pivot_at(clip, "left_foot", 1.0, rotation=quaternion.exp([0, angle, 0]))
    before = world_positions(clip.body.skeleton, clip.at(1.0))[foot]
    assert np.allclose(world_positions(clip.body.skeleton, turned.at(1.0))[foot], before, rtol=0, atol=1e-9)
    moved = pivot_at(clip, "left_foot", 1.0, to=[1, 2, 3])
    assert np.allclose(world_positions(clip.body.skeleton, moved.at(1.0))[foot], [1, 2, 3], rtol=0, atol=1e-9)


@given(walkabouts(), st.floats(-3, 3))
def test_pivot_to_a_place_and_heading(clip: Sampled, heading: float) -> None:
    put = pivot_to(clip, [4, 7, -2], heading, time=1.2)
    standing = Standing.of(clip.body)
    places, headings = standing.places(put.frames(np.array([1.2])))
    heights, _ = standing.places(clip.frames(np.array([1.2])))
    assert np.allclose(places[0], [4, heights[0, 1], -2], rtol=0, atol=1e-9)
    assert abs(wrapped(headings[0] - heading)) < 1e-9


@given(seeds, st.floats(-3, 3))
def test_the_heading_is_counted_from_the_rest_pose(seed: int, angle: float) -> None:
    """Whatever the frames of the joints; and whichever joint is followed, down the chain from the root."""
    body = twisted_human(np.random.default_rng(seed))
    still = Still(body, Pose.rest(body.skeleton), 1.0)
    turned = Pivot(still, (0, 0, 0), tuple(quaternion.exp([0, angle, 0]).tolist()), (0, 0, 0))
    for joint in (None, "left_hand"):
        standing = Standing.of(body, joint)
        places, headings = standing.places(turned.frames(np.zeros(1)))
        assert abs(wrapped(headings[0] - angle)) < 1e-9
        assert np.allclose(places[0], world_positions(body.skeleton, turned.at(0))[standing.joint], rtol=0, atol=1e-12)


def test_several_roots_move_together() -> None:
    skeleton = Skeleton(("a", "b", "c"), [-1, -1, 1], [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    body = Character("two", skeleton)
    clip = Still(body, Pose.rest(skeleton), 1.0)
    turned = Pivot(clip, (0, 0, 0), tuple(quaternion.exp([0, np.pi / 2, 0]).tolist()), (0, 0, 5))
    assert np.allclose(world_positions(skeleton, turned.at(0.5)), [[0, 0, 5], [0, 0, 4], [0, 1, 4]], atol=1e-12)


@given(motions(), st.floats(-2, 4))
def test_scale_multiplies_the_angle_from_the_reference(clip: Sampled, factor: float) -> None:
    reference = clip.at(clip.start)
    times = clip.times(15)
    scaled, plain = Scale(clip, factor, reference).sample(times), clip.sample(times)
    log = quaternion.log(quaternion.multiply(plain.rotations, quaternion.conjugate(reference.rotations)))
    expected = quaternion.multiply(quaternion.exp(factor * log), reference.rotations)
    assert np.all(quaternion.equal_rotations(scaled.rotations, expected, 2e-7))
    assert np.allclose(np.linalg.norm(scaled.rotations, axis=-1), 1, rtol=0, atol=1e-8)
    moved = reference.root_translation + factor * (plain.root_translation - reference.root_translation)
    assert np.allclose(scaled.root_translation, moved, rtol=0, atol=1e-9)


@given(walkabouts(stretched=True))
def test_scale_of_one_and_zero(clip: Sampled) -> None:
    times = clip.times(15)
    assert same_exactly(Scale(clip, 1.0).sample(times), clip.sample(times))
    still = Scale(clip, 0.0).sample(times)
    mean = mean_pose(clip)
    assert np.all(quaternion.equal_rotations(still.rotations, mean.rotations))
    assert np.allclose(still.translations, mean.translations, rtol=0, atol=1e-12)


@given(walkabouts())
def test_scale_there_and_back_and_by_group(clip: Sampled) -> None:
    times, reference = clip.times(15), clip.at(1.0)
    back = Scale(Scale(clip, 0.5, reference), 2.0, reference)
    assert_same_poses(back.sample(times), clip.sample(times), 1e-9)
    arms = Scale(clip, {"left_arm": 1.5})
    arm = list(clip.anatomy.group("left_arm"))
    others = np.setdiff1d(np.arange(len(clip.body.skeleton)), arm)
    assert np.array_equal(arms.sample(times).rotations[:, others], clip.sample(times).rotations[:, others])
    assert not np.allclose(arms.sample(times).rotations[:, arm], clip.sample(times).rotations[:, arm], atol=1e-3)


@given(motions())
def test_hold_shows_one_pose(clip: Sampled) -> None:
    held = Hold(clip, clip.start + 0.5, 2.0)
    assert (held.start, held.end) == pytest.approx((clip.start + 0.5, clip.start + 2.5))
    times = np.linspace(held.start - 1, held.end + 1, 7)
    assert_same_poses(held.sample(times), clip.sample([clip.start + 0.5] * 7), 1e-12)
    assert np.array_equal(held.sample(times).rotations[0], held.sample(times).rotations[-1])


def test_hold_keeps_what_lasts_and_still_stands() -> None:
    rng = np.random.default_rng(1)
    clip = walkabout(twisted_human(rng), rng)
    contact = clip.marks[0]
    held = Hold(clip, 0.5 * (contact.time + contact.until), 3.0)
    assert [(mark.name, mark.time, mark.until) for mark in held.marks] == [("left_foot contact", held.start, held.end)]
    assert Hold(clip, clip.marks[1].time, 1.0).marks == ()
    still = Still(clip.body, clip.at(1.0), 4.0)
    assert (still.start, still.end) == (0.0, 4.0)
    assert still.defined.all()
    assert_same_poses(still.sample([0.0, 9.0]), clip.sample([1.0, 1.0]), 1e-12)


def test_bad_pivots_scales_and_holds() -> None:
    rng = np.random.default_rng(2)
    clip = walkabout(twisted_human(rng), rng)
    with pytest.raises(InputError, match="point of a pivot must be 3 finite numbers"):
        Pivot(clip, (0, 0), IDENTITY, (0, 0, 0))
    with pytest.raises(InputError, match="length zero"):
        Pivot(clip, (0, 0, 0), (0, 0, 0, 0), (0, 0, 0))
    with pytest.raises(UnknownNameError, match="no joint 'left_fot'"):
        pivot_at(clip, "left_fot", 1.0)
    with pytest.raises(InputError, match="a weight is inf; expected a finite number"):
        Scale(clip, np.inf)
    with pytest.raises(UnknownNameError, match="no group 'left'"):
        Scale(clip, {"left": 2.0})
    with pytest.raises(InputError, match="scaled about one pose of"):
        Scale(clip, 2.0, clip.sample([1.0, 2.0]))
    with pytest.raises(InputError, match="cannot hold the pose at 99 s: the clip runs from"):
        Hold(clip, 99.0, 1.0)
    with pytest.raises(InputError, match="cannot be held for -1 s"):
        Hold(clip, 1.0, -1.0)
    with pytest.raises(InputError, match="stands still in one pose"):
        Still(clip.body, Pose.rest(Skeleton(("a",), [-1], [[0, 0, 0]])), 1.0)


def test_the_mean_of_a_swing_is_its_middle() -> None:
    rng = np.random.default_rng(3)
    body = twisted_human(rng)
    rest = Pose.rest(body.skeleton, (3,))
    swing = np.array([[0, -0.4, 0], [0, 0.4, 0], [0, -0.4, 0]])
    rotations = rest.rotations.copy()
    rotations[:, 5] = quaternion.multiply(rotations[:, 5], quaternion.exp(swing))
    clip = Sampled(body, Recording.from_poses("swing", [0.0, 1.0, 2.0], Pose(rotations, rest.root_translation)))
    assert np.all(quaternion.equal_rotations(mean_pose(clip).rotations, body.skeleton.rest_rotations, 0.02))
