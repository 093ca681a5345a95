"""The arrays that every skinning takes, checked and brought to where it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.errors import InputError
from mummer.kernels.checks import expect_shape, float_type, framed, joint_indices, leading_frames
from mummer.kernels.place import Backend, Place, choose_place


@dataclass(frozen=True)
class SkinInputs:
    """One mesh, what moves it, and where it is computed.

    Attributes:
        place: where the arrays are.
        dtype: the precision, float32 or float64.
        points: (V, 3) rest vertices or normals.
        indices: (V, K) joints.
        weights: (V, K).
        matrices: (T, J, 3, 4) world_from_joint · joint_from_rest.
        lead: ``(T,)``, or ``()`` when one frame was given.
    """

    place: Place
    dtype: np.dtype[Any]
    points: Any
    indices: Any
    weights: Any
    matrices: Any
    lead: tuple[int, ...]

    @property
    def frames(self) -> int:
        """The number of frames T."""
        return int(self.matrices.shape[0])

    @property
    def joints(self) -> int:
        """The number of joints J."""
        return int(self.matrices.shape[1])

    @property
    def vertices(self) -> int:
        """The number of vertices V."""
        return int(self.points.shape[0])


def skin_inputs(points: Any, indices: Any, weights: Any, matrices: Any, backend: Backend | None) -> SkinInputs:
    """The inputs of a skinning at the place where it will run, in the precision of ``matrices``.

    Raises:
        InputError: for shapes that do not fit, a vertex without influences, or an index that names no joint.
    """
    place = choose_place(backend, points, indices, weights, matrices)
    dtype = float_type(matrices)
    moved = place.array(matrices, dtype)
    shape = tuple(moved.shape)
    if len(shape) not in (3, 4) or shape[-3] == 0:
        raise InputError(f"matrices have shape {shape}; expected (T, J, 3, 4) or (J, 3, 4), J at least 1")
    joints = shape[-3]
    lead = leading_frames("matrices", moved, (joints, 3, 4), "(T, J, 3, 4) or (J, 3, 4)")
    rest = place.array(points, dtype)
    expect_shape("rest", rest, (None, 3), "(V, 3)")
    bound, amounts = joint_indices(place, indices, joints), place.array(weights, dtype)
    expect_shape("indices", bound, (len(rest), None), "(V, K)")
    expect_shape("weights", amounts, tuple(bound.shape), "(V, K), like indices")
    if bound.shape[1] == 0:
        raise InputError("indices name no joint for any vertex; expected (V, K) with K at least 1")
    return SkinInputs(place, dtype, rest, bound, amounts, framed(moved, (joints, 3, 4)), lead)
