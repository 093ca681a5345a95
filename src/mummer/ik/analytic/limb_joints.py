"""See `mummer.ik.limb_joints`."""

from mummer.ik.limb_joints import TWIST, LimbJoints, find_limb, preferred_axis

__all__ = ["TWIST", "LimbJoints", "find_limb", "preferred_axis"]
