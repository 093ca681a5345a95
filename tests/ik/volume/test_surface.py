"""Places on the surface: chins, palms, and what is nearest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.errors import InputError, UnknownNameError
from mummer.ik import Together, solve
from mummer.ik.volume import nearest_on_surface, on_surface, touch
from mummer.ik.volume.skin_points import skin_points
from mummer.ik.volume.surface import closest_on_triangles, line_hits, own_parts
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

numbers = st.floats(-1, 1)
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
ARM = ["right_shoulder", "right_upper_arm", "right_forearm", "right_hand"]


@pytest.fixture(scope="module")
def adult():
    return mm.zoo.body("adult")


@given(vectors, vectors, vectors, vectors)
def test_no_place_of_a_triangle_is_nearer_than_the_one_found(point, a, b, c):
    found = closest_on_triangles(point, np.stack([a, b, c])[None])[0]
    u, v = np.meshgrid(np.linspace(0, 1, 40), np.linspace(0, 1, 40), indexing="ij")
    inside = u + v <= 1
    grid = a + u[inside][:, None] * (b - a) + v[inside][:, None] * (c - a)
    best = np.linalg.norm(grid - point, axis=1).min()
    assert np.linalg.norm(found - point) <= best + 1e-9
    assert np.linalg.norm(found - point) >= best - 0.12


def test_a_line_through_a_triangle_hits_it_and_one_beside_does_not():
    corners = np.array([[[0.0, 0, 1], [1, 0, 1], [0, 1, 1]], [[5.0, 0, 1], [6, 0, 1], [5, 1, 1]]])
    hits = line_hits(np.array([0.2, 0.2, 0.0]), np.array([0.0, 0.0, 1.0]), corners)
    assert hits[0] == pytest.approx(1.0)
    assert np.isnan(hits[1])
    assert np.isnan(line_hits(np.array([0.2, 0.2, 2.0]), np.array([0.0, 0.0, 1.0]), corners)).all()


def test_a_chin_is_at_the_front_below_the_middle_of_the_head(adult):
    chin = on_surface(adult, "head", (0, -0.8, 1))
    state = WorldState(adult, adult.default_pose)
    place, head = state.point(chin.point)[0], state.point("head")[0]
    assert place[2] > head[2] + 0.05
    assert abs(place[0]) < 0.02
    assert adult.skeleton.names[int(chin.point.part)] in ("head", "jaw")
    outward = quaternion.rotate(state.turn(chin.point)[0], chin.normal)
    assert outward[2] > 0.2


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 0, 1), (0, 0, -1), (-1, 0, 0.5)])
def test_places_lie_on_the_skin(adult, direction):
    found = on_surface(adult, "chest", direction)
    place = WorldState(adult, adult.default_pose).point(found.point)
    assert abs(nearest_on_surface(adult, adult.default_pose, place).distances[0]) < 1e-6
    assert np.linalg.norm(found.normal) == pytest.approx(1)


def test_a_place_turns_with_its_part(adult):
    turn = quaternion.from_axis_angle(np.array([0.0, 1, 0]), 0.7)
    head = adult.skeleton.index("head")
    pose = adult.default_pose.with_rotation(head, quaternion.multiply(adult.default_pose.rotations[head], turn))
    still, turned = on_surface(adult, "head", (0, 0, 1)), on_surface(adult, "head", (0, 0, 1), pose=pose)
    assert turned.point.part == still.point.part
    assert np.allclose(turned.point.offset, still.point.offset, atol=0.02)


def test_small_parts_within_a_head_are_its_own_but_arms_are_not_of_the_chest(adult):
    names = adult.skeleton.names
    assert {names[joint] for joint in own_parts(adult, adult.skeleton.index("head"))} >= {"head", "jaw"}
    assert "left_upper_arm" not in {names[joint] for joint in own_parts(adult, adult.skeleton.index("chest"))}


def test_a_palm_is_laid_on_a_chin(adult):
    chin, palm = on_surface(adult, "head", (0, -0.8, 1)), on_surface(adult, "right_hand", (1, -0.6, 0.2))
    goals = touch(adult, palm, chin, interval=(0.0, 1.0))
    assert isinstance(goals[0], Together)
    assert goals[1].interval == (0.0, 1.0)
    found = solve(adult, goals, root="fixed", parts=ARM, solver="mass_weighted")
    assert found.errors[0] < 2e-3
    place = WorldState(adult, found.pose).point(palm.point)
    assert abs(nearest_on_surface(adult, found.pose, place).distances[0]) < 5e-3
    facing = WorldState(adult, found.pose)
    one = quaternion.rotate(facing.turn(palm.point)[0], palm.normal)
    two = quaternion.rotate(facing.turn(chin.point)[0], chin.normal)
    assert one @ two < 0, "face to face"


def test_points_outside_and_inside_are_told_apart(adult):
    surface = skin_points(adult)
    rows = np.flatnonzero(surface.joints == adult.skeleton.index("chest"))
    out = nearest_on_surface(adult, adult.default_pose, surface.places[rows] + 0.02 * surface.normals[rows])
    into = nearest_on_surface(adult, adult.default_pose, surface.places[rows] - 0.005 * surface.normals[rows])
    assert np.mean(out.distances > 0) > 0.95
    assert np.mean(into.distances < 0) > 0.95
    assert np.all(np.abs(out.distances) <= 0.02 + 1e-9)


def test_bare_bones_have_a_surface_too(adult):
    bare = adult.replace(meshes=(), default_pose=None)
    found = on_surface(bare, "left_forearm", (0, 0, 1))
    place = WorldState(bare, bare.default_pose).point(found.point)
    assert abs(nearest_on_surface(bare, bare.default_pose, place).distances[0]) < 1e-3


def test_bad_questions(adult):
    with pytest.raises(InputError, match="not all zero"):
        on_surface(adult, "head", (0, 0, 0))
    with pytest.raises(UnknownNameError, match="head"):
        on_surface(adult, "haed", (0, 0, 1))
    with pytest.raises(InputError, match="batch"):
        on_surface(adult, "head", (0, 0, 1), pose=mm.character.Pose.stack([adult.default_pose] * 2))
