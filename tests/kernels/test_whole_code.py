"""A kernel is compiled as one whole with its helpers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numba import jit

from mummer.arrays import locked
from mummer.kernels import cpu
from mummer.kernels.arguments import Floats1, Output1
from mummer.kernels.kernel import kernel
from mummer.kernels.linking import apart


class Pair(NamedTuple):
    wanted: Floats1
    beside: Floats1


@apart
def far_sum(item: int, pair: Pair) -> float:
    total = 0.0
    for other in range(pair.wanted.shape[0]):
        total += nearer(pair.wanted[other], pair.wanted[item])
    return total


def nearer(a: float, b: float) -> float:
    return a - b if a > b else b - a


@kernel(on_cuda=False, borrows=True)
def spread(item: int, pair: Pair, sums: Output1) -> None:
    sums[item] = far_sum(item, pair) + far_sum(0, pair)


@pytest.fixture
def loop(monkeypatch):
    def nowhere(*_):
        raise RuntimeError

    # Compiled anew: what was kept tells nothing of how it was made.
    monkeypatch.setattr("mummer.kernels.kept_code.KeptCode", nowhere)
    return cpu.compile_loop(spread.body, spread.arguments, "float64", borrows=True)


def test_helpers_are_handed_no_more_than_they_need(loop):
    values, sums = locked(np.arange(4.0)), np.zeros(4)
    loop(0, 4, Pair(values, values), sums)
    np.testing.assert_array_equal(sums, [12.0, 10.0, 10.0, 12.0])
    (code,) = loop.inspect_llvm().values()
    made = [line for line in code.splitlines() if line.startswith("define")]
    own = [line for line in made if "far_sum" in line]
    assert all(line.startswith("define internal") for line in own)
    assert all(line.count("double*") + line.count("ptr") <= 3 for line in own)
    assert not [line for line in made if "linkonce_odr" in line]


def test_helpers_are_not_emitted_by_themselves(loop):
    (compiled,) = loop.overloads.values()
    assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) != 0
    for helper in (far_sum, nearer):
        alone = cpu._BORROWING_HELPERS[helper].overloads.values()
        assert not any(one.library.get_pointer_to_function(one.fndesc.llvm_func_name) for one in alone)


def test_functions_of_others_are_compiled_as_they_were(loop):
    inner = jit(nopython=True)(lambda x: x + 1.0)
    outer = jit(nopython=True)(lambda x: inner(x) * inner(x))
    assert outer(2.0) == 9.0
    assert inner(1.0) == 2.0
