"""Affine transforms as 3 x 4 matrices (..., 3, 4).

The first three columns are the linear part, the last one is the translation. They act on column vectors,
``world_from_joint @ (x, y, z, 1)``, and the row (0, 0, 0, 1) below is understood.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, require_shape
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.math._floats import as_floats


def compose(translation: npt.ArrayLike, rotation: npt.ArrayLike, scale: npt.ArrayLike = (1.0, 1.0, 1.0)) -> FloatArray:
    """The matrices that scale along the axes, then turn, then move.

    Args:
        translation: (..., 3) in the unit of the target frame, metres.
        rotation: (..., 4) unit quaternions xyzw.
        scale: (..., 3) factors, negative ones mirror. All leading axes broadcast.

    Returns:
        (..., 3, 4) ``target_from_source``.
    """
    translation, rotation, scale = as_floats(translation, rotation, scale)
    require_shape(translation, (3,), "a translation")
    require_shape(scale, (3,), "a scale")
    linear = quaternion.to_matrix(rotation) * scale[..., None, :]
    leading = np.broadcast_shapes(linear.shape[:-2], translation.shape[:-1])
    out = np.empty((*leading, 3, 4), linear.dtype)
    out[..., :3], out[..., 3] = linear, translation
    return out


def decompose(matrices: npt.ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The translation, rotation and scale of affine matrices, and how much of them that leaves out.

    Several rotations and signed scales can make one matrix. Scales come out positive, except that a matrix
    which mirrors gets a negative x. Sheared matrices get the rotation nearest to their axes and the best
    scale for that.

    Args:
        matrices: (..., 3, 4).

    Returns:
        translation (..., 3), rotation (..., 4) unit quaternions, scale (..., 3), and residual (...): the size
        of what ``compose`` of the three lacks, as a part of the size of the linear part; about 1e-16 without
        shear.
    """
    (matrices,) = _checked(matrices)
    linear = matrices[..., :3]
    mirror = np.ones(linear.shape[:-1], linear.dtype)
    mirror[..., 0] = np.where(np.linalg.det(linear) < 0, -1, 1)
    axes = linear * mirror[..., None, :]
    sizes = np.sqrt(np.sum(axes * axes, axis=-2))
    turn = _nearest_rotations(axes / np.where(sizes == 0, 1, sizes)[..., None, :])
    scale = np.sum(turn * axes, axis=-2) * mirror
    left_out = np.linalg.norm(linear - turn * scale[..., None, :], axis=(-2, -1))
    whole = np.linalg.norm(linear, axis=(-2, -1))
    residual = np.asarray(left_out / np.where(whole == 0, 1, whole))
    return matrices[..., 3].copy(), quaternion.from_matrix(turn), scale, residual


def multiply(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """(..., 3, 4) the transforms that do ``b`` first and ``a`` after it, (..., 3, 4) each; leading axes broadcast."""
    a, b = _checked(a, b)
    product = a[..., :3] @ b
    product[..., 3] += a[..., 3]
    return product


def inverse(matrices: npt.ArrayLike) -> FloatArray:
    """(..., 3, 4) the transforms that undo any affine ``matrices``, (..., 3, 4).

    Raises:
        InputError: if one flattens space, so that nothing can undo it.
    """
    (matrices,) = _checked(matrices)
    try:
        linear = np.linalg.inv(matrices[..., :3])
    except np.linalg.LinAlgError:
        flat = np.argwhere(np.linalg.det(matrices[..., :3]) == 0)
        place = f" at {tuple(flat[0].tolist())}" if flat.size else ""
        raise InputError(f"the matrix{place} flattens space and has no inverse; is a scale zero?") from None
    return _with_translation(linear, matrices[..., 3])


def inverse_rigid(matrices: npt.ArrayLike) -> FloatArray:
    """(..., 3, 4) the inverse of transforms that only turn and move: the linear part is just transposed."""
    (matrices,) = _checked(matrices)
    return _with_translation(np.swapaxes(matrices[..., :3], -1, -2), matrices[..., 3])


def apply_to_points(matrices: npt.ArrayLike, points: npt.ArrayLike) -> FloatArray:
    """(..., 3) where ``points``, (..., 3), come to by ``matrices``, (..., 3, 4); leading axes broadcast."""
    matrices, points = as_floats(matrices, points)
    return np.asarray(apply_to_vectors(matrices, points) + matrices[..., 3])


def apply_to_vectors(matrices: npt.ArrayLike, vectors: npt.ArrayLike) -> FloatArray:
    """(..., 3) the ``vectors``, (..., 3), turned and scaled but not moved by ``matrices``, (..., 3, 4)."""
    matrices, vectors = as_floats(matrices, vectors)
    require_shape(matrices, (3, 4), "an affine matrix")
    require_shape(vectors, (3,), "a vector")
    return np.einsum("...ij,...j->...i", matrices[..., :3], vectors)


def to_4x4(matrices: npt.ArrayLike) -> FloatArray:
    """(..., 4, 4) the same transforms with the row (0, 0, 0, 1) written out."""
    (matrices,) = _checked(matrices)
    out = np.zeros((*matrices.shape[:-2], 4, 4), matrices.dtype)
    out[..., :3, :] = matrices
    out[..., 3, 3] = 1
    return out


def from_4x4(matrices: npt.ArrayLike) -> FloatArray:
    """(..., 3, 4) the same transforms without their last row.

    Raises:
        InputError: if a last row is not (0, 0, 0, 1), as in perspective or in matrices meant for row vectors.
    """
    (matrices,) = as_floats(matrices)
    require_shape(matrices, (4, 4), "a homogeneous matrix")
    if not np.allclose(matrices[..., 3, :], [0, 0, 0, 1], rtol=0, atol=1e-6):
        raise InputError("a homogeneous matrix has a last row other than (0, 0, 0, 1); is it transposed?")
    return matrices[..., :3, :].copy()


def _nearest_rotations(matrices: FloatArray) -> FloatArray:
    """(..., 3, 3) the proper rotations nearest to ``matrices``, (..., 3, 3)."""
    gram = np.swapaxes(matrices, -1, -2) @ matrices
    is_rotation = np.abs(gram - np.eye(3)).max(axis=(-2, -1), initial=0) < 32 * np.finfo(matrices.dtype).eps
    if np.all(is_rotation):
        return matrices
    # Few matrices need the decomposition, which costs far more than everything else here.
    out = matrices.copy()
    left, _, right = np.linalg.svd(matrices[~is_rotation])
    left[..., 2] *= np.sign(np.linalg.det(left @ right))[..., None]
    out[~is_rotation] = left @ right
    return out


def _with_translation(linear: FloatArray, moved: FloatArray) -> FloatArray:
    """The inverse transform from the inverse linear part and the translation that is to be undone."""
    return np.concatenate([linear, -(linear @ moved[..., None])], axis=-1)


def _checked(*matrices: npt.ArrayLike) -> tuple[FloatArray, ...]:
    """The arguments in one floating type, each of shape (..., 3, 4)."""
    arrays = as_floats(*matrices)
    for array in arrays:
        require_shape(array, (3, 4), "an affine matrix")
    return arrays
