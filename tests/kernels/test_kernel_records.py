from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
import pytest

from mummer.arrays import FloatArray, locked
from mummer.kernels.arguments import Count, Floats1, Output1, arguments_of
from mummer.kernels.kernel import kernel
from mummer.kernels.linking import helpers_of
from mummer.kernels.place import CPU


class Inner(NamedTuple):
    values: Floats1


class Outer(NamedTuple):
    inner: Inner
    add: Count


class Result(NamedTuple):
    doubled: Output1


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
