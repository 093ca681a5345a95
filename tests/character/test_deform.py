"""Bending a surface: at rest nothing moves, a rigid turn turns everything, and morphs come first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import Character, Mesh, MorphTarget, Pose, Skeleton, deform
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion
from tests.character.strategies import arm, batch_shapes, bound_mesh, exactly, few, generators, plain_world, skeletons

methods = st.sampled_from(["linear", "dual_quaternion"])


def body_with_surface(skeleton: Skeleton, rng: np.random.Generator, *, vertices: int = 20) -> Character:
    """A cloud of vertices with normals and two morphs, bound anyhow."""
    weights = rng.dirichlet(np.ones(len(skeleton)), vertices)
    normals = rng.normal(size=(vertices, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    morphs = tuple(MorphTarget(name, rng.normal(size=(vertices, 3))) for name in ("open", "blink"))
    triangles = np.arange(vertices - vertices % 3).reshape(-1, 3)
    points = rng.normal(size=(vertices, 3))
    return Character(
        "cloud", skeleton, (bound_mesh(skeleton, points, triangles, weights, normals=normals, morphs=morphs),)
    )


@few
@given(skeletons(most=6), generators, methods)
def test_the_bind_pose_gives_the_mesh_itself(skeleton: Skeleton, rng: np.random.Generator, method: Any) -> None:
    body = body_with_surface(skeleton, rng)
    (bent,) = deform(body, Pose.rest(skeleton), method=method)
    np.testing.assert_allclose(bent.positions, body.meshes[0].positions, atol=1e-5)
    np.testing.assert_allclose(bent.normals, body.meshes[0].normals, atol=1e-5)


@few
@given(skeletons(most=6), generators, methods, batch_shapes)
def test_turning_the_root_turns_the_surface(
    skeleton: Skeleton, rng: np.random.Generator, method: Any, shape: tuple[int, ...]
) -> None:
    body = body_with_surface(skeleton, rng)
    turn, shift = quaternion.random(rng, shape), rng.normal(size=(*shape, 3))
    rest = Pose.rest(skeleton, shape)
    rotations = rest.rotations.copy()
    rotations[..., 0, :] = quaternion.multiply(turn, rotations[..., 0, :])
    assert rest.root_translation is not None
    pose = rest.replace(rotations=rotations, root_translation=quaternion.rotate(turn, rest.root_translation) + shift)
    (bent,) = deform(body, pose, method=method)
    mesh = body.meshes[0]
    assert mesh.normals is not None
    expected = quaternion.rotate(turn[..., None, :], mesh.positions.astype(float)) + shift[..., None, :]
    assert bent.positions.shape == (*shape, len(mesh.positions), 3)
    np.testing.assert_allclose(bent.positions, expected, atol=1e-5)
    np.testing.assert_allclose(
        bent.normals, quaternion.rotate(turn[..., None, :], mesh.normals.astype(float)), atol=1e-5
    )


@few
@given(skeletons(most=6, scaled=True), generators)
def test_linear_is_the_weighted_mean_of_what_each_joint_does(skeleton: Skeleton, rng: np.random.Generator) -> None:
    body = body_with_surface(skeleton, rng)
    mesh = body.meshes[0]
    pose = Pose(quaternion.random(rng, (len(skeleton),)), rng.normal(size=3), morphs=np.array([0.5, -1.0]))
    (bent,) = deform(body, pose)
    morphed = mesh.positions + 0.5 * mesh.morphs[0].positions - mesh.morphs[1].positions
    world, points = plain_world(skeleton, pose), np.concatenate([morphed, np.ones((len(morphed), 1))], 1)
    expected = np.zeros_like(morphed, float)
    for joint in range(len(skeleton)):
        bind = np.vstack([mesh.skin.joint_from_mesh[joint], [0, 0, 0, 1]])
        expected += mesh.skin.weights[:, joint, None] * (points @ (world[joint] @ bind).T)[:, :3]
    np.testing.assert_allclose(bent.positions, expected, atol=1e-3)


def test_morphs_that_change_and_morphs_that_hold_agree() -> None:
    rng = np.random.default_rng(2)
    skeleton = arm().skeleton
    body = body_with_surface(skeleton, rng)
    weights = rng.uniform(size=(5, 2))
    rest = Pose.rest(skeleton, (5,))
    (moving,) = deform(body, rest.replace(morphs=weights))
    for frame in range(5):
        (still,) = deform(body, rest.replace(morphs=np.tile(weights[frame], (5, 1))))
        np.testing.assert_allclose(moving.positions[frame], still.positions[frame], atol=1e-6)
    (none,) = deform(body, rest.replace(morphs=np.zeros((5, 2))))
    np.testing.assert_allclose(none.positions[0], body.meshes[0].positions, atol=1e-6)


def test_morphs_are_found_by_name() -> None:
    skeleton = arm().skeleton
    one, two = (
        bound_mesh(skeleton, np.zeros((3, 3)), np.array([[0, 1, 2]]), np.tile([1.0, 0], (3, 1)),
                   morphs=tuple(MorphTarget(name, np.full((3, 3), size)) for name, size in morphs))
        for morphs in ([("open", 1.0), ("blink", 10.0)], [("blink", 100.0)])
    )  # fmt: skip
    body = Character("two", skeleton, (one, two))
    first, second = deform(body, Pose.rest(skeleton).replace(morphs=np.array([0.25, 0.5])))
    np.testing.assert_allclose(first.positions, 5.25)
    np.testing.assert_allclose(second.positions, 50)


def test_normals_under_a_flattening_scale() -> None:
    skeleton = Skeleton("a", [-1], np.zeros((1, 3)))
    slope = np.array([[1.0, 1, 0]]) / np.sqrt(2)
    mesh = bound_mesh(skeleton, np.zeros((1, 3)), np.zeros((0, 3), int), np.ones((1, 1)), normals=slope)
    body = Character("flat", skeleton, (mesh,))
    pose = Pose.rest(skeleton)
    (bent,) = deform(body, pose.replace(scales=np.array([[1.0, 0.5, 1]])))
    np.testing.assert_allclose(bent.normals, np.array([[1, 2, 0]]) / np.sqrt(5), atol=1e-6)
    (mirrored,) = deform(body, pose.replace(scales=np.array([[-1.0, 1, 1]])))
    np.testing.assert_allclose(mirrored.normals, np.array([[-1, 1, 0]]) / np.sqrt(2), atol=1e-6)


def test_twisting_keeps_the_thickness_only_with_dual_quaternions() -> None:
    body = arm()
    twisted = Pose.rest(body.skeleton).with_rotation(1, quaternion.from_axis_angle([0, 1, 0], 3.0))
    ring = np.abs(body.meshes[0].positions[:-2, 1] - 0.5) < 1e-6
    thick = {}
    for method in ("linear", "dual_quaternion"):
        (bent,) = deform(body, twisted, method=method)  # type: ignore[arg-type]
        thick[method] = np.linalg.norm(bent.positions[:-2][ring][:, [0, 2]], axis=1).mean()
    assert thick["linear"] < 0.03
    assert thick["dual_quaternion"] == pytest.approx(0.1, rel=1e-3)


def test_what_is_left_out_and_what_is_wrong() -> None:
    body = arm()
    pose = Pose.rest(body.skeleton)
    assert deform(body, pose)[0].normals is None
    assert deform(Character("bare", body.skeleton), pose) == ()
    rng = np.random.default_rng(0)
    assert deform(body_with_surface(body.skeleton, rng), pose, with_normals=False)[0].normals is None
    assert deform(body, Pose.rest(body.skeleton, (3,))[:0])[0].positions.shape == (0, len(body.meshes[0].positions), 3)
    with pytest.raises(UnknownNameError, match="deform has no method 'dual'"):
        deform(body, pose, method="dual")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=exactly("the pose has 2 morph weights; 'arm' has 0 morphs")):
        deform(body, pose.replace(morphs=np.zeros(2)))
    assert isinstance(body.meshes[0], Mesh)
