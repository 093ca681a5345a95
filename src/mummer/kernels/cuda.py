"""Compiling for CUDA and launching there; the same bodies as on the CPU.

Without a GPU, ``NUMBA_ENABLE_CUDASIM=1`` runs all of this in numba's simulator, which is how it is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np

from mummer.errors import MissingExtraError
from mummer.kernels.linking import linked

THREADS_PER_BLOCK = 128
MOST_BLOCKS = 65_535

_HELPERS: dict[FunctionType, Any] = {}


def cuda_module() -> Any:
    """The module ``numba.cuda``, once a GPU (or the simulator) is known to be there.

    Raises:
        MissingExtraError: when there is none.
    """
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 still asks for it; numpy 2.5 dropped it
        setattr(np, "row_stack", np.vstack)  # noqa: B010
    try:
        cuda: Any = import_module("numba.cuda")
        if cuda.is_available():
            return cuda
    except ImportError:
        pass
    raise MissingExtraError("cuda", "backend 'cuda' (which also needs an NVIDIA GPU with its driver)")


def is_device_array(value: Any) -> bool:
    """Whether ``value`` lives in GPU memory (numba, CuPy, torch and others that say so)."""
    return hasattr(value, "__cuda_array_interface__") or is_numba_array(value)


def is_numba_array(value: Any) -> bool:
    """Whether ``value`` is a device array of numba itself; those of its simulator have no interface to say so."""
    return hasattr(value, "copy_to_host")


def compile_grid(body: FunctionType, names: list[str]) -> Callable[..., Any]:
    """A CUDA kernel ``grid(count, *arguments)`` whose threads stride over the items."""
    cuda = cuda_module()

    def jit_helper(function: FunctionType) -> Any:
        return cuda.jit(device=True)(function)

    listed = ", ".join(names)
    text = (
        f"def grid(count, {listed}):\n"
        " for item in range(cuda.grid(1), count, cuda.gridsize(1)):\n"
        f"  _one(item, {listed})\n"
    )
    scope: dict[str, Any] = {"cuda": cuda, "_one": jit_helper(linked(body, jit_helper, _HELPERS))}
    exec(compile(text, f"<grid of {body.__name__}>", "exec"), scope)
    grid: Callable[..., Any] = cuda.jit(scope["grid"])
    return grid


def launch(grid: Any, count: int, arguments: tuple[Any, ...]) -> None:
    """Start ``grid`` over ``count`` items; returns before it has finished, as CUDA launches do."""
    if count > 0:
        blocks = min(MOST_BLOCKS, -(-count // THREADS_PER_BLOCK))
        grid[blocks, THREADS_PER_BLOCK](count, *arguments)
