"""Mass: exact for solids that have formulas, shared out without loss, and sensible for real bodies."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import (
    Character,
    Mass,
    Mesh,
    Pose,
    Skeleton,
    Skin,
    bounds_of,
    center_of_mass,
    estimate_mass,
    inertia,
)
from mummer.character.mass import inertia_of
from mummer.character.patches import cut_faces, find_borders
from mummer.character.solids import Moments, ball_moments, capsule_moments, polyhedron_moments
from mummer.errors import InputError
from mummer.math import quaternion
from tests.character.strategies import (
    arm,
    bound_mesh,
    box,
    exactly,
    few,
    generators,
    human,
    law,
    random_pose,
    skeletons,
    tube,
)


def whole(points: np.ndarray, triangles: np.ndarray) -> Moments:
    return polyhedron_moments(points[triangles], np.zeros(len(triangles), int), 1)


@law
@given(generators)
def test_a_box_has_the_moments_of_a_box(rng: np.random.Generator) -> None:
    low, size = rng.normal(0, 5, 3), rng.uniform(0.1, 2, 3)
    turn, shift = quaternion.to_matrix(quaternion.random(rng, ())), rng.normal(0, 5, 3)
    points, triangles = box(low, low + size)
    moments = whole(points @ turn.T + shift, triangles)
    volume = size.prod()
    assert moments.volumes[0] == pytest.approx(volume)
    np.testing.assert_allclose(moments.centers[0], turn @ (low + size / 2) + shift, atol=1e-9)
    np.testing.assert_allclose(moments.seconds[0], turn @ np.diag(volume * size**2 / 12) @ turn.T, atol=1e-9)


def test_a_fine_sphere_comes_near_the_ball() -> None:
    steps = 60
    heights = np.linspace(0, np.pi, steps + 1)
    points, triangles = tube(1.0, 1.0, around=2 * steps, along=steps)
    ring = np.repeat(heights, 2 * steps)
    points[:-2] = points[:-2] * [1, 0, 1] * np.sin(ring)[:, None] - np.stack([0 * ring, np.cos(ring), 0 * ring], -1)
    points[-2:] = [[0, -1, 0], [0, 1, 0]]
    moments, ball = whole(points, triangles), ball_moments(np.zeros((1, 3)), np.ones(1))
    assert moments.volumes[0] == pytest.approx(4 / 3 * np.pi, rel=3e-3)
    np.testing.assert_allclose(moments.centers, 0, atol=1e-12)
    np.testing.assert_allclose(moments.seconds, ball.seconds, rtol=1e-2, atol=1e-9)


@law
@given(st.floats(0.05, 2), st.floats(0.05, 2), generators)
def test_a_capsule_is_a_cylinder_and_two_half_balls(radius: float, straight: float, rng: np.random.Generator) -> None:
    length = straight + radius * 4 / 3
    axis = quaternion.rotate(quaternion.random(rng, ()), [1.0, 0, 0])
    start = rng.normal(size=3)
    made = capsule_moments(start[None], (start + length * axis)[None], np.array([radius]))
    assert made.volumes[0] == pytest.approx(np.pi * radius**2 * straight + 4 / 3 * np.pi * radius**3)
    np.testing.assert_allclose(made.centers[0], start + length / 2 * axis)
    # Slice by slice along the axis: a disc of radius r has second moment π r⁴ / 4 across.
    reach = straight / 2 + radius
    edges = np.linspace(-reach, reach, 200_001)
    z = (edges[1:] + edges[:-1]) / 2
    disc = radius**2 - np.maximum(np.abs(z) - straight / 2, 0) ** 2
    step = edges[1] - edges[0]
    assert axis @ made.seconds[0] @ axis == pytest.approx(np.sum(np.pi * disc * z**2) * step, rel=1e-5)
    across = np.cross(axis, rng.normal(size=3))
    across /= np.linalg.norm(across)
    assert across @ made.seconds[0] @ across == pytest.approx(np.sum(np.pi * disc**2 / 4) * step, rel=1e-5)


def test_a_short_capsule_turns_into_a_ball_without_a_jump() -> None:
    lengths = 4 / 3 + np.array([-1e-9, 0, 1e-9])
    ends = np.stack([np.zeros(3), lengths, np.zeros(3)], -1)
    made = capsule_moments(np.zeros((3, 3)), ends, np.ones(3))
    ball = ball_moments(np.zeros((1, 3)), np.ones(1))
    np.testing.assert_allclose(made.volumes, ball.volumes[0], rtol=1e-8)
    np.testing.assert_allclose(made.seconds, np.broadcast_to(ball.seconds, (3, 3, 3)), rtol=1e-8, atol=1e-8)
    flat = capsule_moments(np.zeros((1, 3)), np.array([[0, 0.4, 0]]), np.ones(1))
    volume = np.pi * 0.4
    np.testing.assert_allclose(flat.seconds[0], np.diag([volume / 5, volume * 0.3**2 / 5, volume / 5]))


@law
@given(generators, st.integers(2, 6))
def test_patches_add_up_to_the_whole(rng: np.random.Generator, count: int) -> None:
    points, triangles = tube(0.5, 2.0, around=16, along=8)
    points = points * rng.uniform(0.5, 2, 3) + rng.normal(size=3)
    middles = points[triangles].mean(1)
    seeds = rng.normal(points.mean(0), 0.7, (count, 3))
    labels = np.linalg.norm(middles[:, None] - seeds, axis=-1).argmin(1)
    borders = find_borders(triangles, labels)
    assert not borders.is_open.any()
    faces, owners, weights = cut_faces(points, borders)

    def pieces(shift: Any) -> Moments:
        corners = np.concatenate([points[triangles], faces]) + shift
        every = np.concatenate([np.ones(len(triangles)), weights])
        return polyhedron_moments(corners, np.concatenate([labels, owners]), count, weights=every)

    # Closed: moving everything changes no volume.
    np.testing.assert_allclose(pieces(0.0).volumes, pieces([10.0, 20, 30]).volumes, atol=1e-10)
    expected, total = whole(points, triangles), pieces(0.0).joined(np.zeros(count, int), 1)
    np.testing.assert_allclose(total.volumes, expected.volumes, rtol=1e-12)
    np.testing.assert_allclose(total.centers, expected.centers, atol=1e-10)
    np.testing.assert_allclose(total.seconds, expected.seconds, atol=1e-10)


def test_an_arm_in_halves() -> None:
    body = arm()
    mass, report = estimate_mass(body, density=500)
    assert not report
    points, triangles = tube(0.1, 1.0)
    assert mass.total == pytest.approx(500 * whole(points, triangles).volumes[0], rel=1e-6)
    np.testing.assert_allclose(mass.masses, mass.total / 2, rtol=0.1)
    np.testing.assert_allclose(mass.centers[1] + [0, 0.5, 0], [0, 0.75, 0], atol=0.03)
    middle = center_of_mass(mass, body.skeleton, Pose.rest(body.skeleton))
    np.testing.assert_allclose(middle, [0, 0.5, 0], atol=1e-7)
    tensor = inertia(mass, body.skeleton, Pose.rest(body.skeleton))
    kilos, radius = mass.total, 0.1
    slender = kilos * (3 * radius**2 + 1) / 12
    np.testing.assert_allclose(tensor, np.diag([slender, kilos * radius**2 / 2, slender]), rtol=0.02, atol=1e-6)
    assert Mass.from_meshes(body).total == pytest.approx(2 * mass.total)


def without(mesh: Mesh, triangles: np.ndarray) -> Mesh:
    return Mesh(mesh.name, mesh.positions, triangles, mesh.skin)


def test_surfaces_that_enclose_nothing_sensible() -> None:
    body = arm()
    (mesh,) = body.meshes
    right = estimate_mass(body)[0].total
    inverted, report = estimate_mass(body.replace(meshes=(without(mesh, mesh.triangles[:, ::-1]),)))
    assert inverted.total == pytest.approx(right)
    assert str(report) == "repaired: the surface is turned inside out; its volume is counted as positive"
    both = np.concatenate([mesh.triangles, mesh.triangles[:, ::-1]])
    for triangles in (both, np.concatenate([mesh.triangles, mesh.triangles])):
        mass, report = estimate_mass(body.replace(meshes=(without(mesh, triangles),)))
        assert 0.6 * right < mass.total < 1.4 * right
        said = "guessed: capsules stand in for joints whose surface encloses no sensible volume: lower, upper"
        assert str(report) == said
    uncapped, report = estimate_mass(body.replace(meshes=(without(mesh, mesh.triangles[: 2 * 32 * 16]),)))
    assert uncapped.total == pytest.approx(right, rel=1e-6)
    assert not report


def test_broken_vertices_and_split_seams_do_no_harm() -> None:
    body = arm()
    (mesh,) = body.meshes
    split = mesh.triangles.reshape(-1)
    skin = dataclasses.replace(mesh.skin, indices=mesh.skin.indices[split], weights=mesh.skin.weights[split])
    seams = Mesh("split", mesh.positions[split], np.arange(len(split)).reshape(-1, 3), skin)
    right = estimate_mass(body)[0].total
    assert estimate_mass(body.replace(meshes=(seams,)))[0].total == pytest.approx(right, rel=1e-6)
    positions = np.concatenate([mesh.positions, [[np.nan] * 3]])
    skin = Skin(mesh.skin.joints, mesh.skin.joint_from_mesh,
                np.concatenate([mesh.skin.indices, mesh.skin.indices[:1]]),
                np.concatenate([mesh.skin.weights, mesh.skin.weights[:1]]))  # fmt: skip
    broken = Mesh("nan", positions, np.concatenate([mesh.triangles, [[0, 1, len(mesh.positions)]]]), skin)
    assert estimate_mass(body.replace(meshes=(broken,)))[0].total == pytest.approx(right, rel=1e-6)


@few
@given(generators)
def test_bodies_apart_add_up(rng: np.random.Generator) -> None:
    skeleton = Skeleton("ab", [-1, 0], [[0, 0, 0], [3, 0, 0]])
    shapes = [box(rng.normal(size=3) * 0.1, rng.uniform(1, 2, 3)), box([3, 0, 0], [3.5, 1, 1])]
    meshes = [
        bound_mesh(skeleton, points, triangles, np.tile(np.eye(2)[joint], (8, 1)))
        for joint, (points, triangles) in enumerate(shapes)
    ]
    parts = [Mass.from_meshes(Character("part", skeleton, (mesh,))) for mesh in meshes]
    together = Mass.from_meshes(Character("both", skeleton, tuple(meshes)))
    np.testing.assert_allclose(together.masses, parts[0].masses + parts[1].masses, rtol=1e-6)
    np.testing.assert_allclose(together.second_moments[1], parts[1].second_moments[1], atol=1e-5)


@law
@given(skeletons(), generators)
def test_capsule_masses_are_physical(skeleton: Skeleton, rng: np.random.Generator) -> None:
    mass = Mass.from_capsules(skeleton, rng.uniform(0.01, 0.5, len(skeleton)))
    assert (mass.masses > 0).all()
    assert np.linalg.eigvalsh(mass.second_moments).min() > 0
    moments = np.linalg.eigvalsh(mass.inertias)
    assert np.all(moments[:, 2] <= moments[:, 0] + moments[:, 1] + 1e-9)
    guessed = Mass.from_capsules(skeleton)
    assert (guessed.masses >= 0).all()


@law
@given(skeletons(scaled=True), generators)
def test_the_centre_turns_and_moves_with_the_body(skeleton: Skeleton, rng: np.random.Generator) -> None:
    mass = Mass.from_capsules(skeleton, np.full(len(skeleton), 0.1))
    pose = random_pose(skeleton, rng, (3,))
    turn, shift = quaternion.random(rng, ()), rng.normal(size=3)
    rotations = pose.rotations.copy()
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    assert pose.root_translation is not None
    moved = pose.replace(rotations=rotations, root_translation=quaternion.rotate(turn, pose.root_translation) + shift)
    expected = quaternion.rotate(turn, center_of_mass(mass, skeleton, pose)) + shift
    np.testing.assert_allclose(center_of_mass(mass, skeleton, moved), expected, atol=1e-9)
    matrix = quaternion.to_matrix(turn)
    before, after = inertia(mass, skeleton, pose), inertia(mass, skeleton, moved)
    np.testing.assert_allclose(after, matrix @ before @ matrix.T, atol=1e-9 * np.abs(before).max())
    assert np.linalg.eigvalsh(before).min() > 0


def test_a_person_of_capsules_weighs_what_people_weigh() -> None:
    mass, report = estimate_mass(Character("bare", human()))
    assert 40 < mass.total < 100
    assert str(report) == "guessed: 'bare' has no surface; its mass is that of capsules between its joints"
    middle = center_of_mass(mass, human(), Pose.rest(human()))
    assert abs(middle[0]) < 1e-9
    assert 0.9 < middle[1] < 1.3


@pytest.mark.parametrize(
    ("file", "low", "high"),
    [
        ("mesh2motion/human-male.glb", 50, 100),
        ("threejs/Xbot.glb", 50, 100),
        ("quaternius/Worker_Man.glb", 50, 100),
        ("khronos/CesiumMan.glb", 50, 100),
    ],
)
def test_real_people_weigh_what_people_weigh(data_dir: Path, file: str, low: float, high: float) -> None:
    from mummer.io import load

    path = data_dir / "characters" / file
    if not path.exists():
        pytest.skip(f"{file} is not among the real files")
    body = load(path)
    mass, _ = estimate_mass(body)
    bounds = bounds_of(body)
    tall = bounds[1, 1] - bounds[0, 1]
    assert low < mass.total * (1.75 / tall) ** 3 < high
    middle = center_of_mass(mass, body.skeleton, Pose.rest(body.skeleton))
    assert 0.45 < (middle[1] - bounds[0, 1]) / tall < 0.7


def test_inertia_of_a_point_pair() -> None:
    np.testing.assert_allclose(inertia_of(np.diag([2.0, 0, 0])), np.diag([0, 2, 2]))


def test_bad_masses() -> None:
    one, zero = np.ones(1), np.zeros((1, 3))
    with pytest.raises(InputError, match=exactly("a mass is negative")):
        Mass(-one, zero, np.zeros((1, 3, 3)))
    with pytest.raises(
        InputError, match=exactly("centers of a mass must be finite numbers of shape (1, 3), not (1, 3)")
    ):
        Mass(one, zero * np.nan, np.zeros((1, 3, 3)))
    with pytest.raises(InputError, match=exactly("a second moment is not symmetric")):
        Mass(one, zero, np.triu(np.ones((1, 3, 3))))
    with pytest.raises(InputError, match=exactly("a second moment is negative in some direction")):
        Mass(one, zero, -np.eye(3)[None])
    with pytest.raises(InputError, match=exactly("radii of capsules has shape (1,); expected (2,)")):
        Mass.from_capsules(arm().skeleton, [0.1])
    with pytest.raises(InputError, match=exactly("a radius of a capsule is negative")):
        Mass.from_capsules(arm().skeleton, [0.1, -1])
    with pytest.raises(InputError, match=exactly("character 'bare' has no surface; use Mass.from_capsules")):
        Mass.from_meshes(Character("bare", human()))
    weightless = Mass(np.zeros(2), np.zeros((2, 3)), np.zeros((2, 3, 3)))
    with pytest.raises(InputError, match="has no mass; its centre of mass is nowhere"):
        center_of_mass(weightless, arm().skeleton, Pose.rest(arm().skeleton))
    with pytest.raises(InputError, match="mass is for 2 joints; skeleton 'human' has 21"):
        center_of_mass(weightless, human(), Pose.rest(human()))
