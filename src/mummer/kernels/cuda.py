"""Compiling for CUDA and launching there; the same bodies as on the CPU.

Without a GPU, ``NUMBA_ENABLE_CUDASIM=1`` runs all of this in numba's simulator, which is how it is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np

from mummer.errors import MissingExtraError
from mummer.kernels.arguments import Argument
from mummer.kernels.linking import linked
from mummer.kernels.records import Order, reader

THREADS_PER_BLOCK = 128
MOST_BLOCKS = 65_535
REGISTERS = 128
"""Of a thread of a kernel for crowds. It would use all 255; with half of them twice as many wait for memory at once."""

_HELPERS: dict[bool, dict[FunctionType, Any]] = {}


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


def compile_grid(
    body: FunctionType, arguments: dict[str, Argument], dtype: str, *, for_crowds: bool = False
) -> Callable[..., Any]:
    """A CUDA kernel ``grid(count, *arguments)`` whose threads stride over the items; records come by address."""
    cuda, single = cuda_module(), for_crowds and dtype == "float32"
    helpers = _HELPERS.setdefault(single, {})
    options: dict[str, Any] = {"fastmath": True} if single else {}

    def jit_helper(function: FunctionType) -> Any:
        return cuda.jit(device=True, **options)(narrowed(function) if single else function)

    records = {} if is_simulated() else {name: one for name, one in arguments.items() if one.record is not None}
    order: Order = "F" if for_crowds else "C"
    scope: dict[str, Any] = {f"_at_{name}": reader(order).found_at(one, dtype) for name, one in records.items()}
    scope |= {"cuda": cuda, "_one": jit_helper(linked(body, jit_helper, helpers))}
    listed = ", ".join(arguments)
    found = ", ".join(f"_at_{name}({name})" if name in records else name for name in arguments)
    text = (
        f"def grid(count, {listed}):\n"
        " for item in range(cuda.grid(1), count, cuda.gridsize(1)):\n"
        f"  _one(item, {found})\n"
    )
    exec(compile(text, f"<grid of {body.__name__}>", "exec"), scope)
    if for_crowds and not is_simulated():
        options["max_registers"] = REGISTERS
    grid: Callable[..., Any] = cuda.jit(**options)(scope["grid"])
    return grid


def is_simulated() -> bool:
    """Whether numba simulates a GPU, which knows nothing of addresses."""
    return bool(getattr(import_module("numba.core.config"), "ENABLE_CUDASIM"))  # noqa: B009


def narrowed(function: FunctionType) -> FunctionType:
    """A function whose numbers with a point, in its code or by a global name, are of single precision."""

    def narrow(value: Any) -> Any:
        if type(value) is tuple:
            return tuple(narrow(one) for one in value)
        return np.float32(value) if type(value) is float else value

    code = function.__code__
    names = {name: narrow(value) for name, value in function.__globals__.items()}
    made = FunctionType(
        code.replace(co_consts=narrow(code.co_consts)), names, function.__name__, narrow(function.__defaults__)
    )
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    return made


def address_of(array: Any, order: Order = "C") -> int:
    """Where the data of an array on the device is.

    Raises:
        TypeError: if it is not in one piece in that order.
    """
    if not (array.is_c_contiguous() if order == "C" else array.is_f_contiguous()):
        raise TypeError(f"an array of shape {tuple(array.shape)} is not in one piece in order {order}")
    return int(array.__cuda_array_interface__["data"][0])


@contextmanager
def narrow_numbers() -> Iterator[None]:
    """While a kernel of single precision is compiled: a whole number beside a number of it does not widen that."""
    types = import_module("numba.core.types")
    casts = import_module("numba.cuda.descriptor").cuda_target.typing_context.tm
    others = (types.float32, types.float64, types.complex64, types.complex128)
    before = {other: casts.check_compatible(types.int64, other) for other in others}
    for other in others:
        casts.set_unsafe_convert(types.int64, other)
    casts.set_safe_convert(types.int64, types.float32)
    try:
        yield
    finally:
        for other, cast in before.items():
            casts.set_compatible(types.int64, other, cast)


def launch(grid: Any, count: int, arguments: tuple[Any, ...], *, stream: Any = 0, single: bool = False) -> None:
    """Start ``grid`` over ``count`` items; returns before it has finished, as CUDA launches do."""
    if count > 0:
        blocks = min(MOST_BLOCKS, -(-count // THREADS_PER_BLOCK))
        is_new = single and not is_simulated() and not grid.overloads
        with narrow_numbers() if is_new else nullcontext():
            grid[blocks, THREADS_PER_BLOCK, stream](count, *arguments)
