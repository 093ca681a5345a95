"""Poses: batches, indexing, exchange of parts, and no copies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from mummer.character import Pose, Skeleton
from mummer.character.pose import PARTS
from mummer.errors import InputError
from tests.character.strategies import batch_shapes, exactly, generators, human, law, random_pose, skeletons


def assert_same(one: Pose, other: Pose) -> None:
    for name in PARTS:
        a, b = getattr(one, name), getattr(other, name)
        assert (a is None) == (b is None), name
        if a is not None:
            np.testing.assert_array_equal(a, b)


@law
@given(skeletons(), generators)
def test_stacking_and_indexing_undo_each_other(skeleton: Skeleton, rng: np.random.Generator) -> None:
    batch = random_pose(skeleton, rng, (5,), translations=rng.random() < 0.5, scales=rng.random() < 0.5, morphs=3)
    assert_same(Pose.stack([batch[i] for i in range(5)]), batch)
    assert_same(Pose.stack(list(batch)), batch)
    assert_same(batch[1:4][1], batch[2])
    assert_same(batch[np.array([3, 0])][1], batch[0])
    assert_same(batch[np.arange(5) % 2 == 0][1], batch[2])
    assert len(batch) == 5
    assert len(batch[::2]) == 3


@law
@given(skeletons(), generators, batch_shapes)
def test_reshaping_and_broadcasting(skeleton: Skeleton, rng: np.random.Generator, shape: tuple[int, ...]) -> None:
    pose = random_pose(skeleton, rng, shape, translations=True, morphs=2)
    flat = pose.reshape(int(np.prod(shape)))
    assert flat.shape == (int(np.prod(shape)),)
    assert_same(flat.reshape(*shape), pose)
    wide = pose.broadcast_to((3, *shape))
    assert wide.shape == (3, *shape)
    assert_same(wide[2], pose)
    assert pose.broadcast_to(shape) is pose


@law
@given(skeletons(), generators, batch_shapes)
def test_replacing(skeleton: Skeleton, rng: np.random.Generator, shape: tuple[int, ...]) -> None:
    pose = random_pose(skeleton, rng, shape, translations=True)
    place = rng.normal(size=(*shape, 3))
    moved = pose.replace(root_translation=place)
    np.testing.assert_array_equal(moved.root_translation, place)
    assert moved.translations is not None
    np.testing.assert_array_equal(moved.translations[..., 0, :], place)
    np.testing.assert_array_equal(moved.translations[..., 1:, :], pose.translations[..., 1:, :])
    turned = pose.with_rotation(0, np.array([1.0, 0, 0, 0]))
    np.testing.assert_array_equal(turned.rotations[..., 0, :], np.broadcast_to([1.0, 0, 0, 0], (*shape, 4)))
    np.testing.assert_array_equal(turned.rotations[..., 1:, :], pose.rotations[..., 1:, :])


def test_rest_fills_in_the_skeleton() -> None:
    skeleton = human()
    rest = Pose.rest(skeleton, (2,))
    assert rest.shape == (2,)
    np.testing.assert_array_equal(rest.full_translations(skeleton)[1], skeleton.rest_translations)
    np.testing.assert_array_equal(rest.full_scales(skeleton)[1], skeleton.rest_scales)


def test_slices_share_memory_and_cannot_be_written_to() -> None:
    rotations = np.tile([0.0, 0, 0, 1], (100, 3, 1))
    batch = Pose(rotations, np.zeros((100, 3)))
    assert np.shares_memory(batch.rotations, rotations)
    for part in (batch, batch[3], batch[10:20]):
        assert np.shares_memory(part.rotations, rotations)
        with pytest.raises(ValueError, match="read-only"):
            part.rotations[..., 0] = 1
        with pytest.raises(ValueError, match="read-only"):
            part.root_translation[..., 0] = 1  # type: ignore[index]
    with pytest.raises(AttributeError):
        batch.rotations = rotations  # type: ignore[misc]


ONE = np.tile([0.0, 0, 0, 1], (2, 1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((ONE[:, :3], np.zeros(3)), "rotations of a pose has shape (2, 3); expected (..., any, 4)"),
        ((ONE,), "a pose needs root_translation, or the translations of all joints"),
        ((ONE, np.zeros(2)), "root_translation of a pose has shape (2,); expected (..., 3)"),
        ((ONE, None, np.zeros((3, 3))), "translations of a pose has shape (3, 3); expected (..., 2, 3)"),
        ((ONE, np.zeros(3), None, np.ones((1, 2))), "scales of a pose has shape (1, 2); expected (..., 2, 3)"),
        (
            (ONE, np.zeros((5, 3))),
            "root_translation of a pose is for a batch of shape (5,); its rotations are for ()",
        ),
        (
            (ONE, np.zeros(3), None, None, np.zeros((4, 1))),
            "morphs of a pose is for a batch of shape (4,); its rotations are for ()",
        ),
    ],
)  # fmt: skip
def test_bad_poses(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=exactly(message)):
        Pose(*arguments)  # type: ignore[arg-type]


def test_a_single_pose_is_no_batch() -> None:
    pose = Pose(ONE, np.zeros(3))
    with pytest.raises(TypeError, match="has no length"):
        len(pose)
    with pytest.raises(TypeError, match="cannot be indexed"):
        pose[0]


def test_stacking_what_does_not_stack() -> None:
    pose = Pose(ONE, np.zeros(3))
    with pytest.raises(InputError, match="only some carry scales"):
        Pose.stack([pose, pose.replace(scales=np.ones((2, 3)))])
    with pytest.raises(InputError, match="cannot stack no poses"):
        Pose.stack([])
