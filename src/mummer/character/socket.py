"""Sockets: named places on a body where something is held, worn or held on to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, locked, require_finite
from mummer.character._checks import require_exact_shape
from mummer.errors import InputError
from mummer.math.rigid import Rigid


def _identity() -> Rigid:
    return np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Socket:
    """A place that moves with one joint.

    Attributes:
        name: what it is for, for instance ``right_grip`` or ``saddle``.
        joint: index of the joint that carries it.
        joint_from_socket: translation (3,) in the joint's own units (metres unless joints are scaled) and rotation
            (4,) unit quaternion xyzw; the joint's own frame if not given.

    Example:
        >>> grip = Socket("right_grip", 7, ([0.08, 0, 0], [0, 0, 0, 1]))
        >>> grip.translation.tolist()
        [0.08, 0.0, 0.0]
    """

    name: str
    joint: int
    joint_from_socket: Rigid = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        given = _identity() if self.joint_from_socket is None else self.joint_from_socket
        if len(given) != 2:
            raise InputError(f"socket {self.name!r} needs a translation and a rotation")
        translation, rotation = locked(given[0]), locked(given[1])
        for values, shape, part in ((translation, (3,), "translation"), (rotation, (4,), "rotation")):
            require_exact_shape(values, shape, f"{part} of socket {self.name!r}")
            require_finite(values, f"{part} of socket {self.name!r}")
        length = float(np.linalg.norm(rotation))
        if abs(length - 1) > 1e-6:
            raise InputError(f"rotation of socket {self.name!r} has length {length:g}; expected 1")
        object.__setattr__(self, "joint", int(self.joint))
        object.__setattr__(self, "joint_from_socket", (translation, rotation))

    @property
    def translation(self) -> FloatArray:
        """(3,) where the socket is in its joint's frame."""
        return self.joint_from_socket[0]

    @property
    def rotation(self) -> FloatArray:
        """(4,) how the socket is turned in its joint's frame."""
        return self.joint_from_socket[1]
