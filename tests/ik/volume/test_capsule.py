"""Capsules beside one another, function by function, in plain Python: nearest places beside all others."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.ik.volume.capsule import (
    Capsule,
    at_share,
    bounded,
    capsule_of,
    nearest_on_axes,
    nearest_share,
    nearest_shares,
    thickness,
)
from mummer.kernels.vectors import minus, size

SHARES = np.linspace(0.0, 1.0, 101)


def capsule(random: np.random.Generator, *, growth: float = 0.0) -> Capsule:
    low, high = np.sort(random.uniform(0.0, 1.0, 2))
    return Capsule(tuple(random.normal(size=3)), tuple(random.normal(size=3)), 0.3, growth, low, high)


def places(one: Capsule) -> np.ndarray:
    """Many places along the part of an axis that counts."""
    shares = one.low + (one.high - one.low) * SHARES
    return np.array(one.start) + shares[:, None] * np.array(one.way)


def apart(one: Capsule, s: float, two: Capsule, t: float) -> float:
    return size(minus(at_share(one, s), at_share(two, t)))


@pytest.mark.parametrize("seed", range(12))
def test_nothing_on_two_axes_is_nearer_than_what_is_nearest(seed: int) -> None:
    random = np.random.default_rng(seed)
    one, two = capsule(random), capsule(random)
    if seed >= 8:
        two = two._replace(way=tuple(random.uniform(-2.0, 2.0) * np.array(one.way)))
    least = np.linalg.norm(places(one)[:, None] - places(two), axis=-1).min()
    s, t = nearest_on_axes(one, two), nearest_on_axes(two, one)
    assert one.low <= s <= one.high
    assert two.low <= t <= two.high
    on_two = np.linalg.norm(places(two) - np.array(at_share(one, s)), axis=-1).min()
    assert on_two <= least + 1e-3
    if seed < 8:
        assert apart(one, s, two, t) <= least + 1e-6
    s, t = nearest_shares(one, two)
    assert apart(one, s, two, t) <= least + 1e-6


def test_of_two_that_lie_side_by_side_the_middle_of_what_they_share_is_nearest() -> None:
    one = Capsule((0.0, 0.0, 0.0), (0.0, 2.0, 0.0), 0.1, 0.0, 0.0, 1.0)
    for start, length, expected in ((0.5, 1.0, 0.5), (1.5, -1.0, 0.5), (1.5, 4.0, 0.875), (-3.0, 4.0, 0.25)):
        two = Capsule((1.0, start, 0.0), (0.0, length, 0.0), 0.1, 0.0, 0.0, 1.0)
        assert nearest_on_axes(one, two) == pytest.approx(expected)
    beyond = Capsule((1.0, 5.0, 0.0), (0.0, 1.0, 0.0), 0.1, 0.0, 0.0, 1.0)
    assert nearest_on_axes(one, beyond) == 1.0


def test_a_ball_has_one_place_and_axes_end_at_their_nearest_to_it() -> None:
    one = Capsule((0.0, 0.0, 0.0), (0.0, 2.0, 0.0), 0.1, 0.0, 0.2, 0.9)
    for height, expected in ((-1.0, 0.2), (0.5, 0.25), (1.0, 0.5), (3.0, 0.9)):
        ball = Capsule((1.0, height, 0.0), (0.0, 0.0, 0.0), 0.1, 0.0, 0.3, 0.8)
        assert nearest_on_axes(one, ball) == pytest.approx(expected)
        assert nearest_on_axes(ball, one) == 0.3


@pytest.mark.parametrize("growth", [-0.4, -0.1, 0.0, 0.2, 0.5])
def test_the_nearest_ball_of_a_capsule_is_nearer_than_its_others(growth: float) -> None:
    random = np.random.default_rng(5)
    for _ in range(6):
        one, point = capsule(random, growth=growth), random.normal(size=3)
        share = nearest_share(tuple(point), one)
        shares = one.low + (one.high - one.low) * SHARES
        least = (np.linalg.norm(places(one) - point, axis=1) - [thickness(one, each) for each in shares]).min()
        assert one.low <= share <= one.high
        assert size(minus(tuple(point), at_share(one, share))) - thickness(one, share) <= least + 1e-9


def test_the_larger_ball_that_holds_all_is_the_nearest() -> None:
    for growth, expected in ((0.5, 0.9), (-0.5, 0.2)):
        small = Capsule((0.0, 0.0, 0.0), (0.0, 0.3, 0.0), 0.6, growth, 0.2, 0.9)
        for point in ((0.0, 3.0, 0.0), (0.0, -3.0, 0.0), (1.0, 0.1, 0.0)):
            assert nearest_share(point, small) == expected


def test_capsules_are_read_from_their_ends() -> None:
    ends, radii = np.arange(12.0).reshape(2, 2, 3) ** 2, np.array([[0.1, 0.2], [0.5, 0.3]])
    one = capsule_of(1, ends, radii, 0.25, 0.75)
    for share, end in ((0.0, 0), (1.0, 1)):
        np.testing.assert_allclose(at_share(one, share), ends[1, end])
        assert thickness(one, share) == pytest.approx(radii[1, end])
    assert (one.low, one.high) == (0.25, 0.75)
    assert [bounded(each, -1.0, 2.0) for each in (-3.0, -1.0, 0.5, 2.0, 9.0)] == [-1.0, -1.0, 0.5, 2.0, 2.0]
