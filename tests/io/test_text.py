"""Text whatever its encoding, and words that know their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mummer.errors import MalformedFileError
from mummer.io import text
from mummer.io.text import Words


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb", b"a\nb"),
        (b"\xef\xbb\xbfa", b"a"),
        ("a\nü".encode("utf-16"), "a\nü".encode()),
        (b"a\rb\rc", b"a\nb\nc"),
        (b"a\r\nb", b"a\r\nb"),
    ],
)
def test_normalized(data: bytes, expected: bytes) -> None:
    assert text.normalized(data, None) == expected


def test_zero_bytes_are_not_text() -> None:
    with pytest.raises(MalformedFileError, match=r"x.bvh: is not text: it holds zero bytes"):
        text.normalized(b"ab\0", Path("x.bvh"))


def test_decode_falls_back_to_the_western_encoding() -> None:
    assert text.decode("Füße".encode()) == "Füße"
    assert text.decode("Füße".encode("cp1252")) == "Füße"


@pytest.mark.parametrize(
    ("line", "expected"),
    [("a # b", "a "), ("# b", ""), ("a#2 b", "a#2 b"), ("// b", ""), ("a//b", "a//b"), ("a //b", "a "), ("a", "a")],
)
def test_comments(line: str, expected: str) -> None:
    assert text.without_comment(line) == expected


@pytest.mark.parametrize(
    ("word", "value"),
    [("1", 1), (".5", 0.5), ("-1e-3", -0.001), ("1,5", 1.5), ("2.5,", 2.5), ("3;", 3), ("+4", 4), ("1.", 1)],
)
def test_numbers(word: str, value: float) -> None:
    assert text.parse_number(word) == value


@pytest.mark.parametrize("word", ["", "x", "nan", "inf", "-Infinity", "1e999", "1_0", "0x10", "1.#QNAN", "1,2,3", ","])
def test_no_numbers(word: str) -> None:
    assert text.parse_number(word) is None


def test_words_know_their_line() -> None:
    words = Words("a b{\n\n# no\nc } d", None, first_line=5)
    found = []
    while words.peek() is not None:
        found.append((words.take("a word"), words.line))
    assert found == [("a", 5), ("b", 5), ("{", 5), ("c", 8), ("}", 8), ("d", 8)]
    with pytest.raises(MalformedFileError, match=r"line 8: the file ends where more should be"):
        words.take("more")


def test_rest_of_line() -> None:
    words = Words("JOINT left arm { x\ny", None)
    assert words.take("a word") == "JOINT"
    assert words.rest_of_line(until="{") == ["left", "arm"]
    assert words.take("a brace") == "{"
    assert words.rest_of_line() == ["x"]
    assert words.rest_of_line() == []
    assert words.take("a word") == "y"


def test_number_says_what_was_expected() -> None:
    words = Words("1\nb", Path("x.sk"))
    assert words.number("the scale") == 1
    with pytest.raises(MalformedFileError, match=r"x.sk: line 2: 'b' stands where the angle should be"):
        words.number("the angle")
