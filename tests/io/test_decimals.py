"""Compiled reading of decimals gives the very bits that Python gives, or declines."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mummer.io import decimals

FORMS = st.sampled_from([".1f", ".4f", ".6f", ".15f", ".3e", ".9g", ".15g", "g", "+.2f"])
BLANKS = st.sampled_from([" ", "  ", "\t", "\n", "\r\n"])


@given(values=st.lists(st.floats(-1e7, 1e7)), form=FORMS, blank=BLANKS)
def test_bit_for_bit_as_python_reads(values: list[float], form: str, blank: str) -> None:
    text = blank.join(format(value, form) for value in values)
    found = decimals.read_decimals(text.encode(), 1000)
    if found is not None:
        assert [value.hex() for value in found.tolist()] == [float(word).hex() for word in text.split()]


@given(integer=st.integers(0, 2**53 - 1), shift=st.integers(-22, 22))
@example(integer=2**53 - 1, shift=22)
@example(integer=2**53 - 1, shift=-22)
def test_exact_up_to_the_limits(integer: int, shift: int) -> None:
    word = f"{integer}e{shift}"
    found = decimals.read_decimals(word.encode(), 1)
    assert found is not None
    assert found.tolist() == [float(word)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        (" \n\t\r\v\f", []),
        ("1", [1]),
        ("-0.5 .25 -.75 5. +7", [-0.5, 0.25, -0.75, 5, 7]),
        ("1e5 2.5E-3 1e+2", [1e5, 0.0025, 100]),
    ],
)
def test_values(text: str, values: list[float]) -> None:
    found = decimals.read_decimals(text.encode(), 100)
    assert found is not None
    assert found.tolist() == values


@pytest.mark.parametrize(
    "text",
    ["-", "+", ".", "-.", "1.2.3", "1e", "1e+", "e5", "1x", "x", "nan", "inf", "1,5", "1-2", "--1", "1_0", "0x1",
     "1\0 2", str(2**53), "0.12345678901234567", "1e23", "1e-23", "1e99999999999999999999", "1 2 3 4 5 6"],
)  # fmt: skip
def test_declined(text: str) -> None:
    assert decimals.read_decimals(text.encode(), 5) is None


def test_numba_is_not_loaded_for_usual_files() -> None:
    code = "import sys\nfrom mummer.io import bvh, decimals\n"
    code += "print(decimals.is_worth_compiling(10**6), 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
    assert decimals.is_worth_compiling(2**24)
