"""Where a kernel runs, and how arrays get there and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from mummer.errors import InputError, UnknownNameError
from mummer.kernels import cuda
from mummer.kernels.arguments import Argument
from mummer.kernels.kernel import Kernel
from mummer.kernels.records import Order, order_of, words_of
from mummer.kernels.threads import share_out

Backend = Literal["cpu", "cuda"]
PRECISIONS = {np.dtype(np.float32): "float32", np.dtype(np.float64): "float64"}


class Place(Protocol):
    """A machine that runs kernels: the CPU's threads or one GPU."""

    is_cpu: bool

    def array(self, value: Any, dtype: npt.DTypeLike) -> Any:
        """``value`` as an array of ``dtype`` that lives here; the same one when it already does."""

    def empty(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """A new array here, not filled."""

    def run(self, kernel: Kernel, count: int, *arguments: Any, grain: int = 1) -> None:
        """Do ``count`` items of ``kernel``; ``grain`` items at a time on one CPU thread."""

    def result(self, array: Any) -> Any:
        """``array`` where the caller keeps theirs."""


class CpuPlace:
    """This process's threads and memory."""

    is_cpu = True

    def array(self, value: Any, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """See `Place.array`."""
        return np.ascontiguousarray(value, dtype=dtype)

    def empty(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """See `Place.empty`."""
        return np.empty(shape, dtype)

    def run(self, kernel: Kernel, count: int, *arguments: Any, grain: int = 1) -> None:
        """See `Place.run`."""
        share_out(kernel.loop(precision_of(arguments)), count, grain, arguments)

    def result(self, array: Any) -> Any:
        """See `Place.result`."""
        return array

    def apart(self) -> CpuPlace:
        """The same for one who runs kernels again and again on the same records."""
        return _OwnCpuPlace()


class _OwnCpuPlace(CpuPlace):
    """Looks at records when it meets them first: of a hundred arrays that takes longer than many a kernel."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[Any, ...], Callable[..., Any]]] = {}

    def run(self, kernel: Kernel, count: int, *arguments: Any, grain: int = 1) -> None:
        """See `Place.run`."""
        known, entry = self._known.get(kernel.name, ((), None))
        if entry is not None and all(map(_is_known, arguments, known)):
            share_out(entry, count, grain, arguments)
            return
        super().run(kernel, count, *arguments, grain=grain)
        (compiled,) = kernel.loop(precision_of(arguments)).overloads.values()  # type: ignore[attr-defined]
        self._known[kernel.name] = arguments, compiled.entry_point


def _is_known(value: Any, before: Any) -> bool:
    return value is before or type(value) is type(before) is float


class CudaPlace:
    """The current CUDA device.

    Attributes:
        stays: whether the caller's arrays live on the device, so that results do too.
    """

    is_cpu = False

    def __init__(self, *, stays: bool, stream: Any = 0) -> None:
        self.stays, self.stream, self._cuda = stays, stream, cuda.cuda_module()
        self._moved: dict[Any, tuple[Any, Any]] = {}
        self._words: dict[Any, tuple[Any, Any]] = {}

    def array(self, value: Any, dtype: npt.DTypeLike) -> Any:
        """See `Place.array`. A device array of another type is an error: converting it would hide a transfer."""
        if not cuda.is_device_array(value):
            return self._cuda.to_device(np.ascontiguousarray(value, dtype=dtype))
        array = value if cuda.is_numba_array(value) else self._cuda.as_cuda_array(value)
        if array.dtype != np.dtype(dtype):
            raise InputError(f"a device array holds {array.dtype}; expected {np.dtype(dtype)}")
        return array

    def empty(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """See `Place.empty`."""
        return self._cuda.device_array(shape, dtype)

    def run(self, kernel: Kernel, count: int, *arguments: Any, grain: int = 1) -> None:  # noqa: ARG002
        """See `Place.run`; the grain is a matter of CPU threads."""
        assert kernel.on_cuda, f"{kernel} is not for CUDA"
        dtype = precision_of(arguments)
        given = zip(arguments, kernel.arguments.values(), strict=True)
        order: Order = "F" if kernel.for_crowds else "C"
        ready = tuple(self._passed(value, argument, dtype, order) for value, argument in given)
        single = kernel.for_crowds and dtype == "float32"
        cuda.launch(kernel.grid(dtype), count, ready, stream=self.stream, single=single)

    def apart(self) -> CudaPlace:
        """The same device with a stream of its own, so that kernels run beside those of others."""
        return CudaPlace(stays=True, stream=self._cuda.stream())

    def wait(self) -> None:
        """Until all that was started here is done."""
        self._cuda.synchronize()

    def kept(self, record: Any, argument: Argument, dtype: str) -> Any:
        """A record that does not change, as it is there; it is moved when it is met first."""
        known, there = self._moved.get(argument.record, (None, None))
        if known is not record:
            there = self.moved(record, argument, dtype)
            self._moved[argument.record] = record, there
        return there

    def moved(self, value: Any, argument: Argument, dtype: str) -> Any:
        """A record, or an array or number of one, as this device holds it for kernels for crowds."""
        if argument.record is not None:
            fields = zip(value, argument.fields, strict=True)
            return argument.record(*(self.moved(one, field, dtype) for one, field in fields))
        if argument.ndim == 0:
            return value
        kind = np.dtype(dtype if argument.dtype == "float" else argument.dtype)
        return self._cuda.to_device(np.array(value, kind, order=order_of(argument, "F")))

    def _passed(self, value: Any, argument: Argument, dtype: str, order: Order) -> Any:
        """An argument as a kernel takes it: of a record the address of its words, which are kept for the next time."""
        if argument.record is None or cuda.is_simulated():
            narrow = argument.ndim == 0 and argument.dtype == "float64" and dtype == "float32" and order == "F"
            return np.float32(value) if narrow else value
        known, words = self._words.get(argument.record, (None, None))
        if known is not value:
            row = words_of(value, argument, dtype, order, cuda.address_of)
            words = self._cuda.to_device(np.array(row, np.int64))
            self._words[argument.record] = value, words
        return cuda.address_of(words)

    def result(self, array: Any) -> Any:
        """See `Place.result`."""
        return array if self.stays else array.copy_to_host()


CPU = CpuPlace()


def choose_place(backend: Backend | None, *arrays: Any) -> Place:
    """Where to run: as asked, else on the device when an array lives there, else on the CPU.

    Raises:
        UnknownNameError: for a backend that does not exist.
        InputError: for ``"cpu"`` with arrays that live on a device.
        MissingExtraError: for ``"cuda"`` without numba-cuda or without a GPU.
    """
    if backend not in (None, "cpu", "cuda"):
        raise UnknownNameError("mummer.kernels", "backend", str(backend), ["cpu", "cuda"])
    on_device = any(type(array) is not np.ndarray and cuda.is_device_array(array) for array in arrays)
    if backend == "cpu" and on_device:
        raise InputError("backend 'cpu' was asked for arrays that live on a GPU; copy them to the host first")
    return CudaPlace(stays=on_device) if backend == "cuda" or on_device else CPU


def precision_of(arrays: tuple[Any, ...]) -> str:
    """``"float32"`` or ``"float64"``: the type of the first array of floats.

    Example:
        >>> precision_of((np.arange(3), np.zeros(2, np.float32)))
        'float32'
    """
    for array in arrays:
        if isinstance(array, tuple):
            return precision_of(array)
        dtype = getattr(array, "dtype", None)
        if dtype is not None and dtype.kind == "f":
            # Asking numpy for the name takes longer than starting the kernel.
            return PRECISIONS.get(dtype) or str(dtype)
    raise TypeError("a kernel needs at least one array of floats")
