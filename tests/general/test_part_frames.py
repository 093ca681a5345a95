"""Frames of parts mean the same on every rig."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mummer.general import physique_of, select
from mummer.general.part_frames import back_of_hand, part_frames
from mummer.math import quaternion
from tests.general.bodies import all_names, physique


def pointing(name: str, capability: str, **conditions: object) -> np.ndarray:
    body = physique(name)
    joints = select(body, capability, **conditions)  # type: ignore[arg-type]
    return quaternion.rotate(part_frames(body)[list(joints)], np.array([0.0, 0.0, 1.0]))


@pytest.mark.parametrize("name", all_names())
def test_frames_are_mirrored_and_heads_point_ahead(name: str) -> None:
    body = physique(name)
    frames = part_frames(body)
    assert np.allclose(np.linalg.norm(frames, axis=1), 1)
    assert np.allclose(pointing(name, "head"), [0, 0, 1])
    axes = quaternion.to_matrix(frames)
    for joint, partner in enumerate(body.anatomy.mirror):
        even = np.allclose(body.positions[joint] * [-1, 1, 1], body.positions[partner], atol=1e-6)
        if partner != joint and even:
            assert np.allclose(axes[joint][:, 2] * [-1, 1, 1], axes[partner][:, 2], atol=0.02)


def test_hands_and_tails_point_outward() -> None:
    hands = pointing("adult", "grasper")
    assert hands[0, 0] > 0.3
    assert hands[1, 0] < -0.3
    assert (hands[:, 1] < 0).all()
    assert pointing("snake", "tail", limb="tip")[0, 2] < -0.9


def test_frames_do_not_depend_on_joint_frames() -> None:
    body = physique("spider")
    skeleton = body.character.skeleton
    turns = quaternion.random(np.random.default_rng(5), (len(skeleton),))
    parents = skeleton.parents
    above = np.where((parents >= 0)[:, None], turns[parents], quaternion.IDENTITY)
    rotations = quaternion.multiply(quaternion.conjugate(above), quaternion.multiply(skeleton.rest_rotations, turns))
    offsets = quaternion.rotate(quaternion.conjugate(above), skeleton.rest_translations)
    other = dataclasses.replace(skeleton, rest_rotations=rotations, rest_translations=offsets)
    found = physique_of(body.character.replace(skeleton=other, default_pose=None, limits=None, mass=None))
    assert np.allclose(found.positions, body.positions, atol=1e-9)
    assert not np.allclose(found.rotations, body.rotations, atol=0.1)
    assert quaternion.angle_between(part_frames(found), part_frames(body)).max() < 1e-6


def test_hands_know_their_backs() -> None:
    body = physique("adult")
    for hand in select(body, "grasper"):
        fingers = [limb for limb in body.anatomy.limbs if limb.kind == "finger" and hand in body_path(body, limb.base)]
        knuckles = body.positions[[hand, *(limb.base for limb in fingers)]]
        y = quaternion.rotate(part_frames(body)[hand], np.array([0.0, 1.0, 0.0]))
        assert np.abs((knuckles - knuckles.mean(axis=0)) @ y).max() < 0.01
        # Fingers curl away from the back.
        curl = np.mean([body.positions[limb.tip] - body.positions[limb.base] for limb in fingers], axis=0) @ y
        assert curl < 0


def body_path(body, joint: int) -> tuple[int, ...]:
    return tuple(body.character.skeleton.ancestors(joint))


@pytest.mark.parametrize("angle", [0.0, 0.5, 1.0, 1.1, 2.1, 3.0])
def test_a_hint_tells_which_side_of_a_hand_is_its_back_unless_it_lies_in_its_plane(angle: float) -> None:
    body = physique("adult")
    hand = select(body, "grasper")[0]
    y = quaternion.rotate(part_frames(body)[hand], np.array([0.0, 1.0, 0.0]))
    back = back_of_hand(body, hand, y)
    assert float(back @ y) > 0.9
    aside = np.cross(back, [0.3, 0.5, 0.8])
    hint = np.cos(angle) * back + np.sin(angle) * aside / np.linalg.norm(aside)
    np.testing.assert_allclose(back_of_hand(body, hand, hint), np.sign(np.cos(angle)) * back, atol=1e-9)
    within = aside / np.linalg.norm(aside) + 0.05 * back
    np.testing.assert_array_equal(back_of_hand(body, hand, within), within)
