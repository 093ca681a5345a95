"""See `mummer.ik.limits`."""

from mummer.ik.limits import AXIS, KIND, RANGE, REST, SECOND_AXIS, SECOND_RANGE, WIDTH, joint_table

__all__ = ["AXIS", "KIND", "RANGE", "REST", "SECOND_AXIS", "SECOND_RANGE", "WIDTH", "joint_table"]
