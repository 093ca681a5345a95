from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
import pytest

from mummer.arrays import FloatArray, locked
from mummer.kernels.arguments import Argument, Count, Floats1, Floats2, Output1, Output2, arguments_of
from mummer.kernels.cuda import narrowed
from mummer.kernels.kernel import kernel
from mummer.kernels.linking import helpers_of
from mummer.kernels.place import CPU
from mummer.kernels.records import words_of


class Inner(NamedTuple):
    values: Floats1


class Outer(NamedTuple):
    inner: Inner
    add: Count


class Result(NamedTuple):
    doubled: Output1


class Both(NamedTuple):
    read: Floats2
    written: Output2


SHARE = 0.5


def twice(value: float) -> float:
    return value + value


@kernel
def double_records(item: int, outer: Outer, result: Result) -> None:
    result.doubled[item] = twice(outer.inner.values[item]) + outer.add


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_kernels_take_records_of_records(dtype: type) -> None:
    values = locked(np.arange(5, dtype=dtype), dtype)
    result = Result(np.zeros(5, dtype))
    CPU.run(double_records, 5, Outer(Inner(values), 1), result)
    assert result.doubled.dtype == dtype
    assert result.doubled.tolist() == [1, 3, 5, 7, 9]


@kernel(borrows=True)
def double_borrowed(item: int, outer: Outer, result: Result) -> None:
    result.doubled[item] = twice(outer.inner.values[item]) + outer.add


def test_what_is_borrowed_is_given_back() -> None:
    values = locked(np.arange(5.0))
    outer, result = Outer(Inner(values), 1), Result(np.zeros(5))
    before = sys.getrefcount(values), sys.getrefcount(result.doubled)
    for _ in range(100):
        CPU.run(double_borrowed, 5, outer, result)
    assert result.doubled.tolist() == [1, 3, 5, 7, 9]
    assert (sys.getrefcount(values), sys.getrefcount(result.doubled)) == before


def test_what_is_known_is_not_looked_at_again_and_all_else_is() -> None:
    place, looked, whole = CPU.apart(), [], double_records.loop
    outer, result = Outer(Inner(locked(np.arange(5.0))), 1), Result(np.zeros(5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(double_records, "loop", lambda dtype: looked.append(dtype) or whole(dtype))
        for _ in range(3):
            result.doubled[:] = 0.0
            place.run(double_records, 5, outer, result)
            assert result.doubled.tolist() == [1, 3, 5, 7, 9]
        known = len(looked)
        other = Result(np.zeros(5))
        place.run(double_records, 5, outer, other)
        assert other.doubled.tolist() == [1, 3, 5, 7, 9]
        assert 0 < known < len(looked)
        for wrong in (np.zeros(5, np.int64), np.zeros(10)[::2]):
            with pytest.raises(TypeError):
                place.run(double_records, 5, outer, Result(wrong))


def test_a_record_by_address_is_its_numbers_and_where_its_arrays_are() -> None:
    argument = double_records.arguments["outer"]
    values = np.arange(5, dtype=np.float32)
    words = words_of(Outer(Inner(values), 7), argument, "float32", "C", lambda array, order: array.ctypes.data)
    assert words == [values.ctypes.data, 5, 7]
    with pytest.raises(TypeError, match="1 axes of float64; expected 1 of float32"):
        words_of(Outer(Inner(np.arange(5.0)), 7), argument, "float32", "C", lambda array, order: 0)


def test_items_are_last_in_memory_only_where_they_are_written() -> None:
    asked = []
    record = Argument("record", 0, record=Both, fields=(Argument("float", 2), Argument("float", 2, written=True)))
    both = Both(np.zeros((2, 3)), np.zeros((2, 3)))
    words_of(both, record, "float64", "F", lambda array, order: asked.append(order) or 0)
    assert asked == ["C", "F"]


def test_numbers_of_single_precision_stay_so() -> None:
    def shifted(value: float, by: float = 0.25) -> tuple[float, tuple[float, float]]:
        return value + SHARE + by, (0.5, 1.5)

    value, pair = narrowed(shifted)(np.float32(1.0))
    assert [type(one) for one in (value, *pair)] == [np.float32] * 3
    assert shifted(1.0) == (1.75, (0.5, 1.5))


def test_a_field_of_no_known_type_is_an_error() -> None:
    class Wrong(NamedTuple):
        values: list[float]

    def body(item: int, wrong: Wrong) -> None: ...

    body.__annotations__ = {"item": int, "wrong": Wrong}
    with pytest.raises(TypeError, match="field 'values' of Wrong needs a type"):
        arguments_of(body, skip=1)


def test_attributes_are_no_helpers() -> None:
    def uses(result: Result, twice_of: FloatArray) -> float:
        return result.twice + twice_of  # type: ignore[attr-defined, no-any-return]

    def calls(value: float) -> float:
        return twice(value)

    assert helpers_of(uses) == {}
    assert set(helpers_of(calls)) == {"twice"}
