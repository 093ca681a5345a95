"""Parts as solids, and the skin as points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mummer.arrays import FloatArray, locked
from mummer.character import Character, Pose, deform, world_matrices
from mummer.grid.judge.solids import Solids, _map, depths, map_from_world, open_ends, solids_of
from mummer.grid.judge.surface import THICK, surface_of
from mummer.math import transform


@pytest.fixture(scope="module")
def bare(adult: Character) -> Character:
    return adult.replace(meshes=())


def rest_world(body: Character) -> FloatArray:
    return world_matrices(body.skeleton, body.default_pose)


def part(body: Character, solids: Solids, role: str) -> int:
    assert body.anatomy is not None
    return solids.joint.tolist().index(body.anatomy.roles[role])


def shin(body: Character) -> tuple[FloatArray, FloatArray, FloatArray]:
    """From where and to where a shin is, and a direction across."""
    assert body.anatomy is not None
    world = rest_world(body)
    knee, foot = (world[body.anatomy.roles[name], :, 3] for name in ("left_lower_leg", "left_foot"))
    across = np.cross(foot - knee, [0.0, 0.0, 1.0])
    return knee, foot, across / np.linalg.norm(across)


def test_depth_falls_from_the_radius_on_the_line_to_nothing_at_the_skin(bare: Character) -> None:
    solids = solids_of(bare, rest_world(bare))
    knee, foot, across = shin(bare)
    radius = THICK * float(np.linalg.norm(foot - knee))
    away = np.linspace(0.0, 1.5, 16)
    points = 0.5 * (knee + foot) + away[:, None] * radius * across
    found = depths(solids, points, solids.map_from_rest[None])[0, part(bare, solids, "left_lower_leg")]
    assert found[0] == pytest.approx(radius, rel=0.1)
    assert np.all(np.diff(found) <= 1e-12)
    assert np.all(found[away > 1.05] == 0.0)
    assert np.all(found[away < 0.85] > 0.0)


def test_what_is_above_the_joint_that_carries_a_bare_body_has_no_skin(bare: Character) -> None:
    assert bare.anatomy is not None
    hips, spine = bare.anatomy.roles["hips"], bare.anatomy.roles["spine"]
    handled = bare.replace(anatomy=replace(bare.anatomy, capabilities={**bare.anatomy.capabilities, "root": (spine,)}))
    assert hips in bare.skeleton.ancestors(spine)
    assert {hips} == set(surface_of(bare).owners) - set(surface_of(handled).owners)


def test_nothing_is_inside_beyond_the_ends(bare: Character) -> None:
    solids = solids_of(bare, rest_world(bare))
    knee, foot, _ = shin(bare)
    points = knee + np.array([-0.1, 1.1])[:, None] * (foot - knee)
    assert np.all(depths(solids, points, solids.map_from_rest[None])[0, part(bare, solids, "left_lower_leg")] == 0.0)


def test_what_comes_in_where_a_part_is_open_is_as_deep_as_it_has_come(bare: Character) -> None:
    solids = solids_of(bare, rest_world(bare))
    knee, foot, _ = shin(bare)
    which = part(bare, solids, "left_lower_leg")
    along = np.linspace(0.0, 1.0, 61)
    points = knee + along[:, None] * (foot - knee)
    whole = depths(solids, points, solids.map_from_rest[None])[0, which]
    radii = solids.radii.copy()
    radii[which, :2] = 0.0
    begins, ends = open_ends(solids.low, solids.high, radii)
    opened = solids._replace(radii=locked(radii), begins=begins, ends=ends)
    cut = depths(opened, points, solids.map_from_rest[None])[0, which]
    step = float(np.linalg.norm(foot - knee)) / 60
    assert np.all(np.abs(np.diff(cut)) <= 1.01 * step)
    assert np.count_nonzero(cut) < 0.75 * np.count_nonzero(whole)
    assert cut.max() == pytest.approx(whole.max(), rel=0.05)


def test_solids_go_where_their_parts_go(bare: Character) -> None:
    """Moved along with the body, a point is as deep as it was."""
    solids, world = solids_of(bare, rest_world(bare)), rest_world(bare)
    knee, foot, across = shin(bare)
    points = 0.5 * (knee + foot) + np.array([[0.0], [0.02], [0.3]]) * across
    move = transform.compose([1.0, 2.0, 3.0], [0.0, np.sin(0.4), 0.0, np.cos(0.4)])
    moved = transform.apply_to_points(move, points)
    there = map_from_world(solids, world, transform.multiply(move, world)[None])
    assert np.allclose(depths(solids, moved, there), depths(solids, points, solids.map_from_rest[None]), atol=1e-9)


def test_neighbours_are_left_out_and_others_are_not(adult: Character) -> None:
    assert adult.anatomy is not None
    solids = solids_of(adult, rest_world(adult))
    roles = adult.anatomy.roles

    def worth(mine: str, other: str) -> float:
        return float(solids.worth[roles[mine], part(adult, solids, other)])

    for mine, other in (("left_forearm", "left_upper_arm"), ("left_upper_arm", "chest"), ("hips", "left_upper_leg")):
        assert worth(mine, other) == worth(other, mine) == 0.0
    for mine, other in (("left_hand", "chest"), ("left_lower_leg", "right_lower_leg"), ("left_forearm", "hips")):
        assert worth(mine, other) > 0.0
        assert worth(other, mine) > 0.0


def test_a_metre_counts_more_for_thinner_parts(adult: Character) -> None:
    assert adult.anatomy is not None
    solids = solids_of(adult, rest_world(adult))
    roles, chest = adult.anatomy.roles, part(adult, solids, "chest")
    assert solids.worth[roles["left_hand"], chest] > solids.worth[roles["left_lower_leg"], chest]


def test_points_of_the_skin_are_where_the_meshes_are(adult: Character) -> None:
    surface = surface_of(adult)
    pose = Pose.rest(adult.skeleton)
    meshes = [mesh.positions for mesh in deform(adult, pose, with_normals=False)]
    found = surface.posed(world_matrices(adult.skeleton, pose)[None])[0]
    assert np.allclose(found, np.concatenate(meshes), atol=1e-6)


def test_thinning_is_even_and_keeps_the_lowest(adult: Character) -> None:
    surface = surface_of(adult)
    places = surface.posed(rest_world(adult)[None])[0]
    rows = surface.thinned(places, places[:, 1], 1000)
    assert 500 < len(rows) <= 1000
    assert places[rows, 1].min() == places[:, 1].min()
    gaps = np.linalg.norm(places[:, None] - places[rows][None], axis=-1).min(axis=1)
    assert gaps.max() < 0.06 * 1.77


def test_skin_of_a_part_that_tapers_is_as_deep_as_it_is_from_the_nearest_skin() -> None:
    ways = np.random.default_rng(3).normal(size=(4000, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    half = np.array([0.1, 0.12, 0.25])
    egg, normals = ways * half, ways / half
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    map_from_rest, low, high, radii = _map(egg)
    solids = Solids(
        locked(np.zeros(1), np.int64), locked(map_from_rest[None]), locked(np.array([low])), locked(np.array([high])),
        locked(radii[None]), *open_ends(np.array([low]), np.array([high]), radii[None]), locked(np.ones(1)),
        locked(np.ones((1, 1))), locked(np.zeros((1, 1))),
    )  # fmt: skip
    for deep, most in ((0.01, 0.009), (0.03, 0.007)):
        found = depths(solids, egg - deep * normals, solids.map_from_rest[None])[0, 0]
        assert np.percentile(np.abs(found - deep), 95) < most
