"""Capsules: fitted to shapes that are known, to the zoo, and to bones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mummer as mm
from mummer.character import Character, Pose, Skeleton
from mummer.errors import InputError
from mummer.ik.volume import Volume, as_body, distance_to_volume, volume_of
from mummer.ik.volume.capsule import signed_distance
from mummer.ik.volume.drawing import capsule_surface
from mummer.ik.volume.fit import (
    MOST_PIECES,
    _best_fit,
    _fit_piece,
    _way_on,
    capsule_error,
    fit_capsule,
    weighted_quantiles,
)
from mummer.ik.volume.skin_points import skin_points, spread_points
from mummer.ik.volume.volume import volume_from_bones
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

numbers = st.floats(-1, 1)
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
radius = st.floats(0.05, 0.3)


def sampled(ends, radii):
    """Middles and radii of many balls whose union is the capsule."""
    shares = np.linspace(0, 1, 2001)[:, None]
    return ends[0] + shares * (ends[1] - ends[0]), radii[0] + shares[:, 0] * (radii[1] - radii[0])


@given(vectors, vectors, radius, radius, vectors)
def test_distance_is_that_to_the_union_of_balls_along_the_axis(a, b, ra, rb, point):
    ends, radii = np.stack([a, b]), np.array([ra, rb])
    centers, sizes = sampled(ends, radii)
    expected = np.min(np.linalg.norm(2 * point - centers, axis=1) - sizes)
    found, share, normal = signed_distance(2 * point, ends, radii)
    assert abs(found - expected) < 2e-3
    assert 0 <= share <= 1
    assert np.linalg.norm(normal) <= 1 + 1e-9


@given(st.floats(0.5, 1.0), st.floats(0.1, 0.2), st.floats(0.1, 0.2), vectors)
def test_a_capsule_is_found_again_from_its_own_surface(length, one, other, axis):
    axis = axis / np.linalg.norm(axis) if np.linalg.norm(axis) > 0.1 else np.array([0.0, 1.0, 0.0])
    ends, radii = np.stack([np.ones(3), np.ones(3) + length * axis]), np.array([one, other])
    rims = capsule_surface(ends, radii)[0].reshape(12, -1, 3)
    sides = rims[5] + np.linspace(0, 1, 12)[:, None, None] * (rims[6] - rims[5])
    points = np.concatenate([rims, sides]).reshape(-1, 3)
    assert np.abs(signed_distance(points, ends, radii)[0]).max() < 1e-9
    found = fit_capsule(points, np.ones(len(points)))
    assert found.misfit < 0.003
    assert capsule_error(points, np.ones(len(points)), ends[None], radii[None])[1] < 1e-9
    assert abs(np.sort(found.radii) - np.sort(radii)).max() < 0.03


@pytest.mark.parametrize("name", ["adult", "dog", "snake"])
def test_capsules_follow_the_surface_closely(name):
    character = mm.zoo.body(name)
    volume, surface = volume_of(character), skin_points(character)
    assert volume is volume_of(character), "made once"
    height = WorldState(character, character.default_pose).body.height
    found = distance_to_volume(character, Pose.rest(character.skeleton), surface.places[::7])
    assert np.average(np.abs(found.distances), weights=surface.areas[::7]) < 0.012 * max(height, 0.5)
    share = volume.cubic_metres / volume.cubic_metres.sum()
    assert share @ (volume.misfit / volume.radii.mean(axis=1)) < 0.15
    assert set(volume.joints.tolist()) <= set(range(len(character.skeleton)))


def test_a_volume_is_about_as_large_as_the_body():
    character = mm.zoo.body("adult")
    litres = volume_of(character).cubic_metres.sum() * 1000
    assert character.mass is not None
    assert 0.6 * character.mass.total < litres < 1.6 * character.mass.total


def test_bare_bones_get_capsules_too():
    character = mm.zoo.body("adult").replace(meshes=(), default_pose=None)
    volume = volume_of(character)
    assert len(volume) > 30
    assert np.all(volume.misfit == 0)
    assert np.all(volume.radii > 0)


def test_large_triangles_are_cut_up():
    character = mm.zoo.body("adult")
    points, areas = spread_points(skin_points(character), 13, 250)
    assert 125 < len(points) < 700
    assert areas.min() > 0


def test_capsules_can_be_looked_at_as_a_body():
    character = mm.zoo.body("snake")
    shown = as_body(character)
    assert len(shown.meshes) == len(volume_of(character))
    inside = distance_to_volume(character, Pose.rest(character.skeleton), skin_points(shown).places).distances
    assert inside.max() < 1e-3


def test_a_volume_must_fit_together():
    with pytest.raises(InputError, match="radii of a volume have shape"):
        Volume(np.array([0]), np.zeros((1, 2, 3)), np.zeros((2, 2)), np.zeros(1))
    with pytest.raises(InputError, match="negative"):
        Volume(np.array([0]), np.zeros((1, 2, 3)), np.full((1, 2), -1.0), np.zeros(1))


def test_a_piece_goes_on_to_the_child_that_is_farthest_wherever_the_body_is() -> None:
    skeleton = Skeleton(("root", "near", "far", "there"), [-1, 0, 0, 2], np.zeros((4, 3)), name="fork")
    body, places = Character("fork", skeleton), np.array([[0.0, 0, 0], [0, 0.2, 0], [0.1, -0.5, 0], [0.1, -0.5, 0]])
    for shift in (0.0, 7.0, -3.0):
        np.testing.assert_allclose(_way_on(body, places + shift, 0), [0.1, -0.5, 0.0], atol=1e-9)
        assert _way_on(body, places + shift, 1) is None
        assert _way_on(body, places + shift, 2) is None


def test_bones_without_length_have_no_flesh() -> None:
    body = Character("point", Skeleton(("root", "tip"), [-1, 0], np.zeros((2, 3)), name="point"))
    assert len(volume_from_bones(body)) == 0
    chain = Character(
        "chain", Skeleton(("a", "b", "c"), [-1, 0, 1], [[0, 1, 0], [0, 0.5, 0], [0, 0.4, 0]], name="chain")
    )
    volume = volume_from_bones(chain)
    assert set(volume.joints.tolist()) == {0, 1, 2}
    assert volume.radii.min() > 0.0
    # They grow thinner outwards, and never thicker than the bone they belong to.
    assert np.all(volume.radii[:, 1] <= volume.radii[:, 0])
    assert np.all(volume.radii[:, 1] >= 0.5 * volume.radii[:, 0])


def test_creases_are_rounded_outwards_and_far_from_any_nothing_is() -> None:
    body = Character("rod", Skeleton(("a", "b", "c"), [-1, 0, 1], [[0, 1, 0], [0, 0.8, 0], [0, 0.8, 0]], name="rod"))
    points = np.array([[0.3, 1.1, 0.0], [0.0, 1.2, 0.3], [0.0, 0.2, 0.0], [0.4, 1.8, 0.0], [0.2, 2.6, 0.1]])
    hard, sharp, soft = (
        distance_to_volume(body, body.default_pose, points, softness=softness).distances
        for softness in (0.0, 1e-3, 0.1)
    )
    assert np.all(soft <= sharp + 1e-12)
    assert np.all(sharp <= hard + 1e-12)
    # Blended exponentially, it is nearer by no more than the logarithm of how many there are.
    assert np.all(soft >= hard - 0.1 * np.log(len(volume_of(body))) - 1e-12)
    np.testing.assert_allclose(sharp[:3], hard[:3], atol=1e-6)


def rod(rng: np.random.Generator, length: float, radius: float, count: int = 240) -> np.ndarray:
    """Places on a capsule along x, of which the caps are part."""
    along, angle = rng.uniform(0.0, length, count), rng.uniform(0.0, 2.0 * np.pi, count)
    around = radius * np.stack([np.zeros(count), np.cos(angle), np.sin(angle)], axis=1)
    balls = radius * quaternion.rotate(quaternion.random(rng, (count // 3,)), np.array([1.0, 0.0, 0.0]))
    ends = balls + np.where(balls[:, :1] > 0.0, length, 0.0) * np.array([1.0, 0.0, 0.0])
    return np.concatenate([np.array([1.0, 0.0, 0.0]) * along[:, None] + around, ends])


@pytest.mark.parametrize("scale", [1e-3, 1.0, 300.0])
def test_a_capsule_turns_and_grows_with_its_points_whatever_they_weigh(scale: float) -> None:
    rng = np.random.default_rng(4)
    points = rod(rng, 0.5, 0.1) + 0.004 * rng.normal(size=(320, 3))
    areas, turn, way = rng.uniform(0.5, 2.0, 320), quaternion.exp([0.4, -0.9, 0.3]), np.array([3.0, -1.0, 2.0])
    plain = fit_capsule(points, areas)
    moved = fit_capsule(scale * (quaternion.rotate(turn, points) + way), 1e-6 * areas)
    ends = scale * (quaternion.rotate(turn, plain.ends) + way)
    order = [0, 1] if np.linalg.norm(moved.ends[0] - ends[0]) < np.linalg.norm(moved.ends[1] - ends[0]) else [1, 0]
    np.testing.assert_allclose(moved.ends[order], ends, atol=1e-4 * scale)
    np.testing.assert_allclose(moved.radii[order], scale * plain.radii, atol=1e-4 * scale)
    assert moved.error == pytest.approx(scale * plain.error, rel=1e-3)
    assert moved.misfit == pytest.approx(scale * plain.misfit, rel=1e-3)
    assert plain.radii == pytest.approx([0.1, 0.1], abs=0.01)


def test_points_far_off_hardly_pull() -> None:
    rng = np.random.default_rng(5)
    points = rod(rng, 0.5, 0.1)
    stray = np.concatenate([points, [[0.2, 0.6, 0.0], [0.3, 0.7, 0.1]]])
    plain, other = (fit_capsule(each, np.ones(len(each)), np.array([1.0, 0.0, 0.0])) for each in (points, stray))
    assert np.abs(other.ends - plain.ends).max() < 0.02
    assert np.abs(other.radii - plain.radii).max() < 0.02


def test_a_bent_piece_gets_more_capsules_and_a_straight_one_does_not() -> None:
    rng = np.random.default_rng(6)
    straight = rod(rng, 0.6, 0.08)
    bent = np.concatenate([straight, straight[:, [1, 0, 2]]])
    found = {}
    for name, points in (("straight", straight), ("bent", bent)):
        areas = np.ones(len(points))
        found[name] = _fit_piece(points, areas, None, 1.7)
        ends, radii = np.stack([f.ends for f in found[name]]), np.stack([f.radii for f in found[name]])
        assert capsule_error(points, areas, ends, radii)[0] <= _best_fit(points, areas, None).error + 1e-12
    assert len(found["straight"]) == 1
    assert 2 <= len(found["bent"]) <= MOST_PIECES
    # A small one is coarse enough for one, and nothing is cut up without end.
    assert len(_fit_piece(bent, np.ones(len(bent)), None, 1000.0)) == 1
    crumpled = rng.normal(size=(2000, 3))
    assert len(_fit_piece(crumpled, np.ones(2000), None, 0.1)) <= MOST_PIECES


@pytest.mark.parametrize("shares", [(0.5,), (0.1, 0.9)])
def test_quantiles_weigh(shares: tuple) -> None:
    rng = np.random.default_rng(7)
    values, counts = rng.normal(size=30), rng.integers(1, 6, 30)
    whole = weighted_quantiles(np.repeat(values, counts), np.ones(counts.sum()), shares)
    np.testing.assert_allclose(weighted_quantiles(values, 1.0 * counts, shares), whole, atol=0.25)
    np.testing.assert_allclose(
        weighted_quantiles(-values, 1.0 * counts, tuple(1 - s for s in shares)),
        -weighted_quantiles(values, 1.0 * counts, shares),
        atol=1e-12,
    )
    assert values.min() <= whole.min() <= whole.max() <= values.max()
