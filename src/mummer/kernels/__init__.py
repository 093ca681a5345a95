"""Hot loops over flat arrays, from one Python source for CPU threads and CUDA.

Importing this package compiles nothing and does not import numba: the first call of a function does, and what it
compiled is kept on disk for the next process. `mummer.kernels.kernel` says how to write another kernel.
"""

from mummer.kernels.fk_affine import fk_affine
from mummer.kernels.fk_rigid import fk_rigid
from mummer.kernels.kernel import KERNELS, Compiled, Kernel, compiled, kernel
from mummer.kernels.morph import morph
from mummer.kernels.place import Backend, Place, choose_place
from mummer.kernels.skin_dual_quaternion import skin_dual_quaternion, skin_dual_quaternion_normals
from mummer.kernels.skin_linear import skin_linear, skin_linear_normals
from mummer.kernels.threads import thread_count

__all__ = [
    "KERNELS",
    "Backend",
    "Compiled",
    "Kernel",
    "Place",
    "choose_place",
    "compiled",
    "fk_affine",
    "fk_rigid",
    "kernel",
    "morph",
    "skin_dual_quaternion",
    "skin_dual_quaternion_normals",
    "skin_linear",
    "skin_linear_normals",
    "thread_count",
]
