"""Every animation of the library on bodies of every kind: it plays, it moves, nothing breaks."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, violations
from mummer.engine import perform
from mummer.errors import InputError
from mummer.general import admitting, animation, animation_names, physique_of
from mummer.math import quaternion
from tests.general.bodies import physique, stance

FEW = ("adult", "spider", "snake", "random 4")
LIMIT = 0.06
"""Radians by which a joint may be past its limit: what is bent twice, by a pose and by a deform, may be a little."""


def played(body: Character, name: str) -> bool:
    """Whether the body is admitted; everything about the clip is checked."""
    if admitting(animation(name), physique_of(body)) is None:
        with pytest.raises(InputError, match="is not for"):
            perform(body, name)
        return False
    clip = perform(body, name)
    times = np.linspace(clip.start, clip.end, 13)
    pose = clip.sample(times)
    assert np.all(np.isfinite(pose.rotations))
    assert np.all(np.isfinite(pose.root_translation))
    np.testing.assert_allclose(np.linalg.norm(pose.rotations, axis=-1), 1, atol=1e-6)
    if body.limits is not None:
        assert violations(body.limits, body.skeleton, pose)[:, 1:].max() < LIMIT
    assert clip.physique.height * 0.01 < moved(clip.body, pose)
    assert all(0 <= mark.time <= clip.end for mark in clip.marks)
    return True


def moved(body: Character, pose: mm.Pose) -> float:
    """Metres that the joint which moves most is from where it begins."""
    places = mm.world_positions(body.skeleton, pose)
    return float(np.linalg.norm(places - places[:1], axis=-1).max())


@pytest.mark.parametrize("name", animation_names())
def test_a_few_bodies_play_it(name: str) -> None:
    assert sum(played(physique(body).character, name) for body in FEW) >= 2


@pytest.mark.parametrize("name", [name for name in animation_names() if animation(name).loop])
def test_loops_end_as_they_begin(name: str) -> None:
    clip = perform(physique("adult").character, name)
    begin, end = clip.sample([clip.start, clip.end]).rotations
    assert quaternion.angle_between(begin, end).max() < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    "body", [*(f"zoo:{name}" for name in mm.zoo.names()), *(f"random:{seed}" for seed in range(20))]
)
def test_the_zoo_and_random_creatures_play_all_of_it(body: str) -> None:
    kind, _, name = body.partition(":")
    character = mm.zoo.body(name) if kind == "zoo" else mm.zoo.random_creature(int(name))
    admitted = [played(character, one) for one in animation_names()]
    assert np.mean(admitted) > 0.6


@pytest.mark.parametrize("name", [name for name in animation_names() if not animation(name).loop])
def test_everything_begins_in_the_stance(name: str) -> None:
    clip = perform(physique("random 4").character, name)
    pose = clip.sample([clip.start])
    assert quaternion.angle_between(pose.rotations[0], stance(clip.body).rotations).max() < 0.02


@pytest.mark.parametrize("name", ["die", "fall", "sleep"])
@pytest.mark.parametrize("body", ["spider", "lizard"])
def test_who_stands_on_many_feet_goes_down_on_its_belly(name: str, body: str) -> None:
    clip = perform(physique(body).character, name)
    root = clip.physique.root
    begin, end = clip.sample([clip.start, clip.end]), clip.sample([clip.end])
    heights = mm.world_positions(clip.body.skeleton, begin)[:, root, 1]
    assert heights[1] < 0.8 * heights[0]
    turned = quaternion.angle_between(end.rotations[0, root], begin.rotations[0, root])
    assert turned < np.radians(25)


@pytest.mark.parametrize("name", ["die", "fall", "sleep"])
@pytest.mark.parametrize("body", ["dog", "horse", "centaur"])
def test_who_stands_on_four_legs_lies_down_on_its_side(name: str, body: str) -> None:
    clip = perform(physique(body).character, name)
    root = clip.physique.root
    pose = clip.sample([clip.start, clip.end])
    heights = mm.world_positions(clip.body.skeleton, pose)[:, root, 1]
    assert heights[1] < 0.45 * heights[0]
    turned = quaternion.angle_between(pose.rotations[1, root], pose.rotations[0, root])
    assert turned > np.radians(70)


def test_who_stands_on_two_feet_and_has_no_wings_dies_on_its_side() -> None:
    clip = perform(mm.zoo.random_creature(43020), "die")
    pose = clip.sample([clip.start, clip.end])
    root = clip.physique.root
    assert quaternion.angle_between(pose.rotations[1, root], pose.rotations[0, root]) > np.radians(60)


def test_bodies_with_more_than_four_feet_sit_level() -> None:
    clip = perform(mm.zoo.random_creature(43024), "sit")
    assert clip.physique.anatomy.capabilities["foot"][4:]
    poses = clip.sample([clip.start, 2.5])
    root = clip.physique.root
    assert quaternion.angle_between(poses.rotations[1, root], poses.rotations[0, root]) < np.radians(15)


def test_people_sit_on_the_ground() -> None:
    clip = perform(physique("adult").character, "sit")
    places = mm.world_positions(clip.body.skeleton, clip.sample([0.0, 2.6]))
    hips, head = clip.anatomy.joint("hips"), clip.anatomy.joint("head")
    assert places[1, hips, 1] < 0.4 * places[0, hips, 1]
    assert places[1, head, 1] > places[1, hips, 1] + 0.3
