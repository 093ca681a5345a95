"""The ground that a gait walks on: its height, how it slopes, and where in it a foot finds a hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError

Heights = Callable[[FloatArray, FloatArray], FloatArray]
STEEPEST = 0.7
"""Radians that soles tilt with the ground at most."""


@dataclass(frozen=True, eq=False)
class Ground:
    """Ground whose height is a function of place.

    Attributes:
        heights: of x and z, arrays of any one shape, in metres; gives heights in metres. None for level ground.
        level: metres, how high level ground is.
    """

    heights: Heights | None = None
    level: float = 0.0

    def at(self, places: FloatArray) -> FloatArray:
        """(...) heights at ``places`` (..., 2).

        Raises:
            InputError: if the function gives something else than one height for each place.
        """
        if self.heights is None:
            return np.full(places.shape[:-1], self.level)
        found = np.asarray(self.heights(places[..., 0], places[..., 1]), np.float64)
        found = np.broadcast_to(found, places.shape[:-1]) if found.ndim == 0 else found
        if found.shape != places.shape[:-1] or not np.all(np.isfinite(found)):
            raise InputError(f"the ground gave heights of shape {found.shape}; expected finite {places.shape[:-1]}")
        return found

    def tilts(self, places: FloatArray, sizes: FloatArray) -> FloatArray:
        """(..., 3) rotation vectors from level to the ground at ``places`` (..., 2), seen over ``sizes`` metres."""
        if self.heights is None:
            return np.zeros((*places.shape[:-1], 3))
        reach = sizes[..., None]
        sides = reach * np.array([1.0, 0.0]), reach * np.array([0.0, 1.0])
        slopes = [(self.at(places + side) - self.at(places - side)) / (2 * sizes) for side in sides]
        normal = np.stack([-slopes[0], np.ones_like(slopes[0]), -slopes[1]], axis=-1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        axis = np.stack([normal[..., 2], np.zeros_like(slopes[0]), -normal[..., 0]], axis=-1)
        sine = np.linalg.norm(axis, axis=-1, keepdims=True)
        angle = STEEPEST * np.tanh(np.arcsin(np.minimum(sine, 1.0)) / STEEPEST)
        return np.asarray(axis / np.maximum(sine, 1e-12) * angle)

    def holds(self, places: FloatArray, sizes: FloatArray, along: FloatArray) -> FloatArray:
        """(S, 2) ``places`` moved a little along ``along`` (S, 2) to where the ground is even below the whole sole.

        Args:
            places: (S, 2) where feet should stand, x and z, metres.
            sizes: (S,) half the length of their soles, metres.
            along: (S, 2) unit vectors in which they may be moved.
        """
        if self.heights is None or not len(places):
            return places
        shifts = np.array([0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0])
        offered = places[:, None] + (shifts * sizes[:, None])[..., None] * along[:, None]
        probes = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
        below = offered[:, :, None] + (probes * sizes[:, None])[:, None, :, None] * along[:, None, None]
        heights = self.at(below)
        # What no plane can follow: how far the middle ones are off the line from end to end.
        line = heights[..., :1] + (heights[..., -1:] - heights[..., :1]) * np.linspace(0, 1, 5)
        uneven = np.abs(heights - line).max(axis=-1) / sizes[:, None]
        steep = np.abs(heights[..., -1] - heights[..., 0]) / (2 * sizes[:, None])
        cost = np.minimum(uneven, 1.0) * 4 + np.maximum(steep - 0.8, 0.0) * 4 + 0.1 * np.abs(shifts)
        return np.asarray(offered[np.arange(len(places)), np.argmin(cost, axis=1)])
