"""Smooth curves of rotations through knots: exact at the knots, with no jump of angular velocity there."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.math import interpolate, quaternion
from mummer.math._floats import as_floats
from mummer.math.splines.knots import Segments, locate, require_values


def squad(times: npt.ArrayLike, quaternions: npt.ArrayLike, at: npt.ArrayLike) -> FloatArray:
    """The spherical quadrangle curve: a slerp between two slerps, one through the knots and one beside them.

    For even times this is Shoemake's curve. For uneven ones each knot gets a control point on either side,
    chosen so that the angular velocity, which is that of `quaternion.angular_velocity`, is the same before
    and after the knot.

    Args:
        times: (K,) seconds of the knots, increasing.
        quaternions: (K, ..., 4) unit quaternions xyzw at the knots; the shorter way between neighbors is
            meant.
        at: (...) seconds; outside the knots the end rotations hold.

    Returns:
        (*at.shape, ..., 4) unit quaternions.

    Raises:
        InputError: if knots do not increase or shapes do not fit.
    """
    times, at, q, segments = _knots(times, quaternions, at)
    if len(times) == 1:
        return q[segments.before]
    span, u = segments.reach(q.ndim - 1)
    start, end = q[segments.before], q[segments.after]
    spin = quaternion.angular_velocity(q, times, frame="joint")
    between = quaternion.log(quaternion.multiply(quaternion.conjugate(start), end))
    leaving = quaternion.multiply(start, quaternion.exp((span * spin[segments.before] - between) / 2))
    arriving = quaternion.multiply(end, quaternion.exp((between - span * spin[segments.after]) / 2))
    # Signs are already consistent, and a wide control polygon may rightly go the longer way.
    part = u[..., 0]
    through = interpolate.slerp(start, end, part, shortest=False)
    beside = interpolate.slerp(leaving, arriving, part, shortest=False)
    return interpolate.slerp(through, beside, 2 * part * (1 - part), shortest=False)


def spherical_cubic(
    times: npt.ArrayLike,
    quaternions: npt.ArrayLike,
    at: npt.ArrayLike,
    *,
    angular_velocities: npt.ArrayLike | None = None,
) -> FloatArray:
    """The Hermite curve of rotations: cubic, with given angular velocities at its knots.

    Each segment is a product of three turns, the first by the velocity at its start, the last by that at its
    end, and the middle one by what remains, faded in one after the other as the terms of a Bézier curve are.

    Args:
        times: (K,) seconds of the knots, increasing.
        quaternions: (K, ..., 4) unit quaternions parent_from_joint at the knots.
        at: (...) seconds; outside the knots the end rotations hold.
        angular_velocities: (K, ..., 3) radians per second in the parent's frame; by default those of
            `quaternion.angular_velocity`.

    Returns:
        (*at.shape, ..., 4) unit quaternions.

    Raises:
        InputError: if knots do not increase or shapes do not fit.
    """
    times, at, q, segments = _knots(times, quaternions, at)
    spin = _joint_velocities(times, q, angular_velocities)
    span, u = segments.reach(q.ndim - 1)
    start, end = q[segments.before], q[segments.after]
    first = span * spin[segments.before] / 3
    last = span * spin[segments.after] / 3
    middle = quaternion.log(
        quaternion.multiply(
            quaternion.multiply(quaternion.exp(-first), quaternion.multiply(quaternion.conjugate(start), end)),
            quaternion.exp(-last),
        )
    )
    out = quaternion.multiply(start, quaternion.exp(first * (1 - (1 - u) ** 3)))
    out = quaternion.multiply(out, quaternion.exp(middle * (u * u * (3 - 2 * u))))
    return quaternion.normalize(quaternion.multiply(out, quaternion.exp(last * u**3)))


def _knots(
    times: npt.ArrayLike, quaternions: npt.ArrayLike, at: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, Segments]:
    """The arguments in one floating type, rotations with signs that do not flip, and where each time falls."""
    times, at, q = as_floats(times, at, quaternions)
    segments = locate(times, at)
    require_values(q, len(times), "quaternions")
    if q.ndim < 2 or q.shape[-1] != 4:
        raise InputError(f"quaternions have shape {q.shape}; expected ({len(times)}, ..., 4)")
    return times, at, quaternion.continuous(q, axis=0), segments


def _joint_velocities(times: FloatArray, q: FloatArray, given: npt.ArrayLike | None) -> FloatArray:
    """(K, ..., 3) angular velocities at the knots in the frame of the turning joint."""
    if given is None:
        return quaternion.angular_velocity(q, times, frame="joint")
    velocities = np.asarray(given, q.dtype)
    require_values(velocities, len(times), "angular_velocities", (*q.shape[:-1], 3))
    return quaternion.rotate(quaternion.conjugate(q), velocities)
