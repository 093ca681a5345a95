"""Arrays that frozen values can hold: converted once, checked for shape, and locked against writing."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from mummer.errors import InputError

FloatArray = npt.NDArray[np.floating[Any]]
IntArray = npt.NDArray[np.integer[Any]]
BoolArray = npt.NDArray[np.bool_]
Record = TypeVar("Record", bound=tuple[Any, ...])


def locked(values: npt.ArrayLike, dtype: npt.DTypeLike = np.float64, *, copy: bool = True) -> npt.NDArray[Any]:
    """``values`` as a contiguous read-only array.

    Args:
        values: anything numpy understands.
        dtype: the type of the result.
        copy: whether an array that somebody else could still write to is copied. Values made by the million
            (poses) pass False: whoever hands an array to a pose must not write to it afterwards.
    """
    array = np.ascontiguousarray(values, dtype=dtype)
    if not array.flags.writeable:
        return array
    if array is values or array.base is not None:
        array = array.copy() if copy else array.view()
    array.flags.writeable = False
    return array


def locked_record(record: Record) -> Record:
    """A named tuple for kernels, its arrays read-only where they are; whoever hands them in must not write to them."""
    fields = [locked(each, each.dtype, copy=False) if isinstance(each, np.ndarray) else each for each in record]
    return type(record)(*fields)


def require_shape(array: npt.NDArray[Any], shape: tuple[int | None, ...], what: str) -> None:
    """Raise unless ``array`` ends in ``shape``, where None stands for any length.

    Raises:
        InputError: with the shape found and the shape expected.
    """
    tail = array.shape[array.ndim - len(shape) :] if array.ndim >= len(shape) else None
    if tail is None or any(want is not None and got != want for got, want in zip(tail, shape, strict=True)):
        wanted = ", ".join("any" if size is None else str(size) for size in shape)
        raise InputError(f"{what} has shape {array.shape}; expected (..., {wanted})")


def as_number(value: object, what: str) -> float:
    """``value`` as a float.

    Raises:
        InputError: if it is not a number.
    """
    if isinstance(value, (int, float, np.number)):
        return float(value)
    raise InputError(f"{what} is {value!r}; expected a number")


def as_floats(values: npt.ArrayLike, what: str) -> FloatArray:
    """``values`` as an array of numbers.

    Raises:
        InputError: if they are none.
    """
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what} is {values!r}; expected numbers") from None


def require_finite(array: npt.NDArray[Any], what: str) -> None:
    """Raise unless every entry of ``array`` is a finite number.

    Raises:
        InputError: with the number of entries that are not.
    """
    bad = int(array.size - np.count_nonzero(np.isfinite(array)))
    if bad:
        raise InputError(f"{what} holds {bad} value{'s' if bad > 1 else ''} that are not finite numbers")
