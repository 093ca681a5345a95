"""Rays leave capsules where the capsules end, and surfaces move with their parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import Pose
from mummer.general import Context
from mummer.general.modes import PositionMode, part_target, part_volume, position_map, rest_target
from mummer.general.modes.ray_exit import exit_distances
from mummer.general.modes.target import nearest_part
from mummer.ik.volume import Volume, volume_of
from mummer.ik.volume.capsule import signed_distance
from mummer.math import quaternion
from tests.general.bodies import physique


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 4))
def test_a_ray_ends_on_the_surface(seed: int, count: int) -> None:
    chance = np.random.default_rng(seed)
    ends = chance.normal(0, 1, (1, count, 2, 3))
    radii = chance.uniform(0.05, 1.5, (count, 2))
    rays = chance.normal(size=(20, 3))
    rays /= np.linalg.norm(rays, axis=1)[:, None]
    origins = np.repeat(ends[:, 0].mean(axis=1), 20, axis=0)
    many = np.repeat(ends, 20, axis=0)
    far = exit_distances(origins, rays, many, radii)
    at = signed_distance((origins + far[:, None] * rays)[:, None], many, radii[None])[0].min(axis=1)
    assert np.allclose(at, 0, atol=1e-6)
    beyond = far[:, None] + np.linspace(1e-3, 6, 50)
    outside = origins[:, None] + beyond[..., None] * rays[:, None]
    assert signed_distance(outside[:, :, None], many[:, None], radii)[0].min() > -1e-6


def test_a_ray_that_meets_nothing_ends_where_it_begins() -> None:
    ends = np.array([[[[0.0, 5.0, 0.0], [0.0, 6.0, 0.0]]]])
    assert exit_distances(np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0]]), ends, np.ones((1, 2))) == pytest.approx(0)


def test_jaws_belong_to_the_head_and_parts_without_volume_to_what_carries_them() -> None:
    body = physique("adult")
    head, jaw = body.anatomy.joint("head"), body.anatomy.joint("jaw")
    assert set(part_volume(body.character, head).joints.tolist()) <= {head, jaw}
    assert head in part_volume(body.character, head).joints
    assert len(part_volume(body.character, body.anatomy.joint("left_eye")).joints)


def test_hips_without_skin_have_that_of_the_spine_near_them(monkeypatch: pytest.MonkeyPatch) -> None:
    body = physique("adult")
    hips, head = body.anatomy.joint("hips"), body.anatomy.joint("head")
    full = volume_of(body.character)
    eyes = {body.anatomy.joint("left_eye"), body.anatomy.joint("right_eye")}
    left = np.flatnonzero(~np.isin(full.joints, [hips, head, body.anatomy.joint("jaw"), *eyes]))
    bare = Volume(full.joints[left], full.ends[left], full.radii[left], full.misfit[left])
    monkeypatch.setattr("mummer.general.modes.surface.volume_of", lambda _: bare)
    stripped = body.character.replace(name="stripped")
    found = part_volume(stripped, hips)
    spine = body.anatomy.capabilities["spine"]
    assert set(found.joints.tolist()) <= set(spine)
    middle = found.placed(body.positions[None], body.rotations[None]).centers[0]
    assert abs(middle[1] - body.positions[hips, 1]) < 0.15 * body.height


def test_a_surface_moves_with_its_part() -> None:
    body = physique("adult")
    head = body.anatomy.joint("head")
    turn, move = quaternion.from_axis_angle([0.0, 1.0, 0.0], 0.7), np.array([0.2, 0.1, -0.4])
    rest, moved = (
        part_volume(body.character, head).placed(positions[None], rotations[None])
        for positions, rotations in (
            (body.positions, body.rotations),
            (move + quaternion.rotate(turn, body.positions), quaternion.multiply(turn, body.rotations)),
        )
    )
    assert np.allclose(moved.centers, move + quaternion.rotate(turn, rest.centers))
    way = np.array([[0.0, -0.6, 0.8]])
    assert moved.heights(quaternion.rotate(turn, way)) == pytest.approx(rest.heights(way))
    assert quaternion.angle_between(rest.turns, quaternion.IDENTITY).max() < 1e-7
    assert quaternion.angle_between(moved.turns, turn).max() < 1e-7
    assert np.allclose(quaternion.rotate(quaternion.conjugate(turn), moved.ends - move), rest.ends)


def test_targets_are_the_nearest_other_part() -> None:
    body = physique("two_headed")
    for side in ("left", "right"):
        hand = body.anatomy.joint(f"{side}_hand")
        other = body.anatomy.joint(f"{'right' if side == 'left' else 'left'}_hand")
        assert nearest_part(body, hand, Context("grasper")) == other
        mouth = nearest_part(body, hand, Context("mouth"))
        assert body.character.skeleton.names[mouth] == f"{side}_jaw"
    assert nearest_part(body, hand, Context("wing")) is None
    assert rest_target(body, hand, Context("wing")) is None
    assert rest_target(body, hand, Context("target")) is None


def test_a_part_at_rest_is_where_it_is_with_its_surface() -> None:
    body = physique("adult")
    hand, head = body.anatomy.joint("left_hand"), body.anatomy.joint("head")
    for surface in (False, True):
        found = rest_target(body, hand, Context("head"), surface=surface)
        assert np.allclose(found.positions, body.positions[head])
    assert np.linalg.norm(found.surface.centers - body.positions[head]) < 0.2


def test_a_hand_on_the_back_of_another_body() -> None:
    body, other = physique("adult"), physique("snake")
    hand = body.anatomy.joint("left_hand")
    times, chest = np.arange(3.0), other.anatomy.joint("chest")
    pose = Pose.rest(other.character.skeleton).broadcast_to((3,))
    there = np.asarray(pose.root_translation) + np.outer(1 + times, [0.3, 0.0, 0.2])
    back = part_target(other.character, pose.replace(root_translation=there), chest)
    mode = PositionMode(toward=Context("target:friend"), boundary=(0.0, 1.0, 0.0))
    world = position_map(body, hand, mode, target=back).specialize(np.tile([1.0, 0.0, 1.0], (3, 1)))
    above = world - back.surface.centers
    assert np.allclose(np.diff(world, axis=0), np.diff(there, axis=0))
    assert np.allclose(above[:, [0, 2]], 0, atol=1e-9)
    assert (above[:, 1] > part_volume(body.character, hand).thickness).all()
