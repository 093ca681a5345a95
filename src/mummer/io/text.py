"""Text files read safely: bytes to text whatever their encoding, and words that know the line they stand on."""

from __future__ import annotations

import math
import re
from pathlib import Path

from mummer.errors import MalformedFileError

_WORD = re.compile(r"\S")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def normalized(data: bytes, path: Path | None) -> bytes:
    """``data`` without byte-order mark, in an encoding of which ASCII is a part, with lines ended by newlines.

    Raises:
        MalformedFileError: if it is not text at all.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = data.decode("utf-16", "replace").encode()
    data = data.removeprefix(_BYTE_ORDER_MARK)
    if b"\0" in data[:4096]:
        raise MalformedFileError(path, "is not text: it holds zero bytes")
    if b"\r" in data[:65536] and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    return data


def decode(data: bytes) -> str:
    """Text from UTF-8, or from Windows' western encoding where it is not valid UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def without_comment(line: str) -> str:
    """``line`` up to a comment: ``#`` or ``//`` at its start or after a blank.

    Example:
        >>> without_comment("JOINT arm#2 # the left one")
        'JOINT arm#2 '
    """
    if "#" not in line and "//" not in line:
        return line
    for place in range(len(line)):
        starts = line[place] == "#" or line.startswith("//", place)
        if starts and (place == 0 or line[place - 1].isspace()):
            return line[:place]
    return line


def parse_number(word: str) -> float | None:
    """The finite number that ``word`` spells, a decimal comma allowed, or None.

    Example:
        >>> parse_number("1,5"), parse_number("2.5,"), parse_number("nan"), parse_number("x")
        (1.5, 2.5, None, None)
    """
    word = word.rstrip(",;")
    if "," in word and "." not in word:
        word = word.replace(",", ".", 1)
    if "_" in word:
        # Python reads 1_000 as a number; files do not mean it.
        return None
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class Words:
    """The words of a text one after another, braces apart, comments left out, each with its line.

    Words are made line by line as they are asked for, so that a large text costs no more than its own size.
    """

    def __init__(self, text: str, path: Path | None, *, first_line: int = 1) -> None:
        self._text, self._path = text, path
        self._place, self._next_line = 0, first_line
        self._words: list[str] = []
        self._used = 0
        self.line = first_line

    def peek(self) -> str | None:
        """The next word without taking it, or None at the end."""
        while self._used >= len(self._words):
            if self._place >= len(self._text):
                return None
            self._read_line()
        return self._words[self._used]

    def take(self, expected: str) -> str:
        """The next word.

        Raises:
            MalformedFileError: at the end of the text, saying what was ``expected``.
        """
        word = self.peek()
        if word is None:
            raise self.error(f"the file ends where {expected} should be")
        self._used += 1
        return word

    def rest_of_line(self, *, until: str = "") -> list[str]:
        """The words left on the current line, up to but without the word ``until``."""
        rest = self._words[self._used :]
        if until in rest:
            rest = rest[: rest.index(until)]
        self._used += len(rest)
        return rest

    def number(self, expected: str) -> float:
        """The next word as a finite number.

        Raises:
            MalformedFileError: if it is none, saying what was ``expected``.
        """
        word = self.take(expected)
        value = parse_number(word)
        if value is None:
            raise self.error(f"{word[:40]!r} stands where {expected} should be; expected a finite number")
        return value

    def error(self, what: str) -> MalformedFileError:
        """An error at the current line, to be raised by the caller."""
        return MalformedFileError(self._path, what, place=f"line {self.line}")

    def _read_line(self) -> None:
        self._skip_blank_lines()
        end = self._text.find("\n", self._place)
        end = len(self._text) if end < 0 else end
        line = without_comment(self._text[self._place : end])
        if "{" in line or "}" in line:
            line = line.replace("{", " { ").replace("}", " } ")
        self._words = line.split()
        self._used = 0
        self._place = end + 1
        self.line, self._next_line = self._next_line, self._next_line + 1

    def _skip_blank_lines(self) -> None:
        found = _WORD.search(self._text, self._place)
        start = found.start() if found else len(self._text)
        last_break = self._text.rfind("\n", self._place, start)
        if last_break >= 0:
            self._next_line += self._text.count("\n", self._place, start)
            self._place = last_break + 1
