"""Skin weights: smooth along a limb, and never from one limb to its neighbour."""

import itertools

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Pose
from mummer.character.deform import deform
from mummer.math import quaternion


def joint_weights(character, *, meshes=None):
    """(V, 3) positions and (V, J) weights of all vertices."""
    places, rows = [], []
    for mesh in character.meshes:
        if meshes is None or mesh.name in meshes:
            dense = np.zeros((len(mesh.positions), len(character.skeleton)))
            vertex = np.repeat(np.arange(len(mesh.positions)), mesh.skin.influences)
            np.add.at(dense, (vertex, mesh.skin.joints[mesh.skin.indices].ravel()), mesh.skin.weights.ravel())
            places.append(mesh.positions)
            rows.append(dense)
    return np.concatenate(places), np.concatenate(rows)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("adult", "left_leg", "right_leg"),
        ("adult", "left_arm", "left_leg"),
        ("dog", "front_left_leg", "hind_left_leg"),
        ("spider", "leg_1_left", "leg_2_left"),
        ("dragon", "left_wing", "front_left_leg"),
    ],
)
def test_limbs_do_not_pull_each_other(name, one, other):
    character = zoo.body(name)
    _, weights = joint_weights(character)
    first = weights[:, list(character.anatomy.group(one))].sum(axis=1)
    second = weights[:, list(character.anatomy.group(other))].sum(axis=1)
    # On the trunk between two limbs both may have a small share; on a limb the other has none.
    assert second[first > 0.65].max() < 1e-6
    assert first[second > 0.65].max() < 1e-6
    assert np.minimum(first, second).max() < 0.3


def test_fingers_stay_apart():
    adult = zoo.body("adult")
    _, weights = joint_weights(adult, meshes=("left_hand",))
    shares = [
        weights[:, adult.skeleton.indices([f"left_{finger}_{n}" for n in (1, 2, 3)])].sum(axis=1)
        for finger in ("index", "middle", "ring", "little")
    ]
    for one, other in itertools.pairwise(shares):
        assert other[one > 0.5].max() < 1e-6
        assert one[other > 0.5].max() < 1e-6
        assert one.max() > 0.99


def test_weights_pass_smoothly_over_the_elbow():
    adult = zoo.body("adult")
    places, weights = joint_weights(adult, meshes=("skin",))
    upper, lower = (adult.skeleton.index(f"left_{name}") for name in ("upper_arm", "forearm"))
    elbow = np.array([0.366, 1.214, -0.032])
    along = (places - elbow) @ np.array([0.71, -0.70, 0.0])
    near = (np.linalg.norm(places - elbow, axis=1) < 0.09) & (weights[:, upper] + weights[:, lower] > 0.999)
    assert weights[near & (along < -0.05), upper].min() > 0.95
    assert weights[near & (along > 0.05), lower].min() > 0.95
    middle = weights[near & (np.abs(along) < 0.02), lower]
    assert middle.min() > 0.02
    assert middle.max() < 0.98


def bent(character, joint, axis, degrees):
    rotations = np.array(Pose.rest(character.skeleton).rotations)
    rotations[character.skeleton.index(joint)] = quaternion.from_axis_angle(np.array(axis, float), np.radians(degrees))
    return Pose.rest(character.skeleton).replace(rotations=rotations)


@pytest.mark.parametrize(
    ("joint", "axis", "pivot"),
    [("left_lower_leg", (1, 0, 0), (0.098, 0.495, 0.010)), ("left_forearm", (0, -1, 0), (0.366, 1.214, -0.032))],
)
def test_a_bent_joint_keeps_most_of_its_thickness(joint, axis, pivot):
    adult = zoo.body("adult")
    skin = next(number for number, mesh in enumerate(adult.meshes) if mesh.name == "skin")
    posed = deform(adult, bent(adult, joint, axis, 90))[skin].positions
    rest = adult.meshes[skin].positions
    around = np.linalg.norm(rest - np.array(pivot), axis=1)
    ring = around < 0.09
    thickness = np.linalg.norm(posed[ring] - np.array(pivot), axis=1)
    assert thickness.min() > 0.2 * around[ring].min()
    assert thickness.max() < 1.3 * around[ring].max()


def test_the_rest_pose_gives_the_mesh_back():
    for name in ("adult", "dragon"):
        character = zoo.body(name)
        for mesh, posed in zip(character.meshes, deform(character, Pose.rest(character.skeleton)), strict=True):
            np.testing.assert_allclose(posed.positions, mesh.positions, atol=1e-5)


def test_eyes_turn_about_their_own_middle():
    adult = zoo.body("adult")
    eyes = next(number for number, mesh in enumerate(adult.meshes) if mesh.name == "eyes")
    mesh = adult.meshes[eyes]
    left = mesh.skin.joints[mesh.skin.indices[:, 0]] == adult.skeleton.index("left_eye")
    turned = deform(adult, bent(adult, "left_eye", (0, 1, 0), 30))[eyes].positions
    np.testing.assert_allclose(turned[left].mean(axis=0), mesh.positions[left].mean(axis=0), atol=0.004)
    np.testing.assert_allclose(turned[~left], mesh.positions[~left], atol=1e-6)
