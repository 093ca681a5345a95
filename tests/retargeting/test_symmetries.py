"""What changes nothing: mirrors, another place, another size, another order of asking."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mummer.character import Pose, Recording, world_positions
from mummer.clip import Clip, Still
from mummer.clip.sampled import Sampled
from mummer.math import quaternion
from mummer.retargeting import Onto, retarget
from mummer.retargeting.build import build_of
from mummer.retargeting.parts import joints_of_groups
from mummer.retargeting.stance import _holding
from tests.retargeting.walk import people, rebuilt, walk

Heights = Callable[[np.ndarray, np.ndarray], np.ndarray]


def hills(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    return 0.05 * np.sin(2.0 * z) * np.cos(1.3 * x) + 0.02 * x


def places(clip: Clip) -> np.ndarray:
    """(10, J, 3) of the joints in the world."""
    return world_positions(clip.body.skeleton, clip.sample(np.linspace(clip.start, clip.end, 10)))


def changed(turn: np.ndarray, shift: np.ndarray, scale: float = 1.0) -> Sampled:
    """The walk of a body so many times as large, turned and somewhere else."""
    plain = walk()
    times = plain.recording.curves[0].times
    poses = plain.sample(times)
    rotations = poses.rotations.copy()
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    root = scale * quaternion.rotate(turn, poses.root_translation) + shift
    body = plain.body if scale == 1.0 else rebuilt(plain.body, scale=scale)
    return Sampled(body, Recording.from_poses("walk", times, Pose(rotations, root), frame_rate=60.0))


@pytest.mark.parametrize("name", ["child", "two_headed", "dog", "spider"])
def test_the_mirror_of_a_motion_becomes_the_mirror_of_what_it_becomes(name: str) -> None:
    body = people(name)
    there = places(Onto(walk().mirrored(), body, ground=lambda x, z: hills(-x, z)))
    here = places(Onto(walk(), body, ground=hills).mirrored())
    np.testing.assert_allclose(there, here, atol=1e-9)
    np.testing.assert_allclose(places(Onto(walk().mirrored(), body)), places(Onto(walk(), body).mirrored()), atol=1e-9)


@pytest.mark.parametrize("name", ["child", "dog", "spider"])
def test_who_walks_elsewhere_walks_the_same(name: str) -> None:
    turn, shift = quaternion.exp(np.array([0.0, 1.1, 0.0])), np.array([2.0, 0.0, -1.0])
    plain, other = Onto(walk(), people(name)), Onto(changed(turn, shift), people(name))
    expected = quaternion.rotate(turn, places(plain)) + plain.transfer.scale * shift
    np.testing.assert_allclose(places(other), expected, atol=1e-9)


@pytest.mark.parametrize("scale", [0.01, 3.0])
@pytest.mark.parametrize("name", ["child", "dog"])
def test_in_a_world_of_another_size_all_is_the_same(name: str, scale: float) -> None:
    large = changed(np.array(quaternion.IDENTITY), np.zeros(3), scale)
    body = rebuilt(people(name), scale=scale)
    over = Onto(large, body, ground=lambda x, z: scale * hills(x / scale, z / scale))
    for other, plain in (
        (Onto(large, body), Onto(walk(), people(name))),
        (over, Onto(walk(), people(name), ground=hills)),
    ):
        np.testing.assert_allclose(places(other) / scale, places(plain), atol=2e-4)


@pytest.mark.parametrize("options", [{"groups": ("upper body",)}, {"groups": ("lower body",)}, {"feet": False}, {}])
def test_single_frames_are_those_of_many_whoever_takes_part(options: dict) -> None:
    for name in ("child", "two_headed"):
        clip = Onto(walk(), people(name), **options)
        one, many = clip.at(0.7), clip.sample(np.array([0.3, 0.7]))
        np.testing.assert_allclose(one.rotations, many.rotations[1], atol=1e-12)
        np.testing.assert_allclose(one.root_translation, many.root_translation[1], atol=1e-12)


def test_a_single_moment_is_moved_and_tells_nothing_of_the_ground() -> None:
    adult = people("adult")
    made = retarget(Still(adult, adult.default_pose, seconds=0.0), people("child"))
    assert made.duration == 0.0
    assert "below the floor" not in str(made.report)
    assert np.all(np.isfinite(places(made)))


def test_a_foot_that_stands_from_the_first_moment_to_the_last_is_held_throughout() -> None:
    free = np.cumsum(np.full((40, 3), 0.01), axis=0)
    for planted in (np.ones(40, bool), np.arange(40) < 25, np.arange(40) >= 1):
        held = free + _holding(free, planted, 0.02, np.zeros((40, 3)))
        np.testing.assert_allclose(held[planted], np.tile(free[planted].mean(axis=0), (planted.sum(), 1)), atol=1e-12)


@pytest.mark.parametrize("name", ["child", "two_headed", "dog", "snake"])
def test_an_upper_body_moves_alone_as_it_does_over_legs_that_stand_still(name: str) -> None:
    plain, source, target = walk(), build_of(people("adult")), build_of(people(name))
    times = plain.recording.curves[0].times
    poses, still = plain.sample(times), ~joints_of_groups(source, ("upper body",))
    rotations = poses.rotations.copy()
    spine = [
        joint for joint in source.skeleton.chain(source.fork, source.anatomy.roles["head"])[1:] if not still[joint]
    ]
    for place, joint in enumerate(spine):
        bend = quaternion.exp(0.1 * np.sin(3.0 * times + place)[:, None] * np.array([1.0, 0.5, 0.2]))
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], bend)
    rotations[:, still] = source.skeleton.rest_rotations[still]
    root = np.tile(source.skeleton.rest_translations[0], (len(times), 1))
    clip = Sampled(plain.body, Recording.from_poses("bow", times, Pose(rotations, root), frame_rate=60.0))
    chosen, at = joints_of_groups(target, ("upper body",)), np.linspace(0.0, 2.0, 7)
    whole, alone = (
        Onto(clip, people(name), feet=False, **options).sample(at).rotations
        for options in ({}, {"groups": ("upper body",)})
    )
    np.testing.assert_allclose(alone[:, chosen], whole[:, chosen], atol=1e-9)
    np.testing.assert_array_equal(alone[:, ~chosen], np.tile(target.skeleton.rest_rotations[~chosen], (7, 1, 1)))
    assert np.abs(np.diff(alone[:, chosen], axis=0)).max() > 0.01
