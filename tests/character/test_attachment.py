"""Sockets: props that are carried, and bodies that are carried."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mummer.character import (
    Pose,
    Skeleton,
    Socket,
    moved_rigidly,
    root_for_attachment,
    world_from_socket,
    world_matrices,
    world_transforms,
)
from mummer.errors import InputError
from mummer.math import quaternion, rigid
from tests.character.strategies import batch_shapes, exactly, generators, human, law, random_pose, skeletons


def random_socket(skeleton: Skeleton, rng: np.random.Generator) -> Socket:
    return Socket("grip", int(rng.integers(len(skeleton))), (rng.normal(size=3), quaternion.random(rng, ())))


def assert_same_place(one: rigid.Rigid, other: rigid.Rigid, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(one[0], np.broadcast_to(other[0], one[0].shape), atol=tolerance)
    assert quaternion.equal_rotations(one[1], other[1], tolerance).all()


@law
@given(skeletons(roots=2), generators, batch_shapes)
def test_a_prop_moves_with_its_joint(skeleton: Skeleton, rng: np.random.Generator, shape: tuple[int, ...]) -> None:
    pose, socket = random_pose(skeleton, rng, shape), random_socket(skeleton, rng)
    translation, rotation = world_from_socket(skeleton, pose, socket)
    positions, rotations = world_transforms(skeleton, pose)
    joint = positions[..., socket.joint, :], rotations[..., socket.joint, :]
    assert translation.shape == (*shape, 3)
    assert_same_place(rigid.multiply(*rigid.inverse(*joint), translation, rotation), socket.joint_from_socket)


@law
@given(skeletons(roots=3), generators, batch_shapes)
def test_a_carried_body_hangs_from_its_anchor(
    skeleton: Skeleton, rng: np.random.Generator, shape: tuple[int, ...]
) -> None:
    pose = random_pose(skeleton, rng, shape, translations=rng.random() < 0.5)
    socket, anchor = random_socket(skeleton, rng), (rng.normal(size=(*shape, 3)), quaternion.random(rng, shape))
    carried = root_for_attachment(skeleton, pose, socket, anchor)
    assert_same_place(world_from_socket(skeleton, carried, socket), anchor)
    below = np.flatnonzero(skeleton.parents >= 0)
    np.testing.assert_array_equal(carried.rotations[..., below, :], pose.rotations[..., below, :])
    again = root_for_attachment(skeleton, carried, socket, anchor)
    assert quaternion.equal_rotations(again.rotations, carried.rotations, 1e-9).all()


@law
@given(skeletons(scaled=True), generators)
def test_scaled_bodies_hang_from_their_anchors_too(skeleton: Skeleton, rng: np.random.Generator) -> None:
    pose, socket = random_pose(skeleton, rng, (3,), scales=True), random_socket(skeleton, rng)
    anchor = rng.normal(size=(3, 3)), quaternion.random(rng, (3,))
    carried = root_for_attachment(skeleton, pose, socket, anchor)
    assert_same_place(world_from_socket(skeleton, carried, socket), anchor, 1e-6)


def test_one_pose_on_a_moving_anchor_gives_a_batch() -> None:
    skeleton = human()
    anchor = np.stack([np.linspace(0, 1, 7), np.ones(7), np.zeros(7)], -1), quaternion.IDENTITY
    carried = root_for_attachment(skeleton, Pose.rest(skeleton), Socket("seat", 0), anchor)
    assert carried.shape == (7,)
    np.testing.assert_allclose(carried.root_translation, anchor[0], atol=1e-12)
    assert carried.translations is None


def test_a_rider_holds_on_to_another_body() -> None:
    rng = np.random.default_rng(4)
    horse, rider = human(), human()
    saddle = Socket("saddle", horse.index("chest"), (np.array([0, 0.1, -0.2]), quaternion.random(rng, ())))
    seat = Socket("seat", rider.index("left_hand"), (np.array([0.05, 0, 0]), quaternion.random(rng, ())))
    riding = random_pose(horse, rng, (10,))
    held = world_from_socket(horse, riding, saddle)
    carried = root_for_attachment(rider, random_pose(rider, rng, (10,)), seat, held)
    assert_same_place(world_from_socket(rider, carried, seat), held)


@law
@given(skeletons(roots=3), generators)
def test_moving_rigidly_moves_everything(skeleton: Skeleton, rng: np.random.Generator) -> None:
    pose = random_pose(skeleton, rng, (2,))
    motion = rng.normal(size=3), quaternion.random(rng, ())
    before, after = (world_matrices(skeleton, each) for each in (pose, moved_rigidly(skeleton, pose, motion)))
    np.testing.assert_allclose(after[..., 3], rigid.apply(*motion, before[..., 3]), atol=1e-9)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (([0, 0], [0, 0, 0, 1]), "translation of socket 'grip' has shape (2,); expected (3,)"),
        (([0, 0, 0], [0, 0, 1]), "rotation of socket 'grip' has shape (3,); expected (4,)"),
        (([0, 0, 0], [0, 0, 0, 2]), "rotation of socket 'grip' has length 2; expected 1"),
        (([0, np.inf, 0], [0, 0, 0, 1]), "translation of socket 'grip' holds 1 value that are not finite numbers"),
        (([0, 0, 0],), "socket 'grip' needs a translation and a rotation"),
    ],
)
def test_bad_sockets(place: Any, message: str) -> None:
    with pytest.raises(InputError, match=exactly(message)):
        Socket("grip", 0, place)


def test_a_socket_on_a_joint_that_is_not_there() -> None:
    with pytest.raises(InputError, match=exactly("socket 'grip' is at joint 99; 'human' has 21")):
        world_from_socket(human(), Pose.rest(human()), Socket("grip", 99))
