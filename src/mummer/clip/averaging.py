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
from mummer.kernels.arguments import Floats2, Floats4, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four

# How far, squared, a step may still move before the next would change nothing but rounding.
CONVERGED = 1e-24
MOST_STEPS = 40


@kernel
def average_rotations(frame: int, weights: Floats2, says: Floats2, given: Floats4, out: Output3) -> None:
    """One frame of the rotations nearest to those of all clips.

    Clip n of ``given`` (n, T, J, 4) counts by ``weights`` (n, T) in the joints for which ``says`` (n, J) is 1; where
    none with a weight says anything, all that do count alike.
    """
    for joint in range(out.shape[1]):
        total = 0.0
        for place in range(given.shape[0]):
            total += weights[place, frame] * says[place, joint]
        is_empty = not total > 0.0
        best, most, active = 0, -1.0, 0
        for place in range(given.shape[0]):
            weight = says[place, joint] if is_empty else weights[place, frame] * says[place, joint]
            if weight > 0.0:
                active += 1
            if weight > most:
                best, most = place, weight
        if active > 1:
            nearest_to_all(frame, joint, best, is_empty, weights, says, given, out)
        else:
            for axis in range(4):
                out[frame, joint, axis] = given[best, frame, joint, axis]


def nearest_to_all(
    frame: int,
    joint: int,
    best: int,
    is_empty: bool,
    weights: Floats2,
    says: Floats2,
    given: Floats4,
    out: Output3,
) -> None:
    """Write the largest eigenvector of the weighted sum of q qᵀ, found by powers from the sum of the q."""
    x = y = z = w = 0.0
    xx = xy = xz = xw = yy = yz = yw = zz = zw = ww = 0.0
    for place in range(given.shape[0]):
        weight = says[place, joint] if is_empty else weights[place, frame] * says[place, joint]
        a, b, c, d = (
            given[place, frame, joint, 0], given[place, frame, joint, 1],
            given[place, frame, joint, 2], given[place, frame, joint, 3],
        )  # fmt: skip
        along = (
            a * given[best, frame, joint, 0] + b * given[best, frame, joint, 1]
            + c * given[best, frame, joint, 2] + d * given[best, frame, joint, 3]
        )  # fmt: skip
        signed = -weight if along < 0.0 else weight
        x, y, z, w = x + signed * a, y + signed * b, z + signed * c, w + signed * d
        xx, xy, xz, xw = xx + weight * a * a, xy + weight * a * b, xz + weight * a * c, xw + weight * a * d
        yy, yz, yw = yy + weight * b * b, yz + weight * b * c, yw + weight * b * d
        zz, zw, ww = zz + weight * c * c, zw + weight * c * d, ww + weight * d * d
    x, y, z, w = unit_quaternion(x, y, z, w)
    xx, xy, xz, xw, yy, yz, yw, zz, zw, ww = squared(xx, xy, xz, xw, yy, yz, yw, zz, zw, ww)
    for _ in range(MOST_STEPS):
        # Each square of the matrix does the work of all steps before it.
        xx, xy, xz, xw, yy, yz, yw, zz, zw, ww = squared(xx, xy, xz, xw, yy, yz, yw, zz, zw, ww)
        nx, ny, nz, nw = unit_quaternion(
            xx * x + xy * y + xz * z + xw * w,
            xy * x + yy * y + yz * z + yw * w,
            xz * x + yz * y + zz * z + zw * w,
            xw * x + yw * y + zw * z + ww * w,
        )
        moved = (nx - x) * (nx - x) + (ny - y) * (ny - y) + (nz - z) * (nz - z) + (nw - w) * (nw - w)
        x, y, z, w = nx, ny, nz, nw
        if moved < CONVERGED:
            break
    out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3] = x, y, z, w


def unit_quaternion(x: float, y: float, z: float, w: float) -> Four:
    """The quaternion at length one."""
    scale = 1.0 / math.sqrt(x * x + y * y + z * z + w * w)
    return x * scale, y * scale, z * scale, w * scale


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
    made, says = parts[0], definers.astype(np.float64)
    turned = np.stack([part.rotations for part in parts])
    run(average_rotations, made.rotations, weights, says, turned)
    if made.translations is None:
        made.root[:] = _mean([part.root for part in parts], _shares(weights, says[:, :1])[:, :, 0])
    for name in ("translations", "scales"):
        values = getattr(made, name)
        if values is not None:
            values[:] = _mean([getattr(part, name) for part in parts], _shares(weights, says))
    if made.morphs is not None:
        face = morph_joint(body)
        made.morphs[:] = _mean([part.morphs for part in parts], _shares(weights, says[:, face : face + 1])[:, :, 0])
    return made


def _shares(weights: FloatArray, says: FloatArray) -> FloatArray:
    """(n, T, k) what each clip counts in k joints; sums to one."""
    shares = weights[:, :, None] * says[:, None, :]
    shares = np.where(shares.sum(axis=0) > 0, shares, says[:, None, :])
    return np.asarray(shares / shares.sum(axis=0))


def _mean(values: Sequence[FloatArray | None], shares: FloatArray) -> FloatArray:
    """The sum of shares (n, ...) times values (n, ..., D); a share of one is exact."""
    total: FloatArray = np.zeros_like(values[0])
    for value, share in zip(values, shares, strict=True):
        assert value is not None
        total = total + share[..., None] * value
    return total
