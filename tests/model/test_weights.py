"""Weights of base motions: convex, exact where they can be, at home where they must be."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.model.weights import angular, cartesian, convex, is_lattice, radial, throw

RNG = np.random.default_rng(3)
SHOWN = RNG.normal(size=(12, 3))


@pytest.mark.parametrize("rule", [cartesian, convex, radial])
def test_weights_are_convex_and_at_home_on_a_motion(rule) -> None:  # type: ignore[no-untyped-def]
    for place in range(len(SHOWN)):
        weights = rule(SHOWN[place], SHOWN)
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1)
        assert weights[place] > 0.95


def test_within_the_hull_the_wish_is_met_by_motions_nearby() -> None:
    wish = SHOWN[:6].mean(axis=0)
    weights = convex(wish, SHOWN)
    assert np.allclose(weights @ SHOWN, wish, atol=0.02)
    away = np.linalg.norm(SHOWN - wish, axis=1)
    assert weights[np.argsort(away)[:4]].sum() > 3 * weights[np.argsort(away)[-4:]].sum()


def test_outside_the_hull_nothing_is_extrapolated() -> None:
    weights = convex(np.array([50.0, 0.0, 0.0]), SHOWN)
    assert weights.min() >= 0
    assert (weights @ SHOWN)[0] == pytest.approx(SHOWN[:, 0].max(), abs=0.2)


def test_a_lattice_is_bilinear() -> None:
    grid = np.array([[x, y] for x in (0.0, 1.0) for y in (0.0, 2.0)])
    assert is_lattice(grid)
    assert not is_lattice(SHOWN)
    assert np.allclose(cartesian(np.array([0.25, 0.5]), grid), [0.75 * 0.75, 0.75 * 0.25, 0.25 * 0.75, 0.25 * 0.25])


def test_angular_weights_do_not_see_distance() -> None:
    origin = np.array([0.0, 1.0, 0.0])
    near = angular(origin + np.array([0.1, 0.2, 0.5]), SHOWN + origin, origin)
    far = angular(origin + np.array([1.0, 2.0, 5.0]), SHOWN + origin, origin)
    assert np.allclose(near, far, atol=1e-6)


def test_a_throw_is_never_both_up_and_down() -> None:
    shown = {
        "near": np.array([0, 1.0, 2]),
        "far": np.array([0, 1.0, 8]),
        "up": np.array([0, 5.0, 4]),
        "down": np.array([0, 0.0, 2]),
    }
    hips = np.array([0.0, 1.0, 0.0])
    level = throw(np.array([0, 1.0, 5]), 1.0, shown, hips)
    assert level == pytest.approx({"near": 0.5, "far": 0.5, "up": 0, "down": 0})
    high = throw(np.array([0, 1.0, 5]), 4.0, shown, hips)
    low = throw(np.array([0, 0.2, 2]), 1.0, shown, hips)
    assert high["up"] > 0.3
    assert high["down"] == 0 == low["up"]
    assert low["down"] > 0.3
    for weights in (level, high, low):
        assert sum(weights.values()) == pytest.approx(1)
