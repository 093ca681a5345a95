"""Meshes, skins and characters: what they hold, and every way to get one wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mummer.character import (
    Limits,
    Mass,
    Mesh,
    MorphTarget,
    Pose,
    Recording,
    Skeleton,
    Skin,
)
from mummer.errors import InputError, UnknownNameError
from tests.character.strategies import arm, exactly, human, human_anatomy

EYE = np.eye(3, 4)
POINTS = np.zeros((3, 3))


def skin(vertices: int = 3) -> Skin:
    return Skin.rigid(0, EYE, vertices)


def test_a_rigid_skin() -> None:
    made = Skin.rigid(4, EYE, 7)
    assert made.joints.tolist() == [4]
    assert made.influences == 1
    assert made.weights.shape == (7, 1)
    assert made.weights.sum() == 7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0], EYE, [[0]], [[1]]), "joint_from_mesh of a skin has shape (3, 4); expected (any, 3, 4)"),
        (([[0]], [EYE], [[0]], [[1]]), "joints of a skin has shape (1, 1); expected (any,)"),
        (([0, 1], [EYE], [[0]], [[1]]), "a skin has 2 joints but 1 inverse binds"),
        (([0], [EYE * np.nan], [[0]], [[1]]), "joint_from_mesh of a skin holds 12 values that are not finite numbers"),
        (([0], [EYE], [[0, 0]], [[1]]), "skin indices (1, 2) and weights (1, 1) must be (V, K) alike"),
        (([0], [EYE], [0], [1]), "skin indices (1,) and weights (1,) must be (V, K) alike"),
        (([0], [EYE], [[1]], [[1]]), "a skin index points outside its 1 joints"),
        (([0], [EYE], [[-1]], [[1]]), "a skin index points outside its 1 joints"),
        (([0], [EYE], [[0]], [[0.9]]), "skin weights must not be negative and must sum to one for every vertex"),
        (([0], [EYE], [[0]], [[np.nan]]), "skin weights must not be negative and must sum to one for every vertex"),
        (([0], [EYE], [[0, 0]], [[2, -1]]), "skin weights must not be negative and must sum to one for every vertex"),
    ],
)
def test_bad_skins(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=exactly(message)):
        Skin(*arguments)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"positions": POINTS[None]}, "positions of mesh 'm' has shape (1, 3, 3); expected (any, 3)"),
        ({"triangles": [0, 1, 2]}, "triangles of mesh 'm' has shape (3,); expected (any, 3)"),
        ({"triangles": [[0, 1, 3]]}, "a triangle of mesh 'm' points outside its 3 vertices"),
        ({"triangles": [[0, 1, -1]]}, "a triangle of mesh 'm' points outside its 3 vertices"),
        ({"skin": skin(4)}, "the skin of mesh 'm' is for 4 vertices; expected 3"),
        ({"normals": np.zeros((2, 3))}, "normals of mesh 'm' has shape (2, 3); expected (3, 3)"),
        ({"uvs": np.zeros((3, 3))}, "uvs of mesh 'm' has shape (3, 3); expected (3, 2)"),
        ({"colors": np.zeros((3, 3))}, "colors of mesh 'm' has shape (3, 3); expected (3, 4)"),
        ({"morphs": (MorphTarget("open", np.zeros((2, 3))),)}, "morph 'open' of mesh 'm' has 2 vertices; expected 3"),
    ],
)
def test_bad_meshes(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=exactly(message)):
        Mesh(**{"name": "m", "positions": POINTS, "triangles": [[0, 1, 2]], "skin": skin(), **parts})


def test_bad_morphs() -> None:
    with pytest.raises(InputError, match=exactly("positions of morph 'open' has shape (3,); expected (any, 3)")):
        MorphTarget("open", np.zeros(3))
    with pytest.raises(InputError, match=exactly("normals of morph 'open' has shape (2, 3); expected (3, 3)")):
        MorphTarget("open", POINTS, np.zeros((2, 3)))


def test_arrays_are_locked_copies() -> None:
    points = POINTS.astype(np.float32)
    mesh = Mesh("m", points, [[0, 1, 2]], skin(), normals=points, morphs=(MorphTarget("open", points, points),))
    points[0] = 9
    for array in (mesh.positions, mesh.normals, mesh.morphs[0].positions, mesh.skin.weights, mesh.skin.joint_from_mesh):
        assert array is not None
        assert array.max() < 9
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_characters_name_what_they_hold() -> None:
    body = arm()
    walk = Recording("walk", (), Pose.rest(body.skeleton))
    body = body.replace(recordings=(walk,))
    assert body.recording("walk") is walk
    with pytest.raises(
        UnknownNameError, match=exactly("character 'arm' has no recording 'wlak'; closest: 'walk'; there is walk")
    ):
        body.recording("wlak")
    assert "2 joints, 1 meshes" in repr(body)
    np.testing.assert_array_equal(body.default_pose.rotations, body.skeleton.rest_rotations)
    first, second = (
        Mesh(name, POINTS, [[0, 1, 2]], skin(), morphs=tuple(MorphTarget(m, POINTS) for m in morphs))
        for name, morphs in (("a", ["open", "blink"]), ("b", ["blink", "smile"]))
    )
    assert body.replace(meshes=(first, second)).morph_names == ("open", "blink", "smile")


def test_parts_that_do_not_fit_a_character() -> None:
    body, person = arm(), human()
    cases: list[tuple[dict[str, Any], str]] = [
        ({"skeleton": Skeleton("a", [-1], np.zeros((1, 3))), "default_pose": None},
         "mesh 'surface' of 'arm' is bound to a joint outside its skeleton"),
        ({"recordings": (Recording("walk", (), Pose.rest(person)),)},
         "recording 'walk' of 'arm' is for 21 joints; expected 2"),
        ({"default_pose": Pose.rest(person)}, "default_pose of 'arm' is for 21 joints; expected 2"),
        ({"default_pose": Pose.rest(body.skeleton, (2,))}, "default_pose of 'arm' is a batch; expected one pose"),
        ({"default_pose": Pose.rest(body.skeleton).replace(morphs=np.zeros(2))},
         "default_pose of 'arm' has 2 morph weights; expected 0"),
        ({"anatomy": human_anatomy(person)}, "anatomy of 'arm' is for 21 joints; expected 2"),
        ({"limits": Limits.from_joints(3, {})}, "limits of 'arm' is for 3 joints; expected 2"),
        ({"mass": Mass.from_capsules(person)}, "mass of 'arm' is for 21 joints; expected 2"),
    ]  # fmt: skip
    for parts, message in cases:
        with pytest.raises(InputError, match=exactly(message)):
            body.replace(**parts)
