"""Bodies at rest in a space of their own."""

from __future__ import annotations

import numpy as np
import pytest

import mummer as mm
from mummer.character import Pose
from mummer.engine import perform
from mummer.errors import InputError
from mummer.general import physique_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from tests.general.bodies import all_names, physique


@pytest.mark.parametrize("name", all_names())
def test_character_space(name: str) -> None:
    body = physique(name)
    rest = WorldState(body.character, Pose.rest(body.character.skeleton))
    back = body.origin + quaternion.rotate(body.axes, body.positions)
    assert np.allclose(back, rest.positions[0], atol=1e-9)
    assert quaternion.angle_between(quaternion.multiply(body.axes, body.rotations), rest.rotations[0]).max() < 1e-6
    assert np.allclose(body.positions[body.root, [0, 2]], 0, atol=1e-9)
    axes = quaternion.rotate(body.axes, np.eye(3))
    assert np.allclose(axes, [body.anatomy.left, body.anatomy.up, body.anatomy.front], atol=1e-6)
    assert body.origin @ body.anatomy.up == pytest.approx(body.anatomy.ground)


@pytest.mark.parametrize("name", all_names())
def test_sizes_and_limbs(name: str) -> None:
    body = physique(name)
    assert (body.size > 0).all()
    assert body.height == body.size.max()
    assert (body.limb_lengths > 0).all()
    spine = set(body.spine) | {body.root}
    for joint, base in enumerate(body.limb_bases.tolist()):
        assert base in spine or body.character.skeleton.parents[base] < 0
        if joint != base:
            straight = np.linalg.norm(body.positions[joint] - body.positions[base])
            assert body.limb_lengths[joint] >= straight - 1e-9


def test_left_is_left() -> None:
    body = physique("adult")
    assert body.positions[body.anatomy.joint("left_hand"), 0] > 0.2
    assert body.positions[body.anatomy.joint("head"), 1] > 1.2
    assert body.positions[body.anatomy.joint("left_toes"), 2] > body.positions[body.anatomy.joint("left_foot"), 2]


def test_a_pose_in_mid_action_is_not_rest() -> None:
    snake = mm.zoo.body("snake")
    bent = np.array(snake.default_pose.rotations)
    bent[3] = quaternion.multiply(bent[3], quaternion.from_axis_angle([0.0, 1.0, 0.0], 0.8))
    other = snake.replace(default_pose=snake.default_pose.replace(rotations=bent))
    assert np.array_equal(physique_of(other).positions, physique_of(snake).positions)


def test_an_unknown_body() -> None:
    with pytest.raises(InputError, match="the anatomy of 'snake' is not known; recognise it"):
        physique_of(mm.zoo.body("snake").replace(anatomy=None))


def test_a_body_of_one_point_plays_what_needs_no_parts() -> None:
    point = mm.Character("point", mm.Skeleton(("only",), [-1], [[0.0, 1.0, 0.0]]))
    body = point.replace(anatomy=mm.recognize(point))
    assert physique_of(body).height > 0
    assert np.isfinite(perform(body, "nod").sample([0.0, 0.3]).rotations).all()
