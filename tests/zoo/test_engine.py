"""The surface engine: lines, fields, nets and tubes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.zoo.flesh import Part, make_field, primitive_boxes, tube_primitives
from mummer.zoo.implicit import FAR, fill_field, joined_smoothly, measure, primitive_distance, settle
from mummer.zoo.lines import smooth_line, square_to
from mummer.zoo.nets import surface_nets, triangulated
from mummer.zoo.tubes import Tube, make_tubes, smooth_normals

number = st.floats(-2, 2)
point = st.tuples(number, number, number)


def volume(positions, triangles):
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


def edges_pair_up(triangles):
    """Whether every edge is used once in each direction: the surface is closed and turned one way."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return sorted(map(tuple, edges.tolist())) == sorted(map(tuple, edges[:, ::-1].tolist()))


def ball(radius=0.5, center=(0.0, 0.0, 0.0), *, blend=0.0, carve=False):
    row = np.zeros((1, 19))
    row[0, :3] = center
    row[0, 3:6], row[0, 7:10], row[0, 10:13] = (0, 1, 0), (1, 0, 0), (0, 0, 1)
    row[0, 13:] = radius
    return Part(row, blend, carve, False, "", "joint", "skin", "", None)


def grid_of(parts, cell=0.05, size=1.0):
    field = make_field(parts)
    count = int(2 * size / cell) + 1
    values, scratch = np.empty((count,) * 3), np.empty((count,) * 3)
    origin = np.full(3, -size)
    fill_field.at("float64")(*field.arrays, origin, cell, values, scratch)
    return field, values, origin, cell


@given(st.lists(point, min_size=2, max_size=6, unique=True), st.integers(1, 5))
def test_smooth_lines_pass_through_their_points(points, pieces):
    line = np.array(points)
    np.testing.assert_allclose(smooth_line(line, pieces)[::pieces], line, atol=1e-12)


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=7))
def test_radii_do_not_overshoot(radii):
    line = np.array([(place, 0.0, 0.0, radius, radius) for place, radius in enumerate(radii)])
    smooth = smooth_line(line, 6)[:, 3].reshape(-1)
    for place in range(len(radii) - 1):
        part = smooth[6 * place : 6 * place + 7]
        assert part.min() >= min(radii[place : place + 2]) - 1e-12
        assert part.max() <= max(radii[place : place + 2]) + 1e-12


@given(point, point)
def test_square_to_is_square_and_unit(axis, wanted):
    size = np.linalg.norm(axis)
    if size < 1e-3 or np.linalg.norm(wanted) < 1e-3:
        return
    x, y, z = np.array(axis) / size
    found = np.array(square_to(x, y, z, *wanted))
    assert abs(found @ (x, y, z)) < 1e-9
    assert np.linalg.norm(found) == pytest.approx(1.0)


@given(point, st.floats(0.1, 1))
def test_distance_to_a_ball_is_exact(place, radius):
    rows = ball(radius).primitives
    expected = np.linalg.norm(place) - radius
    assert primitive_distance(rows, 0, *place) == pytest.approx(expected, abs=1e-9)


@given(point)
def test_distance_to_a_tube_has_the_right_sign(place):
    rows = tube_primitives(np.array([(0, 0, 0, 0.3, 0.2), (0, 0, 1, 0.3, 0.2)], float), (1, 0, 0), 1)
    x, y, z = place
    if 0 <= z <= 1:
        inside = (x / 0.3) ** 2 + (y / 0.2) ** 2 < 1
        assert (primitive_distance(rows, 0, *place) < 0) == inside


@given(number, number, st.floats(0.01, 1))
def test_joining_only_adds_and_only_nearby(a, b, blend):
    value = joined_smoothly(a, b, blend)
    assert value <= min(a, b)
    assert value >= min(a, b) - blend / 4 - 1e-12
    assert value == joined_smoothly(b, a, blend)
    if abs(a - b) > blend:
        assert value == min(a, b)


