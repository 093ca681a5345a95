"""Forward kinematics against plain products of matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from mummer.character import Pose, Skeleton, is_rigid, world_matrices, world_positions, world_transforms
from mummer.errors import InputError
from mummer.math import quaternion
from tests.character.strategies import (
    batch_shapes,
    exactly,
    generators,
    human,
    law,
    plain_world,
    random_pose,
    skeletons,
)


@law
@given(skeletons(roots=3), generators, batch_shapes)
def test_rigid_bodies(skeleton: Skeleton, rng: np.random.Generator, shape: tuple[int, ...]) -> None:
    pose = random_pose(skeleton, rng, shape, translations=rng.random() < 0.5)
    positions, rotations = world_transforms(skeleton, pose)
    matrices = world_matrices(skeleton, pose)
    assert positions.shape == (*shape, len(skeleton), 3)
    for place in np.ndindex(shape):
        moved = None if pose.translations is None else pose.translations[place]
        one = Pose(pose.rotations[place], pose.root_translation[place], moved)  # type: ignore[index]
        expected = plain_world(skeleton, one)
        np.testing.assert_allclose(positions[place], expected[:, :3, 3], atol=1e-11)
        np.testing.assert_allclose(quaternion.to_matrix(rotations[place]), expected[:, :3, :3], atol=1e-11)
        np.testing.assert_allclose(matrices[place], expected[:, :3], atol=1e-11)
    np.testing.assert_array_equal(world_positions(skeleton, pose), positions)


@law
@given(skeletons(scaled=True, roots=2), generators)
def test_scaled_bodies(skeleton: Skeleton, rng: np.random.Generator) -> None:
    for scales in (False, True):
        pose = random_pose(skeleton, rng, scales=scales)
        expected = plain_world(skeleton, pose)
        np.testing.assert_allclose(world_matrices(skeleton, pose), expected[:, :3], atol=1e-9)
        np.testing.assert_allclose(world_positions(skeleton, pose), expected[:, :3, 3], atol=1e-9)
        assert not is_rigid(skeleton, pose)


def test_scales_of_the_pose_replace_those_of_the_rest() -> None:
    skeleton = Skeleton("a", [-1], np.zeros((1, 3)), None, np.full((1, 3), 2.0))
    assert is_rigid(skeleton, Pose.rest(skeleton).replace(scales=np.ones((1, 3))))


def test_empty_batches() -> None:
    skeleton = human()
    none = Pose.rest(skeleton, (4,))[:0]
    assert world_positions(skeleton, none).shape == (0, len(skeleton), 3)
    assert world_matrices(skeleton, none).shape == (0, len(skeleton), 3, 4)


def test_what_does_not_fit() -> None:
    skeleton, single = human(), Skeleton("a", [-1], np.zeros((1, 3)), None, np.full((1, 3), 2.0))
    with pytest.raises(InputError, match=exactly("the pose is for 1 joints; skeleton 'human' has 21")):
        world_transforms(skeleton, Pose.rest(single))
    with pytest.raises(InputError, match="has scaled joints; use world_matrices"):
        world_transforms(single, Pose.rest(single))
