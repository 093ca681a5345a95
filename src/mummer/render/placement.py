"""Where each of several bodies stands: side by side, facing the same way, on one ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.render.camera import TINY
from mummer.render.shown import finite_bounds
from mummer.render.surface import Shape

GAP = 0.22
"""Room between neighbours, in parts of their mean width and height."""


@dataclass(frozen=True, eq=False)
class Placement:
    """A turn, a scale and a shift: places are ``shift + scale * (turn @ place)``.

    Attributes:
        turn: (3, 3) rotation matrix.
        scale: factor.
        shift: (3,) metres.
    """

    turn: FloatArray
    scale: float
    shift: FloatArray

    def points(self, places: FloatArray) -> FloatArray:
        """(..., 3) places moved to where the body stands."""
        if self is STAY:
            return places
        return self.shift + self.scale * (places @ self.turn.T)

    def shape(self, shape: Shape) -> Shape:
        """A surface moved to where the body stands."""
        if self is STAY:
            return shape
        normals = (shape.normals @ self.turn.T).astype(np.float32)
        return Shape(self.points(shape.positions), normals)


STAY = Placement(np.eye(3), 1.0, np.zeros(3))
"""Where it is."""


def side_by_side(
    outlines: Sequence[FloatArray],
    fronts: Sequence[FloatArray],
    grounds: Sequence[float],
    along: FloatArray,
    *,
    true_size: bool,
) -> tuple[Placement, ...]:
    """Places for several bodies in a row, all facing +Z, each on the ground at height 0.

    Args:
        outlines: (N, 3) points that span each body.
        fronts: (3,) where each faces.
        grounds: height of the ground that each stands on.
        along: (3,) unit, horizontal: the direction of the row.
        true_size: keep relative sizes; else scale each to the height of the tallest.
    """
    turned = [points @ _facing_forward(front).T for points, front in zip(outlines, fronts, strict=True)]
    heights = [max(float(np.ptp(points[:, 1])), TINY) for points in turned]
    scales = [1.0 if true_size else max(heights) / height for height in heights]
    spans = [_span(points @ along, scale) for points, scale in zip(turned, scales, strict=True)]
    widths = [high - low for low, high in spans]
    gap = GAP * float(np.mean(widths) + 0.3 * np.mean([h * s for h, s in zip(heights, scales, strict=True)]))
    places, at = [], 0.0
    for points, front, ground, scale, (low, high) in zip(turned, fronts, grounds, scales, spans, strict=True):
        middle = 0.5 * sum(finite_bounds(points)) * scale
        across = middle - along * float(middle @ along)
        shift = along * (at - low) - np.array([across[0], ground * scale, across[2]])
        places.append(Placement(_facing_forward(front), scale, shift))
        at += high - low + gap
    return tuple(places)


def _span(offsets: FloatArray, scale: float) -> tuple[float, float]:
    return scale * float(offsets.min()), scale * float(offsets.max())


def _facing_forward(front: FloatArray) -> FloatArray:
    """(3, 3) the turn about +Y that brings a horizontal unit vector to +Z."""
    sine, cosine = front[0], front[2]
    return np.array([[cosine, 0.0, -sine], [0.0, 1.0, 0.0], [sine, 0.0, cosine]])
