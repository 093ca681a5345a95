"""Normals that have nothing to do with their faces are left out, others are kept."""

from __future__ import annotations

import numpy as np

from mummer.io.parts.normals import believable_normals
from mummer.report import ReportBuilder


def sphere(count: int = 400) -> tuple[np.ndarray, np.ndarray]:
    from scipy.spatial import ConvexHull

    points = np.random.default_rng(3).normal(size=(count, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    triangles = ConvexHull(points).simplices
    corners = points[triangles]
    outside = np.einsum(
        "fi,fi->f", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), corners[:, 0]
    )
    triangles[outside < 0] = triangles[outside < 0][:, ::-1]
    return points, triangles


def test_normals_of_a_sphere_are_kept_either_way_round() -> None:
    points, triangles = sphere()
    builder = ReportBuilder()
    assert believable_normals(points, triangles, points, builder) is points
    inside_out = believable_normals(points, triangles, -points, builder)
    assert np.array_equal(inside_out, -points)
    assert not builder.build()


def test_random_normals_are_left_out_with_a_finding() -> None:
    points, triangles = sphere()
    builder = ReportBuilder()
    random = np.random.default_rng(4).normal(size=points.shape)
    assert believable_normals(points, triangles, random, builder) is None
    assert "nothing to do with their faces" in str(builder.build())


def test_nothing_to_judge() -> None:
    builder = ReportBuilder()
    assert believable_normals(np.zeros((3, 3)), np.zeros((0, 3), int), None, builder) is None
    flat = np.zeros((3, 3))
    assert believable_normals(flat, np.array([[0, 1, 2]]), flat, builder) is flat
