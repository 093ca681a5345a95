"""Feet that hang from the root are carried by their legs: the body put together looks as it came."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mummer as mm
from mummer.character import Character, Pose, world_positions
from mummer.character.whole import put_together, whole_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.recognition import recognize


@pytest.fixture(scope="module")
def loose_dog() -> Character:
    dog = mm.zoo.body("dog")
    roles = [f"{end}_{side}_foot" for end in ("front", "hind") for side in ("left", "right")]
    return put_together(dog, {dog.anatomy.joint(role): 0 for role in roles}).character


def test_a_body_in_one_piece_stays_what_it_is() -> None:
    assert whole_of(mm.zoo.body("dog")) is None
    assert not mm.perform(mm.zoo.body("dog"), "nod").report


def test_feet_hang_from_their_legs_and_nothing_moves(loose_dog: Character) -> None:
    whole = whole_of(loose_dog)
    assert whole is not None
    assert len(whole.loose) == 4
    names = whole.character.skeleton.names
    for role in ("front_left_foot", "hind_right_foot"):
        foot = whole.character.anatomy.joint(role)
        assert names[whole.character.skeleton.parents[foot]] == role.replace("foot", "lower")
    before = world_positions(loose_dog.skeleton, Pose.rest(loose_dog.skeleton))
    after = world_positions(whole.character.skeleton, Pose.rest(whole.character.skeleton))
    np.testing.assert_allclose(after, before[whole.order], atol=1e-9)
    assert whole.character.anatomy.problems(whole.character.skeleton) == ()


def test_frames_taken_apart_look_the_same(loose_dog: Character) -> None:
    whole = whole_of(loose_dog)
    assert whole is not None
    rng = np.random.default_rng(2)
    turns = quaternion.exp(0.4 * rng.normal(size=(5, len(whole.order), 3)))
    rotations = quaternion.multiply(whole.character.skeleton.rest_rotations, turns)
    pose = Pose(rotations, rng.normal(size=(5, 3)))
    shown = whole.taken_apart(pose)
    seen, meant = WorldState(loose_dog, shown), WorldState(whole.character, pose)
    np.testing.assert_allclose(seen.positions[:, whole.order], meant.positions, atol=1e-9)
    apart = quaternion.angle_between(seen.rotations[:, whole.order], meant.rotations)
    assert float(apart.max()) < 1e-6


def test_a_walk_keeps_the_feet_at_the_legs(loose_dog: Character) -> None:
    clip = mm.perform(loose_dog, "walk")
    assert clip.body is loose_dog
    assert "carried by their limbs" in str(clip.report)
    # At its own frames; between those of feet that hang elsewhere are drawn straight from place to place.
    state = WorldState(loose_dog, clip.sample(clip.recording.curves[0].times[:240:8]))
    roles = loose_dog.anatomy
    for leg in ("front_left", "hind_right"):
        lower, foot = (roles.joint(f"{leg}_{part}") for part in ("lower", "foot"))
        lengths = np.linalg.norm(state.positions[:, foot] - state.positions[:, lower], axis=1)
        assert np.ptp(lengths) < 1e-9
        assert np.ptp(state.positions[:, foot, 1]) > 0.01


@pytest.mark.parametrize("file", ["quaternius/Horse.glb", "quaternius/Spider.glb", "threejs/RobotExpressive.glb"])
def test_rigs_with_handles_for_feet(shared_character: Callable[[str], Path], file: str) -> None:
    body = mm.load(shared_character(file))
    body = body.replace(anatomy=recognize(body))
    clip = mm.perform(body, "walk")
    pose = clip.sample(clip.recording.curves[0].times[60:180:10])
    whole = whole_of(body)
    assert whole is not None
    state = WorldState(body, pose)
    parents = whole.character.skeleton.parents
    for joint in whole.loose:
        holder = whole.order[parents[list(whole.order).index(joint)]]
        lengths = np.linalg.norm(state.positions[:, joint] - state.positions[:, holder], axis=1)
        assert np.ptp(lengths) < 1e-6 * body.anatomy.height
