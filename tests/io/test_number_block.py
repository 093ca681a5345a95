"""Blocks of numbers: the fast ways give just what Python gives, and everything else gets a clear answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import LimitError, MalformedFileError
from mummer.io import decimals, number_block

FLOATS = st.floats(-1e6, 1e6, allow_nan=False)
ROWS = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(FLOATS, min_size=width, max_size=width), min_size=1))


def parse(data: bytes, most: int = 10_000) -> number_block.NumberBlock:
    return number_block.parse(data, None, first_line=7, most=most)


def written(rows: list[list[float]], form: str) -> str:
    return "\n".join(" ".join(format(value, form) for value in row) for row in rows)


@given(rows=ROWS, form=st.sampled_from([".1f", ".4f", ".6f", ".12f", ".17g", ".3e", ".9g", "g"]))
def test_bit_for_bit_as_python_reads(rows: list[list[float]], form: str) -> None:
    text = written(rows, form)
    assert parse(text.encode()).values.tolist() == [float(word) for word in text.split()]


@pytest.mark.parametrize("is_compiled", [True, False])
def test_both_ways_are_taken_and_agree(is_compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    read = decimals.read_decimals
    monkeypatch.setattr(decimals, "is_worth_compiling", lambda size: is_compiled)
    monkeypatch.setattr(decimals, "read_decimals", lambda data, most: calls.append(1) or read(data, most))
    assert parse(b"1.5 -2\n3e2 .25\n").values.tolist() == [1.5, -2, 300, 0.25]
    assert len(calls) == is_compiled


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b"", []),
        (b" \r\n\t", []),
        (b"-0.50 .25 -.75", [-0.5, 0.25, -0.75]),
        (b"1 2\n3\n", [1, 2, 3]),
        (b"1, 2, 3\n4, 5, 6", [1, 2, 3, 4, 5, 6]),
        (b"1,2,3", [1, 2, 3]),
        (b"1,5 2,5\n3,5 4", [1.5, 2.5, 3.5, 4]),
        (b"1.5 # one\n2.5", [1.5, 2.5]),
    ],
)
def test_values(data: bytes, values: list[float]) -> None:
    assert parse(data).values.tolist() == values


def test_words_after_the_numbers_are_junk() -> None:
    block = parse(b"1 2\n3 4\nthe end\n5 6")
    assert (block.values.tolist(), block.junk) == ([1, 2, 3, 4], "the end")


@pytest.mark.parametrize(
    ("data", "line", "word"),
    [
        (b"1 2\n3 x", 8, "x"),
        (b"nan", 7, "nan"),
        (b"1\n\n1e999", 9, "1e999"),
        (b"1 2\n-x", 8, "-x"),
        (b"1_0 2", 7, "1_0"),
    ],
)
def test_what_is_no_number(data: bytes, line: int, word: str) -> None:
    with pytest.raises(MalformedFileError, match=f"line {line}: '{word}' is not a finite number"):
        parse(data)


def test_limit() -> None:
    with pytest.raises(LimitError, match="holds about 5,000 numbers; the limit is 100"):
        parse(b"1 " * 5000, most=100)
    assert len(parse(b"1    " * 100, most=100).values) == 100


def test_line_counts() -> None:
    assert number_block.line_counts(b"1 2\n\n3 4 5\nend 1", first_line=3) == [(3, 2), (5, 3)]
