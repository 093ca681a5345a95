"""Volumes, centres and second moments of solids: polyhedra by their surface, and capsules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Moments:
    """How n solids fill space.

    Attributes:
        volumes: (n,) cubic metres, negative for a surface turned inside out.
        centers: (n, 3) centres of volume in metres.
        seconds: (n, 3, 3) ∫ (r - c)(r - c)ᵀ dV about those centres, in m⁵.
    """

    volumes: FloatArray
    centers: FloatArray
    seconds: FloatArray

    def joined(self, labels: IntArray, count: int) -> Moments:
        """``count`` solids, each made of those of ours that carry its label (n,)."""
        volumes = summed(self.volumes, labels, count)
        centers = summed(self.centers * self.volumes[:, None], labels, count) / _nonzero(volumes)[:, None]
        away = self.centers - centers[labels]
        spread = self.seconds + self.volumes[:, None, None] * outer(away)
        return Moments(volumes, centers, summed(spread, labels, count))


def polyhedron_moments(
    corners: FloatArray, labels: IntArray, count: int, *, weights: FloatArray | None = None
) -> Moments:
    """The moments of ``count`` closed surfaces, by the divergence theorem: exact for flat triangles.

    Args:
        corners: (F, 3, 3) the corners of each triangle in metres, counter-clockwise seen from outside.
        labels: (F,) which surface each triangle belongs to.
        count: how many surfaces there are.
        weights: (F,) how often each triangle counts; once if not given.
    """
    # Each triangle spans a tetrahedron with a point amid its surface, which keeps the sums free of cancellation.
    faces = np.maximum(np.bincount(labels, minlength=count), 1)
    inner = summed(corners.mean(axis=1), labels, count) / faces[:, None]
    legs = corners - inner[labels][:, None]
    sixth = np.linalg.det(legs) / 6 if weights is None else np.linalg.det(legs) / 6 * weights
    total = legs.sum(axis=1)
    volumes = summed(sixth, labels, count)
    offsets = summed(sixth[:, None] * total / 4, labels, count) / _nonzero(volumes)[:, None]
    products = np.einsum("fci,fcj->fij", legs, legs) + outer(total)
    seconds = summed(sixth[:, None, None] * products / 20, labels, count)
    return Moments(volumes, inner + offsets, seconds - volumes[:, None, None] * outer(offsets))


def capsule_moments(starts: FloatArray, ends: FloatArray, radii: FloatArray) -> Moments:
    """The moments of n capsules that fill the way from ``starts`` to ``ends`` without reaching far beyond.

    Each has the volume of the cylinder between its two points: the round ends are drawn in for what they bulge out,
    so a chain of capsules counts nothing twice. One shorter than wide is flattened to an ellipsoid.

    Args:
        starts: (n, 3) metres.
        ends: (n, 3) metres.
        radii: (n,) metres.
    """
    along = ends - starts
    lengths = np.linalg.norm(along, axis=1)
    axes = along / _nonzero(lengths)[:, None]
    volumes = np.pi * radii**2 * lengths
    straight = np.maximum(lengths - radii * 4 / 3, 0)
    in_cylinder = np.pi * radii**2 * straight
    in_ends = volumes - in_cylinder
    # Half the height of the two ends put together: the radius, or less for an ellipsoid.
    height = np.minimum(radii, lengths * 3 / 4)
    half = straight / 2
    axial = in_cylinder * straight**2 / 12 + in_ends * (height**2 / 5 + half**2 + half * height * 3 / 4)
    lateral = in_cylinder * radii**2 / 4 + in_ends * radii**2 / 5
    seconds = lateral[:, None, None] * np.eye(3) + (axial - lateral)[:, None, None] * outer(axes)
    return Moments(volumes, (starts + ends) / 2, seconds)


def ball_moments(centers: FloatArray, radii: FloatArray) -> Moments:
    """The moments of n balls with ``centers`` (n, 3) and ``radii`` (n,) in metres."""
    volumes = 4 / 3 * np.pi * radii**3
    return Moments(volumes, centers, (volumes * radii**2 / 5)[:, None, None] * np.eye(3))


def summed(values: FloatArray, labels: IntArray, count: int) -> FloatArray:
    """(count, ...) the sums of those of ``values`` (n, ...) that carry each label (n,)."""
    flat = values.reshape(len(values), int(np.prod(values.shape[1:])))
    sums = [np.bincount(labels, column, count) for column in flat.T]
    return np.stack(sums, axis=-1).reshape(count, *values.shape[1:]).astype(np.float64)


def outer(vectors: FloatArray) -> FloatArray:
    """(..., 3, 3) each of ``vectors`` (..., 3) times itself."""
    return np.asarray(vectors[..., :, None] * vectors[..., None, :])


def _nonzero(values: FloatArray) -> FloatArray:
    return np.where(values == 0, 1, values)
