"""`@kernel`: a hot loop written once as what happens to one item, compiled on first use for where it runs.

::

    @kernel
    def double(item: int, values: Floats1, doubled: Output1) -> None:
        doubled[item] = values[item] + values[item]

    place = choose_place(None, values)
    place.run(double, len(values), values, doubled)

The body uses plain arithmetic, ``math`` and other functions of that kind (they are found and compiled with it), reads
and writes only its own item's results, and avoids float literals: ``2.0 * x`` would widen a float32 to float64, so
write ``x + x``. Importing a module full of kernels compiles nothing and does not import numba.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

from mummer.kernels.arguments import Argument, arguments_of

KERNELS: dict[str, Kernel] = {}


class Kernel:
    """One item's work, and the compiled loops made of it. Build it with `kernel`.

    Attributes:
        name: the name of the body.
        body: the plain Python function ``body(item, *arguments)``; calling it is the slow reference.
        arguments: the declared parameters after the item.
        on_cuda: whether CUDA may run it; some bodies exist for CPU caches alone.
        borrows: whether it takes its arrays as they are, counting no references: for records of many.
        for_crowds: whether on CUDA its records hold items last in memory where they are written, and all of it is of
            single precision, with division, roots and sines that may be off by their last bits: for many small items.
    """

    def __init__(self, body: FunctionType, *, on_cuda: bool, borrows: bool, for_crowds: bool) -> None:
        self.name, self.body, self.on_cuda, self.borrows = body.__name__, body, on_cuda, borrows
        self.for_crowds = for_crowds
        self.arguments: dict[str, Argument] = arguments_of(body, skip=1)
        self._loops: dict[str, Callable[..., Any]] = {}
        self._grids: dict[str, Callable[..., Any]] = {}

    def loop(self, dtype: str) -> Callable[..., Any]:
        """The compiled ``loop(start, stop, *arguments)`` for CPU, for ``"float32"`` or ``"float64"``."""
        found = self._loops.get(dtype)
        if found is None:
            from mummer.kernels.cpu import compile_loop

            found = self._loops[dtype] = compile_loop(self.body, self.arguments, dtype, borrows=self.borrows)
        return found

    def grid(self, dtype: str) -> Callable[..., Any]:
        """The CUDA kernel ``grid(count, *arguments)`` for one precision."""
        found = self._grids.get(dtype)
        if found is None:
            from mummer.kernels.cuda import compile_grid

            found = self._grids[dtype] = compile_grid(self.body, self.arguments, dtype, for_crowds=self.for_crowds)
        return found

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(self.arguments)})>"


class Compiled:
    """A whole function compiled on first use for one CPU thread. Build it with `compiled`.

    Attributes:
        function: the plain Python function.
        arguments: its declared parameters.
    """

    def __init__(self, function: FunctionType) -> None:
        self.function, self.arguments = function, arguments_of(function, skip=0)
        self._by_dtype: dict[Any, Callable[..., Any]] = {}

    def at(self, dtype: Any) -> Callable[..., Any]:
        """The compiled function for a numpy float type; other array types raise TypeError when it is called."""
        found = self._by_dtype.get(dtype)
        if found is None:
            from mummer.kernels.cpu import compile_function

            found = self._by_dtype[dtype] = compile_function(self.function, self.arguments, str(dtype))
        return found


def kernel(
    body: Callable[..., None] | None = None, *, on_cuda: bool = True, borrows: bool = False, for_crowds: bool = False
) -> Any:
    """Make the function below a `Kernel`, listed in ``KERNELS``; usable with or without options.

    Args:
        body: ``body(item, *arguments)``, each argument annotated with a type of `mummer.kernels.arguments`.
        on_cuda: False for a body that CUDA must not run, such as one that allocates.
        borrows: True for a body that takes records of many arrays and allocates none; see `Kernel.borrows`.
        for_crowds: True for a body that CUDA runs for many items in single precision; see `Kernel.for_crowds`.
    """
    options = {"on_cuda": on_cuda, "borrows": borrows, "for_crowds": for_crowds}
    if body is None:
        return lambda function: kernel(function, **options)
    made = Kernel(cast(FunctionType, body), **options)
    KERNELS[made.name] = made
    return made


def compiled(function: Callable[..., Any]) -> Compiled:
    """Make the function below a `Compiled` one."""
    return Compiled(cast(FunctionType, function))
