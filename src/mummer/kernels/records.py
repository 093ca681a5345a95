"""Records on a GPU: a kernel gets one address a record, where it finds which arrays that holds.

Passed by value, a body of a hundred arrays is a thousand numbers that every launch would carry and every call of every
helper hand on. What an address leads to is a row of words that was sent before: for a number itself, for an array where
its data is and how long its axes are, for a record in a record all that, in the order of the fields. The words do not
change while a kernel runs, and compiled code is told so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Literal

import numpy as np

from mummer.kernels.arguments import Argument

Order = Literal["C", "F"]


def width(argument: Argument) -> int:
    """How many words an argument takes."""
    if argument.record is not None:
        return sum(width(field) for field in argument.fields)
    return 1 + argument.ndim


def order_of(argument: Argument, order: Order) -> Order:
    """How an array lies in memory, where those that are written lie in an order."""
    return order if argument.written and argument.ndim > 1 else "C"


def words_of(
    value: Any, argument: Argument, dtype: str, order: Order, address: Callable[[Any, Order], int]
) -> list[int]:
    """The words of a record, or of a field of one.

    Args:
        value: what it holds.
        argument: its type.
        dtype: the precision of the call.
        order: of arrays that are written.
        address: where the data of an array is that lies in an order.

    Raises:
        TypeError: for an array of another type.
    """
    if argument.record is not None:
        fields = zip(value, argument.fields, strict=True)
        return [word for one, field in fields for word in words_of(one, field, dtype, order, address)]
    kind = np.dtype(dtype if argument.dtype == "float" else argument.dtype)
    if argument.ndim == 0:
        return [int(np.array(value, kind).astype(f"{kind.kind}8").view(np.int64))]
    if value.dtype != kind or value.ndim != argument.ndim:
        raise TypeError(f"a record holds {value.ndim} axes of {value.dtype}; expected {argument.ndim} of {kind}")
    return [address(value, order_of(argument, order)), *value.shape]


class Reader:
    """How code for CUDA reads records.

    Attributes:
        order: how arrays that are written lie in memory: ``"C"``, or ``"F"`` for the items last.
    """

    def __init__(self, order: Order) -> None:
        self.order = order
        self._types = import_module("numba.core.types")
        self._arrays = import_module("numba.cuda.np.arrayobj")
        self.by_address = self._register()

    def type_of(self, argument: Argument, dtype: str) -> Any:
        """Numba's type of a field. What is only read is declared read-only."""
        if argument.record is not None:
            return self.by_address(argument, dtype)
        kind = np.dtype(dtype if argument.dtype == "float" else argument.dtype)
        scalar = import_module("numba").from_dtype(kind)
        if argument.ndim == 0:
            # Single numbers of a GPU's records are no wider than its arrays, so that no arithmetic is.
            return self._types.float32 if self.order == "F" and dtype == "float32" and kind.kind == "f" else scalar
        return self._types.Array(scalar, argument.ndim, order_of(argument, self.order), readonly=not argument.written)

    def found_at(self, argument: Argument, dtype: str) -> Any:
        """A function of compiled code that takes the number of an address for the record that is there."""
        there = self.by_address(argument, dtype)

        def found(typing: Any, address: Any) -> Any:  # noqa: ARG001
            def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

            return there(self._types.int64), code

        return import_module("numba.cuda.extending").intrinsic(found)

    def _register(self) -> Any:
        """The type of records that are known by their address, which numba is told how to read."""
        types, models = self._types, import_module("numba.core.datamodel.models")
        extending, templates = import_module("numba.cuda.extending"), import_module("numba.cuda.typing.templates")
        mine = self

        class ByAddress(types.Type):  # type: ignore[misc, name-defined]
            def __init__(self, argument: Argument, dtype: str) -> None:
                self.argument, self.dtype = argument, dtype
                record = argument.record
                mark = hashlib.sha256(repr(argument).encode()).hexdigest()[:8]
                super().__init__(name=f"{record.__name__ if record else ''}_{mark}_{dtype}_{mine.order}")

            def field(self, name: str) -> tuple[int, Argument]:
                """How many words before a field there are, and its type."""
                index = self.argument.record._fields.index(name)  # type: ignore[union-attr]
                return sum(width(one) for one in self.argument.fields[:index]), self.argument.fields[index]

        extending.register_model(ByAddress)(models.OpaqueModel)

        class Fields(templates.AttributeTemplate):  # type: ignore[misc, name-defined]
            key = ByAddress

            def generic_resolve(self, there: Any, name: str) -> Any:
                if name in there.argument.record._fields:
                    return mine.type_of(there.field(name)[1], there.dtype)
                return None

        extending.infer_getattr(Fields)
        extending.lower_getattr_generic(ByAddress)(self._read)
        return ByAddress

    def _read(self, context: Any, builder: Any, there: Any, value: Any, name: str) -> Any:
        """Code that reads one field of a record."""
        before, argument = there.field(name)
        ir = import_module("llvmlite.ir")
        word = ir.IntType(64)
        fixed = builder.module.add_metadata([])

        def read(number: int, kind: Any = word) -> Any:
            start = builder.gep(value, [word(8 * (before + number))])
            loaded = builder.load(builder.bitcast(start, kind.as_pointer()))
            loaded.set_metadata("invariant.load", fixed)
            return loaded

        kind = self.type_of(argument, there.dtype)
        if argument.record is not None:
            return builder.gep(value, [word(8 * before)])
        if argument.ndim == 0:
            wide = self._types.float64 if kind in self._types.real_domain else self._types.int64
            return context.cast(builder, read(0, context.get_value_type(wide)), wide, kind)
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        shape = [read(1 + axis) for axis in range(argument.ndim)]
        strides, step = [word(size)] * argument.ndim, word(size)
        for axis in range(argument.ndim) if kind.layout == "F" else reversed(range(argument.ndim)):
            strides[axis], step = step, builder.mul(step, shape[axis])
        array = self._arrays.make_array(kind)(context, builder)
        data = read(0, context.get_data_type(kind.dtype).as_pointer())
        self._arrays.populate_array(array, data, shape, strides, size, None)
        return array._getvalue()


@cache
def reader(order: Order) -> Reader:
    """The one for an order."""
    return Reader(order)
