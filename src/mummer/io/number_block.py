"""Large blocks of numbers in text, read fast where they are regular and with good errors where they are not."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import LimitError, MalformedFileError
from mummer.io import decimals, text

_CHUNK = 2**24


@dataclass(frozen=True)
class NumberBlock:
    """Numbers read from text.

    Attributes:
        values: (n,) every number in order; all finite.
        junk: the first words of what follows the numbers, or an empty string.
        decimal_commas: whether commas stood for decimal points.
    """

    values: FloatArray
    junk: str = ""
    decimal_commas: bool = False


def parse(data: bytes, path: Path | None, *, first_line: int, most: int) -> NumberBlock:
    """The numbers in ``data``, split by white space or by commas.

    Args:
        data: the block.
        path: for messages.
        first_line: the line of the file on which the block starts.
        most: how many numbers there may be.

    Raises:
        LimitError: if there are more.
        MalformedFileError: with the line of what is not a finite number. Words after the numbers are no error.
    """
    _require_at_most(data, path, most)
    values = decimals.read_decimals(data, most) if decimals.is_worth_compiling(len(data)) else None
    if values is None:
        values = _regular(data)
    if values is not None:
        return NumberBlock(values)
    return _line_by_line(data, path, first_line)


def _require_at_most(data: bytes, path: Path | None, most: int) -> None:
    if len(data) // 2 < most:
        return
    count = 0
    for start in range(0, len(data), _CHUNK):
        blank = np.frombuffer(data, np.uint8, min(_CHUNK, len(data) - start), start) <= 32
        count += int(np.count_nonzero(blank[1:] & ~blank[:-1]))
    if count > most:
        raise LimitError(path, f"holds about {count:,} numbers; the limit is {most:,}")


def _regular(data: bytes) -> FloatArray | None:
    """The numbers if every line holds the same count of them, else None."""
    if not data.strip():
        return np.zeros(0)
    try:
        values: FloatArray = np.loadtxt(io.BytesIO(data), comments=None, encoding="latin-1", ndmin=2)
    except (ValueError, OverflowError):
        return None
    return values.ravel() if np.all(np.isfinite(values)) else None


def _line_by_line(data: bytes, path: Path | None, first_line: int) -> NumberBlock:
    decimal_commas = _has_decimal_commas(data)
    values: list[float] = []
    for number, words in _lines(data, first_line, split_commas=not decimal_commas):
        for word in words:
            value = text.parse_number(word)
            if value is None:
                if word is words[0] and not _is_like_a_number(word):
                    junk = " ".join(words)[:60]
                    return NumberBlock(np.array(values), junk, decimal_commas)
                raise MalformedFileError(path, f"{word[:40]!r} is not a finite number", place=f"line {number}")
            values.append(value)
    return NumberBlock(np.array(values), "", decimal_commas)


def line_counts(data: bytes, *, first_line: int) -> list[tuple[int, int]]:
    """Each line that holds numbers, and how many, up to the first line that does not start with one."""
    found = []
    for number, words in _lines(data, first_line, split_commas=not _has_decimal_commas(data)):
        if not _is_like_a_number(words[0]):
            break
        found.append((number, len(words)))
    return found


def _lines(data: bytes, first_line: int, *, split_commas: bool) -> Iterator[tuple[int, list[str]]]:
    for place, raw in enumerate(io.BytesIO(data)):
        line = text.without_comment(raw.decode("latin-1"))
        words = (line.replace(",", " ") if split_commas else line).split()
        if words:
            yield first_line + place, words


def _has_decimal_commas(data: bytes) -> bool:
    """Whether commas are decimal points: there are some, no point is, and each stands between two digits."""
    if b"," not in data or b"." in data:
        return False
    octets = np.frombuffer(b" " + data + b" ", np.uint8)
    commas = np.flatnonzero(octets == ord(","))
    is_digit = (octets >= ord("0")) & (octets <= ord("9"))
    has_blanks = bool(np.any(octets[1:-1] == ord(" ")) or np.any(octets == ord("\t")))
    return has_blanks and bool(np.all(is_digit[commas - 1] & is_digit[commas + 1]))


def _is_like_a_number(word: str) -> bool:
    """Whether ``word`` was meant as a number: it starts as one, or says that it is none or infinite."""
    return word[0] in "+-.0123456789" or word.lower().startswith(("nan", "inf"))
