"""BVH: a hierarchy of offsets and Euler-angle channels, then one line of numbers a frame."""

from mummer.io.bvh.reader import read
from mummer.io.bvh.writer import write

__all__ = ["read", "write"]
