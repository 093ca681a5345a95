"""Rotations, transforms, curves and frequency bands: plain functions on arrays of any leading shape.

Quaternions are xyzw and unit, angles are in radians, times in seconds. Functions never change their
arguments.

=================  =====================================================================
`quaternion`       products, exponential map, conversions, directions, angles
`interpolate`      from one rotation to another: nlerp, slerp, explerp
`blend`            any number of rotations, in any order
`swing_twist`      a rotation as a twist about an axis and a swing of it
`euler`            Euler angles in every order
`steps`            from 0 to 1 without a kink
`splines`          smooth curves of vectors and of rotations through knots
`transform`        affine 3 x 4 matrices
`rigid`            rigid motions as translation and rotation
`dual_quaternion`  rigid motions as dual quaternions
`bands`            a motion as a sum of slow and fast parts
`vectors`          parts of vectors
=================  =====================================================================
"""

from mummer.math import (
    bands,
    blend,
    dual_quaternion,
    euler,
    interpolate,
    quaternion,
    rigid,
    splines,
    steps,
    swing_twist,
    transform,
    vectors,
)

__all__ = [
    "bands",
    "blend",
    "dual_quaternion",
    "euler",
    "interpolate",
    "quaternion",
    "rigid",
    "splines",
    "steps",
    "swing_twist",
    "transform",
    "vectors",
]
