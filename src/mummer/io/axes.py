"""Turning the axes of a file into ours, Y up, exactly: coordinates change places and signs, nothing is rounded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import UnknownNameError

# For each of our x, y, z: the coordinate of the file that it is, and its sign. All are proper rotations.
_OURS_FROM_FILE: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "+Y": ((0, 1, 2), (1, 1, 1)),
    "+Z": ((0, 2, 1), (1, 1, -1)),
    "+X": ((1, 0, 2), (-1, 1, 1)),
    "-Y": ((0, 1, 2), (1, -1, -1)),
    "-Z": ((0, 2, 1), (1, -1, 1)),
    "-X": ((1, 0, 2), (1, -1, 1)),
}
UP_AXES = tuple(_OURS_FROM_FILE)
"""Every axis that may point up in a file."""


@dataclass(frozen=True)
class AxisChange:
    """The rotation that brings a file's up axis to +Y, applied to vectors and to rotations.

    A file with +Z up that faces -Y faces +Z afterwards.

    Example:
        >>> AxisChange("+Z").vectors(np.array([1.0, 2.0, 3.0])).tolist()
        [1.0, 3.0, -2.0]

    Attributes:
        up: the file's up axis, one of `UP_AXES`.
    """

    up: str = "+Y"

    def __post_init__(self) -> None:
        if self.up not in _OURS_FROM_FILE:
            raise UnknownNameError("the list of axes", "up axis", self.up, UP_AXES)

    @property
    def is_identity(self) -> bool:
        """Whether the file's axes are ours."""
        return self.up == "+Y"

    def vectors(self, values: FloatArray) -> FloatArray:
        """(..., 3) vectors of the file in our axes."""
        places, signs = _OURS_FROM_FILE[self.up]
        return values if self.is_identity else values[..., list(places)] * np.array(signs, float)

    def undo_vectors(self, values: FloatArray) -> FloatArray:
        """(..., 3) our vectors in the axes of the file."""
        if self.is_identity:
            return values
        places, signs = _OURS_FROM_FILE[self.up]
        back = np.argsort(places)
        return values[..., back] * np.array(signs, float)[back]

    def sizes(self, values: FloatArray) -> FloatArray:
        """(..., 3) scale factors along the file's axes, along ours."""
        return values if self.is_identity else values[..., list(_OURS_FROM_FILE[self.up][0])]

    def rotations(self, values: FloatArray) -> FloatArray:
        """(..., 4) rotations between frames with the file's axes, between frames with ours."""
        if self.is_identity:
            return values
        return np.concatenate([self.vectors(values[..., :3]), values[..., 3:]], axis=-1)

    def undo_rotations(self, values: FloatArray) -> FloatArray:
        """(..., 4) rotations between frames with our axes, between frames with the file's."""
        if self.is_identity:
            return values
        return np.concatenate([self.undo_vectors(values[..., :3]), values[..., 3:]], axis=-1)
