"""See `mummer.ik.limits`."""

from mummer.ik.limits import hinge_angle, hold_joint

__all__ = ["hinge_angle", "hold_joint"]
