"""Weights of base motions: convex, from where a wish lies among what the motions show."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mummer.arrays import FloatArray

NEARBY = 1e-4
"""How much nearness counts beside exactness: little, so that it only decides which motions around a wish are used."""
ROUNDS = 400
"""Steps at most until weights have settled."""


def cartesian(wish: FloatArray, shown: FloatArray) -> FloatArray:
    """(n,) linear, bilinear or trilinear weights on a lattice, else the convex mix of near motions that meets the wish.

    Args:
        wish: (d,) what is asked for.
        shown: (n, d) what each motion shows.

    Example:
        >>> cartesian(np.array([0.25]), np.array([[0.0], [1.0], [2.0]])).round(6).tolist()
        [0.75, 0.25, 0.0]
    """
    return on_lattice(wish, shown) if is_lattice(shown) else convex(wish, shown)


def convex(wish: FloatArray, shown: FloatArray) -> FloatArray:
    """(n,) weights, none negative, of sum one, whose mix comes nearest to the wish, of the nearest motions.

    Of all mixes that meet a wish within the hull, the one with the least sum of squares of weight times distance: far
    motions get little. Outside, the nearest place of the hull is met. Weights follow the wish without a jump.
    """
    from scipy.optimize import nnls

    away = shown - wish
    size = max(float(np.sqrt((away**2).sum(axis=1).mean())), 1e-12)
    away = away / size
    distances = (away**2).sum(axis=1)
    heavy = 1.0 / NEARBY
    rows = np.vstack([away.T, np.ones(len(shown)), np.sqrt(NEARBY) * np.diag(np.sqrt(distances + 1e-12))])
    right = np.concatenate([np.zeros(shown.shape[1]), [1.0], np.zeros(len(shown))])
    scale = np.concatenate([np.full(shown.shape[1], 1.0), [heavy], np.ones(len(shown))])
    found, _ = nnls(rows * scale[:, None], right * scale, maxiter=ROUNDS * len(shown))
    return np.asarray(found / found.sum())


def is_lattice(shown: FloatArray) -> bool:
    """Whether the motions stand at every crossing of a grid."""
    axes = [np.unique(np.round(column, 9)) for column in shown.T]
    crossings = int(np.prod([len(axis) for axis in axes]))
    return crossings == len(shown) == len(np.unique(np.round(shown, 9), axis=0))


def on_lattice(wish: FloatArray, shown: FloatArray) -> FloatArray:
    """(n,) the products of linear weights along each axis."""
    weights = np.ones(len(shown))
    for value, column in zip(wish, shown.T, strict=True):
        axis = np.unique(np.round(column, 9))
        at = float(np.clip(value, axis[0], axis[-1]))
        share = np.array([np.interp(at, axis, np.eye(len(axis))[place]) for place in range(len(axis))])
        weights = weights * share[np.searchsorted(axis, np.round(column, 9))]
    return np.asarray(weights / weights.sum())


def angular(wish: FloatArray, shown: FloatArray, origin: FloatArray) -> FloatArray:
    """(n,) weights by direction alone, as seen from ``origin`` (3,): for looking, pointing, shaking a fist at."""

    def directions(places: FloatArray) -> FloatArray:
        away = places - origin
        return np.asarray(away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9))

    return convex(directions(wish), directions(shown))


def radial(wish: FloatArray, shown: FloatArray) -> FloatArray:
    """(n,) weights by radial basis functions, each one at its own motion and zero at the others; negative ones cut.

    For dense sets: smooth in the wish, where convex weights have corners.
    """
    apart = np.linalg.norm(shown[:, None] - shown[None], axis=-1)
    width = max(float(np.median(np.where(apart > 0, apart, np.inf).min(axis=1))), 1e-9)
    kernel = np.exp(-0.5 * (apart / width) ** 2) + 1e-6 * np.eye(len(shown))
    here = np.exp(-0.5 * (np.linalg.norm(shown - wish, axis=-1) / width) ** 2)
    found = np.maximum(np.linalg.solve(kernel, here), 0.0)
    return found / found.sum() if found.sum() > 1e-9 else convex(wish, shown)


def throw(target: FloatArray, apex: float, shown: Mapping[str, FloatArray], hips: FloatArray) -> dict[str, float]:
    """Weights of ``near``, ``far``, ``up`` and ``down`` of a throw: never of both up and down.

    Args:
        target: (3,) what to hit.
        apex: height of the highest point of the flight, metres; that of the hand or less where it only falls.
        shown: targets (3,) of the motions by name; of ``up`` the apex of its flight.
        hips: (3,) where the hips are, from which elevations are seen.
    """
    along = shown["far"] - shown["near"]
    far = float(np.clip((target - shown["near"]) @ along / max(float(along @ along), 1e-12), 0.0, 1.0))
    level = np.linalg.norm((target - hips)[[0, 2]])

    def elevation(place: FloatArray, ahead: float | None = None) -> float:
        out = float(np.linalg.norm((place - hips)[[0, 2]])) if ahead is None else ahead
        return float(np.arctan2(place[1] - hips[1], max(out, 1e-9)))

    rises = apex > hips[1] and apex > target[1] and "up" in shown
    if rises:
        top = np.array([0.0, apex, 0.0])
        share = elevation(top, 0.5 * float(level)) / max(elevation(shown["up"]), 1e-9)
    else:
        share = elevation(target) / min(elevation(shown["down"]), -1e-9) if "down" in shown else 0.0
    up = float(np.clip(share, 0.0, 1.0))
    return {
        "near": (1 - up) * (1 - far),
        "far": (1 - up) * far,
        "up": up if rises else 0.0,
        "down": 0.0 if rises else up,
    }
