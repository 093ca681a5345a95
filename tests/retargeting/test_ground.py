"""Uneven ground of three kinds: waves, stairs, a mesh. Feet stand on it, nothing pops, and soles tilt as they may."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mummer import measure
from mummer.character import world_matrices, world_positions
from mummer.clip.analysis.contacts import contacts
from mummer.retargeting import Onto, heights_of_mesh
from mummer.retargeting.terrain import STEEPEST
from tests.retargeting.walk import people, walk

Heights = Callable[[np.ndarray, np.ndarray], np.ndarray]


def waves(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    return 0.06 * np.sin(2.3 * z) * np.cos(1.1 * x)


def stairs(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    return 0.08 * np.floor(np.asarray(z) / 0.6) + 0.0 * np.asarray(x)


def mesh() -> Heights:
    rng = np.random.default_rng(5)
    count = 13
    x, z = np.meshgrid(np.linspace(-4, 4, count), np.linspace(-2, 6, count), indexing="ij")
    corners = np.stack([x, 0.05 * rng.normal(size=x.shape), z], axis=-1).reshape(-1, 3)
    cells = [(i * count + j) for i in range(count - 1) for j in range(count - 1)]
    triangles = [t for c in cells for t in ((c, c + 1, c + count), (c + 1, c + count + 1, c + count))]
    return heights_of_mesh(corners, np.array(triangles))


GROUNDS = {"waves": waves, "stairs": stairs, "mesh": mesh()}


@pytest.fixture(params=GROUNDS)
def ground(request: pytest.FixtureRequest) -> Heights:
    return GROUNDS[request.param]


def standing(clip: Onto, name: str, times: np.ndarray) -> np.ndarray:
    """(T,) whether a foot of the source stands, without the moments at which it comes and goes."""
    down = np.zeros(len(times), bool)
    for mark in contacts(clip.clip):
        if mark.name == f"{name}_foot contact":
            down |= (times >= mark.time + 0.05) & (times <= mark.until - 0.05)
    return down


@pytest.mark.parametrize("name", ["adult", "child", "giant"])
def test_planted_feet_are_on_the_ground(ground: Heights, name: str) -> None:
    clip = Onto(walk(), people(name), ground=ground)
    body, times = clip.body, clip.times(60)
    found = world_positions(body.skeleton, clip.sample(times))
    for side in ("left", "right"):
        ball = body.anatomy.roles[f"{side}_toes"]
        high = found[:, ball, 1] - ground(found[:, ball, 0], found[:, ball, 2])
        off = high - (clip.transfer.target.places[ball, 1] - body.anatomy.ground)
        assert np.abs(off[standing(clip, side, times)]).max() < 0.01 * body.anatomy.height


def test_nothing_pops(ground: Heights) -> None:
    flat, uneven = Onto(walk(), people("child")), Onto(walk(), people("child"), ground=ground)
    roles = people("child").anatomy.roles
    most = []
    for clip in (flat, uneven):
        found = world_positions(clip.body.skeleton, clip.sample(clip.times(60)))
        joints = [roles[role] for role in ("hips", "head", "left_lower_leg", "left_foot", "right_foot")]
        most.append(np.linalg.norm(np.diff(found[:, joints], n=2, axis=0), axis=-1).max() * 60**2)
    # A foot that clears a stair of a sixth of its leg must hurry; one that pops would need ten times as much.
    assert most[1] < (3.0 if ground is stairs else 2.0) * most[0]
    assert measure.foot_skate(uneven, marks=contacts(walk())).value < measure.foot_skate(flat).value + 1.0


def test_soles_tilt_with_the_ground_but_no_further_than_may_be(ground: Heights) -> None:
    flat, uneven = Onto(walk(), people("adult")), Onto(walk(), people("adult"), ground=ground)
    times, joint = flat.times(30), people("adult").anatomy.roles["left_foot"]
    turns = [world_matrices(c.body.skeleton, c.sample(times))[:, joint, :, :3] for c in (flat, uneven)]
    tilted = np.einsum("tij,tkj,k->ti", turns[1], turns[0], [0.0, 1.0, 0.0])
    angles = np.arccos(np.clip(tilted[:, 1], -1, 1))
    # The edge of a stair is no slope.
    assert (0.0 if ground is stairs else 0.005) <= angles.max() < (0.005 if ground is stairs else STEEPEST + 1e-6)


def test_a_level_ground_is_the_floor() -> None:
    flat = Onto(walk(), people("child"), floor=0.3)
    same = Onto(walk(), people("child"), ground=lambda x, z: np.full(np.shape(x), 0.3), floor=0.3)
    places = [world_positions(clip.body.skeleton, clip.sample(clip.times(20))) for clip in (flat, same)]
    # On ground that may be uneven feet do not sink at all, and hips come down a little sooner.
    assert np.allclose(*places, atol=0.006)
