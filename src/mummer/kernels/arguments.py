"""What the parameters of a kernel hold, said once, in the annotations of its body.

A body such as ``def scale(item: int, values: Floats1, doubled: Output1)`` is compiled for exactly these types: nothing
is guessed from the arrays of the first call, so a wrong array is an error and never a second, slow compilation.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

from mummer.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Argument:
    """The type of one kernel parameter.

    Attributes:
        dtype: a numpy type name, or ``"float"`` for the precision of the call (float32 or float64).
        ndim: the number of axes; 0 is a plain number.
        written: whether the kernel writes to it. What it only reads may be a read-only array.
    """

    dtype: str
    ndim: int
    written: bool = False


Count = Annotated[int, Argument("int64", 0)]
Parents = Annotated[IntArray, Argument("int64", 1)]
Joints2 = Annotated[IntArray, Argument("uint32", 2)]
Floats1 = Annotated[FloatArray, Argument("float", 1)]
Floats2 = Annotated[FloatArray, Argument("float", 2)]
Floats3 = Annotated[FloatArray, Argument("float", 3)]
Floats4 = Annotated[FloatArray, Argument("float", 4)]
Output1 = Annotated[FloatArray, Argument("float", 1, written=True)]
Output2 = Annotated[FloatArray, Argument("float", 2, written=True)]
Output3 = Annotated[FloatArray, Argument("float", 3, written=True)]
Output4 = Annotated[FloatArray, Argument("float", 4, written=True)]


def arguments_of(function: Callable[..., Any], *, skip: int) -> dict[str, Argument]:
    """The declared parameters of ``function`` by name, without the first ``skip``.

    Raises:
        TypeError: when a parameter is not annotated with one of the types of this module.
    """
    hints = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)[skip:]
    found: dict[str, Argument] = {}
    for name in names:
        marks = [mark for mark in getattr(hints.get(name), "__metadata__", ()) if isinstance(mark, Argument)]
        if not marks:
            raise TypeError(f"kernel '{function.__name__}': parameter '{name}' needs a type of kernels.arguments")
        found[name] = marks[0]
    return found
