"""Rotations as unit quaternions xyzw, in batches of any leading shape.

Every function takes anything numpy understands, broadcasts leading axes, leaves its arguments as they were,
and answers in float32 if all arrays were float32, else in float64. ``q`` and ``-q`` are the same rotation.
"""

from mummer.math.quaternion.algebra import (
    IDENTITY,
    conjugate,
    dot,
    inverse,
    multiply,
    normalize,
    random,
    rotate,
)
from mummer.math.quaternion.conversions import from_axis_angle, from_matrix, to_axis_angle, to_matrix
from mummer.math.quaternion.directions import between_vectors, look_rotation, perpendicular
from mummer.math.quaternion.exponential import exp, log, log_near, power
from mummer.math.quaternion.measures import (
    angle,
    angle_between,
    angular_velocity,
    continuous,
    equal_rotations,
    same_hemisphere,
)

__all__ = [
    "IDENTITY",
    "angle",
    "angle_between",
    "angular_velocity",
    "between_vectors",
    "conjugate",
    "continuous",
    "dot",
    "equal_rotations",
    "exp",
    "from_axis_angle",
    "from_matrix",
    "inverse",
    "log",
    "log_near",
    "look_rotation",
    "multiply",
    "normalize",
    "perpendicular",
    "power",
    "random",
    "rotate",
    "same_hemisphere",
    "to_axis_angle",
    "to_matrix",
]
