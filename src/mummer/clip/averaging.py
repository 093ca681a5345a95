"""The mean of many poses by weight, joint by joint, in a form that does not care about their order."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character
from mummer.clip.frames import Frames
from mummer.clip.turning import run
from mummer.clip.weights import morph_joint
from mummer.kernels.arguments import Floats3, Floats4, Output3
from mummer.kernels.kernel import kernel

# Products of quaternions differ by this much from rounding alone.
CONVERGED = 1e-28
PATIENCE, MOST_STEPS = 8, 60


@kernel
def average_rotations(frame: int, weights: Floats3, given: Floats4, out: Output3) -> None:
    """One frame of the rotations nearest to those of all clips, (n, T, J, 4), by weights (n, T, J)."""
    for joint in range(out.shape[1]):
        best = 0
        active = 0
        for place in range(given.shape[0]):
            if weights[place, frame, joint] > 0.0:
                active += 1
            if weights[place, frame, joint] > weights[best, frame, joint]:
                best = place
        x, y, z, w = (
            given[best, frame, joint, 0], given[best, frame, joint, 1],
            given[best, frame, joint, 2], given[best, frame, joint, 3],
        )  # fmt: skip
        if active > 1:
            x, y, z, w = nearest_to_all(frame, joint, weights, given, x, y, z, w)
        out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3] = x, y, z, w


def nearest_to_all(
    frame: int, joint: int, weights: Floats3, given: Floats4, x: float, y: float, z: float, w: float
) -> tuple[float, float, float, float]:
    """The largest eigenvector of the weighted sum of q qᵀ, by powers, from a first guess."""
    xx = xy = xz = xw = yy = yz = yw = zz = zw = ww = 0.0
    for place in range(given.shape[0]):
        weight = weights[place, frame, joint]
        if weight > 0.0:
            a, b, c, d = (
                given[place, frame, joint, 0], given[place, frame, joint, 1],
                given[place, frame, joint, 2], given[place, frame, joint, 3],
            )  # fmt: skip
            xx += weight * a * a
            xy += weight * a * b
            xz += weight * a * c
            xw += weight * a * d
            yy += weight * b * b
            yz += weight * b * c
            yw += weight * b * d
            zz += weight * c * c
            zw += weight * c * d
            ww += weight * d * d
    for step in range(MOST_STEPS):
        if step >= PATIENCE:
            # Rotations far apart: each square of the matrix does the work of all steps before it.
            xx, xy, xz, xw, yy, yz, yw, zz, zw, ww = squared(xx, xy, xz, xw, yy, yz, yw, zz, zw, ww)
        nx = xx * x + xy * y + xz * z + xw * w
        ny = xy * x + yy * y + yz * z + yw * w
        nz = xz * x + yz * y + zz * z + zw * w
        nw = xw * x + yw * y + zw * z + ww * w
        scale = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw)
        nx, ny, nz, nw = nx * scale, ny * scale, nz * scale, nw * scale
        moved = (nx - x) * (nx - x) + (ny - y) * (ny - y) + (nz - z) * (nz - z) + (nw - w) * (nw - w)
        x, y, z, w = nx, ny, nz, nw
        if moved < CONVERGED:
            break
    return x, y, z, w


def squared(
    xx: float, xy: float, xz: float, xw: float, yy: float, yz: float, yw: float, zz: float, zw: float, ww: float
) -> tuple[float, float, float, float, float, float, float, float, float, float]:
    """The square of a symmetric matrix, brought to trace one."""
    scale = 1.0 / (xx + yy + zz + ww)
    scale *= scale
    a, b, c, d = (
        xx * xx + xy * xy + xz * xz + xw * xw, xy * xy + yy * yy + yz * yz + yw * yw,
        xz * xz + yz * yz + zz * zz + zw * zw, xw * xw + yw * yw + zw * zw + ww * ww,
    )  # fmt: skip
    return (
        scale * a,
        scale * (xx * xy + xy * yy + xz * yz + xw * yw),
        scale * (xx * xz + xy * yz + xz * zz + xw * zw),
        scale * (xx * xw + xy * yw + xz * zw + xw * ww),
        scale * b,
        scale * (xy * xz + yy * yz + yz * zz + yw * zw),
        scale * (xy * xw + yy * yw + yz * zw + yw * ww),
        scale * c,
        scale * (xz * xw + yz * yw + zz * zw + zw * ww),
        scale * d,
    )


def average_into(parts: Sequence[Frames], weights: FloatArray, definers: BoolArray, body: Character) -> Frames:
    """The mean of the frames of several clips, in the arrays of the first.

    Args:
        parts: n batches of T poses; not needed any more afterwards.
        weights: (n, T) not negative.
        definers: (n, J) which batch has a say in which joint.
        body: whose poses they are.
    """
    for part in parts[1:]:
        parts[0].widen(part, body)
    for part in parts[1:]:
        part.widen(parts[0], body)
    shares = weights[:, :, None] * definers[:, None, :]
    total = shares.sum(axis=0)
    alike = np.broadcast_to(definers[:, None, :], shares.shape)
    shares = np.where(total > 0, shares, alike)
    shares = shares / shares.sum(axis=0)
    made = parts[0]
    run(average_rotations, made.rotations, shares, np.stack([part.rotations for part in parts]))
    if made.translations is None:
        made.root[:] = _mean([part.root for part in parts], shares[:, :, 0])
    for name in ("translations", "scales"):
        values = getattr(made, name)
        if values is not None:
            values[:] = _mean([getattr(part, name) for part in parts], shares)
    if made.morphs is not None:
        made.morphs[:] = _mean([part.morphs for part in parts], shares[:, :, morph_joint(body)])
    return made


def _mean(values: Sequence[FloatArray | None], shares: FloatArray) -> FloatArray:
    """The sum of shares (n, ...) times values (n, ..., D); a share of one is exact."""
    total: FloatArray = np.zeros_like(values[0])
    for value, share in zip(values, shares, strict=True):
        assert value is not None
        total = total + share[..., None] * value
    return total