@given(point, point, st.floats(0.05, 0.5))
def test_boxes_hold_their_primitives(start, end, radius):
    if np.linalg.norm(np.subtract(start, end)) < 1e-3:
        return
    rows = tube_primitives(np.array([(*start, radius, 0.5 * radius), (*end, radius, radius)]), (0.2, 1, 0.1), 1)
    low, high = primitive_boxes(rows)[0, :3], primitive_boxes(rows)[0, 3:]
    rng = np.random.default_rng(1)
    cloud = rng.uniform(low - radius, high + radius, (200, 3))
    for place in cloud:
        if primitive_distance(rows, 0, *place) < 0:
            assert np.all(place >= low - 1e-9)
            assert np.all(place <= high + 1e-9)


def test_a_net_over_a_ball_is_closed_and_round():
    _, values, origin, cell = grid_of([ball()])
    vertices, quads = surface_nets(values, origin, cell)
    triangles = triangulated(vertices, quads)
    assert edges_pair_up(triangles)
    assert len(vertices) - len(triangles) * 3 // 2 + len(triangles) == 2, "Euler's number of a sphere"
    assert volume(vertices, triangles) == pytest.approx(4 / 3 * np.pi * 0.125, rel=0.03)
    assert np.abs(np.linalg.norm(vertices, axis=1) - 0.5).max() < 0.3 * cell


def test_settling_brings_vertices_onto_the_surface():
    field, values, origin, cell = grid_of([ball(), ball(0.3, (0.6, 0, 0), blend=0.2)])
    vertices, quads = surface_nets(values, origin, cell)
    owners, near = np.array([0, 1]), np.empty(2, np.int64)
    levels, normals = np.zeros(len(vertices)), np.empty_like(vertices)
    settle.at("float64")(*field.arrays, owners, levels, cell, 3.0, near, vertices, normals)
    far = vertices[:, 0] < 0
    assert np.abs(np.linalg.norm(vertices[far], axis=1) - 0.5).max() < 2e-3
    np.testing.assert_allclose(normals[far], vertices[far] / 0.5, atol=0.02)
    assert volume(vertices, triangulated(vertices, quads)) > 4 / 3 * np.pi * 0.125


def test_carving_takes_away():
    whole = grid_of([ball()])
    hollow = grid_of([ball(), ball(0.3, (0, 0, 0.5), blend=0.02, carve=True)])
    size = [volume(v, triangulated(v, q)) for v, q in (surface_nets(*shape[1:]) for shape in (whole, hollow))]
    assert size[1] < 0.97 * size[0]


def test_measure_says_far_beyond_its_reach():
    rows = ball().primitives
    distances = np.zeros(2)
    measure.at("float64")(rows, primitive_boxes(rows), 0.2, np.array([[0.6, 0, 0], [0.9, 0, 0]]), distances)
    assert distances[0] == pytest.approx(0.1)
    assert distances[1] == FAR


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("sides", [3, 8, 24])
def test_tubes_are_closed_and_look_outwards(rounded, sides):
    lines = [
        [(0, 0, 0, 0.2, 0.2), (0, 1, 0, 0.2, 0.2)],
        [(1, 0, 0, 0.2, 0.1), (1, 0.5, 0.3, 0.1, 0.1), (1, 1, 0, 0.01, 0.01)],
    ]
    tubes = [Tube(np.array(line, float), (1.0, 0.0, 0.0), sides, rounded) for line in lines]
    positions, triangles, counts = make_tubes(tubes, 3)
    assert counts.sum() == len(positions)
    assert edges_pair_up(triangles)
    first = triangles[: 2 * (counts[0] - 2)]
    full = 0.5 * sides * np.sin(2 * np.pi / sides) * 0.04
    assert volume(positions, first) == pytest.approx(full, rel=0.15 if rounded else 1e-9)
    normals = smooth_normals(positions, triangles)
    wall = np.abs(positions[: counts[0], 1] - 0.5) < 0.2
    outwards = positions[: counts[0]][wall] * [1, 0, 1]
    assert ((normals[: counts[0]][wall] * outwards).sum(axis=1) > 0.1).all()


def test_flat_ends_stay_where_they_are():
    tube = Tube(np.array([(0, 0, 0, 0.1, 0.1), (0, 1, 0, 0.1, 0.1)], float), (1.0, 0.0, 0.0), 6, False)
    positions, _, _ = make_tubes([tube], 2)
    assert positions[:, 1].min() == 0
    assert positions[:, 1].max() == 1
