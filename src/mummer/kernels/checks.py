"""What is checked before compiled code runs, which itself checks nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.errors import InputError
from mummer.kernels.cuda import is_device_array
from mummer.kernels.place import Place

FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)


def float_type(value: Any) -> np.dtype[Any]:
    """The precision to work in: float32 when ``value`` has it, else float64."""
    return FLOAT32 if getattr(value, "dtype", None) == FLOAT32 else FLOAT64


def expect_shape(name: str, array: Any, shape: tuple[int | None, ...], axes: str) -> None:
    """Raise unless ``array`` has exactly ``shape``, where None stands for any length.

    Args:
        name: what the array is called in the message.
        array: anything with a shape.
        shape: the lengths that are known.
        axes: the shape in letters, for the message.

    Raises:
        InputError: with the shape found and the shape expected.
    """
    got = tuple(array.shape)
    if len(got) == len(shape) and all(want in (None, size) for size, want in zip(got, shape, strict=True)):
        return
    known = ", ".join("any" if size is None else str(size) for size in shape)
    raise InputError(f"{name} has shape {got}; expected {axes}, here ({known}{',' if len(shape) == 1 else ''})")


def leading_frames(name: str, array: Any, shape: tuple[int, ...], axes: str) -> tuple[int, ...]:
    """``(T,)`` when ``array`` has frames before ``shape``, ``()`` when it is one frame.

    Raises:
        InputError: when it is neither.
    """
    got = tuple(array.shape)
    if got == shape:
        return ()
    expect_shape(name, array, (None, *shape), axes)
    return got[:1]


def expect_shape_or_constant(name: str, array: Any, lead: tuple[int, ...], shape: tuple[int, ...], axes: str) -> None:
    """Raise unless ``array`` has ``shape`` (the same for all frames) or one such for each frame of ``lead``.

    Raises:
        InputError: with the shape found and the shape expected.
    """
    if tuple(array.shape) != shape:
        expect_shape(name, array, (*lead, *shape), axes)


def framed(array: Any, shape: tuple[int, ...]) -> Any:
    """``array`` with frames before ``shape``: one of them when it had none."""
    return array.reshape(array.shape[0] if array.ndim > len(shape) else 1, *shape)


def expect_parents(parents: Any) -> None:
    """Raise unless every parent comes before its child and roots have -1. Arrays on a device are trusted.

    Raises:
        InputError: naming the first joint at fault.
    """
    if is_device_array(parents):
        return
    values = np.asarray(parents)
    wrong = np.flatnonzero((values >= np.arange(len(values))) | (values < -1))
    if len(wrong):
        joint = int(wrong[0])
        raise InputError(
            f"parents[{joint}] is {int(values[joint])}; expected -1 (a root) or a joint before it, at most {joint - 1}"
        )


def joint_indices(place: Place, indices: Any, joints: int) -> Any:
    """``indices`` at ``place``, as the kernels want them. Arrays on a device are trusted to be in range.

    Raises:
        InputError: when one names no joint, or when they are not integers.
    """
    if is_device_array(indices):
        return place.array(indices, np.uint32)
    values = np.asarray(indices)
    if values.dtype.kind not in "iu":
        raise InputError(f"indices hold {values.dtype}; expected integers")
    if values.size and (values.max() >= joints or values.min() < 0):
        worst = int(values.max()) if values.max() >= joints else int(values.min())
        raise InputError(f"indices name joint {worst}; expected 0 to {joints - 1}")
    return place.array(values, np.uint32)


def output(place: Place, given: Any, shape: tuple[int, ...], dtype: npt.DTypeLike, *, name: str = "out") -> Any:
    """``given`` when it can take the result as it is, or a new array when it is None.

    Raises:
        InputError: when ``given`` has another shape, type or layout, is read-only, or lives elsewhere.
    """
    if given is None:
        return place.empty(shape, dtype)
    wanted = np.dtype(dtype)
    if place.is_cpu != isinstance(given, np.ndarray):
        raise InputError(
            f"{name} is not where the kernel runs; expected a {'numpy' if place.is_cpu else 'device'} array"
        )
    if tuple(given.shape) != shape or given.dtype != wanted:
        raise InputError(f"{name} has shape {tuple(given.shape)} and type {given.dtype}; expected {shape} and {wanted}")
    if place.is_cpu and not (given.flags.c_contiguous and given.flags.writeable):
        raise InputError(f"{name} is read-only or not C-contiguous; expected an array that can be filled in place")
    return given
