"""The limits and rest rotations of joints as one table of numbers, which is cheap to hand to a kernel."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.ik.rigid_body import RigidBody

KIND, AXIS, SECOND_AXIS, RANGE, SECOND_RANGE, REST, WIDTH = 0, 1, 4, 7, 9, 11, 15

_tables: WeakKeyDictionary[RigidBody, FloatArray] = WeakKeyDictionary()


def joint_table(body: RigidBody) -> FloatArray:
    """(J, WIDTH) for each joint: kind, axis, second axis, range and second range of its limit, rest rotation."""
    found = _tables.get(body)
    if found is None:
        limits = body.limits
        columns = [
            limits.kinds[:, None], limits.axes, limits.second_axes, limits.ranges, limits.second_ranges,
            body.rest_rotations,
        ]  # fmt: skip
        found = _tables[body] = locked(np.concatenate(columns, axis=1))
    return found
