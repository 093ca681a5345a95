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
        record: for a named tuple of such parameters its class: kernels read ``body.parents`` instead of taking forty
            arrays. What of it is only read must be locked, what is written must not be.
        fields: the types of its fields.
    """

    dtype: str
    ndim: int
    written: bool = False
    record: type | None = None
    fields: tuple[Argument, ...] = ()


Count = Annotated[int, Argument("int64", 0)]
Parents = Annotated[IntArray, Argument("int64", 1)]
Joints2 = Annotated[IntArray, Argument("uint32", 2)]
Number = Annotated[float, Argument("float64", 0)]
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
    return {name: _argument(hints.get(name), f"kernel '{function.__name__}': parameter '{name}'") for name in names}


def _argument(hint: Any, where: str) -> Argument:
    """What an annotation says of a parameter, or of a field of a record."""
    marks = [mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Argument)]
    if marks:
        return marks[0]
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        hints = get_type_hints(hint, include_extras=True)
        fields = (_argument(hints[name], f"{where}: field '{name}' of {hint.__name__}") for name in hint._fields)
        return Argument("record", 0, record=hint, fields=tuple(fields))
    raise TypeError(f"{where} needs a type of kernels.arguments")
